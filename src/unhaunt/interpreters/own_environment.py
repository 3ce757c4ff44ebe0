"""The environment that this process was started with, and not what Python left of it."""

from __future__ import annotations

import os
from collections.abc import Mapping

#: obeyed, -I or not, and removed before the first line of ours runs (CPython's Modules/getpath.py)
REMOVED = "__PYVENV_LAUNCHER__"
#: what Linux tells of it
GIVEN = "/proc/self/environ"


def own_environment(env: Mapping[str, str] = os.environ, given: str = GIVEN) -> dict[str, str]:
    """Return `env`, with what Python took out of it where the system still tells it."""
    return removed(given) | dict(env)


def removed(given: str = GIVEN) -> dict[str, str]:
    """Return the variable that Python removed, and its value."""
    try:
        with open(given, "rb") as file:
            pairs = (os.fsdecode(pair).partition("=") for pair in file.read().split(b"\0"))
            return {name: value for name, _, value in pairs if name == REMOVED and value}
    except OSError:
        return {}


def restored(env: Mapping[str, str]) -> dict[str, str]:
    """Return what a Python that is started with `env` will miss in its own os.environ."""
    return {REMOVED: env[REMOVED]} if env.get(REMOVED) else {}
