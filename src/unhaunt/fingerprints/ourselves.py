"""How to start this tool again, as a shell takes it. Pure: no IO."""

from __future__ import annotations

import shlex
import sys

#: on this box: whatever PATH says, and in an environment that nobody has activated
HERE = f"{shlex.quote(sys.executable or 'python3')} -I -m unhaunt"
#: on another box, whose folders are not known here
THERE = "python3 -I -m unhaunt"
