"""What git's listings mean. Pure: bytes in, values out.

Sources: git-ls-files(1) OUTPUT, git-ls-tree(1) Output format, git-diff-index(1) Raw output format,
git-check-ignore(1) OUTPUT, git-check-attr(1) OUTPUT; all with `-z`.
"""

from __future__ import annotations

import bisect
import functools
import operator
from collections.abc import Iterable, Iterator
from typing import NamedTuple


class Row(NamedTuple):
    """One path of a commit or an index. `tag` is the letter of `ls-files -v`."""

    path: bytes
    mode: str
    oid: str
    tag: str = "H"


class Others(NamedTuple):
    """What lies in the working tree and is not in the index: `ls-files -o -k --directory`.

    A folder without a file of the index is one path, with a last `/`. What takes the place of a
    file of the index, or of its folder, is among them (`-k`).
    """

    paths: list[bytes]
    complete: bool  # False: git could not list a folder


class Answers(NamedTuple):
    """What git said while the repository was being opened; None where it was not asked."""

    files: bytes  # the index: `ls-files -z -s -v`
    others: Others | None = None
    staged: bytes | None = None  # what the index changes of HEAD, as `diff-index --raw` prints it


def beside_index(output: bytes, complaints: bytes) -> tuple[Others, bytes]:
    """Split what `git.WITH_OTHERS` prints into what is not in the index, and the index."""
    found: dict[bytes, None] = {}
    at = 0
    while output.startswith((b"? ", b"K "), at):
        end = output.index(b"\0", at)
        found[output[at + 2 : end]] = None
        at = end + 1
    return Others(list(found), b"could not open directory" not in complaints), output[at:]


class Listing:
    """The paths of an index (`ls-files -z -s -v`) or a commit (`ls-tree -r -z`).

    The records stay as git wrote them, in its order, which is that of the bytes: a value for each
    of 100,000 paths costs too much time and memory on every commit, and few are ever asked for.
    """

    def __init__(self, output: bytes) -> None:
        self.records = output.split(b"\0")
        self.records.pop()
        if b"160000 commit " in output:  # `ls-tree` of a gitlink: the one record of another width
            self.records = [
                b"160000 blob " + record[14:] if record.startswith(b"160000 commit ") else record
                for record in self.records
            ]
        self._start = start = self.records[0].index(b"\t") + 1 if self.records else 0
        self._names = [record[start:] for record in self.records]
        self._joined = b"\0".join([b"", *self._names, b""])
        self._may_have_gitlinks = b"160000 " in output

    def names(self) -> set[bytes]:
        """Return every path."""
        return set(self._names)

    @functools.cached_property
    def count(self) -> int:
        """The number of paths; an unmerged one, which has up to three records, counts once."""
        again: int = sum(map(operator.eq, self._names, self._names[1:]))
        return len(self._names) - again

    def __contains__(self, path: bytes) -> bool:
        at = bisect.bisect_left(self._names, path)
        return at < len(self._names) and self._names[at] == path

    def has_folder(self, folder: bytes) -> bool:
        """Tell whether a path lies below `folder`; the root counts as one that has some."""
        if not folder:
            return True
        below = folder + b"/"
        at = bisect.bisect_left(self._names, below)
        return at < len(self._names) and self._names[at].startswith(below)

    def folders(self) -> set[bytes]:
        """Return every folder above a path, with b"" for the root."""
        return folders_above(self._names)

    def children(self, folder: bytes) -> Iterator[bytes]:
        """Yield the paths that lie directly in a folder, and its folders with a last `/`."""
        names = self._names
        prefix = folder + b"/" if folder else b""
        at = bisect.bisect_left(names, prefix)
        while at < len(names) and names[at].startswith(prefix):
            end = names[at].find(b"/", len(prefix)) + 1
            yield names[at][: end or None]
            # The first name after all that begin with `FOLDER/` would be `FOLDER0`.
            at = bisect.bisect_left(names, names[at][: end - 1] + b"0", at) if end else at + 1

    def starting(self, prefix: bytes) -> Iterator[bytes]:
        """Yield the paths that begin with `prefix`."""
        names = self._names
        at = bisect.bisect_left(names, prefix)
        while at < len(names) and names[at].startswith(prefix):
            yield names[at]
            at += 1

    def rows(self, suffixes: tuple[bytes, ...], words: tuple[bytes, ...] = ()) -> list[Row]:
        """Return the rows whose path ends with a suffix or contains a word; each path once."""
        found = dict.fromkeys((*self._ending(suffixes), *holding(self._joined, words)))
        return [row for path in found if (row := self.row(path))]

    def paths(self, suffixes: tuple[bytes, ...], word: bytes = b"") -> list[bytes]:
        """Return the paths that end with a suffix and contain `word`."""
        if not word:
            return list(self._ending(suffixes))
        return [path for path in holding(self._joined, (word,)) if path.endswith(suffixes)]

    def _ending(self, suffixes: tuple[bytes, ...]) -> Iterable[bytes]:
        return self._names if b"" in suffixes else ending(self._joined, suffixes)

    def row(self, path: bytes) -> Row | None:
        """Return the row of `path`; of an unmerged one, the first."""
        at = bisect.bisect_left(self._names, path)
        return self._row(at) if self._names[at : at + 1] == [path] else None

    @property
    def oid_length(self) -> int:
        """Return how many digits an object id has here: 40, or 64 for SHA-256."""
        return len(self._row(0).oid) if self.records else 40

    @functools.cached_property
    def gitlinks(self) -> frozenset[bytes]:
        """The paths that point to a commit of another repository."""
        records = self.records if self._may_have_gitlinks else ()
        return frozenset(r[self._start :] for r in records if b"160000 " in r[:9])

    def _row(self, at: int) -> Row:
        fields = self.records[at][: self._start - 1].decode("ascii").split(" ")
        if len(fields) == 4:  # TAG MODE OID STAGE
            return Row(self._names[at], fields[1], fields[2], fields[0])
        return Row(self._names[at], fields[0], fields[2])  # MODE TYPE OID


def holding(joined: bytes, parts: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the paths in which one of `parts` is found, out of paths with a NUL around each.

    One search through all of them as one text: a question to each takes far longer.
    """
    for part in parts:
        at = joined.find(part)
        while at >= 0:
            end = joined.find(b"\0", at)
            yield joined[joined.rfind(b"\0", 0, at) + 1 : end]
            at = joined.find(part, end)


def ending(joined: bytes, suffixes: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the paths that end with one of `suffixes`: see `holding`."""
    return holding(joined, [suffix + b"\0" for suffix in suffixes])


def folders_above(names: Iterable[bytes]) -> set[bytes]:
    """Return every folder above `names`, with b"" for the root."""
    folders = {name.rpartition(b"/")[0] for name in names}
    todo = list(folders)
    while todo:
        above = todo.pop().rpartition(b"/")[0]
        if above not in folders:
            folders.add(above)
            todo.append(above)
    return folders | {b""}


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


def plain_paths(paths: Iterable[bytes]) -> bytes:
    """Return paths as `check-ignore -z --stdin` reads them; `ignore_rules` undoes it.

    It takes them for pathspecs, where a colon begins a keyword (`:(top)`, `:!`), and knows no
    `--literal-pathspecs`.
    """
    return b"".join(b"./%b\0" % path if path.startswith(b":") else path + b"\0" for path in paths)


def ignore_rules(output: bytes) -> Iterator[tuple[bytes, bytes, bytes, bytes]]:
    """Yield (path, source, line, pattern) of `check-ignore -z -v` for the ignored paths."""
    fields = output.split(b"\0")
    for i in range(0, len(fields) - 3, 4):
        source, line, pattern, path = fields[i : i + 4]
        if source and not pattern.startswith(b"!"):
            yield path.removeprefix(b"./"), source, line, pattern


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
