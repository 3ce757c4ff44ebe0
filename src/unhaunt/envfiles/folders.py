"""Which folders of the repository a tracked file puts on PYTHONPATH. Pure: no IO."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

from unhaunt.envfiles.assignment import Assignment, Effect
from unhaunt.envfiles.judge import parts_of
from unhaunt.envfiles.scan import Scan
from unhaunt.envfiles.table import Base, Format
from unhaunt.envfiles.value import Element, Place

_INSIDE = frozenset({Place.HERE, Place.RELATIVE, Place.REPOSITORY, Place.EMPTY, Place.UNSET})


def folders_on_path(scans: Iterable[Scan]) -> Iterator[tuple[str, str]]:
    """Yield (folder, "path:line") for every folder that an assignment puts on the path.

    Folders are POSIX, relative to the repository's root, which is "".
    """
    for scan in scans:
        for assignment in scan.assignments:
            for folder in assigned_folders(assignment, scan):
                yield folder, f"{scan.path}:{assignment.line}"


def assigned_folders(assignment: Assignment, scan: Scan) -> tuple[str, ...]:
    """Return the repository's folders that one assignment names, each once."""
    if assignment.variable != "PYTHONPATH" or not assignment.value:
        return ()
    if assignment.effect in (Effect.NOTHING, Effect.PASSES):
        return ()
    elements = parts_of(assignment, scan.format, scan.path)
    known = (e for e in elements if not assignment.elsewhere or e.place is Place.REPOSITORY)
    named = (folders_of(element, scan.format, scan.path) for element in known)
    return tuple(dict.fromkeys(itertools.chain.from_iterable(named)))


def folders_of(element: Element, row: Format, path: str) -> tuple[str, ...]:
    """Return the folders of this repository that an element may name; "" is the root."""
    if element.place not in _INSIDE:
        return ()
    folder = path.rpartition("/")[0]
    bases = [folder if row.base is Base.FOLDER else ""]
    if row.grammar == "dotenv" and element.place is not Place.REPOSITORY:
        # who reads `p/.env` may stand in `p` as well as in the root
        bases = [folder, ""]
    named = (_joined(base, element.folder) for base in dict.fromkeys(bases))
    return tuple(name for name in named if name is not None)


def _joined(base: str, folder: str) -> str | None:
    steps = [s for s in base.split("/") if s]
    for step in folder.split("/"):
        if step == "..":
            if not steps:
                return None
            steps.pop()
        elif step not in ("", "."):
            steps.append(step)
    return "/".join(steps)
