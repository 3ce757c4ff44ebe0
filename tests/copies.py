"""Copies made by `unhaunt vendor`, and Pythons that can run them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests import interpreters
from tests.commandline import UNHAUNT, Done

NOBODY = 65534


def made(folder: Path, *options: str, by: Sequence[str] = UNHAUNT) -> Path:
    """Run `unhaunt vendor FOLDER`, and return the file."""
    done = subprocess.run([*by, "vendor", "-q", *options, folder], capture_output=True, text=True)
    assert done.returncode == 0, done
    return folder / "unhaunt.pyz"


def pythons() -> dict[str, str]:
    """Return version -> path of the Pythons that a copy is for."""
    found = interpreters.supported()
    return {v: p for v, p in found.items() if [int(n) for n in v.split(".")[:2]] >= [3, 11]}


def is_ours(version: str) -> bool:
    """Tell whether bytecode that this Python made is for that version too."""
    return version.startswith("{}.{}.".format(*sys.version_info))


def other_python() -> str:
    """Return the newest that is not of this minor version."""
    others = [path for version, path in pythons().items() if not is_ours(version)]
    if not others:
        pytest.skip("no other Python from 3.11 on is here")
    return others[-1]


def spread() -> list[Any]:
    """Return this version and the newest; the others are for the full run."""
    found = pythons()
    usual = {next(v for v in found if is_ours(v)), list(found)[-1]}
    full = pytest.mark.full
    return [pytest.param(v, id=v, marks=() if v in usual else full) for v in found]


def public_python() -> str:
    """Return one that any user may start."""
    for path in pythons().values():
        if run([path, "-c", ""], cwd=Path("/"), user=reader()).code == 0:
            return path
    raise AssertionError("no Python that another user may start")


def reader() -> int | None:
    """Return a user that may write nowhere: nobody, when this is root."""
    return NOBODY if os.getuid() == 0 else None


def run(
    words: Sequence[str | os.PathLike[str]],
    *,
    cwd: Path,
    env: Mapping[str, str] | None = None,
    user: int | None = None,
    stdin: str = "",
) -> Done:
    """Run a command with nothing in its environment but `env` (`env -i`), as `user`."""
    done = subprocess.run(
        [os.fspath(word) for word in words], cwd=cwd, env=dict(env or {}), input=stdin.encode(),
        capture_output=True, timeout=120, start_new_session=True,
        user=user, group=user, extra_groups=None if user is None else [],
    )  # fmt: skip
    out, err = done.stdout.decode("utf-8"), done.stderr.decode("utf-8", "backslashreplace")
    assert "Traceback" not in err, err
    return Done(done.returncode, out, err)


def sealed(root: Path, *, owner: int | None = None) -> None:
    """Take the right to write from everything below a folder, and give it to a user."""
    for folder, _, files in os.walk(root):
        for path in (folder, *(os.path.join(folder, name) for name in files)):
            if not os.path.islink(path):
                os.chmod(path, os.stat(path).st_mode & ~0o222 | 0o444)
            if owner is not None:
                os.chown(path, owner, owner, follow_symlinks=False)


def opened(root: Path) -> None:
    """Make it writable again, so that it can be removed."""
    for folder, _, _ in os.walk(root):
        os.chmod(folder, 0o755)


def clone_of_site(python: str, folder: Path) -> Path:
    """Make an environment of another Python with this one's unhaunt and dependencies."""
    from importlib import metadata

    made_python = interpreters.venv(python, folder)
    (site,) = folder.glob("lib/python3*/site-packages")
    for name in ("unhaunt", "GitPython", "gitdb", "smmap", "identify", "PyYAML"):
        for file in metadata.files(name) or ():
            if ".." not in file.parts and "__pycache__" not in file.parts:
                target = site / file
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(file.locate(), target)
    return made_python
