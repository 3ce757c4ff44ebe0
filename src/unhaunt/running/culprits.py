"""The smallest sets of ingredients that flip an outcome. Pure: an algorithm over a question.

Delta debugging (Zeller and Hildebrandt, 2002) for few causes among many: each cause is found by
bisecting a prefix, as in QuickXplain (Junker, 2004). `haunted(kept)` is asked with the ingredients
that are there; it is true for all of them and false for none. A cause of k ingredients that act
together costs k * (log2(n) + 1) questions, and one more to see whether something else is left that
does the same; nothing is asked twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

Question = Callable[[frozenset[int]], bool]
Removal = Callable[[frozenset[int]], frozenset[int]]


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
