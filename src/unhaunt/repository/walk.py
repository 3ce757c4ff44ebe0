"""Edge: look into the folders that git leaves closed, without git, without following a link.

git says what lies beside the files of the index. It lists nothing under a gitlink over a plain
folder, inside nested repositories, below a stray `.git` folder, or ignored in a submodule; so there
we look ourselves, and ask git for labels only.
Paths are bytes here, relative to the root, because names need not be UTF-8.
"""

from __future__ import annotations

import functools
import marshal
import os
from collections import deque
from collections.abc import Callable, Collection
from typing import NamedTuple

from unhaunt.inventory import Skipped
from unhaunt.process import Twin
from unhaunt.repository.listing import Others
from unhaunt.repository.markers import (
    is_conda,
    is_environment,
    is_filled_by_npm,
    is_git_dir,
    is_own_worktree,
    is_pypackages,
    mount_points,
)

#: entries of ignored folders that one run looks at, unless --deep
BUDGET = 20_000
#: so many folders still to be looked into are shared with a second process
WORTH_A_TWIN = 256
#: how the name of a file ends that Python could load or run by itself
SUFFIXES = (b".py", b".pyc", b".so", b".pyd", b".pth", b".start", b"._pth")


class Closed(NamedTuple):
    """A folder without a tracked file, that `git status` shows as one line at most."""

    path: bytes
    submodule: bool = False  # a gitlink: the commit holds a pointer to it
    nested: bool = False  # the part of it that is, or lies in, a repository of its own


_Entries = list[os.DirEntry[bytes]]
_Todo = list[tuple[Closed, bytes]]


class Walk:
    """What one run finds in the folders; filled by its methods, in their order."""

    def __init__(self, top: str, common_dir: str) -> None:
        self.top = os.fsencode(top)
        self._start = os.path.join(self.top, b"")
        self.common_dir = common_dir
        self.loose: list[bytes] = []  # files beside tracked ones
        self.closed: list[Closed] = []
        self.inside: dict[Closed, list[bytes]] = {}  # files below them that Python could load
        self.inside_count: dict[bytes, int] = {}  # closed path -> files below it
        self.skipped: list[Skipped] = []
        self.unlisted: list[bytes] = []  # cannot be listed, though its modules can be imported
        self._caches: list[Closed] = []
        self._mounts = {path for path in mount_points() if path.startswith(self._start)}
        self._environments: set[bytes] = set()  # those that were named as a whole

    def open_folders(self, others: Others, gitlinks: Collection[bytes]) -> None:
        """Take what git found beside the index."""
        for path in others.paths:
            if path.endswith(b"/"):
                self._open(path[:-1])
            else:
                self.loose.append(path)
        self.closed += [Closed(p, submodule=True) for p in gitlinks if _is_folder(self._full(p))]

    def passed_over(self, folders: Collection[bytes], *, complete: bool) -> list[Closed]:
        """Look for what git passes over in the folders that hold a path of the index.

        That is every folder called `.git`, the root's own aside, and, if git's listing was not
        complete, what it could not list.
        """
        start, known = self._start, len(self.closed)
        for folder in sorted(folders):
            if folder and os.access(start + folder + b"/.git", os.F_OK):
                self._stray(folder)
            if not complete and not os.access(start + folder, os.R_OK):
                self._listed(folder)
        return self.closed[known:]

    def _open(self, path: bytes) -> None:
        """Note a folder without a path of the index."""
        folder, _, name = path.rpartition(b"/")
        if name == b"__pycache__":
            self._caches.append(Closed(path))
        elif folder and name in _OWN_TREES and is_environment(self._full(folder)):
            self._skip(path, "environment", "part of a virtual environment (pyvenv.cfg)")
        elif self._is_worth_a_look(folder, name):
            self.closed.append(Closed(path))

    def _stray(self, folder: bytes) -> None:
        path = folder + b"/.git"
        if _is_folder(self._full(path)) and self._is_worth_a_look(folder, b".git"):
            self.closed.append(Closed(path))

    def closed_folders(self, ignored: Callable[[Closed], bool], budget: int | None) -> None:
        """Look below the closed folders: all of those not ignored, `budget` entries of the others.

        Folders called __pycache__ are read too (but for bytecode with a tag, their files can be
        imported), and are counted nowhere.
        """
        limited = [c for c in self.closed if budget is not None and ignored(c)]
        todo = [(c, c.path) for c in set(self.closed).difference(limited).union(self._caches)]
        if rest := self._below(todo, WORTH_A_TWIN if Twin.is_possible() else None):
            self._in_two(rest)
        self._breadth_first(limited, budget or 0)

    def _below(self, todo: _Todo, most: int | None = None) -> _Todo:
        """Look below folders, until none is left or more than `most`; return those."""
        while todo and (most is None or len(todo) <= most):
            todo += self._look(*todo.pop())[0]
        return todo

    def _in_two(self, todo: _Todo) -> None:
        """Look below folders with the help of a second process: system calls take most of it."""
        twin = Twin(functools.partial(self._answer, todo[1::2]))
        self._below(todo[::2])
        answer = twin.answer()
        if answer is None:
            self._below(todo[1::2])
        else:
            self._add(answer)

    def _answer(self, todo: _Todo) -> bytes:
        for found in (self.inside, self.inside_count, self.skipped, self.unlisted):
            found.clear()
        self._below(todo)
        inside = [(tuple(closed), paths) for closed, paths in self.inside.items()]
        skipped = [tuple(item) for item in self.skipped]
        return marshal.dumps((inside, self.inside_count, skipped, self.unlisted))

    def _add(self, answer: bytes) -> None:
        inside, counts, skipped, unlisted = marshal.loads(answer)
        for closed, paths in inside:
            self.inside.setdefault(Closed(*closed), []).extend(paths)
        for path, count in counts.items():
            self.inside_count[path] = self.inside_count.get(path, 0) + count
        self.skipped += [Skipped(*item) for item in skipped]
        self.unlisted += unlisted

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

    def _look(self, closed: Closed, folder: bytes) -> tuple[_Todo, int]:
        """Look into one folder; return the folders to go on with, and how many entries it has."""
        suffixes = _CACHE_SUFFIXES if folder.endswith(b"__pycache__") else _TELLING
        below, telling, count = self._sorted_out(folder, suffixes)
        files = count - len(below)
        if not (_MARKERS.isdisjoint(below) and _MARKERS.isdisjoint([e.name for e in telling])):
            closed, kept = self._marked(closed, folder, self._listed(folder))
            below = [entry.name for entry in kept if entry.is_dir(follow_symlinks=False)]
            telling = [e for e in kept if e.name.endswith(suffixes) or e.is_symlink()]
            files = len(kept) - len(below)
        prefix = folder + b"/"
        if loadable := [prefix + e.name for e in telling if _is_loadable(e)]:
            self.inside.setdefault(closed, []).extend(loadable)
        self.inside_count[closed.path] = self.inside_count.get(closed.path, 0) + files
        paths = [(closed, prefix + name) for name in below]
        if self._mounts:
            paths = [item for item in paths if not self._is_mount(item[1])]
        return paths, count

    def _sorted_out(
        self, folder: bytes, suffixes: tuple[bytes, ...]
    ) -> tuple[list[bytes], _Entries, int]:
        """Return the names of the folders in one, what else is telling, and how many entries.

        One loop, over what may be 60,000 entries; what is no link is asked without
        `follow_symlinks`, in half the time.
        """
        below, telling, count = [], [], 0
        try:
            with os.scandir(self._start + folder) as entries:
                for entry in entries:
                    count += 1
                    if entry.is_symlink():
                        telling.append(entry)
                    elif entry.is_dir():
                        below.append(entry.name)
                    elif entry.name.endswith(suffixes):
                        telling.append(entry)
        except OSError as error:
            self._could_not_list(folder, error)
        return below, telling, count

    def _marked(self, closed: Closed, folder: bytes, entries: _Entries) -> tuple[Closed, _Entries]:
        """Judge a folder that holds a name of `_MARKERS`; return it without what is passed over."""
        full, names = self._full(folder), {entry.name for entry in entries}
        if b".git" in names:
            if is_own_worktree(full, self.common_dir):
                self._skip(folder, "worktree", "a linked worktree of this repository")
                return closed, []
            closed = closed._replace(nested=True)
        if b"conda-meta" in names and is_conda(full):
            self._skip(folder, "environment", "a conda environment (conda-meta)")
            return closed, []
        if b"pyvenv.cfg" in names and is_environment(full):
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
        if name == b".git" and is_git_dir(full):
            return False
        around = self._environment_of_lib(folder) if name == b"site-packages" else b""
        if around in self._environments:
            return False
        if around:
            self._skip(path, "environment", "part of a virtual environment (pyvenv.cfg)")
            return False
        if name == b"node_modules" and is_filled_by_npm(full):
            self._skip(path, "environment", "node_modules, filled by a package manager")
        elif name == b"lib" and is_pypackages(folder):
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
        except OSError as error:
            self._could_not_list(folder, error)
            return []

    def _could_not_list(self, folder: bytes, error: OSError) -> None:
        if isinstance(error, (FileNotFoundError, NotADirectoryError)):
            return  # it vanished, or a sparse checkout left it out
        if not isinstance(error, PermissionError) or os.access(self._full(folder), os.X_OK):
            self.unlisted.append(folder)
        else:
            self._skip(folder, "unreadable folder", "it can be neither listed nor entered")

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
        return above if above and is_environment(self._full(above)) else b""


#: names that say what the folder around them is
_MARKERS = frozenset(
    (b".git", b"pyvenv.cfg", b"conda-meta", b"node_modules", b"site-packages", b"lib")
)
#: how a name ends that is worth a second look: one of SUFFIXES, or a file among _MARKERS
_TELLING = (*SUFFIXES, b".git", b"pyvenv.cfg")
#: the same in a folder of cached bytecode, where only sitecustomize.pyc and usercustomize.pyc count
_CACHE_SUFFIXES = (*(suffix for suffix in _TELLING if suffix != b".pyc"), b"customize.pyc")
_OWN_TREES = frozenset((b"bin", b"Scripts", b"include", b"Include", b"share"))


def _join(folder: bytes, name: bytes) -> bytes:
    return folder + b"/" + name if folder else name


def _is_folder(full: bytes) -> bool:
    return os.path.isdir(full) and not os.path.islink(full)


def _is_loadable(entry: os.DirEntry[bytes]) -> bool:
    """Tell whether Python could load it: a FIFO, a socket or a device is no module to it."""
    if entry.is_symlink():
        return True
    return entry.name.endswith(SUFFIXES) and entry.is_file(follow_symlinks=False)
