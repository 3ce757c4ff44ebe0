"""Edge: the inventory of a real repository. One pass that all rules of a run share.

git gives the listing and the labels, `walk` finds what git keeps to itself, and whatever costs a
process of its own is asked for when a rule first needs it.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from unhaunt import disk, listing
from unhaunt.errors import UserError
from unhaunt.git import Repository, checked
from unhaunt.inventory import Content, Counts, Entry, Flag, Skipped, Visibility
from unhaunt.listing import Listing, Row
from unhaunt.text import printable
from unhaunt.walk import BUDGET, Closed, Found, Walk, parents

_EMPTY_BLOBS = (
    "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
    "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
)
_EMPTY_TREES = {
    40: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    64: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
}
_MODULE_SUFFIXES = (b".py", b".pyc", b".so", b".pyd")
_FOLDING = ("diff", "linguist-generated")


class Scope(NamedTuple):
    """What is judged: the index, or `revision`; and against what a hook's change is measured."""

    revision: str | None = None  # PRE_COMMIT_TO_REF, at pre-push
    base: str | None = None  # PRE_COMMIT_FROM_REF
    in_hook: bool = False
    deep: bool = False


class _Ignored(NamedTuple):
    source: str  # "FILE:LINE" of the pattern
    whole: bool  # everything below is ignored too


class WorkingTree:
    """The `inventory.Inventory` of a working tree. Raises `UserError` when git cannot answer."""

    def __init__(self, repository: Repository, scope: Scope = Scope()) -> None:  # noqa: B008 (immutable)
        self.repository = repository
        self.scope = scope
        self.index = Listing(repository.output("ls-files", "-z", "-s", "-v"))
        self.commit = self.index
        if scope.revision:
            tree = repository.output("ls-tree", "-r", "-z", "--full-tree", scope.revision)
            self.commit = Listing(tree)
        self._index_names = self.index.names()
        self._commit_names = self._index_names if self.commit is self.index else self.commit.names()

    @functools.cached_property
    def walk(self) -> Walk:
        """What is on disk beside the index."""
        names = self._index_names
        walk = Walk(self.repository.top, names, self.repository.common_dir)
        gitlinks = self.index.gitlinks()
        walk.open_folders(parents(names) - gitlinks, gitlinks)
        self._ask_ignored([*walk.loose, *self._askable(walk.closed)])
        walk.closed_folders(self._is_ignored_whole, None if self.scope.deep else BUDGET)
        return walk

    def _askable(self, closed: Iterable[Closed]) -> Iterator[bytes]:
        # `check-ignore` gives up on a path inside a submodule.
        for folder in closed:
            if not folder.submodule:
                yield folder.path
                if os.path.lexists(self._full(folder.path + b"/.gitignore")):
                    yield folder.path + b"/.gitignore"

    @functools.cached_property
    def _ignored(self) -> dict[bytes, _Ignored]:
        return {}

    def _ask_ignored(self, paths: list[bytes]) -> None:
        if not paths:
            return
        output = self.repository.output(
            "check-ignore", "-z", "-v", "-n", "--no-index", "--stdin",
            stdin=b"\0".join(paths) + b"\0", codes=(0, 1),
        )  # fmt: skip
        for path, source, line, pattern in listing.ignore_rules(output):
            place = f"{_shown_source(self.repository.top, source)}:{line.decode()}"
            self._ignored[path] = _Ignored(place, whole=pattern == b"*")

    def _is_ignored_whole(self, closed: Closed) -> bool:
        """Tell whether an ignored folder hides all that is in it.

        A folder with a `.gitignore` that says `*` is not ignored itself: venv, uv, mypy write such.
        """
        own = self._ignored.get(closed.path + b"/.gitignore")
        return closed.path in self._ignored or (own is not None and own.whole)

    @functools.cached_property
    def _hidden_in_index(self) -> frozenset[bytes]:
        """Paths of the index that the commit under judgement does not have."""
        return frozenset(self._index_names - self._commit_names)

    @functools.cached_property
    def _outside(self) -> dict[bytes, Closed | None]:
        found = {path: None for path in self.walk.loose}
        inside = {f.path: f.closed for f in self.walk.inside}
        return {**found, **inside}

    @functools.cached_property
    def outside(self) -> tuple[str, ...]:
        late = [*self._hidden_in_index, *self._intent_to_add]
        return tuple(sorted(os.fsdecode(p) for p in {*self._outside, *late}))

    @functools.cached_property
    def tracked(self) -> frozenset[str]:
        names = self._commit_names - self._intent_to_add
        return frozenset(map(os.fsdecode, names))

    def tracked_in(self, folders: frozenset[str]) -> tuple[str, ...]:
        wanted = frozenset(map(os.fsencode, folders))
        found = []
        for name in self._commit_names:
            if name.endswith(_MODULE_SUFFIXES):
                folder, _, last = name.rpartition(b"/")
                if last.startswith(b"__init__."):
                    folder = folder.rpartition(b"/")[0] if folder else b"\0"
                if folder in wanted:
                    found.append(os.fsdecode(name))
        return tuple(sorted(found))

    @property
    def skipped(self) -> tuple[Skipped, ...]:
        """Return the folders that were not looked into."""
        return tuple(sorted(self.walk.skipped))

    @property
    def unlisted(self) -> tuple[str, ...]:
        """Return the folders that cannot be listed although their modules can be imported."""
        return tuple(sorted(os.fsdecode(path) for path in self.walk.unlisted))

    def counts(self, *, walked: bool = True) -> Counts:
        """Count the paths looked at; without `walked`, of the commit alone."""
        if not walked:
            return Counts(len(self._commit_names), 0, 0)
        ignored = sum(path in self._ignored for path in self.walk.loose)
        untracked = len(self.walk.loose) - ignored
        hidden = {c.path for c in self.walk.closed if self._is_ignored_whole(c)}
        for path, count in self.walk.inside_count.items():
            if path in hidden:
                ignored += count
            elif not path.endswith(b"__pycache__"):
                untracked += count
        return Counts(len(self._commit_names), untracked, ignored)

    # -- what the commit has, and what is staged

    @functools.cached_property
    def _staged(self) -> dict[bytes, listing.Change]:
        head = self.repository.head
        length = len(head) if head else self._oid_length()
        done = self.repository.output(
            "diff-index", "--cached", "--raw", "-z", "--no-renames", head or _EMPTY_TREES[length]
        )
        return {change.path: change for change in listing.changes(done)}

    def _oid_length(self) -> int:
        rows = self.index.rows(lambda record: True)[:1]
        return len(rows[0].oid) if rows else 40

    @functools.cached_property
    def _intent_to_add(self) -> frozenset[bytes]:
        """Paths of `git add -N`: in the index with an empty blob, in no commit made from it."""
        if self.scope.revision:
            return frozenset()
        empty = {c.path for c in self._staged.values() if c.status == "A" and c.oid in _EMPTY_BLOBS}
        if not empty:
            return frozenset()
        tree = self.repository.head or _EMPTY_TREES[self._oid_length()]
        done = self.repository.output(
            "diff-index",
            "--cached",
            "--ita-invisible-in-index",
            "--raw",
            "-z",
            "--no-renames",
            tree,
        )
        return frozenset(empty - {change.path for change in listing.changes(done)})

    @functools.cached_property
    def _staged_elsewhere(self) -> frozenset[bytes]:
        """Paths of the user's own index, while `git commit PATH` works with a temporary one."""
        repository = self.repository
        own = repository.own_index_file
        if repository.index_file == own or not os.path.exists(own):
            return frozenset()
        if os.path.basename(repository.index_file) == "index.lock":
            return frozenset()  # `git commit -a`: it has everything that the own index has
        output = repository.with_index(own).output("ls-files", "-z")
        return frozenset(output.split(b"\0")[:-1]) - self._index_names

    @property
    def changed(self) -> frozenset[str] | None:
        if not self.scope.in_hook:
            return None
        if self.scope.revision and self.scope.base:
            names = self.repository.output(
                "diff-tree", "-r", "-z", "--name-only", "--no-renames",
                self.scope.base, self.scope.revision,
            ).split(b"\0")[:-1]  # fmt: skip
            return frozenset(map(os.fsdecode, names))
        return frozenset(map(os.fsdecode, self._staged))

    # -- entries

    def select(self, suffixes: tuple[str, ...], words: tuple[str, ...] = ()) -> tuple[Entry, ...]:
        ends = tuple(map(os.fsencode, suffixes))
        parts = tuple(map(os.fsencode, words))

        def wanted(name: bytes) -> bool:
            return name.endswith(ends) or any(part in name for part in parts)

        rows = self.commit.rows(wanted)
        late = [path for path in self._hidden_in_index if wanted(path)]
        outside = [path for path in self._outside if wanted(path)]
        found = [*self._tracked_entries(rows), *self._outside_entries([*late, *outside])]
        return tuple(sorted(found, key=lambda entry: entry.path))

    def entries(self, paths: Iterable[str]) -> tuple[Entry, ...]:
        names = [os.fsencode(path) for path in paths]
        rows = [row for name in names if (row := self.commit.row(name))]
        known = {row.path for row in rows}
        outside = [
            name
            for name in names
            if name not in known and (name in self._outside or name in self._hidden_in_index)
        ]
        found = [*self._tracked_entries(rows), *self._outside_entries(outside)]
        return tuple(sorted(found, key=lambda entry: entry.path))

    def _tracked_entries(self, rows: list[Row]) -> list[Entry]:
        differing = [row for row in rows if self._differs(row)]
        shown = self._shown_as_modified(differing) if differing else frozenset()
        found = []
        for row in rows:
            visibility = self._tracked_visibility(row, shown)
            found.append(
                Entry(
                    os.fsdecode(row.path), visibility, self._flags(row, row in differing),
                    None, row.oid, row.mode,
                )
            )  # fmt: skip
        return found

    def _tracked_visibility(self, row: Row, shown: frozenset[bytes]) -> Visibility:
        if row.path in self._intent_to_add:
            return Visibility.INTENT_TO_ADD
        if row.path in shown:
            return Visibility.MODIFIED
        staged = not self.scope.revision and row.path in self._staged
        return Visibility.STAGED if staged else Visibility.COMMITTED

    def _flags(self, row: Row, differs: bool) -> tuple[Flag, ...]:
        tag = row.tag
        if self.commit is not self.index and (indexed := self.index.row(row.path)):
            tag = indexed.tag
        flags = []
        if tag in "Ss" and os.path.lexists(self._full(row.path)):
            flags.append(Flag.SKIP_WORKTREE)
        if tag.islower():
            flags.append(Flag.ASSUME_UNCHANGED)
        if row.mode == "120000" and self._leads_outside(row.path):
            flags.append(Flag.SYMLINK_OUTSIDE)
        return tuple(flags)

    def _leads_outside(self, path: bytes) -> bool:
        top = os.path.realpath(os.fsencode(self.repository.top))
        return not os.path.realpath(self._full(path)).startswith(top + os.fsencode(os.sep))

    def _outside_entries(self, paths: list[bytes]) -> list[Entry]:
        asked = [path for path in paths if self._wants_own_rule(path)]
        self._ask_ignored(asked)
        return [self._outside_entry(path) for path in paths]

    def _wants_own_rule(self, path: bytes) -> bool:
        closed = self._outside.get(path)
        if closed is None or closed.nested or closed.submodule or path in self._hidden_in_index:
            return False
        return closed.path not in self._ignored and path not in self._ignored

    def _outside_entry(self, path: bytes) -> Entry:
        visibility, hidden_by = self._outside_visibility(path)
        flags: tuple[Flag, ...] = ()
        if os.path.islink(self._full(path)) and self._leads_outside(path):
            flags = (Flag.SYMLINK_OUTSIDE,)
        return Entry(os.fsdecode(path), visibility, flags, hidden_by)

    def _outside_visibility(self, path: bytes) -> tuple[Visibility, str | None]:
        if path in self._hidden_in_index or path in self._staged_elsewhere:
            return Visibility.STAGED_ELSEWHERE, None
        closed = self._outside[path]
        if closed is not None and closed.submodule and not closed.nested:
            return Visibility.UNTRACKED, "nothing that git prints shows it"
        if closed is not None and closed.submodule:
            return self._submodule_visibility(path, closed)
        if ignored := self._ignored.get(path) or (closed and self._ignored.get(closed.path)):
            return Visibility.IGNORED, ignored.source
        line = f"?? {printable(os.fsdecode(closed.path))}/" if closed is not None else None
        nested = closed is not None and closed.nested
        if b"/.git/" in path and not nested:
            return Visibility.UNTRACKED, "nothing that git prints shows it"
        return Visibility.NESTED_REPOSITORY if nested else Visibility.UNTRACKED, line

    def _submodule_visibility(self, path: bytes, closed: Closed) -> tuple[Visibility, str | None]:
        files = self._submodule_files(closed.path)
        shown = printable(os.fsdecode(closed.path))
        if row := files.get(path):
            if self._differs(row):
                return Visibility.MODIFIED, f" M {shown}"
            return Visibility.SUBMODULE, f"the submodule {shown}"
        if self._is_ignored_in_submodule(closed.path, path[len(closed.path) + 1 :]):
            return Visibility.NESTED_REPOSITORY, "nothing that git prints shows it"
        return Visibility.NESTED_REPOSITORY, f" M {shown}"

    def _is_ignored_in_submodule(self, submodule: bytes, path: bytes) -> bool:
        from unhaunt.git import nested_repository

        inner = nested_repository(self.repository, os.fsdecode(self._full(submodule)))
        (done,) = inner.run(
            ("check-ignore", "-q", "-z", "--no-index", "--stdin"), stdin=path + b"\0"
        )
        return done.code == 0

    @functools.cache  # noqa: B019 (one inventory a process)
    def _submodule_files(self, path: bytes) -> dict[bytes, Row]:
        """Return the files of the commit that the gitlink at `path` names, submodules of it included.

        Where that commit was not fetched yet, those of the commit that is checked out.
        """
        from unhaunt.git import nested_repository

        found: dict[bytes, Row] = {}
        gitlink = self.index.row(path)
        todo = [(path, gitlink.oid if gitlink else "HEAD")]
        while todo:
            folder, oid = todo.pop()
            if not os.path.lexists(self._full(folder + b"/.git")):
                continue
            inner = nested_repository(self.repository, os.fsdecode(self._full(folder)))
            list_files = ("ls-tree", "-r", "-z", "--full-tree")
            known, current = inner.run((*list_files, oid), (*list_files, "HEAD"))
            done = known if known.code == 0 else current
            for row in Listing(done.stdout).rows(lambda record: True):
                row = row._replace(path=folder + b"/" + row.path)
                if row.mode == "160000":
                    todo.append((row.path, row.oid))
                else:
                    found[row.path] = row
        return found

    # -- contents

    def _full(self, path: bytes) -> bytes:
        return os.path.join(os.fsencode(self.repository.top), path)

    def _differs(self, row: Row) -> bool:
        """Tell whether what is on disk is not, byte for byte, the blob; what is missing does not."""
        full = os.fsdecode(self._full(row.path))
        if row.mode == "160000" or not os.path.lexists(full):
            return False
        found = disk.stored(full, row.mode)
        if found is None or not found.complete:
            return True
        return disk.blob_oid(found.data, len(row.oid)) != row.oid

    def _shown_as_modified(self, rows: list[Row]) -> frozenset[bytes]:
        """Return those that git, with the user's own settings, says are modified.

        Filters are switched off by name, so that none runs; a file that differs only by a filter
        is then shown as modified, which it is not: see `hidden`.
        """
        if self.commit is not self.index:
            return frozenset(row.path for row in rows if row.tag == "H")
        paths = [f":(top,literal){os.fsdecode(row.path)}" for row in rows]
        command = (
            "status",
            "--porcelain=v2",
            "-z",
            "-uno",
            "--no-renames",
            "--ignore-submodules=all",
        )
        output = self._without_filters.output(*command, "--", *paths)
        return frozenset(_modified(output))

    @functools.cached_property
    def _without_filters(self) -> Repository:
        """The repository with every filter that its configuration names switched off."""
        (done,) = self.repository.run(("config", "-z", "--name-only", "--get-regexp", r"^filter\."))
        keys = set(map(os.fsdecode, done.stdout.split(b"\0")[:-1]))
        off = (f"{key}={'false' if key.endswith('.required') else ''}" for key in sorted(keys))
        return self.repository.configured(part for setting in off for part in ("-c", setting))

    def hidden(self, entries: Iterable[Entry]) -> tuple[Entry, ...]:
        suspects = [e for e in entries if e.in_commit]
        rows = [row for e in suspects if (row := self.commit.row(os.fsencode(e.path)))]
        differing = {os.fsdecode(row.path) for row in rows if self._differs(row)}
        if not differing:
            return ()
        left = differing - self._declared_conversions(differing)
        modified = {e.path for e in suspects if e.visibility is Visibility.MODIFIED} & left
        shown = modified - self._filtered(modified)
        return tuple(e for e in suspects if e.path in left and e.path not in shown)

    def _filtered(self, paths: set[str]) -> set[str]:
        """Return those that a filter applies to: with it, git may show them clean."""
        if not paths or not self._without_filters.settings:
            return set()
        return set(self._attributes(paths, ("filter",), self.repository))

    def _declared_conversions(self, paths: set[str]) -> set[str]:
        """Return those that differ by line ends alone, or by a filter that the commit declares."""
        attributes = self._attributes(paths, ("filter",), self._without_own_attributes)
        declared = {path for path, values in attributes.items() if "filter" in values}
        entries = self.entries(paths)
        for entry, data in self.committed(entries):
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

    def committed(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes]]:
        wanted = [e for e in entries if e.in_commit and e.mode != "160000"]
        missing = []
        for entry in wanted:
            found = disk.stored(os.path.join(self.repository.top, entry.path), entry.mode or "")
            oid = entry.oid or ""
            if found and found.complete and disk.blob_oid(found.data, len(oid)) == oid:
                yield entry, found.data
            else:
                missing.append(entry)
        yield from zip(missing, self._blobs([e.oid or "" for e in missing]), strict=True)

    def _blobs(self, oids: list[str]) -> list[bytes]:
        if not oids:
            return []
        stdin = "".join(f"{oid}\n" for oid in oids).encode()
        found = list(listing.blobs(self.repository.output("cat-file", "--batch", stdin=stdin)))
        if len(found) != len(oids) or None in found:
            raise UserError(
                "git cannot read an object of this commit",
                hint="run `git fsck`; in a partial clone, `git fetch --refetch`",
            )
        return [data for data in found if data is not None]

    def contents(self, entry: Entry) -> tuple[Content, ...]:
        full = os.path.join(self.repository.top, entry.path)
        on_disk = disk.read(full)
        found = []
        if entry.in_commit and entry.mode in ("100644", "100755"):
            if on_disk and not on_disk.complete:
                found.append(self._start_of_blob(entry.oid or ""))
            else:
                found += [Content(data, "index") for _, data in self.committed([entry])]
        if on_disk and not any(content.data == on_disk.data for content in found):
            found.append(Content(on_disk.data, "working tree", on_disk.complete))
        return tuple(found)

    def _start_of_blob(self, oid: str) -> Content:
        (done,) = self.repository.run(("cat-file", "blob", oid), most=disk.CAP + 1)
        return Content(done.stdout[: disk.CAP], "index", len(done.stdout) <= disk.CAP)

    def mentioning(self, words: Iterable[bytes]) -> tuple[Entry, ...]:
        where = (self.scope.revision,) if self.scope.revision else ("--cached",)
        return self.entries(self._grep(words, where))

    def mentioning_sources(self, words: Iterable[str]) -> tuple[Entry, ...]:
        """Return the committed Python sources that may hold one of `words`.

        git reads the files on disk, which is several times faster than its objects; those whose
        content there may not be the committed one are returned whatever they hold.
        """
        patterns = [os.fsencode(word) for word in words]
        if self.scope.revision:
            return self.entries(self._grep(patterns, (self.scope.revision,), ":(top,glob)**/*.py"))
        found = set(self._grep(patterns, (), ":(top,glob)**/*.py"))
        dirty = self._without_filters.output(
            "diff-files", "-z", "--name-only", "--no-renames", "--ignore-submodules=all"
        )
        found.update(os.fsdecode(n) for n in dirty.split(b"\0")[:-1] if n.endswith(b".py"))
        return self.entries(found)

    def _grep(self, words: Iterable[bytes], where: tuple[str, ...], *paths: str) -> list[str]:
        output = self.repository.output(
            "grep", "-l", "-z", "-a", "-F", "--full-name", "--no-textconv", "-f", "-", *where,
            "--", *paths, stdin=b"".join(word + b"\n" for word in words), codes=(0, 1),
        )  # fmt: skip
        start = len(self.scope.revision) + 1 if self.scope.revision else 0
        return [os.fsdecode(name[start:]) for name in output.split(b"\0")[:-1]]

    def at_revision(self, revision: str, path: str) -> bytes | None:
        """Return the content of `path` in another commit, or None when it has none."""
        (done,) = self.repository.run(("cat-file", "blob", f"{revision}:{path}"))
        return done.stdout if done.code == 0 else None

    # -- the rest

    @property
    def env_files(self) -> int:
        return 0

    def is_ignored(self, path: str) -> bool:
        """Tell whether git would ignore a path that need not exist."""
        (done,) = self.repository.run(("check-ignore", "-q", "--no-index", "--", path))
        return done.code == 0

    def attributes(self, paths: Iterable[str]) -> dict[str, dict[str, str]]:
        return self._attributes(paths, _FOLDING, self.repository)

    def _attributes(
        self, paths: Iterable[str], names: tuple[str, ...], repository: Repository | None
    ) -> dict[str, dict[str, str]]:
        stdin = b"".join(os.fsencode(path) + b"\0" for path in paths)
        if not stdin or not self._has_attributes or repository is None:
            return {}
        output = repository.output("check-attr", "--cached", "-z", "--stdin", *names, stdin=stdin)
        found: dict[str, dict[str, str]] = {}
        for path, attribute, value in listing.attribute_values(output):
            found.setdefault(os.fsdecode(path), {})[attribute] = value
        return found

    @functools.cached_property
    def _has_attributes(self) -> bool:
        local = os.path.join(self.repository.common_dir, "info", "attributes")
        return os.path.lexists(local) or any(
            record.endswith(b".gitattributes") for record in self.index.records
        )

    def kind_on_disk(self, path: str) -> str | None:
        full = os.path.join(self.repository.top, path)
        if os.path.isdir(full):
            return "folder"
        return "file" if os.path.isfile(full) else None

    def is_installed(self, path: str) -> bool:
        from unhaunt.record import is_recorded

        return is_recorded(self.repository.top, path)

    @functools.cache  # noqa: B019 (one inventory a process)
    def startup_folders(self) -> frozenset[str]:
        from unhaunt.importable import is_startup_module, startup_folder

        words = (b"sitecustomize", b"usercustomize")
        rows = self.commit.rows(lambda record: any(word in record for word in words))
        paths = [os.fsdecode(row.path) for row in rows]
        return frozenset(startup_folder(path) for path in paths if is_startup_module(path))


def _modified(output: bytes) -> Iterator[bytes]:
    for record in output.split(b"\0"):
        if record[:2] == b"1 ":
            fields = record.split(b" ", 8)
            if fields[1][1:] != b".":
                yield fields[8]
        elif record[:2] == b"u ":
            yield record.split(b" ", 10)[10]


def _shown_source(top: str, source: bytes) -> str:
    """Return a pattern's file without a place of this machine: all output is the same everywhere."""
    path = os.path.normpath(os.fsdecode(source))
    if not os.path.isabs(path):
        return printable(path)
    if path.startswith(top + os.sep):
        return printable(os.path.relpath(path, top))
    return "core.excludesFile"
