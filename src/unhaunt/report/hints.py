"""The way out of a finding, with its own path in it, as a shell takes it. Pure: no IO."""

from __future__ import annotations

import os
import re
import shlex

from unhaunt.inventory import Entry, Visibility
from unhaunt.rule import Found

_IN_NESTED = "move it out of the repository that is nested here, or add that as a submodule"


def hint_of(item: Found) -> str:
    """Return the hint of a finding, or of its rule, with the placeholders filled in.

    They are {path}, {remove}, {add}, {rename} and {anchored}, the path from the root.
    """
    entry = item.finding.entry
    fill = {
        "path": lambda: quoted(entry.path),
        "remove": lambda: _removal(entry),
        "add": lambda: _addition(entry),
        "rename": lambda: _renaming(entry),
        "anchored": lambda: quoted("/" + _whole(entry)),
    }
    text = item.finding.hint or item.rule.hint
    return re.sub(r"\{(\w+)\}", lambda m: fill[m[1]]() if m[1] in fill else m[0], text)


def quoted(path: str) -> str:
    """Quote a path for a shell; one that cannot be printed in the way of bash and zsh, $'…'."""
    if path.isprintable():
        return shlex.quote(path)
    return "$'" + "".join(map(_escaped, os.fsencode(path).decode("utf-8", "surrogateescape"))) + "'"


def _escaped(char: str) -> str:
    if char in "\\'":
        return "\\" + char
    if char.isprintable():
        return char
    return "".join(f"\\x{byte:02x}" for byte in char.encode("utf-8", "surrogateescape"))


def _pathspec(path: str) -> str:
    """Quote a path for git, to which `*` is a pattern and `:!x` an exclusion (gitglossary(7))."""
    is_plain = not path.startswith(":") and not any(char in path for char in "*?[\\")
    return quoted(path if is_plain else f":(literal){path}")


def _removal(entry: Entry) -> str:
    if entry.visibility is Visibility.COMMITTED:
        return f"git rm -- {_pathspec(entry.path)}"
    if entry.in_commit or entry.visibility is Visibility.STAGED_ELSEWHERE:
        return f"git rm -f -- {_pathspec(entry.path)}"
    return f"rm -- {quoted(entry.path)}"


def _addition(entry: Entry) -> str:
    path = quoted(entry.path)
    if entry.visibility is Visibility.NESTED_REPOSITORY:
        return _IN_NESTED
    if entry.visibility is Visibility.STAGED_ELSEWHERE:
        return f"commit it too: git commit -- {_pathspec(entry.path)}"
    if entry.path.endswith(".pyc"):
        return f"track its source, or: rm -- {path}"
    force = "-f " if entry.visibility is Visibility.IGNORED else ""
    return f"git add {force}-- {_pathspec(entry.path)}"


def _whole(entry: Entry) -> str:
    """Return the module's own path: the folder of a package."""
    folder, _, name = entry.path.rpartition("/")
    return folder if name.startswith("__init__.") and folder else entry.path


def _renaming(entry: Entry) -> str:
    path = _whole(entry)
    folder, slash, name = path.rpartition("/")
    return f"mv -- {quoted(path)} {quoted(f'{folder}{slash}my_{name}')}"
