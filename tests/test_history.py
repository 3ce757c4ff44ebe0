"""The checkout's facts: GitPython's and those read from files agree, and nothing hostile runs."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.test_story import git
from unhaunt.repository.heads import head, toplevel_of
from unhaunt.repository.history import Checkout, checkout, tracked, worktrees


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    folder = tmp_path / "repo"
    folder.mkdir()
    git(folder, "init", "-q")
    (folder / "a.py").write_text("import os, borrowed as b\n")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "x")
    return folder


def plain(repo: Path) -> Path:
    return repo


def detached(repo: Path) -> Path:
    git(repo, "checkout", "-q", "--detach")
    return repo


def packed(repo: Path) -> Path:
    git(repo, "pack-refs", "--all")
    return repo


def linked(repo: Path) -> Path:
    git(repo, "worktree", "add", "-q", "../other")
    return repo.parent / "other"


def unborn(repo: Path) -> Path:
    git(repo, "checkout", "-q", "--orphan", "new")
    return repo


def below(repo: Path) -> Path:
    (repo / "sub").mkdir()
    return repo / "sub"


def sha256(repo: Path) -> Path:
    folder = repo.parent / "sha256"
    folder.mkdir()
    git(folder, "init", "-q", "--object-format=sha256")
    (folder / "a.py").write_text("")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "x")
    return folder


STATES = {f.__name__: f for f in (plain, detached, packed, linked, unborn, below, sha256)}


@pytest.mark.parametrize("make", STATES.values(), ids=STATES)
def test_both_readers_agree(make: Callable[[Path], Path], repo: Path) -> None:
    folder = make(repo)
    found = checkout(str(folder))
    assert isinstance(found, Checkout)
    assert (found.head, found.branch, found.worktree) == head(found.toplevel)
    assert found.toplevel == toplevel_of(str(folder))
    assert found.dirty is (make is unborn)


def test_changes_are_listed_with_names_of_any_bytes(repo: Path) -> None:
    (repo / "new.py").write_text("")
    (repo / "a.py").write_text("changed")
    os.close(os.open(os.fsencode(repo) + b"/\xff\n", os.O_CREAT))
    found = checkout(str(repo))
    assert isinstance(found, Checkout)
    assert found.dirty
    assert found.changed == (" M a.py", "?? new.py", "?? \udcff\n")


def test_outside_of_a_repository_there_is_none(tmp_path: Path) -> None:
    assert checkout(str(tmp_path)) is None
    assert worktrees(str(tmp_path)) == ()
    assert tracked(str(tmp_path), "x") == ()


def test_a_broken_repository_is_told_and_no_crash(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    assert isinstance(checkout(str(tmp_path)), str)
    (tmp_path / ".git").rmdir()
    (tmp_path / ".git").write_text("gitdir: /nowhere\n")
    assert isinstance(checkout(str(tmp_path)), str)


def test_nothing_of_a_hostile_repository_runs(repo: Path) -> None:
    marker = repo.parent / "marker"
    hostile = f"touch {marker}"
    (repo / ".gitattributes").write_text("*.py filter=evil diff=evil\n")
    for name in (
        "core.fsmonitor",
        "filter.evil.clean",
        "filter.evil.process",
        "diff.external",
        "core.pager",
        "diff.evil.textconv",
        "core.sshCommand",
    ):
        git(repo, "config", name, hostile)
    (repo / ".git/hooks/post-index-change").write_text(f"#!/bin/sh\n{hostile}\n")
    (repo / ".git/hooks/post-index-change").chmod(0o755)
    os.utime(repo / "a.py", (1, 1))
    assert isinstance(checkout(str(repo)), Checkout)
    worktrees(str(repo))
    tracked(str(repo), "import")
    assert not marker.exists()


def test_variables_of_a_hook_do_not_lead_elsewhere(
    repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "elsewhere"
    other.mkdir()
    git(other, "init", "-q")
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other))
    found = checkout(str(repo))
    assert isinstance(found, Checkout)
    assert (found.toplevel, found.dirty) == (str(repo), False)
    assert os.environ["GIT_DIR"] == str(other / ".git")


def test_other_worktrees_and_tracked_imports(repo: Path) -> None:
    other = linked(repo)
    assert worktrees(str(repo)) == (str(other),)
    assert worktrees(str(other)) == (str(repo),)
    assert tracked(str(repo), "borrowed") == ("a.py",)
    (repo / "untracked.py").write_text("import elsewhere\n")
    assert tracked(str(repo), "elsewhere") == ()
