"""What the configuration of a repository says about imports besides its roots. Pure.

Every folder with a `pyproject.toml`, `setup.cfg` or `setup.py` is a project, and so is the root.
Sources: PEP 517, 518, 621, 735, the manuals of the build backends and of pytest.
"""

from __future__ import annotations

import functools
import itertools
import posixpath
import re
from collections.abc import Iterator
from typing import NamedTuple

from unhaunt.importing.import_roots import project_roots
from unhaunt.importing.project_files import (
    ProjectFiles,
    mapping,
    project_files,
    strings,
    tables,
    words,
)
from unhaunt.importing.requirement import import_names, requirement_names
from unhaunt.inventory import Inventory
from unhaunt.versions import SUPPORTED, allowed

_BACKENDS_OF_EXTENSIONS = (
    "maturin", "scikit_build_core", "mesonpy", "py_build_cmake", "setuptools_rust", "enscons",
)  # fmt: skip
_SIGNS_OF_EXTENSIONS = (
    r"ext[-_]modules|cythonize|Extension\(|rust[-_]extensions|mypycify|pybind11|cffi_modules"
    r"|hatch-(cython|mypyc|cppyy)|scikit-build|build\.hooks\.(cython|mypyc|custom)"
)
_SIGNS_OF_PROTOBUF = (
    "grpcio-tools", "hatch-protobuf", "betterproto", "mypy-protobuf", "protoc",
    "setuptools-protobuf",
)  # fmt: skip


class Reference(NamedTuple):
    """A module that the configuration itself has imported, and the place that says so."""

    module: str
    place: str  # "path:line"


class Project(NamedTuple):
    """One project of the repository. Folders are relative to its root, which is ""."""

    folder: str
    import_roots: tuple[str, ...] = ()
    dependencies: frozenset[str] = frozenset()  # by the names under which they are imported
    generated: tuple[str, ...] = ()  # paths and globs, relative to the repository's root
    makes_extensions: bool = False
    makes_protobuf: bool = False
    minors: frozenset[int] = SUPPORTED
    references: tuple[Reference, ...] = ()
    test_files: tuple[str, ...] = ()  # globs: pytest's `python_files`


@functools.lru_cache(maxsize=1)
def projects(inventory: Inventory) -> tuple[Project, ...]:
    """Return the projects of the repository, the deepest folder first."""
    return tuple(_project(inventory, files) for files in project_files(inventory))


def owner(inventory: Inventory, path: str) -> Project:
    """Return the project that `path` belongs to: the one with the deepest folder above it."""
    found = projects(inventory)
    return next(p for p in found if not p.folder or path.startswith(p.folder + "/"))


def _project(inventory: Inventory, files: ProjectFiles) -> Project:
    text = "\n".join(files.texts.values())
    backend = str(files.toml("build-system", "build-backend") or "")
    return Project(
        folder=files.folder,
        import_roots=project_roots(inventory, files),
        dependencies=frozenset(_dependencies(files)),
        generated=tuple(_generated(files)),
        makes_extensions=backend.startswith(_BACKENDS_OF_EXTENSIONS)
        or files.toml("tool", "poetry", "build") is not None
        or re.search(_SIGNS_OF_EXTENSIONS, text) is not None,
        makes_protobuf=any(sign in text for sign in _SIGNS_OF_PROTOBUF),
        minors=allowed(_requires_python(files)),
        references=tuple(_references(files)),
        test_files=tuple(
            glob for value in files.pytest_options("python_files") for glob in words(value)
        ),
    )


# -- dependencies


def _dependencies(files: ProjectFiles) -> Iterator[str]:
    own = re.sub(r"[-_.]+", "-", str(files.toml("project", "name") or "")).lower()
    for text in _requirement_texts(files):
        for name in requirement_names(text):
            if name != own:
                yield from import_names(name)


def _requirement_texts(files: ProjectFiles) -> Iterator[str]:
    yield from strings(files.toml("project", "dependencies"))
    yield from strings(files.toml("tool", "uv", "dev-dependencies"))
    for keys in (("project", "optional-dependencies"), ("dependency-groups",),
                 ("tool", "pdm", "dev-dependencies")):  # fmt: skip
        for group in mapping(files.toml(*keys)).values():
            yield from strings(group)
    yield from mapping(files.toml("tool", "poetry", "dependencies"))
    yield from mapping(files.toml("tool", "poetry", "dev-dependencies"))
    for group in tables(list(mapping(files.toml("tool", "poetry", "group")).values())):
        yield from mapping(group.get("dependencies"))
    for key in ("packages", "dev-packages"):
        yield from mapping(files.toml(key, name="Pipfile"))
    yield files.ini("setup.cfg", "options", "install_requires")
    yield from files.section("setup.cfg", "options.extras_require").values()
    yield from strings(files.setup_keyword("install_requires"))
    yield from (text for name, text in files.texts.items() if name.endswith(".txt"))
    for name in ("environment.yml", "environment.yaml"):
        yield "\n".join(re.findall(r"^\s+-\s+([\w.-]+)", files.texts.get(name, ""), re.M))


# -- generated files


def _generated(files: ProjectFiles) -> Iterator[str]:
    for path in _version_files(files):
        # A build writes to a path: one that reads as a glob would excuse more than it writes.
        is_path = isinstance(path, str) and path and not re.search(r"[*?\[]", path)
        if is_path and (inside := files.inside(str(path))):
            yield inside
    if not files.folder:
        yield from strings(files.toml("tool", "unhaunt", "generated"))


def _version_files(files: ProjectFiles) -> Iterator[object]:
    for key in ("version_file", "write_to"):
        for table in ("setuptools_scm", "setuptools-scm"):
            yield files.toml("tool", table, key)
        yield mapping(files.setup_keyword("use_scm_version")).get(key)
        yield files.ini("setup.cfg", "tool:setuptools_scm", key)
    hatch = ("tool", "hatch", "build")
    yield files.toml(*hatch, "hooks", "vcs", "version-file")
    yield files.toml(*hatch, "targets", "wheel", "hooks", "vcs", "version-file")
    yield files.toml(*hatch, "hooks", "version", "path")
    yield files.toml("tool", "pdm", "version", "write_to")
    yield files.toml("tool", "versioningit", "write", "file")
    yield files.toml("tool", "scikit-build", "generate", "path")
    yield from mapping(files.toml("tool", "poetry-dynamic-versioning", "files"))


def _requires_python(files: ProjectFiles) -> str | None:
    found = (
        files.toml("project", "requires-python"),
        files.toml("tool", "poetry", "dependencies", "python"),
        files.ini("setup.cfg", "options", "python_requires"),
        files.setup_keyword("python_requires"),
    )
    return next((value for value in found if isinstance(value, str) and value), None)


# -- what the configuration itself has imported


def _references(files: ProjectFiles) -> Iterator[Reference]:
    for name, module in _referenced(files):
        lines = files.texts[name].split("\n")
        line = next((number for number, text in enumerate(lines, 1) if module in text), 1)
        yield Reference(module, f"{posixpath.join(files.folder, name)}:{line}")


def _referenced(files: ProjectFiles) -> Iterator[tuple[str, str]]:
    for module in _entry_points(files):
        yield "pyproject.toml", module
    for value in files.section("setup.cfg", "options.entry_points").values():
        for module in re.findall(r"=\s*([\w.]+)\s*(?::|$)", value, re.M):
            yield "setup.cfg", module
    for keys in (("tool", "pytest", "ini_options", "addopts"), ("tool", "pytest", "addopts")):
        for module in _plugins(files.toml(*keys)):
            yield "pyproject.toml", module
    for name, section in (("pytest.ini", "pytest"), (".pytest.ini", "pytest"),
                          ("tox.ini", "pytest"), ("setup.cfg", "tool:pytest")):  # fmt: skip
        for module in _plugins(files.ini(name, section, "addopts")):
            yield name, module


def _entry_points(files: ProjectFiles) -> Iterator[str]:
    groups = [files.toml("project", "scripts"), files.toml("project", "gui-scripts")]
    groups += mapping(files.toml("project", "entry-points")).values()
    groups.append(files.toml("tool", "poetry", "scripts"))
    for group in groups:
        for value in strings(list(mapping(group).values())):
            yield value.partition(":")[0].strip()


def _plugins(addopts: object) -> Iterator[str]:
    for word, following in itertools.pairwise([*words(addopts), ""]):
        name = following if word == "-p" else word[2:] if re.match(r"-p[\w.]", word) else ""
        if name and not name.startswith("no:"):
            yield name
