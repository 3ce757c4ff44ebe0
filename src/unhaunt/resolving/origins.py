"""Asks an interpreter where imports come from: the edge under `where` and the hooks like it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

from unhaunt.errors import UserError
from unhaunt.interpreters.copies import copy_note
from unhaunt.interpreters.installed import Records
from unhaunt.interpreters.interpreter import derived
from unhaunt.interpreters.preflight import head_of
from unhaunt.ourselves import HERE
from unhaunt.repository.heads import toplevel_of
from unhaunt.resolving.own_modules import own_names, own_roots
from unhaunt.resolving.resolution import ALIASES, MOVED, Finders, Names, read_finders, resolve
from unhaunt.resolving.where import Around, Origin, Place, answer

Facts = dict[str, Any]


class Target(NamedTuple):
    """What the interpreter said, made ready for questions."""

    path: tuple[str, ...]
    because: Mapping[str, str]
    suffixes: tuple[str, ...]
    names: Names
    finders: Finders
    records: Records
    editable: tuple[tuple[str, str], ...]  # (folder, distribution)
    unfollowed: tuple[str, ...]  # startup files that may change the path


class Answers(NamedTuple):
    """The answer for each module, and the startup code that could make them untrue."""

    rows: tuple[Origin, ...]
    unfollowed: tuple[str, ...]


def origins(
    executable: str, modules: Sequence[str], env: Mapping[str, str], cwd: str, first: str
) -> Answers:
    """Return the answer for each module, or for each of the project's own when none is named.

    `first` is `sys.path[0]`. Raises `UserError` for a name that is none, and when the interpreter
    does not answer.
    """
    top = toplevel_of(os.path.realpath(cwd))
    own = own_names(cwd, top) if top else {}
    names = list(dict.fromkeys(modules or own))
    wrong = [name for name in names if not all(part.isidentifier() for part in name.split("."))]
    if wrong:
        raise UserError(f"{wrong[0]!r} is no module name", hint="give dotted names: package.module")
    if not names:
        raise UserError("no module named, and none at the import roots", hint=f"{HERE} where NAME")
    target = ask(executable, names, env, cwd)
    place = place_of(top, cwd, own, names)
    return Answers(tuple(one(name, target, place, first) for name in names), target.unfollowed)


def ask(executable: str, names: Sequence[str], env: Mapping[str, str], cwd: str) -> Target:
    """Ask the interpreter for its path and its names. Raises `UserError` when it is silent."""
    from unhaunt.audits.audit import Verdict
    from unhaunt.audits.owners import Owners
    from unhaunt.fingerprints.fingerprint import complete
    from unhaunt.interpreters.startup_imports import started, with_imports
    from unhaunt.interpreters.unfollowed import unfollowed

    told = derived(executable, env, cwd, modules=_asked(names))
    if told.facts is None:
        raise UserError(f"{executable}: {told.problem}", hint="give another one with --python")
    facts = complete(with_imports(told.facts), None, {})
    lookup, rows = told.facts["lookup"], facts["path"]
    found = facts["distributions"] or []
    builtin, frozen, loaded, stdlib = (
        frozenset(lookup[key]) for key in ("built-in", "frozen", "loaded", "stdlib")
    )
    owners = Owners(found, facts["interpreter"]["prefix"])
    records = Records(found, facts["interpreter"]["prefix"])
    return Target(
        tuple(row["entry"] for row in rows),
        {row["entry"]: row["because"] for row in rows},
        tuple(facts["interpreter"]["suffixes"]),
        Names(builtin, frozen, loaded, stdlib, started(facts)),
        read_finders(list(_finders(facts))),
        records,
        tuple(_editable(row) for row in found if row["editable"]),
        unfollowed(facts, lambda file: owners.of(file).verdict is Verdict.UNMODIFIED),
    )


def _asked(names: Sequence[str]) -> list[str]:
    return [*(ALIASES.get(name, name) for name in names), *(MOVED[n] for n in names if n in MOVED)]


def _finders(facts: Facts) -> Iterable[tuple[str, bytes]]:
    """Yield the source of the finders that import lines of this interpreter install."""
    lines = [line for row in facts["startup"]["pth"] for line in row["lines"]]
    for found in (one for line in lines for one in line.get("imports", ())):
        if found["module"].startswith("__editable__") and found["origin"]:
            yield found["origin"], head_of(found["origin"], whole=True)


def _editable(row: Facts) -> tuple[str, str]:
    folder = unquote(urlsplit(row["editable"]).path).rstrip("/")
    return folder, f"{row['name']} {row['version']}"


def place_of(top: str | None, cwd: str, own: Iterable[str], names: Sequence[str]) -> Place:
    """Return the checkout that the question is asked in."""
    from unhaunt.repository import history

    if top is None:
        return Place(None)
    tops = sorted({name.partition(".")[0] for name in names} - set(own))
    return Place(
        top,
        history.worktrees(top),
        frozenset(own),
        own_roots(cwd, top),
        frozenset(name for name in tops if history.tracked(top, import_of(name))),
    )


def import_of(name: str) -> str:
    """Return the extended expression of a line that imports a name."""
    space = "[[:space:]]"
    before = rf"([A-Za-z0-9_.]+({space}+as{space}+[A-Za-z0-9_]+)?{space}*,{space}*)*"
    return rf"^{space}*(from|import){space}+{before}{name}({space}|[.,]|$)"


def one(name: str, target: Target, place: Place, first: str) -> Origin:
    """Return the answer for one name."""
    asked = (name, target.path, target.suffixes, target.names)
    found = resolve(*asked, first=first, finders=target.finders)
    without = resolve(*asked, finders=target.finders)
    around = Around(
        lambda entry: target.because.get(entry, "the package's own path"),
        lambda file: owner(file, target),
        lambda module, origin: copy_note(module, origin, place),
    )
    return answer(name, found, without, target.names.stdlib, place, around, first)


def owner(file: str, target: Target) -> str | None:
    """Return the distribution that a file belongs to, as `name version`."""
    for folder, name in target.editable:
        if file.startswith(folder + os.sep) and "-packages" not in file[len(folder) :]:
            return f"{name} (editable)"
    found = target.records.owner(file)
    return f"{found['name']} {found['version'] or ''}".strip() if found else None
