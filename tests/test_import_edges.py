"""Which untracked files committed imports reach, against what CPython loads for the same ones."""

from __future__ import annotations

import importlib.machinery
import json
import py_compile
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.repository import Repository, run

#: run by the real Python: does what each main*.py of a tree says, and prints the files it loaded;
#: null for a tree with a main*.py that Python itself cannot reach by its dotted name.
#: An absolute import is run without the packages around it: a file can be a script as well
_RUNNER = r"""
import json, os, sys
sys.dont_write_bytecode = True
answers = {}
def frames(error):
    at = error.__traceback__
    while at:
        yield at.tb_frame.f_code.co_filename
        at = at.tb_next
for tree, mains in json.load(sys.stdin):
    loaded, reached = set(), True
    for main, statement in mains:
        before = set(sys.modules)
        sys.path.insert(0, tree)
        sys.path_importer_cache.clear()
        name = main[:-3].replace("/", ".")
        try:
            if statement.startswith("from ."):
                __import__(name)
            else:
                exec(statement, {})
        except ImportError as error:
            if error.path and not error.path.endswith(".py"):
                loaded.add(error.path)
            if statement.startswith("from ."):
                reached = reached and any(f.endswith("/" + main) for f in frames(error))
        new = set(sys.modules) - before
        loaded |= {getattr(sys.modules[n], "__file__", None) or "" for n in new}
        for n in new:
            del sys.modules[n]
        del sys.path[0]
    answers[tree] = sorted(f for f in loaded if f.startswith(tree + "/")) if reached else None
print(json.dumps(answers))
"""
_TAGGED = importlib.machinery.EXTENSION_SUFFIXES[0]


class Tree(NamedTuple):
    """Files of one project, which of them are tracked, and the tracked ones that import."""

    files: dict[str, bytes]
    tracked: frozenset[str]
    mains: tuple[str, ...]


def _tree(chance: random.Random, number: int, bytecode: bytes) -> Tree:
    names = [f"{letter}{number}" for letter in "abc"]
    extension = chance.choice((_TAGGED, ".abi3.so", ".so"))  # two of them depend on the version
    files: dict[str, bytes] = {}
    for _ in range(chance.randint(2, 9)):
        above = [chance.choice(names) for _ in range(chance.choice((0, 0, 1, 1, 2)))]
        kind = chance.choice(
            ("/__init__.py",) * 4 + (".py",) * 4 + (".pyc", "/__init__.pyc", extension)
        )
        path = "/".join([*above, chance.choice(names)]) + kind
        files[path] = bytecode if path.endswith(".pyc") else b""
    tracked = {path for path in files if chance.random() < 0.5}
    for path in sorted(tracked):
        if path.endswith("/__init__.py") and chance.random() < 0.3:
            files[path] = f"{chance.choice(names)} = 1\n".encode()
    mains = []
    folders = {
        path.removesuffix("/__init__.py") for path in tracked if path.endswith("/__init__.py")
    }
    packages = sorted(folder for folder in folders if _is_package_throughout(folder, tracked))
    for index in range(chance.randint(1, 3)):
        statement = _statement(chance, names)
        main = f"main{number}_{index}.py"
        if packages and chance.random() < 0.4:
            package = chance.choice(packages)
            main = f"{package}/{main}"
            if chance.random() < 0.7:
                statement = _relative(chance, names, package.count("/") + 1)
        files[main] = statement.encode()
        mains.append(main)
    tracked |= {*mains, "pyproject.toml"}
    files["pyproject.toml"] = b""
    return Tree(files, frozenset(tracked), tuple(mains))


def _dotted(chance: random.Random, names: list[str], most: int = 3) -> str:
    return ".".join(chance.choice(names) for _ in range(chance.randint(1, most)))


def _statement(chance: random.Random, names: list[str]) -> str:
    module = _dotted(chance, names)
    member = chance.choice([*names, "*"])
    return chance.choice(
        (f"import {module}\n", f"import {module} as x\n", f"from {module} import {member}\n")
    )


def _is_package_throughout(package: str, tracked: set[str]) -> bool:
    parts = package.split("/")
    return all(f"{'/'.join(parts[:n])}/__init__.py" in tracked for n in range(1, len(parts) + 1))


def _relative(chance: random.Random, names: list[str], depth: int) -> str:
    dots = "." * chance.randint(1, min(depth, 2))
    module = _dotted(chance, names, 2) if chance.random() < 0.6 else ""
    return f"from {dots}{module} import {chance.choice(names)}\n"


def _write(repo: Repository, trees: dict[str, Tree]) -> None:
    for folder, tree in trees.items():
        repo.write({f"{folder}/{path}": content for path, content in tree.files.items()})
    paths = [f"{folder}/{path}" for folder, tree in trees.items() for path in tree.tracked]
    for start in range(0, len(paths), 500):
        repo.add(*paths[start : start + 500])
    repo.commit()


def _loaded(repo: Repository, trees: dict[str, Tree]) -> dict[str, set[str]]:
    """Return the untracked files that CPython loads, for each tree that it could do that for."""
    rows = [
        (str(repo.path / folder), [(main, tree.files[main].decode()) for main in tree.mains])
        for folder, tree in trees.items()
    ]
    done = run(
        sys.executable, "-I", "-S", "-c", _RUNNER, cwd=repo.path, stdin=json.dumps(rows).encode()
    )
    assert done.code == 0, done
    found = {}
    for (top, _), (folder, tree) in zip(rows, trees.items(), strict=True):
        paths = json.loads(done.out)[top]
        if paths is not None:
            inside = {Path(path).relative_to(top).as_posix() for path in paths}
            found[folder] = {f"{folder}/{path}" for path in inside - tree.tracked}
    assert len(found) > len(trees) / 2
    return found


def _reported(repo: Repository) -> set[str]:
    done = repo.check("UH201", "UH202", "UH203")
    assert done.code in (0, 1), done
    return {finding["path"] for finding in done.json()["findings"]}


def _trees(seed: int, count: int, folder: Path) -> dict[str, Tree]:
    source = folder / "empty.py"
    source.write_text("")
    compiled = py_compile.compile(str(source), str(folder / "empty.pyc"), doraise=True)
    assert compiled
    bytecode = Path(compiled).read_bytes()
    chance = random.Random(seed)
    return {f"t{number}": _tree(chance, number, bytecode) for number in range(count)}


def _differences(repo: Repository, trees: dict[str, Tree]) -> Iterator[str]:
    _write(repo, trees)
    by_tree, reported = _loaded(repo, trees), _reported(repo)
    loaded = set().union(*by_tree.values())
    assert loaded, "the comparison is blind"
    for path in sorted(loaded ^ {p for p in reported if p.partition("/")[0] in by_tree}):
        tree = trees[path.partition("/")[0]]
        kind = "missed" if path in loaded else "wrong"
        sources = {main: tree.files[main].decode() for main in tree.mains}
        rest = [f"{p}{'' if p in tree.tracked else ' (untracked)'}" for p in sorted(tree.files)]
        bound = {p: c.decode() for p, c in tree.files.items() if p.endswith("__init__.py") and c}
        yield f"{kind}: {path}\n  {sources}\n  {rest}\n  {bound}"


def test_what_we_report_is_what_python_loads(repo: Repository, tmp_path: Path) -> None:
    found = list(_differences(repo, _trees(1, 150, tmp_path)))
    assert not found, "\n".join(found)


@pytest.mark.full
@pytest.mark.parametrize("seed", range(20))
def test_what_we_report_is_what_python_loads_in_many_trees(
    seed: int, repo: Repository, tmp_path: Path
) -> None:
    found = list(_differences(repo, _trees(100 + seed, 400, tmp_path)))
    assert not found, "\n".join(found)


class Row(NamedTuple):
    """What is tracked, what lies beside it, and what is found; each was wrong on a real tree once."""

    tracked: dict[str, str]
    beside: tuple[str, ...]
    found: set[str]


ROWS = {
    "a package imports its submodule by its full name": Row(
        {"pkg/__init__.py": "from pkg import core, more\n", "pkg/core.py": ""},
        ("pkg/more.py",), {"pkg/more.py UH201"},
    ),
    "a name that the package binds itself is no submodule": Row(
        {"pkg/__init__.py": "more = 1\n", "main.py": "from pkg import more\n"}, ("pkg/more.py",), set(),
    ),
    "a name that the package takes from elsewhere is no submodule": Row(
        {"pkg/__init__.py": "from json import loads\n", "main.py": "from pkg import loads\n"},
        ("pkg/loads.py",), set(),
    ),
    "a test package whose __init__ was forgotten is no import root": Row(
        {"tests/__init__.py": "", "tests/db/json/test_a.py": "import os\n"},
        ("tests/db/__init__.py", "tests/db/json/__init__.py", "tests/db/json/array.py"), set(),
    ),
    "its modules are missing, they shadow nothing": Row(
        {"tests/__init__.py": "", "tests/json/test_a.py": "from .array import x\n"},
        ("tests/json/__init__.py", "tests/json/array.py"), {"tests/json/array.py UH201"},
    ),
    "a member of a module is not looked for in a folder of its name": Row(
        {"utils.py": "def helper(): ...\n", "main.py": "from utils import helper\n"},
        ("utils/helper.py",), set(),
    ),
    "a package takes the place of a module of its name": Row(
        {"utils.py": "", "main.py": "from utils import helper\n"},
        ("utils/__init__.py", "utils/helper.py"), {"utils/__init__.py UH201", "utils/helper.py UH201"},
    ),
    "a tracked extension module wins over bytecode beside it": Row(
        {"fast.cpython-311-x86_64-linux-gnu.so": "", "main.py": "import fast\n"}, ("fast.pyc",), set(),
    ),
    "an extension in the place of a tracked __init__ wins": Row(
        {"pkg/__init__.py": "", "main.py": "import pkg\n"},
        ("pkg/__init__.abi3.so",), {"pkg/__init__.abi3.so UH201"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("sentence", ROWS)
def test_edge(sentence: str, repo: Repository) -> None:
    row = ROWS[sentence]
    repo.commit(dict(row.tracked))
    repo.write(dict.fromkeys(row.beside, ""))
    assert set(repo.findings("UH201", "UH202", "UH203")) == row.found


@pytest.mark.parametrize("text", ["/opt/lib", "  /opt/lib", "\t../lib"])
def test_a_path_is_judged_without_the_blanks_that_some_python_strips(
    text: str, repo: Repository
) -> None:
    repo.commit({"a.pth": f"{text}\n"})
    assert repo.findings() == {"a.pth:1 UH103"}
