"""The Pythons that are here: PATH, pyenv's versions, and $UNHAUNT_TEST_PYTHONS.

$UNHAUNT_TEST_PYTHONS is a list of interpreters divided by os.pathsep, or of folders given to
`tests/get_pythons.sh`. None is skipped silently: the run's header prints which are used.
"""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

#: the environment before any test scrubs it: what pip needs to find its index
ORIGINAL = dict(os.environ)

PROBE = (
    "import sys; i = getattr(sys, 'implementation', None); "
    "print('%s %d.%d.%d' % ((i.name if i else 'cpython',) + tuple(sys.version_info[:3])))"
)


def _folders() -> Iterator[Path]:
    for root in (os.environ.get("UNHAUNT_PYENV_ROOT"), os.environ.get("PYENV_ROOT"), "~/.pyenv"):
        if root:
            yield from sorted(Path(root).expanduser().glob("versions/*/bin"))
    yield from (Path(folder) for folder in os.environ.get("PATH", "").split(os.pathsep) if folder)
    yield Path("/usr/bin")


def _found() -> Iterator[Path]:
    for entry in os.environ.get("UNHAUNT_TEST_PYTHONS", "").split(os.pathsep):
        path = Path(entry)
        if entry and path.is_dir():
            yield from sorted((path / "root/usr/bin").glob("python3.*[0-9]"))
        elif entry:
            yield path
    for folder in _folders():
        for name in (
            "python",
            "python3",
            *(f"python3.{minor}" for minor in range(8, 16)),
            "python2.7",
        ):
            yield folder / (f"{name}.exe" if os.name == "nt" else name)


def _version(path: Path) -> str | None:
    if not os.access(path, os.X_OK) or path.resolve().read_bytes()[:2] == b"#!":
        return None
    done = subprocess.run(
        [path, "-E", "-S", "-c", PROBE], capture_output=True, text=True, timeout=60, check=False
    )
    return done.stdout.strip() or None


@functools.cache
def everything() -> dict[str, str]:
    """Return version -> absolute path; one of each version, and distributions' own beside."""
    seen: dict[Path, str] = {}
    found: dict[str, str] = {}
    for path in _found():
        if not path.is_file() or path.resolve() in seen:
            continue
        if Path(path.parent.parent / "pyvenv.cfg").exists():
            continue
        version = _version(path)
        seen[path.resolve()] = str(path)
        if version and version not in found:
            found[version] = str(path)
    return dict(
        sorted(found.items(), key=lambda item: [int(n) for n in re.findall(r"\d+", item[0])])
    )


def supported() -> dict[str, str]:
    """Return those that the probe is made for: CPython 3.8 to 3.15."""
    return {v.removeprefix("cpython "): p for v, p in everything().items() if _is_supported(v)}


def _is_supported(version: str) -> bool:
    numbers = [int(n) for n in re.findall(r"\d+", version)]
    return version.startswith("cpython ") and [3, 8] <= numbers[:2] <= [3, 15]


def by_minor() -> dict[int, str]:
    """Return the same, by minor version."""
    return {int(v.split(".")[1]): path for v, path in supported().items()}


def spread() -> list[Any]:
    """Return the oldest, a middle one and the newest; the others are for the full run."""
    versions = list(supported())
    usual = {versions[0], versions[len(versions) // 2], versions[-1]}
    full = pytest.mark.full
    return [pytest.param(v, id=v, marks=() if v in usual else full) for v in versions]


def others() -> dict[str, str]:
    """Return those that it must turn away."""
    return {v: p for v, p in everything().items() if not _is_supported(v)}


def at_least(*numbers: int) -> str:
    """Return the newest interpreter here that is at least this version."""
    fitting = [p for v, p in supported().items() if tuple(map(int, v.split(".")[:2])) >= numbers]
    if not fitting:
        pytest.skip(f"no Python {'.'.join(map(str, numbers))} is here", allow_module_level=True)
    return fitting[-1]


@functools.cache
def _own_sitecustomize(python: str) -> bool:
    code = "import os, sysconfig; print(os.path.exists(sysconfig.get_path('stdlib') + '/sitecustomize.py'))"
    done = subprocess.run([python, "-I", "-S", "-c", code], capture_output=True, text=True)
    return done.stdout.strip() == "True"


def needs_sitecustomize(python: str = sys.executable) -> None:
    """Skip where a planted `sitecustomize` would never run: Debian's Python brings its own."""
    if _own_sitecustomize(python):
        pytest.skip(f"{python} has a sitecustomize of its own, which is found before a planted one")


def header() -> str:
    """Return the line for the run's header."""
    return "interpreters: " + ", ".join(v.removeprefix("cpython ") for v in everything())


def venv(python: str, folder: Path, *options: str) -> Path:
    """Make an environment without pip; return its interpreter."""
    # 3.15 of Debian keeps its bundled pip elsewhere; nothing here needs one.
    subprocess.run(
        [python, "-I", "-m", "venv", "--without-pip", *options, folder],
        check=True,
        capture_output=True,
    )
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def have(program: str) -> str:
    """Return the path of a program that tests need."""
    path = shutil.which(program)
    assert path is not None, f"{program} is not here"
    return path


def between(first: tuple[int, int], last: tuple[int, int]) -> str:
    """Return the newest interpreter here of the versions from `first` to `last`."""
    numbers = {p: tuple(map(int, v.split(".")[:2])) for v, p in supported().items()}
    fitting = [path for path, version in numbers.items() if first <= version <= last]
    if not fitting:
        words = " to ".join(".".join(map(str, version)) for version in (first, last))
        pytest.skip(f"no Python {words} is here", allow_module_level=True)
    return fitting[-1]
