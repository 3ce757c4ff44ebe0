"""The house itself: floors, names, what a hook may import, and that nothing is written twice."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import unhaunt
from tests.repository import Repository
from unhaunt import catalog

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "unhaunt"
#: modules that start processes, read files of others, or talk to the streams
EDGES = {
    "process", "git", "opening", "markers", "disk", "walk", "commit", "outside", "worktree",
    "record", "output",
    "interpreter", "history", "taking", "around", "launch", "origins", "claims", "unowned",
    "legs", "home", "session", "search", "run", "wrapper", "tracked_copy", "verify", "changes",
    "blobs", "commit_tree", "revision", "tracked_paths",
    "owners", "bytecode", "installed_files", "auditing", "locating", "examining", "planting",
    "members", "folder", "private_folder",
}  # fmt: skip
#: who may call an edge: edges, commands, and the command line
ABOVE_EDGES = EDGES | {"cli", "__main__"}


def _modules() -> list[Path]:
    return sorted(path for path in PACKAGE.rglob("*.py") if path.name != "__init__.py")


def _imported(path: Path) -> Iterator[str]:
    """Yield the names of the modules of ours that a module imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("unhaunt"):
            parts = (node.module or "").split(".")[1:]
            if PACKAGE.joinpath(*parts).is_dir():
                yield from (alias.name for alias in node.names)
            else:
                yield parts[-1]


def _is_above_edges(path: Path) -> bool:
    return path.stem in ABOVE_EDGES or path.parent.name == "commands"


@pytest.mark.parametrize("path", _modules(), ids=lambda p: p.relative_to(PACKAGE).as_posix())
def test_pure_modules_use_no_edge(path: Path) -> None:
    if not _is_above_edges(path):
        assert EDGES.isdisjoint(_imported(path))


@pytest.mark.parametrize("path", _modules(), ids=lambda p: p.relative_to(PACKAGE).as_posix())
def test_no_pattern_repeats_a_group_possessively(path: Path) -> None:
    # Before 3.11.5 such a group may end in the wrong place (python/cpython#106052).
    assert not re.search(r"(?<!\\)\)(?:[*+?]|\{[\d,]+\})\+|\(\?>", path.read_text("utf-8"))


def test_no_module_is_named_like_the_standard_library() -> None:
    names = {path.stem for path in PACKAGE.rglob("*.py")} - {"__init__", "__main__"}
    assert names.isdisjoint(sys.stdlib_module_names)


def test_every_rule_is_in_the_catalog_once_and_complete() -> None:
    found = catalog.rules()
    codes = [rule.code for _, rule in found]
    assert codes == sorted(set(codes))
    for _, rule in found:
        assert rule.summary
        assert rule.hint
        for part in (
            "What it finds:",
            "Why it matters:",
            "What to do instead:",
            "What it does not find:",
        ):
            assert part in rule.docs, (rule.code, part)
    modules = {path.stem for path in (PACKAGE / "rules").glob("*.py")} - {"__init__"}
    assert modules == {name for names in catalog._MODULES.values() for name in names}


def test_the_manifest_is_the_catalogs() -> None:
    assert (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8") == catalog.manifest()


def test_the_readmes_table_is_the_catalogs() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    between = text.split("<!-- rules -->\n")[1].split("<!-- /rules -->")[0]
    assert between == catalog.table()


def test_the_changelog_knows_the_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(rf"^## \[{re.escape(unhaunt.__version__)}\]", text, re.M)


def test_the_top_level_holds_what_it_may() -> None:
    allowed = {
        ".pre-commit-hooks.yaml",
        "pyproject.toml",
        "README.md",
        "CHANGELOG.md",
        "LICENSE",
        "src",
        "tests",
    }
    tracked = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True
    ).stdout.split("\n")
    top = {name.split("/")[0] for name in tracked if name}
    assert {name for name in top if not name.startswith(".")} <= allowed


LOADED = (
    "import sys\nfrom unhaunt.cli import main\ncode = main(sys.argv[1:])\n"
    "print('loaded', *sorted(n for n in sys.modules if '.' not in n))"
)


@pytest.mark.parametrize(
    "hook", ["unhaunt", "forbid-startup-files", "forbid-untracked-modules", "warn-pythonpath"]
)
def test_an_ordinary_commit_imports_no_parser(hook: str, repo: Repository) -> None:
    repo.commit({
        "pyproject.toml": '[project]\nname = "x"\nversion = "1"\n[tool.ruff]\nline-length = 100\n',
        "pkg/__init__.py": "", "tests/test_a.py": "import pkg\n",
        ".github/workflows/ci.yml": "on: push\n",
    })  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-I", "-c", LOADED, "check", hook],
        cwd=repo.path,
        capture_output=True,
        text=True,
    )
    loaded = set(done.stdout.split("loaded")[-1].split())
    assert done.returncode == 0, done
    assert loaded.isdisjoint(
        {"git", "yaml", "tomllib", "identify", "json", "subprocess", "shutil", "ast"}
    )


def test_the_schemas_are_the_promised_ones() -> None:
    promised = {"report", "fingerprint", "probe", "comparison", "where", "run", "verify"}
    texts = [path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py")]
    found = {name for text in texts for name in re.findall(r'"unhaunt\.([\w.]+)/1"', text)}
    assert found == promised
