"""The hints, run in a shell as a user would paste them: each does what it says."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import pytest

from tests.repository import Repository, run


class Row(NamedTuple):
    """A repository, the finding whose hint is run, and what is then no longer found."""

    make: Callable[[Repository], None]
    finding: str


def _staged(repo: Repository) -> None:
    repo.write({"sitecustomize.py": ""})
    repo.add("sitecustomize.py")


def _modified(repo: Repository) -> None:
    repo.commit({"a.pth": "import os\n"})
    repo.write({"a.pth": "import sys\n"})


def _ignored_and_imported(repo: Repository) -> None:
    repo.commit({".gitignore": "helper.py\n", "app.py": "import helper\n"})
    repo.write({"helper.py": ""})


def _package_of_a_standard_name(repo: Repository) -> None:
    repo.commit({"README": ""})
    repo.write({"email/__init__.py": "", "email/a.py": ""})


def _loose(name: str) -> Callable[[Repository], None]:
    return lambda repo: repo.write({name: "import os\n"})


ROWS = {
    "a committed startup file": Row(
        lambda repo: repo.commit({"sitecustomize.py": ""}), "sitecustomize.py UH101"),
    "a staged startup file": Row(_staged, "sitecustomize.py UH101"),
    "an edited one": Row(_modified, "a.pth:1 UH102"),
    "an untracked one": Row(_loose("x.pth"), "x.pth:1 UH102"),
    "one whose name begins with a dash": Row(_loose("-rf.pth"), "-rf.pth:1 UH102"),
    "one whose name has a line break": Row(_loose("a\nb.pth"), "a\\nb.pth:1 UH102"),
    "one whose name has a quote": Row(_loose("it's.pth"), "it's.pth:1 UH102"),
    "one whose name is not UTF-8": Row(_loose("\udcff.pth"), "\\xff.pth:1 UH102"),
    "an ignored module that is imported": Row(_ignored_and_imported, "helper.py UH201"),
    "a package of a standard name": Row(_package_of_a_standard_name, "email/__init__.py UH202"),
}  # fmt: skip


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_a_hint_can_be_pasted(row: Row, repo: Repository) -> None:
    row.make(repo)
    found = repo.check().json()["findings"]
    (hint,) = (
        f["hint"]
        for f in found
        if f"{f['path']}{':1' if f['line'] else ''} {f['code']}" == row.finding
    )
    done = run("bash", "-c", hint.rpartition(": ")[2], cwd=repo.path)
    assert done.code == 0, (hint, done)
    assert row.finding not in repo.findings()


@pytest.mark.parametrize("name", ["*.pth", "[ab].pth", "?.pth", "::x.pth", ":!x.pth", "a\\b.pth"])
def test_a_hint_is_about_no_other_file(name: str, repo: Repository) -> None:
    """To git a path is a pattern: as one, `git rm -- '*.pth'` takes every `.pth`."""
    repo.write({name: "import os\n", "a.pth": "import os\n", "b.pth": "import os\n"})
    repo.git("add", ".")
    repo.git("commit", "-q", "-m", "x")
    (hint,) = (f["hint"] for f in repo.check().json()["findings"] if f["path"] == name)
    done = run("bash", "-c", hint.rpartition(", or the file: ")[2], cwd=repo.path)
    assert done.code == 0, (hint, done)
    assert repo.findings() == {"a.pth:1 UH102", "b.pth:1 UH102"}
