"""Bazel's rc files: `--action_env`, `--test_env` and their like. Pure: no IO.

Source: Bazel command-line reference: `--test_env=NAME=value` sets, `--test_env=NAME` inherits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from unhaunt.envfiles.assignment import NAMES, PLAIN, Assignment, Dialect, Effect, Item
from unhaunt.envfiles.reference import value

_FLAG = re.compile(rf"--(?:\w+_)?env[= ]\"?({NAMES})(=?)([^\s\"]*)")


def read(text: str, dialect: Dialect = PLAIN) -> Iterator[Item]:
    """Yield what the flags set or let in."""
    for number, line in enumerate(text.split("\n"), 1):
        for name, sign, content in _FLAG.findall(line.partition("#")[0]):
            if content:
                yield Assignment(name, number, value(content))
            elif not sign:
                yield Assignment(name, number, (), Effect.PASSES)
