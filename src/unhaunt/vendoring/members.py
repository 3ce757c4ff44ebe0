"""Edge: what goes into the one file: our files and our dependencies', as they were installed.

From a zip that was made earlier the same comes out again, so a copy can make copies.
"""

from __future__ import annotations

import base64
import hashlib
import os
import shlex
import sys
from collections.abc import Iterator, Mapping
from importlib import metadata
from typing import NamedTuple

import unhaunt
from unhaunt.errors import UserError
from unhaunt.own_files import ARCHIVE
from unhaunt.vendoring.archive import VERSIONS, members_of

#: distribution -> its package: what `unhaunt` requires, and what that requires
DEPENDENCIES = {
    "GitPython": "git",
    "gitdb": "gitdb",
    "smmap": "smmap",
    "identify": "identify",
    "PyYAML": "yaml",
}
ROWS = "unhaunt/vendoring/rows/"
_LICENSES = ("LICENSE", "LICENCE", "COPYING", "NOTICE", "AUTHORS")


class Installed(NamedTuple):
    """A distribution and its name in the file."""

    name: str
    distribution: metadata.Distribution


def members() -> dict[str, bytes]:
    """Return name -> bytes of everything that the file holds, bytecode aside.

    Raises `UserError` when a dependency is missing, or is not as it was installed.
    """
    if ARCHIVE:
        with open(ARCHIVE, "rb") as file:
            return members_of(file.read())
    found = dict(_own())
    versions = [f"unhaunt {unhaunt.__version__}"]
    found.update(_licenses(_installed("unhaunt")))
    for name, package in DEPENDENCIES.items():
        one = _installed(name)
        found.update(_sources(one, package))
        found.update(_licenses(one))
        versions.append(f"{name} {one.distribution.version}")
    found[VERSIONS] = "".join(f"{line}\n" for line in versions).encode()
    return found


def rows(found: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the ready rows among the members, by their names beside the file."""
    names = [name for name in found if name.startswith(ROWS)]
    return {f"rows/{name.removeprefix(ROWS)}": found[name] for name in names}


def _own() -> Iterator[tuple[str, bytes]]:
    root = os.path.dirname(os.path.abspath(unhaunt.__file__))
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if name != "__pycache__"]
        for file in files:
            path = os.path.join(folder, file)
            name = os.path.relpath(path, os.path.dirname(root)).replace(os.sep, "/")
            if name.endswith((".py", ".typed")) or name.startswith(ROWS):
                with open(path, "rb") as opened:
                    yield name, opened.read()


def _installed(name: str) -> Installed:
    try:
        return Installed(name, metadata.distribution(name))
    except metadata.PackageNotFoundError:
        raise UserError(
            f"{name} is not installed for this Python, and the file would lack it",
            hint=f"{shlex.quote(sys.executable)} -m pip install {name}",
        ) from None


def _sources(one: Installed, package: str) -> Iterator[tuple[str, bytes]]:
    found = [
        file
        for file in one.distribution.files or ()
        if file.parts[0] == package and file.suffix == ".py" and "test" not in file.parts
    ]
    if not found:
        raise UserError(f"{one.name} has no list of its files (RECORD)", hint=_again(one.name))
    for file in found:
        yield file.as_posix(), _read(one, file)


def _licenses(one: Installed) -> Iterator[tuple[str, bytes]]:
    for file in one.distribution.files or ():
        if file.parts[0].endswith(".dist-info") and file.name.startswith(_LICENSES):
            yield f"licenses/{one.name}/{file.name}", _read(one, file)


def _read(one: Installed, file: metadata.PackagePath) -> bytes:
    """Return what a file holds, when that is what its RECORD says."""
    try:
        data = file.read_binary()
    except OSError as error:
        raise UserError(
            f"cannot read {file.locate()}: {error.strerror}", hint=_again(one.name)
        ) from None
    if file.hash is None or file.hash.value != _recorded(file.hash.mode, data):
        raise UserError(f"{file.locate()} is not as {one.name} installed it", hint=_again(one.name))
    return data


def _recorded(mode: str, data: bytes) -> str:
    """Return a digest as RECORD has it (packaging.python.org, "Recording installed projects")."""
    digest = hashlib.new(mode, data).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def _again(name: str) -> str:
    return f"{shlex.quote(sys.executable)} -m pip install --force-reinstall {name}"
