"""The searches through a listing answer what a question to each path would."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from unhaunt.repository.listing import Listing, beside_index

NAMES = st.text(alphabet="ab-.0/", min_size=1, max_size=8)
PATHS = st.sets(NAMES.filter(lambda p: "//" not in p and p.strip("/") == p), max_size=12)
FOLDERS = ("", "a", "b", "a/b", "a-", "0")


def without_conflicts(paths: set[str]) -> list[bytes]:
    """Leave out what would be a file and a folder at once; sorted by bytes, as git does."""
    kept = (p for p in paths if not any(other.startswith(p + "/") for other in paths))
    return sorted(path.encode() for path in kept)


def listing(paths: list[bytes]) -> Listing:
    return Listing(b"".join(b"H 100644 " + b"0" * 40 + b" 0\t" + path + b"\0" for path in paths))


@given(PATHS)
def test_membership(found: set[str]) -> None:
    paths = without_conflicts(found)
    of = listing(paths)
    assert of.count == len(paths)
    assert all(path in of for path in paths)
    assert {name for name in (b"a", b"b", b"zz", b"a/b") if name in of} == {
        name for name in (b"a", b"b", b"zz", b"a/b") if name in paths
    }
    assert [of.row(path) is not None for path in (*paths, b"zz")] == [True] * len(paths) + [False]


@given(PATHS)
def test_folders(found: set[str]) -> None:
    paths = without_conflicts(found)
    of = listing(paths)
    for folder in map(str.encode, FOLDERS):
        below = [p for p in paths if not folder or p.startswith(folder + b"/")]
        assert of.has_folder(folder) == (bool(below) or not folder)
        start = len(folder) + 1 if folder else 0
        ends = [(p, p.find(b"/", start) + 1) for p in below]
        assert list(of.children(folder)) == list(dict.fromkeys(p[: end or None] for p, end in ends))
    above = {path[:at] for path in paths for at, byte in enumerate(path) if byte == ord("/")}
    assert of.folders() == above | {b""}


@given(PATHS)
def test_searches(found: set[str]) -> None:
    paths = without_conflicts(found)
    of = listing(paths)
    for suffixes, words in (((b".a",), ()), ((b"b", b"0"), (b"a-",)), ((), (b"a", b"b"))):
        wanted = {p for p in paths if p.endswith(suffixes) or any(w in p for w in words)}
        rows = of.rows(suffixes, words)
        assert {row.path for row in rows} == wanted
        assert len(rows) == len(wanted)
    assert sorted(of.paths((b"a",), b"b")) == [p for p in paths if p.endswith(b"a") and b"b" in p]
    assert sorted(of.paths((b"",))) == paths
    assert list(of.starting(b"a")) == [p for p in paths if p.startswith(b"a")]


def test_an_unmerged_path_counts_once() -> None:
    stages = b"".join(b"M 100644 " + b"%d" % n * 40 + b" %d\tx.py\0" % n for n in (1, 2, 3))
    of = Listing(stages)
    assert of.count == 1
    row = of.row(b"x.py")
    assert row is not None
    assert row.oid == "1" * 40


def test_what_is_beside_the_index_is_told_apart_from_it() -> None:
    index = b"H 100644 " + b"0" * 40 + b" 0\tK b\0"
    others, files = beside_index(b"? ? a\0? d/\0? x\0K x\0K e/\0" + index, b"")
    assert others.paths == [b"? a", b"d/", b"x", b"e/"]
    assert others.complete
    assert files == index
    complaint = b"warning: could not open directory 'd/': Permission denied\n"
    assert not beside_index(index, complaint)[0].complete
