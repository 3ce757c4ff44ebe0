"""Edge: plant the story: one commit on two machines, of which one imports an old checkout.

Each machine is a folder with a home, a checkout of the same commit, and a virtual environment in
which the project is installed editable, as a `.pth` with its import root. On the laptop
PYTHONPATH also names a folder that was forgotten.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from unhaunt.errors import UserError
from unhaunt.repository.git import find_git
from unhaunt.text import shortened

COMMITTED = {
    "src/cli_helpers.py": 'def greeting() -> str:\n    return "hello"\n',
    "tests/test_greeting.py": (
        "import unittest\n\nimport cli_helpers\n\n\n"
        "class TestGreeting(unittest.TestCase):\n    def test_greeting(self) -> None:\n"
        '        self.assertEqual(cli_helpers.greeting(), "hello")\n'
    ),
    "pyproject.toml": '[project]\nname = "cli-helpers"\nversion = "2"\n',
    ".gitignore": ".venv/\n__pycache__/\n*.json\n",
}
FORGOTTEN = {
    "cli_helpers.py": 'def greeting() -> str:\n    return "hi"\n',
    "sitecustomize.py": "import cli_helpers  # left by an agent that needed it early\n",
}
#: what a Python may need to start at all: folders of shared libraries, and of Windows
_KEPT = ("PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT", "PATHEXT", "COMSPEC")
_NOBODY = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_AUTHOR_NAME": "nobody",
    "GIT_AUTHOR_EMAIL": "nobody@localhost",
    "GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z",
    "GIT_COMMITTER_NAME": "nobody",
    "GIT_COMMITTER_EMAIL": "nobody@localhost",
    "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z",
}


class Machine(NamedTuple):
    """A folder that stands for a machine: where its checkout is, and its environment."""

    checkout: Path
    env: Mapping[str, str]


def planted(folder: Path) -> dict[str, Machine]:
    """Plant the story in an empty folder; return the machines, "laptop" and "ci".

    Raises `UserError` when there is no git, or no `venv` in this Python.
    """
    (folder / "tmp").mkdir()
    laptop, ci = (_machine(folder / name) for name in ("laptop", "ci"))
    old = folder / "laptop" / "home" / "old"
    _write(old, FORGOTTEN)
    profile = f"export PYTHONPATH={old}\n"
    (folder / "laptop" / "home" / ".profile").write_text(profile, encoding="utf-8")
    laptop = laptop._replace(env={**laptop.env, "PYTHONPATH": str(old)})
    return {"laptop": laptop, "ci": ci}


def _machine(folder: Path) -> Machine:
    home, checkout = folder / "home", folder / "project"
    home.mkdir(parents=True)
    _write(checkout, COMMITTED)
    environment = checkout / ".venv"
    env = {name: os.environ[name] for name in _KEPT if name in os.environ}
    temporary = dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(folder.parent / "tmp"))
    env |= {"HOME": str(home), "USERPROFILE": str(home), "LANG": "C.UTF-8", **temporary}
    _commit(checkout, {**env, **_NOBODY})
    _install(checkout / "src", environment, env)
    scripts = _path("scripts", environment)
    env["PATH"] = os.pathsep.join([str(scripts), env.get("PATH", os.defpath)])
    return Machine(checkout, {**env, "VIRTUAL_ENV": str(environment)})


def _commit(checkout: Path, env: Mapping[str, str]) -> None:
    git = find_git(str(checkout))
    for words in (["init", "-q", "--template="], ["add", "."], ["commit", "-qm", "Say hello"]):
        _run([git, *words], checkout, env, "git cannot commit here", "git --version")


def _install(source: Path, environment: Path, env: Mapping[str, str]) -> None:
    words = [sys.executable, "-I", "-m", "venv", "--without-pip", str(environment)]
    wanted = "use a Python that has venv (Debian: apt-get install python3-venv)"
    _run(words, source, env, "this Python cannot make a virtual environment", wanted)
    site = _path("purelib", environment)
    (site / "cli_helpers.pth").write_text(f"{source}\n", encoding="utf-8")


def _path(kind: str, environment: Path) -> Path:
    base = str(environment)
    return Path(sysconfig.get_path(kind, "venv", {"base": base, "platbase": base}))


def _run(words: list[str], cwd: Path, env: Mapping[str, str], fault: str, hint: str) -> None:
    done = subprocess.run(words, cwd=cwd, env=dict(env), capture_output=True, check=False)
    if done.returncode:
        said = (done.stderr or done.stdout).decode("utf-8", "replace").strip().splitlines()
        raise UserError(f"{fault}: {shortened(said[-1] if said else '', 200)}", hint=hint)


def _write(folder: Path, files: Mapping[str, str]) -> None:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content.encode())
