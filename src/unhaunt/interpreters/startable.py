"""Why an interpreter is not to be started, not even under -I -S. Reads files, starts nothing.

`-I -S` keeps `site` and the environment out; what CPython's Modules/getpath.py reads beside the
executable it does not. A `._pth`, a zip before the standard library, or a `home` in pyvenv.cfg that
leads elsewhere decide which `encodings` is imported, and that is code.
"""

from __future__ import annotations

import os
import re

from unhaunt.interpreters.preflight import Target, hazards, hops
from unhaunt.interpreters.surroundings import pyvenv
from unhaunt.inventory import Inventory


def refusal(target: Target, top: str, tree: Inventory) -> str | None:
    """Return the reason not to start an interpreter; None when there is none."""
    reason = None if target.because == "--python" else unasked(target, top, tree)
    if reason:
        return reason
    redirection = next(hazards(target.executable), None)
    if redirection:
        return f"not started, because of {redirection.path}"
    return "not started, because of its pyvenv.cfg" if strays(target.executable) else None


def unasked(target: Target, top: str, tree: Inventory) -> str | None:
    """Return the reason not to start an interpreter that no user has named."""
    if not re.match(r"python|pypy", os.path.basename(target.executable)):
        return "its name is no Python's: name it with --python"
    if any(_is_committed(path, top, tree) for path in decisive(target.executable)):
        return "it is part of the commit, of which nothing is executed: name it with --python"
    return None


def strays(executable: str) -> str | None:
    """Return the `home` of a pyvenv.cfg when the interpreter's own links do not lead there."""
    config = pyvenv(executable)
    home = config["values"].get("home") if config else None
    if not home:
        return None
    folders = {os.path.realpath(os.path.dirname(hop)) for hop in hops(executable)}
    if os.path.realpath(home) in folders or _is_copy(executable, home):
        return None
    return str(home)


def _is_copy(executable: str, home: str) -> bool:
    """Tell whether an environment made with --copies has the interpreter of `home`."""
    if os.path.islink(executable):
        return False
    try:
        sizes = {entry.stat().st_size for entry in os.scandir(home) if "python" in entry.name}
        return os.stat(executable).st_size in sizes
    except OSError:
        return False


def decisive(executable: str) -> list[str]:
    """Return the files that decide what is started."""
    config = pyvenv(executable)
    return [*hops(executable), *([config["path"]] if config else [])]


def _is_committed(path: str, top: str, tree: Inventory) -> bool:
    """Tell whether a file, or a link on the way to it, is in the commit."""
    for place in (path, os.path.realpath(path)):
        while place.startswith(top + os.sep):
            if tree.has(os.path.relpath(place, top).replace(os.sep, "/")):
                return True
            place = os.path.dirname(place)
    return False
