"""How a command that we suggest starts unhaunt: whatever PATH has, this Python has it."""

from __future__ import annotations

import shlex
import sys

UNHAUNT = f"{shlex.quote(sys.executable)} -I -m unhaunt"
