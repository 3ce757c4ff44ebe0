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
    for name in ("PYTHONEXECUTABLE", "__PYVENV_LAUNCHER__"):
        if env.get(name):
            yield f"{name}={env[name]} is set: it changes what this Python believes it is, -I or not (3.11 and newer)"
    if env.get("PYTHONHOME"):
        yield f"PYTHONHOME={env['PYTHONHOME']} is set: the standard library comes from there; clear it with: unset PYTHONHOME"
    if "PYTHONNOUSERSITE" in env and re.fullmatch(r"\s*[+-]?0+|", env["PYTHONNOUSERSITE"]):
        yield f"PYTHONNOUSERSITE={env['PYTHONNOUSERSITE']!r} does not disable the user site: the value is read as a number"
    if env.get("PYTHONSAFEPATH") == "0":
        yield "PYTHONSAFEPATH='0' is on: any value that is not empty turns it on (3.11 and newer)"
    if env.get("PYTHONPATH") and interpreter["in_venv"]:
        yield "PYTHONPATH entries come before this venv"
    if "" in env.get("PYTHONPATH", "x").split(os.pathsep) and env.get("PYTHONPATH"):
        yield "PYTHONPATH has an empty element: the current directory is on sys.path"


def _startup_notes(facts: Facts) -> Iterator[str]:
    startup = facts.get("startup") or {}
    user = startup.get("user_site") or {}
    if user.get("exists") and user.get("enabled") and not user.get("on_path", True):
        yield f"the user site {user['path']} is not on sys.path: created after this interpreter started; a new process will see it"
    for row in startup.get("modules", ()):
        if "pip-build-env-" in row["path"]:
            yield f"{row['path']}: pip build isolation (expected, temporary)"
    for row in startup.get("pth", ()):
        muted = [line for line in row["lines"] if line["kind"] == "muted"]
        if muted:
            yield f"{row['path']}: {len(muted)} import lines are silenced by the .start file beside it"


def _tool_notes(facts: Facts, tools: list[Facts], env: Mapping[str, str]) -> Iterator[str]:
    here = os.path.realpath(facts["interpreter"]["executable"] or "")
    prefix = facts["interpreter"]["prefix"]
    pythons = {row["name"]: row["python"] for row in tools if row["name"] in PYTHONS}
    if len({p for p in pythons.values() if p} | {here}) > 1:
        each = ", ".join(f"{name} is {path}" for name, path in pythons.items())
        yield f"not one Python: {each}, this one is {here}"
    for row in tools:
        if row["name"] in PYTHONS and "shim" in row.get("because", ""):
            yield f"PATH {row['name']} is a pyenv shim: {row['because']}"
        elif (
            row["name"] not in PYTHONS
            and row["python"]
            and os.path.dirname(row["python"]) != os.path.join(prefix, "bin")
        ):
            if os.path.realpath(row["python"]) != here or facts["interpreter"]["in_venv"]:
                yield f"{row['name']} on PATH runs under {row['python']}, not under {prefix}; use python -m {row['name']}"
    yield from _path_order(facts, tools, env)


def _path_order(facts: Facts, tools: list[Facts], env: Mapping[str, str]) -> Iterator[str]:
    prefix = facts["interpreter"]["prefix"]
    user = ((facts.get("startup") or {}).get("user_site") or {}).get("path") or ""
    base = user.partition("/lib/")[0] if user else ""
    folders = env.get("PATH", "").split(os.pathsep)
    scripts, ours = os.path.join(base, "bin"), os.path.join(prefix, "bin")
    if (
        base
        and scripts in folders
        and ours in folders
        and folders.index(scripts) < folders.index(ours)
    ):
        names = [row["name"] for row in tools if os.path.dirname(row["path"]) == scripts]
        yield f"user scripts dir {scripts} precedes venv bin on PATH" + (
            f": {', '.join(names)}" if names else ""
        )


def _environment_notes(
    facts: Facts, config: Facts | None, conda_facts: Facts | None
) -> Iterator[str]:

    is_conda = bool(conda_facts and conda_facts["is_interpreter"])
    if is_conda:
        yield (
            "conda (with pyvenv.cfg: user site off)"
            if config
            else "conda: the user site comes before this environment"
        )
    if config and not is_conda:
        yield from _pyvenv_notes(config, facts["interpreter"]["version"])
    for name, file in (conda_facts or {}).get("env_vars", {}).items():
        if name.startswith(("PYTHON", "LD_", "__PYVENV")):
            yield f"{file} sets {name} whenever this conda environment is activated"
    for row in (conda_facts or {}).get("scripts", ()):
        yield f"{row['path']} sets {', '.join(row['sets'])} whenever this conda environment is activated"


def _pyvenv_notes(config: Facts, version: str) -> Iterator[str]:
    values, path = config["values"], config["path"]
    if not values.get("home"):
        yield f"{path} has no home: this is a half-made environment"
    system = values.get("include-system-site-packages")
    if system is None:
        yield f"{path} lacks include-system-site-packages: the base's packages and the user site leak in"
    elif system.lower() == "true":
        yield f"{path} lets the base's packages and the user site in"
    for key in sorted({k for k in config["keys"] if config["keys"].count(k) > 1}):
        yield f"{path} has {key} more than once"
    told = values.get("version") or values.get("version_info", "")
    if told and told.split(".")[:2] != version.split(".")[:2]:
        yield f"{path} is for {told}, this Python is {version}"
