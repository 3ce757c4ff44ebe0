"""What git knows about a checkout: head, branch, changes, worktrees. The only user of GitPython.

GitPython's own `is_dirty()` and `untracked_files` run `core.fsmonitor` and filters, and decode
names wrongly, so that every command here is spelt out, hardened, and read as bytes. Its import
costs more than a start of Python: it happens when a function is called.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from unhaunt.repository.heads import toplevel_of

if TYPE_CHECKING:
    import git

SECONDS = 20
MOST = 200  # changed paths that are told

# Each for something that a repository's own configuration could run or hide: git-config(1).
SAFE = (
    "--no-optional-locks",
    "--no-replace-objects",
    "--no-pager",
    *("-c", "core.fsmonitor=", "-c", "core.untrackedCache=false", "-c", "core.trustctime=true"),
    *(
        "-c",
        "core.checkStat=default",
        "-c",
        "core.hooksPath=/dev/null",
        "-c",
        "submodule.recurse=false",
    ),
    *("-c", "diff.external=", "-c", "protocol.allow=never"),
)
ENVIRONMENT = {
    "LC_ALL": "C",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_LAZY_FETCH": "1",
}


class Checkout(NamedTuple):
    """One working tree, as `fingerprint` shows it."""

    toplevel: str
    head: str | None  # None: no commit yet
    branch: str | None  # None: detached
    dirty: bool
    worktree: bool  # a linked one: git-worktree(1)
    changed: tuple[str, ...]  # "XY path" of git status


@contextlib.contextmanager
def _without_git_variables() -> Iterator[None]:
    """GIT_DIR and its relatives, set in a hook, would make GitPython answer for another tree."""
    kept = {name: os.environ.pop(name) for name in list(os.environ) if name.startswith("GIT_")}
    os.environ["GIT_PYTHON_REFRESH"] = "quiet"
    try:
        yield
    finally:
        os.environ.pop("GIT_PYTHON_REFRESH", None)
        os.environ.update(kept)


def _failures() -> tuple[type[Exception], ...]:
    """Return what a question to git may end in."""
    with contextlib.suppress(ImportError):
        import git

        return (OSError, ValueError, git.exc.GitError)
    return (ImportError, OSError, ValueError)


def checkout(folder: str) -> Checkout | str | None:
    """Return the working tree at `folder`; the reason when git cannot say; None outside of one."""
    top = toplevel_of(os.path.realpath(folder))
    if top is None:
        return None
    with _without_git_variables():
        try:
            import git
        except ImportError as error:
            return f"GitPython cannot be imported: {error}"
        try:
            return _checkout(git.Repo(top), top)
        except (git.exc.GitError, OSError, ValueError) as error:
            return f"git cannot say: {_first_line(error)}"


def _first_line(error: Exception) -> str:
    text = getattr(error, "stderr", "") or str(error) or type(error).__name__
    lines = [line.strip() for line in str(text).splitlines() if line.strip()]
    return lines[-1].strip("'") if lines else type(error).__name__


def _checkout(repo: git.Repo, top: str) -> Checkout:
    changed = _status(repo)
    branch = None if repo.head.is_detached else repo.head.reference.name
    return Checkout(
        top,
        _run(repo, "rev-parse", "--verify", "--quiet", "HEAD", fails=True).strip() or None,
        branch,
        bool(changed),
        repo.git_dir != repo.common_dir,
        tuple(changed[:MOST]),
    )


def _status(repo: git.Repo) -> list[str]:
    filters = _run(
        repo,
        "config",
        "-z",
        "--name-only",
        "--get-regexp",
        r"^filter\..*\.(clean|process|required)$",
        fails=True,
    )
    off = [
        f"{name}={'false' if name.endswith('.required') else ''}"
        for name in filters.split("\0")
        if name
    ]
    options = [part for setting in off for part in ("-c", setting)]
    text = _run(
        repo,
        *options,
        "status",
        "--porcelain=v1",
        "-z",
        "--untracked-files=all",
        "--ignore-submodules=dirty",
        "--no-renames",
    )
    return sorted(row for row in text.split("\0") if row)


def _run(repo: git.Repo, *arguments: str, fails: bool = False) -> str:
    """Run git and return its output; with `fails`, a failure is an answer too."""
    status, out, error = repo.git.execute(
        ["git", *SAFE, *arguments],
        env=ENVIRONMENT,
        with_extended_output=True,
        with_exceptions=False,
        stdout_as_string=False,
        strip_newline_in_stdout=False,
        kill_after_timeout=SECONDS,
    )
    if status != 0 and not fails:
        raise ValueError(error or f"git {arguments[0]}: exit code {status}")
    return os.fsdecode(out)


def worktrees(folder: str) -> tuple[str, ...]:
    """Return the roots of every other working tree of the repository at `folder`."""
    top = toplevel_of(os.path.realpath(folder))
    if top is None:
        return ()
    with _without_git_variables():
        try:
            import git

            text = _run(git.Repo(top), "worktree", "list", "--porcelain")
        except _failures():
            return ()
    found = re.findall(r"(?m)^worktree (.+)$", text)
    return tuple(path for path in found if os.path.realpath(path) != top)


def tracked(folder: str, words: str) -> tuple[str, ...]:
    """Return the tracked Python files with a line that matches `words` (an extended expression)."""
    top = toplevel_of(os.path.realpath(folder))
    if top is None:
        return ()
    with _without_git_variables():
        try:
            import git

            text = _run(
                git.Repo(top),
                "grep",
                "--cached",
                "-lzE",
                "--no-textconv",
                "-e",
                words,
                "--",
                "*.py",
                fails=True,
            )
        except _failures():
            return ()
    return tuple(path for path in text.split("\0") if path)
