"""INI files: tox, pytest, setup.cfg, supervisor. Pure: no IO.

Sources: configparser and iniconfig (sections, continuation by indentation, full-line comments);
tox, "set_env" and "pass_env"; pytest, `pythonpath`; pytest-env; supervisor, `environment`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from unhaunt.envfiles.assignment import (
    MENTION,
    NAMES,
    Assignment,
    Dialect,
    Item,
    variable,
)
from unhaunt.envfiles.grammars import shell
from unhaunt.envfiles.grammars.maps import CHILDREN_ONLY, option, passed
from unhaunt.envfiles.reference import value


class Key(NamedTuple):
    """One key of a section, its value's lines, and the line of each."""

    section: str
    name: str
    lines: tuple[tuple[int, str], ...]


_SECTION = re.compile(r"\[([^\]\n]+)\]")
_KEY = re.compile(r"([^=:\[\s][^=:]*?)\s*([+?]?=|:)\s*(.*)")
_ENVIRONMENT = re.compile(r"env|variables", re.IGNORECASE)
_LISTED = re.compile(rf"(?:[\w.!,{{}}-]+:\s*)?(?:[DRU]:)*({NAMES})\s*=\s*(.*)")
_QUOTED_PAIR = re.compile(
    rf"""(?:^|[,\s"'])({NAMES})\s*=\s*("(?:[^"\\]++|\\.)*"|'[^']*'|[^,\n]*)"""
)
_SCRIPTS = re.compile(
    r"^(?:commands?(?:_pre|_post)?|exec\w*|script|cmd|run|test(?:_command)?|deps)$", re.I
)
_PYTEST = ("pytest", "tool:pytest")


def read(text: str, dialect: Dialect) -> Iterator[Item]:
    """Yield what the sections set."""
    for key in keys(text):
        if any(MENTION.search(line) for _, line in key.lines) or MENTION.search(key.name):
            yield from _read(key, dialect)


def keys(text: str) -> Iterator[Key]:
    """Yield the keys in order; an indented line continues the one above."""
    section = ""
    name, taken, indent = "", list[tuple[int, str]](), 0
    for number, line in enumerate(text.split("\n"), 1):
        bare = line.strip()
        if bare.startswith(("#", ";")) or (not bare and taken):
            continue
        heading = _SECTION.match(line)
        deeper = len(line) - len(line.lstrip()) > indent
        match = None if deeper and taken else _KEY.match(bare)
        if taken and (heading or match):
            yield Key(section, name, tuple(taken))
            taken = []
        if heading:
            section = heading[1].strip()
        elif match:
            name, taken = match[1].strip(), [(number, match[3])]
            indent = len(line) - len(line.lstrip())
        elif taken:
            taken.append((number, bare))
    if taken:
        yield Key(section, name, tuple(taken))


def _read(key: Key, dialect: Dialect) -> Iterator[Item]:
    line, first = key.lines[0]
    low = key.name.lower()
    if name := variable(key.name):
        if dialect.known or _ENVIRONMENT.search(key.section):
            yield Assignment(name, line, value(_unquoted(first)))
    elif low in ("passenv", "pass_env"):
        for number, content in key.lines:
            yield from passed(content, number)
    elif low == "pythonpath" and key.section in _PYTEST:
        for number, content in key.lines:
            yield from option(content, number)
    elif low in ("setenv", "set_env"):
        yield from _listed(key._replace(lines=tuple(_joined(key.lines))))
    elif low == "env" and key.section in _PYTEST:
        yield from (setting._replace(remark=CHILDREN_ONLY) for setting in _listed(key))
    elif _ENVIRONMENT.search(low):
        yield from _pairs(key)
    elif _SCRIPTS.match(low):
        yield from _commands(key)


def _joined(lines: tuple[tuple[int, str], ...]) -> Iterator[tuple[int, str]]:
    """Yield the lines with those that end in a backslash continued, as tox reads them."""
    first, taken = 0, ""
    for number, line in lines:
        first, taken = first or number, taken + line.removesuffix("\\")
        if not line.endswith("\\"):
            yield first, taken
            first, taken = 0, ""
    if first:
        yield first, taken


def _listed(key: Key) -> Iterator[Assignment]:
    """Yield the `NAME = value` lines of a key."""
    for number, content in key.lines:
        match = _LISTED.match(content)
        if match and match[2]:
            yield Assignment(match[1], number, value(match[2]))


def _pairs(key: Key) -> Iterator[Item]:
    """Yield `A="1",PYTHONPATH="x"`, on one line or more."""
    for number, content in key.lines:
        for match in _QUOTED_PAIR.finditer(content):
            text = _unquoted(match[2])
            if text:
                yield Assignment(match[1], number, value(text))


def _commands(key: Key) -> Iterator[Item]:
    script = "\n".join(line for _, line in key.lines)
    if MENTION.search(script):
        first = key.lines[0][0]
        for item in shell.snippet(script):
            yield item._replace(line=key.lines[min(item.line, len(key.lines)) - 1][0] or first)


def _unquoted(text: str) -> str:
    text = text.strip()
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" else text
