"""Our hooks in real git commands, run by real pre-commit and real prek.

A row of the table is a repository, one git command in it, and what the hook has to say. Nothing
found means that the command went through.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.repository import UNHAUNT, Repository, run
from tests.runners import CONFIG, Runner, found, stages

Files = Mapping[str, str | bytes]

COMMIT = ("commit", "-m", "x")
CODE = "import os\n"  # as a .pth: a line that Python executes


def _nothing(repo: Repository) -> None:
    pass


class Row:
    """What is in the repository, what is run, and what has to be found."""

    def __init__(self, *findings: str, committed: Files | None = None, staged: Files | None = None,
                 loose: Files | None = None, do: Callable[[Repository], None] = _nothing,
                 command: tuple[str, ...] = COMMIT, folder: str = "", stage: str = "pre-commit",
                 hook: str = "unhaunt", only: str | None = None) -> None:  # fmt: skip
        self.findings, self.committed = set(findings), {"app.py": "", **(committed or {})}
        self.staged, self.loose, self.do = staged or {}, loose or {}, do
        self.command, self.folder, self.stage = command, folder, stage
        self.hook, self.only = hook, only


def _intent_to_add(repo: Repository) -> None:
    repo.write({"helper.py": "X = 1\n"})
    repo.git("add", "-N", "helper.py")


def _edit(repo: Repository) -> None:
    repo.write({"app.py": "import helper\n"})


def _branch(repo: Repository, files: Files) -> None:
    repo.git("checkout", "-q", "-b", "side")
    repo.commit(files)
    repo.git("checkout", "-q", "main")


def _conflict(repo: Repository) -> None:
    _branch(repo, {"app.py": "A = 1\n", "sitecustomize.py": ""})
    repo.commit({"app.py": "A = 2\n"})
    repo.git("merge", "-q", "side", check=False)
    repo.write({"app.py": "A = 3\n"})
    repo.add("app.py")


def _picked(repo: Repository) -> None:
    _branch(repo, {"app.py": "import helper\n"})
    repo.commit({"app.py": "A = 2\n"})
    repo.git("cherry-pick", "side", check=False)
    repo.write({"app.py": "import helper\n"})
    repo.add("app.py")


def _agents(repo: Repository) -> None:
    for name in ("one", "two", "three"):
        repo.git("worktree", "add", "-q", f".agents/{name}", "-b", name)
        agent = Repository(repo.path / ".agents" / name)
        agent.write({"helper.py": "", "json.py": "", "sitecustomize.py": "", "x.pth": CODE})
        agent.add("helper.py")


def _push_with_submodule(repo: Repository) -> None:
    origin = Repository.create(repo.path.parent / "origin")
    origin.commit({"lib.py": "", "sitecustomize.py": ""})
    # A name before ".gitmodules": the listing of the commit begins with the gitlink.
    repo.git("submodule", "--quiet", "add", str(origin.path), "+sub")
    repo.commit({"app.py": "import helper, lib\n"})
    _remote(repo)
    repo.write({"helper.py": ""})
    repo.add("helper.py")


def _submodule(repo: Repository, tracked: Files, loose: Files) -> None:
    origin = Repository.create(repo.path.parent / "origin")
    origin.commit({"lib.py": "", **tracked})
    repo.git("submodule", "--quiet", "add", str(origin.path), "sub")
    repo.commit()
    sub = Repository(repo.path / "sub")
    sub.write(loose)
    repo.write({"app.py": "A = 1\n"})
    repo.add("app.py")


def _sparse(repo: Repository) -> None:
    repo.git("sparse-checkout", "set", "in")
    assert not (repo.path / "out").exists()


def _remote(repo: Repository) -> None:
    repo.git("init", "-q", "--bare", "../remote.git")
    repo.git("remote", "add", "origin", "../remote.git")


def _remote_and_removed(repo: Repository) -> None:
    _remote(repo)
    repo.git("rm", "-q", "sitecustomize.py")


def _remote_and_side(repo: Repository) -> None:
    _remote(repo)
    _branch(repo, {"app.py": "import helper\n", "boot.pth": CODE})
    repo.commit({"helper.py": ""})


PUSH = ("push", "-q", "origin", "main")
ROWS = {
    "a clean commit": Row(staged={"app.py": "import json\n", "pkg/__init__.py": ""}),
    "a staged sitecustomize.py": Row(
        "sitecustomize.py UH101 staged", staged={"sitecustomize.py": ""}),
    "a staged .pth": Row("boot.pth UH102 staged", staged={"boot.pth": CODE}),
    "a staged .start": Row("boot.start UH104 staged", staged={"boot.start": "pkg.mod:main\n"}),
    "a staged ._pth": Row("python311._pth UH105 staged", staged={"python311._pth": ".\n"}),
    "a sitecustomize.py that was committed past the hook": Row(
        "sitecustomize.py UH101 committed",
        committed={"sitecustomize.py": ""}, staged={"a.txt": ""}),
    "an ignored .pth in a folder": Row(
        "tools/boot.pth UH102 ignored",
        committed={".gitignore": "tools/\n"}, staged={"a.txt": ""}, loose={"tools/boot.pth": CODE}),
    "an untracked root module": Row(
        "helper.py UH204 untracked", staged={"a.txt": ""}, loose={"helper.py": ""}),
    "an untracked module that the commit imports": Row(
        "helper.py UH201 untracked", staged={"app.py": "import helper\n"}, loose={"helper.py": ""}),
    "an import that is not staged": Row(
        "helper.py UH204 untracked", staged={"a.txt": ""}, loose={"helper.py": ""}, do=_edit),
    "forbid-startup-files alone": Row(
        "boot.pth UH102 staged", staged={"boot.pth": CODE}, loose={"helper.py": ""},
        hook="forbid-startup-files"),
    "forbid-untracked-modules alone": Row(
        "helper.py UH204 untracked", staged={"boot.pth": CODE}, loose={"helper.py": ""},
        hook="forbid-untracked-modules"),
    "commit -a takes the edit": Row(
        "helper.py UH201 untracked", loose={"helper.py": ""}, do=_edit,
        command=("commit", "-am", "x")),
    "commit -a takes the intent-to-add": Row(
        staged={"app.py": "import helper\n"}, do=_intent_to_add, command=("commit", "-am", "x")),
    "commit -a takes a poisoned .pth": Row(
        "boot.pth UH102 staged", committed={"boot.pth": ""}, loose={"boot.pth": CODE},
        command=("commit", "-am", "x")),
    "commit PATH leaves another staged module out": Row(
        staged={"helper.py": "", "json.py": ""}, loose={"app.py": "A = 1\n"},
        command=("commit", "-m", "x", "app.py")),
    "commit PATH that imports what is only staged": Row(
        "helper.py UH201 staged-not-in-this-commit",
        staged={"helper.py": ""}, loose={"app.py": "import helper\n"},
        command=("commit", "-m", "x", "app.py")),
    "commit PATH with a staged sitecustomize.py": Row(
        "sitecustomize.py UH101 staged-not-in-this-commit",
        staged={"sitecustomize.py": ""}, loose={"app.py": "A = 1\n"},
        command=("commit", "-m", "x", "app.py")),
    "commit PATH in a folder of its own": Row(
        staged={"helper.py": ""}, committed={"sub/a.py": ""}, loose={"sub/a.py": "A = 1\n"},
        command=("commit", "-m", "x", "a.py"), folder="sub"),
    "commit --amend": Row(
        "helper.py UH201 untracked", staged={"app.py": "import helper\n"}, loose={"helper.py": ""},
        command=("commit", "--amend", "-m", "x")),
    "a merge": Row(
        "sitecustomize.py UH101 staged", do=lambda repo: _branch(repo, {"sitecustomize.py": ""}),
        command=("merge", "--no-ff", "-m", "x", "side"), stage="pre-merge-commit"),
    "a clean merge": Row(
        do=lambda repo: _branch(repo, {"lib.py": "", "app.py": "import lib\n"}),
        command=("merge", "--no-ff", "-m", "x", "side"), stage="pre-merge-commit"),
    "a merge that had a conflict": Row("sitecustomize.py UH101 staged", do=_conflict),
    "a cherry-pick that had a conflict": Row(
        "helper.py UH201 untracked", loose={"helper.py": ""}, do=_picked),
    "three agent worktrees inside": Row(staged={"a.txt": ""}, do=_agents),
    "three agent worktrees inside, ignored": Row(
        committed={".gitignore": ".agents/\n"}, staged={"a.txt": ""}, do=_agents),
    "a submodule that tracks a sitecustomize.py": Row(
        do=lambda repo: _submodule(repo, {"sitecustomize.py": ""}, {})),
    "a submodule with an untracked .pth": Row(
        "sub/boot.pth UH102 nested-repository",
        do=lambda repo: _submodule(repo, {}, {"boot.pth": CODE})),
    "a submodule with an ignored sitecustomize.py": Row(
        "sub/sitecustomize.py UH101 nested-repository",
        do=lambda repo: _submodule(
            repo, {".gitignore": "sitecustomize.py\n"}, {"sitecustomize.py": ""})),
    "an intent-to-add": Row(
        "helper.py UH201 untracked", staged={"app.py": "import helper\n"}, do=_intent_to_add),
    "a commit with configuration from the command line": Row(
        "helper.py UH201 untracked", staged={"app.py": "import helper\n"},
        loose={"helper.py": "", "mine": "helper.py\n"},
        command=("-c", "core.excludesFile=mine", *COMMIT)),
    "a commit with the git folder named": Row(
        "helper.py UH201 untracked", staged={"app.py": "import helper\n"}, loose={"helper.py": ""},
        command=("--git-dir", ".git", "--work-tree", ".", *COMMIT)),
    "a commit that names its folder": Row(
        "sub/boot.pth UH102 staged", staged={"sub/boot.pth": CODE},
        command=("-C", "..", *COMMIT), folder="sub"),
    "a sparse checkout": Row(
        committed={"in/a.py": "import out.b\n", "out/__init__.py": "", "out/b.py": ""},
        staged={"in/a.py": "import out.b, json\n"}, do=_sparse),
    "a sitecustomize.py outside the sparse checkout": Row(
        "out/sitecustomize.py UH101 committed",
        committed={"in/a.py": "", "out/sitecustomize.py": ""}, staged={"in/a.py": "A = 1\n"},
        do=_sparse),
    "from a subfolder": Row(
        "helper.py UH201 untracked", "sub/boot.pth UH102 staged",
        staged={"app.py": "import helper\n", "sub/boot.pth": CODE}, loose={"helper.py": ""},
        folder="sub"),
    "an untracked name that is not UTF-8": Row(
        r"\xff.pth UH102 untracked", staged={"a.txt": ""}, loose={"\udcff.pth": CODE}),
    "a staged name that is not UTF-8": Row(
        r"\xff.pth UH102 staged", staged={"\udcff.pth": CODE}, only="prek"),
    "a staged name with a newline": Row(
        r"a\nb.pth UH102 staged", staged={"a\nb.pth": CODE}),
    "an untracked name with a newline": Row(
        r"a\nb.pth UH102 untracked", staged={"a.txt": ""}, loose={"a\nb.pth": CODE}),
    "a clean push": Row(do=_remote, command=PUSH, stage="pre-push"),
    "a push of a sitecustomize.py that is removed since": Row(
        "sitecustomize.py UH101 committed", committed={"sitecustomize.py": ""},
        do=_remote_and_removed, command=PUSH, stage="pre-push"),
    "a push that imports what is only staged": Row(
        "helper.py UH201 staged-not-in-this-commit", committed={"app.py": "import helper\n"},
        staged={"helper.py": "", "json.py": ""}, do=_remote, command=PUSH, stage="pre-push"),
    "a push beside an import that is only staged": Row(
        "helper.py UH204 untracked", staged={"app.py": "import helper\n"}, loose={"helper.py": ""},
        do=_remote, command=PUSH, stage="pre-push"),
    "a push with a submodule": Row(
        "helper.py UH201 staged-not-in-this-commit", do=_push_with_submodule,
        command=PUSH, stage="pre-push"),
    "a push of another branch": Row(
        "boot.pth UH102 committed", "helper.py UH201 staged-not-in-this-commit",
        do=_remote_and_side, command=("push", "-q", "origin", "side"), stage="pre-push"),
}  # fmt: skip


def _build(row: Row, repo: Repository, runner: Runner) -> None:
    repo.commit({**row.committed, **runner.config(row.hook)})
    runner.install(repo, *stages([row.stage]))
    repo.write(row.staged)
    if row.staged:
        repo.add(*row.staged)
    repo.write(row.loose)
    row.do(repo)


@pytest.mark.parametrize("situation", ROWS)
def test_git_command(situation: str, repo: Repository, runner: Runner) -> None:
    row = ROWS[situation]
    if row.only not in (None, runner.name):
        pytest.skip(f"{runner.name} itself ends there")
    _build(row, repo, runner)
    done = run("git", *row.command, cwd=repo.path / row.folder, env=runner.env)
    assert found(done) == row.findings, done
    assert (done.code != 0) == bool(row.findings), done


@pytest.mark.parametrize(
    "staged", [{"app.py": ""}, {"app.py": "", "sitecustomize.py": ""}], ids=str
)
def test_first_commit_of_a_repository(staged: Files, repo: Repository, runner: Runner) -> None:
    repo.write({**runner.config(), **staged})
    repo.add(".")
    runner.install(repo)
    done = run("git", *COMMIT, cwd=repo.path, env=runner.env)
    assert found(done) == {"sitecustomize.py UH101 staged" for name in staged if "site" in name}, (
        done
    )
    assert (done.code != 0) == ("sitecustomize.py" in staged), done


@pytest.mark.parametrize("poisoned", [False, True], ids=["clean", "poisoned"])
def test_commit_in_a_linked_worktree(poisoned: bool, repo: Repository, runner: Runner) -> None:
    repo.commit({**runner.config(), "app.py": ""})
    runner.install(repo)
    repo.git("worktree", "add", "-q", "../linked", "-b", "side")
    repo.write({"json.py": "", "helper.py": ""})
    linked = Repository(repo.path.parent / "linked")
    linked.write({"a.txt": "", **({"sitecustomize.py": "", "sub/x.pth": CODE} if poisoned else {})})
    linked.add(".")
    (linked.path / "deep").mkdir()
    done = run("git", *COMMIT, cwd=linked.path / "deep", env=runner.env)
    wanted = {"sitecustomize.py UH101 staged", "sub/x.pth UH102 staged"} if poisoned else set()
    assert found(done) == wanted, done
    assert (done.code != 0) == poisoned, done


@pytest.mark.parametrize("poisoned", [False, True], ids=["clean", "poisoned"])
def test_commit_in_a_submodule(poisoned: bool, repo: Repository, runner: Runner) -> None:
    _submodule(repo, runner.config(), {"a.txt": "", **({"x.pth": CODE} if poisoned else {})})
    sub = Repository(repo.path / "sub")
    runner.install(sub)
    sub.add(".")
    done = run("git", *COMMIT, cwd=sub.path, env=runner.env)
    assert found(done) == ({"x.pth UH102 staged"} if poisoned else set()), done
    assert (done.code != 0) == poisoned, done


#: what is asked of the runner, and whether the edit that nobody staged is before the hook's eyes
RUNS = {
    "all files": ("run", "--all-files"),
    "the staged files": ("run",),
    "the manual stage": ("run", "--all-files", "--hook-stage", "manual"),
    "one hook by its id": ("run", "unhaunt", "--all-files"),
    "named files": ("run", "--files", "app.py"),
}


@pytest.mark.parametrize("words", RUNS.values(), ids=RUNS.keys())
def test_run(words: tuple[str, ...], repo: Repository, runner: Runner) -> None:
    repo.commit({**runner.config(), "app.py": "import helper\n", "sub/x.pth": CODE, "a.txt": ""})
    repo.write({"a.txt": "changed", "helper.py": ""})
    repo.add("a.txt")
    for folder in ("", "sub"):
        where = words if not folder or "--files" not in words else (*words[:-1], "../app.py")
        done = runner(*where, cwd=repo.path / folder)
        assert found(done) == {"helper.py UH201 untracked", "sub/x.pth UH102 committed"}, done
        assert done.code == 1, done


def test_run_of_a_clean_repository(repo: Repository, runner: Runner) -> None:
    hooks = ("unhaunt", "forbid-startup-files", "forbid-untracked-modules")
    repo.commit({**runner.config(*hooks), "app.py": "", "pkg/__init__.py": ""})
    for words in RUNS.values():
        done = runner(*words, cwd=repo.path)
        assert (done.code, found(done)) == (0, set()), done


def test_project_in_a_folder(repo: Repository, runner: Runner) -> None:
    if runner.name != "prek":
        pytest.skip("pre-commit knows one configuration, in the root")
    config = {f"proj/{name}": text for name, text in runner.config().items()}
    repo.commit(
        {
            CONFIG: "repos: []\n",
            **config,
            "app.py": "import helper\n",
            "proj/a.py": "",
            "other/x.pth": CODE,
        }
    )
    repo.write({"helper.py": ""})
    for folder in ("", "proj"):
        done = runner("run", "--all-files", cwd=repo.path / folder)
        assert found(done) == {"helper.py UH201 untracked", "other/x.pth UH102 committed"}, done


def test_try_repo(repo: Repository, runner: Runner) -> None:
    repo.commit({"app.py": "import helper\n", "sub/x.pth": CODE})
    repo.write({"helper.py": ""})
    done = runner("try-repo", str(runner.hooks), "unhaunt", "--all-files", cwd=repo.path)
    assert found(done) == {"helper.py UH201 untracked", "sub/x.pth UH102 committed"}, done
    assert done.code == 1, done


def test_manifest_is_valid(runner: Runner, tmp_path: Path) -> None:
    manifest = runner.hooks / ".pre-commit-hooks.yaml"
    assert runner("validate-manifest", str(manifest), cwd=tmp_path).code == 0
    broken = tmp_path / "broken.yaml"
    broken.write_text(manifest.read_text().replace("language: python", "language: none"))
    assert runner("validate-manifest", str(broken), cwd=tmp_path).code == 1


#: ends every Python program at once, pre-commit's own aside
EXIT_BUT_FOR_THE_RUNNER = (
    "import os, sys\nif not any('pre_commit' in word for word in sys.orig_argv):\n    os._exit(0)\n"
)
EXIT = "import os\nos._exit(0)\n"
ATTACK = {
    "git.py": "raise SystemExit(0)\n",
    "unhaunt/__init__.py": "raise SystemExit(0)\n",
    "unhaunt/__main__.py": "raise SystemExit(0)\n",
}
ATTACKED = {"sitecustomize.py UH101 staged"}


def _attack(repo: Repository, sitecustomize: str, more: Files | None = None) -> dict[str, str]:
    files = {**ATTACK, "sitecustomize.py": sitecustomize, **(more or {})}
    repo.write(files)
    repo.add(*files)
    return {"PYTHONPATH": "."}


@pytest.mark.parametrize("exported", [".", "", "{repo}"], ids=["dot", "unset", "absolute"])
def test_attack_on_the_hooks(exported: str, repo: Repository, runner: Runner) -> None:
    hooks = ("forbid-startup-files", "forbid-untracked-modules", "unhaunt")
    repo.commit({**runner.config(*hooks), "app.py": "import helper\n"})
    repo.write({"helper.py": ""})
    runner.install(repo)
    _attack(repo, EXIT_BUT_FOR_THE_RUNNER)
    env = {**runner.env, "PYTHONPATH": exported.format(repo=repo.path)}
    done = run("git", *COMMIT, cwd=repo.path, env=env)
    assert found(done) == {*ATTACKED, "helper.py UH201 untracked"}, done
    assert done.code == 1, done
    assert (done.out + done.err).count("exit code: 1") == len(hooks), done


def test_attack_that_ends_every_python(repo: Repository, runner: Runner) -> None:
    repo.commit({**runner.config(), "app.py": ""})
    runner.install(repo)
    env = _attack(repo, EXIT, {"json.py": "raise SystemExit('json')\n"})
    done = run("git", *COMMIT, cwd=repo.path, env={**runner.env, **env})
    if runner.name == "pre-commit":  # it is ended before it starts a hook, as the README says
        assert (done.code, found(done)) == (0, set()), done
    else:
        assert (done.code, found(done)) == (1, ATTACKED), done


@pytest.mark.parametrize("sitecustomize", [EXIT, EXIT_BUT_FOR_THE_RUNNER], ids=["exits", "spares"])
def test_attack_on_the_command(sitecustomize: str, repo: Repository) -> None:
    repo.commit({"app.py": ""})
    env = _attack(repo, sitecustomize, {"json.py": "raise SystemExit('json')\n"})
    without = run(UNHAUNT[0], "-m", "unhaunt", "check", cwd=repo.path, env=env)
    assert (without.code, without.out) == (0, ""), "no attack at all"
    done = run(*UNHAUNT, "check", cwd=repo.path, env=env)
    assert (done.code, found(done)) == (1, ATTACKED), done
    as_json = run(*UNHAUNT, "check", "--format", "json", cwd=repo.path, env=env)
    assert [f["path"] for f in json.loads(as_json.out)["findings"]] == ["sitecustomize.py"]


@pytest.mark.parametrize("exported", [{}, {"PYTHONPATH": "."}], ids=["unset", "exported"])
def test_attack_on_the_console_script(exported: dict[str, str], repo: Repository) -> None:
    # With an `unhaunt` package beside it and PYTHONPATH exported, this form is lost: no defence.
    repo.commit({"app.py": ""})
    files = {
        "sitecustomize.py": "",
        "json.py": "raise SystemExit('json')\n",
        "git.py": ATTACK["git.py"],
    }
    repo.write(files)
    repo.add(*files)
    script = os.path.join(os.path.dirname(UNHAUNT[0]), "unhaunt")
    done = run(script, "check", cwd=repo.path, env=exported)
    assert (done.code, found(done)) == (1, ATTACKED), done
    assert ("started without -I while PYTHONPATH was set" in done.err) == bool(exported)
