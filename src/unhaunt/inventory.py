"""What is in the tree, and who can see it: the words that rules use. Pure: no IO.

Paths are `str`, POSIX, relative to the root of the working tree, decoded by `os.fsdecode`, so
that a name which is not UTF-8 survives the round trip. `text.printable` is how they are shown.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Protocol
else:
    Protocol = object  # a protocol takes milliseconds to build, on every commit


class Visibility(enum.Enum):
    """How a reviewer would (not) see a path. Every path has exactly one."""

    COMMITTED = "committed"
    STAGED = "staged"
    STAGED_ELSEWHERE = "staged-not-in-this-commit"  # in the index, not in the commit under way
    MODIFIED = "modified"
    INTENT_TO_ADD = "intent-to-add"
    UNTRACKED = "untracked"
    IGNORED = "ignored"
    NESTED_REPOSITORY = "nested-repository"
    SUBMODULE = "submodule"


class Flag(enum.Enum):
    """What else keeps a change of a path out of sight."""

    SKIP_WORKTREE = "skip-worktree"
    ASSUME_UNCHANGED = "assume-unchanged"
    FOLDED_BY_ATTRIBUTE = "folded-by-attribute"
    SYMLINK_OUTSIDE = "symlink-outside"


class Entry(NamedTuple):
    """One path, and how it can (not) be seen."""

    path: str
    visibility: Visibility | None  # None: a file of an interpreter, which is nothing to git
    flags: tuple[Flag, ...] = ()
    hidden_by: str | None = None  # "?? tools/", ".gitignore:1", …: what keeps it out of sight
    oid: str | None = None  # the blob in the commit under judgement; None when not in it
    mode: str | None = None  # "100644", "100755", "120000", "160000"; None when not in it

    @property
    def name(self) -> str:
        """Return the last component."""
        return self.path.rpartition("/")[2]

    @property
    def folder(self) -> str:
        """Return the folder, "" for the root."""
        return self.path.rpartition("/")[0]

    @property
    def in_commit(self) -> bool:
        """Tell whether the commit under judgement has this path."""
        return self.oid is not None and self.visibility is not Visibility.INTENT_TO_ADD


class Content(NamedTuple):
    """Bytes that stand for a path: in the commit under judgement, in the working tree, or both."""

    data: bytes
    where: str  # "index" or "working tree"
    complete: bool = True  # False when the file is longer than what is read of it


class Skipped(NamedTuple):
    """A folder that was not looked into, and why. `kind` is a word to count by."""

    path: str
    kind: str
    reason: str


class Counts(NamedTuple):
    """How many paths of each class a run has looked at."""

    tracked: int
    untracked: int
    ignored: int
    only_tracked: bool = False  # others were looked for, and there are none, as in a clean clone


class Inventory(Protocol):
    """What a rule may ask. `worktree.WorkingTree` answers from a real repository.

    It is compared by identity: what is worked out of it once is kept for the run.
    """

    def __hash__(self) -> int:
        """Return the hash of this very object."""

    @property
    def changed(self) -> frozenset[str] | None:
        """Return the paths that the change under way touches; None outside a hook."""

    def has(self, path: str) -> bool:
        """Tell whether the commit under judgement has this file."""

    def has_folder(self, path: str) -> bool:
        """Tell whether the commit under judgement has a file below this folder."""

    def tracked(self, suffix: str, word: str = "") -> tuple[str, ...]:
        """Return the paths of the commit that end with `suffix` and contain `word`."""

    def tracked_in(self, folders: frozenset[str]) -> tuple[Entry, ...]:
        """Return the committed modules in `folders`, and the `__init__` of packages there."""

    def tracked_files(
        self, suffixes: tuple[str, ...], words: tuple[str, ...], wanted: Callable[[str], bool]
    ) -> tuple[Entry, ...]:
        """Return what `select` would find in the commit alone, if its path is `wanted`."""

    @property
    def loose(self) -> tuple[str, ...]:
        """Return the paths that the commit does not have, in folders of which it has something."""

    @property
    def closed(self) -> tuple[str, ...]:
        """Return the highest folders of which it has nothing, but Python could load something."""

    def below(self, folder: str) -> tuple[str, ...]:
        """Return the paths that Python could load, below one of `closed`."""

    def select(self, suffixes: tuple[str, ...], words: tuple[str, ...] = ()) -> tuple[Entry, ...]:
        """Return the paths, in any visibility, that end with a suffix or contain a word."""

    def entries(self, paths: Iterable[str]) -> tuple[Entry, ...]:
        """Return what is known of `paths`; unknown ones are left out."""

    def committed(self, entries: Iterable[Entry]) -> Iterable[tuple[Entry, bytes]]:
        """Yield each entry that the commit has, with its content there."""

    def contents(self, entry: Entry) -> tuple[Content, ...]:
        """Return the content in the commit and the one on disk; one of them when they are equal."""

    def mentioning(self, words: Iterable[bytes]) -> tuple[Entry, ...]:
        """Return the committed files that hold one of `words`, in one pass over their contents."""

    def mentioning_sources(self, words: Iterable[str]) -> tuple[Entry, ...]:
        """Return at least the committed Python sources that hold one of `words`."""

    def hidden(self, entries: Iterable[Entry]) -> tuple[Entry, ...]:
        """Return those that differ on disk from the commit while git shows them clean."""

    def attributes(self, paths: Iterable[str]) -> dict[str, dict[str, str]]:
        """Return the git attributes of `paths` that fold a file away, by path."""

    def kind_on_disk(self, path: str) -> str | None:
        """Return "folder", "file" or None for a path relative to the root; links are followed."""

    def startup_folders(self) -> frozenset[str]:
        """Return the folders that directly hold a tracked startup module."""

    def is_installed(self, path: str) -> bool:
        """Tell whether a file on disk equals the RECORD of the package installed around it."""
