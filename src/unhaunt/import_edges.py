"""Which committed import reaches a module that is not in the commit. Pure but for the inventory.

Python's path finder takes the first folder on the path that has the name, and in one folder a
package before an extension module, that before `.py`, that before `.pyc`.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from typing import NamedTuple

from unhaunt.import_roots import import_roots, is_conftest, is_test, pytest_roots
from unhaunt.importable import (
    PACKAGE,
    SOURCE,
    Module,
    is_name,
    module,
    relative,
)
from unhaunt.imports import Import, Source, read_source
from unhaunt.inventory import Entry, Inventory
from unhaunt.project import Project, owner, projects
from unhaunt.stdlib_names import BUILT_IN, FROZEN, STANDARD, minor_versions

Location = tuple[str, ...]  # names from the repository's root down


class Edges(NamedTuple):
    """Modules outside the commit, and for those that it imports, the first place that does."""

    candidates: tuple[Module, ...]
    importers: dict[str, str]  # path of a candidate -> "path:line"
    roots: frozenset[str]
    not_parsed: tuple[str, ...]

    def at_root(self, found: Module) -> bool:
        """Tell whether a module, or the package that it initialises, lies at an import root."""
        return "/".join(found.parts[:-1]) in self.roots

    def is_dependency_name(self, inventory: Inventory, name: str) -> bool:
        """Tell whether `name` is not also the name of a tracked module at one of the roots."""
        return not any(_tracked_at(inventory, (*_parts(root), name)) for root in self.roots)


_NOTHING = Edges((), {}, frozenset(), ())


@functools.lru_cache(maxsize=1)
def edges(inventory: Inventory) -> Edges:
    """Return the edges. Nothing is read or asked when there is no module outside the commit."""
    candidates = list(_candidates(inventory))
    if not candidates:
        return _NOTHING
    kept = tuple(m for m in candidates if not _is_generated(inventory, m.path))
    return _Search(inventory, kept).edges()


def _candidates(inventory: Inventory) -> Iterator[Module]:
    outside = frozenset(inventory.outside)
    for path in inventory.outside:
        found = module(path) or _linked_package(inventory, path)
        if found is None:
            continue
        source = path[:-1] if path.endswith(".pyc") else None
        if source is None or not (source in outside or inventory.has(source)):
            yield found


def _linked_package(inventory: Inventory, path: str) -> Module | None:
    """Return the package that a link to a folder stands for: no listing goes into a link."""
    name = path.rpartition("/")[2]
    if not is_name(name) or inventory.kind_on_disk(path) != "folder":
        return None
    if inventory.kind_on_disk(f"{path}/__init__.py") is None:
        return None
    return Module(path, _parts(path), PACKAGE, is_package=True)


def _is_generated(inventory: Inventory, path: str) -> bool:
    for project in projects(inventory):
        if any(path == glob or _matches(path, glob) for glob in project.generated):
            return True
    proto = re.sub(r"(_pb2|_pb2_grpc)\.py\Z", ".proto", path)
    if proto == path or not owner(inventory, path).makes_protobuf:
        return False
    name = proto.rpartition("/")[2]
    return any(p in (proto, name) or p.endswith("/" + name) for p in inventory.tracked(".proto"))


def _matches(path: str, glob: str) -> bool:
    from unhaunt.path_glob import matches

    return matches(glob, path)


class _Search:
    """One search: what is where, and which imports get there."""

    def __init__(self, inventory: Inventory, candidates: tuple[Module, ...]) -> None:
        self.inventory = inventory
        self.candidates = candidates
        self.at: dict[Location, list[Module]] = {}
        for found in candidates:
            self.at.setdefault(found.parts, []).append(found)
        self.packages = {location[:k] for location in self.at for k in range(1, len(location))}
        self.pytest_roots = pytest_roots(inventory)
        self.roots = import_roots(inventory) | self.pytest_roots
        self.importers: dict[str, str] = {}
        self.not_parsed: list[str] = []
        self._bound: dict[Location, frozenset[str]] = {}

    def edges(self) -> Edges:
        words = sorted(set(self._words()))
        entries = self.inventory.mentioning_sources(words) if words else ()
        for entry, data in self.inventory.committed(entries):
            source = read_source(data)
            if not source.parsed:
                self.not_parsed.append(entry.path)
            self._follow(entry, source)
        self._follow_configuration()
        self._follow_pytest()
        return Edges(self.candidates, self.importers, self.roots, tuple(sorted(self.not_parsed)))

    def _words(self) -> Iterator[str]:
        """Yield a name for each candidate without which no import statement can reach it.

        It is the first name below what git tracks: for `tools/a/b.py` with all of `tools/`
        untracked, `tools` will do, and a folder of 60,000 files costs one word.
        """
        for found in self.candidates:
            depth = self._tracked_depth(found)
            inner = [len(_parts(root)) for root in self.roots if relative(found, root)]
            for word in {found.parts[max(depth, n)] for n in inner if n < len(found.parts)}:
                if is_name(word):
                    yield word
            if is_name(found.parts[depth]):
                yield found.parts[depth]
            if len(found.parts) == depth + 1:
                yield found.parts[-1]

    def _tracked_depth(self, found: Module) -> int:
        """Return how many of the folders above a module hold something tracked."""
        last = len(found.parts) - 1
        folders = ("/".join(found.parts[: k + 1]) for k in range(last))
        return next((k for k, f in enumerate(folders) if not self.inventory.has_folder(f)), last)

    # -- from a source

    def _follow(self, entry: Entry, source: Source) -> None:
        project = owner(self.inventory, entry.path)
        for found in source.imports:
            place = f"{entry.path}:{found.line}"
            if found.level:
                self._follow_relative(entry, found, place)
            elif found.module:
                self._follow_absolute(entry.path, project, found, place)

    def _follow_relative(self, entry: Entry, found: Import, place: str) -> None:
        base = _parts(entry.folder)
        if len(base) < found.level - 1:
            return
        base = base[: len(base) - (found.level - 1)]
        self._reach(base, found.module, found.member, place, len(base))

    def _follow_absolute(self, path: str, project: Project, found: Import, place: str) -> None:
        top = found.module[0]
        if _cannot_be_a_file(top, project):
            return
        roots = self._roots_for(path, project)
        holding = [root for root in roots if self._has_tracked((*_parts(root), top))]
        if (not holding and found.module != (top,)) or self._is_package_elsewhere(top, roots):
            roots = [*roots, *self._other_roots(top, roots)]
        for root in holding or roots:
            base = _parts(root)
            if self._is_namespace((*base, top)) and _is_claimed(top, project):
                continue
            self._reach(base, found.module, found.member, place, len(base))

    def _roots_for(self, path: str, project: Project) -> list[str]:
        """Return the folders that are on the path when `path` runs, as far as its project says."""
        folder = path.rpartition("/")[0]
        mine = [root for root in self.pytest_roots if owner(self.inventory, root + "/x") == project]
        roots = [*project.import_roots, *sorted(mine)]
        if not self._has_init(_parts(folder)):
            roots.insert(0, folder)  # run as a script, its own folder comes first
        top = next(p for p in projects(self.inventory) if not p.folder)
        return list(dict.fromkeys([*roots, *top.import_roots]))

    def _other_roots(self, top: str, known: list[str]) -> list[str]:
        """Return roots of other projects with `top` as a package: a workspace installs those."""
        return [
            root
            for root in sorted(self.roots)
            if root not in known and self._has_init((*_parts(root), top))
        ]

    def _is_package_elsewhere(self, top: str, known: list[str]) -> bool:
        return bool(self._other_roots(top, known)) and not any(
            (*_parts(root), top) in self.at for root in known
        )

    # -- what lies at a location

    def _reach(
        self, base: Location, names: Location, member: str | None, place: str, least: int
    ) -> None:
        """Note an edge to every candidate that importing `names` below `base` would load."""
        location = base
        for name in names:
            location = (*location, name)
            if not self._load(location, place):
                return
        if member is not None and len(location) >= least and not self._binds(location, member):
            self._load((*location, member), place)

    def _load(self, location: Location, place: str) -> bool:
        """Note an edge if a candidate is what is taken there; tell whether modules can lie below."""
        here = self.at.get(location, [])
        tracked = _tracked_at(self.inventory, location)
        best = min([m.order for m in here], default=None)
        if best is not None and (tracked is None or best < tracked):
            for found in here:
                if found.order == best:
                    known = self.importers.get(found.path)
                    if known is None or _order(place) < _order(known):
                        self.importers[found.path] = place
            return best[0] == PACKAGE
        if tracked is not None:
            return tracked[0] == PACKAGE
        return location in self.packages or _is_folder(self, location)

    def _has_tracked(self, location: Location) -> bool:
        if _tracked_at(self.inventory, location) is not None:
            return True
        return self.inventory.has_folder("/".join(location))

    def _has_init(self, location: Location) -> bool:
        if not location:
            return False
        mine = any(m.rank == PACKAGE for m in self.at.get(location, []))
        tracked = _tracked_at(self.inventory, location)
        return mine or (tracked is not None and tracked[0] == PACKAGE)

    def _is_namespace(self, location: Location) -> bool:
        return not self.at.get(location) and _tracked_at(self.inventory, location) is None

    def _binds(self, location: Location, name: str) -> bool:
        """Tell whether the package at `location` has an attribute `name` of its own, tracked."""
        if location not in self._bound:
            entries = self.inventory.entries(["/".join((*location, "__init__.py"))])
            sources = [read_source(data) for _, data in self.inventory.committed(entries)]
            imported = {
                i.member for s in sources for i in s.imports if i.member and _is_itself(i, location)
            }
            bound = frozenset().union(*(source.bound for source in sources))
            # `from . import name` binds the submodule itself: that is no other thing.
            self._bound[location] = bound - imported
        return name in self._bound[location]

    # -- what is imported without an import statement

    def _follow_configuration(self) -> None:
        for project in projects(self.inventory):
            for reference in project.references:
                names = tuple(reference.module.split("."))
                found = Import(names, int(reference.place.rpartition(":")[2]))
                path = reference.place.rpartition(":")[0]
                self._follow_absolute(path, project, found, reference.place)

    def _follow_pytest(self) -> None:
        """A `conftest.py` is loaded for every test at or below its folder."""
        conftests = [m for m in self.candidates if is_conftest(m.path)]
        for found in conftests:
            folder = found.path.rpartition("/")[0]
            tests = self.inventory.tracked(".py", "test")
            below = [p for p in tests if is_test(p) and _is_below(p, folder)]
            if below:
                self.importers.setdefault(found.path, f"{min(below)}:1")


def _is_itself(found: Import, package: Location) -> bool:
    """Tell whether an import in the `__init__` of `package` names that package itself."""
    if found.level:
        return found.level == 1 and not found.module
    return package[-len(found.module) :] == found.module


def _order(place: str) -> tuple[str, int]:
    path, _, line = place.rpartition(":")
    return path, int(line)


def _is_below(path: str, folder: str) -> bool:
    return not folder or path.startswith(folder + "/")


def _is_folder(search: _Search, location: Location) -> bool:
    return search.inventory.has_folder("/".join(location))


def _parts(folder: str) -> Location:
    return tuple(folder.split("/")) if folder else ()


def _tracked_at(inventory: Inventory, location: Location) -> tuple[int, int] | None:
    """Return the order of the tracked module that is taken at a location, or None."""
    path = "/".join(location)
    found = [
        (rank, SOURCE)
        for rank, source in ((PACKAGE, f"{path}/__init__.py"), (SOURCE, f"{path}.py"))
        if inventory.has(source)
    ]
    compiled = _tracked_without_source(inventory).get(location)
    return min([*found, compiled] if compiled else found, default=None)


@functools.lru_cache(maxsize=1)
def _tracked_without_source(inventory: Inventory) -> dict[Location, tuple[int, int]]:
    """Return the order of tracked extension modules and bytecode, by location."""
    orders: dict[Location, tuple[int, int]] = {}
    for path in (p for suffix in (".so", ".pyd", ".pyc") for p in inventory.tracked(suffix)):
        if found := module(path):
            orders[found.parts] = min(found.order, orders.get(found.parts, found.order))
    return orders


def _cannot_be_a_file(name: str, project: Project) -> bool:
    taken = minor_versions(name, BUILT_IN) | minor_versions(name, FROZEN)
    return project.minors <= taken


def _is_claimed(name: str, project: Project) -> bool:
    """Tell whether a regular package or module of that name is to be had: it beats a namespace."""
    return bool(minor_versions(name, STANDARD) & project.minors) or name in project.dependencies
