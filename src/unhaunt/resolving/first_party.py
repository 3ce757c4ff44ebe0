"""Which top-level modules are the project's own, by pyproject.toml and the import roots."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

from unhaunt.importing.package_dirs import package_dirs

#: files and folders at a root that are no module of the project
NOT_OURS = frozenset(
    [
        "__init__",
        "__main__",
        "setup",
        "conftest",
        "noxfile",
        "tasks",
        "fabfile",
        "docs",
        "doc",
        "build",
        "dist",
        "examples",
        "scripts",
        "bin",
        "venv",
        "env",
        "node_modules",
    ]
)


def import_roots(top: str, project: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the folders that this project's configuration puts on the path, the root first."""
    found = dict.fromkeys([top, *(os.path.join(top, folder) for folder in _configured(project))])
    if os.path.isdir(os.path.join(top, "src")):
        found[os.path.join(top, "src")] = None
    return tuple(folder for folder in map(os.path.normpath, found) if os.path.isdir(folder))


def _configured(project: Mapping[str, Any]) -> Iterator[str]:
    tool = _table(project, "tool")
    setuptools = _table(tool, "setuptools")
    yield from package_dirs(_table(setuptools, "package-dir")).roots
    yield from _texts(_table(setuptools, "packages", "find").get("where"))
    yield from _texts(_table(tool, "pytest", "ini_options").get("pythonpath"))
    yield from _texts(_table(tool, "maturin").get("python-source"))
    packages = _table(tool, "poetry").get("packages")
    for row in packages if isinstance(packages, list) else ():
        yield from _texts(_table(row).get("from"))
    for package in _texts(_table(tool, "hatch", "build", "targets", "wheel").get("packages")):
        yield os.path.dirname(package)


def _table(value: Any, *keys: str) -> Mapping[str, Any]:
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value if isinstance(value, Mapping) else {}


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif value is not None and not isinstance(value, Mapping):
        try:
            yield from (item for item in value if isinstance(item, str))
        except TypeError:
            return


def declared(project: Mapping[str, Any]) -> Iterator[str]:
    """Yield the top-level names that pyproject.toml itself gives."""
    tool = _table(project, "tool")
    for name in _texts(_table(tool, "setuptools").get("packages")):
        yield name.partition(".")[0]
    yield from _texts(_table(tool, "setuptools").get("py-modules"))
    yield from _texts(_table(tool, "flit", "module").get("name"))
    yield from _texts(_table(tool, "pdm", "build").get("includes"))
    for package in _texts(_table(tool, "hatch", "build", "targets", "wheel").get("packages")):
        yield os.path.basename(package)
    for target in _texts(_table(project, "project", "scripts").values()):
        yield target.partition(":")[0].partition(".")[0]


def renamed(project: Mapping[str, Any]) -> Mapping[str, str]:
    """Return the top-level names whose folder, from the root, bears another name."""
    return package_dirs(_table(project, "tool", "setuptools", "package-dir")).renamed


def first_party(top: str, project: Mapping[str, Any]) -> dict[str, None]:
    """Return the project's top-level names, in the order of the roots that hold them."""
    found: dict[str, None] = {}
    other = renamed(project)
    folders = {os.path.normpath(os.path.join(top, folder)) for folder in other.values()}
    roots = import_roots(top, project)
    for root in roots:
        names = _at_root(root)
        found.update((n, None) for n in names if os.path.join(root, n) not in folders)
    wanted = str(_table(project, "project").get("name", "")).replace("-", "_").lower()
    if (
        wanted
        and {os.path.join(r, wanted) for r in roots if os.path.exists(os.path.join(r, wanted))}
        - folders
    ):
        found[wanted] = None
    found.update((name, None) for name in [*declared(project), *other] if name.isidentifier())
    return found


def _at_root(root: str) -> Iterator[str]:
    for name in sorted(os.listdir(root)):
        stem = name.partition(".")[0]
        path = os.path.join(root, name)
        if not stem.isidentifier() or stem in NOT_OURS:
            continue
        if (name == f"{stem}.py" and os.path.isfile(path)) or (
            name == stem and os.path.isfile(os.path.join(path, "__init__.py"))
        ):
            yield stem
