"""Records what pytest itself decides about imports: `-p unhaunt.pytest_plugin`, opt-in.

Written as JSON to `--unhaunt-report FILE`, or where `unhaunt fingerprint -- pytest` asks for it.
docs.pytest.org/en/stable/explanation/pythonpath.html says what the import mode does.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that names the file."""
    group = parser.getgroup("unhaunt")
    group.addoption("--unhaunt-report", metavar="FILE", help="write how pytest imports to FILE")


def pytest_collection_finish(session: pytest.Session) -> None:
    """Write the record once collection has put what it wants on the path."""
    file = session.config.getoption("--unhaunt-report") or os.environ.get("UNHAUNT_PYTEST_REPORT")
    if file:
        with open(file, "w", encoding="utf-8") as stream:
            json.dump(record(session.config), stream)


def record(config: pytest.Config) -> dict[str, Any]:
    """Return what pytest decided."""
    plugins = {dist.project_name for _, dist in config.pluginmanager.list_plugin_distinfo()}
    return {
        "version": pytest.__version__,
        "cwd": os.getcwd(),
        "rootdir": str(config.rootpath),
        "inifile": str(config.inipath) if config.inipath else None,
        "import_mode": config.getoption("importmode"),
        "pythonpath": [str(path) for path in config.getini("pythonpath")],
        "addopts": [str(word) for word in config.getini("addopts")],
        "plugins": sorted(plugins),
        "path": list(sys.path),
        "how": started(),
        "arguments": list(config.invocation_params.args),
    }


def started() -> str:
    """Return how pytest was started: `python -m pytest` puts the current directory on the path."""
    words = getattr(sys, "orig_argv", [])
    return (
        "python -m pytest"
        if "-m" in words[1:] or os.path.basename(sys.argv[0]) == "__main__.py"
        else "pytest"
    )
