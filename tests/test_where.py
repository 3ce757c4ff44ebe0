"""Where an import comes from, asked of real interpreters and compared with real imports."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests import interpreters
from tests.commandline import Done, environment, unhaunt
from tests.repository import Repository
from tests.test_story import git

SPREAD = interpreters.spread()


def files(root: Path, tree: dict[str, str]) -> Path:
    """Write a tree of files."""
    for name, text in tree.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def site_of(python: Path) -> Path:
    return next(python.parent.parent.glob("lib/python*/site-packages"))


class World:
    """A repository, an environment, and a way to ask both us and Python itself."""

    def __init__(self, root: Path, python: str) -> None:
        self.repo = root / "repo"
        self.repo.mkdir()
        git(self.repo, "init", "-q")
        self.python = interpreters.venv(python, root / "venv")
        self.site = site_of(self.python)
        self.env = environment(root)

    def asked(self, *words: str, cwd: Path | None = None) -> Done:
        """Run `unhaunt where`."""
        asked = ["where", "--python", self.python, "--format", "json", *words]
        return unhaunt(*asked, cwd=cwd or self.repo, env=self.env)

    def one(self, *words: str, cwd: Path | None = None) -> Any:
        """Return the only answer."""
        (row,) = self.asked(*words, cwd=cwd).json["modules"]
        return row

    def really(self, *names: str) -> list[str | None]:
        """Import each as `python -m` from here would, in a process of its own."""
        done = subprocess.run(
            [self.python, "-B", "-c", REALLY, *names],
            cwd=self.repo,
            env=self.env,
            capture_output=True,
            text=True,
            check=True,
        )
        lines = [line for line in done.stdout.splitlines() if line.startswith("ORIGIN ")]
        return [json.loads(line.removeprefix("ORIGIN ")) for line in lines]


REALLY = """
import importlib, json, os, sys
sys.path[0] = os.getcwd()
for name in sys.argv[1:]:
    if os.fork():
        os.wait()
        continue
    try:
        spec = importlib.import_module(name).__spec__
        found = spec.origin if spec.origin not in (None, "namespace") else list(spec.submodule_search_locations)[0]
    except ImportError:
        found = None
    print("ORIGIN", json.dumps(found), flush=True)
    os._exit(0)
"""


@pytest.fixture(params=SPREAD)
def world(request: pytest.FixtureRequest, tmp_path: Path) -> World:
    return World(tmp_path, interpreters.supported()[request.param])


def populate(world: World, outside: Path) -> None:
    """Put something of every form where an import can find it."""
    files(world.repo, {
        "flat.py": "", "pkg/__init__.py": "", "pkg/sub/__init__.py": "", "pkg/sub/leaf.py": "", "space/inside.py": "",
        "both.py": "", "both/__init__.py": "", "collections/spam.py": "", "random.py": "", "plain/x.txt": "", "pkg/bare.txt": "",
    })  # fmt: skip
    files(world.site, {
        "installed/__init__.py": "", "space/elsewhere.py": "", "plain/__init__.py": "", "flat.py": "",
        "lonely.pyc": "", "zz.pth": f"{outside / 'added'}\n{outside / 'app.zip'}\n",
    })  # fmt: skip
    files(outside, {"added/chained.py": "", "added/deep/er/x.py": ""})
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    (world.site / f"native{suffix}").write_bytes(b"")
    with zipfile.ZipFile(outside / "app.zip", "w") as file:
        file.writestr("zipped.py", "")
        file.writestr("zipkg/__init__.py", "")
        file.writestr("zipkg/inner.py", "")
    compiled = f"import py_compile; py_compile.compile({str(world.site / 'flat.py')!r}, {str(world.site / 'lonely.pyc')!r})"
    subprocess.run([world.python, "-c", compiled], check=True)


NAMES = [
    *(
        "flat",
        "pkg",
        "pkg.sub",
        "pkg.sub.leaf",
        "pkg.none",
        "space",
        "space.inside",
        "space.elsewhere",
        "both",
    ),
    *(
        "collections",
        "random",
        "plain",
        "installed",
        "lonely",
        "chained",
        "deep.er.x",
        "zipped",
        "zipkg",
        "zipkg.inner",
    ),
    *(
        "json",
        "json.decoder",
        "xml.dom.minidom",
        "nothing",
        "nothing.at.all",
        "flat.x",
        "zlib",
        "os.path",
        "unittest.mock",
    ),
]


def test_every_answer_is_what_import_gives(world: World, tmp_path: Path) -> None:
    populate(world, tmp_path / "outside")
    answers = {row["module"]: row["origin"] for row in world.asked(*NAMES).json["modules"]}
    for name, expected in zip(NAMES, world.really(*NAMES), strict=True):
        # A frozen module says "frozen", whatever file it was made from.
        assert answers[name] in (expected, "frozen"), name


def test_nothing_is_imported_and_no_parent_is_executed(world: World, tmp_path: Path) -> None:
    marker = tmp_path / "marker"
    bomb = f"open({str(marker)!r}, 'w').write('ran')\n"
    files(
        world.repo,
        {
            "bomb/__init__.py": bomb,
            "bomb/inner/__init__.py": bomb,
            "bomb/inner/leaf.py": bomb,
            "json.py": bomb,
        },
    )
    files(world.site, {"sitecustomize.py": bomb, "x.pth": f"import os; {bomb}"})
    row = world.one("bomb.inner.leaf")
    assert row["origin"] == str(world.repo / "bomb/inner/leaf.py")
    assert not marker.exists()
    assert not list(world.repo.rglob("__pycache__"))


def test_an_extension_module_is_taken_with_the_targets_own_suffixes(tmp_path: Path) -> None:
    world = World(tmp_path, interpreters.at_least(3, 13))
    files(
        world.repo,
        {"a.cpython-38-x86_64-linux-gnu.so": "", "a.py": "", "b.abi3.so": "", "b.py": ""},
    )
    assert world.one("a")["origin"] == str(world.repo / "a.py")
    assert (world.one("b")["origin"], world.one("b")["mechanism"]) == (
        str(world.repo / "b.abi3.so"),
        "extension module",
    )
    assert [row["path"] for row in world.one("b")["also"]] == [str(world.repo / "b.py")]


FINDER = """
from __future__ import annotations
MAPPING: dict[str, str] = {mapping!r}
NAMESPACES: dict[str, list[str]] = {{}}
"""
# The part of setuptools' template that finds: setuptools/command/editable_wheel.py.
FINDER_CODE = """
import sys
from importlib.machinery import PathFinder
from importlib.util import spec_from_file_location
from itertools import chain
from importlib.machinery import all_suffixes as module_suffixes
from pathlib import Path
class _EditableFinder:
    @classmethod
    def find_spec(cls, fullname, _path=None, _target=None):
        if fullname in MAPPING:
            return cls._find_spec(fullname, Path(MAPPING[fullname]))
        return None
    @classmethod
    def _find_spec(cls, fullname, candidate_path):
        init = candidate_path / "__init__.py"
        candidates = (candidate_path.with_suffix(x) for x in module_suffixes())
        for candidate in chain([init], candidates):
            if candidate.exists():
                return spec_from_file_location(fullname, candidate)
def install():
    if not any(finder == _EditableFinder for finder in sys.meta_path):
        sys.meta_path.append(_EditableFinder)
"""


def editable(world: World, checkout: Path, *names: str) -> None:
    """Install names as setuptools does for a flat layout."""
    finder = "__editable___thing_1_0_finder"
    mapping = {name: str(checkout / name) for name in names}
    files(world.site, {
        f"{finder}.py": FINDER.format(mapping=mapping).replace("dict[str, str]", "dict").replace("dict[str, list[str]]", "dict") + FINDER_CODE,
        "__editable__.thing-1.0.pth": f"import {finder}; {finder}.install()",
    })  # fmt: skip


def test_an_editable_finder_is_read_and_not_run(world: World, tmp_path: Path) -> None:
    other = files(
        tmp_path / "checkout",
        {"thing/__init__.py": "", "thing/part.py": "", "single.py": "", "mint/__init__.py": ""},
    )
    editable(world, other, "thing", "single", "mint")
    (world.repo / "mint").mkdir()
    names = ("thing", "thing.part", "single", "mint")
    rows = world.asked(*names).json["modules"]
    assert [row["origin"] for row in rows] == world.really(*names)
    row, mint = rows[0], rows[-1]
    assert "finder of an editable install" in row["because"]
    assert mint["origin"] == str(world.repo / "mint")
    assert any("(no __init__.py) wins over the editable finder" in note for note in mint["notes"])
    assert mint["also"][0]["path"] == str(other / "mint/__init__.py")


def test_a_folder_does_not_beat_a_regular_package(world: World) -> None:
    files(world.repo, {"collections/spam.py": "X = 1"})
    row = world.asked("collections")
    assert row.code == 0
    assert not [note for note in row.json["modules"][0]["notes"] if "shadow" in note]


class TestGhosts:
    """What makes the exit code 1."""

    def world(self, tmp_path: Path) -> World:
        world = World(tmp_path, interpreters.at_least(3, 11))
        files(
            world.repo, {"mine.py": "", "uses.py": "import borrowed\n", "src/inner/__init__.py": ""}
        )
        git(world.repo, "add", ".")
        git(world.repo, "commit", "-qm", "x")
        return world

    def test_a_module_that_is_nowhere(self, tmp_path: Path) -> None:
        done = self.world(tmp_path).asked("nothing")
        assert (done.code, done.json["modules"][0]["origin"]) == (1, None)

    def test_a_first_party_module_from_outside(self, tmp_path: Path) -> None:
        world = self.world(tmp_path)
        old = files(tmp_path / "old", {"mine.py": ""})
        world.env["PYTHONPATH"] = str(old)
        away = tmp_path / "away"
        away.mkdir()
        assert world.asked("mine").code == 0
        done = world.asked("mine", "--path", str(away))
        assert done.code == 1
        row = done.json["modules"][0]
        assert (row["because"], row["inside_repository"]) == ("PYTHONPATH element 1", False)
        assert row["problem"].startswith("ghost: a module of this project")

    def test_one_that_tracked_code_imports_and_nobody_owns(self, tmp_path: Path) -> None:
        world = self.world(tmp_path)
        files(world.site, {"borrowed.py": "", "unused.py": ""})
        done = world.asked("borrowed")
        assert (done.code, "tracked code imports it" in done.json["modules"][0]["problem"]) == (
            1,
            True,
        )
        assert world.asked("unused").code == 0
        assert world.asked("unused", "--inside").code == 1
        files(
            world.site,
            {"borrowed-1.dist-info/RECORD": "borrowed.py,,\n", "borrowed-1.dist-info/METADATA": ""},
        )
        done = world.asked("borrowed")
        assert (done.code, done.json["modules"][0]["owner"]) == (0, "borrowed 1")

    def test_a_part_of_a_namespace_that_hides_the_one_of_this_checkout(
        self, tmp_path: Path
    ) -> None:
        world = self.world(tmp_path)
        files(world.repo, {"space/part.py": ""})
        away = files(tmp_path / "away", {"space/part.py": "", "space/other.py": ""})
        files(world.site, {"a.pth": f"{away}\n{world.repo}\n"})
        done = world.asked("space.part", "--path", str(tmp_path))
        problem = done.json["modules"][0]["problem"]
        assert (done.code, problem) == (1, "ghost: hides the file of this checkout")
        assert world.asked("space.other", "--path", str(tmp_path)).code == 0

    def test_another_worktree_is_outside(self, tmp_path: Path) -> None:
        world = self.world(tmp_path)
        git(world.repo, "worktree", "add", "-q", "nested/tree")
        world.env["PYTHONPATH"] = str(world.repo / "nested/tree")
        done = world.asked("mine", "--path", str(tmp_path))
        assert done.code == 1
        assert "another working tree of this repository" in done.json["modules"][0]["problem"]

    def test_a_root_module_that_hides_the_standard_library(self, tmp_path: Path) -> None:
        world = self.world(tmp_path)
        files(world.repo, {"random.py": "", "zipimport.py": ""})
        done = world.asked("random")
        assert (done.code, done.json["modules"][0]["problem"]) == (
            1,
            "hides the standard library's random",
        )
        assert world.asked("zipimport").code == 0

    def test_types_beside_a_script(self, tmp_path: Path) -> None:
        world = self.world(tmp_path)
        files(world.repo, {"systems/ppo/types.py": ""})
        done = world.asked("types", "--path", "systems/ppo")
        row = done.json["modules"][0]
        assert row["origin"] == str(world.repo / "systems/ppo/types.py")
        assert any("when that directory is first on sys.path" in note for note in row["notes"])

    def test_the_same_name_installed(self, tmp_path: Path) -> None:
        world = self.world(tmp_path)
        files(world.repo, {"version.py": ""})
        files(world.site, {"version.py": ""})
        row = world.one("version")
        assert (row["origin"], row["also"][0]["path"]) == (
            str(world.repo / "version.py"),
            str(world.site / "version.py"),
        )
        assert "the same name is installed" in row["notes"]

    def test_a_copy_that_is_stale(self, tmp_path: Path) -> None:
        world = self.world(tmp_path)
        files(world.repo, {"modules/pkg/__init__.py": "V = 2\n"})
        files(world.site, {"pkg/__init__.py": "V = 1\n"})
        row = world.one("pkg")
        assert any("1 of 1 files differ from ./modules/pkg" in note for note in row["notes"])

    def test_without_a_name_the_projects_own_are_asked(self, tmp_path: Path) -> None:
        world = self.world(tmp_path)
        (world.repo / "pyproject.toml").write_text(
            '[tool.pytest.ini_options]\npythonpath = ["src"]\n'
        )
        done = world.asked()
        assert {row["module"] for row in done.json["modules"]} == {"mine", "uses", "inner"}
        assert done.code == 1  # nothing puts src on the path of this environment


REFUSED = {
    "a path": ["./x.py"],
    "a number": ["1x"],
    "an option's folder that is not there": ["x", "--path", "missing"],
    "an interpreter that is not there": ["x", "--python", "missing"],
    "an interpreter that is a script": ["x", "--python", "script"],
}


@pytest.mark.parametrize("words", REFUSED.values(), ids=REFUSED)
def test_a_question_that_cannot_be_asked(words: list[str], tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    words = [str(script) if word == "script" else word for word in words]
    python = [] if "--python" in words else ["--python", sys.executable]
    done = unhaunt("where", *words, *python, cwd=tmp_path, env=environment(tmp_path))
    assert (done.code, done.out) == (2, "")
    assert "hint: " in done.err


@pytest.mark.parametrize("version", [v for v in interpreters.everything() if "2.7" in v])
def test_an_old_python_is_refused(version: str, tmp_path: Path) -> None:
    done = unhaunt(
        "where",
        "x",
        "--python",
        interpreters.everything()[version],
        cwd=tmp_path,
        env=environment(tmp_path),
    )
    assert done.code == 2
    assert "needs CPython 3.8" in done.err
    assert os.listdir(tmp_path) == []


def test_a_submodule_of_the_standard_library_is_the_standard_librarys(tmp_path: Path) -> None:
    world = World(tmp_path, interpreters.at_least(3, 11))
    names = ("json.decoder", "collections.abc", "xml.etree.ElementTree", "importlib.metadata")
    done = world.asked(*names, "unittest.mock", "concurrent.futures.thread", "os.path")
    assert [row["problem"] for row in done.json["modules"]] == [None] * 7
    assert done.code == 0
    files(world.repo, {"json/__init__.py": "", "json/decoder.py": ""})
    done = world.asked("json.decoder")
    problem = done.json["modules"][0]["problem"]
    assert (done.code, problem) == (1, "hides the standard library's json")


EARLY: dict[str, tuple[dict[str, str], str]] = {
    "a startup module": ({"sitecustomize.py": "import mine\n"}, "sitecustomize.py"),
    "a line of a .pth": ({"x.pth": "# x\nimport mine\n"}, "x.pth line 2"),
    "one that tries": (
        {"sitecustomize.py": "try:\n import mine\nexcept ImportError: pass\n"},
        "sitecustomize.py",
    ),
}


@pytest.mark.parametrize(("tree", "by"), EARLY.values(), ids=EARLY)
def test_what_startup_code_imported_is_what_import_gives(
    tree: dict[str, str], by: str, tmp_path: Path
) -> None:
    # A distributor's own sitecustomize would come first: this Python has none in its venv.
    if by == "sitecustomize.py":
        interpreters.needs_sitecustomize()
    world = World(tmp_path, sys.executable)
    files(world.repo, {"mine.py": "", "src/other.py": ""})
    old = files(tmp_path / "old", {"mine.py": ""})
    world.env["PYTHONPATH"] = str(old)
    files(world.site, tree)
    done = world.asked("mine")
    (row,) = done.json["modules"]
    assert [row["origin"]] == world.really("mine") == [str(old / "mine.py")]
    assert row["because"].startswith(f"already imported by {world.site / by} at startup, from ")
    assert row["mechanism"] == "module, imported by startup code"
    assert [one["path"] for one in row["also"]] == [str(world.repo / "mine.py")]
    assert (done.code, row["problem"].startswith("ghost: a module of this project")) == (1, True)
    done = unhaunt(
        *("check", "check-import-origins", "--python", world.python), cwd=world.repo, env=world.env
    )
    assert f"(already imported by {world.site / by} at startup, from " in done.out
    assert "UH501" in done.out
    assert done.code == 1


def test_startup_code_that_imports_later_changes_nothing(tmp_path: Path) -> None:
    world = World(tmp_path, sys.executable)
    files(world.repo, {"mine.py": ""})
    world.env["PYTHONPATH"] = str(files(tmp_path / "old", {"mine.py": ""}))
    files(world.site, {"sitecustomize.py": "def later():\n    import mine\n"})
    done = world.asked("mine")
    assert [done.json["modules"][0]["origin"]] == world.really("mine")
    assert done.code == 0


def test_what_hides_a_file_beside_a_script_is_a_ghost(tmp_path: Path) -> None:
    interpreters.needs_sitecustomize()
    world = World(tmp_path, sys.executable)
    files(world.repo, {"tests/helpers.py": ""})
    world.env["PYTHONPATH"] = str(files(tmp_path / "old", {"helpers.py": ""}))
    files(world.site, {"sitecustomize.py": "import helpers\n"})
    done = world.asked("helpers", "--path", "tests")
    assert done.json["modules"][0]["problem"].startswith("ghost: hides the file of this checkout")
    assert done.code == 1


@pytest.mark.parametrize("command", [("where", "json"), ("fingerprint", "--quick")])
@pytest.mark.parametrize("committed", [".venv/pyvenv.cfg", ".venv/bin/python"])
def test_a_python_of_the_commit_is_not_started_unless_it_is_named(
    command: tuple[str, ...], committed: str, tmp_path: Path
) -> None:
    repository = Repository.create(tmp_path / "repo")
    made = interpreters.venv(sys.executable, repository.path / ".venv")
    repository.add(committed)
    (tmp_path / "home").mkdir()
    env = environment(tmp_path / "home")
    done = unhaunt(*command, cwd=repository.path, env=env)
    assert (done.code, done.out) == (2, "")
    assert "it is part of the commit, of which nothing is executed" in done.err
    assert unhaunt(*command, "--python", str(made), cwd=repository.path, env=env).code in (0, 1)
    repository.git("rm", "-q", "--cached", committed)
    assert unhaunt(*command, cwd=repository.path, env=env).code in (0, 1)
