"""Whether a folder of the repository is on somebody's path, and by what. Pure: no IO.

Only what is tracked counts: the environment of the machine that runs the check never does.
"""

from __future__ import annotations

import functools
from typing import NamedTuple

from unhaunt import startup
from unhaunt.importing.import_roots import editable_folders
from unhaunt.importing.project_files import project_files
from unhaunt.inventory import Inventory
from unhaunt.text import printable


class Liveness(NamedTuple):
    """`words` is a clause that begins with "live" or "dormant"."""

    live: bool
    words: str

    @property
    def word(self) -> str:
        """Return the JSON value."""
        return "live" if self.live else "dormant"


def liveness(inventory: Inventory, folder: str) -> Liveness:
    """Say whether something tracked puts `folder` ("" is the root) on the path."""
    place = _assigned(inventory).get(folder)
    if place:
        return Liveness(True, f"live: {printable(place)} puts this folder on PYTHONPATH")
    for name, folders in _listed(inventory):
        if folder in folders:
            return Liveness(True, f"live: {printable(name)} puts this folder on the path")
    if any(folder in editable_folders(inventory, files) for files in project_files(inventory)):
        return Liveness(True, "live once installed with pip install -e")
    return Liveness(False, "dormant: nothing tracked puts this folder on a path")


@functools.lru_cache(maxsize=1)
def _assigned(inventory: Inventory) -> dict[str, str]:
    """Return folder -> "path:line" of the first tracked assignment that puts it on PYTHONPATH."""
    from unhaunt.envfiles.folders import folders_on_path
    from unhaunt.rules.pythonpath import scans

    found: dict[str, str] = {}
    for folder, place in folders_on_path(item.scan for item in scans(inventory)):
        found.setdefault(folder, place)
    return found


@functools.lru_cache(maxsize=1)
def _listed(inventory: Inventory) -> tuple[tuple[str, frozenset[str]], ...]:
    """Return the tracked `.pth` and `._pth` files with the folders of the repository they name."""
    found = []
    for entry in inventory.select(("._pth", ".pth")):
        if not entry.in_commit:
            continue
        for content in inventory.contents(entry):
            if entry.path.endswith("._pth"):
                lines = startup.path_lines(content.data)
            else:
                lines = [line.text for line in startup.pth(content.data, entry.name).paths]
            folders = frozenset(_inside(entry.folder, line) for line in lines)
            found.append((entry.path, folders))
    return tuple(found)


def _inside(folder: str, line: str) -> str:
    import posixpath

    path = posixpath.normpath(posixpath.join(folder, line))
    return "" if path == "." else path
