"""How the story starts this very unhaunt, from a folder or a zip file. Pure: no IO."""

from __future__ import annotations

import os
import sys

import unhaunt


def again(*words: str) -> list[str]:
    """Return the command `unhaunt WORDS`, under `-I`.

    What holds this package is appended to the path, because `-I` leaves the user site out.
    """
    home = os.path.dirname(os.path.dirname(os.path.abspath(unhaunt.__file__)))
    code = f"import sys; sys.path.append({home!r}); from unhaunt.cli import main; sys.exit(main())"
    return [sys.executable, "-I", "-c", code, *words]
