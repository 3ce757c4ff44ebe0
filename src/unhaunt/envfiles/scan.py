"""One env file: bytes in, assignments out, whatever the bytes are. Pure: no IO."""

from __future__ import annotations

import codecs
import importlib
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, cast

from unhaunt.envfiles.assignment import (
    MENTION,
    Assignment,
    Dialect,
    Item,
    Unparsable,
    Unread,
)
from unhaunt.envfiles.names import choose
from unhaunt.envfiles.table import DOTENV, Format

#: above this, a file is scanned by line
LARGEST = 5_000_000
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
Grammar = Callable[[str, Dialect], Iterable[Item]]


class Scan(NamedTuple):
    """What one file sets, and why it could not be read in full (else "")."""

    path: str
    format: Format
    assignments: tuple[Assignment, ...] = ()
    trouble: str = ""


def scan(path: str, data: bytes, *, env_file: bool = False) -> Scan | None:
    """Return what `data` sets; None when `path` is no env file and nobody names it as one."""
    head = decoded(data[:400])
    row = choose(path, head) or (DOTENV if env_file else None)
    if row is None:
        return None
    text = decoded(data)
    if not MENTION.search(text):
        return None
    items, trouble = _items(row, text)
    trouble = trouble or next(_troubles(items), "")
    if trouble and row.guessed and not items:
        return None  # no script at all
    return Scan(path, row, _once(items), trouble)


def decoded(data: bytes) -> str:
    """Return the text of `data`, which need not be UTF-8; line ends are newlines."""
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return _lines(data.decode(encoding, "replace"))
    if data[1:40:2].count(0) > 8 and 0 not in data[:40:2]:
        return _lines(data.decode("utf-16-le", "replace"))
    if data[:40:2].count(0) > 8 and 0 not in data[1:40:2]:
        return _lines(data.decode("utf-16-be", "replace"))
    return _lines(data.decode("utf-8", "surrogateescape"))


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n")


def _items(row: Format, text: str) -> tuple[list[Item], str]:
    try:
        if len(text) > LARGEST:
            raise Unparsable("too large a file")
        return list(_grammar(row.grammar)(text, row.dialect)), ""
    except Unparsable as error:
        trouble = f"{error}: scanned by line"
    except ImportError as error:
        trouble = f"{error.name} is not installed; run `pre-commit clean`"
    return list(_grammar("lines")(text, row.dialect)), trouble


def _grammar(name: str) -> Grammar:
    module = importlib.import_module(f"unhaunt.envfiles.grammars.{name}")
    return cast(Grammar, module.read)


def _once(items: Iterable[Item]) -> tuple[Assignment, ...]:
    """Return the assignments in the order of their lines, without repetitions."""
    found = dict.fromkeys(item for item in items if isinstance(item, Assignment))
    return tuple(sorted(found, key=lambda a: a.line))


def _troubles(items: Iterable[Item]) -> Iterator[str]:
    unread = (item for item in items if isinstance(item, Unread))
    return (f"line {item.line}: {item.reason}: scanned by line" for item in unread)
