"""Edge: the folder that holds a copy: its files are written whole or not at all, and read back."""

from __future__ import annotations

import contextlib
import os
import shlex
from collections.abc import Iterable, Iterator, Mapping

from unhaunt.errors import UserError
from unhaunt.ourselves import HERE
from unhaunt.vendoring.sums import NAME, digest, listed


def claim(folder: str, names: Iterable[str]) -> None:
    """Look whether these names are free, or hold what an earlier copy wrote.

    Raises `UserError` when something lies there that `unhaunt vendor` did not write.
    """
    if os.path.lexists(folder) and not os.path.isdir(folder):
        raise UserError(f"{folder} is not a folder", hint="name a folder for the copy alone")
    before = _before(folder)
    for name in names:
        there = _read(folder, name)
        if there is not None and digest(there) != before.get(name):
            raise _in_the_way(os.path.join(folder, name))


def write(folder: str, files: Mapping[str, bytes]) -> None:
    """Write files into a folder; of an earlier copy, what is not in this one goes.

    Raises `UserError` when that is not possible.
    """
    before = _before(folder)
    old = [n for n in before.keys() - files.keys() if digest(_read(folder, n) or b"") == before[n]]
    try:
        _replace(folder, files)
        for name in old:
            os.unlink(os.path.join(folder, name))
    except OSError as error:
        raise UserError(
            f"cannot write {error.filename or folder}: {error.strerror}",
            hint="name a folder that can be written to",
        ) from None


def _before(folder: str) -> dict[str, str]:
    """Return what an earlier copy wrote, its list included: name -> digest."""
    data = _read(folder, NAME)
    names = listed(data or b"")
    return {**names, NAME: digest(data or b"")} if "unhaunt.pyz" in names else {}


def _replace(folder: str, files: Mapping[str, bytes]) -> None:
    """Write all files beside their places, then put them there, the list last."""
    with contextlib.ExitStack() as stack:
        parts = []
        for name in sorted(files, key=lambda name: (name == NAME, name)):
            path = os.path.join(folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            parts.append((f"{path}.{os.getpid()}.part", path))
            stack.callback(_gone, parts[-1][0])
            with open(parts[-1][0], "xb") as file:
                file.write(files[name])
        for part, path in parts:
            os.replace(part, path)


def _gone(path: str) -> None:
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)


def _in_the_way(path: str) -> UserError:
    quoted = shlex.quote(path)
    return UserError(
        f"{path} is not, or no longer, what `unhaunt vendor` wrote",
        hint=f"mv {quoted} {quoted}.old",
    )


def copy(folder: str) -> tuple[dict[str, str], dict[str, bytes]]:
    """Return what a copy's list says, and those of its files that are there.

    Raises `UserError` when this is no copy.
    """
    data = _read(folder, NAME)
    names = listed(data or b"")
    found = dict(_there(folder, names))
    if "unhaunt.pyz" not in found:
        raise UserError(
            f"{folder} holds no copy that `unhaunt vendor` wrote: no {NAME} with an unhaunt.pyz",
            hint=f"{HERE} vendor {shlex.quote(folder)}",
        )
    return names, found


def _there(folder: str, names: Mapping[str, str]) -> Iterator[tuple[str, bytes]]:
    for name in names:
        data = _read(folder, name)
        if data is not None:
            yield name, data


def links(folder: str, names: Iterable[str]) -> dict[str, bool]:
    """Return which files are links: name -> whether it leads out of the folder."""
    top = os.path.realpath(folder) + os.sep
    paths = {name: os.path.join(folder, name) for name in names}
    return {
        name: not os.path.realpath(path).startswith(top)
        for name, path in paths.items()
        if os.path.islink(path)
    }


def extras(folder: str, names: Iterable[str]) -> list[str]:
    """Return what lies beside the files of a copy; a folder with a slash at its end.

    Raises `UserError` when that cannot be listed.
    """
    known = {*names, "rows/"}
    found = [*_names(folder, ""), *_names(folder, "rows/")]
    return sorted(name for name in found if name not in known)


def _names(folder: str, below: str) -> Iterator[str]:
    path = os.path.join(folder, below)
    try:
        with os.scandir(path) as rows:
            yield from (f"{below}{row.name}{'/' if row.is_dir() else ''}" for row in rows)
    except FileNotFoundError:
        return
    except OSError as error:
        hint = "make it readable, or write the copy again"
        raise UserError(f"cannot list {path}: {error.strerror}", hint=hint) from None


def _read(folder: str, name: str) -> bytes | None:
    path = os.path.join(folder, name)
    hint = "name a folder for the copy alone"
    if name != os.path.basename(name) and os.path.islink(os.path.dirname(path)):
        raise UserError(f"{os.path.dirname(path)} leads out of the folder", hint=hint)
    if os.path.lexists(path) and not os.path.isfile(path):
        raise UserError(f"{path} is not a file", hint=hint)
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}", hint=hint) from None
