"""What setuptools' `package-dir` says of names and roots. Pure: no IO.

`{"": "lib"}` makes `lib` an import root, `{pkg = "lib/pkg"}` too; `{pkg = "foo"}` makes none: the
folder is imported as `pkg`, and never under its own name.
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from typing import Any, NamedTuple

Table = Mapping[str, Any]

#: at a root, and never imported by name
NO_MODULES = frozenset(("__init__", "__main__"))


class PackageDirs(NamedTuple):
    """A pyproject.toml whose `package-dir` holds roots alone, and what else it said."""

    project: Table
    renamed: Mapping[str, str]  # top-level name -> its folder, of another name


def package_dirs(project: Table) -> PackageDirs:
    """Divide the `package-dir` of a pyproject.toml into import roots and renamed packages."""
    tool = _table(project.get("tool"))
    setuptools = _table(tool.get("setuptools"))
    roots: dict[str, str] = {}
    renamed: dict[str, str] = {}
    for name, value in _table(setuptools.get("package-dir")).items():
        if not isinstance(value, str):
            continue
        folder, tail = posixpath.normpath(value or "."), name.replace(".", "/")
        if not name:
            roots[name] = folder
        elif folder == tail or folder.endswith("/" + tail):
            roots[name] = folder[: -len(tail)].rstrip("/") or "."
        elif name.isidentifier():
            renamed[name] = folder
    if not roots and not renamed:
        return PackageDirs(project, renamed)
    changed = {**tool, "setuptools": {**setuptools, "package-dir": roots}}
    return PackageDirs({**project, "tool": changed}, renamed)


def _table(value: object) -> Table:
    return value if isinstance(value, Mapping) else {}
