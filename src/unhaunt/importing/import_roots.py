"""The folders that the configuration of a repository puts on the path. Pure.

Sources: pytest's `pythonpath`; the manuals of setuptools, hatch, poetry, pdm, maturin, uv, flit.
"""

from __future__ import annotations

import functools
import posixpath
from collections.abc import Iterable, Iterator

from unhaunt.importing.package_dirs import package_dirs
from unhaunt.importing.project_files import (
    ProjectFiles,
    mapping,
    pairs,
    project_files,
    strings,
    tables,
    words,
)
from unhaunt.inventory import Inventory
from unhaunt.path_glob import matches


@functools.lru_cache(maxsize=1)
def import_roots(inventory: Inventory) -> frozenset[str]:
    """Return the import roots of all projects, those that pytest inserts for its tests aside."""
    return frozenset(
        r for files in project_files(inventory) for r in project_roots(inventory, files)
    )


def project_roots(inventory: Inventory, files: ProjectFiles) -> tuple[str, ...]:
    """Return the import roots of one project, in order, from the repository's root."""
    found = [".", *_source_folder(inventory, files)]
    for value in files.pytest_options("pythonpath"):
        found += words(value)
    found += _package_folders(files)
    inside = (files.inside(folder) for folder in found)
    return tuple(dict.fromkeys(folder for folder in inside if folder is not None))


def editable_folders(inventory: Inventory, files: ProjectFiles) -> tuple[str, ...]:
    """Return the folders that `pip install -e` of a project would put on the path.

    In a flat layout setuptools maps package names with a finder, the other backends add the folder.
    """
    backend = str(files.toml("build-system", "build-backend") or "")
    installable = (
        backend
        or files.toml("project")
        or "setup.py" in files.texts
        or files.toml("tool", "poetry")
        or files.section("setup.cfg", "metadata")
    )
    if not installable:
        return ()
    folders = list(_package_folders(files)) or list(_source_folder(inventory, files))
    if not folders and backend and "setuptools" not in backend:
        folders = ["."]
    inside = (files.inside(folder) for folder in folders)
    return tuple(folder for folder in inside if folder is not None)


@functools.lru_cache(maxsize=1)
def pytest_roots(inventory: Inventory) -> frozenset[str]:
    """Return the folders that pytest's prepend mode inserts: those of tests that are no package.

    Source: pytest's manual, "pytest import mechanisms", `prepend`.
    """
    likely = inventory.tracked(".py", "test")
    folders = {p.rpartition("/")[0] for p in likely if is_test(p) or is_conftest(p)}
    roots = set()
    for folder in folders:
        # A package is one here even when the commit lacks its `__init__`.
        while folder and (
            inventory.has(f"{folder}/__init__.py")
            or inventory.kind_on_disk(f"{folder}/__init__.py") == "file"
        ):
            folder = folder.rpartition("/")[0]
        roots.add(folder)
    return frozenset(roots)


def is_test(path: str, globs: Iterable[str] = ()) -> bool:
    """Tell whether pytest collects a file by its default `python_files`, or by one of `globs`."""
    name = path.rpartition("/")[2]
    if name.endswith(".py") and (name.startswith("test_") or name.endswith("_test.py")):
        return True
    return any(matches(f"**/{glob}", path) for glob in globs)


def is_conftest(path: str) -> bool:
    """Tell whether pytest loads a file by its name alone."""
    return path.rpartition("/")[2] == "conftest.py"


def _source_folder(inventory: Inventory, files: ProjectFiles) -> list[str]:
    folder = posixpath.join(files.folder, "src")
    return ["src"] if inventory.kind_on_disk(folder) == "folder" else []


def _package_folders(files: ProjectFiles) -> Iterator[str]:
    yield from _setuptools_folders(files)
    for table in (("build",), ("build", "targets", "wheel")):
        yield from map(_above, words(files.toml("tool", "hatch", *table, "packages")))
        sources = files.toml("tool", "hatch", *table, "sources")
        yield from mapping(sources) or strings(sources)
    for package in tables(files.toml("tool", "poetry", "packages")):
        yield from words(package.get("from"))
    yield from words(files.toml("tool", "maturin", "python-source"))
    yield from words(files.toml("tool", "pdm", "build", "package-dir"))
    yield from words(files.toml("tool", "uv", "build-backend", "module-root"))


def _setuptools_folders(files: ProjectFiles) -> Iterator[str]:
    for table in (
        files.toml("tool", "setuptools", "package-dir"),
        pairs(files.ini("setup.cfg", "options", "package_dir")),
        files.setup_keyword("package_dir"),
    ):
        yield from package_dirs(mapping(table)).roots
    yield from words(files.toml("tool", "setuptools", "packages", "find", "where"))
    yield from words(files.ini("setup.cfg", "options.packages.find", "where"))


def _above(path: str) -> str:
    return posixpath.dirname(path.rstrip("/")) or "."
