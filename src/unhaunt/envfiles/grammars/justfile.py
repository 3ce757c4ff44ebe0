"""just: exported assignments, and the shell of recipes. Pure: no IO.

Source: the just manual, "Assignments", "export", "Strings", "Recipe parameters". Quotes are quotes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from unhaunt.envfiles.assignment import (
    MENTION,
    NAMES,
    PLAIN,
    Assignment,
    Dialect,
    Item,
    Reference,
    Value,
    merged,
    shifted,
)
from unhaunt.envfiles.grammars import shell
from unhaunt.envfiles.reference import value

_ASSIGNED = re.compile(rf"(export\s+)?({NAMES})\s*:=\s*(.*)")
#: without it a variable is just's own
_ALL_EXPORTED = re.compile(r"^set\s+export\s*(?::=\s*true\s*)?(?:#.*)?$", re.MULTILINE)
_PIECE = re.compile(
    r"""("(?:[^"\\]++|\\.)*"|'[^']*+'|`[^`]*+`)|(env(?:_var)?(?:_or_default)?\(\s*['"](\w+)['"][^()]*\))"""
    r"""|([\w]+\(\))|([A-Za-z_]\w*)"""
)


def read(text: str, dialect: Dialect = PLAIN) -> Iterator[Item]:
    """Yield what assignments and recipes set."""
    body: list[str] = []
    exported = _ALL_EXPORTED.search(text) is not None
    for number, line in enumerate([*text.split("\n"), ""], 1):
        if line[:1] in (" ", "\t"):
            body.append(line)
            continue
        if body:
            yield from _recipe(body, number - len(body))
            body = []
        if match := _ASSIGNED.match(line):
            content = _expression(match[3])
            if content and (exported or match[1]):
                yield Assignment(match[2], number, content)


def _recipe(body: list[str], first: int) -> Iterator[Item]:
    script = "\n".join(line.strip().lstrip("@-") for line in body)
    if MENTION.search(script):
        yield from shifted(shell.snippet(script), first - 1)


def _expression(text: str) -> Value:
    parts: Value = ()
    for quoted, _, read_name, function, name in _PIECE.findall(text):
        if quoted:
            inner = quoted[1:-1]
            parts += value(f"$({inner})") if quoted[0] == "`" else ((inner,) if inner else ())
        elif read_name or name:
            parts += (Reference(read_name or name),)
        else:
            parts += (Reference(f"{{{{{function}}}}}"),)
    return merged(parts)
