"""Where an import comes from, and whether it is a ghost. Pure: decides over what was resolved."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from unhaunt.resolving.resolution import Candidate, Resolution

SCHEMA = "unhaunt.where/1"

MECHANISM = {
    "package": "package",
    "module": "module",
    "bytecode": "bytecode without source",
    "extension module": "extension module",
    "namespace": "namespace package",
    "zip entry": "zip entry",
    "built-in": "built-in",
    "frozen": "frozen",
}
EARLY = "imported by startup code"
UNFOLLOWED = "startup code that may change the path: not followed"
HIDES = "ghost: hides the file of this checkout"


class Place(NamedTuple):
    """What is known of the checkout that the question is asked in."""

    toplevel: str | None
    worktrees: tuple[str, ...] = ()  # other working trees of the same repository
    first_party: frozenset[str] = frozenset()  # top-level names that belong to this project
    roots: tuple[str, ...] = ()  # its import roots
    imported: frozenset[str] = frozenset()  # top-level names that tracked code imports


class Origin(NamedTuple):
    """The answer for one name."""

    module: str
    origin: str | None
    inside: bool
    entry: str | None
    because: str | None
    mechanism: str | None
    owner: str | None
    also: tuple[Mapping[str, Any], ...]
    notes: tuple[str, ...]
    problem: str | None  # why the answer is to be rejected; None: fine


class Around(NamedTuple):
    """What `answer` asks of the disk."""

    because: Callable[[str], str]  # entry -> why it is on the path
    owner: Callable[[str], str | None]  # file -> its distribution
    copy_note: Callable[
        [str, str], str | None
    ]  # (name, origin) -> how a copy differs from the checkout


def is_inside(path: str, place: Place) -> bool:
    """Tell whether a file belongs to this checkout: not to an environment or worktree within it."""
    if place.toplevel is None:
        return False
    real = os.path.realpath(path)
    if not _below(real, os.path.realpath(place.toplevel)):
        return False
    if any(_below(real, os.path.realpath(tree)) for tree in place.worktrees):
        return False
    parts = os.path.relpath(real, os.path.realpath(place.toplevel)).split(os.sep)
    return not {"site-packages", "dist-packages"} & set(parts)


def _below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def answer(
    name: str,
    found: Resolution,
    without_first: Resolution,
    stdlib: frozenset[str],
    place: Place,
    around: Around,
    first: str | None,
) -> Origin:
    """Put the answer for one name together."""
    winner, origin = found.winner, found.origin
    inside = bool(winner and is_inside(winner.path, place))
    owner = around.owner(winner.path) if winner else None
    return Origin(
        name,
        origin,
        inside,
        winner.entry if winner else None,
        with_importer(_because(winner, around, first), found),
        _mechanism(found, winner) if not found.started else f"{_mechanism(found, winner)}, {EARLY}",
        owner,
        tuple(_later(c, around, first) for c in found.also),
        tuple(_notes(name, found, without_first, stdlib, place, around, first)),
        problem(name, found, inside, owner, stdlib, place, around),
    )


def _because(winner: Candidate | None, around: Around, first: str | None) -> str | None:
    if winner is None:
        return None
    if winner.finder:
        return f"{winner.finder} (finder of an editable install)"
    return (
        "sys.path[0]"
        if first is not None and winner.entry == first
        else around.because(winner.entry)
    )


def with_importer(because: str | None, found: Resolution) -> str | None:
    """Return why a module is what it is, when startup code has imported it already."""
    if found.started is None:
        return because
    return f"already imported by {found.started.by} at startup, from {because}"


def _mechanism(found: Resolution, winner: Candidate | None) -> str | None:
    if found.form is None:
        return None
    word = MECHANISM[found.form]
    return f"{word}, through an editable finder" if winner and winner.finder else word


def _later(candidate: Candidate, around: Around, first: str | None) -> Mapping[str, Any]:
    return {
        "path": candidate.path,
        "mechanism": _mechanism(
            Resolution(candidate.path, candidate.form, candidate, ()), candidate
        ),
        "entry": candidate.entry,
        "because": _because(candidate, around, first),
        "owner": around.owner(candidate.path),
    }


def problem(
    name: str,
    found: Resolution,
    inside: bool,
    owner: str | None,
    stdlib: frozenset[str],
    place: Place,
    around: Around,
) -> str | None:
    """Return why an origin is to be rejected, in one sentence; None when it is fine."""
    top = name.partition(".")[0]
    winner = found.winner
    if found.origin is None:
        return f"not found: nothing on the path supplies {found.missing}"
    root = found.root or winner
    if winner is None or root is None or is_standard(root.path, around.because(root.entry)):
        return None
    if inside:
        return f"hides the standard library's {top}" if top in stdlib else None
    if place.toplevel is None:
        return f"hides the standard library's {top}" if top in stdlib else None
    ghost = _ghost(top, winner, owner, place, stdlib)
    hidden = any(map(_inside(place), found.also))
    if ghost is None and hidden and "." in name:
        ghost = HIDES  # a part of a namespace package, which several places may supply
    if found.started is None or (ghost is None and not hidden):
        return ghost
    why = f"{found.started.by} imports it before line 1"
    return f"{ghost or HIDES}: {why}"


def _inside(place: Place) -> Callable[[Candidate], bool]:
    return lambda candidate: candidate.form != "namespace" and is_inside(candidate.path, place)


def is_standard(path: str, because: str) -> bool:
    """Tell whether a file is of the standard library, by why its entry is on the path."""
    return because.startswith("standard library") and "-packages" not in path


def _ghost(
    top: str, winner: Candidate, owner: str | None, place: Place, stdlib: frozenset[str]
) -> str | None:
    other = next(
        (
            tree
            for tree in place.worktrees
            if _below(os.path.realpath(winner.path), os.path.realpath(tree))
        ),
        None,
    )
    if other:
        return f"ghost: comes from another working tree of this repository, {other}"
    if top in place.first_party:
        return "ghost: a module of this project that comes from outside this checkout"
    if top in stdlib:
        return f"hides the standard library's {top}"
    if owner is None and top in place.imported:
        return (
            "ghost: tracked code imports it, nothing installed owns it, it is outside this checkout"
        )
    return None


def _notes(
    name: str,
    found: Resolution,
    without: Resolution,
    stdlib: frozenset[str],
    place: Place,
    around: Around,
    first: str | None,
) -> Sequence[str]:
    notes = []
    winner, top = found.winner, name.partition(".")[0]
    if winner and winner.form == "namespace" and any(c.finder for c in found.also):
        notes.append(
            f"namespace package from {winner.path} (no __init__.py) wins over the editable finder"
        )
    if winner and first is not None and winner.entry == first and top in stdlib:
        notes.append(
            f"{winner.path} shadows the standard library's {top}"
            " when that directory is first on sys.path"
        )
    if without.origin != found.origin:
        there = without.origin or "not found"
        notes.append(f"started another way (a script of another folder, pytest, -P, -I): {there}")
        if without.winner and "-packages" in without.winner.path:
            notes.append("the same name is installed")
    if winner and winner.path and not is_inside(winner.path, place):
        copy = around.copy_note(name, winner.path)
        notes.extend([copy] if copy else [])
    return notes


def exit_code(answers: Sequence[Origin], *, inside_only: bool) -> int:
    """Return 1 when an answer is to be rejected."""
    if inside_only and any(not a.inside for a in answers):
        return 1
    return 1 if any(a.problem for a in answers) else 0
