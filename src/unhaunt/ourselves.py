"""How this very unhaunt is started again, wherever it lies. Pure: no IO."""

from __future__ import annotations

import os
import sys


def again(*words: str) -> list[str]:
    """Return the command `unhaunt WORDS`, under `-I`.

    What holds this package is appended to the path: an installation in the user site, which `-I`
    leaves out, is found too, and so is a zip file.
    """
    home = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    code = f"import sys; sys.path.append({home!r}); from unhaunt.cli import main; sys.exit(main())"
    return [sys.executable, "-I", "-c", code, *words]
