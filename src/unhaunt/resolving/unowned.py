"""Edge: modules that tracked code imports, that lie elsewhere, and that nothing installed owns.

What is cheap comes first, so that an environment in order asks neither git nor an interpreter:
the RECORDs beside a file, then the imports of tracked code, then what the interpreter knows.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from unhaunt.errors import UserError
from unhaunt.repository.history import tracked
from unhaunt.resolving.claims import is_claimed
from unhaunt.resolving.origins import Target, ask, import_of, owner
from unhaunt.resolving.resolution import resolve
from unhaunt.resolving.where import Place, is_inside, is_standard

Files = dict[str, str]


def unowned_of_run(
    modules: Mapping[str, str], prefix: str, place: Place, python: str, env: Mapping[str, str],
    cwd: str,
) -> Files:  # fmt: skip
    """Return the unowned ones of the modules that a run imported; `prefix` is its base prefix."""
    heads = {n: f for n, f in modules.items() if n.rpartition(".")[0] not in modules}
    files = {n: f for n, f in heads.items() if not _is_of_library(f, prefix)}
    left = _imported(_foreign(files, place), place)
    if not left:
        return {}
    try:
        target = ask(python, (), env, cwd)
    except UserError:  # nothing is known to own them
        return left
    return _without_owner(left, target)


def unowned_of_imports(
    names: Sequence[str], place: Place, python: str, env: Mapping[str, str], cwd: str, first: str
) -> Files:
    """Return the unowned ones of what these imports would take.

    Raises `UserError` when the interpreter does not answer.
    """
    target = ask(python, names, env, cwd)
    files = {}
    for name in names:
        asked = (name, target.path, target.suffixes, target.names)
        winner = resolve(*asked, first=first, finders=target.finders).winner
        if winner and not is_standard(winner.path, target.because.get(winner.entry, "")):
            files[name] = winner.path
    return _without_owner(_imported(_foreign(files, place), place), target)


def _is_of_library(file: str, prefix: str) -> bool:
    """Tell whether a file is of the standard library, of whatever version."""
    parts = os.path.relpath(os.path.realpath(file), os.path.realpath(prefix)).split(os.sep)
    below = parts[1].startswith(("python", "pypy")) if len(parts) > 1 else False
    library = parts[0] in ("Lib", "DLLs") or (parts[0].startswith("lib") and below)
    return library and not {"site-packages", "dist-packages"} & set(parts)


def _foreign(files: Mapping[str, str], place: Place) -> Files:
    return {
        name: file
        for name, file in files.items()
        if name.partition(".")[0] not in place.first_party
        and not is_inside(file, place)
        and not is_claimed(name, file)
    }


def _imported(files: Files, place: Place) -> Files:
    """Return those that tracked code imports by their top-level name."""
    tops = {name.partition(".")[0] for name in files}
    wanted = {t for t in tops if t.isidentifier() and tracked(place.toplevel or "", import_of(t))}
    return {name: file for name, file in files.items() if name.partition(".")[0] in wanted}


def _without_owner(files: Files, target: Target) -> Files:
    return {
        name: file
        for name, file in files.items()
        if not owner(file, target) and not owner(os.path.realpath(file), target)
    }
