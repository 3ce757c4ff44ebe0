"""What can be learnt about an interpreter before it is started. Reads files, starts nothing.

Section by section this follows what CPython's Modules/getpath.py looks for beside an executable,
and how pyenv chooses a version (pyenv's README, "Understanding Python version selection").
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from unhaunt.errors import UserError

#: the most of a script that is read to see what it is
HEAD = 4096
WHOLE = 1 << 20


class Target(NamedTuple):
    """An interpreter that may be started, and how it was found."""

    executable: str  # absolute and normalised: never resolved, a link may be an environment's
    because: str


class Hazard(NamedTuple):
    """Something beside an interpreter that -I does not switch off."""

    path: str
    reason: str


def on_path(name: str, env: Mapping[str, str], cwd: str) -> Iterator[str]:
    """Yield every executable called `name` along PATH, in order; a name with a slash is itself."""
    if os.path.dirname(name):
        yield os.path.normpath(os.path.join(cwd, os.path.expanduser(name)))
        return
    for folder in env.get("PATH", os.defpath).split(os.pathsep):
        for word in (name, f"{name}.exe") if os.name == "nt" else (name,):
            path = os.path.normpath(os.path.join(cwd, folder, word))
            if os.path.isfile(path) and os.access(path, os.X_OK):
                yield path


def head_of(path: str, *, whole: bool = False) -> bytes:
    """Return the first bytes of a regular file, nothing of anything else."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            return b""
        with open(path, "rb") as file:
            return file.read(WHOLE if whole else HEAD)
    except (OSError, ValueError):
        return b""


def contents(path: str) -> bytes:
    """Return the bytes of a regular file. Raises `OSError` for anything else: a FIFO would hang."""
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise OSError("not a regular file")
    with open(path, "rb") as file:
        return file.read()


def locate(name: str, env: Mapping[str, str], cwd: str) -> Target:
    """Find the interpreter that `name` stands for; a pyenv shim is followed, not started.

    Raises `UserError` when there is none, or only a script.
    """
    found = next(on_path(name, env, cwd), None)
    beside = os.path.normpath(os.path.join(cwd, name))
    if found is None and os.path.isfile(os.path.join(beside, "pyvenv.cfg")):
        found = beside
    if found is not None and os.path.isdir(found):
        found = _inside(found)
    if found is None or not os.path.exists(found):
        raise UserError(f"no Python called {name}", hint="give the path of one with --python")
    head = head_of(found)
    if b"pyenv" in head and head.startswith(b"#!"):
        return shim(found, env, cwd)
    if head.startswith(b"#!"):
        raise UserError(
            f"{found} is a script, not an interpreter",
            hint="give the interpreter itself: python -c 'import sys; print(sys.executable)'",
        )
    if not os.access(found, os.X_OK):
        raise UserError(f"{found} cannot be executed", hint="give the path of a Python")
    return Target(found, f"{name} on PATH" if not os.path.dirname(name) else "as given")


def _inside(folder: str) -> str | None:
    """Return the interpreter of an environment's folder."""
    for name in ("bin/python", "bin/python3", "Scripts/python.exe", "python.exe"):
        if os.path.exists(os.path.join(folder, name)):
            return os.path.join(folder, name)
    return None


def shim(path: str, env: Mapping[str, str], cwd: str) -> Target:
    """Return the interpreter that a pyenv shim would start, without starting pyenv."""
    name = os.path.basename(path)
    root = env.get("PYENV_ROOT") or os.path.dirname(os.path.dirname(path))
    for version, because in _pyenv_versions(env, cwd, root):
        if version == "system":
            later = (
                p for p in on_path(name, env, cwd) if os.path.dirname(p) != os.path.dirname(path)
            )
            executable = next((p for p in later if b"pyenv" not in head_of(p)), None)
        else:
            executable = _pyenv_executable(root, version, name)
        if executable is not None:
            return Target(
                executable, f"{path} is a pyenv shim, version {version} chosen by {because}"
            )
    raise UserError(
        f"{path} is a pyenv shim, and the version that it would choose has no {name}",
        hint="pyenv versions, then give the interpreter with --python",
    )


def _pyenv_versions(env: Mapping[str, str], cwd: str, root: str) -> Iterator[tuple[str, str]]:
    if env.get("PYENV_VERSION"):
        yield from ((v, "PYENV_VERSION") for v in env["PYENV_VERSION"].split(":"))
        return
    for file in (*_upwards(cwd, ".python-version"), os.path.join(root, "version")):
        lines = head_of(file).decode("utf-8", "replace").splitlines()
        words = [(n, w) for n, line in enumerate(lines, 1) for w in line.split("#")[0].split()]
        if words:
            yield from ((word, f"{file}:{n}") for n, word in words)
            return
    yield "system", "the default"


def _upwards(folder: str, name: str) -> Iterator[str]:
    while True:
        yield os.path.join(folder, name)
        if os.path.dirname(folder) == folder:
            return
        folder = os.path.dirname(folder)


def _pyenv_executable(root: str, version: str, name: str) -> str | None:
    versions = os.path.join(root, "versions")
    try:
        known = sorted(os.listdir(versions), key=_numeric, reverse=True)
    except OSError:
        return None
    version = version.removeprefix("python-")
    for candidate in [version, *(v for v in known if v.startswith(version + "."))]:
        path = os.path.join(versions, candidate, "bin", name)
        if os.path.exists(path):
            return path
    return None


def _numeric(version: str) -> list[int]:
    return [int(part) if part.isdigit() else -1 for part in version.split(".")]


def hops(executable: str) -> Iterator[str]:
    """Yield the path, each link that it leads over, and where it ends."""
    seen: list[str] = []
    while executable not in seen and len(seen) < 40:
        seen.append(executable)
        yield executable
        if not os.path.islink(executable):
            break
        executable = os.path.normpath(
            os.path.join(os.path.dirname(executable), os.readlink(executable))
        )
    real = os.path.realpath(executable)
    if real not in seen:
        yield real


def hazards(executable: str) -> Iterator[Hazard]:
    """Yield what lies beside an interpreter and would redirect it, under -I -S too."""
    yield from blocked(executable)
    real = os.path.realpath(executable)
    for hop in dict.fromkeys(hops(executable)):
        for name in (f"{hop}._pth", f"{os.path.splitext(hop)[0]}._pth"):
            if os.path.lexists(name) and os.name == "posix":
                yield Hazard(
                    name, "replaces sys.path and the flags, -I and -S included (3.11 and newer)"
                )
                break
    for name in ("pybuilddir.txt", os.path.join("Modules", "Setup.local")):
        if os.path.lexists(os.path.join(os.path.dirname(real), name)):
            yield Hazard(
                os.path.join(os.path.dirname(real), name),
                "makes this Python start as in a build tree",
            )
    yield from _archives(os.path.dirname(real))


def blocked(executable: str) -> Iterator[Hazard]:
    """Yield the pyvenv.cfg that is no file: every start of this Python would hang."""
    folder = os.path.dirname(executable)
    for place in (folder, os.path.dirname(folder)):
        path = os.path.join(place, "pyvenv.cfg")
        if os.path.exists(path) and not (os.path.isfile(path) or os.path.isdir(path)):
            yield Hazard(path, "is not a regular file: this Python hangs at its start")


def _archives(folder: str) -> Iterator[Hazard]:
    """Yield pythonXY.zip of a prefix: it comes before the standard library."""
    for parent in _upwards(folder, ""):
        library = os.path.join(parent, "lib")
        try:
            names = os.listdir(library)
        except OSError:
            continue
        for name in names:
            if re.fullmatch(r"python3\d+\.zip", name):
                yield Hazard(os.path.join(library, name), "comes before the standard library")


def suspects(executable: str, env: Mapping[str, str]) -> Iterator[str]:
    """Yield the .pth and .start files near an interpreter that could hang its start, or end it.

    Where they lie is guessed from names alone: more folders than this Python reads, never fewer
    of the usual ones.
    """
    real = os.path.realpath(executable)
    prefixes = [os.path.dirname(os.path.dirname(path)) for path in (executable, real)]
    base = env.get("PYTHONUSERBASE") or os.path.join(env.get("HOME", "/"), ".local")
    for prefix in dict.fromkeys([*prefixes, base]):
        for folder in _site_folders(prefix):
            yield from (path for path in _startup_files(folder) if not _plain(path))


def _site_folders(prefix: str) -> Iterator[str]:
    for library in ("lib", "lib64", "local/lib"):
        place = os.path.join(prefix, library)
        for name in (n for n in _names(place) if n.startswith("python3")):
            yield from (os.path.join(place, name, f"{kind}-packages") for kind in ("site", "dist"))


def _startup_files(folder: str) -> Iterator[str]:
    for name in _names(folder):
        if name.endswith((".pth", ".start")):
            yield os.path.join(folder, name)


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _plain(path: str) -> bool:
    """Tell whether a file is regular, small and UTF-8, or a folder, which site.py passes over."""
    if os.path.isdir(path):
        return True
    try:
        head_of(path, whole=True).decode("utf-8")
        return stat.S_ISREG(os.stat(path).st_mode)
    except (OSError, UnicodeDecodeError):
        return False
