"""A report from inside a command equals what the command itself sees, and changes nothing for it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests import interpreters
from tests.commandline import Done, environment, unhaunt

SAYS = """
import json, os, sys
names = sorted(sys.modules)
with open(os.environ["SAID"], "a") as file:
    flags = [sys.flags.isolated, sys.flags.optimize, sys.flags.no_user_site, sys.flags.dev_mode]
    line = [sys.path, sys.argv, sys.executable, sys.prefix, os.getcwd(), flags, names, __name__]
    file.write(json.dumps(line + [dict(os.environ)]) + "\\n")
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with everything that can be run, and startup code on PYTHONPATH."""
    here = tmp_path / "project"
    (here / "pkg").mkdir(parents=True)
    (here / "tools").mkdir()
    (here / "startup").mkdir()
    (here / "x.py").write_text(SAYS)
    (here / "pkg" / "__init__.py").write_text("")
    (here / "pkg" / "__main__.py").write_text(SAYS)
    (here / "tools" / "link.py").symlink_to(here / "x.py")
    (here / "__main__.py").write_text(SAYS)
    (here / "startup" / "sitecustomize.py").write_text(
        "import sys; sys.path.append('/added/by/startup')\n"
    )
    with zipfile.ZipFile(here / "app.zip", "w") as file:
        file.writestr("__main__.py", SAYS)
    return here


PYTHON = "PYTHON"
COMMANDS = {
    "a script": [PYTHON, "x.py", "a", "-b"],
    "a script by a link in another folder": [PYTHON, "tools/link.py"],
    "a module": [PYTHON, "-m", "pkg", "a"],
    "a module, options joined": [PYTHON, "-Bm", "pkg"],
    "a command": [PYTHON, "-c", SAYS, "a"],
    "a folder": [PYTHON, "."],
    "a zip": [PYTHON, "app.zip", "a"],
    "an isolated script": [PYTHON, "-I", "x.py"],
    "an isolated folder": [PYTHON, "-I", "."],
    "an isolated module that is installed": [PYTHON, "-I", "-m", "json.tool", "--help"],
    "no environment, no user site": [PYTHON, "-E", "-s", "x.py"],
    "options with values": [PYTHON, "-X", "dev", "-W", "ignore", "-O", "x.py"],
    "without site": [PYTHON, "-S", "x.py"],
}
SPREAD = interpreters.spread()


def said(command: list[str], project: Path, env: dict[str, str]) -> list[Any]:
    """Run a command by itself and return what it saw."""
    file = project.parent / "said"
    file.unlink(missing_ok=True)
    subprocess.run(
        command,
        cwd=project,
        env={**env, "SAID": str(file)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def fingerprinted(command: list[str], project: Path, env: dict[str, str]) -> tuple[Done, list[Any]]:
    """Run it under `unhaunt fingerprint` and return our answer, and what the command saw."""
    file = project.parent / "said"
    file.unlink(missing_ok=True)
    done = unhaunt(
        "fingerprint",
        "--quick",
        "--format",
        "json",
        "--",
        *command,
        cwd=project,
        env={**env, "SAID": str(file)},
    )
    return done, [
        json.loads(line) for line in file.read_text().splitlines()
    ] if file.exists() else []


@pytest.mark.parametrize("version", SPREAD)
@pytest.mark.parametrize("sentence", COMMANDS)
def test_what_is_reported_is_what_the_command_sees(
    sentence: str, version: str, project: Path
) -> None:
    command = [
        interpreters.supported()[version] if word is PYTHON else word for word in COMMANDS[sentence]
    ]
    env = environment(project.parent, PYTHONPATH=f"startup{os.pathsep}tools")
    alone = said(command, project, env)
    done, below = fingerprinted(command, project, env)
    assert done.code == 0, done.err
    facts = done.json
    assert facts["process"]["exact"] is True
    # The command is the same with us and without us: its path, its modules, its environment.
    assert below == alone
    if not alone:
        return
    path, argv, executable, prefix, cwd, flags, _, _, _ = alone[0]
    assert [row["entry"] for row in facts["path"]] == path
    assert facts["interpreter"]["executable"] == executable
    assert facts["interpreter"]["prefix"] == prefix
    assert facts["process"]["cwd"] == cwd
    shown = [
        facts["interpreter"]["flags"][name]
        for name in ("isolated", "optimize", "no_user_site", "dev_mode")
    ]
    assert shown == flags
    assert facts["process"]["argv"][1:] == argv[1:]


def test_a_console_script_is_exact(project: Path) -> None:
    made = interpreters.venv(interpreters.at_least(3, 11), project / "v")
    script = made.parent / "tool"
    script.write_text(f"#!{made}\n{SAYS}")
    script.chmod(0o755)
    env = environment(project.parent, PATH=f"{made.parent}{os.pathsep}{os.defpath}")
    alone = said(["tool", "a"], project, env)
    done, below = fingerprinted(["tool", "a"], project, env)
    assert done.code == 0, done.err
    assert below == alone
    assert [row["entry"] for row in done.json["path"]] == alone[0][0]
    assert done.json["path"][0]["because"] == "the folder of the script"
    assert done.json["interpreter"]["executable"] == str(made)


BELOW = {
    "a shell": ["sh", "-c", "cd tools && exec PYTHON link.py a"],
    "make": ["make", "-f", "Makefile", "test"],
    "a variable set for it": ["env", "X=1", "PYTHON", "x.py"],
}


@pytest.mark.parametrize("version", SPREAD)
@pytest.mark.parametrize("sentence", BELOW)
def test_a_python_that_is_started_below_reports(sentence: str, version: str, project: Path) -> None:
    python = interpreters.supported()[version]
    (project / "Makefile").write_text(f"test:\n\tcd tools && {python} link.py a\n")
    command = [word.replace("PYTHON", python) for word in BELOW[sentence]]
    env = environment(project.parent, PYTHONPATH=f"startup{os.pathsep}tools")
    alone = said(command, project, env)
    done, below = fingerprinted(command, project, env)
    assert done.code == 0, done.err
    facts = done.json
    assert facts["process"]["exact"] is False
    assert [row["entry"] for row in facts["path"]] == alone[0][0]
    assert facts["process"]["cwd"] == alone[0][4]
    assert facts["environment"]["PYTHONPATH"] == f"startup{os.pathsep}tools"
    # All but the environment, which has to carry us, is the same for the command.
    assert below[0][:-1] == alone[0][:-1]


def test_without_startup_code_of_the_users_own_nothing_is_left_of_us(project: Path) -> None:
    command = ["sh", "-c", f"{sys.executable} x.py"]
    env = environment(project.parent)
    assert fingerprinted(command, project, env)[1][0][:-1] == said(command, project, env)[0][:-1]


SILENT = {
    "a program that starts no Python": (["true"], "started no Python that reported"),
    "a Python that ignores its environment": (
        ["sh", "-c", f"{sys.executable} -I x.py"],
        "started no Python",
    ),
    "a program that is not there": (["no-such-program"], "no program called no-such-program"),
}


@pytest.mark.parametrize(("command", "words"), SILENT.values(), ids=SILENT)
def test_when_nothing_was_reported_the_code_is_2(
    command: list[str], words: str, project: Path
) -> None:
    done, _ = fingerprinted(command, project, environment(project.parent))
    assert (done.code, done.out) == (2, "")
    assert words in done.err


def test_what_the_command_prints_is_not_in_the_answer(project: Path) -> None:
    (project / "loud.py").write_text("print('{\"loud\": 1}'); raise SystemExit(5)")
    done, _ = fingerprinted([sys.executable, "loud.py"], project, environment(project.parent))
    assert done.code == 0
    assert done.json["process"]["exit_code"] == 5
    assert '{"loud": 1}' in done.err


@pytest.mark.parametrize(
    "words",
    [[sys.executable, "-m", "pytest"], ["sh", "-c", f'{sys.executable} -m pytest "$@"', "x"]],
    ids=["exact", "below"],
)
def test_the_plugin_of_pytest_adds_what_pytest_decides(words: list[str], project: Path) -> None:
    (project / "test_a.py").write_text("def test_a(): pass\n")
    (project / "pytest.ini").write_text("[pytest]\npythonpath = tools\n")
    command = [*words, "-q", "-p", "unhaunt.pytest_plugin", "test_a.py"]
    done, _ = fingerprinted(command, project, environment(project.parent))
    assert done.code == 0, done.err
    pytest_facts = done.json["pytest"]
    assert pytest_facts["rootdir"] == str(project)
    assert pytest_facts["import_mode"] == "prepend"
    assert pytest_facts["pythonpath"] == [str(project / "tools")]
    assert pytest_facts["how"] == "python -m pytest"
    assert str(project / "tools") in pytest_facts["path"]
