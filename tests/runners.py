"""Real pre-commit and real prek, with this project's own hooks installed from a git repository."""

from __future__ import annotations

import os
import re
import shutil
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.repository import Ran, Repository, run

PROJECT = Path(__file__).parent.parent
CONFIG = ".pre-commit-config.yaml"
_PARTS = ("src", "pyproject.toml", ".pre-commit-hooks.yaml", "LICENSE", "README.md")
_FINDING = re.compile(
    r"^ *(?P<path>\S.*?)(?::\d+)?: (?P<code>UH\d{3}) .*\[(?P<seen>[a-z-]+)[^]]*\]$",
    re.MULTILINE,
)


class Runner(NamedTuple):
    """One of the two programs, with the folder in which it keeps environments."""

    name: str
    argv: tuple[str, ...]
    home_variable: str
    home: Path
    hooks: Path  # our hook repository

    @property
    def env(self) -> dict[str, str]:
        """Return what has to be exported: prek looks for uv on PATH."""
        path = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])
        return {self.home_variable: str(self.home), "PATH": path}

    def __call__(self, *args: str, cwd: Path) -> Ran:
        return run(*self.argv, *args, cwd=cwd, env=self.env)

    def install(self, repo: Repository, *stages: str) -> None:
        """Write the git hooks of a repository that has a configuration."""
        words = [word for stage in stages or ("pre-commit",) for word in ("-t", stage)]
        done = self("install", *words, cwd=repo.path)
        assert done.code == 0, done

    def config(self, *hooks: str) -> dict[str, str | bytes]:
        """Return the file that asks for some of our hooks, as three lines of YAML or so."""
        rev = Repository(self.hooks).git("rev-parse", "HEAD").strip()
        rows = "".join(f"    -   id: {hook}\n" for hook in hooks or ("unhaunt",))
        return {CONFIG: f"repos:\n-   repo: {self.hooks}\n    rev: {rev}\n    hooks:\n{rows}"}


def found(done: Ran) -> set[str]:
    """Return what our hooks said, as "path CODE visibility"."""
    rows = _FINDING.finditer(done.out + done.err)
    return {f"{row['path']} {row['code']} {row['seen']}" for row in rows}


def prepared(name: str, folder: Path) -> Runner:
    """Return a runner with environments in `folder`, which all workers of a session share."""
    with _locked(folder / "hooks.lock"):
        hooks = folder / "hooks"
        if not hooks.exists():
            _make_hooks(hooks)
    runner = _runner(name, folder, hooks)
    with _locked(folder / f"{name}.lock"):
        if not runner.home.exists():
            _make_environment(runner, folder / f"{name}-first")
    return runner


def _runner(name: str, folder: Path, hooks: Path) -> Runner:
    if name == "prek":
        argv: tuple[str, ...] = (os.path.join(os.path.dirname(sys.executable), "prek"),)
        return Runner(name, argv, "PREK_HOME", folder / "prek-home", hooks)
    argv = (sys.executable, "-m", "pre_commit")
    return Runner(name, argv, "PRE_COMMIT_HOME", folder / "pre-commit-home", hooks)


def _make_hooks(path: Path) -> None:
    part = Repository.create(path.with_suffix(".part"))
    for name in _PARTS:
        source, target = PROJECT / name, part.path / name
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)
    part.add(".")
    part.commit()
    part.path.rename(path)


def _make_environment(runner: Runner, path: Path) -> None:
    repo = Repository.create(path)
    repo.commit({**runner.config(), "a.txt": ""})
    try:
        done = runner("run", "--all-files", cwd=path)
        assert done.code == 0, done
    except BaseException:
        shutil.rmtree(runner.home, ignore_errors=True)  # so that no worker takes half of it
        raise


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold a lock for all workers: a folder, which every system makes once only."""
    while True:
        try:
            path.mkdir()
            break
        except FileExistsError:
            time.sleep(0.1)
    try:
        yield
    finally:
        path.rmdir()


def stages(names: Iterable[str]) -> tuple[str, ...]:
    """Return the stages for which git hooks are wanted, pre-commit always."""
    return tuple(dict.fromkeys(["pre-commit", *names]))
