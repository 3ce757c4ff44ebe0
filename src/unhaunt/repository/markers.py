"""Edge: what a folder is by what lies in it: an environment, a repository, another file system.

Never by its name alone, and nothing is followed or run. Sources: PEP 405 (pyvenv.cfg), PEP 582,
gitrepository-layout(5), proc(5).
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

_NODE_MARKERS = (b".package-lock.json", b".yarn-integrity", b".modules.yaml", b".yarn-state.yml")
_INTERPRETERS = (
    b"bin/python", b"bin/python3", b"Scripts/python.exe", b"bin/pypy3", b"Scripts/pypy3.exe"
)  # fmt: skip


def is_git_dir(full: bytes) -> bool:
    """Tell whether a folder is a repository's own, whatever its name."""
    return all(os.path.exists(os.path.join(full, part)) for part in (b"HEAD", b"objects", b"refs"))


def is_environment(full: bytes) -> bool:
    """Tell whether a folder is an environment: PEP 405, and an interpreter (it may dangle)."""
    lines = _small_file(os.path.join(full, b"pyvenv.cfg")).splitlines()
    keys = {line.partition(b"=")[0].strip().lower() for line in lines if b"=" in line}
    return b"home" in keys and _has_any(full, _INTERPRETERS)


def is_conda(full: bytes) -> bool:
    """Tell whether a folder is an environment of conda."""
    meta = os.path.join(full, b"conda-meta")
    try:
        return any(n == b"history" or n.endswith(b".json") for n in os.listdir(meta))
    except OSError:
        return False


def is_pypackages(folder: bytes) -> bool:
    """Tell whether a path is `__pypackages__/N.N`."""
    above, _, version = folder.rpartition(b"/")
    numbers = version.split(b".")
    return (
        above.rpartition(b"/")[2] == b"__pypackages__"
        and len(numbers) == 2
        and all(number.isdigit() for number in numbers)
    )


def is_filled_by_npm(full: bytes) -> bool:
    """Tell whether a package manager of Node.js says that it filled a folder."""
    return _has_any(full, _NODE_MARKERS)


def _has_any(full: bytes, names: Iterable[bytes]) -> bool:
    return any(os.path.lexists(os.path.join(full, name)) for name in names)


def mount_points() -> frozenset[bytes]:
    """Return the mount points that Linux knows of, proc(5); other systems do not say so cheaply."""
    try:
        with open("/proc/self/mountinfo", "rb") as lines:
            quoted = [line.split(b" ", 5)[4] for line in lines]
    except OSError:
        return frozenset()
    return frozenset(_unquoted(path) if b"\\" in path else path for path in quoted)


def _unquoted(path: bytes) -> bytes:
    return re.sub(rb"\\([0-7]{3})", lambda m: bytes((int(m[1], 8),)), path)


def _small_file(path: bytes) -> bytes:
    """Return the first 64 KiB of a regular file, or nothing."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0)
    try:
        fd = os.open(path, flags)
    except OSError:
        return b""
    try:
        return os.read(fd, 1 << 16) if os.path.isfile(path) else b""
    except OSError:
        return b""
    finally:
        os.close(fd)


def is_own_worktree(full: bytes, common_dir: str) -> bool:
    """Tell whether a folder is a linked worktree that this repository knows of.

    gitrepository-layout(5): its `.git` file points to worktrees/ID, whose `gitdir` points back.
    """
    marker = os.path.join(full, b".git")
    pointer = _small_file(marker)
    if not pointer.startswith(b"gitdir:"):
        return False
    admin = os.path.join(full, pointer[7:].strip())
    home = os.path.join(os.fsencode(os.path.realpath(common_dir)), b"worktrees")
    if os.path.dirname(os.path.realpath(admin)) != home:
        return False
    back = os.path.join(admin, _small_file(os.path.join(admin, b"gitdir")).strip())
    return os.path.realpath(back) == os.path.realpath(marker)
