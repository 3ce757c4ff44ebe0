"""What `check check-interpreter` costs, beside `pip list`, on an environment of many distributions.

    python tests/benchmarks/bench_interpreter_hook.py [DISTRIBUTIONS [FILES_EACH]]

Makes an environment of generated distributions (300 of 40 files), prints the medians of both as
whole processes with their ratio (at most 0.5 is promised), and how many files a second
`--verify-installed` hashes (at least 20,000 are promised). Exit 1 when one is missed.
"""

from __future__ import annotations

import base64
import hashlib
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROUNDS = 7
PYTHON = sys.executable
LINE = "x = 'a line of an ordinary module, as long as most of them are'\n"


def distribution(site: Path, number: int, files: int) -> None:
    """Write a distribution as an installer does."""
    rows = []
    name = f"demo{number}"
    (site / name).mkdir()
    for index in range(files):
        path = f"{name}/{'__init__' if not index else f'm{index}'}.py"
        data = (LINE * random.Random(number * files + index).randint(1, 250)).encode()
        (site / path).write_bytes(data)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
        rows.append(f"{path},sha256={digest},{len(data)}")
    info = f"{name}-1.0.dist-info"
    (site / info).mkdir()
    (site / info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (site / info / "RECORD").write_text("\n".join([*rows, f"{info}/RECORD,,"]) + "\n")


def seconds(*command: str, cwd: str) -> float:
    """Return the wall time of one run."""
    start = time.perf_counter()
    subprocess.run(command, cwd=cwd, capture_output=True, check=True)
    return time.perf_counter() - start


def main(words: list[str]) -> int:
    """Measure both in turns and print a line for each promise."""
    count, each = (int(word) for word in (*words, "300", "40")[:2]) if words else (300, 40)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["git", "init", "-q", folder], check=True)
        subprocess.run([PYTHON, "-I", "-m", "venv", f"{folder}/env"], check=True)
        site = next(Path(folder).glob("env/lib/python*/site-packages"))
        for number in range(count):
            distribution(site, number, each)
        return measured(folder, f"{folder}/env/bin/python", count * each)


def measured(folder: str, python: str, files: int) -> int:
    """Print the figures of a made environment; return 1 when a promise is missed."""
    ours = (PYTHON, "-I", "-m", "unhaunt", "check", "check-interpreter", "--python", python)
    lists, hooks, whole = [], [], []
    for _ in range(ROUNDS):
        lists.append(seconds(python, "-I", "-m", "pip", "list", cwd=folder))
        hooks.append(seconds(*ours, cwd=folder))
        whole.append(seconds(*ours, "--verify-installed", cwd=folder))
    pip, hook, all_of_it = map(statistics.median, (lists, hooks, whole))
    ratio, rate = hook / pip, files / (all_of_it - hook)
    print(
        f"pip list {pip * 1000:.0f} ms, check-interpreter {hook * 1000:.0f} ms: {ratio:.2f} (0.50)"
    )
    print(f"--verify-installed: {files} files, {rate:.0f} a second (20000)")
    return int(ratio > 0.5 or rate < 20_000)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
