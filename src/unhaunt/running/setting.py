"""How a command is started with some ingredients left out: environment, options, request.

Pure: no IO. What `launcher` is asked to do is a table of Python literals, because a JSON module
could be anybody's in the process that reads it.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from unhaunt.interpreters.command import Python, argv, first_entry, options_of
from unhaunt.running.ingredients import Ingredient, Kind

Request = dict[str, object]

#: what needs the target's `site` to be replayed
BY_REPLAY = frozenset({Kind.MODULE, Kind.LINE, Kind.ENTRY_POINT})


class Started(NamedTuple):
    """What is started: the words before Python, the Python, and what it runs."""

    words: tuple[str, ...]  # as the user gave them
    prefix: tuple[str, ...]  # of a runner such as `uv run`
    python: Python | None  # None: a program that may start Pythons of its own
    cwd: str


class Setting(NamedTuple):
    """How one run is started."""

    env: Mapping[str, str]
    options: tuple[str, ...]  # of Python, added to the command's own
    request: Request


def environment(
    env: Mapping[str, str], everything: Sequence[Ingredient], gone: Collection[int]
) -> dict[str, str]:
    """Return the environment without what is left out; that of children too."""
    left_out = [everything[number] for number in gone]
    found = dict(env)
    for one in left_out:
        if one.kind in (Kind.VARIABLE, Kind.CONDA):
            found.pop(one.value, None)
        elif one.kind is Kind.USER_SITE:
            found["PYTHONNOUSERSITE"] = "1"
        elif one.kind is Kind.VENV:
            found = _deactivated(found, one.value)
    numbers = {one.number for one in left_out if one.kind is Kind.ELEMENT}
    return _with_elements(found, numbers) if numbers else found


def _with_elements(env: dict[str, str], gone: Collection[int]) -> dict[str, str]:
    elements = env.pop("PYTHONPATH").split(os.pathsep)
    kept = [element for number, element in enumerate(elements, 1) if number not in gone]
    if kept:
        # An empty value would be no value; a lone empty element is the current directory.
        env["PYTHONPATH"] = os.pathsep.join(kept) or "."
    return env


def _deactivated(env: dict[str, str], active: str) -> dict[str, str]:
    env.pop("VIRTUAL_ENV", None)
    own = {os.path.join(active, name) for name in ("bin", "Scripts")}
    folders = env.get("PATH", "").split(os.pathsep)
    return {**env, "PATH": os.pathsep.join(f for f in folders if f not in own)}


def program(started: Started, roots: Sequence[str], *, first: bool) -> Request:
    """Return the part of the request that says what to run; without `first` no sys.path[0]."""
    python = started.python
    if python is None:
        return {}
    how = "found" if _is_by_name(started) else python.how
    path0 = first_entry(python, started.cwd)
    return {
        "how": how,
        "run": named(python),
        "argv": argv(python),  # sys.argv[0] of a module is filled in by runpy
        "path0": path0 if first or how == "folder" else None,
        "roots": list(roots),
        "words": list(started.words),
    }


def named(python: Python) -> str:
    """Return the module, the code, or the path that is run."""
    word = python.run[0]
    if python.how not in ("module", "command"):
        return word
    attached = word[word.index("c" if python.how == "command" else "m") + 1 :]
    return attached or python.run[1]


def _is_by_name(started: Started) -> bool:
    """Tell whether a runner's inner command is a console script that its PATH will find."""
    python = started.python
    return bool(started.prefix and python and python.how == "script" and not python.executable)


def parts(everything: Sequence[Ingredient], gone: Collection[int]) -> Request:
    """Return the part of the request that says what to leave out."""
    lines: dict[str, list[int]] = {}
    modules, hidden = [], []
    for one in (everything[number] for number in sorted(gone)):
        if one.kind in (Kind.LINE, Kind.ENTRY_POINT):
            lines.setdefault(one.value, []).append(one.number)
        elif one.kind is Kind.MODULE:
            modules.append(one.value)
        elif one.kind is Kind.FILE:
            hidden.append(one.value)
    return {"lines": lines, "modules": modules, "hide": hidden}


def needs_replay(
    everything: Sequence[Ingredient], gone: Collection[int], options: Sequence[str]
) -> bool:
    """Tell whether something is left out that no variable switches off."""
    letters = "".join(word[1:] for word in options if not word.startswith(("--", "-X", "-W")))
    return "S" not in letters and any(
        everything[n].kind in BY_REPLAY and everything[n].carrier not in gone for n in gone
    )


def options(
    started: Started, env: Mapping[str, str], *, isolated: bool, replay: bool
) -> tuple[str, ...]:
    """Return every option of the Python of a run."""
    own = options_of(started.python) if started.python else ()
    return (*own, *(isolating(env) if isolated else ()), *(["-S"] if replay else []))


def isolating(env: Mapping[str, str]) -> list[str]:
    """Return `-I`, with what it would ignore although it changes no result: who asked for no
    bytecode, or for unbuffered output, goes on to have that."""
    kept = {"PYTHONDONTWRITEBYTECODE": "-B", "PYTHONUNBUFFERED": "-u"}
    return ["-I", *(option for name, option in kept.items() if env.get(name))]
