"""Edge: the environment as this process was given it, with what Python takes out of it."""

from __future__ import annotations

import os
from collections.abc import Mapping

#: read, acted on and removed from `os.environ` before the first line of a program
REMOVED = ("__PYVENV_LAUNCHER__",)


def given(env: Mapping[str, str], path: str = "/proc/self/environ") -> dict[str, str]:
    """Return `env` with the variables that Python removed, where the system still tells them."""
    found = dict(env)
    try:
        with open(path, "rb") as file:
            rows = file.read().split(b"\0")
    except OSError:  # no Linux
        return found
    for name, _, value in (os.fsdecode(row).partition("=") for row in rows):
        if name in REMOVED:
            found.setdefault(name, value)
    return found
