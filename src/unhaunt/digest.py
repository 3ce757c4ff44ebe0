"""Hashes of contents, independent of how the lines of a text end. Pure: no IO."""

from __future__ import annotations


def sha256(data: bytes) -> str:
    """Return the hex SHA-256 of `data` with LF line ends: git's autocrlf must not change it."""
    import hashlib

    return hashlib.sha256(data.replace(b"\r\n", b"\n")).hexdigest()


def is_pinned(data: bytes, pin: str) -> bool:
    """Tell whether `pin` is the SHA-256 of `data`, as it is or with LF line ends."""
    import hashlib

    return pin.lower() in (sha256(data), hashlib.sha256(data).hexdigest())
