"""Which project a folder of a repository belongs to, and which modules are first-party there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from unhaunt.resolving.own_modules import own_names, own_roots, project_around

#: where one stands -> the project around it
STANDING = {
    ".": ".",
    "docs": ".",
    "one": "one",
    "one/src": "one",
    "one/tests/deep": "one",
    "two": "two",
    "three": ".",
}


@pytest.fixture
def top(tmp_path: Path) -> Path:
    """A repository of two projects, and a folder that is none."""
    for name in (
        "root_module.py", "docs/conf.py", "one/pyproject.toml", "one/src/mine.py",
        "one/tests/deep/test_a.py", "two/setup.py", "two/yours/__init__.py", "three/a.py",
    ):  # fmt: skip
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    return Path(os.path.realpath(tmp_path))


@pytest.mark.parametrize("standing", STANDING)
def test_the_project_around_a_folder(standing: str, top: Path) -> None:
    found = project_around(str(top / standing), str(top))
    assert os.path.relpath(found, top) == STANDING[standing]


@pytest.mark.parametrize(
    ("standing", "names", "roots"),
    [
        (".", ["root_module"], ["."]),
        ("one/tests", ["mine", "root_module"], ["one", "one/src", "."]),
        ("two", ["yours", "root_module"], ["two", "."]),
    ],
)
def test_its_modules_and_the_roots_are_ours(
    standing: str, names: list[str], roots: list[str], top: Path
) -> None:
    assert list(own_names(str(top / standing), str(top))) == names
    assert [os.path.relpath(r, top) for r in own_roots(str(top / standing), str(top))] == roots


def test_a_folder_outside_belongs_to_the_root(top: Path) -> None:
    (top.parent / f"{top.name}-sibling").mkdir()
    assert project_around(f"{top}-sibling", str(top)) == str(top)
