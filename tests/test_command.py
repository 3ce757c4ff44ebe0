"""What a command line starts."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from unhaunt.errors import UserError
from unhaunt.interpreters.command import argv, derivable, first_entry, options_of, understood

P = sys.executable
ENV = {"PATH": os.defpath}

#: words -> (how, options, argv, sys.path[0]); HERE is the current folder
LINES: dict[str, tuple[list[str], str, list[str], list[str], str | None]] = {
    "a script": ([P, "x.py", "-a"], "script", [], ["x.py", "-a"], "HERE"),
    "a script elsewhere": ([P, "sub/x.py"], "script", [], ["sub/x.py"], "HERE/sub"),
    "options before": (
        [P, "-O", "-W", "x.py", "-X", "dev", "x.py"],
        "script",
        ["-O", "-W", "x.py", "-X", "dev"],
        ["x.py"],
        "HERE",
    ),
    "attached values": (
        [P, "-Wignore", "-Xdev", "x.py"],
        "script",
        ["-Wignore", "-Xdev"],
        ["x.py"],
        "HERE",
    ),
    "a long option": (
        [P, "--check-hash-based-pycs", "always", "x.py"],
        "script",
        ["--check-hash-based-pycs", "always"],
        ["x.py"],
        "HERE",
    ),
    "a module": ([P, "-m", "pytest", "-q"], "module", [], ["-m", "-q"], "HERE"),
    "a module, attached": ([P, "-mpytest", "-q"], "module", [], ["-m", "-q"], "HERE"),
    "a module, joined": ([P, "-OIm", "pytest"], "module", ["-OI"], ["-m"], "HERE"),
    "a command": ([P, "-c", "pass", "x"], "command", [], ["-c", "x"], ""),
    "a command that looks like an option": ([P, "-c", "-m"], "command", [], ["-c"], ""),
    "stdin": ([P, "-", "x"], "stdin", [], ["-", "x"], ""),
    "a folder": ([P, "sub"], "folder", [], ["sub"], "sub"),
    "a console script": (["./tool", "x"], "script", ["-s"], ["HERE/tool", "x"], "HERE"),
    "a console script through env": (
        ["./through", "x"],
        "script",
        [],
        ["HERE/through", "x"],
        "HERE",
    ),
    "a console script with a long path": (
        ["./detour", "x"],
        "script",
        [],
        ["HERE/detour", "x"],
        "HERE",
    ),
}


@pytest.fixture
def here(tmp_path: Path) -> Path:
    (tmp_path / "sub").mkdir()
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "python3").symlink_to(P)
    scripts = {
        "tool": f"#!{P} -s\n",
        "through": "#!/usr/bin/env python3\n",
        "detour": f"#!/bin/sh\n'''exec' \"{P}\" \"$0\" \"$@\"\n' '''\n",
        "tox": f"#!{P}\n",
        "plain": "#!/bin/sh\n",
        "broken": "#!/no/such/python3\n",
    }
    for name, text in scripts.items():
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    return tmp_path


@pytest.mark.parametrize(
    ("words", "how", "options", "arguments", "first"), LINES.values(), ids=LINES
)
def test_a_python_is_understood(
    words: list[str],
    how: str,
    options: list[str],
    arguments: list[str],
    first: str | None,
    here: Path,
) -> None:
    env = {"PATH": f"{here / 'bin'}{os.pathsep}{os.defpath}"}
    found = understood(words, env, str(here))
    assert found is not None
    assert (found.how, list(options_of(found))) == (how, options)
    assert argv(found) == [word.replace("HERE", str(here)) for word in arguments]
    assert first_entry(found, str(here)) == (first.replace("HERE", str(here)) if first else first)


OTHERS = {
    "a shell": ["sh", "-c", "python x.py"],
    "a runner that is a Python script": ["./tox"],
    "a script of another language": ["./plain"],
    "Python without anything to run": [P],
    "a question to Python": [P, "--version"],
}


@pytest.mark.parametrize("words", OTHERS.values(), ids=OTHERS)
def test_another_program_is_not_taken_for_one(words: list[str], here: Path) -> None:
    assert understood(words, ENV, str(here)) is None


@pytest.mark.parametrize("words", [["no-such"], ["./broken"], ["./sub"]])
def test_what_is_not_there_is_told(words: list[str], here: Path) -> None:
    with pytest.raises(UserError):
        understood(words, ENV, str(here))


SEEN: dict[str, tuple[list[str], dict[str, str] | None]] = {
    "no options": ([], {"PYTHONPATH": "x", "PYTHONUSERBASE": "y", "A": "1"}),
    "-E": (["-E"], {"PYTHONUSERBASE": "y", "A": "1"}),
    "-s": (["-s"], {"PYTHONPATH": "x", "PYTHONUSERBASE": "y", "A": "1", "PYTHONNOUSERSITE": "1"}),
    "-I": (["-BI"], {"PYTHONUSERBASE": "y", "A": "1", "PYTHONNOUSERSITE": "1"}),
    "-S": (["-S"], None),
    "values that look like options": (
        ["-X", "dev", "-Wignore::ImportWarning"],
        {"PYTHONPATH": "x", "PYTHONUSERBASE": "y", "A": "1"},
    ),
}


@pytest.mark.parametrize(("options", "seen"), SEEN.values(), ids=SEEN)
def test_what_options_leave_of_the_environment(
    options: list[str], seen: dict[str, str] | None
) -> None:
    assert derivable(options, {"PYTHONPATH": "x", "PYTHONUSERBASE": "y", "A": "1"}) == seen
