"""The command line: arguments in, text and an exit code out."""

from __future__ import annotations

import argparse
from typing import Protocol

#: command -> one line for `unhaunt --help`; the code is in `unhaunt.commands.<command>`
COMMANDS = {
    "check": "find startup files, stray modules and PYTHONPATH in a repository",
    "explain": "say what a rule finds, why it matters, and what to do instead",
}


class Command(Protocol):
    """What a module of `unhaunt.commands` holds."""

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Add the command's arguments and its example (`parser.epilog`)."""

    def run(self, args: argparse.Namespace) -> int:
        """Do the work and return the exit code. Raises `UserError` when it cannot be done."""
