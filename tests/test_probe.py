"""The island: its text, and what it says when it is copied out alone."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import interpreters
from tests.commandline import unhaunt
from unhaunt.fingerprints.reading import read
from unhaunt.interpreters.interpreter import PROBE
from unhaunt.interpreters.launch import SHIM as SHIM_FILE

TEXT = Path(PROBE).read_text(encoding="ascii")
SHIM = Path(SHIM_FILE).read_text(encoding="ascii")


@pytest.mark.parametrize("text", [TEXT, SHIM], ids=["probe", "shim"])
def test_an_island_parses_at_its_floor_and_imports_the_standard_library_only(text: str) -> None:
    names = set()
    for node in ast.walk(ast.parse(text, feature_version=(3, 8))):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add((node.module or "").partition(".")[0])
    assert names - {"sitecustomize"} <= sys.stdlib_module_names


def test_the_probe_can_be_read_in_one_sitting() -> None:
    assert sum(1 for line in TEXT.splitlines() if line.strip()) <= 430


def test_the_gate_comes_before_every_import_but_sys() -> None:
    body = ast.parse(TEXT).body
    kinds = [type(node).__name__ for node in body[:4]]
    assert kinds[:3] == ["Expr", "Import", "If"]


@pytest.mark.parametrize("python", interpreters.others().values(), ids=interpreters.others())
def test_another_python_says_one_clear_line(python: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [python, PROBE], capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("probe: needs CPython 3.8 or newer, this is ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("python", interpreters.supported().values(), ids=interpreters.supported())
def test_copied_out_alone_it_answers_and_counts_neither_its_folder_nor_what_lies_in_it(
    python: str, tmp_path: Path
) -> None:
    copy = tmp_path / "probe.py"
    copy.write_text(TEXT)
    for name in ("json.py", "re.py", "hashlib.py", "site.py"):
        (tmp_path / name).write_text("raise SystemExit('hijacked')")
    done = subprocess.run([python, copy], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stderr
    facts = json.loads(done.stdout)
    assert facts["unknown"] == []
    assert str(tmp_path) not in [row["entry"] for row in facts["path"]]
    assert read(done.stdout, "fp.json")["schema"] == "unhaunt.fingerprint/1"
    assert not list(tmp_path.rglob("__pycache__"))


SECRETS = {
    "a token by its name": ("PIP_TOKEN", "abc", "<hidden>"),
    "a password by its name": ("UV_INDEX_X_PASSWORD", "abc", "<hidden>"),
    "a key by its name": ("PYTEST_API_KEY", "abc", "<hidden>"),
    "credentials in an address": ("PIP_INDEX_URL", "https://u:p@host/x", "https://<hidden>@host/x"),
    "headers by their name": ("OTEL_EXPORTER_OTLP_HEADERS", "x=abc", "<hidden>"),
    "a DSN by its name": ("PYTEST_SENTRY_DSN", "abc", "<hidden>"),
    "a signature in a query": (
        "PIP_FIND_LINKS",
        "https://h/x?sv=1&sig=a%2Fb#f",
        "https://h/x?sv=<hidden>&sig=<hidden>#f",
    ),
    "a token in a query": (
        "PIP_EXTRA_INDEX_URL",
        "https://h/?token=abc",
        "https://h/?token=<hidden>",
    ),
    "conda's token": ("CONDA_CHANNEL", "https://h/t/tk-1-2/x", "https://h/t/<hidden>/x"),
    "an option": ("PYTEST_ADDOPTS", "-q --token=abc -x", "-q --token=<hidden> -x"),
    "a password in a text": ("PYTEST_ADDOPTS", "--db='password=a b'", "--db='password=<hidden> b'"),
    "an Authorization": (
        "PYTEST_ADDOPTS",
        "-H 'Authorization: Basic abc=='",
        "-H 'Authorization: <hidden>'",
    ),
    "a bearer": ("DD_X", "Bearer abcdefgh", "Bearer <hidden>"),
    "a token's shape": ("PYTEST_ADDOPTS", "--with ghp_0123456789 x", "--with <hidden> x"),
    "a key's shape": ("PYTEST_ADDOPTS", "AKIAIOSFODNN7EXAMPLE", "<hidden>"),
    "a web token": ("PYTEST_ADDOPTS", "eyJhbGciOi.eyJzdWIi.abc", "<hidden>"),
    "an at in a password": ("PIP_INDEX_URL", "https://u:p@q@host/x", "https://<hidden>@host/x"),
    "a folder that looks like one stays": ("PYTHONPATH", "/a/secrets:/b/sk-learn", None),
    "a time zone stays": ("TZ", "Europe/Berlin", None),
    "a plain value stays": ("PYTHONOPTIMIZE", "1", "1"),
}


@pytest.mark.parametrize(("name", "value", "shown"), SECRETS.values(), ids=SECRETS)
def test_a_secret_is_never_written(name: str, value: str, shown: str, tmp_path: Path) -> None:
    env = {**os.environ, name: value}
    done = subprocess.run(
        [sys.executable, PROBE], env=env, capture_output=True, text=True, cwd=tmp_path, check=True
    )
    assert json.loads(done.stdout)["environment"][name] == (shown or value)


WORDS = {
    "a value that follows": (["--password", "X", "y"], ["--password", "<hidden>", "y"]),
    "an option that follows": (["--password", "-x"], ["--password", "-x"]),
    "a value that is joined": (["--token=Y"], ["--token=<hidden>"]),
    "an address": (["https://u:Z@h"], ["https://<hidden>@h"]),
    "the name of a test": (["t/test_key.py::TestToken::test"], ["t/test_key.py::TestToken::test"]),
    "nothing": (["-k", "test_x", "a=b"], ["-k", "test_x", "a=b"]),
}


@pytest.mark.parametrize(("words", "shown"), WORDS.values(), ids=WORDS)
def test_a_secret_on_a_command_line_is_never_written(
    words: list[str], shown: list[str], tmp_path: Path
) -> None:
    done = subprocess.run(
        [sys.executable, PROBE, *words], capture_output=True, text=True, cwd=tmp_path, check=True
    )
    process = json.loads(done.stdout)["process"]
    assert process["argv"][1:] == shown
    assert process["words"][2:] == shown
    script = tmp_path / "script.py"
    script.write_text("")
    asked = ["fingerprint", "--quick", "--format", "json", "--", sys.executable, script, *words]
    told = unhaunt(*asked, cwd=tmp_path).json["process"]
    for found in (told["argv"], told["words"], *(one["argv"] for one in told["started"])):
        assert found[-len(words) :] == shown


def test_every_key_is_there_when_a_fact_fails(tmp_path: Path) -> None:
    broken = TEXT.replace(
        'if __name__ == "__main__":',
        "def hooks(r, s): raise OSError('x')\nFACTS[6] = hooks\nif True:",
    )
    done = subprocess.run(
        [sys.executable, "-"],
        input=broken,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=True,
    )
    facts = json.loads(done.stdout)
    assert facts["hooks"] is None
    assert facts["unknown"] == [{"fact": "hooks", "reason": "OSError: x"}]
