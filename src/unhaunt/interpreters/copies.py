"""How an installed copy of a package differs from the checkout's own. Reads files."""

from __future__ import annotations

import os
from collections.abc import Iterator

from unhaunt.interpreters.preflight import contents
from unhaunt.resolving.where import Place


def copy_note(name: str, origin: str, place: Place) -> str | None:
    """Say how many files differ; None when `origin` is no copy of something here."""
    top = name.partition(".")[0]
    ours = _in_checkout(top, place) if "-packages" in origin else None
    if ours is None or place.toplevel is None:
        return None
    theirs = _package_of(origin, top)
    files = sorted(_sources(ours))
    differ = [f for f in files if not _same(os.path.join(ours, f), os.path.join(theirs, f))]
    shown = os.path.relpath(ours, place.toplevel)
    return (
        f"site-packages copy, not the checkout; {len(differ)} of {len(files)} files differ"
        f" from ./{shown} (reinstall: python -m pip install {'.' if differ else '-e .'})"
    )


def _in_checkout(top: str, place: Place) -> str | None:
    """Return the folder of a package at an import root, or one folder below the root."""
    if place.toplevel is None:
        return None
    with os.scandir(place.toplevel) as rows:
        near = [r.path for r in rows if r.is_dir(follow_symlinks=False) and r.name[0] != "."]
    for root in (*place.roots, *near):
        if os.path.isfile(os.path.join(root, top, "__init__.py")):
            return os.path.join(root, top)
    return None


def _package_of(origin: str, top: str) -> str:
    while os.path.basename(origin) != top and os.path.dirname(origin) != origin:
        origin = os.path.dirname(origin)
    return origin


def _sources(folder: str) -> Iterator[str]:
    for place, _, files in os.walk(folder):
        for name in files:
            if name.endswith(".py"):
                yield os.path.relpath(os.path.join(place, name), folder)


def _same(one: str, other: str) -> bool:
    try:
        return contents(one) == contents(other)
    except OSError:
        return False
