"""Under which name a path would be imported. Pure: no IO.

Sources: importlib.machinery (the suffixes), Lib/importlib/_bootstrap_external.py, FileFinder: in
one folder a package wins over an extension module, that over `.py`, that over `.pyc`.
"""

from __future__ import annotations

import keyword
import re
from typing import NamedTuple

_EXTENSION = re.compile(r"(\.(cpython|cp|abi3|abi3t|pypy|graalpy|ironpython)[\w-]*)?\.(so|pyd)\Z")
_STARTUP = ("sitecustomize", "usercustomize")
#: how FileFinder ranks what it finds in one folder, the first wins
PACKAGE, EXTENSION, SOURCE, BYTECODE, NAMESPACE = range(5)


class Module(NamedTuple):
    """What `import` would make of a file: `parts` are the names from the root down."""

    path: str
    parts: tuple[str, ...]
    rank: int  # PACKAGE, EXTENSION, SOURCE, BYTECODE or, of a link to a folder, NAMESPACE
    is_package: bool = False
    is_extension: bool = False

    @property
    def order(self) -> tuple[int, int]:
        """Return what FileFinder goes by in one folder: the least wins."""
        form = BYTECODE if self.path.endswith(".pyc") else SOURCE
        return self.rank, EXTENSION if self.is_extension else form

    @property
    def name(self) -> str:
        """Return the dotted name, as seen from the repository's root."""
        return ".".join(self.parts)


def module(path: str) -> Module | None:
    """Return the module that `path` is, or None: no module, no identifiers, cached bytecode."""
    folder, _, name = path.rpartition("/")
    stem, is_extension, rank = _split(name)
    if stem is None:
        return None
    parts = tuple(folder.split("/")) if folder else ()
    if stem == "__init__":
        if not parts:
            return None
        return _checked(Module(path, parts, PACKAGE, True, is_extension))
    return _checked(Module(path, (*parts, stem), rank, False, is_extension))


def _split(name: str) -> tuple[str | None, bool, int]:
    if name.endswith(".py"):
        return name[:-3], False, SOURCE
    if name.endswith(".pyc"):
        return name[:-4], False, BYTECODE
    if match := _EXTENSION.search(name):
        return name[: match.start()], True, EXTENSION
    return None, False, 0


def _checked(found: Module) -> Module | None:
    # A folder above an import root need not be an identifier; `relative` looks at the rest.
    return found if is_name(found.parts[-1]) and not _is_cached(found) else None


def _is_cached(found: Module) -> bool:
    # A folder called __pycache__ can be on the path as any other; what a Python caches there is
    # bytecode, whose names have a tag: `sitecustomize.pyc` is none of it.
    if not found.path.endswith(".pyc") or found.parts[-1] in _STARTUP:
        return False
    return "__pycache__" in found.parts


def is_name(part: str) -> bool:
    """Tell whether an import statement can spell `part`."""
    return part.isidentifier() and not keyword.iskeyword(part)


def relative(found: Module, root: str) -> tuple[str, ...] | None:
    """Return the names by which `found` is imported when `root` is on the path; None when not."""
    above = tuple(root.split("/")) if root else ()
    if found.parts[: len(above)] != above or len(found.parts) <= len(above):
        return None
    parts = found.parts[len(above) :]
    return parts if all(map(is_name, parts)) else None


def is_startup_module(path: str) -> bool:
    """Tell whether `import sitecustomize` or `import usercustomize` would load this very file.

    A link without a suffix can lead to a package; a `.pyc` next to its source is never read.
    """
    found = module(path)
    return found is not None and found.parts[-1] in _STARTUP


def startup_folder(path: str) -> str:
    """Return the folder that has to be on `sys.path` for a startup module to be found."""
    found = module(path)
    return "/".join(found.parts[:-1]) if found else path.rpartition("/")[0]
