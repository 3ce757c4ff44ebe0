"""Which Python a project asks for, by metadata, lock and environment files. Pure: no IO.

Sources: packaging.python.org (requires-python, version specifiers, pylock.toml), the lock formats
of uv, poetry and pdm, pyenv's `.python-version`, conda's match specifications.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple


class Wish(NamedTuple):
    """What one file asks for, as it is written there."""

    file: str
    specifier: str


def wishes(texts: Mapping[str, str]) -> tuple[Wish, ...]:
    """Return what each file asks for; one that cannot be read asks for nothing."""
    return tuple(
        Wish(name, specifier.strip())
        for name, read in READERS.items()
        if name in texts
        for specifier in read(texts[name])
        if specifier.strip()
    )


def unreadable(texts: Mapping[str, str | None]) -> tuple[str, ...]:
    """Return the files that say nothing because they cannot be read; None is no text at all."""
    return tuple(name for name, text in texts.items() if text is None or _is_broken(name, text))


def _is_broken(name: str, text: str) -> bool:
    if not name.endswith((".toml", ".lock")):
        return False
    try:
        tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return True
    return False


def _toml(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return {}


def _at(table: object, *keys: str) -> Iterator[str]:
    for key in keys:
        table = table.get(key) if isinstance(table, dict) else None
    if isinstance(table, str):
        yield table


def _pyproject(text: str) -> Iterator[str]:
    table = _toml(text)
    yield from _at(table, "project", "requires-python")
    yield from _at(table, "tool", "poetry", "dependencies", "python")


def _locked(text: str) -> Iterator[str]:
    yield from _at(_toml(text), "requires-python")


def _poetry(text: str) -> Iterator[str]:
    yield from _at(_toml(text), "metadata", "python-versions")


def _pdm(text: str) -> Iterator[str]:
    metadata = _toml(text).get("metadata")
    targets = metadata.get("targets") if isinstance(metadata, dict) else None
    found = [
        one
        for row in (targets if isinstance(targets, list) else ())
        for one in _at(row, "requires_python")
    ]
    if found:  # one of them is enough
        yield " || ".join(found)


def _pixi(text: str) -> Iterator[str]:
    yield from _at(_toml(text), "dependencies", "python")


def _python_version(text: str) -> Iterator[str]:
    words = [line.partition("#")[0].strip() for line in text.splitlines()]
    first = next(filter(None, words), "")
    match = re.fullmatch(r"(?:cpython-|python-?)?(\d+(?:\.\d+)*)(?:-dev|t)?", first)
    if match:
        yield f"={match[1]}"


_CONDA = re.compile(
    r"""(?m)^\s*-\s*["']?(?:[\w.-]+::)?python\s*([=<>!~][^#"'\n]*|)["']?\s*(?:#.*)?$"""
)


def _conda(text: str) -> Iterator[str]:
    for match in _CONDA.finditer(text):
        yield re.sub(r"^(=+[\d.*]+)=\S*$", r"\1", match[1].strip())  # without the build


def _conda_lock(text: str) -> Iterator[str]:
    found = re.findall(r"(?m)^- name: python\n(?:  .*\n)*?  version: ['\"]?([\d.]+)", text)
    yield from (f"=={version}" for version in dict.fromkeys(found))


READERS: dict[str, Callable[[str], Iterator[str]]] = {
    "pyproject.toml": _pyproject,
    ".python-version": _python_version,
    "uv.lock": _locked,
    "pylock.toml": _locked,
    "poetry.lock": _poetry,
    "pdm.lock": _pdm,
    "environment.yml": _conda,
    "environment.yaml": _conda,
    "conda-lock.yml": _conda_lock,
    "pixi.toml": _pixi,
}

# --- whether a version fits ---

_CLAUSE = re.compile(r"(===|==|~=|!=|<=|>=|<|>|\^|~|=)?\s*v?(\d+(?:\.\d+)*)(\.\*)?\s*")


def fits(version: str, specifier: str) -> bool | None:
    """Tell whether a version of Python is one that a specifier admits; None: it cannot be read."""
    if specifier.strip() in ("", "*"):
        return True
    answers = [_fits_all(_numbers(version), part) for part in re.split(r"\|\|?", specifier)]
    if any(answer for answer in answers):
        return True
    return None if None in answers else False


def _fits_all(version: tuple[int, ...], part: str) -> bool | None:
    found = [
        _CLAUSE.fullmatch(clause.strip()) for clause in re.split(r"[,\s]+(?=\S)", part.strip())
    ]
    if None in found:
        return None
    return all(_fits(version, match) for match in found if match)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(n) for n in re.findall(r"\d+", version)[:3])


def _fits(version: tuple[int, ...], match: re.Match[str]) -> bool:
    operator, wanted, star = match[1] or "=", _numbers(match[2]), bool(match[3])
    same = version[: len(wanted)] == wanted
    exact = version == (*wanted, 0, 0)[:3]
    at_least = version >= wanted
    return {
        "=": same,  # conda, pyenv: any patch of it
        "==": same if star else exact,
        "===": exact,
        "!=": not (same if star else exact),
        ">=": at_least,
        "<=": version <= (*wanted, 0, 0)[:3],
        ">": version > (*wanted, 0, 0)[:3],
        "<": version < (*wanted, 0, 0)[:3],
        "~=": at_least and version[: len(wanted) - 1] == wanted[:-1],
        "^": at_least and version[0] == wanted[0],
        "~": at_least and version[:2] == (*wanted, 0)[:2],
    }[operator]
