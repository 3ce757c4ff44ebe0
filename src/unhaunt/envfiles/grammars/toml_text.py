"""TOML with line numbers. Pure: no IO.

Source: TOML 1.0. `tomllib` says whether the text is TOML; it knows no lines, so the leaves are
read here, by a reader that may trust that brackets and quotes match.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from unhaunt.envfiles.assignment import Dialect, Item, Unparsable, shifted
from unhaunt.envfiles.grammars.maps import Leaf, Path
from unhaunt.envfiles.grammars.maps import read as read_map

_TOKEN = re.compile(
    r'''
      (?P<skip>[ \t\r]++|\#[^\n]*)
    | (?P<newline>\n)
    | (?P<long>"""(?:[^"\\]++|\\.|"{1,2}(?!"))*"{3,5}|\'\'\'(?:[^']++|'{1,2}(?!'))*'{3,5})
    | (?P<string>"(?:[^"\\\n]++|\\.)*"|'[^'\n]*+')
    | (?P<mark>\[\[|\]\]|[\[\]{}=.,])
    | (?P<bare>[A-Za-z0-9_:+\-]++|.)
    ''',
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\(u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|\n\s*|.)", re.DOTALL)
_CONTROL = {"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r", "e": "\x1b"}

Token = tuple[str, str, int]


def read(text: str, dialect: Dialect) -> Iterator[Item]:
    """Yield what the tables of the document set. Raises `Unparsable`."""
    import tomllib

    try:
        tomllib.loads(text)
    except (ValueError, RecursionError):
        raise Unparsable("not TOML") from None
    yield from _read(text, dialect)


def _read(text: str, dialect: Dialect) -> Iterator[Item]:
    try:
        found = tuple(leaves(text))
    except RecursionError:
        raise Unparsable("nested too deeply") from None
    yield from read_map(found, dialect)
    for leaf in found:
        if leaf.path == ("tool", "tox", "legacy_tox_ini"):
            from unhaunt.envfiles.grammars import ini

            yield from shifted(ini.read(leaf.text or "", dialect), leaf.text_line - 1)


def leaves(text: str) -> Iterator[Leaf]:
    """Yield the scalars of a valid document, in order."""
    tokens = _Tokens(text)
    table: Path = ()
    while (token := tokens.peek()) is not None:
        kind, value, _ = token
        if kind == "newline":
            tokens.take()
        elif value in ("[", "[["):
            tokens.take()
            table = _key(tokens)
            tokens.take()
        else:
            yield from _pair(tokens, table)


class _Tokens:
    def __init__(self, text: str) -> None:
        self._tokens = self._all(text)
        self._next = next(self._tokens, None)

    def _all(self, text: str) -> Iterator[Token]:
        line = 1
        for match in _TOKEN.finditer(text):
            if match.lastgroup != "skip":
                yield match.lastgroup or "", match[0], line
            line += match[0].count("\n")

    def peek(self) -> Token | None:
        return self._next

    def take(self) -> Token:
        token = self._next
        if token is None:
            raise Unparsable("TOML that ends too early")
        self._next = next(self._tokens, None)
        return token

    def skip_lines(self) -> None:
        while self._next is not None and (self._next[0] == "newline" or self._next[1] == ","):
            self.take()


def _key(tokens: _Tokens) -> Path:
    """Read a dotted key, up to `=` or `]`, which stays."""
    keys: list[str] = []
    while (token := tokens.peek()) is not None and token[1] not in ("=", "]", "]]"):
        kind, value, _ = tokens.take()
        if value != "." or kind == "string":
            keys.append(_text(kind, value))
    return tuple(keys)


def _pair(tokens: _Tokens, table: Path) -> Iterator[Leaf]:
    start = tokens.peek()
    path = table + _key(tokens)
    tokens.take()
    yield from _value(tokens, path, start[2] if start else 0)


def _value(tokens: _Tokens, path: Path, line: int) -> Iterator[Leaf]:
    kind, value, at = tokens.take()
    if value == "[[":
        yield from _array(tokens, path, opened=2)
    elif value == "[":
        yield from _array(tokens, path, opened=1)
    elif value == "{":
        yield from _inline(tokens, path)
    else:
        text = _text(kind, value)
        while (
            (token := tokens.peek())
            and token[0] in ("bare", "mark")
            and token[1] not in ("]", "]]", ",", "}")
        ):
            text += tokens.take()[1]
        yield _leaf(path, kind, value, text, line, at)


def _leaf(path: Path, kind: str, token: str, text: str, line: int, at: int) -> Leaf:
    if kind != "long":
        return Leaf(path, text, line)
    return Leaf(path, text, line, spread=True, text_line=at + (token[3:4] == "\n"))


def _array(tokens: _Tokens, path: Path, opened: int) -> Iterator[Leaf]:
    """Read an array; `[[` here opens two of them."""
    depth = opened
    counts = [0] * depth
    while True:
        tokens.skip_lines()
        token = tokens.peek()
        if token is None:
            raise Unparsable("TOML that ends too early")
        if token[1] in ("]", "]]") and token[0] == "mark":
            tokens.take()
            for _ in token[1]:
                depth -= 1
                counts.pop()
                if depth == 0:
                    # `]]` may close this array and the one around it
                    return
                counts[-1] += 1
            continue
        if token[1] in ("[", "[[") and token[0] == "mark":
            tokens.take()
            depth += len(token[1])
            counts += [0] * len(token[1])
            continue
        yield from _value(tokens, (*path, *counts), token[2])
        counts[-1] += 1


def _inline(tokens: _Tokens, path: Path) -> Iterator[Leaf]:
    while True:
        tokens.skip_lines()
        token = tokens.peek()
        if token is None:
            raise Unparsable("TOML that ends too early")
        if token[1] == "}":
            tokens.take()
            return
        yield from _pair(tokens, path)


def _text(kind: str, token: str) -> str:
    if kind == "long":
        body = token[3:-3].removeprefix("\n")
        return _unescaped(body) if token[0] == '"' else body
    if kind == "string":
        return _unescaped(token[1:-1]) if token[0] == '"' else token[1:-1]
    return token


def _unescaped(text: str) -> str:
    def char(match: re.Match[str]) -> str:
        code = match[1]
        if code[0] in "uU" and len(code) > 1:
            return chr(int(code[1:], 16))
        return "" if code[0] == "\n" else _CONTROL.get(code, code)

    return _ESCAPE.sub(char, text)
