"""The story that this product came from, with real interpreters: fingerprint first, argue second."""

from __future__ import annotations

import hashlib
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from tests import interpreters
from tests.commandline import environment, unhaunt

VERSIONS = interpreters.spread()


class Box(NamedTuple):
    """One of the two: where its repository and its Python are, and its environment."""

    python: str
    repository: Path
    env: dict[str, str]


def git(folder: Path, *words: str) -> None:
    """Run git without anybody's configuration."""
    settings = [
        "-c",
        "user.name=u",
        "-c",
        "user.email=u@localhost",
        "-c",
        "init.defaultBranch=main",
    ]
    env = {
        "PATH": "/usr/bin:/bin",
        "HOME": str(folder),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z",
        "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z",
    }
    subprocess.run(["git", *settings, *words], cwd=folder, env=env, check=True, capture_output=True)


def checkout(folder: Path) -> Path:
    """Make the repository, the same commit wherever it is made."""
    folder.mkdir(parents=True)
    (folder / "cli_helpers.py").write_text("NEW = True\n")
    (folder / "test_it.py").write_text("import cli_helpers\n")
    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "x")
    return folder


@pytest.fixture(params=VERSIONS)
def boxes(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Box, Box]:
    """The laptop, which is haunted, and the sandbox, which is clean."""
    python = interpreters.supported()[request.param]
    minor = ".".join(request.param.split(".")[:2])
    laptop, sandbox = tmp_path / "laptop", tmp_path / "sandbox"
    old = laptop / "old" / "checkout"
    old.mkdir(parents=True)
    (old / "cli_helpers.py").write_text("OLD = True\n")
    site = laptop / "home" / ".local" / "lib" / f"python{minor}" / "site-packages"
    site.mkdir(parents=True)
    (site / "sitecustomize.py").write_text("import cli_helpers\n")
    (sandbox / "home").mkdir(parents=True)
    return (
        Box(
            python,
            checkout(laptop / "work" / "repo"),
            environment(laptop / "home", PYTHONPATH=str(old)),
        ),
        Box(python, checkout(sandbox / "src"), environment(sandbox / "home")),
    )


def sha(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12]


def take(box: Box, name: str, *words: str, quick: bool = True, **more: str) -> Path:
    """Fingerprint one box into a file."""
    file = box.repository.parent / name
    done = unhaunt(
        "fingerprint",
        *(["--quick"] if quick else []),
        "--python",
        box.python,
        "--output",
        file,
        *words,
        cwd=box.repository,
        env={**box.env, **more},
    )
    assert done.code == 0, done.err
    return file


def test_the_two_boxes_are_told_apart_and_the_ghost_is_named(
    boxes: tuple[Box, Box], tmp_path: Path
) -> None:
    local, remote = boxes
    files = take(local, "laptop.json"), take(remote, "sandbox.json")
    old = tmp_path / "laptop/old/checkout/cli_helpers.py"
    startup = next((tmp_path / "laptop/home/.local").rglob("sitecustomize.py"))
    distributor = (
        Path(local.python).parent.as_posix() in ("/usr/bin",) or "root/usr/bin" in local.python
    )

    done = unhaunt("compare", *files, cwd=tmp_path, env=local.env)
    assert done.code == 1
    assert done.out.startswith("verdict: do-not-trust")
    assert "local-haunted" in done.out
    assert str(old.parent) in done.out
    if not distributor:  # whose own sitecustomize comes first, and imports nothing of this
        for file in (startup, old):
            assert str(file) in done.out
            assert sha(file) in done.out
    assert "next: env -u PYTHONPATH PYTHONNOUSERSITE=1" in done.out

    asked = ["where", "cli_helpers", "--python", local.python, "--format", "json"]
    ghost = unhaunt(*asked, "--path", str(tmp_path), cwd=local.repository, env=local.env)
    (row,) = ghost.json["modules"]
    assert ghost.code == 1
    assert (row["origin"], row["because"], row["inside_repository"]) == (
        str(old),
        "PYTHONPATH element 1",
        False,
    )

    clean = unhaunt(*asked, cwd=remote.repository, env=remote.env)
    (row,) = clean.json["modules"]
    assert clean.code == 0
    assert (row["origin"], row["inside_repository"]) == (
        str(remote.repository / "cli_helpers.py"),
        True,
    )


def test_after_isolation_both_sides_tell_the_same_story(
    boxes: tuple[Box, Box], tmp_path: Path
) -> None:
    local, remote = boxes
    freed = Box(
        local.python, local.repository, {k: v for k, v in local.env.items() if k != "PYTHONPATH"}
    )
    # Each runs its own copy of one command; both have their user site off.
    files = [
        take(box, name, quick=False, PYTHONNOUSERSITE="1")
        for box, name in ((freed, "laptop.json"), (remote, "sandbox.json"))
    ]
    done = unhaunt("compare", *files, "--format", "json", cwd=tmp_path, env=remote.env)
    assert done.json["differences"] == []
    assert [d["signal"] for d in done.json["decisions"]] == ["match"]
    assert (done.code, done.json["verdict"]) == (0, "trust")
    digests = {__import__("json").loads(file.read_text())["digest"] for file in files}
    assert len(digests) == 1


def test_a_command_is_fingerprinted_and_the_first_entry_is_its_own(boxes: tuple[Box, Box]) -> None:
    local, _ = boxes
    done = unhaunt(
        *("fingerprint", "--quick", "--format", "json", "--", local.python, "test_it.py"),
        cwd=local.repository,
        env=local.env,
    )
    assert done.code == 0, done.err
    first, second = done.json["path"][:2]
    assert (first["entry"], first["in_repository"]) == (str(local.repository), True)
    assert second["because"] == "PYTHONPATH element 1"
    assert done.json["repository"]["branch"] == "main"
