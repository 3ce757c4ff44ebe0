"""What is known of a command after some runs of it. Pure: no IO."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from unhaunt.ingredients import Ingredient
from unhaunt.outcome import Outcome
from unhaunt.setting import Started


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


class Search(NamedTuple):
    """What a bisection found out."""

    among: int = 0
    causes: tuple[tuple[Ingredient, ...], ...] = ()
    flaky: str | None = None  # the counts, when a command's outcome is not its own
    problem: str | None = None


class Result(NamedTuple):
    """Everything that is known at the end, or when it was interrupted."""

    started: Started
    legs: tuple[Leg, ...]
    search: Search | None
    runs: int
    interrupted: bool
    has_root: bool  # sys.path[0] is a root of this checkout, and was put back
