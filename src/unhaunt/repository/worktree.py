"""Edge: the inventory of a real repository. One pass that all rules of a run share."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterable, Iterator

from unhaunt.inventory import Content, Counts, Entry, Flag, Skipped, Visibility
from unhaunt.repository import disk, listing
from unhaunt.repository.commit import Commit, Scope
from unhaunt.repository.git import Repository
from unhaunt.repository.listing import Answers, Row
from unhaunt.repository.outside import Outside
from unhaunt.repository.tracked_paths import TrackedPaths

_FOLDING = ("diff", "linguist-generated")
_UNLISTED = "it cannot be listed, but what is in it can be imported"
_ENDLESS = "a FIFO or a device, which git would wait for: nothing was taken as ignored by it"
_SOURCES = ":(top,glob)**/*.py"


class WorkingTree(TrackedPaths):
    """The `inventory.Inventory` of a working tree. Raises `UserError` when git cannot answer."""

    def __init__(self, repository: Repository, answers: Answers, scope: Scope) -> None:
        self.repository = repository
        self.commit = Commit(repository, answers, scope)
        self._outside = Outside(self.commit)

    # -- the paths

    @property
    def outside(self) -> tuple[str, ...]:
        """Return every path that Python could load and that the commit does not have."""
        below = (path for folder in self.closed for path in self.below(folder))
        return tuple(sorted({*self.loose, *below}))

    @functools.cached_property
    def loose(self) -> tuple[str, ...]:
        late = [*self.commit.only_in_index, *self.commit.intent_to_add]
        return tuple(sorted(map(os.fsdecode, {*self._outside.walk.loose, *late})))

    @functools.cached_property
    def closed(self) -> tuple[str, ...]:
        return tuple(sorted({os.fsdecode(closed.path) for closed in self._outside.walk.inside}))

    def below(self, folder: str) -> tuple[str, ...]:
        path = os.fsencode(folder)
        found = (f for closed, f in self._outside.walk.inside.items() if closed.path == path)
        return tuple(sorted(os.fsdecode(name) for paths in found for name in paths))

    @property
    def changed(self) -> frozenset[str] | None:
        if not self.commit.scope.in_hook:
            return None
        return frozenset(map(os.fsdecode, self.commit.changed))

    # -- what was looked at

    @property
    def skipped(self) -> tuple[Skipped, ...]:
        """Return the folders that were not looked into."""
        return tuple(sorted(self._outside.walk.skipped))

    @property
    def unread(self) -> tuple[tuple[str, str], ...]:
        """Return the folders and ignore files that could not be read, each with what that means."""
        walk, ignore_files = self._outside.walk, self._outside.unread
        folders = [(os.fsdecode(path) + "/", _UNLISTED) for path in walk.unlisted]
        return tuple(sorted([*folders, *((os.fsdecode(p), _ENDLESS) for p in ignore_files)]))

    def counts(self, *, walked: bool) -> Counts:
        """Count the paths looked at; without `walked`, those of the commit alone."""
        return self._outside.counts() if walked else Counts(self.commit.listing.count, 0, 0)

    # -- entries

    def select(self, suffixes: tuple[str, ...], words: tuple[str, ...] = ()) -> tuple[Entry, ...]:
        ends = tuple(map(os.fsencode, suffixes))
        parts = tuple(map(os.fsencode, words))
        outside = self._outside.matching(ends, parts)
        return self._all_entries(self.commit.listing.rows(ends, parts), outside)

    def entries(self, paths: Iterable[str]) -> tuple[Entry, ...]:
        rows, outside = [], []
        for name in map(os.fsencode, paths):
            row = self.commit.listing.row(name)
            if row is not None:
                rows.append(row)
            elif name in self.commit.only_in_index or name in self._outside.paths:
                outside.append(name)
        return self._all_entries(rows, outside)

    def _all_entries(self, rows: list[Row], outside: list[bytes]) -> tuple[Entry, ...]:
        found = [*self._tracked_entries(rows), *self._outside.entries(outside)]
        return tuple(sorted(found, key=lambda entry: entry.path))

    def _tracked_entries(self, rows: list[Row]) -> Iterator[Entry]:
        differing = [row for row in rows if self._differs(row)]
        shown = self.commit.shown_as_modified(differing) if differing else frozenset()
        for row in rows:
            visibility = self._visibility(row, shown)
            path = os.fsdecode(row.path)
            yield Entry(path, visibility, self._flags(row), None, row.oid, row.mode)

    def _visibility(self, row: Row, shown: frozenset[bytes]) -> Visibility:
        if row.path in self.commit.intent_to_add:
            return Visibility.INTENT_TO_ADD
        if row.path in shown:
            return Visibility.MODIFIED
        staged = self.commit.is_index and row.path in self.commit.staged
        return Visibility.STAGED if staged else Visibility.COMMITTED

    def _flags(self, row: Row) -> tuple[Flag, ...]:
        indexed = row if self.commit.is_index else self.commit.index.row(row.path)
        tag = indexed.tag if indexed else "H"
        flags = []
        if tag in "Ss" and os.path.lexists(self._full(row.path)):
            flags.append(Flag.SKIP_WORKTREE)
        if tag.islower():
            flags.append(Flag.ASSUME_UNCHANGED)
        if row.mode == "120000" and self._outside.leads_outside(row.path):
            flags.append(Flag.SYMLINK_OUTSIDE)
        return tuple(flags)

    # -- contents

    def _full(self, path: bytes) -> bytes:
        return os.path.join(os.fsencode(self.repository.top), path)

    @functools.cache  # noqa: B019 (one inventory a process)
    def _differs(self, row: Row) -> bool:
        return disk.differs(os.fsdecode(self._full(row.path)), row.mode, row.oid)

    def committed(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes]]:
        missing = []
        for entry in entries:
            if not entry.in_commit or entry.mode == "160000":
                continue
            found = disk.stored(os.path.join(self.repository.top, entry.path), entry.mode or "")
            oid = entry.oid or ""
            if found and found.complete and disk.blob_oid(found.data, len(oid)) == oid:
                yield entry, found.data
            else:
                missing.append(entry)
        blobs = self.commit.blobs([entry.oid or "" for entry in missing])
        yield from zip(missing, blobs, strict=True)

    def contents(self, entry: Entry) -> tuple[Content, ...]:
        on_disk = disk.read(os.path.join(self.repository.top, entry.path))
        found = []
        if entry.in_commit and entry.mode in ("100644", "100755"):
            if on_disk and not on_disk.complete:
                data, complete = self.commit.start_of_blob(entry.oid or "", disk.CAP)
                found.append(Content(data, "index", complete))
            else:
                found += [Content(data, "index") for _, data in self.committed([entry])]
        if on_disk and not any(content.data == on_disk.data for content in found):
            found.append(Content(on_disk.data, "working tree", on_disk.complete))
        return tuple(found)

    def hidden(self, entries: Iterable[Entry]) -> tuple[Entry, ...]:
        suspects = [e for e in entries if e.in_commit]
        rows = [row for e in suspects if (row := self.commit.listing.row(os.fsencode(e.path)))]
        differing = {os.fsdecode(row.path) for row in rows if self._differs(row)}
        if not differing:
            return ()
        left = differing - self._declared_conversions(differing)
        modified = {e.path for e in suspects if e.visibility is Visibility.MODIFIED} & left
        shown = modified - self._filtered(modified)
        return tuple(e for e in suspects if e.path in left and e.path not in shown)

    def _filtered(self, paths: set[str]) -> set[str]:
        """Return those that a filter applies to: with it, git may show them clean."""
        if not paths or not self.commit.without_filters.settings:
            return set()
        return set(self._attributes(paths, ("filter",), self.repository))

    def _declared_conversions(self, paths: set[str]) -> set[str]:
        """Return those that differ by line ends alone, or by a filter that the commit declares."""
        attributes = self._attributes(paths, ("filter",), self._without_own_attributes)
        declared = {path for path, values in attributes.items() if "filter" in values}
        for entry, data in self.committed(self.entries(paths)):
            found = disk.stored(os.path.join(self.repository.top, entry.path), entry.mode or "")
            # What a checkout with the `ident` attribute writes, no other text between the dollars.
            ident = b"$Id: %s $" % (entry.oid or "").encode()
            plain = found.data.replace(ident, b"$Id$") if found else b""
            if found and plain.replace(b"\r\n", b"\n") == data.replace(b"\r\n", b"\n"):
                declared.add(entry.path)
        return declared

    @property
    def _without_own_attributes(self) -> Repository | None:
        """The repository without the user's own attributes; None when this clone has some."""
        local = disk.read(os.path.join(self.repository.common_dir, "info", "attributes"))
        if local and b"filter" in local.data:
            return None
        return self.repository.configured(("-c", f"core.attributesFile={os.devnull}"))

    def mentioning(self, words: Iterable[bytes]) -> tuple[Entry, ...]:
        return self.entries(map(os.fsdecode, self.commit.mentioning(list(words))))

    def mentioning_sources(self, words: Iterable[str]) -> tuple[Entry, ...]:
        found = self.commit.mentioning_on_disk([os.fsencode(word) for word in words], _SOURCES)
        return self.entries(map(os.fsdecode, found))

    # -- the rest

    def attributes(self, paths: Iterable[str]) -> dict[str, dict[str, str]]:
        return self._attributes(paths, _FOLDING, self.repository)

    def _attributes(
        self, paths: Iterable[str], names: tuple[str, ...], repository: Repository | None
    ) -> dict[str, dict[str, str]]:
        stdin = b"".join(os.fsencode(path) + b"\0" for path in paths)
        if not stdin or not self._has_attributes or repository is None:
            return {}
        command = ("check-attr", "--cached", "-z", "--stdin", *names)
        found: dict[str, dict[str, str]] = {}
        for path, name, value in listing.attribute_values(repository.output(*command, stdin=stdin)):
            found.setdefault(os.fsdecode(path), {})[name] = value
        return found

    @functools.cached_property
    def _has_attributes(self) -> bool:
        local = os.path.join(self.repository.common_dir, "info", "attributes")
        return os.path.lexists(local) or bool(self.commit.index.paths((b".gitattributes",)))

    def is_ignored(self, path: str) -> bool:
        """Tell whether git would ignore a path that need not exist."""
        command = ("check-ignore", "-q", "-z", "--no-index", "--stdin")
        (done,) = self.repository.run(command, stdin=listing.plain_paths([os.fsencode(path)]))
        return done.code == 0

    def kind_on_disk(self, path: str) -> str | None:
        full = os.path.join(self.repository.top, path)
        if os.path.isdir(full):
            return "folder"
        return "file" if os.path.isfile(full) else None

    def is_installed(self, path: str) -> bool:
        from unhaunt.repository.record import is_recorded

        return is_recorded(self.repository.top, path)
