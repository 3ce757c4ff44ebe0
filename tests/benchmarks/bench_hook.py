"""How much a commit waits for the hooks: ratios, measured in pairs in one run.

    python tests/benchmarks/bench_hook.py [--runs N] [--keep DIR]

Each row is the median of the ratios of paired runs (A B A B ...), so that a machine which is
busy, or slows down meanwhile, does it to both. The trees come from make_trees.py.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

MAKE_TREES = Path(__file__).with_name("make_trees.py")
PYTHON = (sys.executable, "-I", "-c", "pass")
HOOK = (sys.executable, "-I", "-m", "unhaunt", "check", "unhaunt")
WARN = (sys.executable, "-I", "-m", "unhaunt", "check", "warn-pythonpath")
STATUS = ("git", "status", "--porcelain", "--untracked-files=all", "--ignored=matching")
GREP = ("git", "grep", "--cached", "-l", "-z", "-F", "-e", "PYTHONPATH", "-e", "PYTHONHOME")
Command = Sequence[str]


def seconds(command: Command, folder: Path) -> float:
    """Return the wall time of one run."""
    start = time.perf_counter()
    subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - start


def pairs(a: tuple[Command, Path], b: tuple[Command, Path], runs: int) -> list[tuple[float, float]]:
    """Return the times of `runs` pairs, after one that does not count."""
    return [(seconds(*a), seconds(*b)) for _ in range(runs + 1)][1:]


def ratio(a: tuple[Command, Path], b: tuple[Command, Path], runs: int) -> float:
    """Return the median of A/B."""
    return statistics.median(x / y for x, y in pairs(a, b, runs))


def tree(home: Path, name: str, *options: str) -> Path:
    """Make a tree, or take the one that is there."""
    path = home / name
    if not path.exists():
        command = [sys.executable, str(MAKE_TREES), str(path), *options]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return path


def with_environment(home: Path) -> Path:
    """A tree of 20,000 files with an ignored environment of 60,000."""
    options = ("--tracked", "20000", "--venv", "ignored", "--venv-files", "60000")
    path = tree(home, "t20k-venv", *options)
    python = path / ".venv" / "bin" / "python"
    if not python.is_symlink():
        python.symlink_to("/usr/bin/python3")  # without it Python takes it for no environment
    return path


def with_ignored_import(home: Path) -> Path:
    """A tree of 20,000 files, of which one imports an ignored module in the root."""
    path = tree(home, "t20k-import", "--tracked", "20000")
    (path / "ghost_module.py").write_text("X = 1\n")
    (path / ".git" / "info").mkdir(exist_ok=True)
    (path / ".git" / "info" / "exclude").write_text("/ghost_module.py\n")
    (path / "conftest.py").write_text("import ghost_module\n")
    subprocess.run(["git", "add", "conftest.py"], cwd=path, check=True)
    return path


def peak_mib(command: Command, folder: Path) -> float:
    """Return the peak memory of the largest process of one run, in MiB."""
    code = (
        "import resource, subprocess, sys;"
        "subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL);"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", code, *command], cwd=folder, capture_output=True, text=True
    )
    return int(done.stdout) / 1024


def main() -> None:
    """Print one row a claim."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--keep", type=Path, help="keep the trees in this folder")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        measure(args.keep or Path(scratch), args.runs)


def measure(home: Path, runs: int) -> None:
    """Make the trees, and print what each costs."""
    home.mkdir(parents=True, exist_ok=True)
    small = tree(home, "t50", "--tracked", "50")
    mid = tree(home, "t20k", "--tracked", "20000")
    scratch = tree(home, "t20k-scratch", "--tracked", "20000", "--untracked-dir", "60000")
    venv = with_environment(home)
    ghost = with_ignored_import(home)
    row("hook, 50 files / python -I -c pass", ratio((HOOK, small), (PYTHON, small), runs), 5)
    row("hook, 20,000 files / git status", ratio((HOOK, mid), (STATUS, mid), runs), 2.5)
    row("60,000 untracked files / without", ratio((HOOK, scratch), (HOOK, mid), runs), 1.5)
    row("60,000 files in .venv / without", ratio((HOOK, venv), (HOOK, mid), runs), 1.5)
    added = [x - y for x, y in pairs((HOOK, ghost), (HOOK, mid), runs)]
    status = statistics.median(seconds(STATUS, mid) for _ in range(runs))
    row("import edges read, added / git status", statistics.median(added) / status, 2)
    grep = [(x, y + seconds(PYTHON, mid)) for x, y in pairs((WARN, mid), (GREP, mid), runs)]
    row("warn-pythonpath / (git grep + start)", statistics.median(x / y for x, y in grep), 1.5)
    large = tree(home, "t100k", "--tracked", "100000")
    row("peak memory, 100,000 files, MiB", peak_mib(HOOK, large), 80)


def row(name: str, value: float, most: float) -> None:
    """Print a measured value beside its bound."""
    print(f"{name:45} {value:8.2f}   (at most {most})", flush=True)


if __name__ == "__main__":
    assert resource.getrusage(resource.RUSAGE_SELF)  # not on Windows
    os.environ["GIT_CONFIG_NOSYSTEM"] = "1"
    main()
