"""What the RECORD of an installed package says of its files. Reads files, starts nothing.

packaging.python.org/specifications/recording-installed-packages: csv; hashes as `sha256=` and
unpadded urlsafe base64. MD5 and SHA-1 prove nothing (PEP 627).
"""

from __future__ import annotations

import csv
import hashlib
import io
import os
import stat
from base64 import urlsafe_b64encode
from collections.abc import Iterator

HASHES = ("sha256", "sha384", "sha512")


def entries(text: str) -> Iterator[tuple[str, str]]:
    """Yield (path, hash) of each row; what is no row is passed over."""
    rows = csv.reader(io.StringIO(text, newline=""))
    while True:
        try:
            row = next(rows)
        except csv.Error:
            continue
        except StopIteration:
            return
        if row and row[0]:
            yield row[0], row[1] if len(row) > 1 else ""


def fits(path: str, entry: str) -> bool | None:
    """Tell whether a regular file has the hash of its row; None when that has none that proves."""
    kind, _, value = entry.partition("=")
    if kind not in HASHES:
        return None
    found = digest(path, kind)
    return found is not None and is_same(found, value)


def is_same(found: bytes, value: str) -> bool:
    """Tell whether a digest is the one that a row spells."""
    return urlsafe_b64encode(found).rstrip(b"=") == value.rstrip("=").encode()


def digest(path: str, kind: str) -> bytes | None:
    """Return the digest of a regular file, whatever its size; None for anything else."""
    try:
        fd = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except (OSError, ValueError):
        return None
    with open(fd, "rb", buffering=0) as file:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            return None
        try:
            return hashlib.file_digest(file, kind).digest()
        except OSError:
            return None
