"""SHA256SUMS, as `sha256sum -c` reads it (coreutils). Pure: no IO."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping

NAME = "SHA256SUMS"
#: a name that we write: nothing that leads out of the folder
_LINE = re.compile(r"([0-9a-f]{64})  ((?:rows/)?\w[\w.-]*)")


def digest(data: bytes) -> str:
    """Return the SHA-256 of some bytes in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def sums(files: Mapping[str, bytes]) -> bytes:
    """Return the text for files, sorted by name."""
    return "".join(f"{digest(files[name])}  {name}\n" for name in sorted(files)).encode()


def listed(data: bytes) -> dict[str, str]:
    """Return name -> digest of such a text; nothing when a line of it is none of ours."""
    lines = data.decode("utf-8", "replace").splitlines()
    matches = [_LINE.fullmatch(line) for line in lines]
    return {match[2]: match[1] for match in matches if match} if all(matches) else {}
