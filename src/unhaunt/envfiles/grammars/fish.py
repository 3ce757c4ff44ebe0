"""fish: `set -x NAME value …`, `NAME=value command`, `export NAME=value`. Pure: no IO.

Source: fish documentation, "set", "Quotes", "Overriding variables for a single command", "PATH
variables": a name that ends in PATH is a list, whose elements are joined by a colon.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from unhaunt.envfiles.assignment import (
    PLAIN,
    Assignment,
    Command,
    Dialect,
    Effect,
    Item,
    Part,
    Reference,
    Unparsable,
    Value,
    merged,
    variable,
)
from unhaunt.envfiles.grammars import guards

_TOKEN = re.compile(
    r"""
      (?P<blank>(?:[ \t]++|\\\n)+)
    | (?P<end>[\n;&|]++)
    | (?P<single>'(?:[^'\\]++|\\.)*')
    | (?P<double>"(?:[^"\\]++|\\.)*")
    | (?P<open>\$?\()
    | (?P<close>\))
    | \$(?P<name>\w+)(?:\[[^]\n]*\])?
    | \\(?P<escape>.)
    | (?P<tilde>~)
    | (?P<quote>['"])
    | (?P<plain>[^\s;&|'"()$\\~\#]++|.)
    """,
    re.VERBOSE | re.DOTALL,
)
_IN_DOUBLE = re.compile(r"\\([\"$\\\n])|\$(\w+)|\$\(([^()]*)\)|([^\\$]+|.)", re.DOTALL)
_COMMENT = re.compile(r"#[^\n]*")
_LEADING = frozenset(
    {"and", "or", "not", "begin", "if", "else", "while", "command", "builtin", "time"}
)


class Word(NamedTuple):
    """A word and its line."""

    value: Value
    line: int
    quoted: bool = False

    @property
    def text(self) -> str:
        """Return the literal beginning."""
        first = self.value[0] if self.value else ""
        return first if isinstance(first, str) else ""


def read(text: str, dialect: Dialect = PLAIN) -> Iterator[Item]:
    """Yield what a script sets. Raises `Unparsable` for an unclosed quote or bracket."""
    found = (item for command in commands(text) for item in _command(command))
    yield from guards.applied(found, text)


def commands(text: str) -> Iterator[list[Word]]:
    """Yield the commands, those in substitutions first."""
    stack: list[tuple[list[Word], list[Part], int]] = []
    words: list[Word] = []
    parts: list[Part] = []
    at, line, start = 0, 1, 1
    while at < len(text):
        begins = not parts
        if begins and (comment := _COMMENT.match(text, at)):
            at = comment.end()
            continue
        match = _TOKEN.match(text, at)
        assert match is not None
        at, kind = match.end(), match.lastgroup
        start = line if begins else start
        line += match[0].count("\n")
        if kind in ("blank", "end", "close") and parts:
            words.append(Word(merged(parts), start, "" in parts))
            parts = []
        if kind == "quote":
            raise Unparsable("an unclosed quote")
        if kind == "end" and words:
            yield words
            words = []
        elif kind == "open":
            stack.append((words, parts, at))
            words, parts = [], []
        elif kind == "close":
            if words:
                yield words
            if not stack:
                raise Unparsable("a stray bracket")
            words, parts, begin = stack.pop()
            parts.append(Command(text[begin : at - 1]))
        else:
            parts.extend(_parts(match, begins=begins))
    if stack:
        raise Unparsable("an unclosed bracket")
    if parts:
        words.append(Word(merged(parts), start, "" in parts))
    if words:
        yield words


def _parts(match: re.Match[str], *, begins: bool) -> Iterator[Part]:
    kind = match.lastgroup
    if kind == "single":
        # an empty text says that there were quotes, and that `''` is a word
        yield ""
        yield re.sub(r"\\(['\\])", r"\1", match[0][1:-1])
    elif kind == "double":
        yield from _double(match[0][1:-1])
    elif kind == "name":
        yield Reference(match["name"])
    elif kind == "escape":
        yield match["escape"]
    elif kind == "tilde":
        yield Reference("~") if begins else "~"
    elif kind == "plain":
        yield match["plain"]


def _double(text: str) -> Iterator[Part]:
    yield ""
    for escaped, name, command, plain in _IN_DOUBLE.findall(text):
        if name:
            yield Reference(name)
        elif command:
            yield Command(command)
        else:
            yield (escaped if escaped != "\n" else "") or plain


def _command(words: list[Word]) -> Iterator[Item]:
    while words and words[0].text in _LEADING:
        words = words[1:]
    prefix = 0
    while prefix < len(words) and re.match(r"\w+=", words[prefix].text):
        prefix += 1
    for word in words[:prefix]:
        yield from _pair(word, "one command")
    rest = words[prefix:]
    if not rest:
        return
    if rest[0].text == "set":
        yield from _set(rest[1:])
    elif rest[0].text == "export":
        for word in rest[1:]:
            yield from _pair(word, "")
    elif rest[0].text in ("env", "sudo"):
        for word in rest[1:]:
            yield from _pair(word, "one command")


def _pair(word: Word, scope: str) -> Iterator[Item]:
    name, sign, text = word.text.partition("=")
    known = variable(name)
    content = merged((text, *word.value[1:]))
    if known and sign and content:
        yield Assignment(known, word.line, content, scope=scope)


def _set(words: list[Word]) -> Iterator[Item]:
    options = ""
    while words and words[0].text.startswith("-"):
        options += words[0].text.replace("--", " ")
        words = words[1:]
    known = variable(words[0].text) if words else None
    if known is None or len(words) < 2:
        return
    if re.search(r"-\w*[eqnS]|erase|query|names|show", options):
        return
    extends = re.search(r"-\w*[ap]|append|prepend", options)
    effect = Effect.EXTENDS if extends else Effect.SETS
    yield Assignment(known, words[0].line, _joined(words[1:], known), effect)


def _joined(words: list[Word], own: str) -> Value:
    """Join a list by colons. An unset variable has no elements: it leaves no empty one behind."""
    old = Reference(own)
    others = [word for word in words if word.quoted or word.value != (old,)]
    parts: list[Part] = []
    for number, word in enumerate(others):
        parts += [":", *word.value] if number else word.value
    if len(others) == len(words) or not others:
        return merged(parts) or (old,)
    if words[0] is others[0]:
        return merged([*parts, Reference(own, ":+", (":", old))])
    return merged([Reference(own, ":+", (old, ":")), *parts])
