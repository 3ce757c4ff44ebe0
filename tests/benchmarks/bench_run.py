"""What the launcher of `unhaunt run` adds to one leg, in starts of the bare target.

    python tests/benchmarks/bench_run.py [PYTHON ...]

Prints, for each interpreter, the median of a bare run and of the same run through the launcher:
a normal start, and one whose `site` is replayed. At most one more start and 60 ms are promised.
Exit 1 when one is over.
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
from unhaunt.running.legs import run
from unhaunt.running.session import Order, Session
from unhaunt.running.setting import Setting, Started

ROUNDS = 15


def seconds(started: Started, setting: Setting) -> float:
    """Return the wall time of one run with its launcher made and its report read."""
    start = time.perf_counter()
    ran = run(started, setting, None, lambda _: None, None)
    took = time.perf_counter() - start
    assert ran.outcome.passed, ran.tail
    return took


def bare(python: str, folder: str, env: dict[str, str]) -> float:
    """Return the wall time of the same command without us."""
    start = time.perf_counter()
    subprocess.run([python, "check.py"], cwd=folder, env=env, check=True)
    return time.perf_counter() - start


def measure(python: str, folder: str) -> tuple[float, float, float]:
    """Return the medians of a bare run, a launched one and a replayed one, taken in turns."""
    env = commandline.environment(Path(folder))
    session = Session(Order((python, "check.py"), env, folder))
    normal = session.without(frozenset())
    replayed = session.without(frozenset(), replay=True)
    times: tuple[list[float], ...] = ([], [], [])
    for _ in range(ROUNDS):
        times[0].append(bare(python, folder, env))
        times[1].append(seconds(session.started, normal))
        times[2].append(seconds(session.started, replayed))
    first, second, third = map(statistics.median, times)
    return first, second, third


def main(pythons: list[str]) -> int:
    """Measure each and print a line for it."""
    over = 0
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "check.py").write_text("import json\n")
        for python in pythons or list(interpreters.supported().values()):
            plain, launched, replayed = measure(python, folder)
            limit = 2 * plain + 0.060
            over += max(launched, replayed) > limit
            print(
                f"{python}: bare {plain * 1000:.0f} ms, launched {launched * 1000:.0f} ms,"
                f" replayed {replayed * 1000:.0f} ms (limit {limit * 1000:.0f} ms)"
            )
    return 1 if over else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
