"""Edge: runs a command once, in a given setting, and says how it ended and what it imported.

The launcher lies in a private folder that is gone afterwards; output goes to a file there, so
that a grandchild which lives on holds nothing up. The command gets no stdin: it runs several
times, and all runs must be alike.
"""

from __future__ import annotations

import ast
import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from unhaunt.errors import UserError
from unhaunt.interpreters.command import RUNNERS
from unhaunt.interpreters.launch import BUILDERS, TEST_TOOLS
from unhaunt.own_files import script
from unhaunt.private_folder import private
from unhaunt.running.outcome import outcome, tail
from unhaunt.running.setting import Setting, Started
from unhaunt.running.trials import Ran

LAUNCHER = os.path.join(os.path.dirname(__file__), "launcher.py")
MOST = 4 << 20  # bytes of output that are looked at
NOTHING: dict[str, object] = {
    "lines": {},
    "modules": [],
    "hide": [],
    "moved": None,
    "replay": False,
    "roots": [],
}
Tick = Callable[[float], None]


def text(request: Mapping[str, object], name: str) -> str:
    """Return the launcher's text in a namespace of its own, with its request."""
    code = f"CONFIG = { {**NOTHING, 'report': None, **request}!a}\n{script(LAUNCHER)}"
    # Two lines: a traceback shows the second.
    run = f"exec(compile(CODE, '<unhaunt>', 'exec'), {{'__name__': {name!r}}})"
    return f"CODE = {code!a}\n{run}\n"


def run(
    started: Started, setting: Setting, seconds: float | None, tick: Tick, stdin: bytes | None
) -> Ran:
    """Run the command. Raises `UserError` when it cannot be started."""
    with private() as folder:
        request = {**setting.request, "folder": folder, "report": os.path.join(folder, "report")}
        env = dict(setting.env)
        if started.python is None:
            words = _standing_in(started, request, env, folder)
        else:
            words = _launched(started, setting, request, env, folder)
        begun = time.monotonic()
        code = _execute(words, started, env, os.path.join(folder, "output"), seconds, tick, stdin)
        took = time.monotonic() - begun
        printed = _read(os.path.join(folder, "output"))
        return Ran(outcome(code, printed), took, tail(printed), _reported(folder))


def _launched(
    started: Started,
    setting: Setting,
    request: Mapping[str, object],
    env: dict[str, str],
    folder: str,
) -> list[str]:
    """Return the words that start the launcher in place of the program."""
    launcher = os.path.join(folder, "launcher.py")
    _write(launcher, text(request, "__unhaunt__"))
    if _is_below(request):
        _stand_in({**request, "report": None}, env, folder)
    python = started.python
    argv0 = python.argv0 if python else ""
    return [*started.prefix, argv0, *setting.options, launcher]


def _standing_in(
    started: Started, request: Mapping[str, object], env: dict[str, str], folder: str
) -> list[str]:
    """Put the stand-in before what the environment has, and return the words as they are."""
    had = env.get("PYTHONPATH")
    _stand_in(request, env, folder)
    if os.path.basename(started.words[0]) == "tox" and not had:
        # tox passes few variables on; with a value of the user's this would let that in too.
        override = [*env.get("TOX_OVERRIDE", "").split(";"), "testenv.pass_env+=PYTHONPATH"]
        env["TOX_OVERRIDE"] = ";".join(filter(None, override))
    return list(started.words)


def _is_below(request: Mapping[str, object]) -> bool:
    """Tell whether the Pythons that the command starts are to leave startup code out as well."""
    return any(request.get(part) for part in ("replay", "modules", "lines"))


def _stand_in(request: Mapping[str, object], env: dict[str, str], folder: str) -> None:
    """Put first on PYTHONPATH what stands in for two modules of every start."""
    asked = {**request, "runners": sorted(RUNNERS)}
    _write(os.path.join(folder, "sitecustomize.py"), text(asked, "__unhaunt_site__"))
    if _is_below(request):
        os.mkdir(os.path.join(folder, "encodings"))
        _write(os.path.join(folder, "encodings", "__init__.py"), text(asked, "__unhaunt_early__"))
    env["PYTHONPATH"] = _joined(folder, env)


def _joined(folder: str, env: Mapping[str, str]) -> str:
    return os.pathsep.join([folder, *([env["PYTHONPATH"]] if env.get("PYTHONPATH") else [])])


def _write(path: str, content: str) -> None:
    with open(path, "w", encoding="ascii") as file:
        file.write(content)


def _execute(
    words: Sequence[str],
    started: Started,
    env: Mapping[str, str],
    output: str,
    seconds: float | None,
    tick: Tick,
    stdin: bytes | None,
) -> int | None:
    with open(output, "wb") as file, contextlib.ExitStack() as stack:
        given: Any = subprocess.DEVNULL
        if stdin is not None:
            given = stack.enter_context(_file_of(stdin, output))
        executable = started.python.executable if started.python and not started.prefix else None
        try:
            process = subprocess.Popen(
                words, executable=executable or None, env=env, cwd=started.cwd, stdin=given,
                stdout=file, stderr=subprocess.STDOUT, start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            raise UserError(
                f"{words[0]} cannot be started: {error.strerror}", hint="is it on PATH?"
            ) from error
        try:
            return _waited(process, seconds, tick)
        finally:
            _end(process)


def _file_of(data: bytes, output: str) -> Any:
    path = f"{output}.stdin"
    with open(path, "wb") as file:
        file.write(data)
    return open(path, "rb")


def _waited(process: subprocess.Popen[bytes], seconds: float | None, tick: Tick) -> int | None:
    begun, step = time.monotonic(), 0.5
    while True:
        left = None if seconds is None else begun + seconds - time.monotonic()
        if left is not None and left <= 0:
            return None
        try:
            return process.wait(timeout=step if left is None else min(step, left))
        except subprocess.TimeoutExpired:
            tick(time.monotonic() - begun)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End what is still running of a command: itself at the time limit, its children always."""
    if not hasattr(os, "killpg"):  # Windows, where the children are left to themselves
        process.kill()
    else:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _read(path: str) -> str:
    with open(path, "rb") as file:
        file.seek(max(0, os.path.getsize(path) - MOST))
        return file.read().decode("utf-8", "backslashreplace")


# --- what was imported ---


def _reported(folder: str) -> Mapping[str, Any] | None:
    names = sorted(n for n in os.listdir(folder) if n.startswith("report"))
    paths = sorted((os.path.join(folder, n) for n in names), key=os.path.getmtime)
    reports = [r for r in map(_literal, paths) if r]
    if names == ["report"]:  # the launcher's own
        return next(iter(reports), None)
    return _chosen(reports, folder)


def _literal(path: str) -> dict[str, Any] | None:
    with open(path, encoding="ascii") as file, contextlib.suppress(ValueError, SyntaxError):
        found = ast.literal_eval(file.read())
        return found if isinstance(found, dict) else None
    return None


def _chosen(reports: Sequence[dict[str, Any]], folder: str) -> Mapping[str, Any] | None:
    """Return the report of the Python that the question is about, with the modules of all."""
    own = [r for r in reports if not _runs(r, RUNNERS)]
    programs = [r for r in own if not _runs(r, BUILDERS)]
    tests = [r for r in programs if _runs(r, TEST_TOOLS)]
    for best in (*tests[:1], *programs[-1:], *own[-1:]):
        modules = {k: v for r in [*programs, best] for k, v in r["modules"].items()}
        ours = folder + os.sep
        return {
            **best,
            "modules": {k: v for k, v in modules.items() if not v.startswith(ours)},
            "unfiled": [name for r in [*programs, best] for name in r["unfiled"]],
        }
    return None


def _runs(report: Mapping[str, Any], names: Sequence[str] | frozenset[str]) -> bool:
    words = [str(word) for word in report["argv"]][:3]
    return any(os.path.basename(word).removesuffix(".py") in names for word in words)
