"""Which committed import reaches a module that is not in the commit. Pure but for the inventory.

Python's path finder takes the first folder on the path that has the name, and in one folder a
package before an extension module, that before `.py`, that before `.pyc`.
"""

from __future__ import annotations

import functools
from typing import NamedTuple

from unhaunt.importing.import_candidates import candidates
from unhaunt.importing.import_roots import import_roots, is_conftest, is_test, pytest_roots
from unhaunt.importing.importable import (
    PACKAGE,
    SOURCE,
    Module,
    module,
)
from unhaunt.importing.imports import Import, Source, read_source
from unhaunt.importing.project import Project, owner, projects
from unhaunt.importing.stdlib_names import BUILT_IN, FROZEN, STANDARD, minor_versions
from unhaunt.inventory import Inventory

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
    roots = import_roots(inventory) | pytest_roots(inventory)
    found = candidates(inventory, roots)
    if not found.modules:
        return _NOTHING
    return _Search(inventory, found.modules, roots).edges(found.sources)


class _Search:
    """One search: what is where, and which imports get there."""

    def __init__(
        self, inventory: Inventory, candidates: tuple[Module, ...], roots: frozenset[str]
    ) -> None:
        self.inventory = inventory
        self.candidates = candidates
        self.at: dict[Location, list[Module]] = {}
        for found in candidates:
            self.at.setdefault(found.parts, []).append(found)
        self.packages = {location[:k] for location in self.at for k in range(1, len(location))}
        self.roots = roots
        self.importers: dict[str, str] = {}
        self._bound: dict[Location, frozenset[str]] = {}

    def edges(self, sources: tuple[tuple[str, bytes], ...]) -> Edges:
        """Follow what `sources`, the configuration and pytest import."""
        not_parsed = []
        for path, data in sources:
            source = read_source(data)
            if not source.parsed:
                not_parsed.append(path)
            self._follow(path, source)
        self._follow_configuration()
        self._follow_pytest()
        return Edges(self.candidates, self.importers, self.roots, tuple(sorted(not_parsed)))

    # -- from a source

    def _follow(self, path: str, source: Source) -> None:
        project = owner(self.inventory, path)
        for found in source.imports:
            place = f"{path}:{found.line}"
            if found.level:
                self._follow_relative(path, found, place)
            elif found.module:
                self._follow_absolute(path, project, found, place)

    def _follow_relative(self, path: str, found: Import, place: str) -> None:
        base = _parts(path.rpartition("/")[0])
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
        tests = pytest_roots(self.inventory)
        mine = [root for root in tests if owner(self.inventory, root + "/x") == project]
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
        """Note an edge if a candidate is taken there; tell whether modules can lie below."""
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
        globs = [g for p in projects(self.inventory) for g in p.test_files] if conftests else []
        for found in conftests:
            folder = found.path.rpartition("/")[0]
            tests = self.inventory.tracked(".py", "" if globs else "test")
            below = [p for p in tests if is_test(p, globs) and _is_below(p, folder)]
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
    return project.minors <= _taken(name)


@functools.cache
def _taken(name: str) -> frozenset[int]:
    """Return the minor versions on which no file can have a name."""
    return minor_versions(name, BUILT_IN) | minor_versions(name, FROZEN)


def _is_claimed(name: str, project: Project) -> bool:
    """Tell whether a regular package or module of that name is to be had: it beats a namespace."""
    return bool(minor_versions(name, STANDARD) & project.minors) or name in project.dependencies
