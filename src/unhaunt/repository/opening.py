"""Edge: find the repository around a folder, and say why there is none.

Sources: git-rev-parse(1), git-ls-files(1), git-diff-index(1).
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from unhaunt.errors import UserError
from unhaunt.process import Completed, Job
from unhaunt.repository.git import (
    DIFF_INDEX,
    LS_FILES,
    OLDEST,
    WITH_OTHERS,
    Repository,
    begin,
    checked,
    environment,
    find_git,
    finish,
    last_words,
    options,
    run,
)
from unhaunt.repository.listing import Answers, beside_index


class Opening:
    """A repository that is being looked for, and its index that is being read, side by side.

    git works while this process imports what it will need. With `at_hand`, what git tells its
    hooks by environment variables holds; it is about the repository of the current folder, so not
    for a folder that was named. With `ahead`, git is asked for all that the rules about modules
    will ask. Raises `UserError` when git cannot be used.
    """

    def __init__(self, directory: str, *, at_hand: bool, ahead: bool = False) -> None:
        _check_place(directory)
        self.directory = directory
        self.ahead = ahead
        self.git = find_git(directory)
        self.env = environment(os.environ, at_hand)
        prefix = (self.git, "-C", directory, *options(directory))
        everything = ("--full-name", "--", ":/")
        asked = [(*WITH_OTHERS, *everything), (*DIFF_INDEX, "HEAD", "--")]
        commands = (_WHERE, *(asked if ahead else [(*LS_FILES, *everything)]))
        self._batch = begin([Job((*prefix, *words)) for words in commands], self.env)

    def finish(self) -> tuple[Repository, Answers]:
        """Return the repository, and what git was asked. Raises `UserError` when there is none."""
        where, files, *staged = finish(self._batch)
        repository = self._repository(where)
        listed = checked(files, "ls-files")
        if not self.ahead:
            return repository, Answers(listed)
        others, index = beside_index(listed, files.stderr)
        return repository, Answers(
            index, others, checked(staged[0], "diff-index") if repository.head else None
        )

    def _repository(self, done: Completed) -> Repository:
        lines = done.stdout.split(b"\n")
        if len(lines) < 5 or lines[3] != b"true":
            raise _refusal(self.git, self.directory, done, self.env)
        # git for Windows writes C:/folder, and Python C:\\folder.
        top, git_dir, common = (os.path.normpath(os.fsdecode(line)) for line in lines[:3])
        head = os.fsdecode(lines[4]) if done.code == 0 else None
        common_dir = os.path.join(self.directory, common)
        env = dict(self.env)
        if index := env.get("GIT_INDEX_FILE"):
            env["GIT_INDEX_FILE"] = os.path.join(top, index)
        return Repository(self.git, top, git_dir, common_dir, head, env)


_WHERE = (
    "rev-parse", "--show-toplevel", "--absolute-git-dir", "--git-common-dir",
    "--is-inside-work-tree", "--verify", "-q", "HEAD",
)  # fmt: skip
_WHERE_STORE = (
    "rev-parse", "--absolute-git-dir", "--git-common-dir", "--verify", "-q", "HEAD",
)  # fmt: skip


def open_repository(directory: str, *, at_hand: bool = True) -> Repository:
    """Find the working tree that `directory` lies in: see `Opening`."""
    return Opening(directory, at_hand=at_hand).finish()[0]


def open_store(directory: str, *, at_hand: bool = True) -> Repository:
    """Return the repository of `directory`, bare or not, without any working tree or index.

    git's own hooks on a server name objects that are not accepted yet by GIT_OBJECT_DIRECTORY and
    its alternates; with `at_hand` these hold. Raises `UserError` when there is no repository.
    """
    _check_place(directory)
    git, env = find_git(directory), environment(os.environ, at_hand)
    (done,) = run([Job((git, "-C", directory, *options(directory), *_WHERE_STORE))], env)
    lines = list(map(os.fsdecode, done.stdout.split(b"\n")))
    if len(lines) < 3:
        raise _refusal(git, directory, done, env)
    git_dir, common = lines[0], os.path.join(directory, lines[1])
    env = {k: v for k, v in env.items() if k != "GIT_INDEX_FILE"}
    # Its own folder stands in for a working tree, so that core.worktree leads git nowhere else.
    env |= {"GIT_DIR": git_dir, "GIT_WORK_TREE": git_dir}
    return Repository(git, git_dir, git_dir, common, lines[2] if done.code == 0 else None, env)


def _check_place(directory: str) -> None:
    try:
        os.getcwd()
    except OSError:
        raise UserError("the current folder is gone", hint="cd into one that exists") from None
    if not os.path.isdir(directory):
        raise UserError(f"{directory}: no such directory", hint="give a folder with -C DIR")


_REFUSALS = (
    (b"dubious ownership", "the repository belongs to another user, so git does not look at it",
     "git config --global --add safe.directory {top}"),
    (b"unsafe repository", "the repository belongs to another user, so git does not look at it",
     "git config --global --add safe.directory {top}"),
    (b"not a git repository", "not a git repository",
     "cd into a repository, or name one with -C DIR"),
    (b"must be run in a work tree", "a bare repository, or a folder inside .git",
     "run this in a working tree, or name a commit with --rev"),
    (b"safe.bareRepository", "a bare repository, and safe.bareRepository wants it to be named",
     "GIT_DIR={top} unhaunt check --rev REV"),
)  # fmt: skip


def _refusal(git: str, directory: str, done: Completed, env: Mapping[str, str]) -> UserError:
    place = os.path.abspath(directory)
    if "\n" in place:  # rev-parse has no `-z`
        return UserError(
            f"{place}: a line break in the folder's own name", hint="rename the folder"
        )
    for words, message, hint in _REFUSALS:
        if words in done.stderr:
            return UserError(f"{place}: {message}", hint=hint.format(top=place))
    version = _version(git, env)
    if version < OLDEST:
        return UserError(
            f"git is version {'.'.join(map(str, version))}, too old",
            hint="install git 2.25 or newer",
        )
    lines = done.stdout.split(b"\n")
    if lines[3:4] == [b"false"]:
        return UserError(
            f"{place}: core.worktree says that the working tree is {os.fsdecode(lines[0])}",
            hint="run this there, or: git config --unset core.worktree",
        )
    return UserError(
        f"{place}: git refused: {last_words(done)}", hint="run `git status` there to see why"
    )


def _version(git: str, env: Mapping[str, str]) -> tuple[int, ...]:
    words = run([Job((git, "version"))], env)[0].stdout.split()
    numbers = words[2].split(b".")[:2] if len(words) > 2 else []
    return tuple(int(n) for n in numbers if n.isdigit()) or OLDEST
