"""Which modules are our own, seen from a folder of a repository that may hold several projects.

A runner starts a hook in the folder of a project, and a person a command: what is judged is the
project around that folder, with its own Python. Its modules and the root's are first-party.
"""

from __future__ import annotations

import os

from unhaunt.resolving.first_party import first_party, import_roots
from unhaunt.settings import project

_FILES = ("pyproject.toml", "setup.py", "setup.cfg")


def project_around(cwd: str, top: str) -> str:
    """Return the nearest folder of a project, from `cwd` up to `top`, the repository's root."""
    folder, top = os.path.realpath(cwd), os.path.realpath(top)
    while folder.startswith(top + os.sep):
        if any(os.path.isfile(os.path.join(folder, name)) for name in _FILES):
            return folder
        folder = os.path.dirname(folder)
    return top


def own_names(cwd: str, top: str) -> dict[str, None]:
    """Return the top-level names of the project around `cwd`, and of the root."""
    folders = dict.fromkeys((project_around(cwd, top), os.path.realpath(top)))
    return {name: None for folder in folders for name in first_party(folder, project(folder))}


def own_roots(cwd: str, top: str) -> tuple[str, ...]:
    """Return the import roots of the project around `cwd`, and of the root."""
    folders = dict.fromkeys((project_around(cwd, top), os.path.realpath(top)))
    found = (root for folder in folders for root in import_roots(folder, project(folder)))
    return tuple(dict.fromkeys(found))
