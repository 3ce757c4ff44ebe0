"""Files as they are: encodings, line ends, broken and huge ones, and which row reads which name."""

from __future__ import annotations

import pytest

from unhaunt.envfiles import folders_on_path, scan, table
from unhaunt.envfiles.names import choose
from unhaunt.envfiles.scan import LARGEST, _grammar
from unhaunt.envfiles.table import FORMATS

TEXT = "A=1\nPYTHONPATH=src\n"
ENCODED = [
    ("UTF-8", TEXT.encode()),
    ("UTF-8 with a byte order mark", TEXT.encode("utf-8-sig")),
    ("UTF-16", TEXT.encode("utf-16")),
    ("UTF-16 without a mark, little end first", TEXT.encode("utf-16-le")),
    ("UTF-16 without a mark, big end first", TEXT.encode("utf-16-be")),
    ("Latin-1", b"A=\xe9\nPYTHONPATH=src\n"),
    ("Windows line ends", TEXT.replace("\n", "\r\n").encode()),
    ("no final newline", TEXT.strip().encode()),
    ("NUL bytes", b"A=\0\nPYTHONPATH=src\n"),
]


@pytest.mark.parametrize("path", [".env", "a.sh", "Makefile"])
@pytest.mark.parametrize("data", [e[1] for e in ENCODED], ids=[e[0] for e in ENCODED])
def test_the_line_is_right_in_every_encoding(path: str, data: bytes) -> None:
    found = scan(path, data)
    assert found is not None
    assert [(a.variable, a.line, a.value) for a in found.assignments] == [
        ("PYTHONPATH", 2, ("src",))
    ]


BROKEN = [
    ("shell", "a.sh", "export PYTHONPATH=src\necho 'x\n", "an unclosed quote", [1]),
    ("JSON", ".vscode/settings.json", '{"env": {\n"PYTHONPATH": "src",\n', "ends too early", [2]),
    ("YAML", "docker-compose.yml", "a: [\nPYTHONPATH: src\n", "not YAML", [2]),
    ("TOML", "pyproject.toml", '[a\nPYTHONPATH = "src"\n', "not TOML", [2]),
    ("fish", "a.fish", "set -gx PYTHONPATH src\necho (x\n", "an unclosed bracket", [1]),
    ("Python", "noxfile.py", "def (:\n", "not Python", []),
    ("a recipe", "Makefile", "t:\n\tPYTHONPATH=src x 'y\n", "line 2: shell text with", [2]),
]


@pytest.mark.parametrize(
    ("path", "text", "trouble", "lines"), [b[1:] for b in BROKEN], ids=[b[0] for b in BROKEN]
)
def test_broken_files_are_scanned_by_line(
    path: str, text: str, trouble: str, lines: list[int]
) -> None:
    found = scan(path, (text if "PYTHONPATH" in text else f"{text}# PYTHONPATH\n").encode())
    assert found is not None
    assert trouble in found.trouble
    assert found.trouble.endswith("scanned by line")
    assert [a.line for a in found.assignments] == lines


def test_deep_nesting_is_not_followed() -> None:
    for text in ("x=" + "$(" * 500 + "PYTHONPATH=a b" + ")" * 500, '"${a:-' * 500 + "PYTHONPATH=x"):
        found = scan("a.sh", text.encode())
        assert found is not None
        assert "nested too deeply" in found.trouble


def test_an_alias_bomb_is_read_once() -> None:
    bomb = "a: &a [PYTHONPATH=x]\n" + "".join(
        f"{chr(98 + n)}: &{chr(98 + n)} [{', '.join(['*' + chr(97 + n)] * 9)}]\n" for n in range(20)
    )
    found = scan("docker-compose.yml", bomb.encode())
    assert found is not None
    assert not found.trouble


def test_a_huge_file_is_scanned_by_line() -> None:
    found = scan("a.sh", b"# x\n" * (LARGEST // 4 + 1) + b"export PYTHONPATH=src\n")
    assert found is not None
    assert found.trouble == "too large a file: scanned by line"
    assert len(found.assignments) == 1


def test_a_missing_parser_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "yaml", None)
    found = scan("docker-compose.yml", b"environment:\n  PYTHONPATH: src\n")
    assert found is not None
    assert found.trouble == "yaml is not installed; run `pre-commit clean`"
    assert [a.line for a in found.assignments] == [2]


@pytest.mark.parametrize("row", FORMATS, ids=lambda row: row.patterns.split()[0])
def test_every_row_has_a_grammar(row: table.Format) -> None:
    assert callable(_grammar(row.grammar))


NAMES = [
    ("README.md", None),
    ("docs/guide.rst", None),
    ("src/a.py", None),
    ("CHANGELOG", None),
    ("PKG-INFO", None),
    ("INSTALL", None),
    ("install", "shell"),
    ("docker/.env", "dotenv"),
    (".env.production.local", "dotenv"),
    ("prod.env", "dotenv"),
    ("a/.envrc", "shell"),
    ("a/Dockerfile.dev", "dockerfile"),
    ("dev.Dockerfile", "dockerfile"),
    ("docker-compose.override.yml", "yaml_text"),
    (".github/workflows/a.yaml", "yaml_text"),
    ("k8s/a.yaml", "yaml_text"),
    ("x.json", "jsonc"),
    ("GNUmakefile", "makefile"),
    ("x.sh.j2", "shell"),
    ("x.service.in", "systemd"),
    ("requirements.txt", None),
    ("CMakeLists.txt", "code_blocks"),
    ("x.cfg", "ini"),
    ("env-setup", "shell"),
    ("x.unknown", None),
    ("a.png", None),
]


LOOKS = [
    ("<?xml version='1.0'?>\n<a/>", "xml_tags"),
    ('// x\n{"a": 1}', "jsonc"),
    ("# x\n\n[a]\nb = c\n", "ini"),
    ("# x\ncwlVersion: v1\n", "yaml_text"),
    ("- name: a\n", "yaml_text"),
    ("#!/bin/sh\n", "shell"),
    ("a plain sentence: of prose\n", None),
    ("\0\1\2", None),
]


@pytest.mark.parametrize(("head", "grammar"), LOOKS, ids=[repr(look[0]) for look in LOOKS])
def test_what_an_unknown_extension_looks_like(head: str, grammar: str | None) -> None:
    row = choose("a.unknown", head)
    assert (row.grammar if row else None) == grammar


def test_an_unknown_extension_that_looks_like_yaml_is_read() -> None:
    found = scan("a.unknown", b"a:\n  env:\n    PYTHONPATH: src\n")
    assert found is not None
    assert [a.line for a in found.assignments] == [3]


@pytest.mark.parametrize(("path", "grammar"), NAMES, ids=[n[0] for n in NAMES])
def test_which_grammar_reads_which_name(path: str, grammar: str | None) -> None:
    row = choose(path, "")
    assert (row.grammar if row else None) == grammar


FOLDERS = [
    (".env", "PYTHONPATH=.\n", [""]),
    (".env", "PYTHONPATH=src:/x:lib/a\n", ["src", "lib/a"]),
    ("sub/.env", "PYTHONPATH=src\n", ["sub/src", "src"]),
    ("sub/.envrc", "path_add PYTHONPATH hooks\n", ["sub/hooks"]),
    ("sub/Makefile", "export PYTHONPATH = ..\n", [""]),
    ("sub/tox.ini", "[testenv]\nsetenv =\n  PYTHONPATH={toxinidir}/a\n", ["sub/a"]),
    (".vscode/settings.json", '{"e": {"PYTHONPATH": "${workspaceFolder}/a;b"}}', ["a", "b"]),
    (".gitlab-ci.yml", "variables:\n  PYTHONPATH: $CI_PROJECT_DIR/x\n", ["x"]),
    ("a.sh", "PYTHONPATH=src:$PYTHONPATH x\n", ["src", ""]),
    ("a.sh", "PYTHONPATH=${PYTHONPATH:-tools} x\n", ["tools"]),
    ("a.sh", "PYTHONPATH=$UNKNOWN/x y\n", []),
    ("b.sh", "cd x\nPYTHONPATH=. y\n", []),
    ("Dockerfile", "RUN export PYTHONPATH=src\n", []),
]


@pytest.mark.parametrize(("path", "text", "folders"), FOLDERS, ids=[f[0] + f[1] for f in FOLDERS])
def test_folders_on_the_path(path: str, text: str, folders: list[str]) -> None:
    found = scan(path, text.encode())
    assert found is not None
    named = list(folders_on_path([found]))
    assert [folder for folder, _ in named] == folders
    assert all(place.startswith(f"{path}:") for _, place in named)
