"""`unhaunt verify`: the four checks, and what another machine says of them."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests import interpreters
from tests.commandline import Done, environment, unhaunt
from tests.planted import Plant, Planted, planted, words
from unhaunt.running.locks import Wish, fits, wishes

FITS = {
    ("3.11.7", ">=3.11"): True,
    ("3.11.7", ">=3.11,<3.12"): True,
    ("3.12.0", ">=3.11,<3.12"): False,
    ("3.11.7", "==3.11.*"): True,
    ("3.11.7", "==3.11"): False,
    ("3.11.0", "==3.11"): True,
    ("3.12.1", "!=3.12.*"): False,
    ("3.12.1", "~=3.11"): True,
    ("3.12.1", "~=3.11.2"): False,
    ("3.12.1", "^3.10"): True,
    ("3.12.1", "~3.11"): False,
    ("3.11.7", "=3.11"): True,
    ("3.11.7", "=3.11.4"): False,
    ("3.13.0", ">3.12"): True,
    ("3.12.0", "<=3.12"): True,
    ("3.12.1", ">=3.9 || ==3.8.*"): True,
    ("3.9.1", "3.8.*|3.9.*"): True,
    ("3.9.1", "*"): True,
    ("3.9.1", "whatever you have"): None,
}


@pytest.mark.parametrize("case", FITS, ids=" for ".join)
def test_a_version_fits_a_specifier(case: tuple[str, str]) -> None:
    assert fits(*case) is FITS[case]


ASKED = {
    "pyproject.toml": ('[project]\nname = "x"\nrequires-python = ">=3.11"\n', ">=3.11"),
    ".python-version": ("# the project's\n3.12.1\n", "=3.12.1"),
    "uv.lock": ('version = 1\nrequires-python = ">=3.12"\n', ">=3.12"),
    "pylock.toml": ('lock-version = "1.0"\nrequires-python = "==3.12.*"\n', "==3.12.*"),
    "poetry.lock": ('[metadata]\npython-versions = "^3.10"\n', "^3.10"),
    "pdm.lock": ('[[metadata.targets]]\nrequires_python = "~=3.11"\n', "~=3.11"),
    "environment.yml": ("dependencies:\n  - conda-forge::python=3.11.4=h1\n  - pip\n", "=3.11.4"),
    "conda-lock.yml": ("- name: python\n  manager: conda\n  version: 3.11.9\n", "==3.11.9"),
    "pixi.toml": ('[dependencies]\npython = "3.12.*"\n', "3.12.*"),
}
NOT_ASKED = {
    "pyproject.toml": "[project\n",
    ".python-version": "my-environment\n",
    "environment.yml": "dependencies:\n  - python-dateutil=2\n  - ipython\n",
}


@pytest.mark.parametrize("name", ASKED)
def test_what_a_file_asks_for(name: str) -> None:
    text, specifier = ASKED[name]
    assert wishes({name: text}) == (Wish(name, specifier),)


@pytest.mark.parametrize("name", NOT_ASKED)
def test_what_asks_for_nothing(name: str) -> None:
    assert wishes({name: NOT_ASKED[name]}) == ()


# --- with real interpreters ---

ROW = Plant(
    "{python} check.py",
    {
        "pyproject.toml": '[project]\nname = "x"\nversion = "1"\nrequires-python = ">=3.8"\n',
        "src/helper.py": "NEW = 0\n",
        "check.py": "import helper\n",
    },
    editable="src",
)
NAMES = ["interpreter", "startup", "isolated", "origins"]


def asked(built: Planted, row: Plant, *more: str, **env: str) -> Done:
    command = ["verify", "--format", "json", *more, "--", *words(row, built)]
    return unhaunt(*command, cwd=built.root, env={**built.env, **env})


def results(done: Done) -> dict[str, bool | None]:
    return {check["name"]: check["passed"] for check in done.json["checks"]}


def test_all_four_pass_on_both_machines(tmp_path: Path) -> None:
    built = planted(ROW, tmp_path)
    first = asked(built, ROW)
    assert results(first) == {**dict.fromkeys(NAMES, True), "startup": None}
    assert first.code == 0
    file = tmp_path / "laptop.json"
    file.write_text(first.out)
    second = asked(built, ROW, "--baseline", str(file))
    assert set(results(second).values()) == {True}
    assert second.json["same_story"] is True


def test_the_interpreter_is_another_one(tmp_path: Path) -> None:
    built = planted(ROW, tmp_path)
    (built.root / ".python-version").write_text("3.7\n")
    done = asked(built, ROW)
    check = done.json["checks"][0]
    assert (done.code, check["passed"]) == (1, False)
    assert ".python-version asks for =3.7" in check["because"]


def test_startup_code_that_the_baseline_lacks(tmp_path: Path) -> None:
    interpreters.needs_sitecustomize()
    built = planted(ROW, tmp_path)
    file = tmp_path / "clean.json"
    done = unhaunt(
        "fingerprint", "--python", built.python, "--output", file, cwd=built.root, env=built.env
    )
    assert done.code == 0, done.err
    (built.site / "sitecustomize.py").write_text("x = 1\n")
    haunted = asked(built, ROW, "--baseline", str(file), PYTHONPATH=str(tmp_path))
    check = haunted.json["checks"][1]
    assert (haunted.code, check["passed"]) == (1, False)
    assert str(built.site / "sitecustomize.py") in check["because"]
    assert "PYTHONPATH" in check["because"]
    assert haunted.json["same_story"] is None


def test_an_explained_difference_is_none(tmp_path: Path) -> None:
    built = planted(ROW, tmp_path)
    file = tmp_path / "laptop.json"
    file.write_text(asked(built, ROW).out)
    (built.site / "sitecustomize.py").write_text("x = 1\n")
    with (built.root / "pyproject.toml").open("a") as stream:
        stream.write(
            '[[tool.unhaunt.explain]]\nfact = "startup.*"\nreason = "the sandbox\'s own"\n'
        )
    assert results(asked(built, ROW, "--baseline", str(file)))["startup"] is True


def test_it_passes_only_with_the_environment(tmp_path: Path) -> None:
    row = ROW._replace(editable="", env={"PYTHONPATH": "src"})
    built = planted(row, tmp_path)
    done = asked(built, row)
    assert results(done)["isolated"] is False
    assert "unhaunt run --bisect -- " in done.json["checks"][2]["next"]
    assert done.code == 1


def test_a_changed_file_imports_code_from_elsewhere(tmp_path: Path) -> None:
    row = ROW._replace(editable="", present={"{site}/helper.py": ""})
    built = planted(row, tmp_path)
    built.repository.git("switch", "-qc", "patch")
    done = asked(built, row)  # nothing was changed, and yet other code was tested
    assert (done.code, results(done)["origins"]) == (1, False)
    assert "outside this checkout" in done.json["checks"][3]["because"]
    built.repository.commit({"check.py": "import helper\nprint(helper)\n"})
    for more in ([], ["--base", "main"]):
        check = asked(built, row, *more).json["checks"][3]
        assert check["passed"] is False
        assert check["because"] == f"helper comes from {built.site / 'helper.py'}"


def test_an_import_that_the_command_did_not_reach_is_resolved(tmp_path: Path) -> None:
    built = planted(ROW, tmp_path)
    built.repository.write({"src/other.py": "", "new.py": "import other, helper, json\n"})
    check = asked(built, ROW).json["checks"][3]
    assert check["passed"] is True
    assert check["because"].startswith("2 imports of the files that differ from HEAD")


def test_a_base_that_is_not_there(tmp_path: Path) -> None:
    built = planted(ROW, tmp_path)
    done = asked(built, ROW, "--base", "nowhere")
    assert done.code == 2
    assert "nowhere: no such revision" in done.err


def test_markdown_can_be_pasted(tmp_path: Path) -> None:
    built = planted(ROW, tmp_path)
    command = ["verify", "--format", "markdown", "--", *words(ROW, built)]
    done = unhaunt(*command, cwd=built.root, env=built.env)
    lines = done.out.splitlines()
    assert lines[0] == "### unhaunt verify: trust"
    assert [line.split("|")[2].strip() for line in lines[4:]] == NAMES


def test_the_other_machine_tells_another_story(tmp_path: Path) -> None:
    built = planted(ROW, tmp_path)
    there = asked(built, ROW).json
    there["checks"][2]["passed"] = False
    file = tmp_path / "there.json"
    file.write_text(json.dumps(there))
    done = asked(built, ROW, "--baseline", str(file))
    assert "isolated: passed here, failed there" in done.json["story"]
    assert done.json["same_story"] is False


STALE = Plant(
    "{python} -m pytest -q -p no:cacheprovider tests",
    {
        "pyproject.toml": '[project]\nname = "pkg2"\nversion = "1"\n',
        "src/pkg2/__init__.py": "VALUE = 1\n",
        "tests/test_it.py": "import pkg2\ndef test_value():\n    assert pkg2.VALUE\n",
    },
    present={"{site}/pkg2/__init__.py": "VALUE = 1\n"},
)


def test_a_stale_copy_is_tested_in_place_of_the_changed_file(tmp_path: Path) -> None:
    built = planted(STALE, tmp_path)
    built.repository.write({"src/pkg2/__init__.py": "VALUE = 2\n"})
    done = asked(built, STALE)
    check = done.json["checks"][3]
    assert (done.code, check["passed"], done.json["trust"]) == (1, False, False)
    assert check["because"] == f"pkg2 comes from {built.site / 'pkg2/__init__.py'}"
    row = STALE._replace(command="{python} -c 0")  # not imported at all
    check = asked(built, row).json["checks"][3]
    assert check["because"] == f"pkg2 comes from {built.site / 'pkg2/__init__.py'}"


def test_a_copy_within_the_checkout_is_not_the_changed_file(tmp_path: Path) -> None:
    committed = {**STALE.committed, "build/lib/pkg2/__init__.py": "VALUE = 1\n"}
    row = STALE._replace(present={}, editable="build/lib", committed=committed)
    built = planted(row, tmp_path)
    built.repository.write({"src/pkg2/__init__.py": "VALUE = 2\n"})
    done = asked(built, row)
    check = done.json["checks"][3]
    assert (done.code, check["passed"]) == (1, False)
    assert check["because"] == f"pkg2 comes from {built.root / 'build/lib/pkg2/__init__.py'}"


def test_a_changed_file_that_was_run_is_at_home(tmp_path: Path) -> None:
    row = STALE._replace(present={}, editable="src")
    built = planted(row, tmp_path)
    built.repository.write({"src/pkg2/__init__.py": "VALUE = 2\n", "src/pkg2/more.py": ""})
    done = asked(built, row)
    assert (done.code, results(done)["origins"]) == (0, True), done.out
    assert "and 2 modules among these files" in done.json["checks"][3]["because"]


def test_an_imported_file_that_is_in_no_commit_is_told(tmp_path: Path) -> None:
    built = planted(ROW, tmp_path)
    built.repository.write({"check.py": "import helper, extra\n", "extra.py": ""})
    check = asked(built, ROW).json["checks"][3]
    assert (check["passed"], check["next"][:8]) == (False, "git add ")
    assert "extra.py, which is in no commit [untracked" in check["because"]


def test_nothing_is_known_when_no_python_reported(tmp_path: Path) -> None:
    built = planted(ROW, tmp_path)
    done = asked(built, ROW._replace(command="true"))
    assert (done.code, done.json["trust"]) == (1, False)
    assert (results(done)["isolated"], results(done)["origins"]) == (None, None)


def test_outside_a_repository_there_is_no_patch(tmp_path: Path) -> None:
    done = unhaunt("verify", "--", "true", cwd=tmp_path, env=environment(tmp_path))
    assert (done.code, done.out) == (2, "")
    assert "not a repository" in done.err


def test_a_lock_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    built = planted(ROW, tmp_path)
    (built.root / "uv.lock").write_text("version = \n")
    (built.root / "poetry.lock").write_bytes(b"\xff\xfe")
    check = asked(built, ROW).json["checks"][0]
    assert check["passed"] is None
    assert check["because"].endswith("; uv.lock, poetry.lock could not be read")


MALFORMED: dict[str, dict[str, object]] = {
    "checks are a number": {"checks": 5},
    "no checks": {},
    "an empty list": {"checks": []},
    "a check is no table": {"checks": [5]},
    "a check without an answer": {"checks": [{"name": "startup"}]},
    "an answer that is none": {"checks": [{"name": "startup", "passed": "yes"}]},
    "the fingerprint is a number": {
        "checks": [{"name": "startup", "passed": True}], "fingerprint": 5
    },
    "the fingerprint's parts are numbers": {
        "checks": [{"name": "startup", "passed": True}],
        "fingerprint": {"schema": "unhaunt.fingerprint/1", "startup": 5, "interpreter": 7},
    },
    "something else": {"schema": "other"},
}  # fmt: skip


@pytest.mark.parametrize("name", MALFORMED)
def test_a_baseline_that_is_none(name: str, tmp_path: Path) -> None:
    file = tmp_path / "base.json"
    file.write_text(json.dumps({"schema": "unhaunt.verify/1", **MALFORMED[name]}))
    done = unhaunt("verify", "--baseline", file, "--", "true", cwd=tmp_path)
    assert (done.code, done.out) == (2, "")
    assert f"{file} is not a verify result or fingerprint" in done.err


@pytest.mark.parametrize("schema", ["unhaunt.verify/2", "unhaunt.fingerprint/2"])
def test_a_baseline_that_a_later_unhaunt_wrote(schema: str, tmp_path: Path) -> None:
    file = tmp_path / "base.json"
    file.write_text(json.dumps({"schema": schema}))
    done = unhaunt("verify", "--baseline", file, "--", "true", cwd=tmp_path)
    assert (done.code, done.out) == (2, "")
    assert f"{file} was written by a later unhaunt ({schema}; this one reads" in done.err


def test_a_baseline_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "base.json").write_bytes(b"\xff\xfe{")
    for name, reason in (
        ("none", "No such file or directory"),
        ("base.json", "it is no UTF-8 text"),
    ):
        done = unhaunt("verify", "--baseline", name, "--", "true", cwd=tmp_path)
        assert (done.code, done.err.split("\n")[0]) == (2, f"error: cannot read {name}: {reason}")


def test_a_base_that_git_would_take_for_an_option(tmp_path: Path) -> None:
    built = planted(ROW, tmp_path)
    done = asked(built, ROW, "--base=--output=x")
    assert (done.code, (built.root / "x").exists()) == (2, False)
    assert "--output=x: no such revision" in done.err


@pytest.mark.parametrize("command", ["verify", "fingerprint"])
def test_another_startup_is_another_story(command: str, tmp_path: Path) -> None:
    interpreters.needs_sitecustomize()
    built = planted(ROW, tmp_path)
    file = tmp_path / "the base.json"
    if command == "verify":
        file.write_text(asked(built, ROW).out)
    else:
        given = ("--python", built.python, "--output", file)
        unhaunt("fingerprint", *given, cwd=built.root, env=built.env)
    (built.site / "sitecustomize.py").write_text("x = 1\n")
    done = asked(built, ROW, "--baseline", str(file))
    assert results(done)["startup"] is False
    if command == "verify":
        assert done.json["same_story"] is False
        assert done.json["story"][0].startswith("startup: not as there: ")
    compared = subprocess.run(
        ["/bin/sh", "-c", done.json["checks"][1]["next"]],
        cwd=built.root, env=built.env, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (compared.returncode, compared.stderr) == (1, "")
    assert "sitecustomize" in compared.stdout
