"""The files of this tool, wherever it lies: in a folder, or in a zip that it runs from."""

from __future__ import annotations

import os
from typing import Any

_LOADER: Any = __spec__.loader

#: the file made by `unhaunt vendor` that this process runs from; "" when it is installed
ARCHIVE = os.path.abspath(_LOADER.archive) if hasattr(_LOADER, "archive") else ""


def content(path: str) -> bytes:
    """Return a file of this package by its path, which may lead into a zip."""
    data: bytes = _LOADER.get_data(path)
    return data


def script(path: str) -> str:
    """Return the text of one that runs in another Python, and is ASCII for that reason."""
    return content(path).decode("ascii")
