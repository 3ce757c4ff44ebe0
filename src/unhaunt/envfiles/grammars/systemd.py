"""systemd units: `Environment=`, `PassEnvironment=`, `UnsetEnvironment=`, `Exec…=`. Pure: no IO.

Sources: systemd.syntax(7), "Quoting" (quotes inside a word and C escapes count; a line that ends
in a backslash is joined by a blank, comments in between are left out); systemd.exec(5),
"Environment=" (an empty one forgets those above; the words before a broken one stay);
systemd.unit(5), "Specifiers".
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from unhaunt.envfiles.assignment import (
    MENTION,
    PLAIN,
    Assignment,
    Dialect,
    Item,
    Part,
    Reference,
    Value,
    merged,
    shifted,
    variable,
)
from unhaunt.envfiles.grammars import shell
from unhaunt.envfiles.grammars.maps import passed
from unhaunt.envfiles.reference import value

_BLANK = re.compile(r"\s*+")
_PIECE = re.compile(
    r"""(?P<plain>[^\s"'\\]++)|(?P<quote>["'])|\\(?:(?P<simple>[abfnrtv\\"'s])"""
    r"""|x(?P<hex>[0-9a-fA-F]{2})|u(?P<short>[0-9a-fA-F]{4})|U(?P<long>[0-9a-fA-F]{8})"""
    r"""|(?P<octal>[0-7]{3}))"""
)
_QUOTED = {'"': re.compile(r'[^"\\]++'), "'": re.compile(r"[^'\\]++")}
_SIMPLE = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "s": " "}
_SPECIFIERS: dict[str, Part] = {"%": "%", "h": Reference("HOME")}
_SPECIFIER = re.compile(r"%(.)")


class Setting(NamedTuple):
    """One `Key=value`; `starts` has the offset and the number of each line of the value."""

    key: str
    text: str
    starts: tuple[tuple[int, int], ...]

    def line(self, offset: int) -> int:
        """Return the line of an offset of the value; lines count from 1."""
        return self.starts[bisect_right(self.starts, (offset, 1 << 60)) - 1][1]


def read(text: str, dialect: Dialect = PLAIN) -> Iterator[Item]:
    """Yield what a unit sets."""
    taken: list[Item] = []
    for setting in settings(text):
        if setting.key == "Environment":
            taken = [*taken, *_environment(setting)] if setting.text else []
        elif setting.key == "UnsetEnvironment":
            taken = [i for i in taken if not _is_unset(i, setting.text.split())]
        elif setting.key == "PassEnvironment":
            yield from passed(setting.text, setting.starts[0][1])
        elif setting.key.startswith("Exec") and MENTION.search(setting.text):
            yield from _command(setting)
    yield from taken


def settings(text: str) -> Iterator[Setting]:
    """Yield the settings of all sections in order."""
    joined, starts = "", list[tuple[int, int]]()
    for number, line in enumerate(text.split("\n"), 1):
        bare = line.strip()
        if bare.startswith(("#", ";")):
            continue
        starts.append((len(joined), number))
        goes_on = (len(line) - len(line.rstrip("\\"))) % 2 == 1
        joined += line[:-1] + " " if goes_on else line
        if not goes_on:
            yield from _setting(joined, starts)
            joined, starts = "", []
    yield from _setting(joined, starts)


def _setting(joined: str, starts: list[tuple[int, int]]) -> Iterator[Setting]:
    key, sign, content = joined.partition("=")
    if sign and starts:
        width = len(joined) - len(content.lstrip())
        moved = tuple((max(at - width, 0), number) for at, number in starts)
        yield Setting(key.strip(), content.strip(), moved)


def _is_unset(item: Item, names: list[str]) -> bool:
    return isinstance(item, Assignment) and item.variable in names


def _environment(setting: Setting) -> Iterator[Item]:
    for offset, word in words(setting.text):
        name, sign, content = word.partition("=")
        known = variable(name)
        if known and sign and content:
            yield Assignment(known, setting.line(offset), _expanded(content))


def words(text: str) -> Iterator[tuple[int, str]]:
    """Yield (offset, word), unquoted and unescaped, up to the first that is broken."""
    at = _end(_BLANK, text, 0)
    while at < len(text):
        start, word, quote = at, "", ""
        while at < len(text) and (quote or not text[at].isspace()):
            plain = _QUOTED[quote].match(text, at) if quote else None
            match = plain or _PIECE.match(text, at)
            if match is None:
                return
            at = match.end()
            if plain or match["plain"]:
                word += match[0]
            elif match["quote"]:
                quote = "" if quote else match["quote"]
            else:
                word += _escaped(match)
        if quote:
            return
        yield start, word
        at = _end(_BLANK, text, at)


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    match = pattern.match(text, at)
    return match.end() if match else at


def _escaped(match: re.Match[str]) -> str:
    if simple := match["simple"]:
        return _SIMPLE.get(simple, simple)
    digits = match["hex"] or match["short"] or match["long"]
    code = int(digits, 16) if digits else int(match["octal"], 8)
    return chr(code) if code <= 0x10FFFF else ""


def _expanded(text: str) -> Value:
    """Return the value with its specifiers; `%h` is the home folder of the manager's user."""
    parts: list[Value] = []
    end = 0
    for match in _SPECIFIER.finditer(text):
        parts.append(value(text[end : match.start()]))
        parts.append((_SPECIFIERS.get(match[1], Reference(match[0])),))
        end = match.end()
    return merged(part for found in (*parts, value(text[end:])) for part in found)


def _command(setting: Setting) -> Iterator[Item]:
    yield from shifted(shell.snippet(setting.text.lstrip("@-:+!")), setting.starts[0][1] - 1)
