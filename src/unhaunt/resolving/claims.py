"""Edge: which installed distribution claims an imported file, read from the folder it lies in.

RECORD: packaging.python.org/specifications/recording-installed-packages. What has none (installed
by a system's packager, by `setup.py`, or as an egg) claims the top-level names it gives.
"""

from __future__ import annotations

import contextlib
import functools
import os
import re

from unhaunt.interpreters.preflight import contents


def is_claimed(name: str, file: str) -> bool:
    """Tell whether a distribution beside the file of a module, or of what it links to, has it."""
    return any(_is_claimed(name, path) for path in dict.fromkeys((file, os.path.realpath(file))))


def _is_claimed(name: str, file: str) -> bool:
    up = name.count(".") + 1 + os.path.basename(file).startswith("__init__.")
    folder = file
    for _ in range(up):
        folder = os.path.dirname(folder)
    path = os.path.relpath(file, folder).replace(os.sep, "/")
    if path in _listed(folder):
        return True
    if os.path.isdir(file) and any(one.startswith(f"{path}/") for one in _listed(folder)):
        return True  # a namespace package
    return name.partition(".")[0] in _named(folder)


def _infos(folder: str) -> list[str]:
    try:
        return [n for n in os.listdir(folder) if n.endswith((".dist-info", ".egg-info"))]
    except OSError:
        return []


@functools.cache
def _listed(folder: str) -> frozenset[str]:
    """Return what the RECORDs of a folder list, as they write it."""
    texts = (_text(folder, info, "RECORD") for info in _infos(folder))
    return frozenset(line.partition(",")[0] for text in texts for line in text.splitlines())


@functools.cache
def _named(folder: str) -> frozenset[str]:
    """Return the top-level names of the distributions of a folder that have no RECORD."""
    found = set(_text(folder, "EGG-INFO", "top_level.txt").split())
    for info in _infos(folder):
        if not os.path.lexists(os.path.join(folder, info, "RECORD")):
            names = _text(folder, info, "top_level.txt").split()
            found.update(names or [re.sub(r"\W", "_", info.partition("-")[0])])
    return frozenset(found)


def _text(*parts: str) -> str:
    with contextlib.suppress(OSError):
        return contents(os.path.join(*parts)).decode("utf-8", "replace")
    return ""
