"""Edge: read files of an untrusted tree: never a FIFO or a device, never more than asked for."""

from __future__ import annotations

import os
import stat
from typing import NamedTuple

#: bytes of one file that are judged; nothing that Python loads at startup is longer
CAP = 4 << 20


class Read(NamedTuple):
    """The bytes of a file, and whether they are all of it."""

    data: bytes
    complete: bool


def read(path: str, cap: int = CAP) -> Read | None:
    """Return the first `cap` bytes of a regular file (links are followed), or None."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        # Looked at before it is opened: opening a device can do something.
        if not stat.S_ISREG(os.stat(path).st_mode):
            return None
        fd = os.open(path, flags)
    except (OSError, ValueError):
        return None
    try:
        size = os.fstat(fd).st_size
        data = os.read(fd, min(size, cap) + 1)
        while len(data) <= cap and (more := os.read(fd, cap + 1 - len(data))):
            data += more
        return Read(data[:cap], len(data) <= cap)
    except OSError:
        return None
    finally:
        os.close(fd)


def stored(path: str, mode: str) -> Read | None:
    """Return what git would store for `path` before any filter: a link's target, a file's bytes."""
    if mode == "120000":
        try:
            return Read(os.fsencode(os.readlink(path)), complete=True)
        except OSError:
            return read(path)  # core.symlinks=false writes a link as a file
    return None if os.path.islink(path) else read(path)


def differs(path: str, mode: str, oid: str) -> bool:
    """Tell whether a file is there and is not, byte for byte, the blob `oid`."""
    if mode == "160000" or not os.path.lexists(path):
        return False
    found = stored(path, mode)
    if found is None or not found.complete:
        return True
    return blob_oid(found.data, len(oid)) != oid


def blob_oid(data: bytes, length: int) -> str:
    """Return git's object id of a blob: SHA-1, or SHA-256 when ids are `length` 64."""
    header = b"blob %d\0" % len(data)
    if length == 64:
        import hashlib

        return hashlib.sha256(header + data).hexdigest()
    try:
        from _sha1 import sha1  # type: ignore[import-not-found]  # hashlib loads OpenSSL first
    except ImportError:
        from hashlib import sha1
    return str(sha1(header + data).hexdigest())
