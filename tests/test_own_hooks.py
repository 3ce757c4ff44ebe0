"""This repository under its own hooks: `.pre-commit-config.yaml`, by real pre-commit and prek."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
import yaml

import unhaunt
from tests.repository import Repository, run
from tests.runners import CONFIG, PROJECT, Runner, found

#: what the manifest says for other repositories, and a local hook says otherwise
_LOCAL = ("language", "minimum_pre_commit_version")


@pytest.fixture
def clone(tmp_path: Path) -> Repository:
    """A fresh clone of this repository."""
    done = run("git", "clone", "-q", "--no-local", str(PROJECT), "clone", cwd=tmp_path)
    assert done.code == 0, done
    return Repository(tmp_path / "clone")


def test_a_clone_passes_its_own_hooks(clone: Repository, runner: Runner) -> None:
    done = runner("run", "--all-files", "--verbose", cwd=clone.path)
    assert done.code == 0, done
    assert "0 untracked, 0 ignored paths (tracked files only, as in a clean clone)" in done.out
    assert clone.git("status", "--porcelain", "--ignored") == "!! .ruff_cache/\n"


def test_a_clone_with_something_planted_does_not(clone: Repository, runner: Runner) -> None:
    clone.write({"src/unhaunt/sitecustomize.py": "", "helper.py": ""})
    done = runner("run", "--all-files", cwd=clone.path)
    assert done.code == 1, done
    assert found(done) == {
        "helper.py UH204 untracked", "src/unhaunt/sitecustomize.py UH101 untracked",
    }  # fmt: skip


def test_our_rows_are_the_manifests() -> None:
    rows = yaml.safe_load((PROJECT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    manifest = {row["id"]: row for row in rows}
    config = yaml.safe_load((PROJECT / CONFIG).read_text(encoding="utf-8"))
    ours = [hook for repo in config["repos"] for hook in repo["hooks"] if hook["id"] in manifest]
    assert {hook["id"] for hook in ours} >= {"unhaunt", "warn-pythonpath"}
    for hook in ours:
        wanted = {key: value for key, value in manifest[hook["id"]].items() if key not in _LOCAL}
        assert hook == {**wanted, "language": "system"}
    assert {repo["repo"] for repo in config["repos"]} == {"local"}, "nothing is fetched"


def test_the_workflow_runs_the_pythons_that_are_supported() -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = [word.rpartition(" :: ")[2] for word in project["classifiers"]]
    workflow = (PROJECT / ".github/workflows/test.yml").read_text(encoding="utf-8")
    jobs = yaml.safe_load(workflow)["jobs"].values()
    for job in jobs:
        assert job["strategy"]["matrix"]["python"] == [v for v in named if v.startswith("3.")]
        assert job["permissions"] == {"contents": "read"}
        for step in job["steps"]:
            assert re.fullmatch(
                r"actions/[a-z-]+@[0-9a-f]{40}", step.get("uses", "actions/x@" + 40 * "0")
            )


def test_the_readme_names_the_version_that_is_tagged() -> None:
    text = (PROJECT / "README.md").read_text(encoding="utf-8")
    assert f"    rev: v{unhaunt.__version__}\n" in text
