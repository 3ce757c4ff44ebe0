"""What lies around an interpreter: tools on PATH, pyvenv.cfg, conda. Starts nothing."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

from unhaunt.errors import UserError
from unhaunt.fingerprints.notes import PYTHONS, notes
from unhaunt.interpreters.conda import conda
from unhaunt.interpreters.preflight import Hazard, hazards, head_of, locate, on_path
from unhaunt.interpreters.shebang import behind_shim, shebang

Facts = dict[str, Any]

TOOLS = ("pytest", "py.test", "tox", "nox", "coverage", "pip", "nose2", "mypy", "pre-commit")


def look(facts: Facts, executable: str, env: Mapping[str, str], cwd: str, *, quick: bool) -> Facts:
    """Return the tools, conda, hazards, and a note for everything that is not as it seems."""
    found: Facts = {
        "pyvenv": pyvenv(executable),
        "tools": [row for name in (*PYTHONS, *TOOLS) for row in [tool(name, env, cwd)] if row],
        "conda": conda(facts, env),
        "hazards": [one._asdict() for one in _hazards(facts["interpreter"], executable, quick)],
    }
    return found | {"notes": list(notes(facts, found, env))}


def _hazards(interpreter: Facts, executable: str, quick: bool) -> Iterator[Hazard]:
    yield from hazards(executable)
    if not quick:
        from unhaunt.interpreters.tampering import foreign_names

        yield from foreign_names(interpreter["stdlib"], interpreter["version"])


def tool(name: str, env: Mapping[str, str], cwd: str) -> Facts | None:
    """Return where a command on PATH leads: {name, path, python}; None when there is none."""
    path = next(on_path(name, env, cwd), None)
    if path is None:
        return None
    if name in PYTHONS:
        try:
            target = locate(name, env, cwd)
        except UserError as error:
            return {"name": name, "path": path, "python": None, "because": str(error)}
        return {
            "name": name,
            "path": path,
            "python": os.path.realpath(target.executable),
            "because": target.because,
        }
    return {"name": name, "path": path, "python": shebang(behind_shim(path, env, cwd), env, cwd)}


def pyvenv(executable: str) -> Facts | None:
    """Return pyvenv.cfg as site.py reads it: docs.python.org/3/library/venv.html."""
    folder = os.path.dirname(executable)
    for path in (os.path.join(folder, "pyvenv.cfg"), os.path.join(folder, "..", "pyvenv.cfg")):
        if os.path.isfile(path):
            text = head_of(path, whole=True).decode("utf-8", "replace")
            pairs = [line.partition("=") for line in text.splitlines() if "=" in line]
            keys = [key.strip().lower() for key, _, _ in pairs]
            values = [value.strip() for _, _, value in pairs]
            return {
                "path": os.path.normpath(path),
                "values": dict(zip(keys, values, strict=True)),
                "keys": keys,
            }
    return None
