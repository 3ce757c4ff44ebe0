"""Which startup file would keep an interpreter busy that is only asked. Looks, reads nothing.

The probe runs `site` with every execution stubbed: it still goes through every line.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping

LARGEST = 8 << 20  # bytes of a startup file with which a Python is still asked


def exceeding(executable: str, env: Mapping[str, str]) -> str | None:
    """Return the reason not to ask an interpreter; None when its startup files are of some size."""
    for path in _startup_files(executable, env):
        try:
            status = os.stat(path)
        except OSError:
            continue
        if stat.S_ISREG(status.st_mode) and status.st_size > LARGEST:
            return f"not started: {path} is too large"
    return None


def _startup_files(executable: str, env: Mapping[str, str]) -> Iterator[str]:
    """Yield the .pth and .start files near an interpreter, by the usual names of their folders."""
    user = env.get("PYTHONUSERBASE") or os.path.join(env.get("HOME", "/"), ".local")
    places = [
        os.path.dirname(os.path.dirname(p)) for p in (executable, os.path.realpath(executable))
    ]
    for prefix in dict.fromkeys([*places, user]):
        for library in ("lib", "lib64", "local/lib"):
            for name in _listed(os.path.join(prefix, library)):
                for kind in ("site", "dist") if name.startswith("python3") else ():
                    folder = os.path.join(prefix, library, name, f"{kind}-packages")
                    files = sorted(_listed(folder))
                    yield from (os.path.join(folder, f) for f in files if f.endswith(_SUFFIXES))


_SUFFIXES = (".pth", ".start")


def _listed(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []
