"""The small cases from real reports, `cases.jsonl`: each static one gives its stated answer.

Cases of kind pythonpath are in tests/envfiles/test_cases.py, those about an interpreter with the
command that answers them.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from tests.repository import UNHAUNT, Ran, Repository, run

CASES: dict[str, dict[str, Any]] = {
    row["id"]: row
    for row in map(json.loads, (Path(__file__).parent / "cases.jsonl").read_text().splitlines())
}

TRACKED, UNTRACKED, IGNORED = "tracked", "untracked", "ignored"


class Row:
    """What to do with a case's files, and what has to be found."""

    def __init__(self, *found: str, tracked: tuple[str, ...] = (), says: tuple[str, ...] = (),
                 silent_on: tuple[str, ...] = (), hook: str | None = None) -> None:  # fmt: skip
        self.found, self.tracked, self.says = set(found), tracked, says
        self.silent_on, self.hook = silent_on, hook


#: id -> what is tracked ("*" for all, the rest stays untracked), what is found, what is said
ROWS = {
    "startup-root-sitecustomize-ghost-coverage": Row(
        "sitecustomize.py UH101", tracked=("*",), says=("startup module", "dormant")),
    "startup-sitecustomize-systemexit-kills-python": Row(
        "hooks/sitecustomize.py UH101", tracked=("*",)),
    "startup-package-form-sitecustomize": Row("sitecustomize/__init__.py UH101", tracked=("*",)),
    "startup-pycache-orphan-is-inert": Row(tracked=(".gitignore",)),
    "startup-aux-template-shipped-by-packager": Row(
        "packages/aux-files/python/sitecustomize.py UH101", tracked=("*",)),
    "startup-pythonnouser-zero-is-not-off": Row(".env:1 UH304 info", tracked=("*",)),
    "pth-litellm-init-malicious": Row(
        "demo_init.pth:1 UH102", says=("executable .pth line", "import os, subprocess", "sha256")),
    "pth-hades-setup-wave": Row(
        "tools/newpkg-setup.pth:1 UH102", tracked=(".gitignore",),
        says=("ignored by .gitignore:1",)),
    "pth-real-distutils-precedence-in-pypackages": Row(tracked=(".gitignore",)),
    "pth-torch-weights-legacy-pickle": Row(tracked=("*",)),
    "pth-git-lfs-pointer-is-text": Row(tracked=("*",)),
    "pth-tab-after-import-and-leading-space": Row(
        "a.pth:1 UH102", "b.pth:1 UH102", says=("on Python 3.15 only",)),
    "pth-appledouble-sidecar": Row(),
    "pth-start-file-pep829": Row(
        "plugin.start:1 UH104", says=("start-up entry point (Python >= 3.15",)),
    "pth-start-extension-openrc-script": Row(tracked=("*",)),
    "pth-embedded-underscore-pth": Row(
        "runtime/python311._pth UH105", tracked=("*",), says=("re-enables the user site",)),
    "pth-hardcoded-excludes-are-a-hole": Row(
        "build/lib/boot.pth:1 UH102", ".github/sitecustomize.py UH101",
        tracked=(".gitignore", ".github/sitecustomize.py")),
    "root-untracked-package-dir-imported-by-tests": Row(
        "scripts/__init__.py UH201", "scripts/_loader.py UH201", tracked=("tests/test_env.py",),
        says=("imported by tests/test_env.py:1",)),
    "root-gitignored-root-py-ghost": Row(
        "helper.py UH201", tracked=(".gitignore", "pkg/__init__.py", "pkg/core.py"),
        says=("ignored by .gitignore:1", "imported by pkg/core.py:1",
              "a clean clone cannot import it")),
    "root-forgot-folder-issue-report": Row(
        "src/errors.py UH201", tracked=("src/app.py",), says=("imported by src/app.py:1",)),
    "root-mock-hides-missing-module": Row(
        "version.py UH201", tracked=("main.py", "tests/test_m.py"),
        says=("imported by main.py:1",)),
    "root-generated-version-file": Row(tracked=(".gitignore", "pyproject.toml", "pkg/__init__.py")),
    "root-token-breaks-logging": Row(
        "token.py UH202", says=("shadows the standard library's token",)),
    "root-email-inside-package-is-fine": Row(tracked=("*",)),
    "root-utils-logging-is-fine": Row("utils/__init__.py UH204", silent_on=("shadows",)),
    "root-private-and-builtin-names-cannot-shadow": Row(
        "_abc.py UH204", "time.py UH204", "os.py UH202",
        says=("can never be imported: a built-in module wins", "on Python 3.8-3.10 only")),
    "root-test-py-not-in-stdlib-names": Row("test.py UH202", says=("library's test",)),
    "root-stub-file-no-shadow": Row(),
    "root-non-ascii-and-space-names": Row(
        "naïve.py UH201", tracked=("pkg/__init__.py",), says=("naïve.py",)),
    "root-legacy-pyc-and-so-ghost": Row(
        "oldmod.pyc UH201", "speed.cpython-311-x86_64-linux-gnu.so UH201 warning",
        tracked=(".gitignore", "app.py"),
        says=("imported by app.py:2", "no source of it is tracked",
              "a built artifact, imported by app.py:1")),
    "root-pre-commit-stash-leaves-untracked": Row(
        "newmod.py UH201", tracked=("pkg/__init__.py",), says=("imported by pkg/__init__.py:1",)),
    "root-staged-together-ok": Row(tracked=("*",)),
    "root-code-package-in-test-dir": Row(
        "code.py UH202", tracked=("tests/unit/code/__init__.py", "tests/unit/test_a.py")),
    "root-types-in-script-dir-breaks-site": Row(tracked=("*",)),
    "where-namespace-does-not-beat-regular": Row(silent_on=("shadows",)),
    "ux-zero-files-scanned-reads-as-clean": Row("sitecustomize.py UH101"),
    "ux-baseline-line-number-churn": Row("docker-compose.yml:4 UH301 warning", tracked=("*",)),
    "ux-allow-entry-path-rule-hash": Row("tests/fixtures/a.pth:1 UH102", tracked=("*",)),
    "ux-maintainer-view-only-committed": Row("newmod.py UH204"),
    "ux-dotfile-rule-noise-in-repos": Row(tracked=("*",)),
    "ux-ci-and-local-disagree-on-scanner-output": Row("a.pth:1 UH102", "b.pth:1 UH102"),
    "ux-hook-broken-by-project-named-like-its-package": Row(
        "json.py UH202", "sitecustomize.py UH101"),
}  # fmt: skip
#: cases with a test of their own below, because more has to be done than to look
BY_HAND = {
    "startup-legit-coverage-sitecustomize-allowlisted",
    "root-intent-to-add-counts-as-tracked",
    "ux-repo-controlled-ignore-disables-scanner",
}
#: kinds that other tables answer
ELSEWHERE = {"pythonpath", "fingerprint", "compare", "where", "isolate"}


def _prepare(repo: Repository, case: str) -> dict[str, str]:
    given = CASES[case]["minimal_input"]
    repo.write(given["files"])
    return {name: value for name, value in given["env"].items() if name.isupper()}


@pytest.mark.parametrize("case", ROWS)
def test_case(case: str, repo: Repository) -> None:
    row = ROWS[case]
    env = _prepare(repo, case)
    if row.tracked == ("*",):
        repo.add(".")
    elif row.tracked:
        repo.add(*row.tracked)
    done = repo.check(env=env)
    assert done.code == int(any("info" not in f and "warning" not in f for f in row.found)), done
    assert done.findings() == row.found
    text = run(*UNHAUNT, "check", "-v", cwd=repo.path, env=env).out
    for words in row.says:
        assert words in text
    for words in row.silent_on:
        assert words not in text


def test_every_static_case_has_a_row() -> None:
    static = {
        case for case, row in CASES.items()
        if row["kind"] not in ELSEWHERE and row["minimal_input"]["files"]
    }  # fmt: skip
    assert static - ROWS.keys() - BY_HAND == set()


def test_an_unstaged_import_makes_no_edge(repo: Repository) -> None:
    repo.commit({"pkg/__init__.py": ""})
    repo.write({"pkg/__init__.py": "import newmod\n", "newmod.py": "X=1\n"})
    assert repo.findings() == {"newmod.py UH204"}


def test_without_its_declaration_a_generated_file_is_missing(repo: Repository) -> None:
    _prepare(repo, "root-generated-version-file")
    repo.write({"pyproject.toml": ""})
    repo.add(".gitignore", "pyproject.toml", "pkg/__init__.py")
    assert repo.findings() == {"_version.py UH201"}


def test_intent_to_add_is_not_in_this_commit(repo: Repository) -> None:
    _prepare(repo, "root-intent-to-add-counts-as-tracked")
    repo.add("pkg")
    repo.git("add", "-N", "helper.py")
    done = repo.check()
    assert done.findings() == {"helper.py UH201"}
    assert "in the index only as intent-to-add; this commit will not contain it" in done.out
    assert done.json()["findings"][0]["visibility"] == "intent-to-add"


def test_an_accepted_file_is_an_error_again_after_one_byte(repo: Repository) -> None:
    _prepare(repo, "startup-legit-coverage-sitecustomize-allowlisted")
    config = CASES["startup-legit-coverage-sitecustomize-allowlisted"]["minimal_input"]["files"]
    digest = hashlib.sha256(config["sitecustomize.py"].encode()).hexdigest()
    text = config["pyproject.toml"].replace("<hash of the file>", digest)
    repo.commit({"sitecustomize.py": config["sitecustomize.py"], "pyproject.toml": text})
    done = run(*UNHAUNT, "check", cwd=repo.path)
    assert (done.code, done.out) == (0, "1 allowed: sitecustomize.py (child-process coverage)\n")
    repo.write({"sitecustomize.py": config["sitecustomize.py"] + "#"})
    assert repo.findings() == {"sitecustomize.py UH101"}
    repo.git("checkout", "-q", "sitecustomize.py")
    repo.commit({"pyproject.toml": text.replace("2099-01-01", "2020-01-01")})
    assert "expired on 2020-01-01" in run(*UNHAUNT, "check", cwd=repo.path).out
    repo.commit({"pyproject.toml": text.replace("reason = 'child-process coverage'\n", "")})
    refused = run(*UNHAUNT, "check", cwd=repo.path)
    assert refused.code == 2
    assert "allow entry 1 (sitecustomize.py): reason is missing" in refused.err


def _new_entry(repo: Repository, path: str) -> Ran:
    repo.write({
        "pyproject.toml": f'[[tool.unhaunt.allow]]\nrule = "UH101"\npath = "{path}"\nreason = "r"\n'
    })  # fmt: skip
    repo.add("pyproject.toml")
    return run(*UNHAUNT, "check", "--strict", cwd=repo.path)


def test_a_repository_cannot_switch_the_check_off(repo: Repository) -> None:
    repo.commit({"a.txt": ""})
    _prepare(repo, "ux-repo-controlled-ignore-disables-scanner")
    repo.add(".guardignore")
    assert repo.findings() == {"sitecustomize.py UH101"}
    fresh = _new_entry(repo, "sitecustomize.py")
    assert (fresh.code, fresh.out) == (1, "1 allowed: sitecustomize.py (NEW, r)\n")
    assert _new_entry(repo, "**").code == 2
