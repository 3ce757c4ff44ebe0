"""What Python's `site` would do with the bytes of a startup file, for each version. Pure: no IO.

Sources: Lib/site.py of CPython 3.8 to 3.15 (addpackage, StartupState), PEP 829. Every claim here is
compared with real interpreters by tests/test_startup.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

#: versions that read all startup files by the same rules
GENERATIONS = (frozenset(range(8, 13)), frozenset((13, 14)), frozenset((15,)))
_ENTRY_POINT = r"(?!\d)\w+(\.(?!\d)\w+)*:(?!\d)\w+(\.(?!\d)\w+)*"
_LFS = b"version https://git-lfs.github.com/spec/v1\n"


class Line(NamedTuple):
    """A line of a startup file that does something. Numbers count from 1, by newlines alone."""

    number: int
    text: str
    minors: frozenset[int]  # the minor versions of Python 3 that it does it on


class Pth(NamedTuple):
    """The lines of a `.pth` file that are executed, and those that are added to `sys.path`."""

    executed: tuple[Line, ...]
    paths: tuple[Line, ...]


class Start(NamedTuple):
    """The entry points of a `.start` file, and whether it silences the `.pth` of its name."""

    entry_points: tuple[Line, ...]
    readable: bool


def pth(raw: bytes, name: str = "x.pth") -> Pth:
    """Judge a `.pth` file as every supported Python would.

    Bytes behind the first one that is not UTF-8 are not judged: no Python gets past it, with a
    locale in UTF-8. A name that begins with a dot is passed over since 3.13.
    """
    found: dict[tuple[str, int, str], frozenset[int]] = {}
    for minors in GENERATIONS:
        if name.startswith(".") and minors != GENERATIONS[0]:
            continue
        for number, kind, text in _pth_lines(raw, max(minors)):
            key = (kind, number, text)
            found[key] = found.get(key, frozenset()) | minors
    executed = tuple(Line(n, text, m) for (kind, n, text), m in found.items() if kind == "exec")
    paths = tuple(Line(n, text, m) for (kind, n, text), m in found.items() if kind == "path")
    return Pth(_merged(executed), _merged(paths))


def _merged(lines: tuple[Line, ...]) -> tuple[Line, ...]:
    """Put together what is one line to a reader: 3.15 strips what the others keep."""
    found: dict[tuple[int, str], Line] = {}
    for line in lines:
        key = (line.number, line.text.strip())
        known = found.get(key)
        if known is None:
            found[key] = line
        elif known.minors.isdisjoint(line.minors):
            found[key] = known._replace(minors=known.minors | line.minors)
        else:  # since 3.13 one line of the file can be several, with blanks or without
            found[(line.number, line.text)] = line
    return tuple(sorted(found.values()))


def _pth_lines(raw: bytes, minor: int) -> Iterator[tuple[int, str, str]]:
    """Yield (line number, "exec" or "path", text), by the rules of Python 3.`minor`."""
    for number, text in _lines(_decoded(raw, minor), minor):
        line = text.strip() if minor >= 15 else text
        if line.startswith("#") or not line.strip():
            continue
        kind = "exec" if line.startswith(("import ", "import\t")) else "path"
        yield number, kind, line.rstrip()


def _decoded(raw: bytes, minor: int) -> str:
    """Return the text up to the first byte that is not UTF-8: 3.8-3.12 run what lies before it."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        if minor >= 13:
            return ""
        # The line that holds the bad byte never comes to be run.
        text = raw[: error.start].decode("utf-8")
        text = re.sub(r"[^\r\n]*\Z", "", text)
    return text.removeprefix("\ufeff") if minor >= 13 else text


def _lines(text: str, minor: int) -> Iterator[tuple[int, str]]:
    """Yield (number, line). Since 3.13 `str.splitlines` also splits at form feeds and the like."""
    number = 1
    for physical in re.split("\r\n|\r|\n", text):
        for line in physical.splitlines() if minor >= 13 else [physical]:
            yield number, line
        number += 1


def start(raw: bytes, name: str = "x.start") -> Start:
    """Judge a `.start` file as Python 3.15 would; earlier ones do not know it.

    One that is not UTF-8 is passed over, and then silences nothing.
    """
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return Start((), readable=False)
    if name.startswith("."):
        return Start((), readable=False)
    lines = ((number, line.strip()) for number, line in _lines(text, 15))
    minors = GENERATIONS[2]
    found = tuple(Line(n, line, minors) for n, line in lines if re.fullmatch(_ENTRY_POINT, line))
    return Start(found, readable=True)


def is_lfs_pointer(raw: bytes) -> bool:
    """Tell whether the bytes are a Git LFS pointer: text that stands for a binary file."""
    return len(raw) < 1024 and raw.startswith(_LFS)


def imports_site(raw: bytes) -> bool:
    """Tell whether a `._pth` file switches `site`, and with it the user site, on again."""
    lines = (line.partition(b"#")[0].strip() for line in raw.splitlines())
    return any(line == b"import site" for line in lines)


def path_lines(raw: bytes) -> list[str]:
    """Return the folders that a `._pth` file puts on the path, as they are written."""
    lines = (line.partition("#")[0].strip() for line in raw.decode("utf-8", "replace").splitlines())
    return [line for line in lines if line and not line.startswith("import ")]
