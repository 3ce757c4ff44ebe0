"""What every test starts from: an environment without this machine's settings, and real git."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import copies, interpreters
from tests.repository import Repository
from tests.runners import Runner, prepared


def pytest_report_header() -> str:
    """Print which Pythons the run uses."""
    return interpreters.header()


_SCRUBBED = (
    "GIT_", "PYTHON", "PYENV", "PRE_COMMIT", "PREK", "GITHUB_", "CONDA",
    "VIRTUAL_ENV", "UNHAUNT",
)  # fmt: skip


@pytest.fixture(autouse=True)
def scrubbed(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Take away what could change an answer; the home folder is one of its own."""
    interpreters.everything()
    for name in os.environ:
        if name.startswith(_SCRUBBED) and not name.startswith("UNHAUNT_TEST"):
            monkeypatch.delenv(name)
    home = tmp_path_factory.mktemp("home")
    (home / ".gitconfig").write_text(
        "[user]\nname = a\nemail = a@example.org\n[init]\ndefaultBranch = main\n"
        '[protocol "file"]\nallow = always\n[safe]\ndirectory = *\n'
    )
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    return home


@pytest.fixture
def repo(tmp_path: Path) -> Repository:
    """An empty repository made by real git."""
    return Repository.create(tmp_path / "repo")


@pytest.fixture(params=["pre-commit", "prek"])
def runner(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Runner:
    """Each of the two programs that run our hooks; their environments are made once a session."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if hasattr(request.config, "workerinput") else base
    return prepared(request.param, shared)


@pytest.fixture(scope="session")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy that tests only read."""
    return copies.made(tmp_path_factory.mktemp("copy"))


@pytest.fixture
def public() -> Iterator[Path]:
    """A folder that other users can reach, which pytest's own are not."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        yield Path(folder)
        copies.opened(Path(folder))
