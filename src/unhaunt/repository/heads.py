"""The commit and branch of a checkout, read from its files: for those in a hurry.

gitrepository-layout(5). Whether there are changes only git can say: `history`.
"""

from __future__ import annotations

import os
import re

from unhaunt.interpreters.preflight import head_of


def toplevel_of(folder: str) -> str | None:
    """Return the root of the working tree that `folder` is in."""
    while not os.path.lexists(os.path.join(folder, ".git")):
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent
    return folder


def head(top: str) -> tuple[str | None, str | None, bool]:
    """Return the commit, the branch, and whether this is a linked working tree."""
    store = _store(top)
    common = os.path.normpath(os.path.join(store, _line(os.path.join(store, "commondir")) or "."))
    text = _line(os.path.join(store, "HEAD")) or ""
    name = text.removeprefix("ref: ")
    if name == text:
        return text or None, None, common != store
    commit = _line(os.path.join(common, name)) or _packed(common, name)
    return commit, name.removeprefix("refs/heads/"), common != store


def _store(top: str) -> str:
    """Return the repository's folder: `.git`, or what a `.git` file names."""
    place = os.path.join(top, ".git")
    named = (_line(place) or "").removeprefix("gitdir: ")
    return os.path.normpath(os.path.join(top, named)) if named else place


def _line(path: str) -> str | None:
    return os.fsdecode(head_of(path)).strip() or None


def _packed(common: str, name: str) -> str | None:
    text = os.fsdecode(head_of(os.path.join(common, "packed-refs"), whole=True))
    found = re.search(rf"(?m)^([0-9a-f]{{40,64}}) {re.escape(name)}$", text)
    return found[1] if found else None


def worktrees(top: str) -> tuple[str, ...]:
    """Return the roots of the other working trees of the repository, the main one first."""
    store = _store(top)
    common = os.path.normpath(os.path.join(store, _line(os.path.join(store, "commondir")) or "."))
    linked = os.path.join(common, "worktrees")
    names = sorted(os.listdir(linked)) if os.path.isdir(linked) else []
    places = [_line(os.path.join(linked, name, "gitdir")) for name in names]
    stores = [common] if os.path.basename(common) == ".git" else []  # else: bare, or a submodule
    found = [os.path.dirname(path) for path in [*stores, *filter(None, places)]]
    return tuple(root for root in found if os.path.realpath(root) != os.path.realpath(top))
