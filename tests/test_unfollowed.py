"""Startup code that may change the path: what says so, and what is known to be harmless."""

from __future__ import annotations

import base64
import hashlib
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import virtualenv

from tests import interpreters
from tests.commandline import unhaunt
from tests.test_where import FINDER, FINDER_CODE, World, files
from unhaunt.interpreters.unfollowed import touches

INSERTS = 'import sys; sys.path.insert(0, "/old")\n'
#: a tree in site-packages, and the file that is named
PLANTED: dict[str, tuple[dict[str, str], str]] = {
    "a line": ({"o.pth": INSERTS}, "o.pth"),
    "a module behind a line": ({"o.pth": "import hk\n", "hk.py": INSERTS}, "o.pth"),
    "a module behind that": (
        {"o.pth": "import hk\n", "hk.py": "import h2\n", "h2.py": INSERTS},
        "o.pth",
    ),
    "one that reads its own package": (
        {"o.pth": "import hk\n", "hk/__init__.py": "from . import core\n", "hk/core.py": INSERTS},
        "o.pth",
    ),
    "a call in a line": ({"o.pth": "import hk; hk.go()\n", "hk.py": f"def go():\n {INSERTS}"}, "o.pth"),
    "bytecode": ({"o.pth": "import hk\n", "hk.pyc": ""}, "o.pth"),
    "a folder that is not literal": ({"o.pth": "import site; site.addsitedir('/a' + 'b')\n"}, "o.pth"),
    "a startup module": ({"sitecustomize.py": INSERTS}, "sitecustomize.py"),
    "a folder added by one": (
        {"sitecustomize.py": "import site\nsite.addsitedir('/old')\n"},
        "sitecustomize.py",
    ),
    "a finder that nobody owns": (
        {
            "e.pth": "import __editable___x_finder; __editable___x_finder.install()\n",
            "__editable___x_finder.py": FINDER.format(mapping={}) + FINDER_CODE,
        },
        "e.pth",
    ),
}  # fmt: skip


def both(world: World) -> tuple[list[str], list[str], int, str]:
    """Return the files that `where` and the rules name, with the exit code and text of `where`."""
    done = world.asked("mine")
    words = ("check", "check-import-origins", "--python", world.python)
    checked = unhaunt(*words, "--format", "json", cwd=world.repo, env=world.env).json
    text = unhaunt("where", "--python", world.python, "mine", cwd=world.repo, env=world.env).out
    named = [row["path"] for row in done.json["not_checked"]]
    ruled = [row["path"] for row in checked["checked"]["not_checked"]]
    return named, ruled, done.code, text


@pytest.mark.parametrize(("tree", "file"), PLANTED.values(), ids=PLANTED)
def test_what_may_change_the_path_is_named(tree: dict[str, str], file: str, tmp_path: Path) -> None:
    if file == "sitecustomize.py":
        interpreters.needs_sitecustomize()
    world = World(tmp_path, sys.executable)
    files(world.repo, {"mine.py": ""})
    files(world.site, tree)
    named, ruled, code, text = both(world)
    path = str(world.site / file)
    assert named == ruled == [path]
    assert f"note: startup code that may change the path: {path}: not followed\n" in text
    assert code == 0


def setuptools(world: World) -> None:
    install(world, "setuptools")
    assert (world.site / "distutils-precedence.pth").exists()


def coverage(world: World) -> None:
    install(world, "coverage")


def an_editable_install(world: World) -> None:
    install(world, "setuptools")
    files(
        world.repo,
        {"pyproject.toml": '[project]\nname = "mine"\nversion = "1"\n[tool.setuptools]\n'
         'py-modules = ["mine"]\n[build-system]\nrequires = ["setuptools"]\n'
         'build-backend = "setuptools.build_meta"\n'},
    )  # fmt: skip
    install(world, "--no-build-isolation", "--no-deps", "-e", str(world.repo))
    assert list(world.site.glob("__editable__*"))


def a_folder_that_is_literal(world: World) -> None:
    files(world.site, {"l.pth": f"import site; site.addsitedir('{world.repo}')\n"})


def a_finder_that_its_package_wrote(world: World) -> None:
    finder = FINDER.format(mapping={}) + FINDER_CODE
    kind = base64.urlsafe_b64encode(hashlib.sha256(finder.encode()).digest()).rstrip(b"=").decode()
    files(world.site, {
        "e.pth": "import __editable___x_finder; __editable___x_finder.install()\n",
        "__editable___x_finder.py": finder,
        "x-1.dist-info/METADATA": "",
        "x-1.dist-info/RECORD": f"__editable___x_finder.py,sha256={kind},1\n",
    })  # fmt: skip


def what_virtualenv_and_uv_write(world: World) -> None:
    genuine = Path(virtualenv.__file__).parent / "create/via_global_ref/_virtualenv.py"
    files(
        world.site, {"_virtualenv.py": genuine.read_text(), "_virtualenv.pth": "import _virtualenv"}
    )


def nothing(world: World) -> None:
    assert world.site.exists()


def install(world: World, *words: str) -> None:
    """Install into the environment from outside of it."""
    pip = [sys.executable, "-m", "pip", "--python", str(world.python)]
    subprocess.run([*pip, "install", "-q", *words], check=True)


CLEAN: tuple[Callable[[World], None], ...] = (
    nothing, setuptools, coverage, what_virtualenv_and_uv_write, an_editable_install, a_folder_that_is_literal,
    a_finder_that_its_package_wrote,
)  # fmt: skip


@pytest.mark.parametrize("plant", CLEAN)
def test_what_is_known_is_not_named(plant: Callable[[World], None], tmp_path: Path) -> None:
    world = World(tmp_path, sys.executable)
    files(world.repo, {"mine.py": ""})
    plant(world)
    named, ruled, code, text = both(world)
    assert (named, ruled, code, "note: startup" in text) == ([], [], 0, False)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import os; os.path.join('a')", False),
        ("import logging, time; time.time()", False),
        ("print('sys.path')", False),
        ("import sys as s; s.path[:] = []", True),
        ("__import__('sys').path.append('x')", True),
        ("from sys import path; path.append('x')", True),
        ("from site import addsitedir as a; a('x')", True),
        ("import sys; getattr(sys, 'pa' + 'th').append('x')", True),
        ("import sys; getattr(sys, 'path').append('x')", True),
        ("import sys; sys.meta_path.insert(0, 1)", True),
        ("exec('import os')", False),
        ("exec('import sys; sys.path[:] = []')", True),
        ("exec(open('x').read())", True),
        ("__import__(name)", True),
        ("def (: sys.path", True),
        ("def (: nothing", False),
    ],
)
def test_what_touches_the_import_system(source: str, expected: bool) -> None:
    assert touches(source.encode()) is expected
