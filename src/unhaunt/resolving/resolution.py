"""What `import NAME` would take, found by reading folders. Nothing is imported or executed.

Follows docs.python.org/3/reference/import.html: built-in and frozen modules first, then the path
in order (a regular package or module in a later entry beats a folder without `__init__` in an
earlier one), then the finders of editable installs, which setuptools appends to sys.meta_path.
"""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple


class Candidate(NamedTuple):
    """One file that an import could take."""

    path: str
    form: str  # package, module, bytecode, extension module, namespace, zip entry
    entry: str  # of sys.path, or of the parent package's own path
    finder: str | None = None  # the editable install's finder that supplies it


class Started(NamedTuple):
    """What startup code imported: it is in sys.modules, whatever the path says later."""

    origin: str
    by: str  # the startup file, and the line of a .pth


class Names(NamedTuple):
    """What the target says of top-level names."""

    builtin: frozenset[str]
    frozen: frozenset[str]
    loaded: frozenset[str]  # there before line 1: sys.path[0] comes too late for them
    stdlib: frozenset[str]
    started: Mapping[str, Started] = MappingProxyType({})  # top-level name -> who imported it


class Resolution(NamedTuple):
    """The winner (None: not found), and everything else that bears the name, in order."""

    origin: str | None
    form: str | None
    winner: Candidate | None
    also: tuple[Candidate, ...]
    missing: str | None = None  # the first part of a dotted name that is nowhere
    root: Candidate | None = None  # the top-level package or module of a dotted name
    started: Started | None = None  # startup code imported the root, and it is not the path's first


class Finders(NamedTuple):
    """What the finders of editable installs map, read from their source."""

    mapping: Mapping[str, tuple[str, str]]  # module -> (path without suffix or folder, finder)
    namespaces: Mapping[str, tuple[tuple[str, ...], str]]


#: what a module of the standard library puts into sys.modules under another name
ALIASES = {"os.path": os.path.__name__}
#: the same, where a version of it has no file of that name
MOVED = {"collections.abc": "_collections_abc"}
NO_FINDERS = Finders({}, {})


def resolve(
    name: str,
    path: Sequence[str],
    suffixes: Sequence[str],
    names: Names,
    *,
    first: str | None = None,
    finders: Finders = NO_FINDERS,
) -> Resolution:
    """Resolve a dotted name; `first` is sys.path[0], kept apart because it is added last."""
    top, *rest = ALIASES.get(name, name).split(".")
    whole = [*([first] if first is not None and top not in names.loaded else []), *path]
    found = _level(top, top, whole, suffixes, finders)
    if top in names.builtin or top in names.frozen:
        kind = "built-in" if top in names.builtin else "frozen"
        if not rest:
            return Resolution(kind, kind, None, tuple(found))
        found = [c for c in found if first is None or c.entry != first]
    found, started = _imported_already(found, names.started.get(top))
    root = found[0] if found else None
    for depth, part in enumerate(rest, 1):
        if not found:
            break
        parents = _search_path(found, finders, ".".join([top, *rest[: depth - 1]]))
        if not parents:
            return Resolution(None, None, None, (), ".".join([top, *rest[:depth]]))
        deeper = _level(part, ".".join([top, *rest[:depth]]), parents, suffixes, finders)
        if not deeper and name in MOVED and found[0].entry != first:
            return resolve(MOVED[name], path, suffixes, names, first=first, finders=finders)
        if not deeper:
            return Resolution(None, None, None, (), ".".join([top, *rest[:depth]]))
        found = deeper
    if not found:
        return Resolution(None, None, None, (), top)
    winner, *also = found
    return Resolution(winner.path, winner.form, winner, tuple(also), None, root, started)


def _imported_already(
    found: list[Candidate], by: Started | None
) -> tuple[list[Candidate], Started | None]:
    """Put what startup code imported first: `by` is returned when that changes the winner."""
    mine = [c for c in found if by and c.path == by.origin and c.form != "namespace"][:1]
    if not mine or found[0] == mine[0]:
        return found, None
    return [*mine, *(c for c in found if c != mine[0])], by


def _level(
    part: str, full: str, path: Sequence[str], suffixes: Sequence[str], finders: Finders
) -> list[Candidate]:
    """Return every candidate of one level, the winner first."""
    found = [c for entry in dict.fromkeys(path) for c in candidates(part, entry, suffixes)]
    real = [c for c in found if c.form != "namespace"]
    spaces = [c for c in found if c.form == "namespace"]
    # PathFinder answers with the namespace before a finder that was appended later is asked.
    return real + spaces + list(_mapped(full, suffixes, finders))


def candidates(name: str, entry: str, suffixes: Sequence[str]) -> Iterator[Candidate]:
    """Yield what one entry holds for a name, in the order of FileFinder, or of zipimport."""
    folder = entry or "."
    try:
        listed = set(os.listdir(folder))
    except NotADirectoryError:
        yield from _zipped(name, entry)
        return
    except OSError:
        if ".zip" in entry or ".egg" in entry:
            yield from _zipped(name, entry)
        return
    base = os.path.join(folder, name)
    is_folder = name in listed and os.path.isdir(base)
    for suffix in suffixes if is_folder else ():
        if os.path.isfile(os.path.join(base, f"__init__{suffix}")):
            yield Candidate(os.path.join(base, f"__init__{suffix}"), "package", entry)
    for suffix in suffixes:
        if name + suffix in listed and os.path.isfile(base + suffix):
            yield Candidate(base + suffix, form_of(suffix), entry)
    if is_folder and not any(os.path.isfile(os.path.join(base, f"__init__{s}")) for s in suffixes):
        yield Candidate(base, "namespace", entry)


def form_of(suffix: str) -> str:
    """Return the word for what a suffix makes of a module."""
    return {".py": "module", ".pyw": "module", ".pyc": "bytecode"}.get(suffix, "extension module")


def _zipped(name: str, entry: str) -> Iterator[Candidate]:
    archive, inside = _archive(entry)
    if archive is None:
        return
    import zipfile  # most paths have no archive

    try:
        with zipfile.ZipFile(archive) as file:
            members = set(file.namelist())
    except (OSError, zipfile.BadZipFile):
        return
    for end in ("/__init__.pyc", "/__init__.py", ".pyc", ".py"):
        if f"{inside}{name}{end}" in members:
            yield Candidate(f"{archive}/{inside}{name}{end}", "zip entry", entry)


def _archive(entry: str) -> tuple[str | None, str]:
    """Divide `app.zip/sub` into the file and the prefix of its members."""
    inside: list[str] = []
    while entry and not os.path.lexists(entry):
        entry, part = os.path.split(entry)
        if not part:
            return None, ""
        inside.insert(0, part)
    regular = os.path.isfile(entry)
    return (entry if regular else None), "".join(f"{part}/" for part in inside)


def _search_path(found: Sequence[Candidate], finders: Finders, full: str) -> list[str]:
    """Return the __path__ of a package, as far as it can be known without running it."""
    winner = found[0]
    if winner.form == "namespace":
        return [c.path for c in found if c.form == "namespace"]
    base = os.path.basename(winner.path).partition(".")[0]
    return [os.path.dirname(winner.path)] if base == "__init__" else []


# --- the finders of setuptools' editable installs ---


def read_finders(files: Sequence[tuple[str, bytes]]) -> Finders:
    """Read MAPPING and NAMESPACES from the source of `__editable___*_finder.py` files."""
    mapping: dict[str, tuple[str, str]] = {}
    spaces: dict[str, tuple[tuple[str, ...], str]] = {}
    for path, source in files:
        for name, value in _literals(source):
            if name == "MAPPING" and isinstance(value, dict):
                mapping |= {str(k): (str(v), path) for k, v in value.items()}
            elif name == "NAMESPACES" and isinstance(value, dict):
                spaces |= {str(k): (tuple(map(str, v)), path) for k, v in value.items()}
    return Finders(mapping, spaces)


def _literals(source: bytes) -> Iterator[tuple[str, object]]:
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError):
        return
    for node in body:
        targets = (
            [node.target]
            if isinstance(node, ast.AnnAssign)
            else node.targets
            if isinstance(node, ast.Assign)
            else []
        )
        for target in targets:
            if (
                isinstance(target, ast.Name)
                and isinstance(node, ast.Assign | ast.AnnAssign)
                and node.value is not None
            ):
                try:
                    yield target.id, ast.literal_eval(node.value)
                except ValueError:
                    continue


def _mapped(full: str, suffixes: Sequence[str], finders: Finders) -> Iterator[Candidate]:
    """Yield what a finder has for a name: a package, a module, or a namespace."""
    if full in finders.mapping:
        place, finder = finders.mapping[full]
        for suffix in suffixes:
            for path, form in (
                (os.path.join(place, f"__init__{suffix}"), "package"),
                (place + suffix, form_of(suffix)),
            ):
                if os.path.isfile(path):
                    yield Candidate(path, form, place, finder)
                    return
    if full in finders.namespaces:
        places, finder = finders.namespaces[full]
        yield from (
            Candidate(place, "namespace", place, finder) for place in places if os.path.isdir(place)
        )
