"""Differences that the project's configuration explains. Pure: no IO."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

from unhaunt.errors import UserError


class Explanation(NamedTuple):
    """One `[[tool.unhaunt.explain]]` entry."""

    fact: str  # a name or a glob
    reason: str
    value: object = None


def explained(
    fact: str, values: Sequence[object], explanations: Sequence[Explanation]
) -> str | None:
    """Return the reason that the configuration gives for a difference."""
    for entry in explanations:
        if fnmatchcase(fact, entry.fact) and (
            entry.value is None or any(_is(v, entry.value) for v in values[1:] or values)
        ):
            return entry.reason
    return None


def _is(value: object, wanted: object) -> bool:
    if value == wanted or str(value) == str(wanted):
        return True
    return isinstance(value, list) and (wanted in value or str(wanted) in map(str, value))


def explanations(table: object, source: str) -> tuple[Explanation, ...]:
    """Read the `explain` entries of `[tool.unhaunt]`.

    Raises `UserError` that names the entry which is wrong.
    """
    if not isinstance(table, list | tuple):
        raise UserError(
            f"{source}: tool.unhaunt.explain is not a list of tables",
            hint="write [[tool.unhaunt.explain]]",
        )
    return tuple(_explanation(row, number, source) for number, row in enumerate(table, 1))


def _explanation(row: object, number: int, source: str) -> Explanation:
    place = f"{source}: tool.unhaunt.explain, entry {number}"
    if not isinstance(row, dict):
        raise UserError(f"{place} is not a table", hint="write [[tool.unhaunt.explain]]")
    wrong = sorted(row.keys() - {"fact", "value", "reason"})
    if wrong:
        raise UserError(
            f"{place}: unknown key {wrong[0]}", hint="its keys are fact, value and reason"
        )
    for key in ("fact", "reason"):
        if not isinstance(row.get(key), str) or not row[key].strip():
            raise UserError(
                f"{place}: {key} is missing", hint="say which fact differs, and why that is right"
            )
    return Explanation(row["fact"], row["reason"], row.get("value"))
