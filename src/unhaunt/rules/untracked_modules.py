"""UH201-UH204: modules that are importable here, and in no commit.

Which file would an import statement of the commit take? The shared part answers that once for a
run: candidates (modules outside the commit), edges (which committed import reaches one), and then
one code for each path.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import NamedTuple

from unhaunt.importing.import_edges import Edges, edges
from unhaunt.importing.import_roots import is_conftest
from unhaunt.importing.importable import NAMESPACE, Module, is_startup_module
from unhaunt.importing.project import Project, owner
from unhaunt.importing.project_files import not_read
from unhaunt.importing.stdlib_names import Standing, standing
from unhaunt.inventory import Entry, Inventory, Visibility
from unhaunt.rule import Finding, NotChecked, Rule, Severity
from unhaunt.text import printable
from unhaunt.versions import only_on


class Judged(NamedTuple):
    """What is to be said of one path, under one code."""

    code: str
    finding: Finding


def missing_from_commit(inventory: Inventory) -> Iterator[Finding | NotChecked]:
    """Modules that the commit imports and does not have.

    What it finds: a module that is untracked, ignored, staged but not in this commit, only an
    intent-to-add, or in a nested repository, and that the content to be committed imports: the
    importing line is named. Also what pytest loads without an import: a `conftest.py` at or above a
    tracked test, `pytest_plugins`, `-p`, and entry points.

    Why it matters: it works on this machine and on no other. A clean clone fails with
    ModuleNotFoundError, or takes some other module of that name.

    What to do instead: `git add` the module; or guard the import with `except ImportError` when it
    is optional; or declare it under `generated` in `[tool.unhaunt]` when a build step writes it.

    What it does not find: names computed at run time, imports in files that are not `.py`, modules
    outside the repository (`unhaunt where` does). Guarded imports count for nothing.
    """
    return _of("UH201", inventory)


def shadows_stdlib(inventory: Inventory) -> Iterator[Finding | NotChecked]:
    """Untracked modules that replace a module of the standard library.

    What it finds: an untracked module at an import root (an ignored one only if the commit imports
    the name) whose name a supported Python would take from there instead of from its own library;
    the versions are named when not all would.

    Why it matters: every program that starts in that folder gets this file for the standard module,
    and so does all that the standard library itself imports by that name.

    What to do instead: rename it: `git status` does not make it visible enough.

    What it does not find: names that are built in, frozen or loaded before the first line: no file
    can take them (UH204 says so); tracked modules.
    """
    return _of("UH202", inventory)


def shadows_dependency(inventory: Inventory) -> Iterator[Finding | NotChecked]:
    """Untracked modules that replace a declared dependency.

    What it finds: an untracked module at an import root (an ignored one only if the commit imports
    the name) with the import name of a dependency that the project declares.

    Why it matters: here the import takes this file, on every other machine the package.

    What to do instead: rename it, or remove it.

    What it does not find: dependencies that are declared nowhere, or whose import name differs from
    their own and is not in our short table.
    """
    return _of("UH203", inventory)


def untracked_root_module(inventory: Inventory) -> Iterator[Finding | NotChecked]:
    """Untracked modules in the repository's root folder.

    What it finds: any other untracked `.py`, regular package, extension module or `.pyc` without
    source in the root folder. An ignored one that nothing imports is no finding.

    Why it matters: the root is on the path of most commands that are run there, so the module can
    be imported here and nowhere else: tests pass, on this machine.

    What to do instead: `git add` it, move it out of the root, or hide it for yourself alone:
    `echo /NAME >> "$(git rev-parse --git-path info/exclude)"`.

    What it does not find: modules below the root that nothing imports, `.pyi` stubs, folders
    without `__init__`.
    """
    return _of("UH204", inventory)


RULES = (
    Rule(
        "UH201", "missing-from-commit", Severity.ERROR,
        "a module that the commit imports and does not have", "{add}", missing_from_commit,
    ),
    Rule(
        "UH202", "shadows-stdlib", Severity.ERROR,
        "an untracked module that replaces one of the standard library",
        "rename it: {rename}", shadows_stdlib,
    ),
    Rule(
        "UH203", "shadows-dependency", Severity.ERROR,
        "an untracked module that replaces a declared dependency",
        "rename it: {rename}", shadows_dependency,
    ),
    Rule(
        "UH204", "untracked-root-module", Severity.ERROR,
        "any other untracked module in the repository's root folder",
        "{add}, or move it, or: "
        'echo {anchored} >> "$(git rev-parse --git-path info/exclude)"',
        untracked_root_module,
    ),
)  # fmt: skip


def _of(code: str, inventory: Inventory) -> Iterator[Finding | NotChecked]:
    if code == "UH201":
        for path in edges(inventory).not_parsed:
            yield NotChecked(path, "not parsed by this Python: its import lines were scanned")
        yield from not_read(inventory)
    for item in judged(inventory):
        if item.code == code:
            yield item.finding


@functools.lru_cache(maxsize=1)
def judged(inventory: Inventory) -> tuple[Judged, ...]:
    """Give each module outside the commit its one code, or none."""
    found = edges(inventory)
    wanted = {m.path for m in found.candidates if m.path in found.importers or found.at_root(m)}
    entries = {entry.path: entry for entry in inventory.entries(wanted)}
    judgements = (
        _judge(inventory, entries[m.path], m, found) for m in found.candidates if m.path in entries
    )
    return tuple(item for item in judgements if item)


def _judge(inventory: Inventory, entry: Entry, module: Module, found: Edges) -> Judged | None:
    if entry.visibility in (
        Visibility.SUBMODULE,
        Visibility.MODIFIED,
    ):  # a submodule's commit has it
        return None
    project = owner(inventory, entry.path)
    place = found.importers.get(entry.path)
    if module.rank == NAMESPACE:  # it hides no module, whatever its name
        return _missing(inventory, entry, module, place) if place else None
    counts = entry.visibility is not Visibility.IGNORED or place is not None
    if found.at_root(module) and counts and entry.visibility is not Visibility.STAGED_ELSEWHERE:
        name = module.parts[-1]
        known = standing(name, project.minors)
        if known.replaced:
            return _shadows(entry, name, known, project)
        if known.kept:
            return _never_imported(entry, module, known)
        if name in project.dependencies and found.is_dependency_name(inventory, name):
            words = f"shadows the declared dependency that is imported as {printable(name)}"
            return Judged("UH203", Finding(entry, words, importer=place))
    if place:
        return _missing(inventory, entry, module, place)
    if _is_stray(module) and entry.visibility in _UNSEEN:
        return Judged("UH204", Finding(entry, "importable here, and in no commit"))
    return None


_UNSEEN = (Visibility.UNTRACKED, Visibility.NESTED_REPOSITORY, Visibility.INTENT_TO_ADD)


def _at_repository_root(module: Module) -> bool:
    return len(module.parts) == 1


def _is_stray(module: Module) -> bool:
    # A startup module is UH101's, wherever it lies.
    return _at_repository_root(module) and not is_startup_module(module.path)


def _shadows(entry: Entry, name: str, known: Standing, project: Project) -> Judged:
    versions = only_on(known.replaced, project.minors)
    words = f"shadows the standard library's {printable(name)}{versions}"
    return Judged("UH202", Finding(entry, words))


def _never_imported(entry: Entry, module: Module, known: Standing) -> Judged | None:
    if not _at_repository_root(module) or entry.visibility not in _UNSEEN:
        return None
    wins = {
        "built-in": "a built-in module wins",
        "frozen": "a frozen module wins",
        "already loaded": "Python has loaded its own before the first line",
    }[known.because]
    return Judged("UH204", Finding(entry, f"can never be imported: {wins}"))


def _missing(inventory: Inventory, entry: Entry, module: Module, place: str) -> Judged | None:
    if module.is_extension:
        return _missing_extension(inventory, entry, module, place)
    what = {
        Visibility.INTENT_TO_ADD: (
            "in the index only as intent-to-add; this commit will not contain it; "
        ),
        Visibility.STAGED_ELSEWHERE: "staged, but not part of this commit; ",
    }.get(entry.visibility or Visibility.COMMITTED, "")
    source = ", and no source of it is tracked" if entry.path.endswith(".pyc") else ""
    words = f"{what}{_reached(entry, place)}{source}; {_elsewhere(inventory, module)}"
    return Judged("UH201", Finding(entry, words, importer=place))


def _reached(entry: Entry, place: str) -> str:
    if is_conftest(entry.path):
        return f"pytest loads it for {printable(place.rpartition(':')[0])}"
    return f"imported by {printable(place)}"


def _elsewhere(inventory: Inventory, module: Module) -> str:
    """Say what becomes of the import in a clean clone."""
    path = "/".join(module.parts)
    for tracked in (f"{path}.py", f"{path}/__init__.py"):
        if inventory.has(tracked):
            return f"a clean clone takes {printable(tracked)} instead"
    return "a clean clone cannot import it"


def _missing_extension(
    inventory: Inventory, entry: Entry, module: Module, place: str
) -> Judged | None:
    if owner(inventory, entry.path).makes_extensions:
        return None
    severity = Severity.WARNING if entry.visibility is Visibility.IGNORED else None
    words = (
        f"a built artifact, imported by {printable(place)}; no backend that makes it is declared; "
        f"{_elsewhere(inventory, module)}"
    )
    return Judged("UH201", Finding(entry, words, severity=severity, importer=place))
