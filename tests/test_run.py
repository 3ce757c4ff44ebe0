"""`unhaunt run`: the table of planted failures, and what a user sees."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import sysconfig
import time
from math import log2
from pathlib import Path

import pytest

from tests import interpreters
from tests.commandline import UNHAUNT, Done, environment, unhaunt
from tests.planted import PYTEST, Plant, Planted, bare, made_environment, planted, words
from unhaunt.running.outcome import outcome

CLEAN = "import builtins, sys\nsys.exit(getattr(builtins, 'HAUNTED', 0))\n"
HAUNT = "import builtins; builtins.HAUNTED = 1\n"
#: a src layout whose check fails when another helper comes first
HELPER = {
    "src/helper.py": "NEW = 0\n",
    "check.py": "import helper, sys\nsys.exit(0 if hasattr(helper, 'NEW') else 3)\n",
}
OLD = {"{tmp}/old/helper.py": "OLD = 1\n"}
TEST = {"tests/test_it.py": "import helper\ndef test_new():\n    helper.NEW\n"}
TESTS = {"src/helper.py": "NEW = 0\n", **TEST}
FLAT = {"helper.py": "NEW = 0\n", **TEST}
CHILD = {
    "src/helper.py": "NEW = 0\n",
    "check.py": (
        "import subprocess, sys\n"
        "sys.exit(subprocess.call([sys.executable, '-c', 'import helper; helper.NEW']))\n"
    ),
}
CHILD_CLEAN = {
    "check.py": (
        "import subprocess, sys\n"
        "code = 'import builtins, sys; sys.exit(getattr(builtins, \"HAUNTED\", 0))'\n"
        "sys.exit(subprocess.call([sys.executable, '-c', code]))\n"
    )
}
IMPORTS = {"check.py": "import extra\n"}
DEPENDENCY = {"{tmp}/lib/extra.py": ""}
SITE_COPY = {"{site}/helper.py": "NEW = 0\n"}

TABLE = {
    "flat, a script: the PYTHONPATH element with an old helper": Plant(
        "{python} check.py", HELPER, ("PYTHONPATH element 1: ",), editable="src",
        present=OLD, env={"PYTHONPATH": "{tmp}/old"},
    ),
    "the second of three PYTHONPATH elements": Plant(
        "{python} check.py", HELPER, ("PYTHONPATH element 2: ",), editable="src",
        present={**OLD, "{tmp}/a/x.py": "", "{tmp}/b/y.py": ""},
        env={"PYTHONPATH": "{tmp}/a:{tmp}/old:{tmp}/b"},
    ),
    "borrowed: a dependency that only PYTHONPATH supplies": Plant(
        "{python} check.py", IMPORTS, ("PYTHONPATH element 1: ",),
        present=DEPENDENCY, env={"PYTHONPATH": "{tmp}/lib"},
    ),
    "borrowed: a dependency of the user site": Plant(
        "{python} check.py", IMPORTS, ("user site: ",), present={"{home}/extra.py": ""}, system=True
    ),
    "sitecustomize in site-packages": Plant(
        "{python} check.py", {"check.py": CLEAN}, ("sitecustomize: ",),
        present={"{site}/sitecustomize.py": HAUNT},
    ),
    "sitecustomize in the user site": Plant(
        "{python} check.py", {"check.py": CLEAN}, ("sitecustomize: ",),
        present={"{home}/sitecustomize.py": HAUNT}, system=True,
    ),
    "usercustomize in the user site": Plant(
        "{python} check.py", {"check.py": CLEAN}, ("usercustomize: ",),
        present={"{home}/usercustomize.py": HAUNT}, system=True,
    ),
    "sitecustomize in a PYTHONPATH element": Plant(
        "{python} check.py", {"check.py": CLEAN}, ("sitecustomize: ",),
        present={"{tmp}/p/sitecustomize.py": HAUNT}, env={"PYTHONPATH": "{tmp}/p"},
    ),
    "the second line of a .pth": Plant(
        "{python} check.py", {"check.py": CLEAN}, ("{site}/a.pth line 2: ",),
        present={"{site}/a.pth": f"import os\n{HAUNT}import re\n", "{site}/b.pth": "import os\n"},
    ),
    "a .pth line of the user site": Plant(
        "{python} check.py", {"check.py": CLEAN}, ("{home}/a.pth line 1: ",),
        present={"{home}/a.pth": HAUNT}, system=True,
    ),
    "a .pth path to an old checkout, before the editable one": Plant(
        "{python} check.py", HELPER, ("{site}/a.pth line 1: ",), editable="src",
        present={**OLD, "{site}/a.pth": "{tmp}/old\n"},
    ),
    "borrowed: a dependency that a .pth path supplies": Plant(
        "{python} check.py", IMPORTS, ("{site}/lib.pth line 1: ",),
        present={**DEPENDENCY, "{site}/lib.pth": "{tmp}/lib\n"},
    ),
    "borrowed: PYTHONOPTIMIZE takes an assertion away": Plant(
        "{python} check.py", {"check.py": "assert False\n"}, ("PYTHONOPTIMIZE=1",),
        env={"PYTHONOPTIMIZE": "1"},
    ),
    "PYTHONWARNINGS makes a warning an error": Plant(
        "{python} check.py", {"check.py": "import warnings\nwarnings.warn('x')\n"},
        ("PYTHONWARNINGS=error",), env={"PYTHONWARNINGS": "error", "PYTHONHASHSEED": "0"},
    ),
    "borrowed: an untracked module": Plant(
        "{python} check.py", IMPORTS, ("{root}/extra.py [untracked",), present={"extra.py": ""}
    ),
    "borrowed: an ignored module": Plant(
        "{python} check.py", {**IMPORTS, ".gitignore": "extra.py\n"},
        ("{root}/extra.py [ignored",), present={"extra.py": ""},
    ),
    "an untracked module that hides an installed one": Plant(
        "{python} check.py", {"check.py": HELPER["check.py"]}, ("{root}/helper.py [untracked",),
        present={**SITE_COPY, "helper.py": "OLD = 1\n"},
    ),
    "two that act together: a startup module imports from PYTHONPATH": Plant(
        "{python} -m check", {"helper.py": "NEW = 0\n", "check.py": HELPER["check.py"]},
        ("PYTHONPATH element 1: ", "sitecustomize: "), system=True,
        present={**OLD, "{home}/sitecustomize.py": "import helper\n"},
        env={"PYTHONPATH": "{tmp}/old"},
    ),
    "two, each enough alone: a .pth line and a sitecustomize": Plant(
        "{python} check.py", {"check.py": CLEAN}, ("sitecustomize: ", "{site}/a.pth line 1: "),
        present={"{site}/a.pth": HAUNT, "{tmp}/p/sitecustomize.py": HAUNT},
        env={"PYTHONPATH": "{tmp}/p"},
    ),
    "a child: PYTHONPATH reaches it": Plant(
        "{python} check.py", CHILD, ("PYTHONPATH element 1: ",), editable="src",
        present=OLD, env={"PYTHONPATH": "{tmp}/old"},
    ),
    "a child: a startup module of a PYTHONPATH element": Plant(
        "{python} check.py", CHILD_CLEAN, ("sitecustomize: ",),
        present={"{tmp}/p/sitecustomize.py": HAUNT}, env={"PYTHONPATH": "{tmp}/p"},
    ),
    "children that get this process's own flags: a .pth line": Plant(
        "{python} check.py",
        {
            "check.py": (
                "import builtins, multiprocessing, sys\nimport extra\n"
                "if __name__ == '__main__':\n"
                "    with multiprocessing.get_context('spawn').Pool(1) as pool:\n"
                "        assert pool.map(extra.double, [1]) == [2]\n"
                "    sys.exit(getattr(builtins, 'HAUNTED', 0))\n"
            )
        },
        ("{site}/a.pth line 1: ",),
        present={"{site}/a.pth": HAUNT, "{site}/extra.py": "def double(x): return 2 * x\n"},
    ),
    "make: PYTHONPATH": Plant(
        "make -s test", {**HELPER, "Makefile": "test:\n\t@python check.py\n"},
        ("PYTHONPATH element 1: ",), editable="src", present=OLD, env={"PYTHONPATH": "{tmp}/old"},
    ),
    "make: PYTHONOPTIMIZE": Plant(
        "make -s test", {"check.py": "assert False\n", "Makefile": "test:\n\t@python check.py\n"},
        ("PYTHONOPTIMIZE=1",), env={"PYTHONOPTIMIZE": "1"},
    ),
    "a shell script: sitecustomize of the user site": Plant(
        "sh eval.sh", {"check.py": CLEAN, "eval.sh": "exec python check.py\n"},
        ("sitecustomize: ",), present={"{home}/sitecustomize.py": HAUNT}, system=True,
    ),
    "like tox: a Python program that starts the tests of another": Plant(
        "{root}/tox", {**HELPER, "tox": "#!/bin/sh\nexec python check.py\n"},
        ("PYTHONPATH element 1: ",), editable="src", present=OLD, env={"PYTHONPATH": "{tmp}/old"},
    ),
    "python -c": Plant(
        "{python} -c import(helper),(helper).NEW", HELPER, ("PYTHONPATH element 1: ",),
        editable="src", present=OLD, env={"PYTHONPATH": "{tmp}/old"},
    ),
    "the active environment is not the one in use": Plant(
        "{python} check.py",
        {"check.py": "import os, sys\nsys.exit('other/bin' in os.environ['PATH'])\n"},
        ("VIRTUAL_ENV=",), present={"{tmp}/other/pyvenv.cfg": ""},
        env={"VIRTUAL_ENV": "{tmp}/other", "PATH": "{tmp}/other/bin:/usr/bin:/bin"},
    ),
    "a variable that conda's activation sets": Plant(
        "{python} check.py", {"check.py": "import os, sys\nsys.exit('MODE' in os.environ)\n"},
        ("MODE, which conda sets",), env={"CONDA_PREFIX": "{tmp}/conda", "MODE": "fast"},
        present={"{tmp}/conda/conda-meta/state": '{"env_vars": {"MODE": "fast"}}'},
    ),
    "a current directory that is no root of ours": Plant(
        "{python} -m check", {"src/helper.py": "NEW = 0\n", "src/check.py": HELPER["check.py"]},
        ("sys.path[0]: ", "{root}/scratch/helper.py [untracked"), editable="src",
        present={"scratch/helper.py": "OLD = 1\n"}, cwd="scratch",
    ),
    "src, python -m pytest: an old helper": Plant(
        "{python} -m pytest -q -p no:cacheprovider tests", TESTS, ("PYTHONPATH element 1: ",),
        editable="src", present=OLD, env={"PYTHONPATH": "{tmp}/old"},
    ),
    "pytest, importlib mode: an old helper by .pth": Plant(
        "{python} -m pytest -q -p no:cacheprovider --import-mode=importlib tests", TESTS,
        ("{site}/a.pth line 1: ",), editable="src", present={**OLD, "{site}/a.pth": "{tmp}/old\n"},
    ),
    "pytest as a console script: options from the environment": Plant(
        "pytest -q -p no:cacheprovider tests", TESTS, ("PYTEST_ADDOPTS=",), editable="src",
        env={"PYTEST_ADDOPTS": "-k nothing"},
    ),
}  # fmt: skip

NO_PLANT = {
    "flat, a script": Plant("{python} check.py", {"check.py": CLEAN}, verdict="trust"),
    "src, editable": Plant("{python} check.py", HELPER, verdict="trust", editable="src"),
    "a failure of its own": Plant("{python} check.py", {"check.py": "1 / 0\n"}, verdict="failing"),
    "flat, python -m pytest": Plant(
        "{python} -m pytest -q -p no:cacheprovider tests", FLAT, verdict="trust"
    ),
    "flat, a namespace package": Plant(
        "{python} -m tools.check",
        {"tools/check.py": "import lib.part.helper\n", "lib/part/helper.py": ""}, verdict="trust",
    ),
    "a failing test of its own, with things around": Plant(
        "{python} check.py", {"check.py": "raise SystemExit(1)\n"}, verdict="failing", system=True,
        present={"{tmp}/a/x.py": "", "{home}/sitecustomize.py": "", "{site}/a.pth": "import os\n"},
        env={"PYTHONPATH": "{tmp}/a", "PYTHONHASHSEED": "1"},
    ),
    "make": Plant(
        "make -s test", {**HELPER, "Makefile": "test:\n\t@python check.py\n"}, verdict="trust",
        editable="src",
    ),
    "a child": Plant("{python} check.py", CHILD, verdict="trust", editable="src"),
}  # fmt: skip


def bisected(row: Plant, folder: Path, *more: str) -> tuple[Planted, Done]:
    built = planted(row, folder)
    asked = ["run", "--bisect", "--format", "json", *more, "--", *words(row, built)]
    return built, unhaunt(*asked, cwd=built.root / row.cwd, env=built.env)


@pytest.mark.parametrize("name", TABLE)
def test_exactly_what_was_planted_is_named(name: str, tmp_path: Path) -> None:
    row = TABLE[name]
    if row.command.startswith("{python} -c"):
        row = row._replace(command="{python} -c import\thelper;helper.NEW")
    built, done = bisected(row, tmp_path)
    found = [one["ingredient"] for one in done.json["culprits"]]
    home = next(tmp_path.glob("home/.local/lib/*/site-packages"), "")
    places = {"site": built.site, "root": built.root, "home": home}
    expected = sorted(e.format(**places) for e in row.expected)
    assert len(found) == len(expected), done.out
    assert all(f.startswith(e) for f, e in zip(sorted(found), expected, strict=True)), found
    assert (done.code, done.json["verdict"]) == (1, row.verdict)
    count, among = len(expected), done.json["ingredients"]
    assert done.json["runs"] <= 2 * count * log2(max(among, 1)) + 4, done.out


@pytest.mark.parametrize("name", NO_PLANT)
def test_no_project_without_a_plant_gets_a_culprit(name: str, tmp_path: Path) -> None:
    row = NO_PLANT[name]
    _, done = bisected(row, tmp_path)
    assert done.json["culprits"] == []
    assert done.json["verdict"] == row.verdict, done.out
    assert done.code == (0 if row.verdict == "trust" else 1)


# --- what a user sees ---


def ran(built: Planted, *asked: str, cwd: Path | None = None, **more: str) -> Done:
    return unhaunt("run", *asked, cwd=cwd or built.root, env={**built.env, **more})


def test_the_story_is_solved_by_one_command(tmp_path: Path) -> None:
    """The user site's sitecustomize and the PYTHONPATH element, which act together."""
    row = Plant(
        "{python} -m pytest tests/test_cli_parse.py -q",
        {
            "cli_helpers.py": "def parse(): return 'new'\n",
            "tests/test_cli_parse.py": (
                "import cli_helpers\ndef test_parse():\n    assert cli_helpers.parse() == 'new'\n"
            ),
        },
        present={
            "{tmp}/old/cli_helpers.py": "def parse(): return 'old'\n",
            "{home}/sitecustomize.py": "import cli_helpers\n",
        },
        env={"PYTHONPATH": "{tmp}/old"},
        system=True,
    )
    built = planted(row, tmp_path)
    env = {**built.env, "PATH": f"{built.python.parent}:{os.defpath}"}
    del env["PYTHONDONTWRITEBYTECODE"]  # the base may have plugins of pytest that are large
    command = ("python", "-m", "pytest", "tests/test_cli_parse.py", "-q")
    done = unhaunt("run", "--bisect", "--", *command, cwd=built.root, env=env)
    startup = next(tmp_path.glob("home/.local/lib/*/site-packages/sitecustomize.py"))
    assert done.code == 1
    assert done.out.startswith("verdict: do-not-trust\nhaunted: ")
    culprits = done.out.split("culprits, which act together:\n")[1]
    assert f"  PYTHONPATH element 1: {tmp_path}/old\n" in culprits
    assert f"  sitecustomize: {startup}\n" in culprits
    assert f"import cli_helpers took {tmp_path}/old/cli_helpers.py" in culprits
    assert "origins-outside: other code was tested" in done.out


def test_all_rungs_and_a_flat_layout(tmp_path: Path) -> None:
    row = Plant("{python} -m check", {"check.py": HELPER["check.py"], "helper.py": "NEW = 0\n"})
    built = planted(row, tmp_path)
    done = ran(built, "--all-rungs", "--format", "json", "--", *words(row, built))
    codes = {leg["name"]: leg["exit_code"] for leg in done.json["legs"]}
    assert codes == {
        "as-is": 0, "scrubbed": 0, "isolated": 0, "strict": 1, "owned-only": 0, "tracked-only": 0
    }  # fmt: skip
    assert (done.code, done.json["verdict"]) == (0, "trust")
    assert any("a flat layout" in note for note in done.json["notes"])


def test_all_rungs_with_the_environment_in_the_checkout(tmp_path: Path) -> None:
    files = {**TESTS, "check.py": "import helper\n", ".gitignore": ".venv\n"}
    built = planted(Plant("x", files), tmp_path)
    made_environment(built.root / ".venv", system=False)
    site = next(built.root.glob(".venv/lib/*/site-packages"))
    (site / "project.pth").write_text(f"{built.root}/src\n")
    pytest_words = [".venv/bin/pytest", "-q", "-p", "no:cacheprovider", "tests"]
    for command in ([".venv/bin/python", "check.py"], pytest_words):
        done = ran(built, "--all-rungs", "--format", "json", "--", *command)
        assert [leg["exit_code"] for leg in done.json["legs"]] == [0] * 6, done.out
        assert (done.code, done.json["verdict"]) == (0, "trust"), done.out


def test_only_the_tracked_files_are_in_the_copy(tmp_path: Path) -> None:
    row = TABLE["borrowed: an untracked module"]
    built = planted(row, tmp_path)
    done = ran(built, "--all-rungs", "--format", "json", "--", *words(row, built))
    codes = {leg["name"]: leg["exit_code"] for leg in done.json["legs"]}
    assert (codes["isolated"], codes["tracked-only"]) == (0, 1)
    assert "and fails tracked-only" in done.json["decisions"][0]["because"]


def test_what_site_packages_haunt_passes_owned_only(tmp_path: Path) -> None:
    row = TABLE["sitecustomize in site-packages"]
    built = planted(row, tmp_path)
    done = ran(built, "--all-rungs", "--format", "json", "--", *words(row, built))
    passing = [leg["name"] for leg in done.json["legs"] if leg["exit_code"] == 0]
    assert (passing, done.json["decisions"][0]["signal"]) == (["owned-only"], "haunted")


def test_what_hides_the_standard_library_is_evidence(tmp_path: Path) -> None:
    row = Plant(
        "{python} check.py",
        {"check.py": "import json\njson.loads\n", "tools/json.py": ""},
        env={"PYTHONPATH": "tools"},
    )
    _, done = bisected(row, tmp_path)
    (culprit,) = done.json["culprits"]
    assert culprit["ingredient"] == "PYTHONPATH element 1: tools"
    assert "it holds json.py: a name of the standard library" in culprit["evidence"]


def test_without_a_repository_five_rungs_are_climbed(tmp_path: Path) -> None:
    (tmp_path / "check.py").write_text("")
    command = ("run", "--all-rungs", "--format", "json", "--", sys.executable, "check.py")
    done = unhaunt(*command, cwd=tmp_path, env=environment(tmp_path))
    assert (done.code, len(done.json["legs"])) == (0, 5)
    assert any(note.startswith("not in a repository") for note in done.json["notes"])


def test_what_passes_only_as_it_is_needs_unisolated(tmp_path: Path) -> None:
    row = TABLE["borrowed: a dependency that only PYTHONPATH supplies"]
    built = planted(row, tmp_path)
    done = ran(built, "--format", "json", "--", *words(row, built))
    signals = [one["signal"] for one in done.json["decisions"]]
    assert (done.code, signals) == (1, ["needs-unisolated", "origins-outside"])
    assert "unhaunt run --bisect -- " in done.json["decisions"][0]["next"]


def test_a_src_layout_on_pythonpath_is_to_be_installed(tmp_path: Path) -> None:
    row = Plant("pytest -q -p no:cacheprovider tests", TESTS, env={"PYTHONPATH": "src"})
    built, done = bisected(row, tmp_path)
    found = {one["signal"]: one["next"] for one in done.json["decisions"]}
    assert found["needs-unisolated"] == (
        f"install the project: {built.python} -m pip install -e ., or set pytest's pythonpath ="
        f' ["src"]; then {sys.executable} -I -m unhaunt run -- {row.command}'
    )


def test_what_is_put_back_is_said(tmp_path: Path) -> None:
    row = Plant("pytest -q -p no:cacheprovider tests", {**FLAT, "conftest.py": ""})
    built = planted(row, tmp_path)
    module = [str(built.python), "-m", *words(row, built)]
    rows = {tuple(words(row, built)): "python -I", tuple(module): "python -I, with the tracked"}
    for command, said in rows.items():
        done = ran(built, "--format", "json", "--", *command)
        removed = done.json["legs"][1]["removed"]
        assert done.code == 0
        assert removed[-1].startswith(said)
        assert ("put back" in removed[-1]) == ("with" in said)
    (tmp_path / "check.py").write_text("")
    done = ran(built, "--format", "json", "--", str(built.python), "check.py", cwd=tmp_path)
    assert done.json["legs"][1]["removed"][-1] == (
        f"python -I, with sys.path[0] ({tmp_path}) that it takes away put back"
    )


def test_a_script_that_a_runner_finds_gets_no_root(tmp_path: Path) -> None:
    built = planted(Plant("x", {"check.py": ""}), tmp_path)
    tools = tmp_path / "tools"
    tools.mkdir()
    code = "import sys\nassert '' not in sys.path and sys.argv[1] not in sys.path, sys.path\n"
    (tools / "check").write_text(f"#!/usr/bin/env python\n{code}")
    (tools / "poetry").write_text('#!/bin/sh\nshift\nexec "$@"\n')
    for tool in tools.iterdir():
        tool.chmod(0o755)
    command = ["poetry", "run", "check", str(built.root)]
    path = f"{tools}:{built.env['PATH']}"
    done = ran(built, "--format", "json", "--", *command, PATH=path)
    assert (done.code, [leg["exit_code"] for leg in done.json["legs"]]) == (0, [0, 0]), done.out
    assert done.json["legs"][1]["removed"][-1] == "python -I"


def test_the_next_command_starts_this_unhaunt(tmp_path: Path) -> None:
    row = TABLE["borrowed: a dependency that only PYTHONPATH supplies"]
    built = planted(row, tmp_path)
    for command, places in (("run", ("decisions", 0)), ("verify", ("checks", 2))):
        asked = (command, "--format", "json", "--", *words(row, built))
        done = unhaunt(*asked, cwd=built.root, env=built.env)
        following = done.json[places[0]][places[1]]["next"]
        assert following.startswith(f"{sys.executable} -I -m unhaunt run --bisect -- ")


def test_green_on_other_code_is_no_green(tmp_path: Path) -> None:
    row = Plant(
        "{python} check.py",
        {"src/helper.py": "NEW = 0\n", "check.py": "import helper\n"},
        present={"{site}/helper.py": "OLD = 1\n"},
    )
    built = planted(row, tmp_path)
    done = ran(built, "--format", "json", "--", *words(row, built))
    assert {leg["exit_code"] for leg in done.json["legs"]} == {0}
    assert (done.code, done.json["verdict"]) == (1, "do-not-trust")
    assert [one["signal"] for one in done.json["decisions"]] == ["origins-outside"]
    assert done.json["legs"][1]["outside"] == [
        {"module": "helper", "path": str(built.site / "helper.py")}
    ]


OUTSIDE = {
    "of a namespace package that is here too": Plant(
        "{python} check.py",
        {"src/space/part.py": "NEW = 0\n", "check.py": "import space.part\n"},
        present={"{tmp}/old/space/part.py": "OLD = 1\n", "{site}/a.pth": "{tmp}/old\n"},
        editable="src",
    ),
    "that a package of the checkout takes from elsewhere": Plant(
        "{python} check.py",
        {
            "src/space/__init__.py": "import os\n__path__.append(os.environ['ELSEWHERE'])\n",
            "check.py": "import space.part\n",
        },
        present={"{tmp}/old/space/part.py": "OLD = 1\n"},
        editable="src",
        env={"ELSEWHERE": "{tmp}/old/space"},
    ),
}


@pytest.mark.parametrize("name", OUTSIDE)
def test_green_on_a_submodule_from_outside_is_no_green(name: str, tmp_path: Path) -> None:
    row = OUTSIDE[name]
    built = planted(row, tmp_path)
    done = ran(built, "--format", "json", "--", *words(row, built))
    assert {leg["exit_code"] for leg in done.json["legs"]} == {0}
    assert (done.code, done.json["verdict"]) == (1, "do-not-trust")
    assert done.json["legs"][1]["outside"] == [
        {"module": "space.part", "path": f"{tmp_path}/old/space/part.py"}
    ]


MADE = "import sys, types\nsys.modules['helper'] = types.ModuleType('helper')\n"
FINDER = (
    "import sys\nfrom importlib.machinery import ModuleSpec\nclass Finder:\n"
    "    def find_spec(self, name, path=None, target=None):\n"
    "        return ModuleSpec(name, self) if name == 'helper' else None\n"
    "    def create_module(self, spec): pass\n"
    "    def exec_module(self, module): pass\n"
    "sys.meta_path.insert(0, Finder())\n"
)


@pytest.mark.parametrize("source", [MADE, FINDER], ids=["put there", "made by a finder"])
@pytest.mark.parametrize("how", ["{python} check.py", "sh check.sh"])
def test_green_on_a_module_without_a_file_is_no_green(
    how: str, source: str, tmp_path: Path
) -> None:
    committed = {
        "helper.py": "", "check.py": "import helper, json\n", "check.sh": "exec python check.py\n"
    }  # fmt: skip
    row = Plant(how, committed, present={"{site}/sitecustomize.py": source})
    built = planted(row, tmp_path)
    done = ran(built, "--format", "json", "--", *words(row, built))
    assert {leg["exit_code"] for leg in done.json["legs"]} == {0}
    assert (done.code, done.json["verdict"]) == (1, "do-not-trust"), done.out
    assert "import helper took a module without a file" in done.json["decisions"][0]["because"]
    assert [one["module"] for one in done.json["legs"][1]["outside"]] == ["helper"]


@pytest.mark.parametrize("base", ["object", "type(sys)"])
def test_a_module_that_puts_an_object_in_its_place_is_green(base: str, tmp_path: Path) -> None:
    made = "object.__new__(Own)" if base == "object" else "Own(__name__)"
    swap = f"import sys\nclass Own({base}): pass\nsys.modules[__name__] = {made}\n"
    row = Plant("{python} check.py", {"helper.py": swap, "check.py": "import helper\n"})
    built = planted(row, tmp_path)
    done = ran(built, "--format", "json", "--", *words(row, built))
    assert (done.code, done.json["verdict"]) == (0, "trust"), done.out


def test_a_namespace_that_others_share_is_green(tmp_path: Path) -> None:
    row = Plant(
        "{python} check.py",
        {"src/space/part.py": "", "check.py": "import space.part, space.other\n"},
        present={
            "{site}/space/other.py": "",
            "{site}/other-1.dist-info/RECORD": "space/other.py,,\n",
        },
        editable="src",
    )
    built = planted(row, tmp_path)
    done = ran(built, "--format", "json", "--", *words(row, built))
    assert (done.code, done.json["verdict"]) == (0, "trust"), done.out


def test_green_on_two_files_of_the_checkout_is_no_green(tmp_path: Path) -> None:
    row = Plant(
        "{python} check.py",
        {"src/helper.py": "", "build/helper.py": "", "check.py": "import helper\n"},
        editable="src",
        env={"PYTHONPATH": "build"},
    )
    built = planted(row, tmp_path)
    done = ran(built, "--format", "json", "--", *words(row, built))
    assert [leg["exit_code"] for leg in done.json["legs"]] == [0, 0]
    assert [one["signal"] for one in done.json["decisions"]] == ["origins-differ"]
    assert done.code == 1


def test_green_because_nothing_ran_is_no_green(tmp_path: Path) -> None:
    row = Plant(
        "{python} check.py",
        HELPER,
        editable="src",
        present={"{tmp}/p/sitecustomize.py": "import os\nos._exit(0)\n"},
        env={"PYTHONPATH": "{tmp}/p"},
    )
    built = planted(row, tmp_path)
    done = ran(built, "--format", "json", "--", *words(row, built))
    assert [leg["exit_code"] for leg in done.json["legs"]] == [0, 0]
    assert (done.code, done.json["decisions"][0]["signal"]) == (1, "unknown")
    assert "no Python said what it imported (as-is)" in done.json["decisions"][0]["because"]


def test_green_without_any_python_is_no_green_anywhere(tmp_path: Path) -> None:
    done = unhaunt("run", "--format", "json", "--", "true", cwd=tmp_path, env=environment(tmp_path))
    assert (done.code, done.json["verdict"]) == (1, "do-not-trust")
    assert [one["signal"] for one in done.json["decisions"]] == ["unknown"]


def test_green_on_a_file_in_no_commit_is_no_green(tmp_path: Path) -> None:
    row = TABLE["borrowed: an untracked module"]
    built = planted(row, tmp_path)
    done = ran(built, "--", *words(row, built))
    assert done.code == 1
    assert "not-in-commit: import extra took extra.py, which is in no commit [untracked" in done.out


COUNTER = (
    "import os, sys\n"
    "path = os.environ['COUNTER']\n"
    "count = int(open(path).read() or 0) if os.path.exists(path) else 0\n"
    "open(path, 'w').write(str(count + 1))\n"
    "sys.exit(count % 2)\n"
)


def test_a_flaky_command_is_called_flaky_with_counts(tmp_path: Path) -> None:
    row = Plant("{python} check.py", {"check.py": COUNTER}, env={"COUNTER": "{tmp}/counter"})
    _, done = bisected(row, tmp_path)
    assert (done.code, done.json["verdict"], done.json["culprits"]) == (1, "flaky", [])
    assert "2 runs as it is ended in 2 ways" in done.json["decisions"][0]["because"]


def test_the_last_run_of_an_end_may_be_the_flaky_one(tmp_path: Path) -> None:
    code = COUNTER.replace("count % 2", "{0: 1, 1: 1, 2: 0, 3: 1}.get(count, 1)")
    row = Plant("{python} check.py", {"check.py": code}, env={"COUNTER": "{tmp}/counter"})
    _, done = bisected(row, tmp_path)
    assert (done.json["verdict"], done.json["runs"]) == ("flaky", 4)


def test_a_script_that_is_not_there_ends_as_python_says(tmp_path: Path) -> None:
    row = Plant("{python} none.py", {"check.py": ""}, verdict="failing")
    built = planted(row, tmp_path)
    done = ran(built, "--format", "json", "--", *words(row, built))
    bare = subprocess.run(
        words(row, built), cwd=built.root, env=built.env, capture_output=True, text=True
    )
    assert [leg["exit_code"] for leg in done.json["legs"]] == [bare.returncode] * 2 == [2, 2]
    assert done.json["legs"][0]["output_tail"] == bare.stderr.strip()


@pytest.mark.parametrize("given", [[], ["-V"], ["-I"]])
def test_a_python_without_a_program_is_refused(given: list[str], tmp_path: Path) -> None:
    built = planted(Plant("x", {"a.py": ""}), tmp_path)
    done = ran(built, "--", str(built.python), *given)
    assert (done.code, done.out) == (2, "")
    assert "runs no program" in done.err


@pytest.mark.parametrize(
    ("code", "told"),
    [(3, "exit code 3"), (-9, "ended by SIGKILL"), (-64, "ended by SIGRTMAX"), (-99, "signal 99")],
)
def test_how_a_run_ended_is_told_in_words(code: int, told: str) -> None:
    assert str(outcome(code, "")).endswith(told)


SETS = {"{site}/haunt.pth": "import os; os.environ['HAUNT'] = '1'\n"}
READS = "import os, sys\nsys.exit('HAUNT' in os.environ)\n"
STARTS = "import subprocess, sys\nsys.exit(subprocess.call([sys.executable, 'child.py']{}))\n"
OWN = ", env={'PATH': '/usr/bin:/bin'}"
BELOW = {
    "make": Plant("make -s test", {"child.py": READS, "Makefile": "test:\n\t@python child.py\n"}),
    "a child": Plant("{python} check.py", {"child.py": READS, "check.py": STARTS.format("")}),
    "two": Plant(
        "make -s test", {"child.py": READS, "Makefile": "test:\n\t@python child.py\n"},
        present={"{site}/other.pth": "import os; os.environ['HAUNT'] = '2'\n"},
    ),
}  # fmt: skip
OUT_OF_REACH = {
    "its own environment": Plant(
        "{python} check.py", {"child.py": READS, "check.py": STARTS.format(OWN)}
    ),
    "a child that needs it": Plant(
        "{python} check.py",
        {"child.py": READS.replace("in os", "not in os"), "check.py": STARTS.format(OWN)},
    ),
    "make, and a Python that ignores the environment": Plant(
        "make -s test", {"child.py": READS, "Makefile": "test:\n\t@python -E child.py\n"}
    ),
}


@pytest.mark.parametrize("name", BELOW)
def test_a_line_is_left_out_of_the_pythons_that_a_command_starts(name: str, tmp_path: Path) -> None:
    row = BELOW[name]._replace(present={**SETS, **BELOW[name].present})
    built, done = bisected(row, tmp_path)
    found = {one["ingredient"].partition(" line")[0] for one in done.json["culprits"]}
    planted_here = {name for name in row.present if name.endswith(".pth")}
    assert found == {name.format(site=built.site) for name in planted_here}, done.out
    assert (done.code, done.json["verdict"]) == (1, "do-not-trust")


@pytest.mark.parametrize("name", OUT_OF_REACH)
def test_what_a_child_python_runs_is_not_acquitted(name: str, tmp_path: Path) -> None:
    row = OUT_OF_REACH[name]._replace(present=SETS)
    built, done = bisected(row, tmp_path)
    assert (done.code, done.json["verdict"]) == (1, "no-cause-found"), done.out
    first = done.json["decisions"][0]
    assert (first["signal"], first["trust"]) == ("unknown", False)
    assert "no acquittal: .pth and sitecustomize lines" in first["because"]
    seen = "none of them said" if "ignores" in name else f"{built.site}/haunt.pth line 1"
    assert seen in first["because"]
    assert "took away explains it" not in done.out


def test_a_variable_that_no_rung_takes_away_is_not_acquitted(tmp_path: Path) -> None:
    committed = {"check.py": "import os\nassert not os.environ.get('MYFLAG')\n"}
    row = Plant("{python} check.py", committed, env={"MYFLAG": "1"})
    built, done = bisected(row, tmp_path)
    assert (done.code, done.json["verdict"]) == (1, "failing")
    decision = done.json["decisions"][0]
    assert "nothing that unhaunt took away explains it" in decision["because"]
    assert "variables of the program itself were kept" in decision["because"]
    bare = decision["next"].partition("variables: ")[2]
    again = subprocess.run(["/bin/sh", "-c", bare], cwd=built.root, env=built.env, check=False)
    assert again.returncode == 0


def snapshot(*folders: Path) -> dict[str, tuple[int, int]]:
    """Return every file with its size and time."""
    found = {}
    for folder in folders:
        for place, _, files in os.walk(folder):
            for name in files:
                stat = os.lstat(os.path.join(place, name))
                found[os.path.join(place, name)] = (stat.st_size, stat.st_mtime_ns)
    return found


@pytest.mark.parametrize("more", [["--bisect"], ["--all-rungs"]])
def test_nothing_is_left_behind(more: list[str], tmp_path: Path) -> None:
    row = TABLE["two that act together: a startup module imports from PYTHONPATH"]
    built = planted(row, tmp_path)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    before = snapshot(tmp_path)
    done = ran(built, *more, "--", *words(row, built), TMPDIR=str(temporary))
    assert done.code == 1
    assert snapshot(tmp_path) == before
    assert list(temporary.iterdir()) == []


def test_a_poisoned_standard_library_does_not_stop_the_runner(tmp_path: Path) -> None:
    poison = "import os; os._exit(0)\n"
    names = ("json", "ast", "subprocess", "tempfile", "runpy", "site", "io", "posix", "atexit")
    row = Plant(
        "{python} check.py",
        {"check.py": "raise SystemExit(3)\n"},
        present={f"{{tmp}}/p/{name}.py": poison for name in names},
        env={"PYTHONPATH": "{tmp}/p"},
    )
    built = planted(row, tmp_path)
    for more in ([], ["--bisect"]):
        done = ran(built, *more, "--format", "json", "--", *words(row, built))
        assert (done.code, done.json["verdict"]) == (1, "failing")
        assert [leg["exit_code"] for leg in done.json["legs"]] == [3, 3]


def test_make_gets_the_environment_alone_and_is_told_so(tmp_path: Path) -> None:
    row = NO_PLANT["make"]
    built = planted(row, tmp_path)
    done = ran(built, "--", "make", "-s", "test")
    assert done.code == 0
    assert "make does not start Python itself" in done.out
    assert "this is weaker" in done.out


def test_a_folder_stays_first_on_the_path(tmp_path: Path) -> None:
    row = Plant("{python} app", {"app/__main__.py": "import inside\n", "app/inside.py": ""})
    built = planted(row, tmp_path)
    done = ran(built, "--all-rungs", "--", *words(row, built))
    assert done.code == 0
    assert "note: running a directory or zip puts it first on sys.path even with -I" in done.out


def test_the_first_line_says_whose_pytest_it_is(tmp_path: Path) -> None:
    row = Plant("pytest --version", {})
    built = planted(row, tmp_path)
    (tmp_path / "other" / "bin").mkdir(parents=True)
    (tmp_path / "other" / "bin" / "python").symlink_to(sys.executable)
    (tmp_path / "other" / "pyvenv.cfg").write_text("home = /usr/bin\n")
    done = ran(built, "--", *words(row, built), VIRTUAL_ENV=str(tmp_path / "other"))
    first = done.out.split("\n")[0]
    assert first.startswith(f"pytest belongs to {built.python}, not to the active environment")


@pytest.mark.parametrize("runner", ["poetry run", "pdm run", "uv run --with x"])
@pytest.mark.parametrize("inner", ["python check.py", "check", "python -c import(sys),check"])
def test_a_runner_hands_the_options_on(runner: str, inner: str, tmp_path: Path) -> None:
    code = "import sys\nassert not sys.flags.isolated, 'isolated'\n"
    row = Plant("x", {"check.py": code, "bin/check": f"#!/usr/bin/env python\n{code}"})
    built = planted(row, tmp_path)
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "check").write_text(f"#!/usr/bin/env python\n{code}")
    skipped = len(runner.split()) - 1
    name = runner.split()[0]
    (tools / name).write_text(f'#!/bin/sh\nshift {skipped}\nexec "$@"\n')
    for tool in tools.iterdir():
        tool.chmod(0o755)
    path = f"{tools}:{built.env['PATH']}"
    command = [*runner.split(), *(w.replace("(", " ").replace(")", "") for w in inner.split(" "))]
    done = ran(built, "--format", "json", "--", *command, PATH=path)
    assert [leg["exit_code"] for leg in done.json["legs"]] == [0, 1]
    assert "isolated" in done.json["legs"][1]["output_tail"]


@pytest.mark.full
def test_uv_itself_hands_the_options_on(tmp_path: Path) -> None:
    uv = Path(sys.executable).parent / "uv"
    built = planted(
        Plant("x", {"check.py": "import sys\nsys.exit(sys.flags.isolated)\n"}), tmp_path
    )
    options = ("--no-project", "--offline", "--python", str(built.python))
    for inner in (["check.py"], ["python", "check.py"], ["-m", "check"]):
        done = ran(built, "--format", "json", "--", str(uv), "run", *options, *inner)
        assert [leg["exit_code"] for leg in done.json["legs"]] == [0, 1], done.out


PROJECT = {
    "src/helper.py": "NEW = 0\n",
    "tests/test_it.py": (
        "import builtins, helper\ndef test_new():\n    helper.NEW\n"
        "    assert not hasattr(builtins, 'HAUNTED')\n"
    ),
    "pyproject.toml": (
        '[project]\nname = "demo"\nversion = "1"\nrequires-python = ">=3.11"\n'
        "[tool.pytest.ini_options]\naddopts = '-q -p no:cacheprovider'\npythonpath = 'src'\n"
    ),
    "tox.ini": "[tox]\nno_package = true\n[testenv]\npass_env = PYTHONPATH\ncommands = pytest\n",
    ".gitignore": ".tox\n.venv\n__pycache__\n*.lock\n",
}
#: what is planted into a runner's environment, and the culprit
PLANTED = {
    "a .pth line": ({"{site}/a.pth": f"import os\n{HAUNT}"}, "{site}/a.pth line 2: "),
    "a sitecustomize": ({"{site}/sitecustomize.py": HAUNT}, "sitecustomize: {site}/"),
    "PYTHONPATH": ({"{tmp}/p/pytest.py": "1 / 0\n"},
                   "PYTHONPATH element 1: {tmp}/p"),
}  # fmt: skip


def _own(name: str) -> str:
    return str(Path(sys.executable).parent / name)


def named_by(command: list[str], what: str, built: Planted, site: Path) -> None:
    """Plant something, and see that exactly this is named of a real runner's command."""
    if what == "a sitecustomize":
        interpreters.needs_sitecustomize()
    present, expected = PLANTED[what]
    places = {"site": site, "tmp": built.root.parent}
    for name, content in present.items():
        path = Path(name.format(**places))
        path.parent.mkdir(exist_ok=True)
        path.write_text(content)
    if what == "PYTHONPATH":
        built.env["PYTHONPATH"] = f"{built.root.parent}/p"
    done = ran(built, "--bisect", "--format", "json", "--", *command)
    found = [one["ingredient"] for one in done.json["culprits"]]
    assert len(found) == 1, done.out
    assert found[0].startswith(expected.format(**places))
    assert (done.code, done.json["verdict"]) == (1, "do-not-trust")


def with_pytest(site: Path, script: Path, python: Path) -> None:
    """Put this test's own pytest into an environment that something else has made."""
    own = Path(sysconfig.get_paths()["purelib"])
    for name in PYTEST:
        (site / name).symlink_to(own / name)
    code = "import sys\nfrom pytest import console_main\nsys.exit(console_main())\n"
    script.write_text(f"#!{python}\n{code}")
    script.chmod(0o755)


@pytest.mark.parametrize("what", PLANTED)
def test_tox_itself_runs_the_command_and_the_culprit_is_named(what: str, tmp_path: Path) -> None:
    built = planted(Plant("x", PROJECT), tmp_path)
    tox = [_own("tox"), "-q"]
    done = subprocess.run([*tox, "--notest"], cwd=built.root, env=built.env, check=False)
    assert done.returncode == 0
    folder = built.root / ".tox" / "py"
    site = next((folder / "lib").glob("*/site-packages"))
    with_pytest(site, folder / "bin" / "pytest", folder / "bin" / "python")
    assert bare(tox, built) == 0
    named_by(tox, what, built, site)


@pytest.mark.parametrize("what", PLANTED)
def test_uv_itself_runs_the_command_and_the_culprit_is_named(what: str, tmp_path: Path) -> None:
    built = planted(Plant("x", PROJECT), tmp_path)
    folder = built.root / ".venv"
    interpreters.venv(sys.executable, folder)
    site = next((folder / "lib").glob("*/site-packages"))
    with_pytest(site, folder / "bin" / "pytest", folder / "bin" / "python")
    uv = [_own("uv"), "run", "--no-sync", "--offline", "pytest"]
    assert bare(uv, built) == 0
    named_by(uv, what, built, site)


@pytest.mark.full
def test_poetry_itself_runs_the_command_and_the_culprit_is_named(tmp_path: Path) -> None:
    """Installed here once for all that is planted: it is forty packages."""
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "poetry"], check=True)
    pip = [str(tmp_path / "poetry" / "bin" / "python"), "-m", "pip"]
    subprocess.run([*pip, "install", "-q", "poetry"], check=True)
    for number, what in enumerate(PLANTED):
        work = tmp_path / str(number)
        work.mkdir()
        built = planted(Plant("x", PROJECT), work)
        built.env["POETRY_VIRTUALENVS_IN_PROJECT"] = "true"
        folder = built.root / ".venv"
        interpreters.venv(sys.executable, folder)
        site = next((folder / "lib").glob("*/site-packages"))
        with_pytest(site, folder / "bin" / "pytest", folder / "bin" / "python")
        poetry = [str(tmp_path / "poetry" / "bin" / "poetry"), "run", "pytest"]
        assert bare(poetry, built) == 0
        named_by(poetry, what, built, site)


# --- the plain wrapper ---


def wrapped(built: Planted, *asked: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    words = [*UNHAUNT, "run", "--isolated", *asked]
    return subprocess.run(
        words,
        cwd=built.root,
        env=built.env,
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
    )


def test_isolated_passes_everything_through(tmp_path: Path) -> None:
    row = Plant(
        "x",
        {
            "check.py": (
                "import sys\nprint(sys.stdin.read().upper())\n"
                "sys.stderr.write('e')\nsys.exit(7)\n"
            )
        },
        present={"{tmp}/p/sitecustomize.py": "print('haunted')\n"},
        env={"PYTHONPATH": "{tmp}/p"},
    )  # fmt: skip
    built = planted(row, tmp_path)
    for command in (["-m", "check"], ["check.py"]):
        done = wrapped(built, "--", str(built.python), *command, stdin="abc")
        assert (done.returncode, done.stdout, done.stderr) == (7, "ABC\n", "e")
    done = wrapped(built, "--strict", "--", str(built.python), "-m", "check")
    assert "No module named check" in done.stderr


def test_isolated_scrubs_the_environment_of_children(tmp_path: Path) -> None:
    code = "import os\nprint(sorted(n for n in os.environ if n.startswith('PYTHON')))\n"
    row = Plant("x", {"check.py": code}, env={"PYTHONPATH": "{tmp}", "PYTHONOPTIMIZE": "1"})
    built = planted(row, tmp_path)
    done = wrapped(built, "--", str(built.python), "check.py")
    assert done.stdout == "['PYTHONDONTWRITEBYTECODE', 'PYTHONNOUSERSITE']\n"


def test_isolated_is_the_process_itself(tmp_path: Path) -> None:
    row = Plant(
        "x", {"check.py": "import os, sys\nprint(os.getpid(), flush=True)\nsys.stdin.read()\n"}
    )
    built = planted(row, tmp_path)
    module = ("-m", "check")
    process = subprocess.Popen(
        [*UNHAUNT, "run", "--isolated", "--", built.python, *module],
        cwd=built.root, env=built.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    assert int(process.stdout.readline()) == process.pid
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=20) == -signal.SIGTERM
    process.communicate()


# --- time ---


def test_a_run_that_takes_too_long_is_ended(tmp_path: Path) -> None:
    row = Plant("{python} check.py", {"check.py": "import time\ntime.sleep(60)\n"})
    built = planted(row, tmp_path)
    done = ran(built, "--timeout", "1", "--format", "json", "--", *words(row, built))
    assert [leg["exit_code"] for leg in done.json["legs"]] == [None, None]
    assert (done.code, done.json["verdict"]) == (1, "do-not-trust")
    assert done.json["decisions"][0]["because"] == "could not tell: timed out (as-is, isolated)"


@pytest.mark.parametrize("limit", ["-1", "0", "nan", "inf", "soon"])
@pytest.mark.parametrize("command", ["run", "verify"])
def test_a_limit_that_is_none(command: str, limit: str, tmp_path: Path) -> None:
    done = unhaunt(command, f"--timeout={limit}", "--", "true", cwd=tmp_path)
    assert (done.code, done.out) == (2, "")
    assert f"{limit!r} is no number of seconds above 0" in done.err


def test_the_plain_wrapper_has_no_limit(tmp_path: Path) -> None:
    done = unhaunt("run", "--isolated", "--timeout", "1", "--", "true", cwd=tmp_path)
    assert (done.code, done.out) == (2, "")
    assert "--timeout does not go with --isolated" in done.err


def started_then(
    number: signal.Signals, words: list[str], built: Planted, folder: Path
) -> tuple[int, str]:
    """Send a signal once the file `seen` shows that the command sleeps."""
    (folder / "temporary").mkdir()
    seen = folder / "seen"
    process = subprocess.Popen(
        [*UNHAUNT, *words], cwd=built.root, text=True, stdout=subprocess.PIPE,
        env={**built.env, "SEEN": str(seen), "TMPDIR": str(folder / "temporary")},
    )  # fmt: skip
    deadline = time.monotonic() + 60
    while not seen.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(number)
    out, _ = process.communicate(timeout=60)
    return process.returncode, out


SLEEPS = "import os, time\nopen(os.environ['SEEN'], 'w').close()\ntime.sleep(60)\n"


@pytest.mark.parametrize("command", ["run", "verify"])
def test_sigterm_leaves_nothing(command: str, tmp_path: Path) -> None:
    row = Plant("{python} check.py", {"check.py": SLEEPS})
    built = planted(row, tmp_path)
    asked = [command, "--", *words(row, built)]
    code, out = started_then(signal.SIGTERM, asked, built, tmp_path)
    assert (code, out) == (128 + signal.SIGTERM, "")
    assert list((tmp_path / "temporary").iterdir()) == []


def test_nothing_is_judged_after_the_first_run(tmp_path: Path) -> None:
    code = f"import sys\nif not sys.flags.isolated:\n    sys.exit(3)\n{SLEEPS}"
    row = Plant("{python} check.py", {"check.py": code})
    built = planted(row, tmp_path)
    asked = ["run", "--format", "json", "--", *words(row, built)]
    exit_code, out = started_then(signal.SIGINT, asked, built, tmp_path)
    found = json.loads(out)
    assert (exit_code, found["verdict"]) == (2, "do-not-trust")
    assert [one["signal"] for one in found["decisions"]] == ["unknown"]
    assert [leg["exit_code"] for leg in found["legs"]] == [3]


def test_an_interrupted_bisection_prints_what_is_known(tmp_path: Path) -> None:
    row = TABLE["the second of three PYTHONPATH elements"]
    built = planted(row._replace(committed={**row.committed, "check.py": (
        "import os, time\nprint(open(os.environ['SEEN'], 'a').write('x'))\n"
        "time.sleep(0 if len(open(os.environ['SEEN']).read()) < 3 else 60)\n" + HELPER["check.py"]
    )}), tmp_path)  # fmt: skip
    seen = tmp_path / "seen"
    process = subprocess.Popen(
        [*UNHAUNT, "run", "--bisect", "--", *words(row, built)],
        cwd=built.root, env={**built.env, "SEEN": str(seen)}, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    deadline = time.monotonic() + 60
    while not (seen.exists() and len(seen.read_text()) >= 3) and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 2
    assert "as-is: exit code 3" in out
    assert "interrupted" in out
    assert "not the whole answer" in err


def test_the_command_runs_as_it_does_bare(tmp_path: Path) -> None:
    row = Plant("{python} check.py", {"check.py": (
        "import sys, __main__\n"
        "assert __name__ == '__main__' and __file__.endswith('check.py'), __file__\n"
        "assert __main__.__spec__ is None and sys.argv[0] == 'check.py'\n"
        "print(sorted(n for n in vars(__main__) if n[0] != '_'))\n"
    )})  # fmt: skip
    built = planted(row, tmp_path)
    assert bare(words(row, built), built) == 0
    done = ran(built, "--format", "json", "--", *words(row, built))
    assert [leg["output_tail"] for leg in done.json["legs"]] == ["['sys']"] * 2


def test_a_terminal_sees_which_run_of_about_how_many(tmp_path: Path) -> None:
    row = TABLE["the second of three PYTHONPATH elements"]
    built = planted(row, tmp_path)
    ours, theirs = os.openpty()
    command = [*UNHAUNT, "run", "--bisect", "--", *words(row, built)]
    subprocess.run(command, cwd=built.root, env=built.env, stdout=subprocess.DEVNULL, stderr=theirs)
    os.close(theirs)
    seen = os.read(ours, 1 << 16).decode()
    os.close(ours)
    assert "\x1b[Kas-is: 0 s" in seen
    assert "run 5 of about 7: " in seen
    assert seen.endswith("\r\x1b[K")


# --- every Python ---

SEEN = (
    "import sys\n"
    "shown = {k: v if isinstance(v, (str, type(None), dict)) else type(v).__name__"
    " for k, v in sorted(globals().items()) if k != '__builtins__'}\n"
    "print(shown, sys.argv, sys.path[0], __builtins__ is sys.modules['builtins'],"
    " sys._getframe().f_code.co_filename, getattr(__loader__, 'path', __loader__))\n"
)
WAYS = {
    "a script": ("f.py", "a"), "with a dot": ("./f.py",), "from above": ("../repo/f.py",),
    "a module": ("-m", "pkg.m", "b"), "a command": ("-c", SEEN, "x"), "a folder": ("d",), "this folder": (".",),
    "stdin": ("-",),
}  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("version", interpreters.spread())
def test_a_program_finds_itself_as_without_us(version: str, way: str, tmp_path: Path) -> None:
    files = {
        "f.py": SEEN,
        "pkg/__init__.py": "",
        "pkg/m.py": SEEN,
        "d/__main__.py": SEEN,
        "__main__.py": SEEN,
    }
    built = planted(Plant("x", files), tmp_path, interpreters.supported()[version])
    command = [str(built.python), *WAYS[way]]
    given = {"cwd": built.root, "env": built.env, "input": SEEN if way == "stdin" else ""}
    bare = subprocess.run(command, capture_output=True, text=True, check=True, **given)  # type: ignore[call-overload]
    asked = [*UNHAUNT, "run", "--format", "json", "--", *command]
    done = subprocess.run(asked, capture_output=True, text=True, **given)  # type: ignore[call-overload]
    assert json.loads(done.stdout)["legs"][0]["output_tail"] == bare.stdout.strip()


BOOT = {"{site}/boot.py": "def go():\n    import builtins\n    builtins.HAUNTED = 1\n"}
EVERYWHERE = {
    "a .pth line, CRLF": ({"{site}/a.pth": f"import os\r\n# c\r\n{HAUNT}"}, "a.pth line 3: "),
    "a .pth path": ({**OLD, "{site}/a.pth": "import re\n{tmp}/old\n"}, "a.pth line 2: "),
    "usercustomize": ({"{home}/usercustomize.py": HAUNT}, "usercustomize: "),
    "a .start line": ({**BOOT, "{site}/a.start": "boot:go\n"}, "a.start line 1: boot:go"),
}


@pytest.mark.full
@pytest.mark.parametrize("command", ["{python} check.py", "make -s"])
@pytest.mark.parametrize("what", EVERYWHERE)
@pytest.mark.parametrize("version", interpreters.supported())
def test_startup_code_is_left_out_of_every_python(
    version: str, what: str, command: str, tmp_path: Path
) -> None:
    code = (
        f"try:\n    import helper\n    sys_exit = 1\nexcept ImportError:\n    sys_exit = 0\n{CLEAN}"
    )
    code = code.replace("'HAUNTED', 0)", "'HAUNTED', sys_exit)")
    present, expected = EVERYWHERE[what]
    python = interpreters.supported()[version]
    files = {"check.py": code, "Makefile": "all:\n\t@python check.py\n"}
    row = Plant(command, files, present=present, system="user" in what)
    built = planted(row, tmp_path, python)
    done = ran(built, "--bisect", "--format", "json", "--", *words(row, built))
    found = [one["ingredient"] for one in done.json["culprits"]]
    if "start" in what and not version.startswith("3.15"):
        assert found == []
    else:
        assert len(found) == 1, done.out
        assert expected in found[0]
