"""The smallest sets of ingredients that flip an outcome. Pure: an algorithm over a question.

Delta debugging (Zeller and Hildebrandt, 2002) for few causes among many: each cause is found by
bisecting a prefix, as in QuickXplain (Junker, 2004). `haunted(kept)` is asked with the ingredients
that are there; it is true for all of them and false for none. A cause of k ingredients that act
together costs k * (log2(n) + 1) questions, and one more to see whether something else is left that
does the same; nothing is asked twice. With both ends run twice that is at most
2 * k * log2(n) + 4 runs for all n but 3 and 5, where no order of questions is quick enough: there
the run with everything but the cause is what repeats the clean end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import ceil, log2
from typing import Generic, NamedTuple, TypeVar

Question = Callable[[frozenset[int]], bool]
Removal = Callable[[frozenset[int]], frozenset[int]]
Outcome = TypeVar("Outcome")


class Unstable(Exception):
    """The clean end, repeated, ended otherwise: the one argument is how."""


class Ends(NamedTuple, Generic[Outcome]):
    """Both ends of a search, how many runs they have taken, and how many there may be in all."""

    as_is: Outcome
    clean: Outcome
    runs: int
    most: float


def most_runs(count: int, size: int = 1) -> float:
    """Return how many runs the search for `size` culprits among `count` may take in all."""
    return 2 * size * log2(count) + 4 if count else 4


def confirmed(
    count: int, ends: Ends[Outcome], run: Callable[[frozenset[int]], Outcome], gone_with: Removal
) -> Iterator[frozenset[int]]:
    """Yield what `causes` yields, with the clean end repeated before the first is named.

    `run` is given the ingredients that are there. Raises `Unstable`.
    """
    everything = frozenset(range(count))
    known = {everything: ends.as_is, frozenset[int](): ends.clean}

    def outcome(kept: frozenset[int]) -> Outcome:
        if kept not in known:
            known[kept] = run(kept)
        return known[kept]

    def repeat() -> None:
        again = run(frozenset())
        if again != ends.clean:
            raise Unstable(again)

    is_late = ends.runs + 1 + _questions(count) > ends.most
    if not is_late:
        repeat()
    for cause in causes(count, lambda kept: outcome(kept) == ends.as_is, gone_with):
        rest = everything - gone_with(cause)
        if is_late and (not rest or outcome(rest) != ends.clean):
            repeat()
        is_late = False
        yield cause


def _questions(count: int) -> int:
    """Return how many questions the search for one culprit takes at most."""
    return ceil(log2(count)) + min(count - 1, 2) - (count == 2) if count else 0


def causes(count: int, haunted: Question, gone_with: Removal) -> Iterator[frozenset[int]]:
    """Yield each set of ingredients, of 0 to `count` - 1, that alone makes the outcome.

    `gone_with` adds to a set what is left out together with it. The sets are disjoint, and without
    all of them the outcome is the other one.
    """
    ask = _remembered(haunted, count)
    left = frozenset(range(count))
    while left and ask(left):
        found = _smallest(sorted(left), ask)
        yield found
        left -= gone_with(found)


def _remembered(haunted: Question, count: int) -> Question:
    known = {frozenset(range(count)): True, frozenset[int](): False}

    def ask(kept: frozenset[int]) -> bool:
        if kept not in known:
            known[kept] = haunted(kept)
        return known[kept]

    return ask


def _smallest(among: Sequence[int], ask: Question) -> frozenset[int]:
    """Return a smallest set within `among` that is enough; `among` is."""
    needed = frozenset[int]()
    while among and not ask(needed):
        length = _shortest_prefix(among, needed, ask)
        needed |= {among[length - 1]}
        among = among[: length - 1]
    return needed


def _shortest_prefix(among: Sequence[int], needed: frozenset[int], ask: Question) -> int:
    low, high = 0, len(among)  # a prefix of `low` is not enough, one of `high` is
    while high - low > 1:
        middle = (low + high) // 2
        if ask(needed | frozenset(among[:middle])):
            high = middle
        else:
            low = middle
    return high
