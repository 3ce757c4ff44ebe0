"""The cases of real reports: each pythonpath case of cases.jsonl, and what must be said of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import cast

import pytest

from tests.envfiles.fake import FakeInventory
from unhaunt.inventory import Inventory
from unhaunt.rule import Finding, Severity
from unhaunt.rules.pythonpath import RULES

Expected = tuple[str, int, str, str, str]  # path, line, code, severity, a part of the message

ROWS = Path(__file__).parents[1].joinpath("cases.jsonl").read_text("utf-8").splitlines()
CASES = {
    case["id"]: case
    for case in map(json.loads, ROWS)
    if case["kind"] == "pythonpath" or case["id"] == "startup-pythonnouser-zero-is-not-off"
}

W, I = "warning", "info"  # noqa: E741
EXPECTED: dict[str, list[Expected]] = {
    "startup-pythonnouser-zero-is-not-off": [(".env", 1, "UH304", I, "user site on")],
    "pp-env-superset-docker": [("docker/.env", 2, "UH303", W, "absolute")],
    "pp-env-home-not-expanded": [(".env", 1, "UH303", W, "home-dependent")],
    "pp-env-untracked-is-not-committed": [
        ("tools/setup.sh", 1, "UH301", W, "writes PYTHONPATH into .env")
    ],
    "pp-envrc-path-add": [(".envrc", 2, "UH301", W, "extends PYTHONPATH")],
    "pp-envrc-PATH_add-misuse": [
        (".envrc", 1, "UH301", I, "does not set PYTHONPATH; path_add was probably meant")
    ],
    "pp-compose-map-host-fallback": [
        ("docker-compose.dev.yml", 4, "UH301", W, "the host's value wins when it is set")
    ],
    "pp-compose-escaped-dollar": [("docker-compose.yml", 4, "UH301", W, "one service")],
    "pp-compose-name-with-space": [
        ("docker-compose.yml", 4, "UH301", I, 'sets a variable called "ENV PYTHONPATH"')
    ],
    "pp-compose-env-file-indirection": [("docker/.env-nondev", 1, "UH303", W, "absolute")],
    "pp-dockerfile-continuation-line": [("Dockerfile", 4, "UH301", W, "container")],
    "pp-devcontainer-jsonc": [(".devcontainer/devcontainer.json", 3, "UH301", W, "container")],
    "pp-devcontainer-python_path-is-other-variable": [],
    "pp-vscode-terminal-env": [
        (".vscode/settings.json", 3, "UH302", W, "editor"),
        (".vscode/settings.json", 6, "UH302", W, "editor"),
    ],
    "pp-vscode-interpreter-setting": [],
    "pp-gha-composite-action": [(".github/actions/test/action.yml", 6, "UH301", W, "pipeline")],
    "pp-gitlab-variables-and-includes": [
        (".gitlab/stages/test.yml", 2, "UH301", W, "pipeline"),
        (".gitlab/stages/test.yml", 5, "UH301", W, "pipeline"),
    ],
    "pp-justfile-export": [("Justfile", 1, "UH302", W, '"." is the current directory')],
    "pp-tox-toml-inline-table": [("tox.toml", 2, "UH301", W, "tox environment")],
    "pp-tox-ini-setenv-and-passenv": [
        ("tox.ini", 2, "UH305", W, "the host's PYTHONPATH passes into the test environment"),
        ("tox.ini", 4, "UH301", W, "tox environment"),
    ],
    "pp-pytest-ini-pythonpath-ok": [],
    "pp-pytest-env-no-effect": [("pyproject.toml", 2, "UH301", W, "changes subprocesses only")],
    "pp-hatch-env-vars": [("pyproject.toml", 2, "UH301", W, "sets PYTHONPATH")],
    "pp-pixi-activation-and-task-env": [("pixi.toml", 4, "UH301", W, "tasks")],
    "pp-conda-env-yml-variables": [],
    "pp-systemd-and-supervisor": [
        ("deploy/app.service", 3, "UH303", W, "absolute"),
        ("deploy/supervisor.conf", 2, "UH303", W, "absolute"),
    ],
    "pp-k8s-name-value": [("k8s/deploy.yaml", 4, "UH301", W, '"/app"')],
    "pp-k8s-test-assert-file": [("tests/e2e/01-assert.yaml", 2, "UH301", W, "/agent")],
    "pp-pycharm-run-config": [(".idea/runConfigurations/tests.xml", 3, "UH301", W, "run conf")],
    "pp-ros-launch-xml": [("launch/demo.launch", 2, "UH303", W, "absolute")],
    "pp-helper-function-prepend": [("env-setup", 2, "UH301", W, "by prepend_path")],
    "pp-interpreter-on-pythonpath": [
        (
            "langs/python.bash",
            1,
            "UH302",
            W,
            '"." is the current directory; a command decides one element;',
        )
    ],
    "pp-powershell-and-batch": [
        ("run.ps1", 1, "UH301", W, "src"),
        ("bld.bat", 1, "UH301", W, "BUILD_PREFIX"),
    ],
    "pp-replit-env": [(".replit", 2, "UH303", W, "site-packages of one Python minor version")],
    "pp-devbox-json": [("devbox.json", 3, "UH302", W, "one Python minor version")],
    "pp-nix-shellhook-unset": [],
    "pp-claude-settings-env": [(".claude/settings.json", 3, "UH303", W, "agent's sessions only")],
    "pp-claude-session-start-hook": [
        (".claude/hooks/session-start.sh", 3, "UH301", W, "remote agent sessions only")
    ],
    "pp-agents-md-instruction": [],
    "pp-django-manage-py-string": [],
    "pp-robot-framework-option": [],
    "pp-json-schema-examples": [],
    "pp-python-test-monkeypatch": [],
    "pp-pythonstartup-dotfile": [
        (".bashrc", 1, "UH304", I, "interactive only; no effect on a test run")
    ],
    "pp-pythonhome-in-profile": [
        ("bin/compile", 2, "UH304", W, "PYTHONHOME"),
        ("bin/compile", 3, "UH303", W, "home-dependent"),
    ],
    "pp-vagrant-profile-append": [("provision.sh", 3, "UH303", W, "writes PYTHONPATH into")],
    "pp-nixpacks-railway-variables": [
        ("nixpacks.toml", 2, "UH301", W, "app"),
        ("make_config.bat", 1, "UH303", W, "writes PYTHONPATH into railway.toml"),
    ],
    "pp-long-tail-formats-derived": [
        ("app.yaml", 3, "UH301", W, ""),
        ("fly.toml", 2, "UH301", W, ""),
        ("netlify.toml", 2, "UH301", W, ""),
        ("serverless.yml", 3, "UH301", W, ""),
        ("Taskfile.yml", 2, "UH301", W, ""),
        (".gitpod.yml", 2, "UH301", W, ""),
        ("values.yaml", 2, "UH301", W, ""),
        ("e2b.Dockerfile", 2, "UH301", W, ""),
        (".flox/env/manifest.toml", 2, "UH301", W, ""),
    ],
}


def committed(case: dict[str, object]) -> dict[str, bytes]:
    """Return the tracked files of a case."""
    files = cast(dict[str, dict[str, str]], case["minimal_input"])["files"]
    ignored = files.get(".gitignore", "").split()
    return {path: text.encode() for path, text in files.items() if path not in ignored}


def findings(files: dict[str, bytes]) -> list[tuple[str, int | None, str, str, str]]:
    """Return what the five rules find."""
    inventory = cast(Inventory, FakeInventory(files))
    return [
        (f.entry.path, f.line, rule.code, (f.severity or Severity.WARNING).value, f.message)
        for rule in RULES
        for f in rule.check(inventory)
        if isinstance(f, Finding)
    ]


def test_every_case_has_an_expectation() -> None:
    assert sorted(CASES) == sorted(EXPECTED)


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_case(name: str) -> None:
    found = sorted(findings(committed(CASES[name])))
    expected = sorted(EXPECTED[name])
    assert [f[:4] for f in found] == [e[:4] for e in expected]
    for finding, (_, _, _, _, part) in zip(found, expected, strict=True):
        assert part in finding[4]
