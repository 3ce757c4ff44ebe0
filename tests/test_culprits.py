"""The search for causes, as an algorithm: what it names, and how often it asks."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from math import log2

import pytest

from unhaunt.running.culprits import Ends, Unstable, causes, confirmed, most_runs


def found(count: int, *together: frozenset[int]) -> tuple[set[frozenset[int]], int]:
    """Search where any of these sets, as a whole, makes the outcome; return them and the count."""
    asked: list[frozenset[int]] = []

    def haunted(kept: frozenset[int]) -> bool:
        asked.append(kept)
        return any(one <= kept for one in together)

    return set(causes(count, haunted, lambda gone: gone)), len(asked)


def runs_of(count: int, *together: frozenset[int]) -> tuple[set[frozenset[int]], int]:
    """Search as `run --bisect` does; return what is named and all runs, the ends included."""
    ran: list[frozenset[int]] = []

    def run(kept: frozenset[int]) -> str:
        ran.append(kept)
        return "red" if any(one <= kept for one in together) else "green"

    before = 3  # as it is, twice, and the clean end
    ends = Ends("red", "green", before, most_runs(count))
    return set(confirmed(count, ends, run, lambda gone: gone)), len(ran) + before


def shapes(some: tuple[int, ...]) -> Iterator[list[frozenset[int]]]:
    """Yield the ways for some culprits to act: together, each alone, one and the others."""
    yield [frozenset(some)]
    yield [frozenset({one}) for one in some]
    if len(some) > 2:
        yield [frozenset(some[:1]), frozenset(some[1:])]


@pytest.mark.parametrize("count", range(1, 21))
def test_no_search_takes_more_runs_than_promised(count: int) -> None:
    """2 * k * log2(n) + 4, wherever the culprits stand and however they act."""
    for size in (1, 2, 3):
        for some in itertools.combinations(range(count), size):
            for together in shapes(some):
                named, runs = runs_of(count, *together)
                assert named == set(together)
                assert runs <= 2 * size * log2(count) + 4


def test_the_promise_holds_for_many() -> None:
    numbers = random.Random(6)
    for _ in range(300):
        count = numbers.randint(8, 200)
        size = numbers.randint(1, 5)
        cause = frozenset(numbers.sample(range(count), size))
        named, runs = runs_of(count, cause)
        assert named == {cause}
        assert runs <= 2 * size * log2(count) + 4


@pytest.mark.parametrize("count", range(1, 17))
def test_the_clean_end_is_seen_twice_before_anything_is_named(count: int) -> None:
    """Once more as itself, or in the run that leaves out the culprit alone."""
    for culprit in range(count):
        ran: list[frozenset[int]] = []

        def run(kept: frozenset[int], ran: list[frozenset[int]] = ran) -> str:
            ran.append(kept)
            return "red" if ran[-1] and culprit in kept else "green"  # noqa: B023

        ends = Ends("red", "green", 3, most_runs(count))
        assert next(confirmed(count, ends, run, lambda gone: gone)) == {culprit}
        assert {frozenset[int](), frozenset(range(count)) - {culprit}} & set(ran)


@pytest.mark.parametrize("count", range(1, 9))
def test_a_clean_end_that_ends_otherwise_is_told(count: int) -> None:
    """Whatever else the runs come to: red at the repetition is never blamed on an ingredient."""
    with pytest.raises(Unstable) as told:
        list(confirmed(count, Ends("red", "green", 3, most_runs(count)), lambda _: "red", _same))
    assert told.value.args == ("red",)


def _same(gone: frozenset[int]) -> frozenset[int]:
    return gone


def test_nothing_is_asked_about_nothing() -> None:
    assert found(0) == (set(), 0)


def test_what_goes_with_a_carrier_is_not_blamed_as_well() -> None:
    def haunted(kept: frozenset[int]) -> bool:
        return 0 in kept

    def gone(some: frozenset[int]) -> frozenset[int]:
        return some | {1, 2} if 0 in some else some

    assert list(causes(4, haunted, gone)) == [frozenset({0})]
