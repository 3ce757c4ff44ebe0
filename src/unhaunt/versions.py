"""Versions of Python, and how a set of them is said in words. Pure: no IO."""

from __future__ import annotations

import re
from collections.abc import Iterable

#: minor versions of Python 3 that this tool makes claims about
SUPPORTED = frozenset(range(8, 16))


def spoken(minors: Iterable[int]) -> str:
    """Return for example "3.8-3.12 and 3.15"."""
    runs: list[list[int]] = []
    for minor in sorted(minors):
        if runs and runs[-1][-1] == minor - 1:
            runs[-1].append(minor)
        else:
            runs.append([minor])
    return " and ".join(f"3.{r[0]}" if len(r) == 1 else f"3.{r[0]}-3.{r[-1]}" for r in runs)


def only_on(minors: frozenset[int], among: frozenset[int] = SUPPORTED) -> str:
    """Return "" for all of `among`, else for example " on Python 3.15 only"."""
    return "" if minors == among else f" on Python {spoken(minors)} only"


_CLAUSE = r"(===|==|~=|!=|<=|>=|<|>|\^|~)?\s*v?(\d+)(?:\.(\d+))?(\.[\d*]+)*[\w.*+!-]*\s*"


def allowed(requires: str | None) -> frozenset[int]:
    """Return the supported minor versions that a `requires-python` admits (PEP 440, poetry's `^`).

    A specifier that cannot be read admits all: the checks then say more, not less.
    """
    admitted = SUPPORTED
    for clause in (requires or "").split(","):
        match = re.fullmatch(_CLAUSE, clause.strip())
        if match:
            admitted &= _admitted(match)
    return admitted or SUPPORTED


def _admitted(match: re.Match[str]) -> frozenset[int]:
    operator, major, minor, patch = match[1] or "==", int(match[2]), match[3], match[4]
    if major != 3:
        return SUPPORTED
    least = int(minor or 0)
    exact = patch is not None and patch != ".*"
    tests = {
        ">=": lambda m: m >= least,
        ">": lambda m: m >= least if exact else m > least,
        "<": lambda m: m <= least if exact and patch != ".0" else m < least,
        "<=": lambda m: m <= least,
        "==": lambda m: minor is None or m == least,
        "===": lambda m: m == least,
        "!=": lambda m: exact or m != least,
        "~=": lambda m: m == least if exact else m >= least,
        "^": lambda m: m >= least,
        "~": lambda m: minor is None or m == least,
    }
    return frozenset(filter(tests[operator], SUPPORTED))
