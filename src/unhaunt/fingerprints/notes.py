"""What is not as it seems about an interpreter, a sentence each. Pure: no IO but realpath."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from typing import Any

Facts = dict[str, Any]

#: the names of an interpreter that people type
PYTHONS = ("python", "python3")


def notes(facts: Facts, found: Facts, env: Mapping[str, str]) -> Iterator[str]:
    """Yield one sentence for each."""
    yield from _variables_that_lie(facts, env)
    yield from _startup_notes(facts)
    yield from _tool_notes(facts, found["tools"], env)
    yield from _environment_notes(facts, found["pyvenv"], found["conda"])
    yield from (f"{row['path']} {row['reason']}" for row in found["hazards"])


def _variables_that_lie(facts: Facts, env: Mapping[str, str]) -> Iterator[str]:
    interpreter = facts["interpreter"]
    prefixes = {os.path.realpath(interpreter["prefix"]), interpreter["prefix"]}
    for name in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        value = env.get(name)
        if value and not {value.rstrip("/"), os.path.realpath(value)} & prefixes:
            yield f"{name}={value} is set but not in use"
    if env.get("VIRTUAL_ENV") and env.get("CONDA_PREFIX"):
        yield "VIRTUAL_ENV and CONDA_PREFIX are both set"
    for name, test, meaning in MEANINGS:
        if name in env and test(env[name]):
            yield f"{name}={env[name]} {meaning}"
    if env.get("PYTHONPATH") and interpreter["in_venv"]:
        yield "PYTHONPATH entries come before this venv"


def _is_set(value: str) -> bool:
    return bool(value)


def _is_zero(value: str) -> bool:
    return bool(re.fullmatch(r"\s*[+-]?0+|", value))


def _has_empty_element(value: str) -> bool:
    return bool(value) and "" in value.split(os.pathsep)


BELIEF = "is set: it changes what this Python believes it is, -I or not (3.11 and newer)"
#: variable, when, what it means
MEANINGS = (
    ("PYTHONEXECUTABLE", _is_set, BELIEF),
    ("__PYVENV_LAUNCHER__", _is_set, BELIEF),
    ("PYTHONHOME", _is_set, "is set: the standard library comes from there (unset PYTHONHOME)"),
    ("PYTHONNOUSERSITE", _is_zero, "does not disable the user site: it is read as a number"),
    ("PYTHONSAFEPATH", _is_zero, "is on unless it is empty (3.11 and newer)"),
    (
        "PYTHONPATH",
        _has_empty_element,
        "has an empty element: the current directory is on sys.path",
    ),
)


def _startup_notes(facts: Facts) -> Iterator[str]:
    startup = facts.get("startup") or {}
    user = startup.get("user_site") or {}
    if user.get("exists") and user.get("enabled") and not user.get("on_path", True):
        yield (
            f"the user site {user['path']} is not on sys.path: created after this interpreter"
            " started; a new process will see it"
        )
    for row in startup.get("modules", ()):
        if "pip-build-env-" in row["path"]:
            yield f"{row['path']}: pip build isolation (expected, temporary)"
    for row in startup.get("pth", ()):
        muted = sum(line["kind"] == "muted" for line in row["lines"])
        if muted:
            yield f"{row['path']}: the .start file beside it silences {muted} import lines"


def _tool_notes(facts: Facts, tools: list[Facts], env: Mapping[str, str]) -> Iterator[str]:
    here = os.path.realpath(facts["interpreter"]["executable"] or "")
    pythons = {row["name"]: row["python"] for row in tools if row["name"] in PYTHONS}
    if len({p for p in pythons.values() if p} | {here}) > 1:
        each = ", ".join(f"{name} is {path}" for name, path in pythons.items())
        yield f"not one Python: {each}, this one is {here}"
    for row in tools:
        if row["name"] in PYTHONS and "shim" in row.get("because", ""):
            yield f"PATH {row['name']} is a pyenv shim: {row['because']}"
        elif row["name"] not in PYTHONS and _is_foreign(row["python"], facts["interpreter"]):
            yield (
                f"{row['name']} on PATH runs under {row['python']},"
                f" not under {facts['interpreter']['prefix']}; use python -m {row['name']}"
            )
    yield from _path_order(facts, tools, env)


def _is_foreign(python: str | None, interpreter: Facts) -> bool:
    """Tell whether the Python of a tool is another one than that of the fingerprint."""
    if not python or os.path.dirname(python) == os.path.join(interpreter["prefix"], "bin"):
        return False
    same = os.path.realpath(python) == os.path.realpath(interpreter["executable"] or "")
    return bool(interpreter["in_venv"]) or not same


def _path_order(facts: Facts, tools: list[Facts], env: Mapping[str, str]) -> Iterator[str]:
    user = ((facts.get("startup") or {}).get("user_site") or {}).get("path") or ""
    scripts = os.path.join(user.partition("/lib/")[0], "bin")
    ours = os.path.join(facts["interpreter"]["prefix"], "bin")
    folders = env.get("PATH", "").split(os.pathsep)
    if not {scripts, ours} <= set(folders) or folders.index(scripts) > folders.index(ours):
        return
    names = ", ".join(row["name"] for row in tools if os.path.dirname(row["path"]) == scripts)
    yield f"user scripts dir {scripts} precedes venv bin on PATH{': ' if names else ''}{names}"


def _environment_notes(facts: Facts, config: Facts | None, conda: Facts | None) -> Iterator[str]:
    if conda and conda["is_interpreter"]:
        before = "conda: the user site comes before this environment"
        yield "conda (with pyvenv.cfg: user site off)" if config else before
    elif config:
        yield from _pyvenv_notes(config, facts["interpreter"]["version"])
    when = "whenever this conda environment is activated"
    for name, file in (conda or {}).get("env_vars", {}).items():
        if name.startswith(("PYTHON", "LD_", "__PYVENV")):
            yield f"{file} sets {name} {when}"
    for row in (conda or {}).get("scripts", ()):
        yield f"{row['path']} sets {', '.join(row['sets'])} {when}"


def _pyvenv_notes(config: Facts, version: str) -> Iterator[str]:
    values, path = config["values"], config["path"]
    if not values.get("home"):
        yield f"{path} has no home: this is a half-made environment"
    system = values.get("include-system-site-packages")
    leak = "the base's packages and the user site"
    if system is None:
        yield f"{path} lacks include-system-site-packages: {leak} leak in"
    elif system.lower() == "true":
        yield f"{path} lets {leak} in"
    for key in sorted({k for k in config["keys"] if config["keys"].count(k) > 1}):
        yield f"{path} has {key} more than once"
    told = values.get("version") or values.get("version_info", "")
    if told and told.split(".")[:2] != version.split(".")[:2]:
        yield f"{path} is for {told}, this Python is {version}"
