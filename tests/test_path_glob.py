"""Globs of allow entries."""

from __future__ import annotations

import pytest

from unhaunt.path_glob import matches, matches_everything

MATCHES = [
    ("sitecustomize.py", "sitecustomize.py", True),
    ("*.pth", "a.pth", True),
    ("*.pth", "a/b.pth", False),
    ("tests/fixtures/**/*.pth", "tests/fixtures/a.pth", True),
    ("tests/fixtures/**/*.pth", "tests/fixtures/a/b/c.pth", True),
    ("tests/fixtures/**/*.pth", "tests/other/a.pth", False),
    ("tests/**", "tests/a/b", True),
    ("tests/**", "tests", False),
    ("a?.py", "ab.py", True),
    ("a?.py", "a/.py", False),
    ("[ab].py", "b.py", True),
    ("[!ab].py", "b.py", False),
    ("a+b.py", "a+b.py", True),
    ("a.py", "aXpy", False),
]
EVERYTHING = [
    ("**", True),
    ("*", True),
    ("**/*", True),
    ("*/**", True),
    ("**/*.*", True),
    ("*.pth", False),
    ("a/**", False),
]


@pytest.mark.parametrize(("glob", "path", "expected"), MATCHES)
def test_matches(glob: str, path: str, expected: bool) -> None:
    assert matches(glob, path) is expected


@pytest.mark.parametrize(("glob", "expected"), EVERYTHING)
def test_matches_everything(glob: str, expected: bool) -> None:
    assert matches_everything(glob) is expected
