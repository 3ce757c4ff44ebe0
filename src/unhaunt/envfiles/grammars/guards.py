"""Branches that a script takes only when the variable is set: no empty element is left there.

Pure: no IO. Lines are followed, not commands: `if`, `else` and what ends them stand at the
beginning of a line or behind a semicolon, as people write them. Sources: test(1), csh(1)
(`$?name`), fish (`set -q`), about_If, `help if`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from unhaunt.envfiles.assignment import NAMES, Assignment, Effect, Item
from unhaunt.envfiles.value import inherits

#: a test for the variable; each group that matches turns its meaning round
_TESTS = re.compile(
    rf"""(?P<not>!\s*|\bnot\s+|-not\s+)?(?:
        (?P<unset>-z\s+"?\$\{{?|(?<!::)IsNullOr(?:Empty|WhiteSpace)\(\s*\$env:)
      | -n\s+"?\$\{{?|-v\s+|\$\?\{{?|set\s+-q\w*\s+|defined\s+|\[\[?\s+"?\$\{{?|"%
      | \[string\]::(?P<empty>IsNullOr(?:Empty|WhiteSpace)\(\s*\$env:)|Test-Path\s+["']?env:[\\/]?
      | \(\s*(?P<minus>-not\s+|!\s*)?\$env:
    )(?:{NAMES})\b[^\s"\]()]*"?(?P<compared>\s*==?\s*(?:0|""|''|"?\s)|\s*-eq\s+(?:''|""|\$null))?""",
    re.VERBOSE | re.IGNORECASE,
)
_TURNS = ("not", "unset", "empty", "minus", "compared")
_AND = re.compile(r"&&|\s-a\s|;\s*and\b|-and\b")
_OR = re.compile(r"\|\||\s-o\s|;\s*or\b|-or\b")
_PIECE = re.compile(r";(?!;)|\bthen\b|\bdo\b")
_OPENS = re.compile(r"(?:if|for|while|until|foreach|switch|case|begin|select)\b")
_ELSE = re.compile(r"(?:else|elif|elseif)\b")
_CLOSES = re.compile(r"(?:fi|done|esac|end|endif|endsw)\b")


class _Branch(NamedTuple):
    """Whether the variable is known to be set here, behind `else`, and by a branch around."""

    here: bool = False
    after: bool = False
    around: bool = False

    @property
    def inside(self) -> bool:
        """Tell whether the variable is set in this place."""
        return self.here or self.around


def applied(items: Iterable[Item], text: str, brackets: str = "") -> Iterator[Item]:
    """Yield `items` of `text`; those in a branch where the variable is set extend it.

    `brackets`: the two that hold branches, where words do not.
    """
    if _TESTS.search(text) is None:
        yield from items
        return
    known = frozenset(_bracketed(text, *brackets) if brackets else _worded(text))
    for item in items:
        if isinstance(item, Assignment) and item.line in known and _adds(item):
            item = item._replace(effect=Effect.EXTENDS)
        yield item


def _adds(item: Assignment) -> bool:
    return item.effect is Effect.SETS and inherits(item.value, item.variable)


def _branch(condition: str) -> _Branch:
    match = _TESTS.search(condition)
    if match is None:
        return _Branch()
    if sum(match[group] is not None for group in _TURNS) % 2:
        return _Branch(after=_AND.search(condition) is None)
    return _Branch(here=_OR.search(condition) is None)


def _else(branch: _Branch, condition: str) -> _Branch:
    own = _branch(condition)
    return _Branch(branch.after or own.here, branch.after or own.after, branch.around)


def _worded(text: str) -> Iterator[int]:
    """Yield the lines of the branches between `if`, `else` and what ends them."""
    stack: list[_Branch] = []
    for number, line in enumerate(text.split("\n"), 1):
        for piece in map(str.strip, _PIECE.split(line)):
            if _CLOSES.match(piece) and stack:
                stack.pop()
            elif _ELSE.match(piece) and stack:
                stack[-1] = _else(stack[-1], piece)
            elif _OPENS.match(piece) and not _is_one_command(line):
                _enter(stack, _branch(piece if piece.startswith("if") else ""))
            if (stack and stack[-1].inside) or _is_chained(piece):
                yield number


def _enter(stack: list[_Branch], branch: _Branch) -> None:
    stack.append(branch._replace(around=bool(stack) and stack[-1].inside))


def _is_one_command(line: str) -> bool:
    """Tell whether this is csh's `if (test) command`, which nothing ends."""
    return re.match(r"\s*if\s*\(.*\)\s*\w", line) is not None and "then" not in line


def _is_chained(piece: str) -> bool:
    before, sign, _ = piece.partition("&&")
    return bool(sign) and _branch(before).here


def _bracketed(text: str, opening: str, closing: str) -> Iterator[int]:
    """Yield the lines of the branches between brackets."""
    stack: list[_Branch] = []
    last = _Branch()
    for number, line in enumerate(text.split("\n"), 1):
        piece = line.strip()
        if piece.startswith(closing) and stack:
            last = stack.pop()
            piece = piece[1:].strip()
        if piece.lower().startswith("else") and piece.endswith(opening):
            _enter(stack, _else(last, piece))
        elif piece.endswith(opening) and _TESTS.search(piece):
            _enter(stack, _branch(piece))
        else:
            net = piece.count(opening) - piece.count(closing)
            for _ in range(net):
                _enter(stack, _Branch())
            del stack[max(len(stack) + min(net, 0), 0) :]
        if stack and stack[-1].inside:
            yield number
