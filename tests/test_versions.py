"""`requires-python`, and sets of versions in words."""

from __future__ import annotations

import pytest

from unhaunt.versions import SUPPORTED, allowed, only_on, spoken

ALLOWED = [
    (None, "3.8-3.15"),
    ("", "3.8-3.15"),
    (">=3.9", "3.9-3.15"),
    (">=3.8,<4", "3.8-3.15"),
    (">= 3.10, < 3.13", "3.10-3.12"),
    ("~=3.9", "3.9-3.15"),
    ("~=3.9.1", "3.9"),
    ("^3.10", "3.10-3.15"),
    ("==3.11.*", "3.11"),
    (">3.8", "3.9-3.15"),
    (">3.8.1", "3.8-3.15"),
    ("<=3.9", "3.8-3.9"),
    ("!=3.10.*", "3.8-3.9 and 3.11-3.15"),
    (">=2.7", "3.8-3.15"),
    ("nonsense", "3.8-3.15"),
    (">=3.16", "3.8-3.15"),
]


@pytest.mark.parametrize(("requires", "expected"), ALLOWED)
def test_allowed(requires: str | None, expected: str) -> None:
    assert spoken(allowed(requires)) == expected


def test_only_on_is_silent_about_all() -> None:
    assert only_on(SUPPORTED) == ""
    assert only_on(frozenset({15})) == " on Python 3.15 only"
