"""Dockerfiles (and Containerfiles): ENV, ARG, and the shell of RUN, CMD, ENTRYPOINT.

Pure: no IO. Source: the Dockerfile reference, "Format", "ENV", "ARG", "Here-Documents".
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from unhaunt.envfiles.assignment import (
    MENTION,
    PLAIN,
    Assignment,
    Dialect,
    Effect,
    Item,
    shifted,
    variable,
)
from unhaunt.envfiles.grammars import shell
from unhaunt.envfiles.grammars.lines import read as by_line
from unhaunt.envfiles.grammars.shell_writes import into, is_sink
from unhaunt.envfiles.reference import value

_ESCAPE = re.compile(r"\s*#\s*escape\s*=\s*([`\\])", re.IGNORECASE)
_HERE = re.compile(r"<<-?\s*(['\"]?)(\w+)\1")
_WORD = re.compile(r"""(?:\\.|"(?:\\.|[^"\\]++)*"|'[^']*+'|[^\s"'\\]++|["'\\])+""", re.DOTALL)
_PAIR = re.compile(r"""["']?(\w+)["']?=(.*)""", re.DOTALL)
_QUOTES = re.compile(r"""\\(.)|"((?:\\.|[^"\\]++)*)"|'([^']*+)'""", re.DOTALL)
_RUNS = frozenset({"RUN", "CMD", "ENTRYPOINT", "HEALTHCHECK", "SHELL"})


class Instruction(NamedTuple):
    """One instruction: its keyword, its text with continuations kept, and its first line."""

    keyword: str
    text: str
    line: int


def read(text: str, dialect: Dialect = PLAIN) -> Iterator[Item]:
    """Yield what the instructions set."""
    for instruction in instructions(text):
        if MENTION.search(instruction.text):
            yield from _read(instruction)


def instructions(text: str) -> Iterator[Instruction]:
    """Yield the instructions, comment lines between continued ones blanked."""
    lines = text.split("\n")
    directive = _ESCAPE.match(lines[0])
    escape = directive[1] if directive else "\\"
    number = 0
    while number < len(lines):
        first = number
        taken: list[str] = []
        while number < len(lines):
            line, number = lines[number], number + 1
            comment = line.lstrip().startswith("#") or (taken and not line.strip())
            taken.append("\\" if comment else line)
            if not (line.rstrip().endswith(escape) or (comment and len(taken) > 1)):
                break
        keyword, _, rest = _continued(taken, escape).lstrip().partition(" ")
        if keyword.upper() == "ONBUILD":
            keyword, _, rest = rest.lstrip().partition(" ")
        if keyword.upper() in ("RUN", "COPY", "ADD") and "<<" in rest:
            number, rest = _with_bodies(lines, number, rest)
        # blanks for the keyword keep every offset in its line
        yield Instruction(keyword.upper(), rest, first + 1)


def _continued(lines: list[str], escape: str) -> str:
    return "\n".join(
        line.rstrip()[:-1] + "\\" if line.rstrip().endswith(escape) else line for line in lines
    )


def _with_bodies(lines: list[str], number: int, rest: str) -> tuple[int, str]:
    for here in _HERE.finditer(rest):
        while number < len(lines):
            line, number = lines[number], number + 1
            rest += "\n" + line
            if line.lstrip("\t") == here[2]:
                break
    return number, rest


def _read(instruction: Instruction) -> Iterator[Item]:
    keyword, text, line = instruction
    if keyword == "ENV":
        yield from _env(text, line, "")
    elif keyword == "ARG":
        yield from _env(text, line, "the build of the image")
    elif keyword in _RUNS:
        yield from _run(instruction)
    elif keyword in ("COPY", "ADD") and "<<" in text:
        yield from _copied(text, line)


def _copied(text: str, line: int) -> Iterator[Item]:
    """Yield what a here-document that becomes a file sets."""
    target = text.partition("\n")[0].split()[-1]
    if not is_sink(target):
        for item in shifted(by_line(text), line - 1):
            yield into(item, target)


def _env(text: str, line: int, scope: str) -> Iterator[Item]:
    text = text.replace("\\\n", " \n")
    words = list(_WORD.finditer(text))
    if words and "=" not in words[0][0]:
        name = variable(words[0][0])
        content = text[words[0].end() :].strip()
        if name and content:
            start = line + text.count("\n", 0, words[0].start())
            yield Assignment(name, start, value(_unquoted(content)), scope=scope)
        return
    ends = [m.end() for m in re.finditer("\n", text)]
    for word in words:
        pair = _PAIR.fullmatch(word[0])
        name = variable(pair[1]) if pair else None
        if pair and name:
            start = line + bisect_right(ends, word.start())
            yield Assignment(name, start, value(_unquoted(pair[2])), scope=scope)


def _unquoted(text: str) -> str:
    return _QUOTES.sub(lambda m: next(g for g in (m[1], m[2], m[3]) if g is not None), text)


def _run(instruction: Instruction) -> Iterator[Item]:
    keyword, text, line = instruction
    argv = _exec_form(text)
    if argv is not None:
        for word in argv:
            for item in shifted(_same_line(shell.snippet(word)), line - 1):
                yield _in_step(item, keyword, last=False)
        return
    if here := re.match(r"\s*<<-?\s*(['\"]?)\w+\1[ \t]*\n", text):
        text = "\n" + text[here.end() :]
    text = re.sub(r"^(?:\s*--\w[\w-]*(?:=\S*)?)+", "", text)
    if keyword == "HEALTHCHECK":
        text = text.partition("CMD")[2]
    for item in shifted(shell.snippet(text), line - 1):
        yield _in_step(item, keyword, last=_is_last(text, item.line - line + 1))


def _same_line(items: Iterator[Item]) -> Iterator[Item]:
    return (item._replace(line=1) for item in items)


def _exec_form(text: str) -> list[str] | None:
    if not text.lstrip().startswith("["):
        return None
    try:
        argv = json.loads(text.replace("\\\n", ""))
    except ValueError:
        return None
    return [str(word) for word in argv] if isinstance(argv, list) else None


def _is_last(text: str, line: int) -> bool:
    """Tell whether nothing of this step comes behind the assignment's own command."""
    rest = "\n".join(text.split("\n")[line - 1 :])
    behind = MENTION.split(rest, maxsplit=1)[-1]
    return re.search(r"[;&|]|(?<!\\)\n\s*\S", behind) is None


def _in_step(item: Item, keyword: str, *, last: bool) -> Item:
    if not isinstance(item, Assignment) or item.scope or item.remark:
        return item
    if keyword == "RUN" and last:
        remark = f"{item.variable} is gone when this RUN ends"
        return item._replace(effect=Effect.NOTHING, remark=remark)
    return item._replace(scope="one build step" if keyword == "RUN" else "the container")
