"""csh and tcsh: `setenv NAME value`, `env NAME=value command`. Pure: no IO. Source: csh(1)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from unhaunt.envfiles.assignment import NAMES, PLAIN, Assignment, Dialect, Item
from unhaunt.envfiles.grammars import guards
from unhaunt.envfiles.reference import value

_WORD = r"""(?:"[^"\n]*+"|'[^'\n]*+'|\\.|[^\s;&|"'\\]++)+"""
_SETENV = re.compile(
    rf"(?:^|[;)&|]|\b(?:then|else))[ \t]*+setenv[ \t]+(?P<name>{NAMES})[ \t]+(?P<value>{_WORD})",
    re.MULTILINE,
)
_ENV = re.compile(rf"\benv\s+(?:\w+=\S*\s+)*(?P<name>{NAMES})=(?P<value>{_WORD})")
#: quotes, and the modifiers of variables (`:q`)
_BARE = re.compile(r"[\"']|(?<=\w):[qxehrtau](?!\w)")
_COMMENT = re.compile(r"(?m)(?<![^\s;])#[^\n]*")


def read(text: str, dialect: Dialect = PLAIN) -> Iterator[Item]:
    """Yield what a script sets."""
    yield from guards.applied(_read(text), text)


def _read(text: str) -> Iterator[Item]:
    text = _COMMENT.sub("", text).replace("\\\n", " \n")
    for pattern, scope in ((_SETENV, ""), (_ENV, "one command")):
        for match in pattern.finditer(text):
            line = text.count("\n", 0, match.start("name")) + 1
            content = value(_BARE.sub("", match["value"]))
            if content:
                yield Assignment(match["name"], line, content, scope=scope)
