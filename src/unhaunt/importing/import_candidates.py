"""Which modules outside the commit could be imported, and which sources could import them. Pure.

A checkout can have tens of thousands of files that are in no commit; few are ever named by an
import. So names come first: those that an import statement would have to spell.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from unhaunt.importing.importable import NAMESPACE, PACKAGE, Module, is_name, module, relative
from unhaunt.importing.project import owner, projects
from unhaunt.inventory import Inventory
from unhaunt.path_glob import matches

#: above so many names a search for them all costs more than to parse
_MOST_NAMES = 200
_SPELLED = (rb"import_module", rb"__import__", rb"pytest_plugins")


class Candidates(NamedTuple):
    """What could be imported, and (path, content) of the sources that could do it."""

    modules: tuple[Module, ...]
    sources: tuple[tuple[str, bytes], ...]


def candidates(inventory: Inventory, roots: frozenset[str]) -> Candidates:
    """Return what may be at the ends of an import, without what the build declares as generated."""
    near, far = _sorted_out(inventory, roots)
    found = list(_modules(inventory, near))
    if not found and not far:
        return Candidates((), ())
    words = {*_words(inventory, found, roots), *map(_last_name, far)}
    sources = tuple(_sources(inventory, words))
    for folder in far:
        if _is_mentioned(inventory, _last_name(folder), sources):
            found += _modules(inventory, inventory.below(folder))
    kept = {m.path: m for m in found if not is_generated(inventory, m.path)}
    return Candidates(tuple(kept.values()), sources)


def _sorted_out(inventory: Inventory, roots: frozenset[str]) -> tuple[list[str], list[str]]:
    """Return the paths outside the commit that are to be looked at, and folders that may wait.

    What lies in a folder without a tracked file is reached by the name of that folder or not at
    all, unless an import root lies in it; so 60,000 files of an environment cost one name, and
    nothing when that is no identifier.
    """
    near = list(inventory.loose)
    far: list[str] = []
    for folder in inventory.closed:
        if any(_is_below(root + "/", folder) for root in roots):
            near += inventory.below(folder)
        elif is_name(_last_name(folder)):
            far.append(folder)
            near += (p for p in inventory.below(folder) if p.startswith(folder + "/__init__."))
    return near, far


def _last_name(path: str) -> str:
    return path.rpartition("/")[2]


def _modules(inventory: Inventory, paths: Sequence[str]) -> Iterator[Module]:
    outside = frozenset(path for path in paths if path.endswith(".py"))
    for path in paths:
        found = module(path) or _linked_package(inventory, path)
        source = path[:-1] if path.endswith(".pyc") else None
        if found and (source is None or not (source in outside or inventory.has(source))):
            yield found


def _sources(inventory: Inventory, words: set[str]) -> Iterator[tuple[str, bytes]]:
    """Yield the Python sources of the commit that may import one of `words`."""
    entries = inventory.mentioning_sources(sorted(words)) if words else ()
    names_import = _import_pattern(words)
    for entry, data in inventory.committed(entries):
        if any(word in data for word in _SPELLED) or re.search(names_import, data):
            yield entry.path, data


def _import_pattern(words: Iterable[str]) -> bytes:
    """Return what matches an import statement that spells one of `words`, over several lines too.

    Names that are not ASCII can be spelled in several ways (NFKC): then every import matches.
    """
    names = sorted(words)
    if len(names) > _MOST_NAMES or not all(name.isascii() for name in names):
        return rb"\bimport\b"
    either = "|".join(map(re.escape, names)).encode("ascii")
    line = rb"\b(?:from|import)\b(?:[^\n]|\\\r?\n)*?\b(?:" + either + rb")\b"
    block = rb"\bimport\s*\([^)]*?\b(?:" + either + rb")\b"
    return line + rb"|" + block


def _is_mentioned(inventory: Inventory, name: str, sources: tuple[tuple[str, bytes], ...]) -> bool:
    word = name.encode("utf-8", "surrogateescape")
    if not name.isascii() or any(word in data for _, data in sources):
        return True
    return any(name in r.module for project in projects(inventory) for r in project.references)


def _words(inventory: Inventory, modules: list[Module], roots: frozenset[str]) -> Iterator[str]:
    """Yield names for each module without one of which no import statement can reach it."""
    for found in modules:
        depth = _tracked_depth(inventory, found)
        inner = [len(_parts(root)) for root in roots if relative(found, root)]
        words = {found.parts[max(depth, n)] for n in inner if n < len(found.parts)}
        if len(found.parts) == depth + 1:
            words.add(found.parts[-1])
        yield from filter(is_name, {*words, found.parts[depth]})


def _tracked_depth(inventory: Inventory, found: Module) -> int:
    """Return how many of the folders above a module hold something tracked."""
    last = len(found.parts) - 1
    folders = ("/".join(found.parts[: k + 1]) for k in range(last))
    return next((k for k, f in enumerate(folders) if not inventory.has_folder(f)), last)


def _linked_package(inventory: Inventory, path: str) -> Module | None:
    """Return the package that a link to a folder stands for: no listing goes into a link."""
    name = path.rpartition("/")[2]
    if not is_name(name) or inventory.kind_on_disk(path) != "folder":
        return None
    if inventory.kind_on_disk(f"{path}/__init__.py") is None:
        return Module(path, _parts(path), NAMESPACE)
    return Module(path, _parts(path), PACKAGE, is_package=True)


def is_generated(inventory: Inventory, path: str) -> bool:
    """Tell whether the build declares that it writes `path`."""
    for project in projects(inventory):
        if any(path == glob or matches(glob, path) for glob in project.generated):
            return True
    proto = re.sub(r"(_pb2|_pb2_grpc)\.py\Z", ".proto", path)
    if proto == path or not owner(inventory, path).makes_protobuf:
        return False
    name = proto.rpartition("/")[2]
    return any(p in (proto, name) or p.endswith("/" + name) for p in inventory.tracked(".proto"))


def _is_below(path: str, folder: str) -> bool:
    return path.startswith(folder + "/")


def _parts(folder: str) -> tuple[str, ...]:
    return tuple(folder.split("/")) if folder else ()
