"""Edge: which modules the changed files import. Asks git, reads sources.

Git's own words: git-merge-base(1), git-diff(1) with --name-only -z.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from unhaunt.errors import UserError
from unhaunt.importing.imports import read_source
from unhaunt.repository.git import Repository

#: what a branch is taken to come from when nobody says
_BASES = ("@{upstream}", "refs/remotes/origin/HEAD", "refs/heads/main", "refs/heads/master")


def changed_imports(repository: Repository, base: str | None) -> tuple[str, tuple[str, ...]]:
    """Return what was compared with, and the modules that changed files import.

    Raises `UserError` when there is no such revision.
    """
    shown, commit = base_of(repository, base)
    found: dict[str, None] = {}
    for path in changed_paths(repository, commit):
        found.update(dict.fromkeys(_imports(os.path.join(repository.top, path))))
    return shown, tuple(sorted(found))


def base_of(repository: Repository, asked: str | None) -> tuple[str, str]:
    """Return what changes are measured against, in words and as a commit; "" on an unborn branch.

    Raises `UserError` when what was asked for is no revision.
    """
    if repository.head is None:
        return "nothing", ""
    for name in (asked,) if asked else _BASES:
        is_option = bool(name and name.startswith("-"))
        commit = "" if is_option else _answer(repository, "merge-base", name or "", "HEAD")
        if commit and (asked or commit != repository.head):
            return f"the merge base with {name} ({commit[:10]})", commit
    if asked:
        raise UserError(
            f"{asked}: no such revision, or no merge base", hint="git fetch, then again"
        )
    return "HEAD", repository.head


def _answer(repository: Repository, *command: str) -> str:
    out = repository.output(*command, codes=(0, 1, 128))
    return os.fsdecode(out).strip()


def changed_paths(repository: Repository, commit: str) -> Iterator[str]:
    """Yield the Python files that differ from `commit`, untracked ones included."""
    tracked = ("ls-files", "-z") if not commit else (
        "diff", "--name-only", "-z", "--no-ext-diff", "--no-textconv", "--no-renames",
        "--ignore-submodules", commit, "--",
    )  # fmt: skip
    harmless = repository.without_filters()
    for command in (tracked, ("ls-files", "-z", "-o", "--exclude-standard")):
        names = os.fsdecode(harmless.output(*command)).split("\0")
        yield from (name for name in names if name.endswith(".py"))


def _imports(path: str) -> Iterator[str]:
    try:
        with open(path, "rb") as file:
            source = read_source(file.read())
    except OSError:  # deleted, or no file
        return
    for one in source.imports:
        if one.level == 0 and one.module:
            yield ".".join(one.module)
