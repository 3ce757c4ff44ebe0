"""Batch files: `set`, `setx`, and `echo … > file`. Pure: no IO.

Source: `help set`, `help setx`, and what cmd.exe does with `^`, `rem`, `::`, `"name=value"`. The
name ends at the equals sign, so `set PYTHONPATH =x` sets another variable.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from unhaunt.envfiles.assignment import (
    NAMES,
    PLAIN,
    Assignment,
    Dialect,
    Effect,
    Item,
    Reference,
    variable,
)
from unhaunt.envfiles.grammars import guards, lines
from unhaunt.envfiles.grammars.shell_writes import is_sink
from unhaunt.envfiles.reference import value

_COMMENT = re.compile(r"\s*+(?:@\s*+)?(?:rem(?:\s|$)|::)", re.I)
_SET = re.compile(
    r"""(?:^|[&|(@)\s]|/[ck]\s"\s*)set\s+(?:(?P<quote>")\s*)?"""
    rf"""(?P<name>{NAMES})=(?P<value>[^\n]*)""",
    re.I,
)
_SETX = re.compile(
    rf"""(?:^|[&|(@)\s])setx\s+(?:/m\s+)?(?P<name>{NAMES})\s+(?P<value>"[^"\n]*"|[^\s&|]+)""",
    re.I,
)
_ECHO = re.compile(
    r"""(?:^|[&|(@])\s*echo[\s.:(](?P<text>[^\n]*?)\s*>>?\s*(?P<file>"[^"]+"|\S+)""", re.I
)
_PRINTED = re.compile(r"(^|[&|(@\s])echo[\s.:(][^&|\n]*", re.I)
#: up to the quote that ends the command; cmd drops what stands behind it
_CLOSED = re.compile(r'((?:[^"]++|"(?!\s*(?:[&|)]|$)))*)"(?=\s*(?:[&|)]|$))')
_DEFINED = re.compile(rf"\bif\s+defined\s+(?:{NAMES})\b[^&|]*$", re.I)
_ENDS = re.compile(r"[&|]|\)\s*$")


def read(text: str, dialect: Dialect = PLAIN) -> Iterator[Item]:
    """Yield what a batch file sets."""
    yield from guards.applied(_of_lines(text), text, "()")


def _of_lines(text: str) -> Iterator[Item]:
    number = 1
    for line in re.sub(r"\^\n", "\0", text).split("\n"):
        logical = line.replace("\0", " ")
        if not _COMMENT.match(logical):
            yield from _read(logical, number)
        number += 1 + line.count("\0")


def _read(line: str, number: int) -> Iterator[Item]:
    echo = _ECHO.search(line)
    if echo:
        target = echo["file"].strip('"')
        for item in lines.read(echo["text"]):
            remark = f"writes {item.variable} into {target}" if isinstance(item, Assignment) else ""
            if isinstance(item, Assignment) and target.lower() != "nul" and not is_sink(target):
                yield item._replace(line=number, remark=remark, scope=f"what reads {target}")
        return
    line = _PRINTED.sub(r"\1", line)
    for match in _SET.finditer(line):
        extends = _DEFINED.search(line[: match.start("name")]) is not None
        content = _content(match["value"], match["quote"])
        for item in _assigned(match["name"], content, number, ""):
            inherits = extends and f"%{item.variable}%" in content.upper()
            yield item._replace(effect=Effect.EXTENDS) if inherits else item
    for match in _SETX.finditer(line):
        scope = "every later process of the user: setx is persistent"
        yield from _assigned(match["name"], match["value"].strip().strip('"'), number, scope)


def _content(text: str, quote: str | None) -> str:
    if quote:
        closed = _CLOSED.match(text)
        return closed[1] if closed else text.rpartition('"')[0] or text
    at = 0
    quoted = False
    for at, char in enumerate(text):
        quoted ^= char == '"'
        if not quoted and _ENDS.match(text, at):
            return text[:at].rstrip()
    return text.rstrip() if text[at:] else text


def _assigned(name: str, text: str, line: int, scope: str) -> Iterator[Assignment]:
    known = variable(name, fold=True)
    if known is None or not text.strip():
        return
    remark = ""
    if text.startswith('"') and text.endswith('"') and len(text) > 2 and not scope:
        remark = "cmd keeps the quotes as a part of the value"
        text = text[1:-1]
    parts = tuple(
        p._replace(name=variable(p.name, fold=True) or p.name) if isinstance(p, Reference) else p
        for p in value(text, separator=";")
    )
    yield Assignment(known, line, parts, scope=scope, remark=remark, form="batch")
