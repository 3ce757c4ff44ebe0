"""Modules that no package lists, on one of two boxes alone: nothing else tells these apart."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import interpreters
from tests.commandline import Done, environment, unhaunt
from tests.test_story import git
from tests.test_where import files, site_of
from unhaunt.interpreters import loose_modules

PYTHON = interpreters.at_least(3, 13)


class Box:
    """A checkout and an environment in a folder of their own, of which fingerprints are taken."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.repo = files(root / "repo", {"pkg/__init__.py": ""})
        git(self.repo, "init", "-q")
        git(self.repo, "add", ".")
        git(self.repo, "commit", "-qm", "x")
        self.python = interpreters.venv(PYTHON, root / "venv")
        self.site = site_of(self.python)
        self.added = root / "venv/added"
        self.env = environment(root, PYTHONPATH=str(self.added))

    def dep(self, *records: str) -> None:
        """Install a distribution of one module, as far as its RECORD has it."""
        files(self.site, {"dep.py": "", "dep-1.dist-info/METADATA": ""})
        if records:
            (self.site / "dep-1.dist-info/RECORD").write_text("".join(f"{r}\n" for r in records))

    def taken(self, *words: str) -> Path:
        """Take a fingerprint into a file."""
        file = self.root / "fp.json"
        asked = ("fingerprint", "--python", self.python, "--output", file, *words)
        done = unhaunt(*asked, cwd=self.repo, env=self.env)
        assert done.code == 0, done
        return file


@pytest.fixture
def boxes(tmp_path: Path) -> tuple[Box, Box]:
    names = ("one", "other")
    for name in names:
        (tmp_path / name).mkdir()
    one, other = (Box(tmp_path / name) for name in names)
    return one, other


def compared(one: Box, other: Box, *words: str) -> Done:
    return unhaunt("compare", one.taken(*words), other.taken(*words), cwd=one.root)


def an_unowned_module(one: Box, other: Box) -> str:
    files(other.site, {"loose.py": ""})
    return "site-packages: loose.py on remote only"


def one_that_wins_over_a_package(one: Box, other: Box) -> str:
    for box in (one, other):
        box.dep("dep.py,,")
    files(other.site, {"dep/__init__.py": ""})
    return "site-packages: dep/__init__.py on remote only"


def a_distribution_without_its_list(one: Box, other: Box) -> str:
    one.dep("dep.py,,")
    other.dep()
    return "site-packages: dep.py on remote only"


def a_module_in_a_folder_of_pythonpath(one: Box, other: Box) -> str:
    for box in (one, other):
        files(box.added, {"same.py": "A = 1"})
    files(one.added, {"json.py": ""})
    return "<environment>/added: json.py on local only"


def other_contents_of_the_same_module(one: Box, other: Box) -> str:
    files(one.added, {"mine/__init__.py": "A = 1"})
    files(other.added, {"mine/__init__.py": "A = 2"})
    return "<environment>/added: mine/__init__.py with another content"


def other_contents_of_a_zip(one: Box, other: Box) -> str:
    for box, text in ((one, "A = 1"), (other, "A = 2")):
        with zipfile.ZipFile(box.added, "w") as file:
            file.writestr("dep.py", text)
    return "<environment>/added: the file itself with another content"


PLANTED: tuple[Callable[[Box, Box], str], ...] = (
    an_unowned_module, one_that_wins_over_a_package, a_distribution_without_its_list,
    a_module_in_a_folder_of_pythonpath, other_contents_of_the_same_module, other_contents_of_a_zip,
)  # fmt: skip


@pytest.mark.parametrize("plant", PLANTED)
def test_what_one_box_has_alone_is_a_difference(
    plant: Callable[[Box, Box], str], boxes: tuple[Box, Box]
) -> None:
    words = plant(*boxes)
    done = compared(*boxes)
    assert "modules that no installed package lists, in <environment>/" in done.out
    assert words in done.out
    assert ("do-not-trust" in done.out, "haunted" in done.out, done.code) == (True, True, 1)


def test_the_same_modules_in_other_folders_are_no_difference(boxes: tuple[Box, Box]) -> None:
    for box in boxes:
        files(box.added, {"mine.py": "A = 1"})
        files(box.site, {"loose.py": ""})
    done = compared(*boxes)
    assert (done.code, "verdict: trust" in done.out) == (0, True)
    one, other = (json.loads((box.root / "fp.json").read_text()) for box in boxes)
    assert one["digest"] == other["digest"]
    assert [sorted(row["hashes"]) for row in one["modules"]] == [["mine.py"], ["loose.py"]]


def test_quick_fingerprints_have_them_too(boxes: tuple[Box, Box]) -> None:
    an_unowned_module(*boxes)
    assert "loose.py on remote only" in compared(*boxes, "--quick").out


def test_more_than_the_bound_is_unknown(boxes: tuple[Box, Box]) -> None:
    for box in boxes:
        files(box.added, {f"m{n}.py": "" for n in range(loose_modules.NAMES + 1)})
    done = compared(*boxes)
    assert "not looked at" in done.out
    assert ("do-not-trust" in done.out, done.code) == (True, 1)
