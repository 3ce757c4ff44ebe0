"""Edge: where each module of the project comes from, in the project's interpreter."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping

from unhaunt.audits.located import Located, Origins
from unhaunt.importing.imports import read_source
from unhaunt.importing.project_files import project_files, words
from unhaunt.interpreters.copies import copy_note
from unhaunt.repository.heads import toplevel_of, worktrees
from unhaunt.repository.worktree import WorkingTree
from unhaunt.resolving.first_party import first_party, import_roots, renamed
from unhaunt.resolving.origins import Target, ask, owner
from unhaunt.resolving.own_modules import project_around
from unhaunt.resolving.resolution import Resolution, candidates, resolve
from unhaunt.resolving.where import Place, is_inside, with_importer
from unhaunt.settings import project


def located(executable: str, env: Mapping[str, str], tree: WorkingTree, cwd: str) -> Origins:
    """Locate every module of the project around `cwd`, and what the changed files import.

    Raises `UserError` when the interpreter does not answer.
    """
    top = tree.repository.top
    around = project_around(cwd, top)
    said = project(around)
    folders = {name: os.path.join(around, folder) for name, folder in renamed(said).items()}
    own = first_party(around, said)
    importers = {n: place for n, place in _imported(tree) if n not in own}
    target = ask(executable, [*own, *importers], env, around)
    place = Place(top, worktrees(top), frozenset(own), import_roots(around, said))
    front = _pytest_path(tree, top)
    below = () if own else sorted(files.folder for files in project_files(tree) if files.folder)
    each = tuple(_each(target, place, importers, front, folders))
    return Origins(top, each, tuple(below), target.unfollowed)


def _imported(tree: WorkingTree) -> Iterator[tuple[str, str]]:
    """Yield (top-level name, path:line) of what changed files import."""
    changed = [os.fsdecode(path) for path in tree.commit.changed if path.endswith(b".py")]
    for entry, data in tree.committed(tree.entries(changed)):
        for one in read_source(data).imports:
            if not one.level and one.module and one.module[0] not in sys.stdlib_module_names:
                yield one.module[0], f"{entry.path}:{one.line}"


def _pytest_path(tree: WorkingTree, top: str) -> tuple[str, ...]:
    """Return the folders that pytest's `pythonpath` puts first."""
    found = []
    for files in project_files(tree):
        for value in files.pytest_options("pythonpath"):
            inside = [files.inside(folder) for folder in words(value)]
            found += [os.path.join(top, folder) for folder in inside if folder is not None]
    return tuple(dict.fromkeys(found))


def _each(
    target: Target,
    place: Place,
    importers: Mapping[str, str],
    front: tuple[str, ...],
    folders: Mapping[str, str],
) -> Iterator[Located]:
    path = (*front, *target.path)
    for name in sorted({*place.first_party, *importers}):
        asked = (name, path, target.suffixes, target.names)
        found = resolve(*asked, first=place.roots[0], finders=target.finders)
        if found.winner is not None or found.origin is None:
            without = resolve(*asked, finders=target.finders)
            own = _own(name, target, place, folders)
            one = _one(name, own, found, without, target, place)
            yield one._replace(importer=importers.get(name))


def _one(
    name: str,
    own: str | None,
    found: Resolution,
    without: Resolution,
    target: Target,
    place: Place,
) -> Located:
    winner = found.winner
    if winner is None:
        return Located(name, own, None, None, False, _why(name, target, own, place), None)
    inside = is_inside(winner.path, place)
    entry = winner.finder or target.because.get(winner.entry, "sys.path[0]")
    because = with_importer(entry, found) or entry
    made = Located(name, own, winner.path, winner.form, inside, because, owner(winner.path, target))
    if winner.form == "namespace":
        finders = [c.path for c in found.also if c.finder]
        return made._replace(real=next(iter([*finders, *([own] if own else [])]), None))
    if not inside:
        copy, stale = _copy(name, winner.path, own, place)
        return made._replace(other=_other(winner.path, own, place), copy=copy, stale=stale)
    return made._replace(elsewise=_elsewise(name, without, own, place))


def _own(name: str, target: Target, place: Place, folders: Mapping[str, str]) -> str | None:
    """Return the checkout's own regular module of a name."""
    if name in folders:
        inside = candidates("__init__", folders[name], target.suffixes)
        return next((one.path for one in inside if one.form != "namespace"), None)
    for root in place.roots:
        for one in candidates(name, root, target.suffixes):
            if one.form != "namespace":
                return one.path
    return None


def _copy(name: str, origin: str, own: str | None, place: Place) -> tuple[str | None, bool]:
    if own is None or "-packages" not in origin:
        return None, False
    note = copy_note(name, origin, place)
    if note is None:  # a single module
        stale = not _same(own, origin)
        return ("site-packages copy, not the checkout", stale)
    return note.partition(" (")[0], "; 0 of " not in note


def _same(one: str, other: str) -> bool:
    try:
        with open(one, "rb") as left, open(other, "rb") as right:
            return left.read() == right.read()
    except OSError:
        return False


def _other(origin: str, own: str | None, place: Place) -> str | None:
    """Return the root of another working tree, or of another checkout, that has the origin."""
    real = os.path.realpath(origin)
    root = toplevel_of(os.path.dirname(real))
    if root is None or "-packages" in os.path.relpath(real, root):
        return None
    if root in map(os.path.realpath, place.worktrees):
        return root
    if own is None or root == os.path.realpath(str(place.toplevel)):
        return None
    same_place = os.path.relpath(real, root) == os.path.relpath(own, str(place.toplevel))
    return root if same_place else None


def _elsewise(name: str, without: Resolution, own: str | None, place: Place) -> str | None:
    """Return the stale copy that is taken when the current directory is not on the path."""
    if without.origin is None or is_inside(without.origin, place):
        return None
    return without.origin if _copy(name, without.origin, own, place)[1] else None


def _why(name: str, target: Target, own: str | None, place: Place) -> str:
    """Say why nothing supplies a name."""
    mapped = target.finders.mapping.get(name)
    if mapped:
        return f"the editable install maps it to {mapped[0]}, which is gone"
    for folder, distribution in target.editable:
        if not os.path.isdir(folder):
            return f"the editable install of {distribution} names {folder}, which is gone"
    if own is None:
        return "neither the checkout nor this Python has it"
    root = next((r for r in place.roots if own.startswith(r + os.sep) and _holds(r, name, own)), "")
    if not root:
        folder = os.path.relpath(os.path.dirname(own), str(place.toplevel))
        return f"package-dir maps it to {folder}/, and no editable install of this Python does"
    return f"{os.path.relpath(root, str(place.toplevel))}/ is on no path of this Python"


def _holds(root: str, name: str, own: str) -> bool:
    return os.path.relpath(own, root).split(os.sep)[0].partition(".")[0] == name
