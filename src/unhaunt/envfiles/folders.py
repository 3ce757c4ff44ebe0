"""Which folders of the repository a tracked file puts on PYTHONPATH. Pure: no IO."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

from unhaunt.envfiles.assignment import Assignment, Effect
from unhaunt.envfiles.judge import folders_of, parts_of
from unhaunt.envfiles.scan import Scan
from unhaunt.envfiles.value import Place


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
