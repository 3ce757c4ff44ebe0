"""Edge: whether a file is what the RECORD of an installed package says.

Source: the "Recording installed projects" specification (PEP 376, PEP 627): csv, paths relative to
the folder around the `.dist-info`, hashes as `sha256=` and unpadded urlsafe base64.
"""

from __future__ import annotations

import functools
import os

from unhaunt.repository import disk


def is_recorded(top: str, path: str) -> bool:
    """Tell whether `path` (relative to `top`) equals a row of a RECORD in a folder above it."""
    folder = path
    while folder:
        folder = folder.rpartition("/")[0]
        row = path[len(folder) + 1 :] if folder else path
        for record in _records(os.path.join(top, folder)):
            if row in record and record[row] == _hash(os.path.join(top, path)):
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


def _hash(path: str) -> str:
    import base64
    import hashlib

    found = disk.read(path)
    digest = hashlib.sha256(found.data if found else b"").digest()
    return "sha256=" + base64.urlsafe_b64encode(digest).decode().rstrip("=")


def _rows(record: str) -> dict[str, str]:
    import csv

    found = disk.read(record)
    text = found.data.decode("utf-8", "replace") if found else ""
    rows = csv.reader(text.splitlines())
    return {row[0].replace("\\", "/"): row[1] for row in rows if len(row) > 1}
