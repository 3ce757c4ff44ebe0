"""Edge: the commit under judgement: its paths, what is staged in it, and the contents of its blobs.

It is the index; at pre-push it is the commit that is pushed. What costs a process of its own is
asked for when it is first needed.
"""

from __future__ import annotations

import functools
import os
from typing import NamedTuple

from unhaunt.errors import UserError
from unhaunt.repository import listing
from unhaunt.repository.git import DIFF_INDEX, WITH_OTHERS, Repository, checked
from unhaunt.repository.listing import Answers, Listing, Others, Row, beside_index, folders_above

_EMPTY_BLOBS = (
    "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
    "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
)
EMPTY_TREES = {
    40: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    64: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
}


class Scope(NamedTuple):
    """What is judged: the index, or `revision`; and against what a hook's change is measured."""

    revision: str | None = None  # PRE_COMMIT_TO_REF, at pre-push
    base: str | None = None  # PRE_COMMIT_FROM_REF
    in_hook: bool = False
    deep: bool = False


class Commit:
    """The index or a commit. Raises `UserError` when git cannot answer. Paths are bytes."""

    def __init__(self, repository: Repository, answers: Answers, scope: Scope) -> None:
        self.repository = repository
        self.scope = scope
        self._answers = answers
        self.listing = self.index = Listing(answers.files)
        if scope.revision:
            command = ("ls-tree", "-r", "-z", "--full-tree", scope.revision)
            self.listing = Listing(repository.output(*command))

    @property
    def is_index(self) -> bool:
        """Tell whether the index is judged, not a commit that is there already."""
        return self.listing is self.index

    def has(self, path: bytes) -> bool:
        """Tell whether the commit will have `path`."""
        return path in self.listing and path not in self.intent_to_add

    def has_folder(self, path: bytes) -> bool:
        """Tell whether the commit will have something below `path`; the root it always has."""
        if not self.intent_to_add:
            return self.listing.has_folder(path)
        return path in self._folders

    @functools.cached_property
    def _folders(self) -> set[bytes]:
        return folders_above(self.listing.names() - self.intent_to_add)

    @functools.cached_property
    def only_in_index(self) -> frozenset[bytes]:
        """Paths of the index that the commit does not have."""
        if self.is_index:
            return frozenset()
        return frozenset(self.index.names() - self.listing.names())

    @functools.cached_property
    def others(self) -> Others:
        """What lies in the working tree and is not in the index."""
        if self._answers.others:
            return self._answers.others
        (done,) = self.repository.run(WITH_OTHERS)
        return beside_index(checked(done, "ls-files"), done.stderr)[0]

    # -- what is staged

    @functools.cached_property
    def staged(self) -> dict[bytes, listing.Change]:
        """What the index changes of HEAD."""
        output = self._answers.staged
        if output is None:
            output = self.repository.output(*DIFF_INDEX, self._head)
        return {change.path: change for change in listing.changes(output)}

    @property
    def _head(self) -> str:
        return self.repository.head or EMPTY_TREES[self.index.oid_length]

    @functools.cached_property
    def intent_to_add(self) -> frozenset[bytes]:
        """Paths of `git add -N`: in the index with an empty blob, in no commit made from it."""
        if not self.is_index:
            return frozenset()
        empty = {c.path for c in self.staged.values() if c.status == "A" and c.oid in _EMPTY_BLOBS}
        if not empty:
            return frozenset()
        output = self.repository.output(*DIFF_INDEX, "--ita-invisible-in-index", self._head)
        return frozenset(empty - {change.path for change in listing.changes(output)})

    @functools.cached_property
    def staged_elsewhere(self) -> frozenset[bytes]:
        """Paths of the user's own index, while `git commit PATH` works with a temporary one."""
        repository = self.repository
        own = repository.own_index_file
        if repository.index_file == own or not os.path.exists(own):
            return frozenset()
        if os.path.basename(repository.index_file) == "index.lock":
            return frozenset()  # `git commit -a`: it has everything that the own index has
        output = repository.with_index(own).output("ls-files", "-z")
        return frozenset(output.split(b"\0")[:-1]) - self.index.names()

    @functools.cached_property
    def changed(self) -> frozenset[bytes]:
        """Paths that the change under way touches: what is staged, or what is pushed."""
        if self.scope.revision and self.scope.base:
            command = ("diff-tree", "-r", "-z", "--name-only", "--no-renames")
            output = self.repository.output(*command, self.scope.base, self.scope.revision)
            return frozenset(output.split(b"\0")[:-1])
        return frozenset(self.staged)

    # -- contents

    def blobs(self, oids: list[str]) -> list[bytes]:
        """Return the contents of blobs. Raises `UserError` when one is missing."""
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

    def start_of_blob(self, oid: str, cap: int) -> tuple[bytes, bool]:
        """Return the first `cap` bytes of a blob, and whether that is all of it."""
        (done,) = self.repository.run(("cat-file", "blob", oid), most=cap + 1)
        return done.stdout[:cap], len(done.stdout) <= cap

    def is_commit(self, revision: str) -> bool:
        """Tell whether a revision names a commit of this repository."""
        command = ("rev-parse", "--verify", "-q", "--end-of-options", f"{revision}^{{commit}}")
        return self.repository.run(command)[0].code == 0

    def at_revision(self, revision: str, path: str) -> bytes | None:
        """Return the content of `path` in another commit, or None when it has none."""
        (done,) = self.repository.run(("cat-file", "blob", f"{revision}:{path}"))
        return done.stdout if done.code == 0 else None

    @functools.cached_property
    def without_filters(self) -> Repository:
        """The repository with its filters switched off."""
        return self.repository.without_filters()

    def shown_as_modified(self, rows: list[Row]) -> frozenset[bytes]:
        """Return those that git, with the user's own settings, says are modified.

        Filters are off, so that none runs; what differs by a filter alone is then shown too.
        """
        if not self.is_index:
            return frozenset(row.path for row in rows)
        paths = [f":(top,literal){os.fsdecode(row.path)}" for row in rows]
        command = ("status", "--porcelain=v2", "-z", "-uno", "--no-renames")
        output = self.without_filters.output(*command, "--ignore-submodules=all", "--", *paths)
        return frozenset(listing.modified(output))

    # -- a search through the contents

    def mentioning(self, words: list[bytes]) -> list[bytes]:
        """Return the paths of the commit that hold one of `words`; one pass over its blobs."""
        where = (self.scope.revision,) if self.scope.revision else ("--cached",)
        if any(b"\0" in word for word in words):
            return self._mentioning_with_nul(words, where)
        command = (*_GREP, "-F", "-f", "-", *where, "--")
        return self._names_found(
            self.repository.output(*command, stdin=_lines(words), codes=(0, 1))
        )

    def _mentioning_with_nul(self, words: list[bytes], where: tuple[str, ...]) -> list[bytes]:
        """Search for words of which some hold a NUL (UTF-16): only PCRE can spell those.

        A git that was built without it is asked for the others.
        """
        pattern = "|".join(map(_quoted_for_pcre, words))
        (done,) = self.repository.run((*_GREP, "-P", "-e", pattern, *where, "--"))
        if done.code > 1 and b"PCRE" in done.stderr.upper():
            return self.mentioning([word for word in words if b"\0" not in word])
        return self._names_found(checked(done, "grep", (0, 1)))

    def mentioning_on_disk(self, words: list[bytes], paths: str) -> set[bytes]:
        """Return at least the paths, of those that match a pathspec, that hold one of `words`.

        git reads the files on disk, which is several times faster than its objects; what may
        differ there from the commit is returned whatever it holds.
        """
        if self.scope.revision:
            command = (*_GREP, "-F", "-f", "-", self.scope.revision, "--", paths)
            found = self.repository.output(*command, stdin=_lines(words), codes=(0, 1))
            return set(self._names_found(found))
        grep, dirty = self.without_filters.run(
            (*_GREP, "-F", "-f", "-", "--", paths),
            (*_DIFF_FILES, "--", paths),
            stdin=_lines(words),
        )  # fmt: skip
        names = self._names_found(checked(grep, "grep", (0, 1)))
        return {*names, *checked(dirty, "diff-files").split(b"\0")[:-1]}

    def _names_found(self, output: bytes) -> list[bytes]:
        start = len(self.scope.revision) + 1 if self.scope.revision else 0
        return [name[start:] for name in output.split(b"\0")[:-1]]


_DIFF_FILES = ("diff-files", "-z", "--name-only", "--no-renames", "--ignore-submodules=all")
_GREP = ("grep", "-l", "-z", "-a", "--full-name", "--no-textconv")
_PLAIN = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"


def _lines(words: list[bytes]) -> bytes:
    return b"".join(word + b"\n" for word in words)


def _quoted_for_pcre(word: bytes) -> str:
    return "".join(chr(c) if c in _PLAIN else f"\\x{c:02x}" for c in word)
