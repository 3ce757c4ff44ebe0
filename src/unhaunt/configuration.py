"""`[tool.unhaunt]`: what a repository, or an operator's file, says about this tool. Pure: no IO."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from unhaunt.errors import UserError
from unhaunt.path_glob import matches_everything
from unhaunt.text import shortened

_ALLOW = {"rule": "a string", "path": "a string", "reason": "a string", "sha256": "a string",
          "expires": "a date such as 2027-06-30"}  # fmt: skip
_KEYS = ("allow", "explain", "generated", "python")

if TYPE_CHECKING:
    import datetime


class Allow(NamedTuple):
    """One accepted finding: `rule` is a code or a name, `path` a glob."""

    rule: str
    path: str
    reason: str
    sha256: str | None = None
    expires: datetime.date | None = None


class Configuration(NamedTuple):
    """The tables of `[tool.unhaunt]`, read and checked."""

    allows: tuple[Allow, ...] = ()
    generated: tuple[str, ...] = ()
    python: str | None = None


def parse(data: bytes, name: str) -> Configuration:
    """Read a configuration from the bytes of `name`.

    The tables are looked for under `[tool.unhaunt]`; in a file that is no pyproject.toml, at the
    top level too. Raises `UserError` for whatever is not as documented.
    """
    if name.endswith("pyproject.toml") and b"unhaunt" not in data:
        return Configuration()
    import tomllib

    try:
        document = tomllib.loads(data.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _wrong(name, f"not valid TOML: {shortened(str(error), 200)}") from None
    tool = document.get("tool")
    table = tool.get("unhaunt") if isinstance(tool, dict) else None
    if table is None and not name.endswith("pyproject.toml"):
        table = {key: value for key, value in document.items() if key != "tool"}
    return _configuration({} if table is None else table, name)


def _configuration(table: object, name: str) -> Configuration:
    if not isinstance(table, dict):
        raise _wrong(name, "[tool.unhaunt] is not a table")
    for key in table:
        if key not in _KEYS:
            raise _wrong(name, f"unknown key {shortened(key)!r} in [tool.unhaunt]")
    generated, python = table.get("generated", []), table.get("python")
    if not isinstance(generated, list) or not all(isinstance(glob, str) for glob in generated):
        raise _wrong(name, "generated is not a list of globs")
    for glob in generated:
        if matches_everything(glob.removesuffix(".py")):
            raise _wrong(name, f"generated: {shortened(glob)}: the glob matches everything")
    if python is not None and not isinstance(python, str):
        raise _wrong(name, "python is not a path")
    allows = tuple(_allow(item, f"{name}: allow entry {n}") for n, item in _items(table, name))
    return Configuration(allows, tuple(generated), python)


def _items(table: Mapping[str, object], name: str) -> list[tuple[int, object]]:
    items = table.get("allow", [])
    if not isinstance(items, list):
        raise _wrong(name, "allow is not an array of tables: write [[tool.unhaunt.allow]]")
    return list(enumerate(items, 1))


def _allow(item: object, place: str) -> Allow:
    if not isinstance(item, dict):
        raise _wrong(place, "not a table")
    where = f"{place} ({shortened(str(item.get('path', 'without a path')))})"
    for key, value in item.items():
        if key not in _ALLOW:
            raise _wrong(where, f"unknown key {shortened(key)!r}")
        kind = "date" if key == "expires" else "str"
        if type(value).__name__ != kind:
            raise _wrong(where, f"{key} is not {_ALLOW[key]}")
    for key in ("rule", "path", "reason"):
        if not str(item.get(key, "")).strip():
            raise _wrong(where, f"{key} is missing")
    return _checked(Allow(**item), where)


def _checked(allow: Allow, where: str) -> Allow:
    if matches_everything(allow.path):
        raise _wrong(where, "the glob matches everything")
    if allow.sha256 is not None and not _is_sha256(allow.sha256):
        raise _wrong(where, "sha256 is not 64 hexadecimal digits")
    return allow._replace(path=allow.path.removeprefix("./"))


def _is_sha256(text: str) -> bool:
    return len(text) == 64 and all(c in "0123456789abcdefABCDEF" for c in text)


def _wrong(place: str, message: str) -> UserError:
    return UserError(
        f"{place}: {message}",
        hint='an entry is: [[tool.unhaunt.allow]] rule = "UH102", path = "tests/data/*.pth", '
        'reason = "one sentence", and if you like sha256 and expires',
    )
