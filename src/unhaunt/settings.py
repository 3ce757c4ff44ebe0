"""`[tool.unhaunt]` as the interpreter's commands read it: from the working tree, or --config."""

from __future__ import annotations

import os
from typing import Any

from unhaunt.errors import UserError


def settings(
    folder: str, config: str | None = None, *, none: bool = False
) -> tuple[dict[str, Any], str]:
    """Return the table and the name of the file that it was read from.

    Raises `UserError` when the file cannot be read, or is no TOML.
    """
    if config is None and none:
        return {}, "--no-config"
    path = config or os.path.join(folder, "pyproject.toml")
    if not os.path.exists(path):
        if config is None:
            return {}, path
        raise UserError(f"{config}: no such file", hint="give a TOML file to --config")
    import tomllib  # costs a third of a start of Python

    try:
        with open(path, "rb") as file:
            table = tomllib.load(file)
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: {error}", hint="correct the file, or use --no-config") from error
    found = table.get("tool", {}).get("unhaunt", {})
    if not isinstance(found, dict):
        raise UserError(f"{path}: tool.unhaunt is not a table", hint="write [tool.unhaunt]")
    return found, path


def project(folder: str) -> dict[str, Any]:
    """Return the whole pyproject.toml of a folder; empty when there is none that can be read."""
    import tomllib

    try:
        with open(os.path.join(folder, "pyproject.toml"), "rb") as file:
            return tomllib.load(file)
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError):
        return {}
