"""How to start this tool again: from here, and as a shell takes it. Pure: no IO."""

from __future__ import annotations

import os
import shlex
import sys

from unhaunt.own_files import ARCHIVE

# -S was chosen by somebody who does not trust this Python's site-packages: it stays.
_OPTIONS = ("-I", "-S") if ARCHIVE and sys.flags.no_site else ("-I",)
_WHAT = shlex.quote(ARCHIVE) if ARCHIVE else "-m unhaunt"
#: on this box: whatever PATH says, and in an environment that nobody has activated
HERE = f"{shlex.quote(sys.executable or 'python3')} {' '.join(_OPTIONS)} {_WHAT}"
#: on another box, whose folders are not known here
THERE = f"python3 {' '.join(_OPTIONS)} {_WHAT}"


def again() -> list[str]:
    """Return the command that starts this tool once more, under `-I`; its words follow."""
    if ARCHIVE:
        return [sys.executable, *_OPTIONS, ARCHIVE]
    # Appended, so that an installation in the user site, which -I leaves out, is found too.
    home = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    code = (
        f"import sys; sys.path.append({home!r}); "
        "from unhaunt.cli import console; sys.exit(console())"
    )
    return [sys.executable, *_OPTIONS, "-c", code]
