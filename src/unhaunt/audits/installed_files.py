"""Edge: every installed file against its RECORD, and the modules that nobody owns.

Some ten thousand files a second and more: one open, one read, one hash a file, no more objects.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from unhaunt.audits.audit import Differing, Verdict
from unhaunt.audits.owners import Owners, is_odd
from unhaunt.interpreters.installed import DPKG
from unhaunt.interpreters.preflight import head_of
from unhaunt.interpreters.recorded import HASHES, digest, entries, is_same
from unhaunt.rule import Severity

Facts = Mapping[str, Any]

PIECE = 1 << 16  # more than almost every module; a larger buffer costs more than the read
_LOADED = (".py", ".so", ".pyd", ".pth", ".start", ".pyc")


def differing(owners: Owners, facts: Facts) -> Iterator[Differing]:
    """Yield what was modified after it was installed, and what nobody installed."""
    rows = facts["distributions"] or ()
    owned: set[str] = set()
    for row in rows:
        yield from _of_distribution(owners, row, owned)
    for folder in (facts["startup"] or {}).get("site_dirs", ()):
        yield from _unowned(folder, owners, owned, facts)


def _of_distribution(owners: Owners, row: Facts, owned: set[str]) -> Iterator[Differing]:
    name = f"{row['name']} {row['version'] or ''}".strip()
    base = row["location"] + os.sep
    for relative, entry in entries(owners.listing(row)):
        # Almost every row is plain, and normpath costs as much as reading the file.
        plain = row["info"].endswith(".dist-info") and not is_odd(relative)
        path = base + relative if plain else owners.place(row, relative)
        owned.add(path)
        if entry and "=" in entry and not _is_metadata(relative):
            reason = _difference(path, *entry.split("=", 1))
            # A distributor changes files after the RECORD was made, and has lists of its own.
            if reason and owners.of(path).verdict is not Verdict.UNMODIFIED:
                yield Differing(path, f"{reason} RECORD of {name} says", _severity(path, reason))


def _is_metadata(relative: str) -> bool:
    # Installers and distributors change these; entry points decide what pytest loads.
    return ".dist-info/" in relative and not relative.endswith("/entry_points.txt")


def _difference(path: str, kind: str, value: str) -> str | None:
    if kind not in HASHES:
        return None
    found = _digest(path) if kind == "sha256" else digest(path, kind)
    if found is None:
        return "is gone or no regular file, which is not what the"
    return None if is_same(found, value) else "differs from what the"


def _severity(path: str, reason: str) -> Severity:
    # pip compiles what a wheel has compiled already: UH411 looks at bytecode that matters.
    if "/__pycache__/" in path:
        return Severity.INFO
    is_code = path.endswith((*_LOADED, "/entry_points.txt"))
    if reason.startswith("differs"):
        return Severity.ERROR if is_code else Severity.WARNING
    # Scripts and data that are gone run nothing; distributors leave them out.
    return Severity.WARNING if is_code else Severity.INFO


def _digest(path: str) -> bytes | None:
    try:
        fd = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except (OSError, ValueError):
        return None
    try:
        data = os.read(fd, PIECE)
        if len(data) < PIECE and (data or stat.S_ISREG(os.fstat(fd).st_mode)):
            return hashlib.sha256(data).digest()
    except OSError:
        return None
    finally:
        os.close(fd)
    return digest(path, "sha256")


def _unowned(folder: str, owners: Owners, owned: set[str], facts: Facts) -> Iterator[Differing]:
    known = owned | _of_system(folder, facts["interpreter"]["prefix"])
    suffixes = tuple(facts["interpreter"]["suffixes"])
    for entry in sorted(_scanned(folder), key=lambda entry: entry.name):
        files = [p for p in _modules(entry, suffixes) if p not in known]
        left = [p for p in files if owners.of(p).verdict is Verdict.UNOWNED]
        if len(left) > 1 and not any(path.startswith(entry.path + os.sep) for path in known):
            yield Differing(entry.path, f"{len(left)} modules that no installed package owns", _W)
        else:
            yield from (Differing(p, "a module that no installed package owns", _W) for p in left)


_W = Severity.WARNING


def _modules(entry: os.DirEntry[str], suffixes: Sequence[str]) -> Iterator[str]:
    if entry.is_dir(follow_symlinks=False):
        if entry.name != "__pycache__" and not entry.name.endswith((".dist-info", ".egg-info")):
            for inner in sorted(_scanned(entry.path), key=lambda inner: inner.name):
                yield from _modules(inner, suffixes)
    elif entry.name.endswith(tuple(suffixes)):
        yield entry.path


def _scanned(folder: str) -> list[os.DirEntry[str]]:
    try:
        return list(os.scandir(folder))
    except OSError:
        return []


def _of_system(folder: str, prefix: str) -> set[str]:
    """Return every file that dpkg lists, for its own folders, or conda."""
    found: set[str] = set()
    if folder.startswith("/usr/lib/") and os.path.isdir(DPKG):
        for name in os.listdir(DPKG):
            if name.endswith(".list"):
                text = head_of(os.path.join(DPKG, name), whole=True)
                found.update(os.fsdecode(text).splitlines())
    return found | _of_conda(prefix)


def _of_conda(prefix: str) -> set[str]:
    import json

    found: set[str] = set()
    folder = os.path.join(prefix, "conda-meta")
    for entry in _scanned(folder) if os.path.isdir(folder) else ():
        if entry.name.endswith(".json"):
            try:
                with open(entry.path, "rb") as file:
                    files = json.load(file).get("files", ())
                found.update(os.path.join(prefix, name) for name in files)
            except (OSError, ValueError, AttributeError, TypeError):
                continue
    return found
