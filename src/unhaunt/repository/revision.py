"""Edge: what a revision that a user, or git's own hook, names is. Asks git; changes nothing.

Sources: gitrevisions(7), git-merge-base(1), and githooks(5): all zeros stand for a ref that is
not there.
"""

from __future__ import annotations

import os
import re

from unhaunt.errors import UserError
from unhaunt.repository.git import Repository

_WARN = ("-c", "core.warnAmbiguousRefs=true")


def is_nothing(revision: str) -> bool:
    """Tell whether git's hooks mean by it a ref that does not exist."""
    return re.fullmatch("0{40}|0{64}", revision) is not None


def commit_of(repository: Repository, revision: str, option: str) -> str:
    """Return the id of the commit that `revision`, the value of `option`, names; tags are followed.

    Raises `UserError` when it is none, or may be several.
    """
    if not revision or revision.startswith("-"):
        raise _wrong(revision, option, "not a revision")
    (done,) = repository.configured(_WARN).run(("rev-parse", "--verify", f"{revision}^{{commit}}"))
    if b"is ambiguous" in done.stderr:
        raise UserError(
            f"{option} {revision}: ambiguous, it names several things",
            hint=f"write {option} refs/heads/{revision} or refs/tags/{revision}, or a whole id",
        )
    found = done.stdout.decode("ascii", "replace").strip()
    if done.code == 0 and re.fullmatch("[0-9a-f]{40}|[0-9a-f]{64}", found):
        return found
    raise _wrong(revision, option, _kind(repository, revision))


def _kind(repository: Repository, revision: str) -> str:
    """Say what a revision is that is no commit."""
    (done,) = repository.run(("rev-parse", "--verify", "-q", revision))
    found = done.stdout.decode("ascii", "replace").strip()
    if done.code == 0 and re.fullmatch("[0-9a-f]+", found):
        (kind,) = repository.run(("cat-file", "-t", found))
        word = kind.stdout.decode("ascii", "replace").strip()
        if word in ("tree", "blob", "tag"):
            return f"a {word}, and not a commit"
    return "no such commit in this clone"


def _wrong(revision: str, option: str, what: str) -> UserError:
    return UserError(
        f"{option} {revision}: {what}",
        hint=f"name a commit, a branch or a tag, as in {option} main "
        "(in a hook of a server leave out -C, and git's own environment as it is)",
    )


def merge_base(repository: Repository, one: str, other: str) -> str | None:
    """Return a commit that both have come from; None when this clone knows of none."""
    (done,) = repository.run(("merge-base", one, other))
    found = done.stdout.decode("ascii", "replace").strip()
    return found if done.code == 0 and found else None


def changed_paths(repository: Repository, one: str, other: str) -> frozenset[str]:
    """Return the paths in which two commits differ."""
    command = ("diff-tree", "-r", "-z", "--name-only", "--no-renames")
    output = repository.output(*command, one, other)
    return frozenset(map(os.fsdecode, output.split(b"\0")[:-1]))
