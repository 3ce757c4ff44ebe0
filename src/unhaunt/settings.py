"""`[tool.unhaunt]` as the interpreter's commands read it: from the working tree, or --config."""

from __future__ import annotations

import os
from typing import Any, NamedTuple

from unhaunt.errors import UserError


class Settings(NamedTuple):
    """What these commands ask of the configuration."""

    source: str  # the file that it was read from
    python: str | None = None
    explain: object = ()  # the entries as they stand; `explain.explanations` reads them


def settings(folder: str, config: str | None = None, *, none: bool = False) -> Settings:
    """Return the settings for a folder.

    Raises `UserError` when the file cannot be read, or is not as documented.
    """
    if config is None and none:
        return Settings("--no-config")
    path = config or os.path.join(folder, "pyproject.toml")
    data = _content(path, must=config is not None)
    if config is None and b"unhaunt" not in data:
        return Settings(path)
    # Both cost more than half a start of Python, and most projects have nothing to say.
    import tomllib

    from unhaunt.configuration import parse

    python = parse(data, path).python
    document = tomllib.loads(data.decode("utf-8"))
    table = document.get("tool", {}).get("unhaunt")
    if table is None and config is not None:
        table = document
    return Settings(path, python, (table or {}).get("explain", ()))


def _content(path: str, *, must: bool) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError as error:
        if not must:
            return b""
        raise UserError(f"{path}: no such file", hint="give a TOML file to --config") from error
    except OSError as error:
        hint = "correct it, or use --no-config"
        raise UserError(f"{path}: {error.strerror}", hint=hint) from error


def project(folder: str) -> dict[str, Any]:
    """Return the whole pyproject.toml of a folder; empty when there is none that can be read."""
    import tomllib

    try:
        with open(os.path.join(folder, "pyproject.toml"), "rb") as file:
            return tomllib.load(file)
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError):
        return {}
