"""The same answer in every kind of repository, state of it, and place to ask from."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.repository import UNHAUNT, Repository, run

CODE = "import os\n"
FOUND = {"helper.py UH201", "json.py UH202", "sub/x.pth:1 UH102", "y.pth:1 UH102"}


def _fill(repo: Repository) -> Repository:
    """Commit one finding, stage one, and leave two untracked."""
    repo.commit({"app.py": "import helper\n", "sub/x.pth": CODE})
    return _more(repo)


def _more(repo: Repository) -> Repository:
    repo.write({"y.pth": CODE, "helper.py": "", "json.py": ""})
    repo.add("y.pth")
    return repo


def _new(*options: str, name: str = "new") -> Callable[[Path], Repository]:
    return lambda path: _fill(Repository.create(path / name, *options))


def _then(*commands: str) -> Callable[[Path], Repository]:
    def make(path: Path) -> Repository:
        repo = _fill(Repository.create(path / "new"))
        done = run("sh", "-ec", "\n".join(commands), cwd=repo.path)
        assert done.code == 0, done
        return repo

    return make


def _bare_with_a_worktree(path: Path) -> Repository:
    origin = _fill(Repository.create(path / "origin"))
    run("git", "clone", "-q", "--bare", str(origin.path), "bare.git", cwd=path)
    Repository(path / "bare.git").git("worktree", "add", "-q", "../tree", "main")
    return _more(Repository(path / "tree"))


def _clone(*options: str) -> Callable[[Path], Repository]:
    def make(path: Path) -> Repository:
        origin = _fill(Repository.create(path / "origin"))
        run("git", "clone", "-q", *options, f"file://{origin.path}", "clone", cwd=path)
        return _more(Repository(path / "clone"))

    return make


def _in_a_submodule(path: Path) -> Repository:
    origin = _fill(Repository.create(path / "origin"))
    outer = Repository.create(path / "outer")
    outer.git("submodule", "--quiet", "add", str(origin.path), "sub")
    return _more(Repository(outer.path / "sub"))


def _linked(path: Path) -> Repository:
    repo = _fill(Repository.create(path / "new"))
    repo.git("worktree", "add", "-q", "../linked", "-b", "side")
    return _more(Repository(path / "linked"))


def _git_folder_elsewhere(path: Path) -> Repository:
    return _fill(Repository.create(path / "new", "--separate-git-dir", str(path / "kept")))


def _by_a_link(path: Path) -> Repository:
    (path / "link").symlink_to(_new()(path).path)
    return Repository(path / "link")


KINDS: dict[str, Callable[[Path], Repository]] = {
    "SHA-256": _new("--object-format=sha256"),
    "a path with blanks": _new(name="a b"),
    "a path that is not UTF-8": _new(name="a\udcff"),
    "a path with quotes": _new(name="a'b\"c"),
    "a path like an option": _new(name="-c"),
    "a git folder elsewhere": _git_folder_elsewhere,
    "a bare one with a worktree": _bare_with_a_worktree,
    "a linked worktree": _linked,
    "a submodule": _in_a_submodule,
    "a shallow clone": _clone("--depth", "1"),
    "a partial clone": _clone("--filter=blob:none"),
    "through a link": _by_a_link,
    "a split index": _then("git update-index --split-index"),
    "an index of version 4": _then("git update-index --index-version 4"),
    "an untracked cache": _then("git update-index --untracked-cache; git status"),
    "a detached head": _then("git checkout -q --detach"),
    "in the middle of a rebase": _then(
        "git stash -q; git commit -q --no-verify --allow-empty -m y",
        "git rebase -q -x false HEAD~ || true",
        "git stash pop -q --index", "test -d .git/rebase-merge"),
    "in the middle of a bisection": _then(
        "git commit -q --allow-empty -m y -- ; git bisect start -q HEAD HEAD~ || true"),
    "an orphan branch": _then("git checkout -q --orphan new"),
    "a branch called HEAD~": _then("git tag -f main; git tag HEAD"),
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_kind(kind: str, tmp_path: Path) -> None:
    repo = KINDS[kind](tmp_path)
    assert repo.findings() == FOUND


@pytest.mark.parametrize("place", ["sub", "sub/deep", "../new/sub", "{top}"])
def test_place_to_ask_from(place: str, tmp_path: Path) -> None:
    repo = _new()(tmp_path)
    (repo.path / "sub" / "deep").mkdir()
    place = place.format(top=repo.path)
    assert repo.check(cwd=repo.path / place).findings() == FOUND
    assert repo.check("-C", place).findings() == FOUND
    assert repo.check("-C", str(repo.path / place), cwd=tmp_path).findings() == FOUND


def test_a_place_that_is_gone(tmp_path: Path) -> None:
    repo = _new()(tmp_path)
    gone = repo.path / "gone"
    gone.mkdir()
    script = f'rmdir "{gone}"; exec "$@"'
    done = run("sh", "-c", script, "sh", *UNHAUNT, "check", cwd=gone)
    assert (done.code, done.out) == (2, ""), done
    assert done.err.startswith("error: the current folder is gone\nhint: "), done


def test_output_is_the_same_from_everywhere(tmp_path: Path) -> None:
    repo = _new()(tmp_path)
    (tmp_path / "other").mkdir()
    os.rename(repo.path, tmp_path / "other" / "moved")
    moved = Repository(tmp_path / "other" / "moved")
    first = moved.check("-v")
    again = _new()(tmp_path).check("-v", cwd=tmp_path / "new" / "sub")
    heads = [done.json()["repository"]["head"] for done in (first, again)]
    assert first.out.replace(heads[0], "") == again.out.replace(heads[1], "")
