"""What git's listings mean. Pure: bytes in, values out.

Sources: git-ls-files(1) OUTPUT, git-ls-tree(1) Output format, git-diff-index(1) Raw output format,
git-check-ignore(1) OUTPUT, git-check-attr(1) OUTPUT; all with `-z`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
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
        self._rows: dict[bytes, Row] = {}

    def names(self) -> set[bytes]:
        """Return every path."""
        start = self._start
        return {record[start:] for record in self.records}

    def rows(self, wanted: Callable[[bytes], bool]) -> list[Row]:
        """Return the rows whose record satisfies `wanted`; of an unmerged path, the first."""
        found: dict[bytes, Row] = {}
        for record in filter(wanted, self.records):
            row = self._row(record)
            found.setdefault(row.path, row)
        return list(found.values())

    def row(self, path: bytes) -> Row | None:
        """Return the row of `path`; the first call prepares all, for many questions."""
        if not self._rows:
            self._rows = {row.path: row for row in map(self._row, reversed(self.records))}
        return self._rows.get(path)

    def gitlinks(self) -> set[bytes]:
        """Return the paths that point to a commit of another repository."""
        return {row.path for row in self.rows(lambda r: b"160000" in r[:8])}

    def _row(self, record: bytes) -> Row:
        fields = record[: self._start - 1].decode("ascii").split(" ")
        if len(fields) == 4:  # TAG MODE OID STAGE
            return Row(record[self._start :], fields[1], fields[2], fields[0])
        return Row(record[self._start :], fields[0], fields[2])  # MODE TYPE OID


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
