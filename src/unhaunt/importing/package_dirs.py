"""What setuptools' `package-dir` says of names and roots. Pure: no IO.

`{"": "lib"}` makes `lib` an import root, `{pkg = "lib/pkg"}` too; `{pkg = "foo"}` makes none: the
folder is imported as `pkg`, and never under its own name.
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from typing import NamedTuple


class PackageDirs(NamedTuple):
    """The import roots, and the top-level names whose folder bears another name."""

    roots: tuple[str, ...]
    renamed: Mapping[str, str]  # name -> folder


def package_dirs(table: Mapping[str, object]) -> PackageDirs:
    """Divide a `package-dir` table into import roots and renamed packages."""
    roots: list[str] = []
    renamed: dict[str, str] = {}
    for name, value in table.items():
        if not isinstance(value, str):
            continue
        folder, tail = posixpath.normpath(value or "."), name.replace(".", "/")
        if not name:
            roots.append(folder)
        elif folder == tail or folder.endswith("/" + tail):
            roots.append(folder[: -len(tail)].rstrip("/") or ".")
        elif name.isidentifier():
            renamed[name] = folder
    return PackageDirs(tuple(roots), renamed)
