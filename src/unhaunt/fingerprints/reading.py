"""Reads a fingerprint in whichever of its three forms: ours, the probe's alone, the short script's.

Pure: no IO.
"""

from __future__ import annotations

import json
import os
from typing import Any

from unhaunt.errors import UserError
from unhaunt.fingerprints.fingerprint import PROBE_SCHEMA, SCHEMA, complete
from unhaunt.fingerprints.shape import fits
from unhaunt.ourselves import HERE

Facts = dict[str, Any]


class Later(UserError):
    """A later version wrote it."""


def read(text: str, name: str) -> Facts:
    """Return the fingerprint in a file, whichever of the three forms it has.

    Raises `UserError` when it is none of them, and when a later unhaunt wrote it.
    """
    try:
        facts = json.loads(text)
    except (ValueError, RecursionError):
        facts = _framed(text)
    refuse_later(facts, name, SCHEMA, PROBE_SCHEMA)
    try:
        made = _made(facts) if isinstance(facts, dict) else None
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        made = None  # a promised name, and behind it something else
    if made is None or not fits(made):
        raise UserError(f"{name} is not a fingerprint", hint=f"{HERE} fingerprint --output FILE")
    return made


def refuse_later(facts: object, name: str, *schemas: str) -> None:
    """Raise `Later` for what has a higher number than the schemas that are known here."""
    told = str(facts.get("schema")) if isinstance(facts, dict) else ""
    kind, _, number = told.partition("/")
    for schema in schemas:
        known, _, highest = schema.partition("/")
        if kind == known and number.isdecimal() and number != highest:
            raise Later(
                f"{name} was written by a later unhaunt ({told}; this one reads {schema})",
                hint="update unhaunt here: python3 -m pip install --upgrade unhaunt",
            )


def _made(facts: Facts) -> Facts | None:
    if facts.get("schema") == PROBE_SCHEMA:
        return complete(None, facts, {"repository": _near(facts)})
    if facts.get("schema") == SCHEMA:
        return facts
    if "sys_path_head" in facts or {"executable", "version", "prefix"} <= facts.keys():
        return from_short(facts)
    return None


def _framed(text: str) -> object:
    """Find the probe's line among what else was printed."""
    for line in reversed(text.splitlines()):
        start = line.find("{")
        if start >= 0:
            try:
                return json.loads(line[start:])
            except (ValueError, RecursionError):
                continue
    return None


def _near(facts: Facts) -> Facts | None:
    top = (facts.get("process") or {}).get("toplevel")
    return (
        {"toplevel": top, "head": None, "branch": None, "dirty": None, "worktree": None}
        if top
        else None
    )


def from_short(short: Facts) -> Facts:
    """Read the plain JSON of the short fingerprint script; what it lacks stays unknown."""
    in_venv = short.get("in_venv", short.get("prefix") != short.get("base_prefix"))
    version = str(short.get("version", "")).split()[:1]
    made: Facts = {
        "schema": SCHEMA,
        "short": True,
        "interpreter": {k: short[k] for k in ("executable", "prefix", "base_prefix") if k in short}
        | {"version": version[0] if version else None, "in_venv": in_venv},
        "environment": {"PYTHONPATH": short["pythonpath"]} if short.get("pythonpath") else {},
        "process": {"cwd": short.get("cwd")},
        "startup": {
            "user_site": {"path": short.get("user_site"), "enabled": short.get("user_site_enabled")}
        },
    }
    files = short.get("sitecustomize_files")
    if files is not None:
        rows = files.items() if isinstance(files, dict) else [(f, None) for f in files]
        made["startup"]["modules"] = [
            {
                "module": os.path.basename(f).partition(".")[0],
                "path": f,
                "form": "module",
                "sha256": None,
                "state": "loaded",
            }
            for f in (row[0] if isinstance(row[0], str) else str(row[0]) for row in rows)
        ]
    return made
