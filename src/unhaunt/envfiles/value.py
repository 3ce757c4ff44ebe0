"""What the value of PYTHONPATH means: its elements, and where each of them points.

Pure: no IO. Sources: python(1) and "Using Python", PYTHONPATH; CPython's Modules/getpath.py
(an empty element is the current directory; neither `~` nor a variable is expanded by Python).
"""

from __future__ import annotations

import enum
import posixpath
import re
from collections.abc import Iterator
from typing import NamedTuple

from unhaunt.envfiles.assignment import Command, Part, Reference, Value, shown, words


class Place(enum.Enum):
    """Where an element of PYTHONPATH points."""

    EMPTY = "empty"
    UNSET = "empty when unset"  # the inherited value alone
    HERE = "current directory"
    RELATIVE = "relative"
    REPOSITORY = "in the repository"
    ABSOLUTE = "absolute"
    HOME = "home"
    TILDE = "literal tilde"
    OUTSIDE = "outside"
    UNKNOWN = "unknown"


class Element(NamedTuple):
    """One element, where it points, and its folder (below the repository or the base)."""

    place: Place
    text: str
    folder: str = ""


#: names that stand for the checkout, or for the folder of the file
_CHECKOUT = words(
    """PWD pwd cd CD CURDIR PROJECT_ROOT PROJECT_DIR PROJECT_PATH REPO_ROOT ROOT_DIR BASE_DIR
    workspaceFolder workspaceRoot fileWorkspaceFolder containerWorkspaceFolder localWorkspaceFolder
    {toxinidir} {tox_root} {root} {changedir} {rootdir} CI_PROJECT_DIR GITHUB_WORKSPACE
    {{github.workspace}} {{config_root}} {{.ROOT_DIR}} {{.TASKFILE_DIR}} {{justfile_directory()}}
    {{invocation_directory()}} ~dp0 PSScriptRoot CLAUDE_PROJECT_DIR GEMINI_PROJECT_DIR
    TRAVIS_BUILD_DIR CIRCLE_WORKING_DIRECTORY BUILD_SOURCESDIRECTORY Build.SourcesDirectory
    System.DefaultWorkingDirectory BITBUCKET_CLONE_DIR WORKSPACE DEVENV_ROOT DEVBOX_PROJECT_ROOT
    FLOX_ENV_PROJECT PIXI_PROJECT_ROOT MISE_PROJECT_ROOT MISE_CONFIG_ROOT GITPOD_REPO_ROOT
    DRONE_WORKSPACE BUILDKITE_BUILD_CHECKOUT_PATH SLURM_SUBMIT_DIR APPVEYOR_BUILD_FOLDER
    POE_ROOT PDM_PROJECT_ROOT HATCH_PROJECT_ROOT here srcdir abs_srcdir top_srcdir
    abs_top_srcdir CMAKE_SOURCE_DIR CMAKE_CURRENT_SOURCE_DIR PROJECT_SOURCE_DIR"""
)
_CHECKOUT_COMMAND = re.compile(r"""\s*(?:pwd(?:\s+-[LP])?|git\s+rev-parse\s+--show-toplevel)\s*$""")
_HOME = frozenset({"~", "HOME", "USERPROFILE", "userHome", "LOCALAPPDATA", "APPDATA", "{homedir}"})
_ABSOLUTE = re.compile(r"[/\\]|[A-Za-z]:[/\\]")
_KEPT = re.compile(r"old|sav|orig|prev|back|bak", re.IGNORECASE)
_MINOR = re.compile(r"python-?3\.?\d+.*(?:site|dist)-packages|__pypackages__/3\.\d+", re.IGNORECASE)


def elements(value: Value, separator: str, *, own: str = "PYTHONPATH") -> tuple[Element, ...]:
    """Return the elements of `value`; `own` is the variable that it may inherit from.

    `separator` is one character, or "" when the format does not say: then `;` when there is one.
    """
    flat = tuple(_unset(value, own))
    separator = separator or (";" if any(";" in p for p in flat if isinstance(p, str)) else ":")
    return tuple(_element(parts, own) for parts in _split(flat, separator))


def inherits(value: Value, own: str = "PYTHONPATH") -> bool:
    """Tell whether the old value is a part of the new one."""
    return any(isinstance(p, Reference) and (p.name == own or inherits(p.word, own)) for p in value)


def fallback(value: Value, own: str = "PYTHONPATH") -> Value | None:
    """Return the default in `${PYTHONPATH:-default}`, when `value` is nothing else."""
    if len(value) != 1 or not isinstance(value[0], Reference):
        return None
    ref = value[0]
    return ref.word if ref.name == own and ref.operator in (":-", "-", ":=", "=") else None


def nothing(value: Value, own: str = "PYTHONPATH") -> bool:
    """Tell whether `value` is empty, or no more than the old value of the variable."""
    rest = value if (default := fallback(value, own)) is None else default
    return all(
        not p.strip() if isinstance(p, str) else isinstance(p, Reference) and _is_old(p.name, own)
        for p in rest
    )


def _is_old(name: str, own: str) -> bool:
    """Tell whether a variable is the old value, or where a script keeps it."""
    bare = re.sub(own, "", name, flags=re.IGNORECASE)
    kept = _KEPT.search(bare) if bare != name else None
    return name == own or kept is not None


def site_packages(text: str) -> bool:
    """Tell whether `text` names the site-packages of one Python minor version."""
    return _MINOR.search(text.replace("\\", "/")) is not None


def _unset(value: Value, own: str) -> Iterator[Part]:
    """Yield the parts as they are when the inherited value is unset."""
    for part in value:
        if not isinstance(part, Reference) or part.name != own:
            yield part
        elif part.operator in (":-", "-", ":=", "="):
            yield from _unset(part.word, own)
        elif part.operator in (":+", "+"):
            continue
        else:
            yield part


def _split(value: Value, separator: str) -> Iterator[Value]:
    current: list[Part] = []
    for part in value:
        if not isinstance(part, str):
            current.append(part)
            continue
        first, *more = _pieces(part, separator)
        current.append(first)
        for piece in more:
            yield tuple(p for p in current if p != "")
            current = [piece]
    yield tuple(p for p in current if p != "")


def _pieces(text: str, separator: str) -> list[str]:
    if separator != ":":
        return text.split(separator)
    # a colon behind a single letter and before a slash belongs to a drive, or to a URL's scheme
    return re.split(r"(?<!^[A-Za-z])(?<![:][A-Za-z]):(?!//)|:(?![/\\])", text)


def _element(parts: Value, own: str) -> Element:
    text = shown(parts)
    if not parts:
        return Element(Place.EMPTY, text)
    if all(isinstance(p, Reference) and p.name == own for p in parts):
        return Element(Place.UNSET, text)
    head, rest = parts[0], parts[1:]
    if isinstance(head, str):
        return _literal(head, rest, text)
    tail = _tail(rest)
    if _is_home(head):
        return Element(Place.HOME, text)
    if not _is_checkout(head):
        return Element(Place.UNKNOWN, text)
    return Element(Place.UNKNOWN, text) if tail is None else _below(Place.REPOSITORY, tail, text)


def _literal(head: str, rest: Value, text: str) -> Element:
    if _ABSOLUTE.match(head):
        return Element(Place.ABSOLUTE, text)
    if head.startswith("~"):
        return Element(Place.TILDE, text)
    if re.search(r"(^|[/\\])\.\.([/\\]|$)", head) is None and rest:
        return Element(Place.UNKNOWN, text)
    return _below(Place.RELATIVE, head, text)


def _below(place: Place, path: str, text: str) -> Element:
    folder = posixpath.normpath(path.replace("\\", "/").lstrip("/") or ".")
    if folder.startswith(".."):
        return Element(Place.OUTSIDE, text, folder)
    if folder == ".":
        return Element(Place.HERE if place is Place.RELATIVE else place, text)
    return Element(place, text, folder)


def _tail(parts: Value) -> str | None:
    return "".join(map(str, parts)) if all(isinstance(p, str) for p in parts) else None


def _is_home(part: Reference | Command) -> bool:
    return isinstance(part, Reference) and part.name in _HOME


def _is_checkout(part: Reference | Command) -> bool:
    if isinstance(part, Command):
        return _CHECKOUT_COMMAND.match(part.text) is not None
    return part.name.replace(" ", "") in _CHECKOUT and not part.operator
