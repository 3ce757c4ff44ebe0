"""What every test needs: an environment without this machine's own variables."""

from __future__ import annotations

import os
from pathlib import Path

import interpreters
import pytest


def pytest_report_header() -> str:
    """Print which Pythons the run uses."""
    return interpreters.header()


@pytest.fixture(autouse=True)
def scrubbed(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Take away what could change an answer; the home folder is an empty one."""
    interpreters.everything()
    for name in list(os.environ):
        if name.startswith(("GIT_", "PYTHON", "PYENV", "PIP_", "VIRTUAL_ENV", "CONDA_", "UV_")):
            monkeypatch.delenv(name)
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    return home
