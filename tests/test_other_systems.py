"""What a system without POSIX's calls gets. They are taken away from a real Python on this one.

This does not stand for a run on Windows or macOS: `.github/workflows/test.yml` is for those.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.repository import UNHAUNT, Ran, Repository, place, run

#: what Python's documentation marks as "Availability: Unix"
MISSING = (
    "import os, select, signal, sys\n"
    "for module, names in (\n"
    "    (os, 'posix_spawn posix_spawnp fork forkpty killpg getuid geteuid getgid getegid uname'\n"
    "         ' mkfifo O_NONBLOCK O_NOFOLLOW O_CLOEXEC getpgid setsid pread'),\n"
    "    (select, 'poll epoll'), (signal, 'SIGHUP SIGALRM SIGQUIT alarm'),\n"
    "):\n"
    "    for name in names.split():\n"
    "        vars(module).pop(name, None)\n"
    "for name in ('fcntl', 'pwd', 'grp', 'resource', 'termios'):\n"
    "    sys.modules[name] = None\n"
    "from unhaunt.cli import main\n"
    "sys.exit(main())\n"
)


def elsewhere(*words: str, cwd: Path) -> Ran:
    """Run `unhaunt WORDS` in a Python that lacks what only POSIX has."""
    done = subprocess.run(
        [sys.executable, "-I", "-c", MISSING, *words], cwd=cwd, capture_output=True, text=True
    )
    assert "Traceback" not in done.stderr, done
    return Ran(done.returncode, done.stdout, done.stderr)


def _fill(repo: Repository) -> None:
    repo.commit({
        "app.py": "import helper\n", "sub/x.pth": "import os\n", ".env": "PYTHONPATH=.\n",
        ".gitignore": "ignored/\n",
    })  # fmt: skip
    repo.write({"helper.py": "", "ignored/sitecustomize.py": "", "y.pth": "import os\n"})


def test_the_same_findings_without_posix(repo: Repository) -> None:
    _fill(repo)
    done = elsewhere("check", "--format", "json", cwd=repo.path)
    assert done.code == 1, done
    found = json.loads(done.out)["findings"]
    assert {place(finding) for finding in found} == repo.findings()
    assert {finding["code"] for finding in found} == {"UH101", "UH102", "UH201", "UH302"}


@pytest.mark.parametrize(
    "words",
    [
        "--version", "explain UH101", "where app", "where json --format json",
        "check check-interpreter check-import-origins -v", "run --timeout 60 -- python -c pass",
    ],
)  # fmt: skip
def test_every_command_answers_as_it_does_here(words: str, repo: Repository) -> None:
    _fill(repo)
    usual = run(*UNHAUNT, *words.split(), cwd=repo.path)
    done = elsewhere(*words.split(), cwd=repo.path)
    assert (done.code, _timeless(done.out)) == (usual.code, _timeless(usual.out)), done
    assert done.out


def _timeless(text: str) -> str:
    return re.sub(r"\d+\.\d s", "0.0 s", text)


def test_a_fingerprint_is_the_same(repo: Repository) -> None:
    words = ("fingerprint", "--quick", "--format", "json")
    usual = run(*UNHAUNT, *words, cwd=repo.path).json()
    assert elsewhere(*words, cwd=repo.path).json()["digest"] == usual["digest"]


def test_git_that_hangs_is_ended(repo: Repository, tmp_path: Path) -> None:
    """The time limit, and a program that cannot be started, by the way of Windows."""
    code = (
        MISSING.replace("from unhaunt.cli import main\nsys.exit(main())\n", "")
        + "import time; from unhaunt.process import Batch, Job, run_all\n"
        "begun = time.monotonic()\n"
        "sleep = Job([sys.executable, '-I', '-c', 'import time; time.sleep(60)'])\n"
        "try:\n    run_all([sleep, sleep], {}, 0.5)\n"
        "except TimeoutError:\n    print('limit', time.monotonic() - begun < 30)\n"
        "try:\n    Batch([sleep, Job([sys.executable + '-not-there'])], {})\n"
        "except OSError as error:\n    print(type(error).__name__)\n"
        "said = Job([sys.executable, '-I', '-c', 'print(input()); raise SystemExit(3)'], b'x')\n"
        "print([tuple(done)[:2] for done in run_all([said, said], {}, 60)])\n"
    )
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True)
    assert done.stdout.splitlines() == [
        "limit True", "FileNotFoundError", r"[(3, b'x\n'), (3, b'x\n')]",
    ], done  # fmt: skip
