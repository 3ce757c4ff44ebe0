"""Reads the other machine's result for `verify`: its own `verify` JSON, or a fingerprint."""

from __future__ import annotations

import json

from unhaunt.errors import UserError
from unhaunt.fingerprints.reading import read
from unhaunt.running.trials import Baseline


def baseline(path: str) -> Baseline:
    """Return what a file says. Raises `UserError` when it is neither of the two."""
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(
            f"{path}: {error}", hint="unhaunt verify --format json --output FILE"
        ) from error
    try:
        facts = json.loads(text)
    except ValueError:
        facts = None
    if isinstance(facts, dict) and facts.get("schema") == "unhaunt.verify/1":
        rows = facts.get("checks") or ()
        checks = {str(row.get("name")): row.get("passed") for row in rows if isinstance(row, dict)}
        return Baseline(path, facts.get("fingerprint"), checks)
    return Baseline(path, read(text, path), {})
