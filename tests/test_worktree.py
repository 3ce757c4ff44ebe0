"""What the inventory gets right wherever it is asked from, by commands that users run."""

from __future__ import annotations

from pathlib import Path

from tests.repository import UNHAUNT, Repository, run

CODE = "import os\n"


def test_a_hook_that_changes_its_folder_judges_the_same_commit(repo: Repository) -> None:
    repo.commit({"README": ""})
    repo.write({"backend/app.py": "import helper\n", "backend/helper.py": ""})
    repo.add("backend/app.py")
    hook = repo.path / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ncd backend && exec {' '.join(UNHAUNT)} check\n")
    hook.chmod(0o755)
    for options in ([], ["-a"], ["--", "backend/app.py"]):
        done = run("git", "commit", "-m", "x", *options, cwd=repo.path)
        assert done.code == 1, done
        assert "backend/helper.py: UH201 imported by backend/app.py:1" in done.out + done.err


def _environment(folder: Path) -> None:
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "python").symlink_to("/usr/bin/python3")
    (folder / "pyvenv.cfg").write_text("home = /usr/bin\n")
    site = folder / "lib" / "python3.12" / "site-packages"
    site.mkdir(parents=True)
    (site / "a.pth").write_text(CODE)
    (folder / "bin" / "b.pth").write_text(CODE)


def test_the_root_is_never_taken_for_an_environment(repo: Repository) -> None:
    repo.commit({"README": ""})
    _environment(repo.path)
    assert repo.findings() == {
        "bin/b.pth:1 UH102",
        "lib/python3.12/site-packages/a.pth:1 UH102",
    }


def test_an_environment_around_tracked_files_is_passed_over_and_named(repo: Repository) -> None:
    repo.commit({"proj/README": ""})
    _environment(repo.path / "proj")
    report = repo.check().json()
    assert report["findings"] == []
    assert {row["path"] for row in report["checked"]["skipped"]} == {
        "proj/bin",
        "proj/lib/python3.12/site-packages",
    }


def test_a_base_that_is_no_commit_is_no_answer(repo: Repository) -> None:
    entry = '[[tool.unhaunt.allow]]\nrule = "UH101"\npath = "sitecustomize.py"\nreason = "r"\n'
    repo.commit({"pyproject.toml": entry, "sitecustomize.py": ""})
    done = run(*UNHAUNT, "check", "--base", "nope", cwd=repo.path)
    assert done.code == 2
    assert "nope: no such commit" in done.err


def test_a_new_entry_is_named_even_when_quiet(repo: Repository) -> None:
    repo.commit({"sitecustomize.py": ""})
    entry = '[[tool.unhaunt.allow]]\nrule = "UH101"\npath = "sitecustomize.py"\nreason = "r"\n'
    repo.write({"pyproject.toml": entry})
    repo.add("pyproject.toml")
    done = run(*UNHAUNT, "check", "--strict", "-q", cwd=repo.path)
    assert (done.code, done.out) == (1, "1 allowed: sitecustomize.py (NEW, r)\n")
    loud = run(*UNHAUNT, "check", "--strict", cwd=repo.path)
    assert loud.err.endswith("0 errors, 0 warnings, 1 allowed (1 NEW)\n")


def test_a_module_that_takes_the_place_of_a_tracked_one_is_said_to(repo: Repository) -> None:
    repo.commit({"helper.py": "", "app.py": "import helper\n"})
    repo.write({"helper/__init__.py": ""})
    (found,) = repo.check().json()["findings"]
    assert (found["code"], found["path"]) == ("UH201", "helper/__init__.py")
    assert "a clean clone takes helper.py instead" in found["message"]
