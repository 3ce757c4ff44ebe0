"""Edge: the inventory of a commit that is not checked out: its tree, in any kind of clone.

Nothing of a working tree or an index is looked at, and nothing is fetched. What a rule asked for
and could not get is kept in `not_read`.
"""

from __future__ import annotations

import contextlib
import functools
import os
import tempfile
from collections.abc import Iterable, Iterator

from unhaunt.envfiles.names import choose
from unhaunt.errors import UserError
from unhaunt.inventory import Content, Counts, Entry, Flag, Visibility
from unhaunt.repository import disk, listing
from unhaunt.repository.blobs import Blobs
from unhaunt.repository.commit import Commit, Scope
from unhaunt.repository.git import Repository
from unhaunt.repository.listing import Answers, Row
from unhaunt.repository.tracked_paths import TrackedPaths

_FOLDING = ("diff", "linguist-generated")
_LINK, _SUBMODULE = "120000", "160000"
_MOST_LINKS = 40  # as Linux follows


class CommitTree(TrackedPaths):
    """The `inventory.Inventory` of a commit or a tree. Raises `UserError` when git cannot."""

    loose: tuple[str, ...] = ()
    closed: tuple[str, ...] = ()
    changed: frozenset[str] | None = None  # what a change touches is for the caller to know

    def __init__(self, repository: Repository, commit: str) -> None:
        self.repository = repository
        self.commit = Commit(repository, Answers(b""), Scope(revision=commit))
        self.blobs = Blobs(repository, commit)
        self.not_read: dict[str, str] = {}

    def counts(self) -> Counts:
        """Count the paths."""
        return Counts(self.commit.listing.count, 0, 0)

    def below(self, folder: str) -> tuple[str, ...]:
        return ()

    # -- entries

    def select(self, suffixes: tuple[str, ...], words: tuple[str, ...] = ()) -> tuple[Entry, ...]:
        ends, parts = tuple(map(os.fsencode, suffixes)), tuple(map(os.fsencode, words))
        rows = self.commit.listing.rows(ends, parts)
        self.blobs.read(row.oid for row in rows if row.mode != _SUBMODULE)  # all in one go
        return tuple(self._tracked_entries(sorted(rows)))

    def entries(self, paths: Iterable[str]) -> tuple[Entry, ...]:
        rows = (self.commit.listing.row(os.fsencode(path)) for path in paths)
        return tuple(self._tracked_entries(sorted(row for row in rows if row)))

    def _tracked_entries(self, rows: list[Row]) -> Iterator[Entry]:
        for row in rows:
            path = os.fsdecode(row.path)
            leaves = row.mode == _LINK and self._followed(path) is None
            flags = (Flag.SYMLINK_OUTSIDE,) if leaves else ()
            yield Entry(path, Visibility.COMMITTED, flags, None, row.oid, row.mode)

    # -- contents

    def committed(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes]]:
        wanted = [entry for entry in entries if entry.mode != _SUBMODULE]
        for entry, blob in zip(wanted, self.blobs.read(e.oid or "" for e in wanted), strict=True):
            if blob.trouble:
                self.not_read[entry.path] = blob.trouble
            else:
                yield entry, blob.data

    def contents(self, entry: Entry) -> tuple[Content, ...]:
        target = self._followed(entry.path)
        row = self.commit.listing.row(os.fsencode(target)) if target else None
        if target is None:
            self.not_read[entry.path] = "a link that leaves the repository, or leads nowhere"
        if row is None or row.mode == _SUBMODULE:
            return ()
        (blob,) = self.blobs.read([row.oid])
        if blob.trouble:
            self.not_read[entry.path] = blob.trouble
            return ()
        return (Content(blob.data[: disk.CAP], "commit", len(blob.data) <= disk.CAP),)

    def mentioning(self, words: Iterable[bytes]) -> tuple[Entry, ...]:
        if not self.blobs.lacking:
            return self.entries(map(os.fsdecode, self.commit.mentioning(list(words))))
        rows = [row for row in self.commit.listing.rows((b"",)) if row.mode != _SUBMODULE]
        holding = frozenset(self.blobs.holding({row.oid for row in rows}, words))
        found = [row for row in rows if row.oid in holding or self._may_be_env_file(row)]
        return tuple(self._tracked_entries(sorted(found)))

    def _may_be_env_file(self, row: Row) -> bool:
        """Tell whether a blob that is not here is one by its name."""
        return row.oid in self.blobs.lacking and choose(os.fsdecode(row.path), "") is not None

    def mentioning_sources(self, words: Iterable[str]) -> tuple[Entry, ...]:
        return tuple(e for e in self.mentioning(map(os.fsencode, words)) if e.path.endswith(".py"))

    # -- the rest

    def hidden(self, entries: Iterable[Entry]) -> tuple[Entry, ...]:
        return ()  # that is about a working tree

    def is_installed(self, path: str) -> bool:
        return False  # that is about ignored files

    def kind_on_disk(self, path: str) -> str | None:
        target = self._followed(path)
        if target is None:
            return None
        row = self.commit.listing.row(os.fsencode(target))
        if target == "" or self.has_folder(target) or (row and row.mode == _SUBMODULE):
            return "folder"
        return "file" if row else None

    def _followed(self, path: str) -> str | None:
        """Return where a path leads when links are followed; None when out of the repository."""
        left, done, links = path.split("/"), list[str](), 0
        while left:
            part = left.pop(0)
            if part == ".." and not done:
                return None
            if part == "..":
                done.pop()
            elif part not in ("", "."):
                done.append(part)
                target = self._link("/".join(done))
                if target is not None:
                    links += 1
                    if target.startswith("/") or links > _MOST_LINKS:
                        return None
                    done.pop()
                    left = [*target.split("/"), *left]
        return "/".join(done)

    def _link(self, path: str) -> str | None:
        """Return the target of a link; None for what is no link, or cannot be read."""
        row = self.commit.listing.row(os.fsencode(path))
        if row is None or row.mode != _LINK:
            return None
        (blob,) = self.blobs.read([row.oid])
        return None if blob.trouble else os.fsdecode(blob.data)

    def attributes(self, paths: Iterable[str]) -> dict[str, dict[str, str]]:
        stdin = b"".join(os.fsencode(path) + b"\0" for path in paths)
        if not stdin or not self._attribute_files:
            return {}
        command = ("check-attr", "--cached", "-z", "--stdin", *_FOLDING)
        found: dict[str, dict[str, str]] = {}
        with self._as_index() as repository:
            output = repository.output(*command, stdin=stdin)
        for path, name, value in listing.attribute_values(output):
            found.setdefault(os.fsdecode(path), {})[name] = value
        return found

    @functools.cached_property
    def _attribute_files(self) -> tuple[Entry, ...]:
        paths = self.tracked(".gitattributes")
        return self.entries(p for p in paths if p.rpartition("/")[2] == ".gitattributes")

    @contextlib.contextmanager
    def _as_index(self) -> Iterator[Repository]:
        """Give a repository whose index is this commit: git reads attributes of no other tree.

        `check-attr --source` would, from git 2.40 on.
        """
        attributes = ("-c", f"core.attributesFile={os.devnull}")
        with _temporary_folder() as folder:
            repository = self.repository.with_index(os.path.join(folder, "index"))
            repository.output("read-tree", self.commit.scope.revision or "")
            here = {entry.path for entry, _ in self.committed(self._attribute_files)}
            absent = [os.fsencode(e.path) for e in self._attribute_files if e.path not in here]
            # git ends at one that it cannot read; `committed` has said that it was not read.
            stdin = b"".join(path + b"\0" for path in absent)
            repository.output("update-index", "-z", "--force-remove", "--stdin", stdin=stdin)
            yield repository.configured(attributes)


def _temporary_folder() -> tempfile.TemporaryDirectory[str]:
    try:
        return tempfile.TemporaryDirectory(prefix="unhaunt-")
    except OSError as error:
        raise UserError(
            f"no temporary folder, in which git reads .gitattributes: {error.strerror}",
            hint="name one that can be written to: TMPDIR=FOLDER unhaunt check --rev REV",
        ) from None
