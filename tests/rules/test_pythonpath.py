"""The five rules over an inventory: shared work, indirection, what they arm, what they say."""

from __future__ import annotations

import subprocess
import sys
from typing import cast

import pytest

from tests.envfiles.fake import FakeInventory
from unhaunt.inventory import Inventory
from unhaunt.rule import Finding, NotChecked, Severity
from unhaunt.rules.pythonpath import RULES


def outcomes(fake: FakeInventory) -> list[tuple[str, Finding | NotChecked]]:
    """Run the five rules."""
    inventory = cast(Inventory, fake)
    return [(rule.code, outcome) for rule in RULES for outcome in rule.check(inventory)]


def test_the_inventory_is_asked_once_for_all_rules() -> None:
    fake = FakeInventory({".env": b"PYTHONPATH=src\n", "README.md": b"PYTHONPATH=x\n"})
    assert [code for code, _ in outcomes(fake)] == ["UH301"]
    assert len(fake.asked) == 2  # the second asks who names README.md as an env file


def test_no_second_question_without_an_unknown_file() -> None:
    fake = FakeInventory({".env": b"PYTHONPATH=src\n"})
    outcomes(fake)
    assert len(fake.asked) == 1


INDIRECTION = [
    ("compose", "docker-compose.yml", "services:\n  a:\n    env_file:\n      - conf/x.vars\n"),
    ("compose, one", "docker-compose.yml", "services:\n  a:\n    env_file: ./conf/x.vars\n"),
    ("compose, a path", "compose.yml", "a:\n  env_file:\n    - path: conf/x.vars\n"),
    ("VS Code", ".vscode/settings.json", '{"python.envFile": "${workspaceFolder}/conf/x.vars"}'),
    (
        "a launch configuration",
        ".vscode/launch.json",
        '{"envFile": "${workspaceFolder}/conf/x.vars"}',
    ),
    ("systemd", "conf/a.service", "[Service]\nEnvironmentFile=-x.vars\n"),
    ("direnv", ".envrc", "dotenv conf/x.vars\n"),
    ("docker run", "a.sh", "docker run --env-file conf/x.vars img\n"),
    ("just", "justfile", 'set dotenv-path := "conf/x.vars"\n'),
]


@pytest.mark.parametrize(
    ("path", "text"), [i[1:] for i in INDIRECTION], ids=[i[0] for i in INDIRECTION]
)
def test_a_file_that_another_names_as_env_file(path: str, text: str) -> None:
    fake = FakeInventory({path: text.encode(), "conf/x.vars": b"A=1\nPYTHONPATH=src\n"})
    found = [(code, o.entry.path, o.line) for code, o in outcomes(fake) if isinstance(o, Finding)]
    assert found == [("UH301", "conf/x.vars", 2)]


def test_a_file_that_nobody_names_is_none() -> None:
    assert outcomes(FakeInventory({"conf/x.vars": b"PYTHONPATH=src\n"})) == []


def test_what_arms_a_startup_file_is_said() -> None:
    files = {".env": b"PYTHONPATH=.:hooks\n", "b.env": b"PYTHONPATH=src\n"}
    fake = FakeInventory(files, ["hooks"])
    messages = [o.message for _, o in outcomes(fake) if isinstance(o, Finding)]
    assert sorted("arms the startup file in hooks" in message for message in messages) == [
        False,
        True,
    ]


def test_what_could_not_be_parsed_is_listed_once() -> None:
    fake = FakeInventory({"a.sh": b"export PYTHONPATH=/x\necho 'x\n"})
    assert [(code, type(o)) for code, o in outcomes(fake)] == [
        ("UH301", NotChecked),
        ("UH303", Finding),
    ]


def test_one_assignment_gives_one_finding() -> None:
    fake = FakeInventory({"a.sh": b"export PYTHONPATH=.:/x:~/y:$PYTHONPATH\n"})
    assert [code for code, _ in outcomes(fake)] == ["UH303"]


def test_info_is_info() -> None:
    fake = FakeInventory({".envrc": b"PATH_add PYTHONPATH src\n"})
    ((_, outcome),) = outcomes(fake)
    assert isinstance(outcome, Finding)
    assert outcome.severity is Severity.INFO


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_every_rule_explains_itself(rule: object) -> None:
    docs = getattr(rule, "docs", "")
    starts = ("What it finds:", "Why it matters:", "What to do instead:", "What it does not find:")
    paragraphs = [p.strip() for p in docs.split("\n\n")]
    assert [p.startswith(s) for p, s in zip(paragraphs, starts, strict=True)] == [True] * 4


def test_messages_are_facts() -> None:
    fake = FakeInventory(
        {".env": b"PYTHONPATH=.\nPYTHONHOME=/x\n", "tox.ini": b"[testenv]\npassenv=PYTHONPATH\n"}
    )
    for _, outcome in outcomes(fake):
        assert isinstance(outcome, Finding)
        assert not outcome.message.endswith(".")
        assert outcome.message[0].islower()


def test_no_parser_is_imported_before_a_file_needs_it() -> None:
    code = "import sys, unhaunt.rules.pythonpath; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True)
    loaded = set(done.stdout.split())
    assert "unhaunt.rules.pythonpath" in loaded
    assert not loaded & {"yaml", "tomllib", "identify", "json", "html", "ast", "dataclasses"}
    assert not [name for name in loaded if name.startswith("unhaunt.envfiles.grammars")]
