"""What a shell would make of our values, for comparisons with real programs."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Mapping

import pytest

from unhaunt.envfiles.assignment import Assignment, Command, Effect, Item, Part, Value


def evaluated(value: Value, env: Mapping[str, str], home: str = "/h") -> str:
    """Return `value` as POSIX 2.6.2 expands it."""
    return "".join(_part(part, {**env, "~": home}) for part in value)


def _part(part: Part, env: Mapping[str, str]) -> str:
    if isinstance(part, str):
        return part
    if isinstance(part, Command):
        return part.text.removeprefix("echo ").strip("'\"")
    old = env.get(part.name)
    usable = old is not None and (bool(old) or not part.operator.startswith(":"))
    word = evaluated(part.word, env, env["~"])
    if part.operator in (":-", "-", ":=", "="):
        return old if usable and old is not None else word
    if part.operator in (":+", "+"):
        return word if usable else ""
    return old or ""


def final(items: Iterable[Item], env: Mapping[str, str], name: str = "PYTHONPATH") -> str | None:
    """Return what the variable is after the last setting that is not for one command."""
    now = dict(env)
    for item in items:
        if isinstance(item, Assignment) and item.variable == name and not item.scope:
            if item.effect is Effect.DEFAULTS and now.get(name):
                continue
            now[name] = evaluated(item.value, now)
    return now.get(name)


def program(name: str, package: str = "") -> str:
    """Return a program's path. A missing one fails, so that nothing is skipped in silence."""
    beside = os.path.dirname(sys.executable)
    path = shutil.which(name, path=os.pathsep.join((beside, os.environ["PATH"])))
    if path is None:
        pytest.fail(f"{name} is missing: apt-get install -y {package or name}")
    return path
