"""How to start this tool again, as a shell takes it. Pure: no IO."""

from __future__ import annotations

import shlex
import sys

from unhaunt.own_files import ARCHIVE

# -S was chosen by somebody who does not trust this Python's site-packages: it stays.
_OPTIONS = "-I -S" if ARCHIVE and sys.flags.no_site else "-I"
_WHAT = shlex.quote(ARCHIVE) if ARCHIVE else "-m unhaunt"
#: on this box: whatever PATH says, and in an environment that nobody has activated
HERE = f"{shlex.quote(sys.executable or 'python3')} {_OPTIONS} {_WHAT}"
#: on another box, whose folders are not known here
THERE = f"python3 {_OPTIONS} {_WHAT}"
