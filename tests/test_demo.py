"""`unhaunt demo`: it works wherever a Python and git are, and leaves nothing behind."""

from __future__ import annotations

import os
import re
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests import interpreters
from tests.commandline import UNHAUNT, unhaunt
from unhaunt.demonstration.planting import planted
from unhaunt.demonstration.telling import STEPS, TESTS

PATH = f"{os.path.dirname(interpreters.have('git'))}:{os.defpath}"


def test_the_story_is_told_with_real_answers(tmp_path: Path) -> None:
    done = unhaunt("demo", cwd=tmp_path, env={"TMPDIR": str(tmp_path), "PATH": PATH})
    assert done.code == 0, done
    typed = re.findall(r"^(laptop|ci)\$ (?:unhaunt )?(.*)$", done.out, re.MULTILINE)
    assert typed == [(step.machine, " ".join(step.words)) for step in STEPS]
    for answer in (
        r"  OK\n[^$]*laptop\$ python -m unittest discover tests\n  FAILED \(failures=1\)\n",
        r"\$ unhaunt compare laptop.json ci.json\n  verdict: do-not-trust\n  ci.json: local-haunted: ",
        r"  cli_helpers: (\S+)/laptop/home/old/cli_helpers.py\n    ghost: ",
        r"  culprit:\n    PYTHONPATH element 1: (\S+)/laptop/home/old\n      \1/laptop/home/.profile:1 sets PYTHONPATH\n",
        r"--isolated -- python -m unittest discover tests\n(  .*\n)*  OK\n",
    ):
        assert re.search(answer, done.out), (answer, done.out)
    assert list(tmp_path.iterdir()) == []
    assert done.err == ""


def test_nothing_but_the_planted_machines_is_needed(tmp_path: Path) -> None:
    """Neither a home, nor a terminal, nor the user's own settings, which it does not obey."""
    hostile = {
        "PYTHONPATH": str(tmp_path / "nowhere"), "PYTHONOPTIMIZE": "1", "GIT_DIR": str(tmp_path),
        "HOME": str(tmp_path / "nowhere"), "LANG": "C", "VIRTUAL_ENV": str(tmp_path), "NO_COLOR": "1",
    }  # fmt: skip
    for env in ({}, hostile):
        done = unhaunt("demo", cwd=tmp_path, env={**env, "TMPDIR": str(tmp_path), "PATH": PATH})
        assert done.code == 0, done
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM], ids=["SIGINT", "SIGTERM"])
@pytest.mark.parametrize("step", ["In CI the tests pass", "5. Take"], ids=["first", "bisection"])
def test_an_interruption_leaves_nothing_behind(
    sent: signal.Signals, step: str, tmp_path: Path
) -> None:
    env = {"TMPDIR": str(tmp_path), "PATH": PATH}
    with subprocess.Popen(
        [*UNHAUNT, "demo"], cwd=tmp_path, env=env, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, start_new_session=True,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        assert any(line.startswith(step) for line in process.stdout)
        (folder,) = tmp_path.iterdir()
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        time.sleep(0.2)
        os.killpg(process.pid, sent)
        _, said = process.communicate(timeout=60)
    assert process.returncode in (2, 128 + sent)
    assert "Traceback" not in said
    assert list(tmp_path.iterdir()) == []


def test_without_git_it_says_so_and_leaves_nothing_behind(tmp_path: Path) -> None:
    done = unhaunt("demo", cwd=tmp_path, env={"TMPDIR": str(tmp_path), "PATH": "/nowhere"})
    assert done.code == 2
    assert done.err == ("error: git is not on PATH\nhint: install git, or add its folder to PATH\n")
    assert list(tmp_path.iterdir()) == []


def test_the_commands_of_the_story_differ_by_the_machine_alone(tmp_path: Path) -> None:
    laptop, ci = planted(tmp_path).values()
    commits = {
        subprocess.check_output(
            ["git", "rev-parse", "HEAD"], cwd=machine.checkout, env={**machine.env, "PATH": PATH}
        )
        for machine in (laptop, ci)
    }
    assert len(commits) == 1
    assert set(laptop.env) - set(ci.env) == {"PYTHONPATH"}
    for machine, code in ((laptop, 1), (ci, 0)):
        python = Path(machine.env["VIRTUAL_ENV"]) / "bin" / "python"
        done = subprocess.run(
            [python, *TESTS[1:]], cwd=machine.checkout, env=dict(machine.env), capture_output=True
        )
        assert done.returncode == code, done
        where = f"import sys; raise SystemExit(sys.version_info[:3] != {sys.version_info[:3]})"
        assert subprocess.run([python, "-I", "-c", where]).returncode == 0
