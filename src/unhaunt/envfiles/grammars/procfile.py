"""Procfiles: `name: command`, a line each. Pure: no IO. Source: Heroku, "The Procfile"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from unhaunt.envfiles.assignment import PLAIN, Dialect, Item, shifted
from unhaunt.envfiles.grammars import shell

_LINE = re.compile(r"[\w-]+:\s*(.*)")


def read(text: str, dialect: Dialect = PLAIN) -> Iterator[Item]:
    """Yield what the commands set."""
    for number, line in enumerate(text.split("\n")):
        if match := _LINE.match(line):
            yield from shifted(shell.snippet(match[1]), number)
