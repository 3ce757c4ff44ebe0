"""What of the modules that a run imported is this checkout's own, and in the commit.

Edge: reads the repository. Outside of one nothing can be said, and nothing is.
"""

from __future__ import annotations

import functools
import os
import sys
import time
from collections.abc import Iterator, Mapping
from typing import Any

from unhaunt.importing.import_candidates import is_generated
from unhaunt.inventory import Entry
from unhaunt.repository.commit import Scope
from unhaunt.repository.heads import toplevel_of
from unhaunt.repository.history import worktrees
from unhaunt.repository.opening import Opening
from unhaunt.repository.worktree import WorkingTree
from unhaunt.resolving.own_modules import own_names, own_roots
from unhaunt.resolving.unowned import unowned_of_run
from unhaunt.resolving.where import Place, is_inside
from unhaunt.running.trials import Found

UNOWNED = "tracked code imports it, nothing installed owns it, it is outside this checkout"
UNFILED = "a module without a file, which something put into sys.modules or made when asked"


class Home:
    """The checkout that a command runs in, being opened while the command starts."""

    def __init__(self, cwd: str) -> None:
        self._cwd = cwd
        self._begun = time.time()
        self.top = toplevel_of(os.path.realpath(cwd))
        self._opening = Opening(cwd, at_hand=False) if self.top else None
        self._tree: WorkingTree | None = None
        self._place: Place | None = None

    @property
    def tree(self) -> WorkingTree | None:
        """Return the inventory. Raises `UserError` when git cannot answer."""
        if self._opening is not None and self._tree is None:
            self._tree = WorkingTree(*self._opening.finish(), Scope())
        return self._tree

    @property
    def place(self) -> Place:
        """Return what is known of the checkout without its inventory."""
        if self._place is None:
            names = own_names(self._cwd, self.top) if self.top else {}
            trees = worktrees(self.top) if self.top else ()
            self._place = Place(self.top, trees, frozenset(names))
        return self._place

    def holds(self, folder: str) -> bool:
        """Tell whether a folder is one of ours from which tracked modules can be imported.

        A folder without `__init__` that has a module somewhere below is a namespace package.
        """
        if self.tree is None or self.top is None:
            return True
        path = os.path.relpath(os.path.realpath(folder), self.top).replace(os.sep, "/")
        if path.startswith(".."):
            return False
        inside = "" if path == "." else path
        if self.tree.tracked_in(frozenset({inside})):
            return True
        below = inside and inside + "/"
        paths = (file for file in self.tree.tracked(".py") if file.startswith(below))
        return any(
            all(map(str.isidentifier, file[len(below) :].removesuffix(".py").split("/")))
            for file in paths
        )

    def own(self, report: Mapping[str, Any] | None) -> tuple[tuple[str, str], ...]:
        """Return the top-level first-party modules that a run imported, and their files."""
        return tuple(
            (name, file)
            for name, file in _imported(report)
            if name in self.place.first_party
            and (name not in sys.stdlib_module_names or "-packages" in file)
        )

    def outside(self, report: Mapping[str, Any] | None) -> Iterator[Found]:
        """Yield the modules of this checkout that came from outside.

        The top-level ones, and those below that are source. What a build made for an editable
        install lies in site-packages, and is right there (`pkg/_core.so`, `pkg/_version.py`).
        """
        files = dict(_imported(report))
        top_level = dict(self.own(report))
        for name, file in files.items():
            if name not in top_level and not self._misses(name, file, files):
                continue
            if not is_inside(file, self.place):
                yield Found(name, file, f"import {name} took {file}, outside this checkout")
        for name in sorted(set((report or {}).get("unfiled", ()))):
            if name in self.place.first_party and self._has_source(name):
                yield Found(name, f"sys.modules[{name!r}]", f"import {name} took {UNFILED}")

    def _misses(self, name: str, file: str, files: Mapping[str, str]) -> bool:
        """Tell whether a dotted name is this checkout's: by its own file, or by its package's."""
        package, top = name.rpartition(".")[0], name.partition(".")[0]
        if not package or not file.endswith(".py") or top in sys.stdlib_module_names:
            return False
        parent = files.get(package)  # a namespace package has no file
        if parent is not None and not is_inside(parent, self.place):
            return False
        own = self._has_source(name.replace(".", "/"))
        return own or (parent is not None and "-packages" not in file)

    def _has_source(self, path: str) -> bool:
        """Tell whether an import root has a tracked module at this path."""
        tree, top = self.tree, self.top
        if tree is None or top is None:
            return False
        roots = (os.path.relpath(root, os.path.realpath(top)) for root in self._roots)
        bases = ["" if root == "." else root.replace(os.sep, "/") + "/" for root in roots]
        ends = (".py", "/__init__.py")
        return any(tree.has(f"{base}{path}{end}") for base in bases for end in ends)

    def unowned(self, report: Mapping[str, Any] | None, env: Mapping[str, str]) -> Iterator[Found]:
        """Yield the modules from outside that tracked code imports, and that nothing owns.

        What the command itself has made (a test's temporary module) is no part of the environment.
        """
        if self.top is None or report is None:
            return
        modules = {n: f for n, f in report["modules"].items() if n != "__main__"}
        asked = (self.place, report["executable"], env, self._cwd)
        found = unowned_of_run(modules, report["base_prefix"], *asked)
        for name, file in sorted(found.items()):
            if not _is_made_since(self._begun, os.path.join(self._cwd, file)):
                yield Found(name, file, f"import {name} took {file}: {UNOWNED}")

    @functools.cached_property
    def _roots(self) -> tuple[str, ...]:
        return own_roots(self._cwd, self.top) if self.top else ()

    def uncommitted(self, report: Mapping[str, Any] | None) -> Iterator[Found]:
        """Yield the imported files of this checkout that are in no commit."""
        tree, top = self.tree, self.top
        if tree is None or top is None or report is None:
            return
        environments = tuple(
            os.path.realpath(report[name]) + os.sep
            for name in ("prefix", "base_prefix")
            if os.path.realpath(report[name]) != top
        )
        for name, file in _imported(report):
            real = os.path.realpath(file)
            if not is_inside(file, self.place) or real.startswith(environments):
                continue
            path = os.path.relpath(real, top).replace(os.sep, "/")
            if not tree.has(path) and not is_generated(tree, path):
                seen = _visibility(tree.entries([path]))
                yield Found(
                    name, file, f"import {name} took {path}, which is in no commit [{seen}]"
                )


def _is_made_since(begun: float, file: str) -> bool:
    """Tell whether a file, or what held it (a zip, a folder now empty), is later than `begun`."""
    while not os.path.lexists(file):
        file = os.path.dirname(file)
    return os.lstat(file).st_ctime >= begun


def _visibility(entries: tuple[Entry, ...]) -> str:
    seen = entries[0].visibility if entries else None
    if seen is None:
        return "in no commit"
    hidden = entries[0].hidden_by
    return f"{seen.value} by {hidden}" if hidden else seen.value


def _imported(report: Mapping[str, Any] | None) -> Iterator[tuple[str, str]]:
    seen = set()
    for name, file in sorted((report or {}).get("modules", {}).items()):
        if name != "__main__" and file not in seen:
            seen.add(file)
            yield name, file
