"""Edge: whether a file is what the RECORD of an installed package says.

Paths are relative to the folder around the `.dist-info`.
"""

from __future__ import annotations

import functools
import os

from unhaunt.repository import disk


def is_recorded(top: str, path: str) -> bool:
    """Tell whether `path` (relative to `top`) equals a row of a RECORD in a folder above it."""
    from unhaunt.interpreters.recorded import fits

    folder = path
    while folder:
        folder = folder.rpartition("/")[0]
        row = path[len(folder) + 1 :] if folder else path
        for record in _records(os.path.join(top, folder)):
            if row in record and fits(os.path.join(top, path), record[row]):
                return True
    return False


@functools.lru_cache(maxsize=256)
def _records(folder: str) -> tuple[dict[str, str], ...]:
    """Return, for each package installed in `folder`, its files with their hashes."""
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(".dist-info"))
    except OSError:
        return ()
    return tuple(_rows(os.path.join(folder, name, "RECORD")) for name in names)


def _rows(record: str) -> dict[str, str]:
    from unhaunt.interpreters.recorded import entries

    found = disk.read(record)
    text = found.data.decode("utf-8", "replace") if found else ""
    return {name.replace("\\", "/"): entry for name, entry in entries(text)}
