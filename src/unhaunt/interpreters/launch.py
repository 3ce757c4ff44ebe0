"""A fingerprint from inside the Python that a command starts.

Exact, when the command line names its Python: the probe runs first, in the same process, started
with the same options in the same environment; then the process is replaced by the command as it
was given, so that nothing of ours is in it. Startup code runs twice.

Otherwise (make, tox, uv run): a `sitecustomize` first on PYTHONPATH reports from every Python that
is started below, and undoes itself before the user's own is imported. It cannot reach a Python
that ignores its environment (-E, -I) or a tool that drops PYTHONPATH.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from unhaunt.interpreters.command import RUNNERS, Python, argv, first_entry, options_of
from unhaunt.interpreters.interpreter import PROBE, Facts, foreground, source
from unhaunt.interpreters.own_environment import restored
from unhaunt.own_files import content
from unhaunt.private_folder import private

SHIM = os.path.join(os.path.dirname(__file__), "shim.py")
PYTEST_REPORT = "UNHAUNT_PYTEST_REPORT"  # read by `unhaunt.pytest_plugin`
#: what a report is preferred for: these run tests
TEST_TOOLS = ("pytest", "py.test", "unittest", "nose2", "coverage", "trial", "stestr", "behave")
#: programs that prepare the ground for others
BUILDERS = (
    *("pip", "virtualenv", "venv", "ensurepip", "build"),
    *("_in_process.py", "__pip-runner__.py", "get_interpreter_info.py"),
)


class Report(NamedTuple):
    """What a command's Pythons said: the one that the question is about, and all of them."""

    facts: Facts | None
    started: tuple[Facts, ...]
    code: int | None
    pytest: Facts | None = None


def report(
    python: Python | None,
    command: Sequence[str],
    env: Mapping[str, str],
    cwd: str,
    *,
    seconds: float | None = None,
) -> Report:
    """Run a command and return what its Python said: `python` is what the command names."""
    if python is not None:
        return exactly(python, env, cwd, seconds=seconds)
    return below(command, env, cwd, seconds=seconds)


def exactly(python: Python, env: Mapping[str, str], cwd: str, *, seconds: float | None) -> Report:
    """Report from the very process that the command line starts, then let it run."""
    with private() as folder:
        launcher, answer = os.path.join(folder, "launcher.py"), os.path.join(folder, "report")
        with open(launcher, "w", encoding="ascii") as file:
            request = _request(python, cwd, answer) | {"restore": restored(env)}
            file.write(source(request))
        given = dict(env)
        if any("unhaunt.pytest_plugin" in word for word in python.run):
            given[PYTEST_REPORT] = os.path.join(folder, "pytest")
        command = [python.argv0, *options_of(python), launcher]
        code = foreground(command, given, cwd, executable=python.executable, seconds=seconds)
        facts = _read(answer)
        return Report(facts, (facts,) if facts else (), code, _read(os.path.join(folder, "pytest")))


def _request(python: Python, cwd: str, report: str) -> dict[str, object]:
    """Return what the probe is told of the command that it stands for."""
    request: dict[str, object] = {
        "how": python.how,
        "argv": argv(python),
        "words": list(python.words),
        "report": report,
        "then": [python.executable, *python.words],
    }
    # A folder or zip is put on the path even under -I.
    if python.how == "folder" or not _isolated(options_of(python)):
        request["path0"] = first_entry(python, cwd)
    return request


def _isolated(options: Sequence[str]) -> bool:
    letters = "".join(word[1:] for word in options if not word.startswith(("--", "-X", "-W")))
    return bool(set("IP") & set(letters))


def below(
    command: Sequence[str], env: Mapping[str, str], cwd: str, *, seconds: float | None
) -> Report:
    """Report from the Pythons that another program starts, as far as they let us."""
    with private() as folder:
        probe = os.path.join(folder, "probe")
        with open(probe, "wb") as file:
            file.write(content(PROBE))
        given_first = f"FOLDER = {json.dumps(folder)}\nPROBE = {json.dumps(probe)}\n"
        with open(os.path.join(folder, "sitecustomize.py"), "wb") as file:
            file.write(given_first.encode("ascii") + content(SHIM))
        path = os.pathsep.join([folder, *([env["PYTHONPATH"]] if env.get("PYTHONPATH") else [])])
        given = {**env, "PYTHONPATH": path, PYTEST_REPORT: os.path.join(folder, "pytest")}
        if os.path.basename(command[0]) == "tox" and not env.get("PYTHONPATH"):
            # tox passes few variables on; with a value of the user's this would let that in too.
            override = [*env.get("TOX_OVERRIDE", "").split(";"), "testenv.pass_env+=PYTHONPATH"]
            given["TOX_OVERRIDE"] = ";".join(filter(None, override))
        code = foreground(command, given, cwd, seconds=seconds)
        names = [os.path.join(folder, n) for n in os.listdir(folder) if n.startswith("report-")]
        found = [
            facts
            for name in sorted(names, key=os.path.getmtime)
            for facts in [_read(name)]
            if facts
        ]
        return Report(chosen(found), tuple(found), code, _read(os.path.join(folder, "pytest")))


def chosen(reports: Sequence[Facts]) -> Facts | None:
    """Return the report that the question is about: of a test tool, else of the last program."""
    reports = [r for r in reports if not any(_runs(r, name) for name in RUNNERS)]
    programs = [r for r in reports if not any(_runs(r, name) for name in BUILDERS)]
    tests = [r for r in programs if any(_runs(r, name) for name in TEST_TOOLS)]
    return next(iter([*tests[:1], *programs[-1:], *reports[-1:]]), None)


def _runs(facts: Facts, name: str) -> bool:
    process = facts["process"]
    words = [str(word) for word in (process.get("words") or process["argv"] or ())]
    words = [word for word in words[1:] if not word.startswith("-")][:1]
    return any(
        os.path.basename(word).partition(".")[0] == name or os.path.basename(word) == name
        for word in words
    )


def _read(path: str) -> Facts | None:
    try:
        with open(path, encoding="utf-8") as file:
            facts = json.load(file)
    except (OSError, ValueError):
        return None
    return facts if isinstance(facts, dict) else None
