"""Reads the other machine's result for `verify`: its own `verify` JSON, or a fingerprint."""

from __future__ import annotations

import json
from typing import Any

from unhaunt.errors import UserError
from unhaunt.fingerprints.reading import Later, read, refuse_later
from unhaunt.fingerprints.sides import side
from unhaunt.ourselves import HERE
from unhaunt.running.trials import Baseline

VERIFY = "unhaunt.verify/1"
_HINT = f"{HERE} verify --format json --output FILE -- COMMAND"


def baseline(path: str) -> Baseline:
    """Return what a file says. Raises `UserError` when it is neither of the two."""
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is no UTF-8 text"
        raise UserError(f"cannot read {path}: {reason}", hint=_HINT) from error
    try:
        facts = json.loads(text)
    except (ValueError, RecursionError):
        facts = None
    refuse_later(facts, path, VERIFY)
    if not isinstance(facts, dict) or facts.get("schema") != VERIFY:
        return Baseline(path, _fingerprint(text, path), {})
    checks = _checks(facts.get("checks"), path)
    told = facts.get("fingerprint")
    own = None if told is None else _fingerprint(json.dumps(told), path)
    return Baseline(path, own, checks, is_verify=True)


def _checks(rows: object, path: str) -> dict[str, bool | None]:
    """Return the answers by name."""
    if not isinstance(rows, list) or not rows or not all(map(_is_check, rows)):
        raise _neither(path)
    return {row["name"]: row["passed"] for row in rows}


def _is_check(row: object) -> bool:
    if not isinstance(row, dict) or not isinstance(row.get("name"), str):
        return False
    return "passed" in row and (row["passed"] is None or isinstance(row["passed"], bool))


def _fingerprint(text: str, path: str) -> dict[str, Any]:
    try:
        facts = read(text, path)
        side(facts, path)  # every fact that a comparison will want
    except Later:
        raise
    except UserError as error:
        raise _neither(path) from error
    except (AttributeError, KeyError, IndexError, TypeError, ValueError) as error:
        raise _neither(path) from error
    return facts


def _neither(path: str) -> UserError:
    return UserError(f"{path} is not a verify result or fingerprint", hint=_HINT)
