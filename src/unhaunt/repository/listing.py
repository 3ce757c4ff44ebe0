"""What git's listings mean. Pure: bytes in, values out.

Sources: git-ls-files(1) OUTPUT, git-ls-tree(1) Output format, git-diff-index(1) Raw output format,
git-check-ignore(1) OUTPUT, git-check-attr(1) OUTPUT; all with `-z`.
"""

from __future__ import annotations

import functools
from collections.abc import Collection, Iterator
from typing import NamedTuple


class Row(NamedTuple):
    """One path of a commit or an index. `tag` is the letter of `ls-files -v`."""

    path: bytes
    mode: str
    oid: str
    tag: str = "H"


class Listing:
    """The paths of an index (`ls-files -z -s -v`) or a commit (`ls-tree -r -z`).

    The records stay as git wrote them: a value for each of 100,000 paths costs too much time and
    memory on every commit, and few of them are ever asked for.
    """

    def __init__(self, output: bytes) -> None:
        self.records = output.split(b"\0")
        self.records.pop()
        if b"160000 commit " in output:  # `ls-tree` of a gitlink: the one record of another width
            self.records = [
                b"160000 blob " + record[14:] if record.startswith(b"160000 commit ") else record
                for record in self.records
            ]
        self._start = self.records[0].index(b"\t") + 1 if self.records else 0
        self._by_path: dict[bytes, bytes] = {}

    def names(self) -> set[bytes]:
        """Return every path."""
        start = self._start
        return {record[start:] for record in self.records}

    def rows(self, suffixes: tuple[bytes, ...], words: tuple[bytes, ...] = ()) -> list[Row]:
        """Return the rows whose path ends with a suffix or contains a word; each path once."""
        found: dict[bytes, Row] = {}
        for record in (*self._ending(suffixes), *self._containing(words)):
            row = self._row(record)
            found.setdefault(row.path, row)
        return list(found.values())

    def rows_in(self, folders: Collection[bytes], suffixes: tuple[bytes, ...]) -> list[Row]:
        """Return the rows with a suffix whose path lies directly in one of `folders`."""
        start = self._start
        return [
            self._row(record)
            for record in self._ending(suffixes)
            if record[start:].rpartition(b"/")[0] in folders
        ]

    def paths(self, suffixes: tuple[bytes, ...], word: bytes = b"") -> list[bytes]:
        """Return the paths that end with a suffix and contain `word`."""
        start = self._start
        return [record[start:] for record in self._ending(suffixes) if word in record]

    def _ending(self, suffixes: tuple[bytes, ...]) -> list[bytes]:
        if b"" in suffixes:
            return self.records
        groups = self._by_extension
        extensions = {_extension(suffix) for suffix in suffixes}
        records = [record for e in extensions for record in groups.get(e, ())]
        return [record for record in records if record.endswith(suffixes)]

    @functools.cached_property
    def _by_extension(self) -> dict[bytes, list[bytes]]:
        """The records by what follows their last dot, so that each question reads a few of them."""
        groups: dict[bytes, list[bytes]] = {}
        for record in self.records:
            extension = record[record.rfind(b".") + 1 :]
            if extension in groups:
                groups[extension].append(record)
            else:
                groups.setdefault(_extension(record), []).append(record)
        return groups

    def _containing(self, words: tuple[bytes, ...]) -> list[bytes]:
        return [record for word in words for record in self.records if word in record]

    def row(self, path: bytes) -> Row | None:
        """Return the row of `path`; of an unmerged one, the first."""
        if not self._by_path:
            start = self._start
            self._by_path = {record[start:]: record for record in reversed(self.records)}
        record = self._by_path.get(path)
        return self._row(record) if record is not None else None

    @property
    def oid_length(self) -> int:
        """Return how many digits an object id has here: 40, or 64 for SHA-256."""
        return len(self._row(self.records[0]).oid) if self.records else 40

    def gitlinks(self) -> set[bytes]:
        """Return the paths that point to a commit of another repository."""
        return {self._row(r).path for r in self.records if b"160000 " in r[:9]}

    def _row(self, record: bytes) -> Row:
        fields = record[: self._start - 1].decode("ascii").split(" ")
        if len(fields) == 4:  # TAG MODE OID STAGE
            return Row(record[self._start :], fields[1], fields[2], fields[0])
        return Row(record[self._start :], fields[0], fields[2])  # MODE TYPE OID


def _extension(name: bytes) -> bytes:
    extension = name[name.rfind(b".") + 1 :]
    # Without a dot in its last component a name has none.
    return b"" if b"/" in extension or b"\t" in extension or extension == name else extension


class Change(NamedTuple):
    """One line of `diff-index --raw`: a status letter and the blob on the index's side."""

    path: bytes
    status: str
    oid: str


def changes(output: bytes) -> Iterator[Change]:
    """Yield the changes of `diff-index -z --raw --no-renames`."""
    fields = iter(output.split(b"\0")[:-1])
    for meta in fields:
        words = meta.decode("ascii").split(" ")
        yield Change(next(fields), words[4][:1], words[3])


def ignore_rules(output: bytes) -> Iterator[tuple[bytes, bytes, bytes, bytes]]:
    """Yield (path, source, line, pattern) of `check-ignore -z -v` for the ignored paths."""
    fields = output.split(b"\0")
    for i in range(0, len(fields) - 3, 4):
        source, line, pattern, path = fields[i : i + 4]
        if source and not pattern.startswith(b"!"):
            yield path, source, line, pattern


def attribute_values(output: bytes) -> Iterator[tuple[bytes, str, str]]:
    """Yield (path, attribute, value) of `check-attr -z` for what is not unspecified."""
    fields = output.split(b"\0")
    for i in range(0, len(fields) - 2, 3):
        path, attribute, value = fields[i : i + 3]
        if value != b"unspecified":
            yield path, attribute.decode(), value.decode("utf-8", "backslashreplace")


def blobs(output: bytes) -> Iterator[bytes | None]:
    """Yield the contents of `cat-file --batch`, in order; None for an object that is missing."""
    at = 0
    while at < len(output):
        end = output.index(b"\n", at)
        words = output[at:end].split(b" ")
        at = end + 1
        if len(words) != 3 or not words[2].isdigit():
            yield None
            continue
        size = int(words[2])
        yield output[at : at + size]
        at += size + 1


def modified(output: bytes) -> Iterator[bytes]:
    """Yield the paths that `status --porcelain=v2 -z` shows as changed in the working tree."""
    for record in output.split(b"\0"):
        if record[:2] == b"1 ":
            fields = record.split(b" ", 8)
            if fields[1][1:] != b".":
                yield fields[8]
        elif record[:2] == b"u ":
            yield record.split(b" ", 10)[10]
