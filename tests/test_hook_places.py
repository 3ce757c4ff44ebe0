"""Our hooks where they are run by others: without a network, in a fresh clone, in a workspace of
projects, beside other hooks, at tags that move, and under another Python."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest
import yaml

from tests import interpreters
from tests.repository import Repository, run
from tests.runners import CONFIG, Runner, found

CODE = "import os\n"  # as a .pth: a line that Python executes
STATIC = ("unhaunt", "forbid-startup-files", "forbid-untracked-modules", "warn-pythonpath")
#: a `.pth` line for the hooks' own environment; `site` has imported both modules
NO_NETWORK = (
    "import sys; os.environ.get('NO_NETWORK') and "
    "sys.addaudithook(lambda event, args: event.startswith('socket.') and os._exit(77))\n"
)
#: a proxy that nobody listens at, for what is no Python
NOWHERE = dict.fromkeys(
    ("http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy"), "http://127.0.0.1:9"
)


def _sites(runner: Runner) -> list[Path]:
    found = [path.parent for path in runner.home.rglob("site-packages/unhaunt")]
    assert found, "the runner has no environment with our hooks"
    return found


def _ask(site: Path, code: str, env: dict[str, str]) -> int:
    python = site.parents[2] / "bin" / "python"
    return run(python, "-I", "-c", code, cwd=site, env=env).code


def test_no_hook_opens_a_socket(repo: Repository, runner: Runner) -> None:
    blocked = {**NOWHERE, "NO_NETWORK": "1"}
    for site in _sites(runner):
        part = site / f"no-network.{os.getpid()}"
        part.write_text(NO_NETWORK)
        part.replace(site / "no-network.pth")  # other tests use this environment
        call = "import socket; socket.getaddrinfo('localhost', 80)"
        assert (_ask(site, call, {}), _ask(site, call, blocked)) == (0, 77)
    repo.commit({**runner.config(*STATIC), "app.py": "import helper\n"})
    repo.write({".env": "PYTHONPATH=.\n"})
    repo.add(".env")
    words = ("run", "--all-files", "--verbose")
    clean = run(*runner.argv, *words, cwd=repo.path, env={**runner.env, **blocked})
    assert (clean.code, found(clean)) == (0, {".env UH302 staged"}), clean
    repo.write({"helper.py": "", "x.pth": CODE})
    done = run(*runner.argv, *words, cwd=repo.path, env={**runner.env, **blocked})
    assert done.code == 1, done
    assert found(done) == {
        ".env UH302 staged", "helper.py UH201 untracked", "x.pth UH102 untracked",
    }  # fmt: skip


def test_a_fresh_clone_has_tracked_files_only_and_the_hook_says_so(
    repo: Repository, runner: Runner
) -> None:
    repo.commit({**runner.config(), ".gitignore": "*.log\n", "app.py": ""})
    done = run("git", "clone", "-q", "--depth=1", f"file://{repo.path}", "clone", cwd=repo.path)
    assert done.code == 0, done
    clone = Repository(repo.path / "clone")
    words = ("run", "--all-files", "--verbose")
    only = "3 tracked, 0 untracked, 0 ignored paths (tracked files only, as in a clean clone): "
    assert only in runner(*words, cwd=clone.path).out
    clone.write({"a.log": ""})
    assert "0 untracked, 1 ignored paths: " in runner(*words, cwd=clone.path).out


WORKSPACES = pytest.mark.parametrize("runner", ["prek"], indirect=True)  # pre-commit has none


@WORKSPACES
def test_a_workspace_of_projects(repo: Repository, runner: Runner) -> None:
    """Each project's hook starts in the project's folder, and judges the repository."""
    config = runner.config("unhaunt", "warn-pythonpath")[CONFIG]
    repo.commit({
        CONFIG: config, f"one/{CONFIG}": config, f"two/deep/{CONFIG}": config,
        "one/app.py": "import helper\n", "two/deep/a.py": "", ".gitignore": "/two/deep/x.pth\n",
    })  # fmt: skip
    assert runner("run", "--all-files", cwd=repo.path).code == 0
    repo.write({"one/helper.py": "", "two/deep/x.pth": CODE, "one/.env": "PYTHONPATH=/srv\n"})
    repo.add("one/.env")
    everywhere = runner("run", "--all-files", cwd=repo.path)
    assert everywhere.code == 1, everywhere
    for project in ("", "one", "two/deep"):
        done = runner("run", "--all-files", cwd=repo.path / project)
        assert done.code == 1, done
        assert found(done) == {
            "one/helper.py UH201 untracked", "two/deep/x.pth UH102 ignored",
            "one/.env UH303 staged",
        }, (project, done)  # fmt: skip
    rows = re.findall(r"reject startup files, block .*Failed", everywhere.out)
    assert len(rows) == 3, everywhere


@WORKSPACES
def test_each_project_of_a_workspace_is_judged_by_its_own_python(
    repo: Repository, runner: Runner, tmp_path: Path
) -> None:
    config = runner.config("check-import-origins")[CONFIG]
    project = '[project]\nname = "x"\nversion = "1"\n'
    repo.commit({
        CONFIG: "repos: []\n", f"one/{CONFIG}": config, f"two/{CONFIG}": config,
        ".gitignore": ".venv/\n", "one/src/mine.py": "", "two/src/yours.py": "",
        "one/pyproject.toml": project, "two/pyproject.toml": project,
    })  # fmt: skip
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "mine.py").write_text("")
    for name, folder in (("one", tmp_path / "old"), ("two", repo.path / "two" / "src")):
        interpreters.venv(sys.executable, repo.path / name / ".venv")
        site = next((repo.path / name / ".venv" / "lib").glob("*/site-packages"))
        (site / "project.pth").write_text(f"{folder}\n")
    done = runner("run", "--all-files", "--stage", "manual", "--verbose", cwd=repo.path)
    asked = re.findall(r"interpreter: (\S+) \((.*)\)", done.out)
    assert sorted(asked) == [
        (str(repo.path / name / ".venv/bin/python"), ".venv of the project")
        for name in ("one", "two")
    ], done
    assert re.findall(r"(\S+): (UH\d+) ", done.out) == [
        (str(tmp_path / "old" / "mine.py"), "UH501")
    ], done
    assert done.code == 1, done


def test_siblings_that_run_at_the_same_time(repo: Repository, runner: Runner) -> None:
    """With prek, hooks of one priority run together; here beside one that uses the index."""
    (ours,) = yaml.safe_load(str(runner.config(*STATIC)[CONFIG]))["repos"]
    sibling = {
        "id": "sibling", "name": "sibling", "language": "system", "always_run": True,
        "pass_filenames": False,
        "entry": "sh -c 'for n in 1 2 3 4 5 6 7 8; do git update-index -q --refresh; done'",
    }  # fmt: skip
    hooks = [*ours["hooks"], sibling]
    if runner.name == "prek":
        for hook in hooks:
            hook["priority"] = 0
    config = {"repos": [ours, {"repo": "local", "hooks": [sibling]}]}
    ours["hooks"] = hooks[:-1]
    repo.commit({CONFIG: yaml.safe_dump(config), "app.py": "import helper\n"})
    repo.write({"x.pth": CODE, "helper.py": ""})
    repo.add("x.pth")
    for _ in range(3):
        done = runner("run", "--all-files", cwd=repo.path)
        assert (done.out + done.err).count("hook id: ") == 4, done  # warn-pythonpath is verbose
        assert "sibling" in done.out
        assert found(done) == {"x.pth UH102 staged", "helper.py UH201 untracked"}, done
    assert not (repo.path / ".git" / "index.lock").exists()


def test_autoupdate_finds_our_newest_tag(repo: Repository, runner: Runner, tmp_path: Path) -> None:
    done = run("git", "clone", "-q", str(runner.hooks), "hooks", cwd=tmp_path)
    assert done.code == 0, done
    hooks = Repository(tmp_path / "hooks")
    for date, tag in (("2025-01-01T00:00:00Z", "v0.9.0"), ("2025-02-01T00:00:00Z", "v0.10.0")):
        dated = dict.fromkeys(("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"), date)
        hooks.git("commit", "-q", "--allow-empty", "-m", tag, env=dated)
        hooks.git("tag", "-a", "-m", tag, tag, env=dated)
    hooks.commit({"CHANGELOG.md": "not released\n"})
    text = f"repos:\n-   repo: {hooks.path}\n    rev: v0.9.0\n    hooks:\n    -   id: unhaunt\n"
    repo.commit({CONFIG: text})
    done = runner("autoupdate", cwd=repo.path)
    assert done.code == 0, done
    updated = (repo.path / CONFIG).read_text()
    assert updated == text.replace("v0.9.0", "v0.10.0"), done
    assert runner("validate-config", CONFIG, cwd=repo.path).code == 0


def test_no_hook_pins_a_python(runner: Runner) -> None:
    rows = yaml.safe_load((runner.hooks / ".pre-commit-hooks.yaml").read_text())
    assert all(
        "language_version" not in row and "additional_dependencies" not in row for row in rows
    )


@pytest.mark.full
def test_the_user_chooses_the_python_of_the_hooks(
    repo: Repository, runner: Runner, tmp_path: Path
) -> None:
    minor, python = next(
        (minor, path)
        for version, path in reversed(interpreters.supported().items())
        if int((minor := version.rpartition(".")[0])[2:]) >= 11
        and minor != f"{sys.version_info[0]}.{sys.version_info[1]}"
    )
    config = str(runner.config()[CONFIG])
    repo.commit({CONFIG: f"default_language_version:\n    python: python{minor}\n{config}"})
    repo.write({"x.pth": CODE})
    own = runner._replace(home=tmp_path / "home")
    path = os.pathsep.join([os.path.dirname(python), own.env["PATH"]])
    env = {**interpreters.ORIGINAL, **own.env, "PATH": path}
    done = run(*own.argv, "run", "--all-files", cwd=repo.path, env=env)
    assert (done.code, found(done)) == (1, {"x.pth UH102 untracked"}), done
    assert {site.parent.name for site in _sites(own)} == {f"python{minor}"}
