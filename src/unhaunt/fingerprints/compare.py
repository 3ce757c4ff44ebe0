"""How any number of fingerprints differ, and whether a green run there means anything here.

Pure: no IO. The first fingerprint is the reference ("local"). One is read at a time: of each only
what differs from the reference is kept, so a thousand cost little more than their files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from unhaunt.fingerprints.decisions import decide
from unhaunt.fingerprints.differences import KINDS, UNKNOWN, Decision, Difference, kind_of, value_of
from unhaunt.fingerprints.explain import Explanation, explained
from unhaunt.fingerprints.sides import HOMES, Side, trimmed

SCHEMA = "unhaunt.comparison/1"


class Comparison(NamedTuple):
    """The answer. `sides[0]` is the reference."""

    sides: tuple[Side, ...]
    differences: tuple[Difference, ...]
    decisions: tuple[Decision, ...]
    groups: tuple[tuple[str, ...], ...]
    odd_one_out: str | None

    @property
    def trust(self) -> bool:
        """Tell whether every other side may be trusted as a second opinion."""
        return all(decision.trust for decision in self.decisions)


def compare(sides: Iterable[Side], explanations: Sequence[Explanation] = ()) -> Comparison:
    """Compare every side with the first."""
    kept: list[Side] = []
    facts: dict[str, None] = {}
    groups: dict[str, list[str]] = {}
    for one in sides:
        new = list(differing(kept[0], one)) if kept else []
        facts.update(dict.fromkeys(new))
        groups.setdefault(one.digest, []).append(one.name)
        kept.append(trimmed(kept[0], one, new) if kept else one)
    ordered = sorted(facts, key=lambda fact: (KINDS.index(kind_of(fact)), fact))
    differences = _differences(kept, ordered, explanations)
    return Comparison(
        tuple(kept),
        differences,
        tuple(decide(kept, differences)),
        tuple(tuple(group) for group in groups.values()),
        odd_one_out(list(groups.values())),
    )


def differing(reference: Side, other: Side) -> Iterator[str]:
    """Yield the facts that differ between two sides, as far as both are known."""
    short = reference.short or other.short
    for fact in reference.facts.keys() | other.facts.keys():
        # The short script says where it stands, and not what that is a part of.
        if fact in ("cwd", "cwd.name") and (fact == "cwd") is short:
            continue
        left, right = value_of(reference, fact), value_of(other, fact)
        if left is UNKNOWN or right is UNKNOWN or left == right:
            continue
        if not _blind(fact, left, right):
            yield fact


def _blind(fact: str, left: object, right: object) -> bool:
    """Tell whether two values differ only in how closely one side looked."""
    if not isinstance(left, list | tuple) or not isinstance(right, list | tuple):
        return False
    if fact.startswith("distribution."):
        return left[0] == right[0] and bool(
            {left[1], right[1]} & {None, "not checked", "unverifiable"}
        )
    if fact.startswith("startup."):
        return left[:-1] == right[:-1] and None in (left[-1], right[-1])
    return False


def odd_one_out(groups: Sequence[Sequence[str]]) -> str | None:
    """Return the one file that differs when all others agree; there must be three or more."""
    single = [group[0] for group in groups if len(group) == 1]
    if len(groups) != 2 or sum(map(len, groups)) < 3 or len(single) != 1:
        return None
    return single[0]


def _differences(
    sides: Sequence[Side], facts: Sequence[str], explanations: Sequence[Explanation]
) -> tuple[Difference, ...]:
    found: dict[str, Difference] = {}
    reasons: dict[str, str | None] = {}
    for fact in facts:
        values = tuple(value_of(one, fact) for one in sides)
        # Modules of an entry that every side has follow from nothing.
        own = fact.startswith("modules.") and None not in values
        kind, cause = kind_of(fact), None if own else follows(fact, facts)
        reasons[fact] = explained(fact, values, explanations)
        found[fact] = Difference(fact, kind.severity, kind.signal, values, cause, reasons[fact])
    return tuple(
        one._replace(explained=one.explained or reasons[one.follows]) if one.follows else one
        for one in found.values()
    )


#: beginning of a fact -> the facts that it may be a consequence of
CAUSES = (
    ("user_site.", ("interpreter.in_venv",)),
    ("distribution.", ("interpreter.in_venv",)),
    *((f"path.{home}", ("interpreter.platform", "interpreter.version")) for home in HOMES),
    *((f"modules.{home}", ("interpreter.in_venv", "interpreter.version")) for home in HOMES),
    ("repository.dirty", ("repository.changed",)),
    ("repository.changed", ("repository.head",)),
    ("interpreter.gil", ("interpreter.version",)),
    ("interpreter.debug", ("interpreter.version",)),
)
#: distributions that come with a Python
BUNDLED = ("distribution.pip", "distribution.setuptools", "distribution.wheel")


def follows(fact: str, facts: Sequence[str]) -> str | None:
    """Return the difference that this one is only a consequence of, if any."""
    twin = f"user_site.{fact.removeprefix('distribution.')}"
    if fact.startswith("distribution.") and twin in facts:
        return twin
    if fact in BUNDLED and "interpreter.version" in facts:
        return "interpreter.version"
    entry = f"path.{fact.removeprefix('modules.')}"
    if fact.startswith("modules.") and not fact.endswith("-packages"):
        return next((cause for cause in (entry, "PYTHONPATH") if cause in facts), None)
    for begins, causes in CAUSES:
        if fact.startswith(begins):
            return next((cause for cause in causes if cause in facts), None)
    return None
