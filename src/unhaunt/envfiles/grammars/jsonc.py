"""JSON, with the comments and trailing commas of JSONC. Pure: no IO.

Source: RFC 8259; the JSONC of VS Code and dev containers. The standard parser knows no lines.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from unhaunt.envfiles.assignment import Dialect, Item, Unparsable
from unhaunt.envfiles.grammars.maps import Leaf, Path
from unhaunt.envfiles.grammars.maps import read as read_map

_TOKEN = re.compile(
    r"""
      (?P<skip>[\s,]++|//[^\n]*|/\*(?:[^*]++|\*(?!/))*\*/)
    | (?P<string>"(?:[^"\\]++|\\.)*")
    | (?P<mark>[\[\]{}:])
    | (?P<scalar>[^\s,\[\]{}:"/]++)
    """,
    re.VERBOSE | re.DOTALL,
)


def read(text: str, dialect: Dialect) -> Iterator[Item]:
    """Yield what the maps of the document set. Raises `Unparsable`."""
    return read_map(tuple(leaves(text)), dialect)


def leaves(text: str) -> Iterator[Leaf]:
    """Yield the scalars in order. Raises `Unparsable` for what no JSON reader takes."""
    path: list[str | int | None] = []  # the key or index under way; None: a key must come
    lines = [1]  # of those keys
    line = 1
    for kind, token in _tokens(text):
        if kind == "string" and path and path[-1] is None:
            path[-1], lines[-1] = _string(token), line
        elif kind in ("string", "scalar"):
            yield _leaf(path, kind, token, lines[-1] if _in_object(path) else line)
            _next(path)
        elif token in ("{", "["):
            path.append(None if token == "{" else 0)
            lines.append(line)
        elif token in ("}", "]"):
            _close(path, token)
            lines.pop()
            _next(path)
        line += token.count("\n")
    if path:
        raise Unparsable("JSON that ends too early")


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise Unparsable("not JSON")
        yield match.lastgroup or "", match[0]
        at = match.end()


def _in_object(path: list[str | int | None]) -> bool:
    return bool(path) and isinstance(path[-1], str)


def _leaf(path: list[str | int | None], kind: str, token: str, line: int) -> Leaf:
    if path and path[-1] is None:
        raise Unparsable("not JSON")
    keys: Path = tuple(k for k in path if k is not None)
    if kind == "string":
        return Leaf(keys, _string(token), line)
    return Leaf(keys, None if token == "null" else token, line)


def _next(path: list[str | int | None]) -> None:
    if path:
        last = path[-1]
        path[-1] = last + 1 if isinstance(last, int) else None


def _close(path: list[str | int | None], token: str) -> None:
    if not path or isinstance(path[-1], int) != (token == "]"):
        raise Unparsable("JSON with a bracket too many")
    path.pop()


def _string(token: str) -> str:
    try:
        return str(json.loads(token, strict=False))
    except ValueError:
        raise Unparsable("not JSON") from None
