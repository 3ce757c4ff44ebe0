"""The search for causes, as an algorithm: what it names, and how often it asks."""

from __future__ import annotations

import itertools
import random
from math import ceil, log2

import pytest

from unhaunt.running.culprits import causes


def found(count: int, *together: frozenset[int]) -> tuple[set[frozenset[int]], int]:
    """Search where any of these sets, as a whole, makes the outcome; return them and the count."""
    asked: list[frozenset[int]] = []

    def haunted(kept: frozenset[int]) -> bool:
        asked.append(kept)
        return any(one <= kept for one in together)

    return set(causes(count, haunted, lambda gone: gone)), len(asked)


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 7, 8, 16, 33, 100])
def test_one_culprit_wherever_it_stands(count: int) -> None:
    for culprit in range(count):
        one = frozenset({culprit})
        named, asked = found(count, one)
        assert named == {one}
        assert asked <= 2 * ceil(log2(count))  # four more runs are the ends, twice


@pytest.mark.parametrize("count", [2, 3, 4, 6, 9, 16, 40])
def test_two_that_act_together_or_each_alone(count: int) -> None:
    for pair in itertools.combinations(range(count), 2):
        both = frozenset(pair)
        named, asked = found(count, both)
        assert named == {both}
        assert asked <= 2 * 2 * ceil(log2(count))
        alone = [frozenset({one}) for one in pair]
        named, asked = found(count, *alone)
        assert named == set(alone)
        assert asked <= 2 * 2 * ceil(log2(count))


def test_the_promise_holds_for_many() -> None:
    numbers = random.Random(6)
    for _ in range(300):
        count = numbers.randint(8, 64)
        size = numbers.randint(1, 4)
        cause = frozenset(numbers.sample(range(count), size))
        named, asked = found(count, cause)
        assert named == {cause}
        assert asked + 4 <= 2 * size * log2(count) + 4


def test_nothing_is_asked_about_nothing() -> None:
    assert found(0) == (set(), 0)


def test_what_goes_with_a_carrier_is_not_blamed_as_well() -> None:
    def haunted(kept: frozenset[int]) -> bool:
        return 0 in kept

    def gone(some: frozenset[int]) -> frozenset[int]:
        return some | {1, 2} if 0 in some else some

    assert list(causes(4, haunted, gone)) == [frozenset({0})]
