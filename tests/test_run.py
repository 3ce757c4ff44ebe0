"""`unhaunt run`: the table of planted failures, and what a user sees."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from math import ceil, log2
from pathlib import Path

import pytest

from tests.commandline import DRIVER, Done, unhaunt
from tests.planted import Plant, Planted, bare, planted, words

CLEAN = "import builtins, sys\nsys.exit(getattr(builtins, 'HAUNTED', 0))\n"
HAUNT = "import builtins; builtins.HAUNTED = 1\n"
#: a src layout whose check fails when another helper comes first
HELPER = {
    "src/helper.py": "NEW = 0\n",
    "check.py": "import helper, sys\nsys.exit(0 if hasattr(helper, 'NEW') else 3)\n",
}
OLD = {"{tmp}/old/helper.py": "OLD = 1\n"}
TESTS = {"src/helper.py": "NEW = 0\n", "tests/test_it.py": "import helper\ndef test_new():\n    helper.NEW\n"}  # fmt: skip
FLAT = {"helper.py": "NEW = 0\n", "tests/test_it.py": "import helper\ndef test_new():\n    helper.NEW\n"}  # fmt: skip
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
        present={"{site}/a.pth": "import os\n" + HAUNT + "import re\n", "{site}/b.pth": "import os\n"},
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
    return built, unhaunt(*asked, cwd=built.root, env=built.env)


@pytest.mark.parametrize("name", TABLE)
def test_exactly_what_was_planted_is_named(name: str, tmp_path: Path) -> None:
    row = TABLE[name]
    if row.command.startswith("{python} -c"):
        row = row._replace(command="{python} -c import\thelper;helper.NEW")
    built, done = bisected(row, tmp_path)
    found = [one["ingredient"] for one in done.json["culprits"]]
    places = {"site": built.site, "root": built.root, "home": next(iter([*tmp_path.glob("home/.local/lib/*/site-packages"), ""]))}  # fmt: skip
    expected = sorted(e.format(**places) for e in row.expected)
    assert len(found) == len(expected), done.out
    assert all(f.startswith(e) for f, e in zip(sorted(found), expected, strict=True)), found
    assert (done.code, done.json["verdict"]) == (1, row.verdict)
    count, among = len(expected), done.json["ingredients"]
    assert done.json["runs"] <= 2 * count * ceil(log2(max(among, 1))) + 4, done.out


@pytest.mark.parametrize("name", NO_PLANT)
def test_no_project_without_a_plant_gets_a_culprit(name: str, tmp_path: Path) -> None:
    row = NO_PLANT[name]
    _, done = bisected(row, tmp_path)
    assert done.json["culprits"] == []
    assert done.json["verdict"] == row.verdict, done.out
    assert done.code == (0 if row.verdict == "trust" else 1)
