"""What `unhaunt fingerprint --quick` costs as a whole process, in starts of the bare target.

    python tests/benchmarks/bench_fingerprint.py [PYTHON ...]

Prints, for each interpreter, the median of both and the ratio that the design promises: at most
four starts and 150 ms. Exit 1 when one is over.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests import commandline, interpreters

ROUNDS = 11


def seconds(*command: str, cwd: str, env: dict[str, str]) -> float:
    """Return the wall time of one run."""
    start = time.perf_counter()
    subprocess.run(command, cwd=cwd, env=env, capture_output=True, check=True)
    return time.perf_counter() - start


def measure(python: str, folder: str) -> tuple[float, float]:
    """Return the medians of a bare start and of a quick fingerprint, taken in turns."""
    env = commandline.environment(Path(folder))
    ours = [*commandline.UNHAUNT, "fingerprint", "--quick", "--python", python]
    bare, whole = [], []
    for _ in range(ROUNDS):
        bare.append(seconds(python, "-c", "pass", cwd=folder, env=env))
        whole.append(seconds(*ours, cwd=folder, env=env))
    return statistics.median(bare), statistics.median(whole)


def main(pythons: list[str]) -> int:
    """Measure each and print a line for it."""
    over = 0
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["git", "init", "-q", folder], check=True)
        for python in pythons or list(interpreters.supported().values()):
            bare, whole = measure(python, folder)
            limit = 4 * bare + 0.150
            over += whole > limit
            print(
                f"{python}: bare {bare * 1000:.0f} ms, fingerprint --quick {whole * 1000:.0f} ms,"
                f" {whole / bare:.1f} starts, {(whole - 4 * bare) * 1000:.0f} ms beyond four (limit 150)"
            )
    return 1 if over else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
