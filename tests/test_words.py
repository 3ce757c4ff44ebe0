"""Pure parts: words for folders, redaction, reasons, first-party names, profiles."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from unhaunt.fingerprints.notes import notes
from unhaunt.fingerprints.redaction import redacted
from unhaunt.fingerprints.words import Words
from unhaunt.interpreters.profiles import assignments, profiles
from unhaunt.interpreters.startup_imports import imported
from unhaunt.resolving.first_party import first_party, import_roots, renamed

FACTS: dict[str, Any] = {
    "interpreter": {"prefix": "/w/repo/.venv", "base_prefix": "/usr"},
    "startup": {"user_site": {"path": "/home/u/.local/lib/python3.12/site-packages"}},
    "repository": {"toplevel": "/w/repo"},
}
PLACES = {
    "the repository": ("/w/repo/src", "<repository>/src"),
    "the environment inside it": ("/w/repo/.venv/lib", "<environment>/lib"),
    "the base": ("/usr/lib/python3.12", "<base>/lib/python3.12"),
    "the user site": ("/home/u/.local/lib/python3.12/site-packages/x", "<user site>/x"),
    "the home": ("/home/u/old", "<home>/old"),
    "another user's": ("/home/uu/old", "/home/uu/old"),
    "another folder that begins alike": ("/w/repository", "/w/repository"),
    "elsewhere": ("/opt/x", "/opt/x"),
}


@pytest.mark.parametrize(("path", "word"), PLACES.values(), ids=PLACES)
def test_a_folder_becomes_a_word(path: str, word: str) -> None:
    assert Words(FACTS)(path) == word
    assert Words(FACTS).inside(f"a={path}:b") == f"a={word}:b"


REDACTED = {
    "the home": ("/home/u/x", "<home>/x"),
    "another's home": ("/home/jane/x", "<home>/x"),
    "a name elsewhere": ("cache-jane", "cache-<user>"),
    "a mac's": ("/Users/joe/x", "<home>/x"),
    "no part of a word": ("janet", "janet"),
}


@pytest.mark.parametrize(("text", "hidden"), REDACTED.values(), ids=REDACTED)
def test_redaction(text: str, hidden: str) -> None:
    facts = {**FACTS, "noise": text, "names": ["/home/jane/", "/Users/joe/"]}
    assert redacted(facts)["noise"] == hidden


SOURCES = {
    "statements": ("import a.b, c\nfrom d.e import f\nfrom . import g", {"a.b", "c", "d.e"}),
    "a call": ("__import__('a').b(); importlib.import_module('c')", {"a", "c"}),
    "inside exec": ('exec("try:\\n import a\\nexcept: pass")', {"a"}),
    "inside a condition": ("import os; x and __import__('h').s()", {"os", "h"}),
    "no Python": ("import import", set()),
    "a text that is no code": ("print('import x')", set()),
}


@pytest.mark.parametrize(("source", "names"), SOURCES.values(), ids=SOURCES)
def test_what_startup_code_imports(source: str, names: set[str]) -> None:
    assert set(imported(source)) == names


PROFILES: dict[str, tuple[str, str, list[tuple[int, str]]]] = {
    "export": (".bashrc", "export PYTHONPATH=/x", [(1, "PYTHONPATH")]),
    "plain": (".profile", "\nPYTHONPATH=/x", [(2, "PYTHONPATH")]),
    "inside a condition": (
        ".zshrc",
        "if true; then\n  export PYTHONHOME=/x\nfi",
        [(2, "PYTHONHOME")],
    ),
    "fish": ("config.fish", "set -gx PYTHONPATH /x", [(1, "PYTHONPATH")]),
    "csh": (".cshrc", "setenv PYTHONHOME /x", [(1, "PYTHONHOME")]),
    "environment.d": ("python.conf", "PYTHONPATH=/x", [(1, "PYTHONPATH")]),
    "a comment": (".bashrc", "# export PYTHONPATH=/x", []),
    "a use": (".bashrc", "echo $PYTHONPATH", []),
    "another variable": (".bashrc", "export MYPYTHONPATH=/x", []),
}


@pytest.mark.parametrize(("name", "text", "found"), PROFILES.values(), ids=PROFILES)
def test_a_profile(name: str, text: str, found: list[tuple[int, str]]) -> None:
    rows = profiles({f"/h/{name}": text.encode()}, assignments)
    assert [(row["line"], row["sets"]) for row in rows] == found


def test_a_user_site_that_is_younger_than_the_process() -> None:
    user = {"path": "/u", "exists": True, "enabled": True, "on_path": False}
    interpreter = {"executable": "/x/python", "prefix": "/x", "in_venv": False, "version": "3.12.1"}
    found: dict[str, Any] = {"tools": [], "pyvenv": None, "conda": None, "hazards": []}
    facts = {"interpreter": interpreter, "startup": {"user_site": user}}
    (note,) = notes(facts, found, {})
    assert "created after this interpreter started; a new process will see it" in note


ROOTS: dict[str, tuple[dict[str, Any], list[str]]] = {
    "nothing said": ({}, ["", "src"]),
    "pytest": ({"tool": {"pytest": {"ini_options": {"pythonpath": "lib"}}}}, ["", "lib", "src"]),
    "setuptools, where": (
        {"tool": {"setuptools": {"packages": {"find": {"where": ["lib"]}}}}},
        ["", "lib", "src"],
    ),
    "setuptools, package-dir": (
        {"tool": {"setuptools": {"package-dir": {"": "lib"}}}},
        ["", "lib", "src"],
    ),
    "poetry": (
        {"tool": {"poetry": {"packages": [{"include": "x", "from": "lib"}]}}},
        ["", "lib", "src"],
    ),
    "hatch": (
        {"tool": {"hatch": {"build": {"targets": {"wheel": {"packages": ["lib/x"]}}}}}},
        ["", "lib", "src"],
    ),
    "nonsense": ({"tool": {"setuptools": [], "pytest": 3, "poetry": {"packages": 1}}}, ["", "src"]),
    "a folder that is not there": ({"tool": {"maturin": {"python-source": "none"}}}, ["", "src"]),
}


@pytest.mark.parametrize(("project", "roots"), ROOTS.values(), ids=ROOTS)
def test_import_roots(project: dict[str, Any], roots: list[str], tmp_path: Path) -> None:
    for name in ("src", "lib"):
        (tmp_path / name).mkdir()
    assert list(import_roots(str(tmp_path), project)) == [str(tmp_path / root) for root in roots]


def test_first_party_names(tmp_path: Path) -> None:
    for name in (
        "flat.py",
        "setup.py",
        "not-a-name.py",
        "src/pkg/__init__.py",
        "src/data/x.txt",
        "docs/__init__.py",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    project = {"project": {"name": "X", "scripts": {"run": "tool.cli:main"}}}
    assert list(first_party(str(tmp_path), project)) == ["flat", "pkg", "tool"]


def test_a_package_dir_with_a_name_of_its_own_is_no_root(tmp_path: Path) -> None:
    """The folder is imported as what it is called, and what is in it is no top-level name."""
    for name in ("foo/__init__.py", "foo/part.py", "lib/two/__init__.py", "lib/two/part.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    folders = {"demo": "foo", "two": "lib/two"}
    project = {"tool": {"setuptools": {"package-dir": folders}}}
    top = str(tmp_path)
    assert list(import_roots(top, project)) == [top, f"{top}/lib"]
    assert list(first_party(top, project)) == ["two", "demo"]
    assert renamed(project) == {"demo": "foo"}
