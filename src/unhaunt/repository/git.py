"""Edge: git itself, hardened, with `-z` and a time limit.

A repository's own configuration can name programs for git to run (core.fsmonitor, filters, hooks,
remote helpers), hide files from it, and so can the environment. Every call here overrides those,
and none fetches, takes a lock or writes. Sources: git(1), git-config(1), git-ls-files(1).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from unhaunt.errors import UserError
from unhaunt.process import Batch, Completed, Job
from unhaunt.text import shortened

TIME_LIMIT = (
    60.0  # seconds for one group of git processes; a FIFO as .gitignore blocks git for ever
)
OLDEST = (2, 25)

_OVERRIDES = (
    "core.fsmonitor=",  # empty is "off" in every version; "false" is run as a program before 2.36
    "core.untrackedCache=false",
    "core.hooksPath=/dev/null",
    "core.quotePath=false",
    "diff.external=",
    "protocol.allow=never",
    "submodule.recurse=false",
    "grep.threads=0",
    "color.ui=false",
)
_DROPPED = frozenset(
    [
        "GIT_PREFIX",
        "GIT_CEILING_DIRECTORIES",
        "GIT_EXTERNAL_DIFF",
        "GIT_CONFIG_PARAMETERS",
        "GIT_CONFIG_COUNT",
        "GIT_LITERAL_PATHSPECS",
        "GIT_GLOB_PATHSPECS",
        "GIT_NOGLOB_PATHSPECS",
        "GIT_ICASE_PATHSPECS",
        "GIT_ATTR_SOURCE",
        "GIT_REPLACE_REF_BASE",
        "GIT_NAMESPACE",
        "GIT_SHALLOW_FILE",
        "GIT_QUARANTINE_PATH",
        "GIT_DIFF_OPTS",
        "GIT_REDIRECT_STDOUT",
        "GIT_REDIRECT_STDERR",
        "GIT_REDIRECT_STDIN",
        "GIT_EXEC_PATH",
        "GIT_SSH",
        "GIT_SSH_COMMAND",
        "GIT_ASKPASS",
        "GIT_PROXY_COMMAND",
        "GIT_TEMPLATE_DIR",
        "GIT_INTERNAL_SUPER_PREFIX",
    ]
)
_LOCATION = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY",
             "GIT_ALTERNATE_OBJECT_DIRECTORIES")  # fmt: skip
_QUIET = {
    "LC_ALL": "C",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_PAGER": "cat",
    "GIT_FLUSH": "0",
}


class Repository(NamedTuple):
    """A working tree, and how to ask git about it."""

    git: str  # absolute path of git
    top: str  # absolute path of the working tree's root
    git_dir: str
    common_dir: str  # the git_dir of the main working tree
    head: str | None  # None on an unborn branch
    env: Mapping[str, str]
    settings: tuple[str, ...] = ()  # further `-c` options

    def run(
        self, *commands: Sequence[str], stdin: bytes = b"", most: int | None = None
    ) -> list[Completed]:
        """Run git commands side by side at the root of the working tree.

        With `most`, a command that prints more bytes is ended there.
        Raises `UserError` when git does not answer in time.
        """
        return finish(self.begin(*commands, stdin=stdin, most=most))

    def begin(self, *commands: Sequence[str], stdin: bytes = b"", most: int | None = None) -> Batch:
        """Start what `run` runs; `finish` takes the answers."""
        prefix = (self.git, "-C", self.top, *options(self.top), *self.settings)
        return begin([Job((*prefix, *command), stdin, most) for command in commands], self.env)

    def output(self, *command: str, stdin: bytes = b"", codes: Iterable[int] = (0,)) -> bytes:
        """Return the stdout of one command; raises `UserError` for an exit code not in `codes`."""
        (done,) = self.run(command, stdin=stdin)
        return checked(done, command[0], codes)

    def configured(self, settings: Iterable[str]) -> Repository:
        """Return the same repository, with further `-c NAME=VALUE` options."""
        return self._replace(settings=tuple(settings))

    def without_filters(self) -> Repository:
        """Return the same repository, with every filter that its configuration names off.

        A comparison with the working tree would run them (one git process to ask for the names).
        """
        (done,) = self.run(("config", "-z", "--name-only", "--get-regexp", r"^filter\."))
        keys = set(map(os.fsdecode, done.stdout.split(b"\0")[:-1]))
        off = (f"{key}={'false' if key.endswith('.required') else ''}" for key in sorted(keys))
        return self.configured(part for setting in off for part in ("-c", setting))

    @property
    def index_file(self) -> str:
        """The index that this process judges: GIT_INDEX_FILE inside a `git commit`."""
        return self.env.get("GIT_INDEX_FILE") or os.path.join(self.git_dir, "index")

    @property
    def own_index_file(self) -> str:
        """The index that the next command of the user will see."""
        return os.path.join(self.git_dir, "index")

    def with_index(self, index_file: str) -> Repository:
        """Return the same repository, looked at through another index file."""
        return self._replace(env={**self.env, "GIT_INDEX_FILE": index_file})


LS_FILES = ("ls-files", "-z", "-s", "-v")
#: without --exclude-standard: ignored or not, and no .gitignore is opened
OTHERS = ("-o", "-k", "--directory")
WITH_OTHERS = (*LS_FILES, *OTHERS)
DIFF_INDEX = ("diff-index", "--cached", "--raw", "-z", "--no-renames")


def nested_repository(outer: Repository, top: str) -> Repository:
    """Return the submodule at `top` (absolute), without the outer repository's environment."""
    env = {k: v for k, v in outer.env.items() if k not in _LOCATION}
    # Where its `.git` is none, git would answer for the outer repository.
    env["GIT_CEILING_DIRECTORIES"] = os.path.dirname(top)
    return outer._replace(top=top, git_dir="", common_dir="", head=None, env=env)


def checked(done: Completed, command: str, codes: Iterable[int] = (0,)) -> bytes:
    """Return the stdout of a command that ended well; raises `UserError` otherwise."""
    if done.code not in codes:
        raise UserError(
            f"git {command} failed: {last_words(done)}",
            hint=f"run `git {command}` here to see why",
        )
    return done.stdout


def find_git(directory: str) -> str:
    """Return the absolute path of git, for use in `directory`.

    Relative elements of PATH are passed over, and so is a `git` in the working tree around
    `directory`: either would run a program of the repository under check.
    """
    name = "git.exe" if sys.platform == "win32" else "git"
    around = _around(directory)
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        path = os.path.join(folder, name)
        if not os.path.isabs(folder) or not os.access(path, os.X_OK) or os.path.isdir(path):
            continue
        if around is None or not os.path.realpath(path).startswith(around + os.sep):
            return path
    raise UserError("git is not on PATH", hint="install git, or add its folder to PATH")


def _around(directory: str) -> str | None:
    """Return the nearest folder upwards that has a `.git`, before git itself can be asked."""
    folder = os.path.realpath(directory)
    while not os.path.lexists(os.path.join(folder, ".git")):
        folder, below = os.path.dirname(folder), folder
        if folder == below:
            return None
    return folder if os.path.dirname(folder) != folder else None


def environment(environ: Mapping[str, str], at_hand: bool) -> dict[str, str]:
    """Return what git gets of an environment: see `opening.Opening` for `at_hand`."""
    env = {
        k: v
        for k, v in environ.items()
        if k not in _DROPPED
        and not k.startswith(("GIT_TRACE", "GIT_CONFIG_KEY_", "GIT_CONFIG_VALUE_"))
    }
    for name in _LOCATION:
        if not at_hand:
            env.pop(name, None)
        # git's hooks get them relative to the folder they start in, and we use -C. The index is
        # relative to the root of the working tree, which is not known yet: see `Opening`.
        if env.get(name) and name not in ("GIT_INDEX_FILE", "GIT_ALTERNATE_OBJECT_DIRECTORIES"):
            env[name] = os.path.abspath(env[name])
    return {**env, **_trusted_folders(environ), **_QUIET}


def _trusted_folders(environ: Mapping[str, str]) -> dict[str, str]:
    """Return what the environment configures about safe.directory, and of nothing else.

    Containers are told so whose repositories git may look at: git-config(1), GIT_CONFIG_COUNT.
    """
    count = environ.get("GIT_CONFIG_COUNT", "")
    pairs = [
        environ.get(f"GIT_CONFIG_VALUE_{n}", "")
        for n in range(int(count) if count.isdigit() and len(count) < 4 else 0)
        if environ.get(f"GIT_CONFIG_KEY_{n}", "").lower() == "safe.directory"
    ]
    kept = {"GIT_CONFIG_COUNT": str(len(pairs))} if pairs else {}
    for n, folder in enumerate(pairs):
        kept |= {f"GIT_CONFIG_KEY_{n}": "safe.directory", f"GIT_CONFIG_VALUE_{n}": folder}
    return kept


def options(directory: str) -> tuple[str, ...]:
    """Return the options before every command, in `directory`."""
    overrides: tuple[str, ...] = _OVERRIDES
    if not os.path.lexists(os.path.join(directory, ".GIT")):
        # Only where names that differ in case are different files.
        overrides = (*overrides, "core.ignoreCase=false")
    pairs = (part for override in overrides for part in ("-c", override))
    return ("--no-optional-locks", "--no-replace-objects", "--no-pager", *pairs)


def run(jobs: Sequence[Job], env: Mapping[str, str]) -> list[Completed]:
    """Run jobs side by side: see `finish`."""
    return finish(begin(jobs, env))


def begin(jobs: Sequence[Job], env: Mapping[str, str]) -> Batch:
    """Start jobs side by side. Raises `UserError` when git cannot be started."""
    try:
        return Batch(jobs, env)
    except OSError as error:
        raise UserError(
            f"cannot start {jobs[0].argv[0]}: {error.strerror}", hint="install git 2.25 or newer"
        ) from None


def finish(batch: Batch) -> list[Completed]:
    """Wait for git. Raises `UserError` when it does not answer in time; then it has been ended."""
    try:
        return batch.finish(TIME_LIMIT)
    except TimeoutError:
        raise UserError(
            f"git did not answer in {TIME_LIMIT:.0f} seconds",
            hint="look for a huge file, or a FIFO or device called .gitignore or .gitattributes: "
            "find . '(' -name '.git*' -o -path '*/info/exclude' ')' ! -type f ! -type d",
        ) from None


def last_words(done: Completed) -> str:
    """Return what git complains of, in one line."""
    lines = [line for line in os.fsdecode(done.stderr).splitlines() if line.strip()]
    if done.code < 0:
        return f"ended by signal {-done.code}"
    fatal = [line for line in lines if line.startswith("fatal: ")]
    return shortened((fatal or lines or [f"exit code {done.code}"])[0], 200)
