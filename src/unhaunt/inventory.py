"""What is in the tree, and who can see it. The values here are pure; `git.take` fills them.

Paths are `str`, POSIX, relative to the root of the working tree, decoded by `os.fsdecode`, so
that a name which is not UTF-8 survives the round trip. `text.printable` is how they are shown.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable
from typing import NamedTuple, Protocol


class Visibility(enum.Enum):
    """How a reviewer would (not) see a path. Every path has exactly one."""

    COMMITTED = "committed"
    STAGED = "staged"
    STAGED_ELSEWHERE = "staged-not-in-this-commit"  # in the real index, not in `git commit PATH`'s
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
    visibility: Visibility
    flags: tuple[Flag, ...] = ()
    hidden_by: str | None = None  # what hides it: "?? tools/", ".gitignore:1", …
    oid: str | None = None  # the blob in the commit under judgement; None when not in it
    mode: str | None = None  # "100644", "100755", "120000", "160000"; None when not in it

    @property
    def name(self) -> str:
        """Return the last component."""
        return self.path.rpartition("/")[2]


class Inventory(Protocol):
    """What a rule may ask. `git.Inventory` answers from a real repository."""

    #: paths that the change under way touches; None outside a hook
    changed: frozenset[str] | None

    def mentioning(self, words: Iterable[bytes]) -> tuple[Entry, ...]:
        """Return the committed files whose content holds one of `words`, in one pass."""

    def committed(self, entries: Iterable[Entry]) -> Iterable[tuple[Entry, bytes]]:
        """Yield each entry with its content in the commit under judgement."""
