"""Edge: what lies in the working tree and not in the index, and what keeps it out of sight."""

from __future__ import annotations

import functools
import os
import stat
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from unhaunt.inventory import Counts, Entry, Flag, Visibility
from unhaunt.process import Batch
from unhaunt.repository import disk, listing
from unhaunt.repository.commit import Commit
from unhaunt.repository.git import checked, finish, nested_repository
from unhaunt.repository.listing import Listing, Row, ending, folders_above, holding
from unhaunt.repository.walk import BUDGET, Closed, Walk
from unhaunt.text import printable

_UNSEEN = "nothing that git prints shows it"


class _Ignored(NamedTuple):
    source: str  # "FILE:LINE" of the pattern
    whole: bool  # everything below is ignored too


class Outside:
    """The files beside a commit. Paths are bytes, relative to the root."""

    def __init__(self, commit: Commit) -> None:
        self.commit = commit
        self.repository = commit.repository
        self._ignored: dict[bytes, _Ignored] = {}
        self.unread: set[bytes] = set()  # ignore files that nobody can read to their end

    @functools.cached_property
    def walk(self) -> Walk:
        """The one look into the folders."""
        commit = self.commit
        walk = Walk(self.repository.top, self.repository.common_dir)
        walk.open_folders(commit.others, commit.index.gitlinks)
        asked = self._asked([*walk.loose, *self._askable(walk.closed)])
        strays = walk.passed_over(commit.index.folders(), complete=commit.others.complete)
        self._learn(asked)
        self._ask([*self._askable(strays)])
        walk.closed_folders(self._is_ignored_whole, None if commit.scope.deep else BUDGET)
        return walk

    @functools.cached_property
    def paths(self) -> dict[bytes, Closed | None]:
        """Every path that Python could load, with the folder that hides it, if one does."""
        found: dict[bytes, Closed | None] = dict.fromkeys(self.walk.loose)
        for closed, paths in self.walk.inside.items():
            found.update(dict.fromkeys(paths, closed))
        return found

    def matching(self, suffixes: tuple[bytes, ...], words: tuple[bytes, ...]) -> list[bytes]:
        """Return the paths that end with a suffix or contain a word."""
        late = self.commit.only_in_index
        joined = b"\0".join([b"", *late, *self.walk.loose, *self._inside(), b""])
        return list(dict.fromkeys([*ending(joined, suffixes), *holding(joined, words)]))

    def _inside(self) -> Iterator[bytes]:
        for paths in self.walk.inside.values():
            yield from paths

    def entries(self, paths: list[bytes]) -> list[Entry]:
        """Return how each path can (not) be seen."""
        self._ask([path for path in paths if self._wants_own_rule(path)])
        return [self._entry(path) for path in paths]

    def counts(self) -> Counts:
        """Count the files that were looked at; the tracked ones are those of the commit."""
        ignored = sum(path in self._ignored for path in self.walk.loose)
        untracked = len(self.walk.loose) - ignored
        hidden = {closed.path for closed in self.walk.closed if self._is_ignored_whole(closed)}
        for path, count in self.walk.inside_count.items():
            if path in hidden:
                ignored += count
            elif not path.endswith(b"__pycache__"):
                untracked += count
        # What lies in a __pycache__ is counted nowhere, unless Python could load it from there.
        alone = not (untracked or ignored or self.walk.inside)
        return Counts(self.commit.listing.count, untracked, ignored, only_tracked=alone)

    # -- ignore rules

    def _askable(self, closed: Iterable[Closed]) -> Iterator[bytes]:
        # `check-ignore` gives up on a path inside a submodule.
        for folder in closed:
            if not folder.submodule:
                yield folder.path
                if os.path.lexists(self._full(folder.path + b"/.gitignore")):
                    yield folder.path + b"/.gitignore"

    def _ask(self, paths: list[bytes]) -> None:
        self._learn(self._asked(paths))

    def _asked(self, paths: list[bytes]) -> Batch | None:
        """Have git look up the rules that ignore some paths; it answers while we go on."""
        paths = self._without_endless_rules(paths)
        if not paths:
            return None
        command = ("check-ignore", "-z", "-v", "-n", "--no-index", "--stdin")
        return self.repository.begin(command, stdin=listing.plain_paths(paths))

    def _learn(self, asked: Batch | None) -> None:
        if asked is None:
            return
        (done,) = finish(asked)
        output = checked(done, "check-ignore", (0, 1))
        for path, source, line, pattern in listing.ignore_rules(output):
            place = f"{_shown_source(self.repository.top, source)}:{line.decode()}"
            self._ignored[path] = _Ignored(place, whole=pattern == b"*")

    def _without_endless_rules(self, paths: list[bytes]) -> list[bytes]:
        """Leave out what git would wait for ever to label: a FIFO or a device holds its rules."""
        files = {
            folder: self._full(_join(folder, b".gitignore")) for folder in folders_above(paths)
        }
        endless = {folder for folder, file in files.items() if _is_endless(file)}
        self.unread |= {_join(folder, b".gitignore") for folder in endless}
        if not endless:
            return paths
        return [path for path in paths if endless.isdisjoint(folders_above([path]))]

    def _is_ignored_whole(self, closed: Closed) -> bool:
        """Tell whether an ignored folder hides all that is in it.

        A folder with a `.gitignore` that says `*` is not ignored itself: venv, uv, mypy write such.
        """
        own = self._ignored.get(closed.path + b"/.gitignore")
        return closed.path in self._ignored or (own is not None and own.whole)

    def _wants_own_rule(self, path: bytes) -> bool:
        closed = self.paths.get(path)
        if closed is None or closed.nested or closed.submodule or path in self.commit.only_in_index:
            return False
        return closed.path not in self._ignored and path not in self._ignored

    # -- one path

    def _entry(self, path: bytes) -> Entry:
        visibility, hidden_by = self._visibility(path)
        leads_outside = os.path.islink(self._full(path)) and self.leads_outside(path)
        flags = (Flag.SYMLINK_OUTSIDE,) if leads_outside else ()
        return Entry(os.fsdecode(path), visibility, flags, hidden_by)

    def _visibility(self, path: bytes) -> tuple[Visibility, str | None]:
        if path in self.commit.only_in_index or path in self.commit.staged_elsewhere:
            return Visibility.STAGED_ELSEWHERE, None
        closed = self.paths[path]
        if closed is not None and closed.submodule:
            return self._submodule_visibility(path, closed)
        if ignored := self._ignored.get(path) or (closed and self._ignored.get(closed.path)):
            return Visibility.IGNORED, ignored.source
        line = f"?? {printable(os.fsdecode(closed.path))}/" if closed is not None else None
        if closed is not None and closed.nested:
            return Visibility.NESTED_REPOSITORY, line
        # git passes over every folder called .git, whatever it is.
        return Visibility.UNTRACKED, _UNSEEN if b"/.git/" in b"/" + path else line

    def _submodule_visibility(self, path: bytes, closed: Closed) -> tuple[Visibility, str | None]:
        if not closed.nested:
            return Visibility.UNTRACKED, _UNSEEN  # a gitlink over a plain folder
        shown = printable(os.fsdecode(closed.path))
        if row := self._submodule_files(closed.path).get(path):
            if disk.differs(os.fsdecode(self._full(path)), row.mode, row.oid):
                return Visibility.MODIFIED, f" M {shown}"
            return Visibility.SUBMODULE, f"the submodule {shown}"
        is_ignored = self._is_ignored_in(closed.path, path[len(closed.path) + 1 :])
        return Visibility.NESTED_REPOSITORY, _UNSEEN if is_ignored else f" M {shown}"

    def _is_ignored_in(self, submodule: bytes, path: bytes) -> bool:
        inner = nested_repository(self.repository, os.fsdecode(self._full(submodule)))
        command = ("check-ignore", "-q", "-z", "--no-index", "--stdin")
        (done,) = inner.run(command, stdin=listing.plain_paths([path]))
        return done.code == 0

    @functools.cache  # noqa: B019 (one inventory a process)
    def _submodule_files(self, path: bytes) -> dict[bytes, Row]:
        """Return the files of the commit that a gitlink names, those of its submodules included."""
        found: dict[bytes, Row] = {}
        gitlink = self.commit.index.row(path)
        todo = [(path, gitlink.oid if gitlink else "HEAD")]
        while todo:
            folder, oid = todo.pop()
            for row in self._files_of(folder, oid):
                row = row._replace(path=folder + b"/" + row.path)
                if row.mode == "160000":
                    todo.append((row.path, row.oid))
                else:
                    found[row.path] = row
        return found

    def _files_of(self, folder: bytes, oid: str) -> list[Row]:
        """List a commit of the repository in `folder`; while it is not fetched, the current one."""
        full = self._full(folder)
        if not os.path.lexists(os.path.join(full, b".git")):
            return []
        inner = nested_repository(self.repository, os.fsdecode(full))
        command = ("ls-tree", "-r", "-z", "--full-tree")
        known, current = inner.run((*command, oid), (*command, "HEAD"))
        return Listing(known.stdout if known.code == 0 else current.stdout).rows((b"",))

    def leads_outside(self, path: bytes) -> bool:
        """Tell whether a link ends outside the working tree."""
        top = os.path.realpath(os.fsencode(self.repository.top))
        return not os.path.realpath(self._full(path)).startswith(top + os.fsencode(os.sep))

    def _full(self, path: bytes) -> bytes:
        return os.path.join(os.fsencode(self.repository.top), path)


def _join(folder: bytes, name: bytes) -> bytes:
    return folder + b"/" + name if folder else name


def _is_endless(path: bytes) -> bool:
    """Tell whether a file is none of those that git reads and is done with."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _shown_source(top: str, source: bytes) -> str:
    """Return a pattern's file without a place of this machine."""
    path = os.path.normpath(os.fsdecode(source))
    if not os.path.isabs(path):
        return printable(path)
    if path.startswith(top + os.sep):
        return printable(os.path.relpath(path, top))
    return "core.excludesFile"
