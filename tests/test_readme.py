"""The README's page of five commands, typed on the planted story: each line it shows is real."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
from pathlib import Path

import pytest

from tests import interpreters
from tests.commandline import unhaunt
from tests.runners import PROJECT
from unhaunt.cli import COMMANDS
from unhaunt.demonstration.planting import Machine, planted
from unhaunt.demonstration.telling import STEPS

README = (PROJECT / "README.md").read_text(encoding="utf-8")
PAGE = README.partition("\n## From a red laptop")[2].partition("\n## ")[0]
#: the exit codes, in the order of the page
CODES = [0, 0, 1, 1, 1]


def _typed() -> list[tuple[str, list[str], list[str]]]:
    """Return (machine, words, the lines shown of the answer) of each command of the page."""
    found: list[tuple[str, list[str], list[str]]] = []
    for block in re.findall(r"^```\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL):
        for line in block.splitlines():
            prompt = re.match(r"(laptop|ci)\$ unhaunt (.*)", line)
            if prompt:
                found.append((prompt[1], shlex.split(prompt[2]), []))
            else:
                found[-1][2].append(line)
    return found


@pytest.fixture
def machines(tmp_path: Path) -> dict[str, Machine]:
    """The two machines of the story, planted."""
    return planted(tmp_path.resolve())


def test_the_page_is_what_the_machines_say(machines: dict[str, Machine]) -> None:
    interpreters.needs_sitecustomize()  # the page is of a Python without one
    folder = machines["ci"].checkout.parents[1]
    minor = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    typed = _typed()
    for (name, words, shown), code in zip(typed, CODES, strict=True):
        machine = machines[name]
        done = unhaunt(*words, cwd=machine.checkout, env=machine.env)
        assert done.code == code, (words, done)
        said = done.out.replace(f"{folder}/", "/").replace(minor, "python3.13")
        lines = iter(said.replace(shlex.quote(sys.executable), "python").splitlines())
        for line in shown:  # in this order, with others between
            assert line in lines, (words, line, said)
        for file in machine.checkout.glob("*.json"):
            if name == "ci":
                shutil.copy(file, machines["laptop"].checkout)
    assert sum(len(shown) for _, _, shown in typed) > 10


def test_the_page_types_what_the_demo_types() -> None:
    ours = [(step.machine, list(step.words)) for step in STEPS if step.is_ours]
    typed = [(machine, words) for machine, words, _ in _typed()]
    assert len(typed) == 5
    assert typed == ours[:5]
    assert " ".join(ours[5][1][:2]) in PAGE, "the way out"


def test_commands_and_options_of_the_readme_exist(tmp_path: Path) -> None:
    helps = {name: unhaunt(name, "--help", cwd=tmp_path).out for name in COMMANDS}
    used = re.findall(rf"\bunhaunt ({'|'.join(COMMANDS)})\b([^`\n]*)", README)
    assert {name for name, _ in used} == set(COMMANDS)
    for name, rest in used:
        for option in re.findall(r"(?<!\S)--[a-z-]+", rest.partition(" -- ")[0]):
            assert f"{option}" in helps[name], (name, option)


def test_what_it_is_not_is_said_as_plainly() -> None:
    _, _, page = README.partition("\n## What it does not see, and who should skip it\n")
    for words in ("no lock file", "no container", "no provenance", "no defence against a hostile"):
        assert f"**{words}" in page
    assert "Skip it when" in page
    assert "Not tried on macOS and Windows yet" in page
