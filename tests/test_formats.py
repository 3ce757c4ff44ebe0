"""Every format of a check: one exit code, one set of findings, and no raw name in any of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given

from tests.hostile import examples, report, texts
from tests.repository import UNHAUNT, Repository, run
from unhaunt.report.formats import FORMATS, chosen


def _clean(repo: Repository) -> None:
    repo.commit({"README": ""})


def _warned(repo: Repository) -> None:
    repo.commit({".env": "PYTHONPATH=src\n"})


def _rejected(repo: Repository) -> None:
    repo.commit({"x.pth": "import os\n", "sitecustomize.py": "", ".env": "PYTHONPATH=/a\n"})


def _allowed(repo: Repository) -> None:
    repo.commit({
        "x.pth": "import os\n",
        "pyproject.toml": '[[tool.unhaunt.allow]]\nrule = "UH102"\npath = "x.pth"\nreason = "r"\n',
    })  # fmt: skip


def _unparsable(repo: Repository) -> None:
    repo.commit({"compose.yaml": "services: [\n  PYTHONPATH: ${X:\n"})


def _misconfigured(repo: Repository) -> None:
    repo.commit({"x.pth": "import os\n", "pyproject.toml": "[tool.unhaunt]\nno = 1\n"})


#: what is planted, the arguments, the exit code
OUTCOMES: dict[str, tuple[Callable[[Repository], None], tuple[str, ...], int]] = {
    "nothing": (_clean, (), 0),
    "a warning": (_warned, (), 0),
    "a warning that counts": (_warned, ("--strict",), 1),
    "errors": (_rejected, (), 1),
    "errors, quietly": (_rejected, ("-q",), 1),
    "an accepted one": (_allowed, (), 0),
    "a file that cannot be read": (_unparsable, (), 0),
    "one that has to be": (_unparsable, ("--strict",), 2),
    "a configuration that is wrong": (_misconfigured, (), 2),
    "a name that nobody knows": (_clean, ("UH999",), 2),
}


@pytest.mark.parametrize("row", OUTCOMES.values(), ids=OUTCOMES)
def test_the_exit_code_does_not_depend_on_the_format(
    row: tuple[Callable[[Repository], None], tuple[str, ...], int], repo: Repository, tmp_path: Path
) -> None:
    make, words, code = row
    make(repo)
    for name in FORMATS:
        done = run(*UNHAUNT, "check", "--format", name, *words, cwd=repo.path)
        assert (done.code, "Traceback" in done.err) == (code, False), (name, done)
        written = tmp_path / name
        again = run(
            *UNHAUNT, "check", "--format", name, "--output", str(written), *words, cwd=repo.path
        )
        assert (again.code, again.out) == (code, "")
        assert (written.read_text() if written.exists() else "") == done.out


@pytest.mark.parametrize("name", FORMATS)
@examples
@given(text=texts)
def test_no_format_shows_a_raw_character(name: str, text: str) -> None:
    shown = chosen(name).render(report(text), verbose=True, quiet=False)
    assert all(line.isprintable() for line in shown.split("\n"))


def test_a_file_name_is_no_command_in_text_either(repo: Repository) -> None:
    repo.write({"::error::x.pth": "import os\n", "a ##[group]b.pth": "import os\n"})
    lines = run(*UNHAUNT, "check", cwd=repo.path).out.split("\n")
    assert lines[0].startswith("./::error::x.pth:1: UH102")
    assert not any(line.lstrip().startswith("::") or "##[" in line for line in lines)
