"""Edge: whether a file is what the RECORD of an installed package says.

Source: the "Recording installed projects" specification (PEP 376, PEP 627): csv, paths relative to
the folder around the `.dist-info`, hashes as `sha256=` and unpadded urlsafe base64.
"""

from __future__ import annotations

import os

from unhaunt import disk


def is_recorded(top: str, path: str) -> bool:
    """Tell whether `path` (relative to `top`) equals a row of a RECORD in a folder above it."""
    folder = path
    while folder:
        folder = folder.rpartition("/")[0]
        full = os.path.join(top, folder)
        try:
            names = [name for name in os.listdir(full) if name.endswith(".dist-info")]
        except OSError:
            return False
        for name in names:
            row = path[len(folder) + 1 :] if folder else path
            if _row_hash(os.path.join(full, name, "RECORD"), row) == _hash(os.path.join(top, path)):
                return True
    return False


def _hash(path: str) -> str:
    import base64
    import hashlib

    found = disk.read(path)
    digest = hashlib.sha256(found.data if found else b"").digest()
    return "sha256=" + base64.urlsafe_b64encode(digest).decode().rstrip("=")


def _row_hash(record: str, path: str) -> str | None:
    import csv

    found = disk.read(record)
    text = found.data.decode("utf-8", "replace") if found else ""
    rows = csv.reader(text.splitlines())
    return next(
        (row[1] for row in rows if len(row) > 1 and row[0].replace("\\", "/") == path), None
    )
