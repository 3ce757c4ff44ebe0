"""The CPython interpreters of this machine, for tests that compare predictions with real ones."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from unhaunt.versions import SUPPORTED

# Read when tests are collected: a fixture later replaces HOME.
_PYENV = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
_GIVEN = os.environ.get("UNHAUNT_TEST_PYTHONS")
_ASK = "import sys; print(sys.implementation.name, *sys.version_info[:2])"


@functools.cache
def pythons() -> dict[int, str]:
    """Return minor version -> interpreter, of those in $UNHAUNT_TEST_PYTHONS, pyenv and PATH."""
    found: dict[int, str] = {}
    for python in _candidates():
        minor = _minor(python)
        if minor is not None:
            found.setdefault(minor, python)
    return dict(sorted(found.items()))


def _candidates() -> Iterator[str]:
    if _GIVEN:
        yield from sorted(str(path) for path in Path(_GIVEN).rglob("bin/python3.*[0-9]"))
    yield from sorted(str(path) for path in _PYENV.glob("3.*/bin/python"))
    for minor in SUPPORTED:
        if python := shutil.which(f"python3.{minor}"):
            yield python


def _minor(python: str) -> int | None:
    try:
        done = subprocess.run(
            [python, "-I", "-S", "-c", _ASK], capture_output=True, text=True, timeout=30
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    words = done.stdout.split()
    if done.returncode or words[:2] != ["cpython", "3"] or int(words[2]) not in SUPPORTED:
        return None
    return int(words[2])
