"""What an environment adds to a command, one ingredient at a time. Pure: no IO.

Each can be left out alone. One that comes with another (a startup file of the user site) is left
out with it, and is never there without it. The kinds follow CPython's own start: Modules/getpath.py
for the variables, Lib/site.py for the rest.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import Any, NamedTuple

from unhaunt.fingerprints.comparable import NEUTRAL

Facts = dict[str, Any]


class Kind(Enum):
    """What an ingredient is; the value is how it is called."""

    VARIABLE = "variable"
    ELEMENT = "PYTHONPATH element"
    USER_SITE = "user site"
    FIRST = "sys.path[0]"
    VENV = "active virtual environment that is not used"
    CONDA = "variable that conda sets"
    LINE = ".pth line"
    ENTRY_POINT = ".start line"
    MODULE = "startup module"
    FILE = "imported file that is in no commit"


class Ingredient(NamedTuple):
    """One of them."""

    kind: Kind
    name: str  # as a person reads it
    value: str  # a variable's name, a folder, a file
    number: int = 0  # of a PYTHONPATH element or a line, from 1
    carrier: int | None = None  # the position of the one that it comes with
    evidence: tuple[str, ...] = ()
    folder: str = ""  # that imports come from because of it
    usual: bool = False  # an installed package's own, or this checkout's: left alone first


#: variables that inject something before the first test, besides Python's own
INJECTING = ("PYTEST_ADDOPTS", "PYTEST_PLUGINS", "PYTEST_DISABLE_PLUGIN_AUTOLOAD")
#: neutral for a fingerprint, and yet a reason why a run differs
_CHANGING = frozenset({"PYTHONUSERBASE", "PYTHONSAFEPATH", "PYTHONNOUSERSITE"})
#: what makes startup code, in the words of the probe
_RUNS = ("exec", "path", "call")


class Surroundings(NamedTuple):
    """Where a command stands."""

    env: Mapping[str, str]
    cwd: str
    toplevel: str | None = None
    first: str | None = None  # sys.path[0], when -I would take it away and it is no root of ours


def of_environment(where: Surroundings) -> list[Ingredient]:
    """Return what can be seen before anything was started."""
    found = [*_elements(where), *_user_site(where), *_variables(where)]
    if where.first is not None:
        name = f"sys.path[0]: {where.first}"
        found.append(Ingredient(Kind.FIRST, name, where.first, folder=where.first))
    return found


def _elements(where: Surroundings) -> Iterator[Ingredient]:
    value = where.env.get("PYTHONPATH")
    for number, element in enumerate(value.split(os.pathsep) if value else (), 1):
        shown = element or "(empty: the current directory)"
        folder = os.path.normpath(os.path.join(where.cwd, element))
        name = f"PYTHONPATH element {number}: {shown}"
        yield Ingredient(Kind.ELEMENT, name, folder, number, folder=folder)


def _user_site(where: Surroundings) -> Iterator[Ingredient]:
    value = where.env.get("PYTHONNOUSERSITE")
    if not value or re.fullmatch(r"\s*[+-]?0+", value):  # it is read as a number
        yield Ingredient(Kind.USER_SITE, "user site", "")


def _variables(where: Surroundings) -> Iterator[Ingredient]:
    for name in sorted(where.env):
        if where.env[name] and is_changing(name):
            value = where.env[name]
            yield Ingredient(Kind.VARIABLE, f"{name}={value}", name)


def is_changing(name: str) -> bool:
    """Tell whether a variable changes what a run does, before its first line."""
    if name in ("PYTHONPATH", "PYTHONNOUSERSITE"):
        return False
    ours = name.startswith("PYTHON") or name in ("__PYVENV_LAUNCHER__", *INJECTING)
    return ours and (name not in NEUTRAL or name in _CHANGING)


def of_interpreter(
    before: Sequence[Ingredient], facts: Facts, where: Surroundings
) -> list[Ingredient]:
    """Return them with what the interpreter's own files add; the user site gets its folder."""
    user = ((facts.get("startup") or {}).get("user_site") or {}) if facts else {}
    found = [_with_folder(one, user) for one in before if _is_there(one, user)]
    for one in (*_modules(facts), *_lines(facts, where)):
        found.append(one._replace(carrier=_carrier(one.value, found)))
    return found


def _is_there(one: Ingredient, user: Facts) -> bool:
    return one.kind is not Kind.USER_SITE or bool(user.get("on_path") or user.get("exists"))


def _with_folder(one: Ingredient, user: Facts) -> Ingredient:
    if one.kind is not Kind.USER_SITE or not user.get("path"):
        return one
    folder = user["path"]
    return one._replace(name=f"user site: {folder}", value=folder, folder=folder)


def _carrier(path: str, found: Sequence[Ingredient]) -> int | None:
    """Return the position of the one by which a file is there at all."""
    folder = os.path.dirname(path)
    for position, one in enumerate(found):
        near = {folder, os.path.dirname(folder)}  # a package's __init__ lies one deeper
        if one.kind in (Kind.ELEMENT, Kind.USER_SITE) and one.value in near:
            return position
    return None


def _modules(facts: Facts) -> Iterator[Ingredient]:
    for row in (facts.get("startup") or {}).get("modules") or ():
        if row["state"] in ("loaded", "shadowed"):
            evidence = [_hashed(row["path"], row.get("sha256")), *_imports(row)]
            name = f"{row['module']}: {row['path']}"
            usual = bool(row.get("owner"))
            yield Ingredient(Kind.MODULE, name, row["path"], evidence=tuple(evidence), usual=usual)


def _imports(row: Facts) -> Iterator[str]:
    for found in row.get("imports") or ():
        if found.get("origin"):
            file = _hashed(found["origin"], found.get("sha256"))
            yield f"it imports {found['module']} from {file}"


def _hashed(path: str, sha256: str | None) -> str:
    return f"{path} (sha256 {sha256[:12]})" if sha256 else path


def _lines(facts: Facts, where: Surroundings) -> Iterator[Ingredient]:
    startup = facts.get("startup") or {}
    for kind, rows in ((Kind.LINE, startup.get("pth")), (Kind.ENTRY_POINT, startup.get("start"))):
        for row in rows or ():
            for line in row["lines"]:
                if line["kind"] in _RUNS and line.get("exists", True):
                    yield _line(kind, row, line, where)


def _line(kind: Kind, row: Facts, line: Facts, where: Surroundings) -> Ingredient:
    name = f"{row['path']} line {line['line']}: {line['text'][:120]}"
    target = line.get("target", "")
    top = where.toplevel
    home = bool(top and (target + os.sep).startswith(top + os.sep))
    usual = home if line["kind"] == "path" else bool(row.get("owner"))
    evidence = (_hashed(row["path"], row.get("sha256")), *_imports(line))
    return Ingredient(
        kind, name, row["path"], line["line"], evidence=evidence, folder=target, usual=usual
    )


def of_process(prefix: str, where: Surroundings) -> list[Ingredient]:
    """Return the environment that VIRTUAL_ENV names, when the command's Python is another one."""
    active = where.env.get("VIRTUAL_ENV")
    if not active or os.path.realpath(active) == os.path.realpath(prefix):
        return []
    name = f"VIRTUAL_ENV={active} (this Python is of {prefix})"
    return [Ingredient(Kind.VENV, name, active)]


def with_profiles(
    everything: Sequence[Ingredient], profiles: Sequence[Mapping[str, Any]]
) -> list[Ingredient]:
    """Add to what a variable brings in the lines of shell profiles that set it."""
    found = []
    for one in everything:
        name = {Kind.VARIABLE: one.value, Kind.ELEMENT: "PYTHONPATH"}.get(one.kind)
        lines = [f"{r['path']}:{r['line']} sets {name}" for r in profiles if r["sets"] == name]
        found.append(one._replace(evidence=(*one.evidence, *lines)))
    return found


def with_hiding(one: Ingredient, names: Sequence[str]) -> Ingredient:
    """Add to a PYTHONPATH element, given what it holds, what of that hides the standard library."""
    if one.kind is not Kind.ELEMENT:
        return one
    hiding = [n for n in names if n.partition(".")[0] in sys.stdlib_module_names]
    told = f"it holds {', '.join(hiding[:5])}: a name of the standard library"
    return one._replace(evidence=(*one.evidence, told)) if hiding else one


def of_conda(names: Mapping[str, str], where: Surroundings) -> list[Ingredient]:
    """Return the variables that activation has set; `names` gives the file that says so."""
    return [
        Ingredient(Kind.CONDA, f"{name}, which conda sets", name, evidence=(file,))
        for name, file in names.items()
        if where.env.get(name) and not is_changing(name) and name != "PYTHONPATH"
    ]


def of_files(paths: Sequence[tuple[str, str]]) -> list[Ingredient]:
    """Return the imported files that are in no commit, given with their visibility."""
    return [
        Ingredient(Kind.FILE, f"{path} [{seen}]", path, evidence=(f"{path} is {seen}",))
        for path, seen in paths
    ]


def closed(kept: frozenset[int], everything: Sequence[Ingredient]) -> frozenset[int]:
    """Return what has to be there with these: the ones that they come with."""
    carriers = {everything[one].carrier for one in kept} - {None}
    return kept | {one for one in carriers if one is not None}


def removed_with(gone: frozenset[int], everything: Sequence[Ingredient]) -> frozenset[int]:
    """Return what is gone with these: the ones that come with them."""
    return gone | {n for n, one in enumerate(everything) if one.carrier in gone}
