"""`check --rev`: what a commit alone tells, in every kind of clone, and what it cannot tell."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.repository import UNHAUNT, Ran, Repository, run
from tests.test_cases import CASES

CODE = "import os\n"
ALLOW = '[[tool.unhaunt.allow]]\nrule = "UH102"\npath = "x.pth"\nreason = "ours"\n'
ZEROS = "0" * 40
STATIC = ("forbid-startup-files", "UH205", "warn-pythonpath")


def clone(origin: Repository, name: str, *options: str) -> Repository:
    """Clone as from a server, which may leave objects out."""
    origin.git("config", "uploadpack.allowFilter", "true")
    path = origin.path.parent / name
    done = run("git", "clone", "-q", *options, f"file://{origin.path}", str(path), cwd=origin.path)
    assert done.code == 0, done
    return Repository(path)


def places(done: Ran, code: int) -> set[str]:
    """Return the findings, or fail when it ended otherwise."""
    assert done.code == code, done
    return done.findings()


def not_checked(done: Ran) -> dict[str, str]:
    """Return path -> reason of what was not checked."""
    return {n["path"]: n["reason"] for n in done.json()["checked"]["not_checked"]}


def _of_every_kind(repo: Repository) -> None:
    """Commit the files of every case, each in a folder of its own, and links of every kind."""
    files: dict[str, str | bytes] = {}
    for case, row in CASES.items():
        for path, content in row["minimal_input"]["files"].items():
            if (
                isinstance(content, str)
                and not path.startswith("/")
                and ".." not in path.split("/")
            ):
                files[f"{case}/{path}"] = content
    repo.write(files)
    repo.write({
        "pyproject.toml": '[tool.pytest.ini_options]\npythonpath = ["lib"]\n',
        ".gitattributes": "folded/** -diff\nlib/gen.py linguist-generated\n",
        "folded/x.pth": CODE, "lib/gen.py": "", "lib/sitecustomize.py": "", ".env": "PYTHONPATH=.:deep\n",
        "deep/usercustomize/__init__.py": "", "paths/a.pth": "b\n../lib\n", "paths/b/c.txt": "",
        "\udcff/y.pth": CODE, "bin/tool": "#!/bin/sh\n", "bin/tool._pth": "import site\n",
        "real/__init__.py": "", "bare/data.txt": "", "long.pth": "# x\n" * 1_200_000 + CODE,
    })  # fmt: skip
    for name, target in {
        "links/sitecustomize": "../real", "links/usercustomize": "../bare",
        "more/sitecustomize.py": "nowhere", "more/x.pth": "../folded/x.pth",
        "more/loop.pth": "loop.pth", "linked": "real",
    }.items():  # fmt: skip
        repo.write({f"{name}.beside": ""})
        os.symlink(target, repo.path / name)
    repo.git("add", "-f", ".")
    for name in ("vendor/sub", "vendor/sitecustomize", "lib/sub.pth"):
        repo.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},{name}")
    repo.commit()


def test_a_commit_says_what_its_clean_clone_says(repo: Repository, tmp_path: Path) -> None:
    _of_every_kind(repo)
    there = clone(repo, "there")
    bare = clone(repo, "bare.git", "--bare")
    on_disk = there.check(*STATIC).json()
    in_store = bare.check(*STATIC, "--rev", "HEAD").json()
    assert len(on_disk["findings"]) > 50
    assert {f["code"] for f in on_disk["findings"]} >= {
        "UH101", "UH102", "UH103", "UH104", "UH105", "UH205", "UH301", "UH302", "UH303", "UH304",
        "UH305",
    }  # fmt: skip
    assert in_store["findings"] == on_disk["findings"]
    for key in ("tracked", "env_files"):
        assert in_store["checked"][key] == on_disk["checked"][key]
    assert in_store["repository"]["head"] == there.git("rev-parse", "HEAD").strip()


def test_nothing_of_the_working_tree_or_index_counts(repo: Repository) -> None:
    repo.commit({"x.pth": CODE, "app.py": "import helper\n"})
    repo.write({"x.pth": "", "y.pth": CODE, "helper.py": "", "staged.pth": CODE})
    repo.add("staged.pth")
    done = repo.check("--rev", "HEAD")
    assert places(done, 1) == {"x.pth:1 UH102"}
    notes = "\n".join(done.json()["notes"])
    for word in ("untracked", "ignored", "UH201", "UH202", "UH203", "UH204"):
        assert word in notes


KINDS = {
    "bare": ("--bare",),
    "a mirror": ("--mirror",),
    "shallow": ("--depth", "1"),
    "shallow and bare": ("--depth", "1", "--bare"),
    "not checked out": ("--no-checkout",),
    "a working tree": (),
}


@pytest.mark.parametrize("options", KINDS.values(), ids=KINDS)
def test_every_kind_of_clone(options: tuple[str, ...], repo: Repository) -> None:
    repo.commit({"a.txt": "1"})
    repo.commit({"x.pth": CODE, ".env": "PYTHONPATH=/a\n"})
    there = clone(repo, "there", *options)
    before = {p: p.stat().st_mtime_ns for p in there.path.rglob("*")}
    assert places(there.check("--rev", "HEAD"), 1) == {"x.pth:1 UH102", ".env:1 UH303 warning"}
    assert {p: p.stat().st_mtime_ns for p in there.path.rglob("*")} == before


PLACES = {
    "a folder of it": ("deep/er", {}),
    "its git folder": (".git", {}),
    "where core.worktree leads away": (".", {"core.worktree": "/nowhere"}),
    "with sparse checkout": (".", {"core.sparseCheckout": "true"}),
}


@pytest.mark.parametrize(("place", "settings"), PLACES.values(), ids=PLACES)
def test_every_place(place: str, settings: dict[str, str], repo: Repository) -> None:
    repo.commit({"deep/er/x.pth": CODE, ".gitattributes": "*.pth -diff\n"})
    for name, value in settings.items():
        repo.git("config", name, value)
    done = repo.check("--rev", "HEAD", "--base", ZEROS, cwd=repo.path / place)
    assert places(done, 0) == set()
    done = repo.check("--rev", "HEAD", cwd=repo.path / place)
    assert places(done, 1) == {"deep/er/x.pth:1 UH102", "deep/er/x.pth UH205"}


def test_ids_of_sha256(tmp_path: Path) -> None:
    repo = Repository.create(tmp_path / "repo", "--object-format=sha256")
    repo.commit({"x.pth": CODE, ".env": "PYTHONPATH=/a\n", ".gitattributes": "*.pth -diff\n"})
    assert places(repo.check("--rev", "HEAD"), 1) == {
        "x.pth:1 UH102", "x.pth UH205", ".env:1 UH303 warning",
    }  # fmt: skip
    assert places(repo.check("--rev", "0" * 64), 0) == set()


def test_a_file_that_is_too_large_is_not_checked(repo: Repository) -> None:
    long = b"# x\n" * (1 << 24) + b"PYTHONPATH=/a\n"
    repo.commit({"huge.env": long, "huge.pth": long})
    done = repo.check("--rev", "HEAD")
    assert places(done, 0) == set()
    reason = "larger than the 64 MiB that are read of a file"
    assert not_checked(done) == {"huge.env": reason, "huge.pth": reason}


def test_without_room_for_an_index_attributes_are_no_guess(repo: Repository) -> None:
    repo.commit({"x.pth": CODE, ".gitattributes": "*.pth -diff\n"})
    full = f"ulimit -f 0; {' '.join(UNHAUNT)} check --rev HEAD"  # no file can be written to
    done = run("sh", "-c", full, cwd=repo.path)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("error: git read-tree failed: ")


def test_names_of_a_commit(repo: Repository) -> None:
    repo.commit({"x.pth": CODE})
    whole = repo.git("rev-parse", "HEAD").strip()
    repo.git("tag", "light")
    repo.git("tag", "-a", "-m", "x", "annotated")
    repo.git("branch", "feature/x")
    repo.commit({"x.pth": ""})
    for name in (whole, whole[:9], "light", "annotated", "feature/x", "HEAD~1", "refs/tags/light"):
        assert places(repo.check("--rev", name), 1) == {"x.pth:1 UH102"}, name
    assert places(repo.check("--rev", "HEAD"), 0) == set()


#: what is given as --rev, and what is said of it
WRONG = {
    "no such thing": ("nothing", "no such commit"),
    "like an option": ("-x", "not a revision"),
    "two dashes": ("--", "not a revision"),
    "empty": ("", "not a revision"),
    "a tree": ("HEAD^{tree}", "a tree, and not a commit"),
    "a blob": ("HEAD:x.pth", "a blob, and not a commit"),
    "a tag of a tree": ("tree-tag", "and not a commit"),
    "a range": ("HEAD~1..HEAD", "no such commit"),
    "all but": ("^HEAD", "no such commit"),
    "ambiguous": ("both", "ambiguous"),
    "a line break": ("a\nb", "no such commit"),
    "an id that is not here": ("1" * 40, "no such commit"),
    "thirty-nine zeros": ("0" * 39, "no such commit"),
}


@pytest.mark.parametrize(("name", "words"), WRONG.values(), ids=WRONG)
@pytest.mark.parametrize("option", ["--rev", "--base"])
def test_what_is_no_commit_is_exit_2(option: str, name: str, words: str, repo: Repository) -> None:
    repo.commit({"x.pth": CODE})
    repo.git("tag", "both")
    repo.git("tag", "tree-tag", "HEAD^{tree}")
    repo.commit({"y": ""})
    repo.git("branch", "both")
    rest = () if option == "--rev" else ("--rev=HEAD",)
    done = run(*UNHAUNT, "check", f"{option}={name}", *rest, cwd=repo.path)
    assert (done.code, done.out) == (2, "")
    assert "Traceback" not in done.err
    assert f"error: {option} " in done.err
    assert words in done.err
    assert "\nhint: " in done.err


@pytest.mark.parametrize("word", ["UH201", "shadows-stdlib", "check-interpreter", "UH501"])
def test_a_rule_that_needs_more_than_a_commit_is_exit_2(word: str, repo: Repository) -> None:
    repo.commit({"x.pth": CODE})
    done = run(*UNHAUNT, "check", word, "--rev", "HEAD", cwd=repo.path)
    assert done.code == 2
    assert f"error: {word} looks at more than a commit" in done.err


def test_a_hook_of_both_kinds_does_its_part(repo: Repository) -> None:
    repo.commit({"x.pth": CODE, ".gitattributes": "*.pth -diff\n", ".env": "PYTHONPATH=/a\n"})
    assert places(repo.check("unhaunt", "--rev", "HEAD"), 1) == {"x.pth:1 UH102", "x.pth UH205"}


# -- a partial clone


def _emptied(repo: Repository, *options: str) -> Repository:
    there = clone(repo, "partial", "--filter=blob:none", *options)
    shutil.move(repo.path, repo.path.with_name("gone"))  # nothing can be fetched any more
    return there


@pytest.mark.parametrize("options", [("--bare",), ("--no-checkout",)])
def test_a_blob_that_is_not_here_is_not_checked(options: tuple[str, ...], repo: Repository) -> None:
    repo.commit({
        "x.pth": CODE, ".env": "PYTHONPATH=/a\n", "sitecustomize.py": "", "notes.md": "PYTHONPATH",
        "pyproject.toml": ALLOW, ".gitattributes": "*.py -diff\n",
    })  # fmt: skip
    there = _emptied(repo, *options)
    done = there.check("--rev", "HEAD")
    assert places(done, 1) == {"sitecustomize.py UH101"}
    reason = "its content is not in this clone"
    assert not_checked(done) == {
        "x.pth": reason, ".env": reason, ".gitattributes": reason,
        "pyproject.toml": f"the base's: {reason}, so it allows nothing",
    }  # fmt: skip
    text = run(*UNHAUNT, "check", "--rev", "HEAD", cwd=there.path)
    assert "not checked: x.pth: its content is not in this clone\n" in text.out
    assert there.check("--rev", "HEAD", "--strict").code == 2


def test_what_a_partial_clone_has_is_judged(repo: Repository) -> None:
    repo.commit({"x.pth": CODE, ".env": "PYTHONPATH=/a\n", "y.pth": "import sys\n"})
    there = clone(repo, "partial", "--filter=blob:none", "--no-checkout")
    for name in ("x.pth", ".env"):
        there.git("cat-file", "-p", f"HEAD:{name}")  # fetches it
    shutil.move(repo.path, repo.path.with_name("gone"))
    done = there.check("--rev", "HEAD")
    assert places(done, 1) == {"x.pth:1 UH102", ".env:1 UH303 warning"}
    assert set(not_checked(done)) == {"y.pth"}


def test_nothing_is_fetched(repo: Repository, tmp_path: Path) -> None:
    """The promisor is reached by a program that would tell; it works, so it would be seen."""
    repo.commit({"x.pth": CODE, ".env": "PYTHONPATH=/a\n", ".gitattributes": "*.pth -diff\n"})
    there = clone(repo, "partial", "--filter=blob:none", "--bare")
    trap, told = tmp_path / "trap", tmp_path / "told"
    trap.write_text(f"#!/bin/sh\necho x >> {told}\nexit 1\n")
    trap.chmod(0o755)
    there.git("config", "remote.origin.url", "ssh://nowhere.invalid/x")
    there.git("config", "core.sshCommand", str(trap))
    there.git("config", "remote.origin.uploadpack", str(trap))
    assert places(there.check("--rev", "HEAD", "--base", "HEAD"), 0) == set()
    assert set(not_checked(there.check("--rev", "HEAD"))) == {"x.pth", ".env"}
    assert not told.exists()
    there.git("cat-file", "-p", "HEAD:x.pth", check=False)
    assert told.exists()


def test_a_git_that_cannot_be_told_not_to_fetch(repo: Repository, tmp_path: Path) -> None:
    """Before 2.45 git does not know the variable: what is lacking is never asked for."""
    repo.commit({
        "x.pth": CODE, ".env": "PYTHONPATH=/a\n", "sitecustomize.py": "", "pyproject.toml": ALLOW,
        ".gitattributes": "*.py -diff\n",
    })  # fmt: skip
    there = _emptied(repo, "--bare")
    real = shutil.which("git")
    older = tmp_path / "bin" / "git"
    older.parent.mkdir()
    older.write_text(f'#!/bin/sh\nunset GIT_NO_LAZY_FETCH\nexec {real} "$@"\n')
    older.chmod(0o755)
    env = {"PATH": f"{older.parent}:{os.environ['PATH']}"}
    for words in (("--rev", "HEAD"), ("--rev", "HEAD", "--base", "HEAD")):
        one, other = there.check(*words), there.check(*words, env=env)
        assert (other.code, other.json()) == (one.code, one.json())


def test_a_clone_without_trees_is_exit_2(repo: Repository) -> None:
    repo.commit({"d/x.pth": CODE})
    there = clone(repo, "partial", "--filter=tree:0", "--bare")
    shutil.move(repo.path, repo.path.with_name("gone"))
    done = run(*UNHAUNT, "check", "--rev", "HEAD", cwd=there.path)
    assert (done.code, done.out) == (2, "")
    assert "error: git ls-tree failed" in done.err


# -- what a commit may say about itself


def test_an_entry_of_the_commit_itself_excuses_nothing(repo: Repository) -> None:
    repo.commit({"a.txt": ""})
    repo.git("switch", "-qc", "agent")
    repo.commit({"x.pth": CODE, "pyproject.toml": ALLOW})
    repo.git("switch", "-q", "main")
    for words in ((), ("--base", "main")):
        done = repo.check("--rev", "agent", *words)
        assert places(done, 1) == {"x.pth:1 UH102"}
        assert done.json()["allowed"] == []
    assert places(repo.check("--rev", "agent", "--base", "agent"), 0) == set()


def test_an_entry_of_the_base_excuses(repo: Repository) -> None:
    repo.commit({"pyproject.toml": ALLOW})
    repo.git("switch", "-qc", "agent")
    repo.commit({"x.pth": CODE, "pyproject.toml": "[tool.unhaunt]\nwrong = 1\n"})
    repo.git("switch", "-q", "main")
    for words, said in (((), "the merge base with HEAD"), (("--base", "main"), "--base main")):
        done = repo.check("--rev", "agent", "--strict", *words)
        assert places(done, 0) == set()
        assert [a["reason"] for a in done.json()["allowed"]] == ["ours"]
        assert (
            f"allow entries: of {repo.git('rev-parse', 'main')[:12]} ({said})"
            in done.json()["notes"][0]
        )
    assert places(repo.check("--rev", "agent", "--no-config"), 1) == {"x.pth:1 UH102"}


def test_the_base_may_have_moved_on(repo: Repository) -> None:
    repo.commit({"a.txt": ""})
    repo.git("switch", "-qc", "agent")
    repo.commit({"x.pth": CODE})
    repo.git("switch", "-q", "main")
    repo.commit({"pyproject.toml": ALLOW, "z.pth": CODE})
    done = repo.check("--rev", "agent", "--base", "main")
    assert (places(done, 0), done.json()["elsewhere"]) == (set(), 0)


def test_a_comment_counts_as_the_base_has_it(repo: Repository) -> None:
    pair = "# unhaunt: ignore[UH303] the image's own\nPYTHONPATH=/a\n"
    repo.commit({".env": pair})
    repo.git("switch", "-qc", "agent")
    repo.commit({".env": "A=1\n" + pair + pair.replace("/a", "/b")})
    done = repo.check("--rev", "agent", "--base", "main")
    assert places(done, 0) == {".env:5 UH303 warning"}
    assert [a["line"] for a in done.json()["allowed"]] == [3]


def test_without_a_common_commit_nothing_is_allowed(repo: Repository) -> None:
    repo.commit({"x.pth": CODE, "pyproject.toml": ALLOW})
    repo.git("switch", "-q", "--orphan", "other")
    repo.git("commit", "-q", "--allow-empty", "-m", "x")
    done = repo.check("--rev", "main")
    assert places(done, 1) == {"x.pth:1 UH102"}
    assert "allow entries: none (no base)" in done.json()["notes"][0]
    wide = repo.check("--rev", "main", "--base", "other")
    assert places(wide, 1) == {"x.pth:1 UH102"}
    assert "all of the commit is judged" in wide.json()["notes"][-1]


# -- what a change has brought


def test_the_base_narrows_to_the_change(repo: Repository) -> None:
    repo.commit({"old.pth": CODE, "bad.env": "PYTHONPATH=/a\n"})
    repo.git("switch", "-qc", "agent")
    repo.commit({"new.pth": CODE})
    done = repo.check("--rev", "agent", "--base", "main")
    assert places(done, 1) == {"new.pth:1 UH102"}
    assert done.json()["elsewhere"] == 2
    text = run(*UNHAUNT, "check", "--rev", "agent", "--base", "main", cwd=repo.path)
    assert "2 more findings in files outside this change: unhaunt check --rev agent\n" in text.out


#: a file that was there, what a change adds, and what that makes of the file
BROUGHT = {
    "a variable that arms it": (
        {"lib/sitecustomize.py": ""}, {".env": "PYTHONPATH=lib\n"}, "lib/sitecustomize.py UH101"),
    "an attribute that folds it away": (
        {"x.pth": CODE}, {".gitattributes": "*.pth -diff\n"}, "x.pth UH205"),
    "a folder that it names": ({"x.pth": "lib\n"}, {"lib/a.py": ""}, "x.pth:1 UH103"),
    "a program beside it": ({"tool._pth": ".\n"}, {"tool": "#!/bin/sh\n"}, "tool._pth UH105"),
}  # fmt: skip


@pytest.mark.parametrize(("there", "added", "found"), BROUGHT.values(), ids=BROUGHT)
def test_a_change_can_arm_a_file_that_it_does_not_touch(
    there: dict[str, str], added: dict[str, str], found: str, repo: Repository
) -> None:
    repo.commit(dict(there))
    repo.git("switch", "-qc", "agent")
    repo.commit(dict(added))
    assert found in places(repo.check("--rev", "agent", "--base", "main"), 1)


def test_a_shallow_clone_judges_all_when_it_cannot_tell(repo: Repository) -> None:
    repo.commit({"old.pth": CODE})
    repo.git("switch", "-qc", "agent")
    repo.commit({"new.pth": CODE})
    repo.git("switch", "-q", "main")
    repo.commit({"a.txt": ""})
    there = clone(repo, "shallow", "--depth", "1", "--no-single-branch")
    done = there.check("--rev", "origin/agent", "--base", "origin/main")
    assert places(done, 1) == {"old.pth:1 UH102", "new.pth:1 UH102"}


# -- a server's hooks

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
OURS = "python3 -I -m unhaunt check"
HOOKS = {
    "pre-receive": README.partition("As `hooks/pre-receive`")[2]
    .split("```")[1]
    .removeprefix("sh\n"),
    "update": f'#!/bin/sh\n{OURS} --rev "$3" --base "$2" || exit 1\n',
}


@pytest.fixture(params=HOOKS)
def server(request: pytest.FixtureRequest, tmp_path: Path, repo: Repository) -> Repository:
    """A bare repository that asks us about each push; what we said is in `said`."""
    there = Repository.create(tmp_path / "server.git", "--bare")
    said = tmp_path / "said"
    check = f"{' '.join(UNHAUNT)} check --output {said}.json --format json 2>> {said}"
    hook = there.path / "hooks" / request.param
    assert OURS in HOOKS[request.param]
    hook.write_text(HOOKS[request.param].replace(OURS, check))
    hook.chmod(0o755)
    repo.git("remote", "add", "origin", f"file://{there.path}")
    repo.commit({"a.txt": "", "pyproject.toml": ALLOW.replace("x.pth", "y.pth")})
    repo.git("push", "-q", "origin", "main")
    return there


def _said(server: Repository) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((server.path.parent / "said.json").read_text())
    return document


def test_a_push_is_judged_before_it_is_accepted(server: Repository, repo: Repository) -> None:
    first = server.git("rev-parse", "main")
    repo.commit({"y.pth": CODE})
    repo.git("push", "-q", "origin", "main")
    assert [a["path"] for a in _said(server)["allowed"]] == ["y.pth"]
    repo.commit({"x.pth": CODE})
    pushed = run("git", "push", "-q", "origin", "main", cwd=repo.path)
    assert pushed.code != 0
    assert [f["path"] for f in _said(server)["findings"]] == ["x.pth"]
    assert server.git("rev-parse", "main~1") == first
    judged = repo.git("rev-parse", "HEAD").strip()
    assert _said(server)["repository"]["head"] == judged
    if (server.path / "hooks" / "pre-receive").exists():
        # Refused, it is nowhere in the store: it was read from the quarantine.
        assert run("git", "cat-file", "-e", judged, cwd=server.path).code != 0


def test_a_new_branch_is_measured_by_head(server: Repository, repo: Repository) -> None:
    repo.git("switch", "-qc", "feature")
    repo.commit({"y.pth": CODE})
    repo.git("push", "-q", "origin", "feature")
    assert [a["path"] for a in _said(server)["allowed"]] == ["y.pth"]
    repo.commit({"x.pth": CODE, "pyproject.toml": ALLOW})
    assert run("git", "push", "-q", "origin", "feature", cwd=repo.path).code != 0
    assert [f["path"] for f in _said(server)["findings"]] == ["x.pth"]


def test_a_branch_may_be_deleted(server: Repository, repo: Repository) -> None:
    repo.git("push", "-q", "origin", "main:old")
    repo.git("push", "-q", "origin", ":old")
    assert "old" not in server.git("branch")
    document = _said(server)
    assert (document["exit_code"], document["checked"]["tracked"]) == (0, 0)
    assert "a deleted branch: nothing to check" in document["notes"][0]


def test_the_first_push_has_no_base(tmp_path: Path, repo: Repository) -> None:
    repo.commit({"x.pth": CODE, "pyproject.toml": ALLOW})
    empty = Repository.create(tmp_path / "empty.git", "--bare")
    repo.git("push", "-q", f"file://{empty.path}", "main:topic")
    done = empty.check("--rev", "topic", "--base", ZEROS)
    assert places(done, 1) == {"x.pth:1 UH102"}


def test_another_folder_is_not_looked_at_through_a_hooks_environment(
    repo: Repository, tmp_path: Path
) -> None:
    """With -C the variables of git's hooks are about another repository."""
    repo.commit({"x.pth": CODE})
    other = Repository.create(tmp_path / "other")
    other.commit({"y.pth": CODE})
    env = {
        "GIT_DIR": str(other.path / ".git"),
        "GIT_OBJECT_DIRECTORY": str(other.path / ".git/objects"),
    }
    here = run(*UNHAUNT, "check", "--format", "json", "--rev", "HEAD", cwd=tmp_path, env=env)
    named = run(
        *UNHAUNT,
        "check",
        "--format",
        "json",
        "--rev",
        "HEAD",
        "-C",
        str(repo.path),
        cwd=tmp_path,
        env=env,
    )
    assert (places(here, 1), places(named, 1)) == ({"y.pth:1 UH102"}, {"x.pth:1 UH102"})


def test_a_bare_repository_that_has_to_be_named(repo: Repository, scrubbed: Path) -> None:
    repo.commit({"x.pth": CODE})
    bare = clone(repo, "bare.git", "--bare")
    run("git", "config", "--global", "safe.bareRepository", "explicit", cwd=scrubbed)
    done = run(*UNHAUNT, "check", "--rev", "HEAD", cwd=bare.path)
    assert (done.code, done.err) == (2, (
        f"error: {bare.path}: a bare repository, and safe.bareRepository wants it to be named\n"
        f"hint: GIT_DIR={bare.path} unhaunt check --rev REV\n"
    ))  # fmt: skip
    named = run(*UNHAUNT, "check", "--rev", "HEAD", cwd=bare.path, env={"GIT_DIR": str(bare.path)})
    assert named.code == 1


def test_no_repository_is_exit_2(tmp_path: Path) -> None:
    done = run(*UNHAUNT, "check", "--rev", "HEAD", cwd=tmp_path)
    assert done.code == 2
    assert "not a git repository" in done.err


@pytest.mark.parametrize("name", ["text", "json", "sarif", "github", "markdown"])
def test_every_format_tells_of_a_commit(name: str, repo: Repository) -> None:
    repo.commit({"x.pth": CODE})
    done = run(*UNHAUNT, "check", "--rev", "HEAD", "--format", name, cwd=repo.path)
    assert done.code == 1
    assert "x.pth" in done.out
    assert "UH201, UH202, UH203, UH204" in done.out + done.err
