"""Edge: contents out of git's object store, by id, without ever fetching one.

In a partial clone git fetches what it lacks, and before 2.45 no setting keeps it from trying. So
what is lacking there is asked for first, by `rev-list --missing=print`, which never fetches.
Sources: git-rev-list(1), git-cat-file(1).
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from unhaunt.repository import listing
from unhaunt.repository.git import Repository

#: bytes of one blob that are read; a longer one is too large to judge
LARGEST = 64 << 20
_AT_ONCE = 128 << 20  # bytes of one answer of git
_PROMISOR = r"^(extensions\.partialclone|remote\..*\.promisor)$"


class Blob(NamedTuple):
    """The bytes of a blob, or why there are none ("" when there are)."""

    data: bytes = b""
    trouble: str = ""


class Blobs:
    """The blobs that a commit or a tree holds; each is read once."""

    def __init__(self, repository: Repository, commit: str) -> None:
        self._repository = repository
        self._commit = commit
        self._known: dict[str, Blob] = {}

    @functools.cached_property
    def lacking(self) -> frozenset[str]:
        """The ids of objects that a partial clone does not have; empty for another clone."""
        (promised,) = self._repository.run(("config", "-z", "--get-regexp", _PROMISOR))
        if promised.code != 0:
            return frozenset()
        command = ("rev-list", "--objects", "--missing=print", "--no-walk", self._commit)
        lines = self._repository.output(*command).split(b"\n")
        return frozenset(line[1:].decode() for line in lines if line.startswith(b"?"))

    def read(self, oids: Iterable[str]) -> list[Blob]:
        """Return the contents of blobs, in order."""
        wanted = list(oids)
        self._load(dict.fromkeys(oid for oid in wanted if oid not in self._known))
        return [self._known[oid] for oid in wanted]

    def holding(self, oids: Iterable[str], words: Iterable[bytes]) -> Iterator[str]:
        """Yield the ids of blobs, of those that are here, that hold one of `words`."""
        import re

        pattern = re.compile(b"|".join(map(re.escape, words)))
        for oid, data in self._contents(self._sizes([o for o in oids if o not in self.lacking])):
            if pattern.search(data):
                yield oid

    def _load(self, oids: Iterable[str]) -> None:
        here = []
        for oid in oids:
            self._known[oid] = Blob(trouble="its content is not in this clone")
            if oid not in self.lacking:
                here.append(oid)
        sizes = self._sizes(here)
        self._known |= {
            oid: Blob(trouble=f"larger than the {LARGEST >> 20} MiB that are read of a file")
            for oid, size in sizes.items()
            if size > LARGEST
        }
        self._known |= {oid: Blob(data) for oid, data in self._contents(sizes)}

    def _sizes(self, oids: list[str]) -> dict[str, int]:
        """Return the sizes of the blobs that are here."""
        if not oids:
            return {}
        stdin = "".join(f"{oid}\n" for oid in oids).encode()
        lines = self._repository.output("cat-file", "--batch-check", stdin=stdin).split(b"\n")
        words = (line.decode().split(" ") for line in lines)
        return {w[0]: int(w[2]) for w in words if len(w) == 3 and w[1] == "blob"}

    def _contents(self, sizes: dict[str, int]) -> Iterator[tuple[str, bytes]]:
        for group in _groups({oid: size for oid, size in sizes.items() if size <= LARGEST}):
            stdin = "".join(f"{oid}\n" for oid in group).encode()
            output = self._repository.output("cat-file", "--batch", stdin=stdin)
            for oid, data in zip(group, listing.blobs(output), strict=True):
                if data is not None:
                    yield oid, data


def _groups(sizes: dict[str, int]) -> Iterator[list[str]]:
    """Yield ids in groups that are not too large to be read at once."""
    group: list[str] = []
    total = 0
    for oid, size in sizes.items():
        if group and total + size > _AT_ONCE:
            yield group
            group, total = [], 0
        group.append(oid)
        total += size
    if group:
        yield group
