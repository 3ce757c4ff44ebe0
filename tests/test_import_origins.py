"""`check-import-origins`: where each module of a project comes from, in real environments."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from tests import interpreters
from tests.repository import Ran, Repository, run

PYTHON = interpreters.at_least(3, 13)
ONE, TWO = "VALUE = 1\n", "VALUE = 2\n"


class Project:
    """A checkout with its environment, outside of it."""

    def __init__(self, place: Path, prefix: Path) -> None:
        self.place = place
        self.repo = Repository.create(place / "repo")
        self.python = prefix / "bin/python"
        (self.site,) = prefix.glob("lib/python*/site-packages")
        self.env: dict[str, str] = {}

    def source(self, name: str, content: str = ONE, **more: str) -> None:
        """Commit a module."""
        self.repo.commit({name: content, **more})

    def installed(self, name: str, content: str) -> Path:
        """Put a module into the environment."""
        target = self.site / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(content)
        return target

    def pth(self, folder: Path | str) -> None:
        """Add a folder to the path, as an editable install of the src layout does."""
        self.installed("__editable__.pkg.pth", f"{folder}\n")

    def check(self, *words: str) -> Ran:
        """Run the hook's rules here."""
        asked = ("check-import-origins", "--python", str(self.python), *words)
        return self.repo.check(*asked, env=self.env)


@pytest.fixture(scope="session")
def prefix(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty environment, made once."""
    folder = tmp_path_factory.mktemp("environment")
    interpreters.venv(PYTHON, folder)
    return folder


@pytest.fixture
def project(tmp_path: Path, prefix: Path) -> Project:
    """A checkout with an environment of its own."""
    shutil.copytree(prefix, tmp_path / "env", symlinks=True)
    return Project(tmp_path, tmp_path / "env")


Row = Callable[[Project], set[str]]
ROWS: dict[str, Row] = {}


def row(plant: Row) -> Row:
    """Name a row: it plants, and returns what is to be found."""
    return ROWS.setdefault(plant.__name__.replace("_", " "), plant)


@row
def a_flat_layout_as_it_is(project: Project) -> set[str]:
    project.source("pkg/__init__.py")
    return set()


@row
def a_src_layout_that_is_installed_editable(project: Project) -> set[str]:
    project.source("src/pkg/__init__.py")
    project.pth(project.repo.path / "src")
    return set()


@row
def a_src_layout_that_pytest_puts_on_the_path(project: Project) -> set[str]:
    config = '[tool.pytest.ini_options]\npythonpath = ["src"]\n'
    project.source("src/pkg/__init__.py", **{"pyproject.toml": config})
    return set()


@row
def a_src_layout_that_is_not_installed(project: Project) -> set[str]:
    project.source("src/pkg/__init__.py")
    return {"src/pkg/__init__.py UH504"}


@row
def a_script_of_a_module_that_nobody_has(project: Project) -> set[str]:
    config = '[project]\nname = "x"\nversion = "1"\n[project.scripts]\ngo = "elsewhere.cli:main"\n'
    project.source("pkg/__init__.py", **{"pyproject.toml": config})
    return {"pyproject.toml UH504 warning"}


@row
def an_editable_install_whose_folder_is_gone(project: Project) -> set[str]:
    project.source("src/pkg/__init__.py")
    finder = f"MAPPING = {{'pkg': {str(project.place / 'gone/pkg')!r}}}\n"
    _finder(project, finder)
    return {"src/pkg/__init__.py UH504"}


@row
def an_editable_mapping_to_this_checkout(project: Project) -> set[str]:
    project.source("src/pkg/__init__.py")
    _finder(project, f"MAPPING = {{'pkg': {str(project.repo.path / 'src/pkg')!r}}}\n")
    return set()


def _package_dir(project: Project, name: str, folder: str, *, installed: bool = True) -> None:
    """Commit a package that setuptools' package-dir names, and install it editable."""
    config = f'[tool.setuptools]\npackages = ["{name}"]\npackage-dir = {{{name} = "{folder}"}}\n'
    files = {"pyproject.toml": config, f"{folder}/sub.py": ONE, f"{folder}/__main__.py": ONE}
    project.source(f"{folder}/__init__.py", **files)
    if installed:
        _finder(project, f"MAPPING = {{{name!r}: {str(project.repo.path / folder)!r}}}\n")


@row
def a_package_dir_in_src(project: Project) -> set[str]:
    _package_dir(project, "mint", "src/mint")
    return set()


@row
def a_package_dir_in_another_folder(project: Project) -> set[str]:
    _package_dir(project, "demo", "lib/demo")
    return set()


@row
def a_package_dir_that_renames(project: Project) -> set[str]:
    _package_dir(project, "demo", "foo")
    return set()


@row
def a_package_dir_that_renames_in_src(project: Project) -> set[str]:
    _package_dir(project, "demo", "src/foo")
    return set()


@row
def a_package_dir_that_is_not_installed(project: Project) -> set[str]:
    _package_dir(project, "demo", "lib/demo", installed=False)
    return {"lib/demo/__init__.py UH504"}


@row
def a_renaming_package_dir_that_is_not_installed(project: Project) -> set[str]:
    _package_dir(project, "demo", "src/foo", installed=False)
    return {"src/foo/__init__.py UH504"}


@row
def an_editable_mapping_to_somewhere_else(project: Project) -> set[str]:
    project.source("src/pkg/__init__.py")
    other = project.place / "other/pkg/__init__.py"
    other.parent.mkdir(parents=True)
    other.write_text(ONE)
    _finder(project, f"MAPPING = {{'pkg': {str(other.parent)!r}}}\n")
    return {f"{other} UH501"}


def _finder(project: Project, text: str) -> None:
    line = "import __editable___pkg_1_0_finder; __editable___pkg_1_0_finder.install()\n"
    project.installed("__editable__.pkg-1.0.pth", line)
    project.installed("__editable___pkg_1_0_finder.py", text)


@row
def a_ghost_that_a_staged_file_imports(project: Project) -> set[str]:
    ghost = project.place / "home/cli_helpers.py"
    ghost.parent.mkdir()
    ghost.write_text(ONE)
    project.env["PYTHONPATH"] = str(ghost.parent)
    project.repo.commit({"README": "x"})
    project.repo.write({"pkg/__init__.py": "import cli_helpers\nimport json\n"})
    project.repo.add("pkg")
    return {f"{ghost} UH501"}


@row
def a_first_party_module_that_pythonpath_replaces(project: Project) -> set[str]:
    project.source("src/pkg/__init__.py")
    project.pth(project.repo.path / "src")
    ghost = project.place / "home/pkg.py"
    ghost.parent.mkdir()
    ghost.write_text(TWO)
    project.env["PYTHONPATH"] = str(ghost.parent)
    return {f"{ghost} UH501"}


@row
def a_dependency_that_is_installed_is_none_of_ours(project: Project) -> set[str]:
    project.installed("dep/__init__.py", ONE)
    project.installed("dep-1.0.dist-info/RECORD", "dep/__init__.py,,\n")
    project.repo.commit({"README": "x"})
    project.repo.write({"pkg/__init__.py": "import dep\nimport not_installed\n"})
    project.repo.add("pkg")
    return set()


@row
def an_installed_copy_that_differs(project: Project) -> set[str]:
    project.source("src/pkg/__init__.py", TWO)
    copy = project.installed("pkg/__init__.py", ONE)
    return {f"{copy} UH502"}


@row
def an_installed_copy_that_is_the_same(project: Project) -> set[str]:
    project.source("src/pkg/__init__.py", ONE)
    copy = project.installed("pkg/__init__.py", ONE)
    return {f"{copy} UH502 info"}


@row
def an_installed_single_module_that_differs(project: Project) -> set[str]:
    project.source("src/tool.py", TWO)
    return {f"{project.installed('tool.py', ONE)} UH502"}


@row
def a_stale_copy_that_the_current_directory_hides(project: Project) -> set[str]:
    project.source("pkg/__init__.py", TWO)
    copy = project.installed("pkg/__init__.py", ONE)
    return {f"{copy} UH502 warning"}


@row
def another_working_tree_of_the_repository(project: Project) -> set[str]:
    project.source("src/pkg/__init__.py")
    other = project.place / "other"
    project.repo.git("worktree", "add", "-q", str(other))
    project.pth(other / "src")
    return {f"{other / 'src/pkg/__init__.py'} UH503"}


@row
def another_clone_of_the_repository(project: Project) -> set[str]:
    project.source("src/pkg/__init__.py")
    other = project.place / "clone"
    project.repo.git("clone", "-q", str(project.repo.path), str(other))
    project.pth(other / "src")
    return {f"{other / 'src/pkg/__init__.py'} UH503"}


@row
def a_folder_without_init_that_hides_the_real_package(project: Project) -> set[str]:
    project.source("src/pkg/__init__.py")
    project.repo.write({"pkg/data.txt": "1"})
    return {"pkg UH505"}


@row
def a_folder_without_init_that_beats_an_editable_finder(project: Project) -> set[str]:
    project.source("src/mint/__init__.py")
    _finder(project, f"MAPPING = {{'mint': {str(project.repo.path / 'src/mint')!r}}}\n")
    project.repo.write({"mint/velocity.txt": "1"})
    return {"mint UH505"}


@row
def a_folder_without_init_that_loses_to_the_real_package(project: Project) -> set[str]:
    project.source("src/pkg/__init__.py")
    project.pth(project.repo.path / "src")
    project.repo.write({"pkg/data.txt": "1"})
    return set()


@pytest.mark.parametrize("name", ROWS)
def test_where_modules_come_from(name: str, project: Project) -> None:
    expected = ROWS[name](project)
    done = project.check()
    assert done.findings() == expected, done.out
    failing = any(not place.endswith((" info", " warning")) for place in expected)
    assert done.code == int(failing)


def test_messages_say_why(project: Project) -> None:
    an_editable_install_whose_folder_is_gone(project)
    (finding,) = project.check().json()["findings"]
    gone = project.place / "gone/pkg"
    words = f"import pkg finds nothing: the editable install maps it to {gone}, which is gone"
    assert finding["message"] == words


def test_a_python_that_does_not_answer_is_not_checked(project: Project) -> None:
    project.source("pkg/__init__.py")
    script = project.place / "broken"
    script.write_bytes(b"\x7fELF rubbish")
    script.chmod(0o755)
    done = project.repo.check("check-import-origins", "--python", str(script))
    assert (done.code, len(done.json()["checked"]["not_checked"])) == (2, 1)


def test_a_root_that_holds_projects_alone_names_those(project: Project) -> None:
    project.source("one/pyproject.toml", '[project]\nname = "one"\n')
    project.source("one/mine/__init__.py", **{"two/setup.py": ""})
    done = project.check()
    told = done.json()["checked"]["not_checked"]
    assert (done.code, [item["path"] for item in told]) == (0, ["one", "two"])
    assert "unhaunt check check-import-origins -C one" in told[0]["reason"]
    project.source("root.py")
    assert project.check().json()["checked"]["not_checked"] == []


def test_the_hook_as_the_manifest_has_it(project: Project) -> None:
    manifest = yaml.safe_load((Path(__file__).parent.parent / ".pre-commit-hooks.yaml").read_text())
    (entry,) = [r["entry"] for r in manifest if r["id"] == "check-import-origins"]
    project.source("src/pkg/__init__.py")
    env = {"PRE_COMMIT": "1", "CONDA_PREFIX": str(project.python.parent.parent)}
    done = run(sys.executable, *entry.split()[1:], cwd=project.repo.path, env=env)
    assert done.code == 1
    assert "src/pkg/__init__.py: UH504 import pkg finds nothing: src/ is on no path" in done.out


@pytest.mark.parametrize("runner", ["pre-commit", "prek"])
def test_both_hooks_under_a_real_runner(runner: str, project: Project) -> None:
    program = Path(sys.executable).parent / runner
    hooks = [
        {"id": name, "name": name, "language": "system", "always_run": True,
         "pass_filenames": False, "entry": f"{sys.executable} -I -m unhaunt check {name}",
         "stages": ["manual"]}
        for name in ("check-interpreter", "check-import-origins")
    ]  # fmt: skip
    config = json.dumps({"repos": [{"repo": "local", "hooks": hooks}]})
    project.repo.commit({".pre-commit-config.yaml": config, "src/pkg/__init__.py": ONE})
    project.installed("evil.pth", "import os\n")
    env = {"CONDA_PREFIX": str(project.python.parent.parent)}
    words = ("run", "--hook-stage", "manual", "--all-files")
    done = run(program, *words, cwd=project.repo.path, env=env)
    assert done.code == 1
    assert "evil.pth:1: UH402" in done.out
    assert "src/pkg/__init__.py: UH504" in done.out
