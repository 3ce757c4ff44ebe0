"""The files of this tool, wherever it lies: in a folder, or in a zip that it runs from."""

from __future__ import annotations

import os
import sys
from typing import Any

_LOADER: Any = __spec__.loader

#: the file made by `unhaunt vendor` that this process runs from; "" when it is installed
ARCHIVE = os.path.abspath(_LOADER.archive) if hasattr(_LOADER, "archive") else ""


def again() -> list[str]:
    """Return the command that starts this tool once more, under `-I`; its words follow."""
    if ARCHIVE:
        # -S was chosen by somebody who does not trust this Python's site-packages: it stays.
        return [sys.executable, "-I", *(["-S"] if sys.flags.no_site else []), ARCHIVE]
    # Appended, so that an installation in the user site, which -I leaves out, is found too.
    home = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    code = f"import sys; sys.path.append({home!r}); from unhaunt.cli import main; sys.exit(main())"
    return [sys.executable, "-I", "-c", code]


def content(path: str) -> bytes:
    """Return a file of this package by its path, which may lead into a zip."""
    data: bytes = _LOADER.get_data(path)
    return data


def script(path: str) -> str:
    """Return the text of one that runs in another Python, and is ASCII for that reason."""
    return content(path).decode("ascii")
