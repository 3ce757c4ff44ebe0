"""dotenv: `NAME=value` lines, as python-dotenv reads them. Pure: no IO.

Source: python-dotenv 1.x, `dotenv/parser.py`; Compose reads the same files nearly alike, and
there a bare `NAME` lets the host's value in (Compose specification, `env_file`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from unhaunt.envfiles.assignment import (
    MENTION,
    PLAIN,
    Assignment,
    Dialect,
    Effect,
    Item,
    Value,
    variable,
)
from unhaunt.envfiles.reference import value

_BLANK = re.compile(r"\s*+")
_KEY = re.compile(r"(?:export[^\S\n]+)?(?:'([^'\n]+)'|([^=#\s]+))[^\S\n]*(=?)[^\S\n]*")
_SINGLE = re.compile(r"'((?:\\.|[^'\\]++)*)'[^\S\n]*(?:#[^\n]*)?(?:\n|\Z)", re.DOTALL)
_DOUBLE = re.compile(r'"((?:\\.|[^"\\]++)*)"[^\S\n]*(?:#[^\n]*)?(?:\n|\Z)', re.DOTALL)
_REST = re.compile(r"[^\n]*\n?")
_ESCAPE = re.compile(r"\\([\\'\"abfnrtv])")
_CONTROL = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}


def read(text: str, dialect: Dialect = PLAIN) -> Iterator[Item]:
    """Yield the settings of a dotenv file."""
    for name, line, sign, content in bindings(text):
        known = variable(name)
        if known is None:
            continue
        if sign:
            yield Assignment(known, line, content)
        else:
            yield Assignment(known, line, (), Effect.PASSES)


def bindings(text: str) -> Iterator[tuple[str, int, str, Value]]:
    """Yield (name, line, "=" or "", value) of every binding."""
    at, line, counted = 0, 1, 0
    closing = {"'": True, '"': True}  # whether such a quote can still be closed
    while at < len(text):
        blank = _BLANK.match(text, at)
        at = blank.end() if blank else at
        key = _KEY.match(text, at)
        if key is None:
            at = _line_end(text, at)
            continue
        start = key.start()
        content, end = _value(text, key.end(), closing)
        if key[3]:
            at = end
        else:
            content, at = (), _line_end(text, key.end())
        if MENTION.search(key[0]) or key[1] or key[2]:
            line, counted = line + text.count("\n", counted, start), start
            yield key[1] or key[2], line, key[3], content


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end + 1


def _value(text: str, at: int, closing: dict[str, bool]) -> tuple[Value, int]:
    quote = text[at : at + 1]
    if closing.get(quote):
        match = (_SINGLE if quote == "'" else _DOUBLE).match(text, at)
        if match:
            return _quoted(match[1], quote), match.end()
        closing[quote] = text.find(quote, at + 1) >= 0
    rest = _REST.match(text, at)
    assert rest is not None
    content = rest[0].rstrip("\n")
    if quote == "#" and text[at - 1] != "=":
        content = ""  # `NAME= # comment`
    return value(re.sub(r"\s+#.*", "", content).rstrip()), rest.end()


def _quoted(text: str, quote: str) -> Value:
    if quote == "'":
        return value(text.replace("\\'", "'").replace("\\\\", "\\"))
    return value(_ESCAPE.sub(lambda m: _CONTROL.get(m[1], m[1]), text))
