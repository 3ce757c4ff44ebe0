"""Where answers are written: whole or not at all, and never over what is no file."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from tests.repository import UNHAUNT, Repository, run


def test_an_answer_that_cannot_be_written_is_exit_2(repo: Repository) -> None:
    repo.commit({"sitecustomize.py": ""})
    done = run("sh", "-c", f"{' '.join(UNHAUNT)} check > /dev/full", cwd=repo.path)
    assert done.code == 2
    assert done.err.startswith("error: cannot write the answer: No space left on device\n")


@pytest.mark.parametrize("streams", [">&-", "2>&-", "<&- >&- 2>&-", "2> /dev/full"])
@pytest.mark.parametrize(("name", "code"), [("README", 0), ("sitecustomize.py", 1)])
def test_streams_that_are_closed_change_no_exit_code(
    repo: Repository, streams: str, name: str, code: int
) -> None:
    repo.commit({name: ""})
    done = run("sh", "-c", f"{' '.join(UNHAUNT)} check {streams}", cwd=repo.path)
    assert done.code == code
    assert "Traceback" not in done.out + done.err


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


def test_a_report_that_is_replaced_keeps_its_mode(repo: Repository, tmp_path: Path) -> None:
    repo.commit({"README": ""})
    kept, new = tmp_path / "kept.json", tmp_path / "new.json"
    kept.write_text("old")
    kept.chmod(0o640)
    script = f"umask 027; {' '.join(UNHAUNT)} check --format json --output {new}"
    assert run("sh", "-c", script, cwd=repo.path).code == 0
    assert repo.check("--output", str(kept)).code == 0
    assert kept.read_bytes() == new.read_bytes() != b"old"
    assert stat.S_IMODE(kept.stat().st_mode) == stat.S_IMODE(new.stat().st_mode) == 0o640
    assert {path.name for path in tmp_path.iterdir()} >= {"kept.json", "new.json", "repo"}
    assert list(tmp_path.glob("*.part")) == []


@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_standard_output_by_its_name_is_added_to(
    name: str, repo: Repository, tmp_path: Path
) -> None:
    repo.commit({"sitecustomize.py": ""})
    log = tmp_path / "log"
    log.write_text("before\n")
    done = run("sh", "-c", f"{' '.join(UNHAUNT)} check -q --output {name} >> {log}", cwd=repo.path)
    assert done.code == 1
    assert log.read_text().startswith("before\nsitecustomize.py: UH101")


def test_what_is_no_place_for_a_file_is_exit_2(repo: Repository, tmp_path: Path) -> None:
    repo.commit({"README": "", "sitecustomize.py": ""})
    for name in (repo.path, repo.path / "README" / "x", "/dev/fd/99", "/dev/full"):
        done = repo.check("--output", str(name))
        assert (done.code, done.out) == (2, "")
        assert f"error: cannot write {name}: " in done.err
        assert "hint: name a file in a folder that exists and that you can write to" in done.err
    assert repo.git("status", "--porcelain") == ""


def test_a_folder_that_is_not_there_is_exit_2(repo: Repository, tmp_path: Path) -> None:
    repo.commit({"README": ""})
    done = repo.check("--output", str(tmp_path / "no" / "report.json"))
    assert done.code == 2
    assert "cannot write" in done.err
    assert list(tmp_path.glob("**/*.part")) == []
