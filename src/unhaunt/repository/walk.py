"""Edge: look into the folders that git leaves closed, without git, without following a link.

git says what lies beside the files of the index. It lists nothing under a gitlink over a plain
folder, inside nested repositories, below a stray `.git` folder, or ignored in a submodule; so there
we look ourselves, and ask git for labels only.
Paths are bytes here, relative to the root, because names need not be UTF-8.
"""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Callable, Collection, Iterable
from typing import NamedTuple

from unhaunt.inventory import Skipped
from unhaunt.repository.listing import Others

#: entries of ignored folders that one run looks at, unless --deep
BUDGET = 20_000
#: how the name of a file ends that Python could load or run by itself
SUFFIXES = (b".py", b".pyc", b".so", b".pyd", b".pth", b".start", b"._pth")


class Closed(NamedTuple):
    """A folder without a tracked file, that `git status` shows as one line at most."""

    path: bytes
    submodule: bool = False  # a gitlink: the commit holds a pointer to it
    nested: bool = False  # the part of it that is, or lies in, a repository of its own


class Found(NamedTuple):
    """A file (or link) that is not in the index."""

    path: bytes
    closed: Closed | None  # the folder that hides it; None beside tracked files


_Entries = list[os.DirEntry[bytes]]


class Walk:
    """What one run finds in the folders; filled by `open_folders`, then `closed_folders`."""

    def __init__(self, top: str, common_dir: str) -> None:
        self.top = os.fsencode(top)
        self._start = os.path.join(self.top, b"")
        self.common_dir = common_dir
        self.loose: list[bytes] = []  # files beside tracked ones
        self.closed: list[Closed] = []
        self.inside: list[Found] = []  # files below closed folders that Python could load
        self.inside_count: dict[bytes, int] = {}  # closed path -> files below it
        self.skipped: list[Skipped] = []
        self.unlisted: list[bytes] = []  # cannot be listed, though its modules can be imported
        self._caches: list[Closed] = []
        self._mounts = {path for path in _mount_points() if path.startswith(self._start)}
        self._environments: set[bytes] = set()  # those that were named as a whole

    def open_folders(
        self, others: Others, folders: Collection[bytes], gitlinks: Collection[bytes]
    ) -> None:
        """Take what lies beside the index; `folders` are those with a path of the index in them."""
        for path in others.paths:
            if path.endswith(b"/"):
                self._open(path[:-1])
            else:
                self.loose.append(path)
        self.closed += [Closed(p, submodule=True) for p in gitlinks if _is_folder(self._full(p))]
        start = self._start
        for folder in sorted(folders):
            # git passes over every name `.git`; that of the root is its own.
            if folder and os.access(start + folder + b"/.git", os.F_OK):
                self._stray(folder)
            if not others.complete and not os.access(start + folder, os.R_OK):
                self._listed(folder)

    def _open(self, path: bytes) -> None:
        """Note a folder without a path of the index."""
        folder, _, name = path.rpartition(b"/")
        if name == b"__pycache__":
            self._caches.append(Closed(path))
        elif folder and name in _OWN_TREES and _is_environment(self._full(folder)):
            self._skip(path, "environment", "part of a virtual environment (pyvenv.cfg)")
        elif self._is_worth_a_look(folder, name):
            self.closed.append(Closed(path))

    def _stray(self, folder: bytes) -> None:
        path = folder + b"/.git"
        if _is_folder(self._full(path)) and self._is_worth_a_look(folder, b".git"):
            self.closed.append(Closed(path))

    def closed_folders(self, ignored: Callable[[Closed], bool], budget: int | None) -> None:
        """Look below the closed folders: all of those not ignored, `budget` entries of the others.

        Folders called __pycache__ are read too (of their files, .pyc are not importable), and are
        counted nowhere.
        """
        limited = [c for c in self.closed if budget is not None and ignored(c)]
        todo = [(c, c.path) for c in set(self.closed).difference(limited).union(self._caches)]
        while todo:
            todo += self._look(*todo.pop())[0]
        self._breadth_first(limited, budget or 0)

    def _breadth_first(self, limited: list[Closed], budget: int) -> None:
        queue = deque((closed, closed.path) for closed in limited)
        while queue and budget > 0:
            below, count = self._look(*queue.popleft())
            budget -= count
            queue += below
        for closed in sorted({closed for closed, _ in queue}):
            reason = (
                f"only the first {BUDGET} entries of ignored folders were looked at: use --deep"
            )
            self._skip(closed.path, "large ignored folder", reason)

    def _look(self, closed: Closed, folder: bytes) -> tuple[list[tuple[Closed, bytes]], int]:
        """Look into one folder; return the folders to go on with, and how many entries it has."""
        entries = self._listed(folder)
        count = len(entries)
        if not _MARKERS.isdisjoint([entry.name for entry in entries]):
            closed, entries = self._marked(closed, folder, entries)
        prefix = folder + b"/"
        suffixes = _CACHE_SUFFIXES if folder.endswith(b"__pycache__") else SUFFIXES
        below = [prefix + e.name for e in entries if e.is_dir(follow_symlinks=False)]
        self.inside += [
            Found(prefix + e.name, closed)
            for e in entries
            if (e.name.endswith(suffixes) or e.is_symlink()) and _is_file_or_link(e)
        ]
        files = len(entries) - len(below)
        self.inside_count[closed.path] = self.inside_count.get(closed.path, 0) + files
        return [(closed, path) for path in below if not self._is_mount(path)], count

    def _marked(self, closed: Closed, folder: bytes, entries: _Entries) -> tuple[Closed, _Entries]:
        """Judge a folder that holds a name of `_MARKERS`; return it without what is passed over."""
        full, names = self._full(folder), {entry.name for entry in entries}
        if b".git" in names:
            if self._is_own_worktree(full):
                self._skip(folder, "worktree", "a linked worktree of this repository")
                return closed, []
            closed = closed._replace(nested=True)
        if b"conda-meta" in names and _is_conda(full):
            self._skip(folder, "environment", "a conda environment (conda-meta)")
            return closed, []
        if b"pyvenv.cfg" in names and _is_environment(full):
            self._skip(folder, "environment", "a virtual environment (pyvenv.cfg)")
            self._environments.add(folder)
            entries = [e for e in entries if e.name not in _OWN_TREES]
        return closed, [e for e in entries if self._is_worth_a_look(folder, e.name)]

    def _skip(self, path: bytes, kind: str, reason: str) -> None:
        self.skipped.append(Skipped(os.fsdecode(path), kind, reason))

    def _is_worth_a_look(self, folder: bytes, name: bytes) -> bool:
        """Tell whether to go into a folder; if not, and if it is worth a word, say why."""
        path = _join(folder, name)
        full = self._full(path)
        if name == b".git" and _is_git_dir(full):
            return False
        around = self._environment_of_lib(folder) if name == b"site-packages" else b""
        if around in self._environments:
            return False
        if around:
            self._skip(path, "environment", "part of a virtual environment (pyvenv.cfg)")
            return False
        if name == b"node_modules" and _has_any(full, _NODE_MARKERS):
            self._skip(path, "environment", "node_modules, filled by a package manager")
        elif name == b"lib" and _is_pypackages(folder):
            self._skip(path, "environment", "__pypackages__ (PEP 582)")
        else:
            return not self._is_mount(path)
        return False

    def _is_mount(self, path: bytes) -> bool:
        if not self._mounts or self._full(path) not in self._mounts:
            return False
        self._skip(path, "mount", "another file system")
        return True

    def _listed(self, folder: bytes) -> list[os.DirEntry[bytes]]:
        full = self._full(folder)
        try:
            with os.scandir(full) as entries:
                return list(entries)
        except PermissionError:
            if os.access(full, os.X_OK):
                self.unlisted.append(folder)
            else:
                self._skip(folder, "unreadable folder", "it can be neither listed nor entered")
        except (FileNotFoundError, NotADirectoryError):
            pass  # it vanished, or a sparse checkout left it out
        return []

    def _full(self, folder: bytes) -> bytes:
        return self._start + folder if folder else self.top

    def _environment_of_lib(self, folder: bytes) -> bytes:
        """Return the environment of which `folder` is what holds its site-packages; b"" for none.

        The repository's own root is never taken for an environment.
        """
        above, _, name = folder.rpartition(b"/")
        if name.startswith((b"python", b"pypy")):
            above = above.rpartition(b"/")[0]
        elif name != b"Lib":
            return b""
        return above if above and _is_environment(self._full(above)) else b""

    def _is_own_worktree(self, full: bytes) -> bool:
        """Tell whether a folder is a linked worktree that this repository knows of.

        gitrepository-layout(5): its `.git` file points to worktrees/ID, whose `gitdir` points back.
        """
        marker = os.path.join(full, b".git")
        pointer = _small_file(marker)
        if not pointer.startswith(b"gitdir:"):
            return False
        admin = os.path.join(full, pointer[7:].strip())
        home = os.path.join(os.fsencode(os.path.realpath(self.common_dir)), b"worktrees")
        if os.path.dirname(os.path.realpath(admin)) != home:
            return False
        back = os.path.join(admin, _small_file(os.path.join(admin, b"gitdir")).strip())
        return os.path.realpath(back) == os.path.realpath(marker)


#: names that say what the folder around them is
_MARKERS = frozenset(
    (b".git", b"pyvenv.cfg", b"conda-meta", b"node_modules", b"site-packages", b"lib")
)
_CACHE_SUFFIXES = tuple(suffix for suffix in SUFFIXES if suffix != b".pyc")
_NODE_MARKERS = (b".package-lock.json", b".yarn-integrity", b".modules.yaml", b".yarn-state.yml")
_INTERPRETERS = (
    b"bin/python", b"bin/python3", b"Scripts/python.exe", b"bin/pypy3", b"Scripts/pypy3.exe"
)  # fmt: skip
_OWN_TREES = frozenset((b"bin", b"Scripts", b"include", b"Include", b"share"))


def _join(folder: bytes, name: bytes) -> bytes:
    return folder + b"/" + name if folder else name


def _is_folder(full: bytes) -> bool:
    return os.path.isdir(full) and not os.path.islink(full)


def _is_file_or_link(entry: os.DirEntry[bytes]) -> bool:
    """Tell whether Python could load it: a FIFO, a socket or a device is no module to it."""
    return entry.is_file(follow_symlinks=False) or entry.is_symlink()


def _is_git_dir(full: bytes) -> bool:
    return all(os.path.exists(os.path.join(full, part)) for part in (b"HEAD", b"objects", b"refs"))


def _is_environment(full: bytes) -> bool:
    """Tell whether a folder is an environment: PEP 405, and an interpreter (it may dangle)."""
    lines = _small_file(os.path.join(full, b"pyvenv.cfg")).splitlines()
    keys = {line.partition(b"=")[0].strip().lower() for line in lines if b"=" in line}
    return b"home" in keys and _has_any(full, _INTERPRETERS)


def _is_conda(full: bytes) -> bool:
    meta = os.path.join(full, b"conda-meta")
    try:
        return any(n == b"history" or n.endswith(b".json") for n in os.listdir(meta))
    except OSError:
        return False


def _is_pypackages(folder: bytes) -> bool:
    above, _, version = folder.rpartition(b"/")
    numbers = version.split(b".")
    return (
        above.rpartition(b"/")[2] == b"__pypackages__"
        and len(numbers) == 2
        and all(number.isdigit() for number in numbers)
    )


def _has_any(full: bytes, names: Iterable[bytes]) -> bool:
    return any(os.path.lexists(os.path.join(full, name)) for name in names)


def _mount_points() -> frozenset[bytes]:
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
