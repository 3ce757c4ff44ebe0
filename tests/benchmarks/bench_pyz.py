"""What the one file of `unhaunt vendor` costs: starts as ratios measured in pairs, and sizes.

    python tests/benchmarks/bench_pyz.py [--runs N]

The hook environment is the one that pre-commit makes, with pip, from the package index.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests import copies, runners
from tests.commandline import UNHAUNT
from tests.repository import Repository

Command = Sequence[str]
INSTALLED = (*UNHAUNT, "check")
CONSOLE = (os.path.join(os.path.dirname(sys.executable), "unhaunt"), "check")
MIB = 1 << 20


def seconds(command: Command, folder: Path) -> float:
    """Return the wall time of one run."""
    start = time.perf_counter()
    subprocess.run(command, cwd=folder, capture_output=True, check=True)
    return time.perf_counter() - start


def ratio(a: Command, b: Command, folder: Path, runs: int) -> float:
    """Return the median of A/B over pairs of runs, after one that does not count."""
    found = [(seconds(a, folder), seconds(b, folder)) for _ in range(runs + 1)][1:]
    return statistics.median(x / y for x, y in found)


def size(folder: Path) -> float:
    """Return the size of the files below a folder, in MiB."""
    files = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return sum(path.stat().st_size for path in files) / MIB


def main() -> None:
    """Print one row a claim."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=25)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        measure(Path(scratch), args.runs)


def measure(home: Path, runs: int) -> None:
    """Make copies, a small repository and a hook environment, and print what each costs."""
    copy = copies.made(home / "copy")
    bare = copies.made(home / "bare", "--no-bytecode")
    repo = Repository.create(home / "repo")
    repo.commit({"pkg/__init__.py": "import os\n", "pyproject.toml": '[project]\nname = "x"\n'})
    for name, words, than, most in (
        ("unhaunt.pyz / unhaunt (command)", ("-I", copy), CONSOLE, 1.5),
        ("unhaunt.pyz / python -I -m unhaunt", ("-I", copy), INSTALLED, 1.5),
        ("unhaunt.pyz with -S / the same", ("-I", "-S", copy), INSTALLED, 1.5),
        ("without bytecode / the same", ("-I", bare), INSTALLED, None),
    ):
        command = (sys.executable, *map(str, words), "check")
        figure(name, ratio(command, than, repo.path, runs), most)
    figure("unhaunt.pyz, MiB", copy.stat().st_size / MIB)
    figure("unhaunt.pyz without bytecode, MiB", bare.stat().st_size / MIB)
    environment = runners.prepared("pre-commit", home).home
    figure("hook environment, MiB", sum(size(path) for path in environment.glob("*/py_env-*")))


def figure(name: str, value: float, most: float | None = None) -> None:
    """Print a measured value, beside its bound when it has one."""
    print(f"{name:45} {value:8.2f}{f'   (at most {most})' if most else ''}", flush=True)


if __name__ == "__main__":
    os.environ.update(GIT_AUTHOR_NAME="a", GIT_AUTHOR_EMAIL="a@example.org")
    os.environ.update(GIT_COMMITTER_NAME="a", GIT_COMMITTER_EMAIL="a@example.org")
    main()
