"""Cram tests: commands behind `  $ `, continued behind `  > `. Pure: no IO.

Source: cram's README, "The test format".
"""

from __future__ import annotations

from collections.abc import Iterator

from unhaunt.envfiles.assignment import PLAIN, Dialect, Item
from unhaunt.envfiles.grammars import shell


def read(text: str, dialect: Dialect = PLAIN) -> Iterator[Item]:
    """Yield what the commands set."""
    return shell.snippet("\n".join(map(_command, text.split("\n"))))


def _command(line: str) -> str:
    return line[4:] if line.startswith(("  $ ", "  > ")) else ""
