"""What was put where only Python's own files belong. Reads files, starts nothing."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from typing import Any

from unhaunt.interpreters.preflight import Hazard

#: what an installer, a distributor or the build leaves in the standard library's folder
USUAL = frozenset(
    (
        *("__pycache__", "__hello__", "__phello__", "lib-dynload", "site-packages", "test"),
        *("dist-packages", "config", "_distutils_system_mod", "_missing_stdlib_info", "lib2to3"),
        *("turtledemo", "idlelib", "pydoc_data", "EXTERNALLY-MANAGED", "sitecustomize"),
    )
)


def foreign_names(stdlib: str, version: str) -> Iterator[Hazard]:
    """Yield the modules in the standard library's folder that no release put there."""
    from unhaunt.importing.stdlib_names import STANDARD, minor_versions

    minor = int(version.split(".")[1])
    try:
        names = sorted(os.listdir(stdlib))
    except OSError:
        return
    for name in names:
        stem = name.partition(".")[0]
        module = name == stem or name.endswith((".py", ".so", ".pyc"))
        known = stem in USUAL or name in USUAL or stem.startswith(("config-", "_sysconfig"))
        if module and not known and minor not in minor_versions(stem, STANDARD):
            reason = "lies in the standard library's folder, and belongs to no release"
            yield Hazard(os.path.join(stdlib, name), reason)


def binary(interpreter: Mapping[str, Any]) -> str | None:
    """Return the hash of the executable itself."""
    try:
        with open(interpreter["realpath"], "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None
