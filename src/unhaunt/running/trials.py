"""What is known of a command after some runs of it. Pure: no IO."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from unhaunt.running.ingredients import Ingredient
from unhaunt.running.outcome import Outcome
from unhaunt.running.setting import Started


class Found(NamedTuple):
    """A module that a run took from where it should not have."""

    module: str
    path: str
    because: str


class Ran(NamedTuple):
    """What one run came to."""

    outcome: Outcome
    seconds: float
    tail: str
    report: Mapping[str, Any] | None  # what its Python said of itself; None: nothing was said


class Leg(NamedTuple):
    """One rung that was run, and what it imported from where it should not have."""

    name: str
    removed: tuple[str, ...]
    ran: Ran
    outside: tuple[Found, ...] = ()
    uncommitted: tuple[Found, ...] = ()
    own: tuple[tuple[str, str], ...] = ()  # first-party top-level modules, and their files


class Search(NamedTuple):
    """What a bisection found out."""

    among: int = 0
    causes: tuple[tuple[Ingredient, ...], ...] = ()
    flaky: str | None = None  # the counts, when a command's outcome is not its own
    problem: str | None = None
    unreached: tuple[str, ...] = ()  # startup code that no trial could leave out everywhere


class Result(NamedTuple):
    """Everything that is known at the end, or when it was interrupted."""

    started: Started
    legs: tuple[Leg, ...]
    search: Search | None
    runs: int
    interrupted: bool
    has_root: bool  # sys.path[0] is a root of this checkout, and was put back
    in_repository: bool
    toplevel: str | None = None


class Check(NamedTuple):
    """One answer; `passed` is None when there was nothing to check, or it could not be done."""

    name: str
    passed: bool | None
    because: str
    next: str


class Verified(NamedTuple):
    """The four answers, the fingerprint that they rest on, and how another machine answered."""

    checks: tuple[Check, ...]
    fingerprint: dict[str, Any]
    story: tuple[str, ...] | None  # how it differs from the baseline's; None: it had no checks

    @property
    def trust(self) -> bool:
        """Tell whether nothing failed, and whether what was run is known."""
        open_ones = {check.name for check in self.checks if check.passed is None}
        failed = any(check.passed is False for check in self.checks)
        return not failed and open_ones.isdisjoint(("isolated", "origins"))


class Baseline(NamedTuple):
    """The other machine: its fingerprint, and its checks when it was `verify` that it ran."""

    name: str
    fingerprint: dict[str, Any] | None
    checks: Mapping[str, bool | None]
    is_verify: bool = False  # the file is what `verify` wrote, not a fingerprint
