"""What an environment of conda sets when it is activated. Reads files, sources nothing.

conda's activate.py: `etc/conda/env_vars.d/*`, `conda-meta/state`, `etc/conda/activate.d/*`.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Iterator, Mapping
from typing import Any

from unhaunt.interpreters.preflight import head_of

Facts = dict[str, Any]

SETS = re.compile(
    rb"(?m)^\s*(?:export\s+|setenv\s+|set\s+-gx\s+|\$Env:)?"
    rb"(PYTHON[A-Z_]*|__PYVENV_LAUNCHER__|LD_[A-Z_]+|DYLD_[A-Z_]+)\b"
)


def conda(facts: Facts, env: Mapping[str, str]) -> Facts | None:
    """Return what this interpreter's, or the active, conda environment sets; None without."""
    prefix = (facts.get("interpreter") or {}).get("prefix") or ""
    own = prefix if os.path.isdir(os.path.join(prefix, "conda-meta")) else None
    place = own or env.get("CONDA_PREFIX")
    if not place:
        return None
    return {
        "prefix": place,
        "active": env.get("CONDA_PREFIX") == place,
        "is_interpreter": own is not None,
        "env_vars": dict(_conda_variables(place)),
        "scripts": [{"path": path, "sets": sets} for path, sets in _conda_scripts(place)],
        "depth": env.get("CONDA_SHLVL"),
    }


def _conda_variables(prefix: str) -> Iterator[tuple[str, str]]:
    folder = os.path.join(prefix, "etc", "conda", "env_vars.d")
    files = [os.path.join(folder, name) for name in sorted(_names(folder))]
    for file in files:
        yield from _variables(_json(file), file)
    state = os.path.join(prefix, "conda-meta", "state")
    yield from _variables((_json(state) or {}).get("env_vars"), state)


def _variables(table: object, file: str) -> Iterator[tuple[str, str]]:
    if isinstance(table, dict):
        yield from ((str(name), file) for name, value in table.items() if value != "***unset***")


def _conda_scripts(prefix: str) -> Iterator[tuple[str, list[str]]]:
    folder = os.path.join(prefix, "etc", "conda", "activate.d")
    for name in sorted(_names(folder)):
        found = SETS.findall(head_of(os.path.join(folder, name)))
        if found:
            yield os.path.join(folder, name), sorted({word.decode() for word in found})


def _names(folder: str) -> list[str]:
    with contextlib.suppress(OSError):
        return os.listdir(folder)
    return []


def _json(file: str) -> Any:
    with contextlib.suppress(ValueError):
        return json.loads(head_of(file, whole=True))
    return None
