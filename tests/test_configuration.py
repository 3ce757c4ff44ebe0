"""`[tool.unhaunt]`: every mistake is named, and is no answer (exit 2)."""

from __future__ import annotations

import re

import pytest

from tests.repository import UNHAUNT, Repository, run
from unhaunt.configuration import parse
from unhaunt.errors import UserError

ENTRY = '[[tool.unhaunt.allow]]\nrule = "UH101"\npath = "a.py"\nreason = "r"\n'
WRONG = {
    "a reason that is missing": (
        '[[tool.unhaunt.allow]]\nrule = "UH101"\npath = "a.py"\n',
        "reason is missing",
    ),
    "a reason that is blank": (ENTRY.replace('"r"', '" "'), "reason is missing"),
    "an unknown key of an entry": (ENTRY + "line = 4\n", "unknown key 'line'"),
    "an unknown key of the table": ("[tool.unhaunt]\nignore = []\n", "unknown key 'ignore'"),
    "a date that is none": (ENTRY + 'expires = "soon"\n', "expires is not a date"),
    "a time for a date": (ENTRY + "expires = 2027-01-01T00:00:00Z\n", "expires is not a date"),
    "a glob that matches everything": (
        ENTRY.replace("a.py", "**/*"),
        "the glob matches everything",
    ),
    "a hash that is too short": (ENTRY + 'sha256 = "abc"\n', "sha256 is not 64"),
    "an entry that is no table": ("[tool.unhaunt]\nallow = [1]\n", "not a table"),
    "entries that are no array": ("[tool.unhaunt]\nallow = 1\n", "not an array of tables"),
    "generated that is no list": ("[tool.unhaunt]\ngenerated = 'a'\n", "generated is not a list"),
    "all modules as generated": (
        "[tool.unhaunt]\ngenerated = ['**/*.py']\n",
        "generated: **/*.py: the",
    ),
    "all files as generated": (
        "[tool.unhaunt]\ngenerated = ['a.py', '**']\n",
        "generated: **: the",
    ),
    "TOML that is none": ("[tool.unhaunt\n", "not valid TOML"),
}


@pytest.mark.parametrize(("text", "words"), WRONG.values(), ids=WRONG)
def test_wrong(text: str, words: str) -> None:
    with pytest.raises(UserError, match=re.escape(words)):
        parse(text.encode(), "pyproject.toml")


def test_a_wrong_configuration_is_exit_2(repo: Repository) -> None:
    repo.commit({"pyproject.toml": WRONG["an unknown key of an entry"][0]})
    done = run(*UNHAUNT, "check", cwd=repo.path)
    assert done.code == 2
    assert done.err.startswith(
        "error: pyproject.toml: allow entry 1 (a.py): unknown key 'line'\nhint: "
    )


def test_a_version_file_is_no_glob(repo: Repository) -> None:
    text = '[tool.setuptools_scm]\nversion_file = "**"\n'
    repo.commit({"pyproject.toml": text, "app.py": "import late\n"})
    repo.write({"late.py": ""})
    assert repo.findings() == {"late.py UH201"}


def test_the_working_copy_of_the_configuration_does_not_count(repo: Repository) -> None:
    repo.commit({"pyproject.toml": "", "sitecustomize.py": ""})
    repo.write({"pyproject.toml": ENTRY.replace("a.py", "sitecustomize.py")})
    assert repo.findings() == {"sitecustomize.py UH101"}


def test_an_operators_file_accepts_and_is_shown(repo: Repository) -> None:
    repo.commit({"sitecustomize.py": ""})
    config = repo.path.parent / "operator.toml"
    config.write_text(
        '[[allow]]\nrule = "startup-module"\npath = "sitecustomize.py"\nreason = "sandbox"\n'
    )
    done = run(*UNHAUNT, "check", "--strict", "--config", str(config), cwd=repo.path)
    assert (done.code, done.out) == (0, "1 allowed: sitecustomize.py (sandbox)\n")


def test_an_entry_in_the_base_is_not_new_and_one_that_excuses_nothing_is_named(
    repo: Repository,
) -> None:
    text = ENTRY.replace("a.py", "sitecustomize.py") + ENTRY
    repo.commit({"pyproject.toml": text, "sitecustomize.py": "", "a.py": ""})
    done = run(*UNHAUNT, "check", "--strict", cwd=repo.path)
    assert (done.code, done.out) == (
        0,
        "1 allowed: sitecustomize.py (r)\nunused allow entry: UH101 a.py\n",
    )
    report = repo.check().json()
    assert report["unused_allows"] == [{"rule": "UH101", "path": "a.py"}]
    assert [a["new"] for a in report["allowed"]] == [False]
    assert repo.check("forbid-startup-files").json()["unused_allows"] == []


@pytest.mark.parametrize("rule", ["UH1002", "startup-modules", "forbid-startup-files"])
def test_an_entry_for_no_rule_is_exit_2(rule: str, repo: Repository) -> None:
    repo.commit({"pyproject.toml": ENTRY.replace("UH101", rule)})
    done = run(*UNHAUNT, "check", cwd=repo.path)
    assert done.code == 2
    assert done.err.startswith(f"error: allow entry for a.py: there is no rule {rule}\nhint: ")


def test_no_config_ignores_the_repositorys_own(repo: Repository) -> None:
    repo.commit(
        {"pyproject.toml": ENTRY.replace("a.py", "sitecustomize.py"), "sitecustomize.py": ""}
    )
    assert repo.findings("--no-config") == {"sitecustomize.py UH101"}


INLINE = {
    "with a reason": (
        "# unhaunt: ignore[UH301] the image's own\nPYTHONPATH=lib\n",
        0,
        "(the image's own)",
    ),
    "without a reason": ("# unhaunt: ignore[UH301]\nPYTHONPATH=lib\n", 2, ""),
    "for another code": ("# unhaunt: ignore[UH302] no\nPYTHONPATH=lib\n", 1, ""),
    "not on the line above": ("# unhaunt: ignore[UH301] no\n\nPYTHONPATH=lib\n", 1, ""),
}


@pytest.mark.parametrize(("text", "code", "words"), INLINE.values(), ids=INLINE)
def test_inline(text: str, code: int, words: str, repo: Repository) -> None:
    repo.commit({".env": text})
    done = run(*UNHAUNT, "check", "--strict", cwd=repo.path)
    assert done.code == code, done
    assert words in done.out
