"""Where answers are written: whole or not at all, and never over what is no file."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from tests.repository import UNHAUNT, Repository, run


def test_an_answer_that_cannot_be_written_is_exit_2(repo: Repository) -> None:
    repo.commit({"sitecustomize.py": ""})
    done = run("sh", "-c", f"{' '.join(UNHAUNT)} check > /dev/full", cwd=repo.path)
    assert done.code == 2
    assert done.err.startswith("error: cannot write the answer: No space left on device\n")


def test_a_pipe_is_written_to_and_not_replaced(repo: Repository, tmp_path: Path) -> None:
    repo.commit({"sitecustomize.py": ""})
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    script = f"cat {pipe} & {' '.join(UNHAUNT)} check -q --output {pipe}; code=$?; wait; exit $code"
    done = run("sh", "-c", script, cwd=repo.path)
    assert done.code == 1
    assert done.out.startswith("sitecustomize.py: UH101")
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_link_stays_a_link(repo: Repository, tmp_path: Path) -> None:
    repo.commit({"README": ""})
    (tmp_path / "real.json").write_text("old")
    (tmp_path / "link.json").symlink_to("real.json")
    repo.check("--output", str(tmp_path / "link.json"))
    assert (tmp_path / "link.json").is_symlink()
    assert '"unhaunt.report/1"' in (tmp_path / "real.json").read_text()


def test_a_folder_that_is_not_there_is_exit_2(repo: Repository, tmp_path: Path) -> None:
    repo.commit({"README": ""})
    done = repo.check("--output", str(tmp_path / "no" / "report.json"))
    assert done.code == 2
    assert "cannot write" in done.err
    assert list(tmp_path.glob("**/*.part")) == []
