"""Running another Python: the only module that starts one.

The derived side runs under -I -S -B with a scrubbed environment and a neutral folder, because
PYTHONEXECUTABLE and __PYVENV_LAUNCHER__ reach through -I (CPython's Modules/getpath.py), and what
it is told (the user's environment among it) goes in through stdin, where `ps` does not see it.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from unhaunt.interpreters.own_environment import restored
from unhaunt.interpreters.preflight import hazards

Facts = dict[str, Any]

PROBE = os.path.join(os.path.dirname(os.path.dirname(__file__)), "probe.py")
SECONDS = 20.0  # before a Python that does not answer is ended
#: kept for a scrubbed start: what a system needs, and what decides how a .pth file is decoded
KEPT = ("SYSTEMROOT", "LANG", "LC_ALL", "LC_CTYPE")


class Answer(NamedTuple):
    """What came back: the facts, or the reason why there are none; and what else was printed."""

    facts: Facts | None
    problem: str | None = None
    noise: str = ""


class Ended(NamedTuple):
    """How a process ended: its code (None when it was stopped) and what it printed."""

    code: int | None
    stdout: str
    stderr: str


def source(request: Mapping[str, object]) -> str:
    """Return the probe's text with its request in front."""
    with open(PROBE, encoding="ascii") as file:
        # A Python 2 that reads this must get as far as the gate: no u"", no escapes above ASCII.
        return f"REQUEST = {json.dumps(json.dumps(request))}\n{file.read()}"


def derived(
    executable: str,
    env: Mapping[str, str],
    cwd: str,
    *,
    modules: Sequence[str] = (),
    seconds: float = SECONDS,
) -> Answer:
    """Ask what a normal start would do; nothing of the user's runs.

    What would run all the same, beside the executable, is found first: then nothing is started.
    """
    for path, reason in hazards(executable):
        return Answer(None, f"not started: {path} {reason}")
    token = os.urandom(8).hex()
    request = {
        "token": token,
        "derive": True,
        "env": dict(env),
        "cwd": cwd,
        "modules": list(modules),
    }
    flags = ["-I", "-S", "-B", *(["-X", "utf8=1"] if env.get("PYTHONUTF8") == "1" else [])]
    return _ask([executable, *flags, "-"], request, _scrubbed(env), os.sep, seconds)


def as_run(
    executable: str,
    env: Mapping[str, str],
    cwd: str,
    *,
    without: Sequence[str] = (),
    seconds: float = SECONDS,
) -> Answer:
    """Start a Python as the user would, and let it report on itself: its startup code runs."""
    request = {
        "token": os.urandom(8).hex(),
        "without": list(without),
        "restore": restored(env),
    }
    return _ask([executable, "-B", "-"], request, env, cwd, seconds)


def _scrubbed(env: Mapping[str, str]) -> dict[str, str]:
    return {name: env[name] for name in KEPT if name in env}


def _ask(
    command: Sequence[str],
    request: Mapping[str, object],
    env: Mapping[str, str],
    cwd: str,
    seconds: float,
) -> Answer:
    try:
        ended = run(command, source(request), env, cwd, seconds)
    except OSError as error:
        return Answer(None, f"{command[0]} cannot be started: {error.strerror}")
    token = f"{request['token']} "
    mine = [line for line in ended.stdout.splitlines() if line.startswith(token)]
    noise = "".join(
        line for line in ended.stdout.splitlines(keepends=True) if not line.startswith(token)
    )
    if len(mine) == 1:
        with contextlib.suppress(ValueError):
            return Answer(json.loads(mine[0].removeprefix(token)), None, noise + ended.stderr)
    return Answer(None, _problem(ended, seconds), noise + ended.stderr)


def _problem(ended: Ended, seconds: float) -> str:
    """Say in one line why a Python did not answer."""
    lines = [line for line in ended.stderr.splitlines() if line.strip()]
    if ended.code is None:
        return f"interpreter does not start: no answer in {seconds:g} seconds"
    fatal = [line for line in lines if "Fatal Python error" in line or line.startswith("probe: ")]
    if any(line.startswith("probe: ") for line in fatal):
        return fatal[-1].removeprefix("probe: ")
    if any("Unknown option: -I" in line for line in lines):
        return "needs CPython 3.8 or newer, this is older than 3.4"
    if fatal:
        return "interpreter does not start: " + fatal[0].partition("error: ")[2]
    if ended.code != 0:
        return f"interpreter does not start: exit code {ended.code}" + (
            f", {lines[-1]}" if lines else ""
        )
    return "interpreter ended before it could answer"


def run(
    command: Sequence[str], text: str, env: Mapping[str, str], cwd: str, seconds: float
) -> Ended:
    """Run a command with its stdin; at the time limit its whole process group is killed."""
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=dict(env),
        cwd=cwd,
        start_new_session=True,
    )
    code: int | None
    try:
        stdout, stderr = process.communicate(text.encode("ascii"), timeout=seconds)
        code = process.returncode
    except subprocess.TimeoutExpired:
        _kill(process)
        stdout, stderr = process.communicate()
        code = None
    return Ended(
        code, stdout.decode("utf-8", "backslashreplace"), stderr.decode("utf-8", "backslashreplace")
    )


def _kill(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError):
        if not hasattr(os, "killpg"):  # Windows
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)


def foreground(
    command: Sequence[str],
    env: Mapping[str, str],
    cwd: str,
    *,
    executable: str | None = None,
    seconds: float | None = None,
) -> int | None:
    """Run the user's own command; its output goes to our stderr, because stdout is for the answer.

    Returns its exit code; None when the time limit ended it.
    """
    process = subprocess.Popen(
        command,
        executable=executable,
        env=dict(env),
        cwd=cwd,
        stdout=sys.stderr.fileno(),
        close_fds=False,  # `python <(...)` names an inherited one
    )
    try:
        return process.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return None


def identity(executable: str, seconds: float = SECONDS) -> str | None:
    """Return what a Python that the probe cannot read calls itself: "2.7.18", "pypy 3.10.14"."""
    code = (
        "import sys; i = getattr(sys, 'implementation', None); "
        "print('%s %d.%d.%d' % ((i.name if i else 'cpython',) + tuple(sys.version_info[:3])))"
    )
    with contextlib.suppress(OSError):
        ended = run([executable, "-E", "-S", "-s", "-c", code], "", {}, os.sep, seconds)
        if ended.code == 0 and ended.stdout.strip():
            return ended.stdout.strip()
    return None
