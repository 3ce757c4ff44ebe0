"""A walk in two processes finds what a walk in one finds."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from unhaunt.process import Twin
from unhaunt.repository import walk
from unhaunt.repository.listing import Others
from unhaunt.repository.walk import Walk

FILES = (
    "plain/{n}/a.py", "plain/{n}/deep/b.pth", "plain/{n}/deep/c.txt", "plain/{n}/link.txt",
    "env{n}/pyvenv.cfg", "env{n}/bin/python", "env{n}/lib/python3.12/site-packages/x.py",
    "env{n}/tool.py", "nested{n}/.git", "nested{n}/pkg/__init__.py",
)  # fmt: skip


@pytest.fixture
def top(tmp_path: Path) -> Path:
    for name in (form.format(n=n) for n in range(9) for form in FILES):
        path = tmp_path / "closed" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("home = /usr\n" if path.name == "pyvenv.cfg" else "")
    (tmp_path / "closed/plain/0/there").symlink_to("/nowhere")
    return tmp_path


def found(top: Path) -> list[object]:
    looked = Walk(str(top), str(top / ".git"))
    looked.open_folders(Others([b"closed/"], complete=True), ())
    looked.closed_folders(lambda _: False, None)
    inside = sorted((closed, sorted(paths)) for closed, paths in looked.inside.items())
    return [inside, looked.inside_count, sorted(looked.skipped), sorted(looked.unlisted)]


@pytest.mark.skipif(not Twin.is_possible(), reason="one processor, or no Linux")
@pytest.mark.parametrize("most", [0, 3, 8])
def test_in_two_processes(most: int, top: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = found(top)
    monkeypatch.setattr(walk, "WORTH_A_TWIN", most)
    forks: list[int] = []
    fork = os.fork

    def counted() -> int:
        forks.append(1)
        return fork()

    monkeypatch.setattr(os, "fork", counted)
    assert found(top) == alone
    assert forks == [1]


@pytest.mark.skipif(not Twin.is_possible(), reason="one processor, or no Linux")
def test_a_second_process_that_fails_is_done_without(
    top: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = found(top)
    monkeypatch.setattr(walk, "WORTH_A_TWIN", 0)
    monkeypatch.setattr(Walk, "_answer", lambda *_: 1 / 0)
    assert found(top) == alone


@pytest.mark.skipif(not Twin.is_possible(), reason="one processor, or no Linux")
def test_a_twin_answers_at_length_and_leaves_no_process() -> None:
    twin = Twin(lambda: b"x" * 3_000_000)
    assert twin.answer() == b"x" * 3_000_000
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)
