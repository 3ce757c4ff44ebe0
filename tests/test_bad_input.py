"""What bad input gets: one line that says which, a hint and exit 2; or an answer all the same."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Set
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import pytest

from tests.repository import UNHAUNT, Repository, run
from tests.runners import PROJECT
from unhaunt import catalog
from unhaunt.repository.commit import Scope
from unhaunt.repository.opening import Opening
from unhaunt.repository.worktree import WorkingTree
from unhaunt.rule import check

CODE = "import os\n"
GIB = 1 << 30


class Refused(NamedTuple):
    """What makes it impossible to look, and what the two lines on stderr have to say."""

    make: Callable[[Repository], None]
    error: str
    hint: str
    folder: str = ""
    env: Mapping[str, str] = MappingProxyType({})
    args: tuple[str, ...] = ()


def _no_repository(repo: Repository) -> None:
    shutil.rmtree(repo.path / ".git")


def _empty_git(repo: Repository) -> None:
    _no_repository(repo)
    (repo.path / ".git").mkdir()


def _line_break(repo: Repository) -> None:
    Repository.create(repo.path / "a\nb")


def _bare(repo: Repository) -> None:
    repo.git("init", "-q", "--bare", "bare.git")


def _elsewhere(repo: Repository) -> None:
    (repo.path.parent / "elsewhere").mkdir()
    repo.git("config", "core.worktree", str(repo.path.parent / "elsewhere"))


def _foreign(repo: Repository) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give a folder to another user")
    Path(os.environ["HOME"], ".gitconfig").write_text("")
    for path in [repo.path, *repo.path.rglob("*")]:
        os.chown(path, 65534, 65534)


def _index(data: bytes) -> Callable[[Repository], None]:
    return lambda repo: repo.write({".git/index": data})


def _short_index(repo: Repository) -> None:
    index = repo.path / ".git" / "index"
    index.write_bytes(index.read_bytes()[:20])


def _old_git(repo: Repository) -> None:
    script = repo.path.parent / "bin" / "git"
    script.parent.mkdir()
    words = 'case "$*" in *version*) echo git version 2.20.1;; *) echo usage >&2; exit 129;; esac'
    script.write_text(f"#!/bin/sh\n{words}\n")
    script.chmod(0o755)


def _broken_git(repo: Repository) -> None:
    _old_git(repo)
    (repo.path.parent / "bin" / "git").write_bytes(b"\x7fELF and no more")


def _lost_object(repo: Repository) -> None:
    oid = repo.git("rev-parse", "HEAD:x.pth").strip()
    (repo.path / ".git" / "objects" / oid[:2] / oid[2:]).unlink()
    (repo.path / "x.pth").unlink()


def _config(text: str) -> Callable[[Repository], None]:
    def make(repo: Repository) -> None:
        repo.write({"pyproject.toml": text})
        repo.add("pyproject.toml")

    return make


def _nothing(repo: Repository) -> None:
    pass


ALLOW = '[[tool.unhaunt.allow]]\nrule = "UH102"\npath = "x.pth"\n'
REFUSED = {
    "no repository": Refused(_no_repository, "not a git repository", "-C DIR"),
    "a bare repository": Refused(_bare, "a bare repository", "in a working tree", "bare.git"),
    "inside .git": Refused(_nothing, "a folder inside .git", "in a working tree", ".git"),
    "no such folder": Refused(
        _nothing, "nowhere: no such directory", "-C DIR", args=("-C", "nowhere")),
    "a file": Refused(_nothing, "x.pth: no such directory", "-C DIR", args=("-C", "x.pth")),
    "working tree elsewhere": Refused(_elsewhere, "core.worktree says", "core.worktree"),
    "another user's repository": Refused(
        _foreign, "belongs to another user", "git config --global --add safe.directory"),
    "a folder with a line break in its name": Refused(
        _line_break, "a line break in the folder's own name", "rename", "a\nb"),
    "an index that is none": Refused(_index(b"rubbish" * 9), "index file corrupt", "git"),
    "an empty .git": Refused(_empty_git, "not a git repository", "-C DIR"),
    "an index cut short": Refused(_short_index, "index file", "git"),
    "no git": Refused(_nothing, "git is not on PATH", "install git", env={"PATH": "/nowhere"}),
    "an old git": Refused(
        _old_git, "git is version 2.20, too old", "git 2.25 or newer",
        env={"PATH": "{tmp}/bin:/bin"}),
    "a git that cannot be started": Refused(
        _broken_git, "cannot start", "git 2.25 or newer", env={"PATH": "{tmp}/bin:/bin"}),
    "an object that is lost": Refused(_lost_object, "cannot read an object", "git fsck"),
    "no such revision": Refused(
        _nothing, "nowhere", "git", env={"PRE_COMMIT": "1", "PRE_COMMIT_TO_REF": "nowhere"}),
    "an unknown rule": Refused(_nothing, "unknown hook or code: UH999", "UH101", args=("UH999",)),
    "a report in no folder": Refused(
        _nothing, "cannot write no/folder", "folder that exists", args=("--output", "no/folder/x")),
    "a --config that is none": Refused(
        _nothing, "cannot read nowhere", "--config", args=("--config", "nowhere")),
    "a configuration cut short": Refused(
        _config("[tool.unhaunt\n"), "pyproject.toml: not valid TOML", "allow"),
    "a configuration that is a list": Refused(
        _config("[[tool.unhaunt]]\n"), "[tool.unhaunt] is not a table", "allow"),
    "an unknown key": Refused(_config("[tool.unhaunt]\nskip = 1\n"), "unknown key 'skip'", "allow"),
    "an entry without a reason": Refused(_config(ALLOW), "reason is missing", "allow"),
    "an entry with an empty reason": Refused(
        _config(ALLOW + 'reason = " "\n'), "reason is missing", "allow"),
    "an entry with a wrong date": Refused(
        _config(ALLOW + 'reason = "r"\nexpires = "soon"\n'), "expires is not a date", "allow"),
    "an entry for everything": Refused(
        _config(ALLOW.replace("x.pth", "**/*") + 'reason = "r"\n'), "matches everything", "allow"),
    "an entry with a short hash": Refused(
        _config(ALLOW + 'reason = "r"\nsha256 = "12"\n'), "64 hexadecimal digits", "allow"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("form", ["text", "json"])
def test_refused(name: str, form: str, repo: Repository, tmp_path: Path) -> None:
    row = REFUSED[name]
    repo.commit({"x.pth": CODE, "app.py": ""})
    row.make(repo)
    env = {key: value.format(tmp=tmp_path) for key, value in row.env.items()}
    command = (*UNHAUNT, "check", "--format", form, *row.args)
    done = run(*command, cwd=repo.path / row.folder, env=env)
    assert (done.code, done.out) == (2, ""), done
    error, hint = done.err.splitlines()
    assert error.startswith("error: "), done
    assert row.error in error
    assert hint.startswith("hint: "), done
    assert row.hint in hint


# -- an answer all the same


def _locked(repo: Repository) -> None:
    repo.write({".git/index.lock": ""})


def _loops(repo: Repository) -> None:
    for link, target in {
        "loop": "loop", "a.pth": "b.pth", "b.pth": "a.pth", "sub/up": "..", "self": ".",
        "sitecustomize.py": "sitecustomize.py", "usercustomize": "nowhere",
    }.items():  # fmt: skip
        (repo.path / link).parent.mkdir(exist_ok=True)
        (repo.path / link).symlink_to(target)


def _sparse_file(*names: str) -> Callable[[Repository], None]:
    def make(repo: Repository) -> None:
        for name in names:
            repo.write({name: CODE if "code" in name else "# none\n"})
            os.truncate(repo.path / name, 4 * GIB)

    return make


def _grown(repo: Repository) -> None:
    # Not empty: of an entry that its index calls empty, git reads all that is there now.
    repo.commit(
        {"code.pth": CODE, "none.pth": "# none\n", "setup.cfg": "# none\n", "pyproject.toml": "#"}
    )
    _sparse_file("code.pth", "none.pth", "setup.cfg", "pyproject.toml")(repo)


def _deep_folders(repo: Repository) -> None:
    deep = repo.path / Path(*["d"] * 400)
    deep.mkdir(parents=True)
    (deep / "x.pth").write_text(CODE)


def _many_entries(repo: Repository) -> None:
    repo.write({".gitignore": "big/\n"})
    repo.add(".gitignore")
    for folder in range(21):
        (repo.path / "big" / f"{folder:02}").mkdir(parents=True)
        for name in range(1000):
            (repo.path / "big" / f"{folder:02}" / f"{name}.txt").touch()
    (repo.path / "big" / "00" / "a" / "b").mkdir(parents=True)
    (repo.path / "big" / "00" / "a" / "b" / "x.pth").write_text(CODE)


def _unreadable(mode: int) -> Callable[[Repository], None]:
    def make(repo: Repository) -> None:
        repo.write({"closed/x.pth": CODE, "closed/__init__.py": ""})
        (repo.path / "closed").chmod(mode)

    return make


def _files(**files: str | bytes) -> Callable[[Repository], None]:
    """Write and stage files; `__` in a keyword stands for the dot before the suffix."""

    def make(repo: Repository) -> None:
        named = {name.replace("__", "."): content for name, content in files.items()}
        repo.write(named)
        repo.add(*named)

    return make


class Answered(NamedTuple):
    """What is odd about a repository, what is found, and what is listed as not checked."""

    make: Callable[[Repository], None]
    found: Set[str] = frozenset()
    not_checked: Set[str] = frozenset()
    args: tuple[str, ...] = ()


TABLE = "[project]\nname = 'x'\n"
ANSWERED = {
    "a lock that is held": Answered(_locked),
    "links that loop": Answered(_loops, {"sitecustomize.py UH101", "usercustomize UH101"}),
    "sparse files of 4 GiB": Answered(
        _sparse_file("code.pth", "none.pth", "sub/sitecustomize.py"),
        {"code.pth:1 UH102", "none.pth:2 UH103 info", "sub/sitecustomize.py UH101"}, {"none.pth"}),
    "tracked files that grew to 4 GiB": Answered(
        _grown, {"code.pth:1 UH102", "none.pth:2 UH103 info"}, {"none.pth"}),
    "folders 400 deep": Answered(_deep_folders, {"d/" * 400 + "x.pth:1 UH102"}),
    "an ignored folder past the budget": Answered(_many_entries),
    "an ignored folder past the budget, --deep": Answered(
        _many_entries, {"big/00/a/b/x.pth:1 UH102"}, args=("--deep",)),
    "a .pth in UTF-16": Answered(_files(x__pth=CODE.encode("utf-16"))),
    "a .pth in UTF-16 without a mark": Answered(
        _files(x__pth=CODE.encode("utf-16-le")), {"x.pth:1 UH103 info"}),
    "a .pth with a mark and CRLF": Answered(
        _files(x__pth=b"\xef\xbb\xbf# a\r\nimport os\r\n"), {"x.pth:2 UH102"}),
    "a .pth that ends within a character": Answered(
        _files(x__pth=b"import os\n\xe2\x82"), {"x.pth:1 UH102"}),
    "a .start in UTF-16": Answered(_files(x__start="a:b\n".encode("utf-16"))),
    "a pyproject.toml in UTF-16": Answered(
        _files(pyproject__toml=TABLE.encode("utf-16")), not_checked={"pyproject.toml"}),
    "a pyproject.toml cut short": Answered(
        _files(pyproject__toml="[tool.pytest.ini_options]\npythonpath = [\n"),
        not_checked={"pyproject.toml"}),
    "a pyproject.toml with tables of the wrong kind": Answered(
        _files(pyproject__toml="project = 1\ntool = []\nbuild-system = 'x'\n")),
    "a pyproject.toml with values of the wrong kind": Answered(
        _files(pyproject__toml=(
            "[project]\ndependencies = 3\n[build-system]\nrequires = {a = 1}\nbuild-backend = []\n"
            "[tool]\nsetuptools = 'x'\npytest = []\nhatch = 1\npoetry = [[]]\nuv = 2\nmaturin = 3\n"
            "[tool.setuptools_scm]\nversion_file = 4\n"))),
    "a pyproject.toml with CRLF": Answered(
        _files(pyproject__toml=(ALLOW + "reason = 'r'\n").replace("\n", "\r\n"), x__pth=CODE)),
    "a setup.cfg that is none": Answered(
        _files(setup__cfg="[a\n= = =\n\xff", tox__ini=b"\xff\xfe\0", pytest__ini="[pytest\n")),
    "Python that is none": Answered(
        _files(bad__py="import helper\ndef (:\n"), {"helper.py UH201"}, {"bad.py"}),
    "Python with a NUL": Answered(
        _files(bad__py=b"import helper\n\0\n"), {"helper.py UH201"}, {"bad.py"}),
    "Python that nests too deeply": Answered(
        _files(bad__py="import helper\nx = " + "(" * 3000 + ")" * 3000),
        {"helper.py UH201"}, {"bad.py"}),
    "Python that is not UTF-8": Answered(
        _files(ok__py=b"import helper\n# \xff\n"), {"helper.py UH201"}),
    "Python in Latin-1, declared": Answered(
        _files(ok__py=b"# coding: latin-1\nimport helper\n# \xff\n"), {"helper.py UH201"}),
    "Python in UTF-16, which no Python can read": Answered(
        _files(bad__py="import helper\n".encode("utf-16")), {"helper.py UH204"}),
    "requirements that are none": Answered(
        _files(requirements__txt=b"\xff==\n-r nowhere.txt\n@\n")),
}  # fmt: skip


@pytest.mark.parametrize("name", ANSWERED)
def test_answered(name: str, repo: Repository) -> None:
    row = ANSWERED[name]
    repo.commit({"app.py": "import json\n", "pyproject.toml": "", "lib.py": ""})
    row.make(repo)
    if name.startswith("Python"):
        repo.write({"helper.py": ""})
    done = repo.check("forbid-startup-files", "forbid-untracked-modules", *row.args)
    assert "Traceback" not in done.err
    assert done.findings() == row.found, done
    assert {item["path"] for item in done.json()["checked"]["not_checked"]} == row.not_checked, done


def test_the_budget_is_spoken_of(repo: Repository) -> None:
    repo.commit({"app.py": ""})
    _many_entries(repo)
    done = run(*UNHAUNT, "check", "-v", cwd=repo.path)
    assert (
        "skipped: big: only the first 20000 entries of ignored folders were looked at" in done.out
    )
    assert "(1 large ignored folder skipped)" in done.err


#: mode of a folder -> what is said; the user is root without the power to pass over modes
UNREADABLE = {
    0o311: ("not checked: closed/: it cannot be listed, but what is in it can be imported", ""),
    0o000: ("", "1 unreadable folder skipped"),
}


def _without_power_over_modes() -> tuple[str, ...]:
    """Return a check by a user whom modes keep out."""
    command: tuple[str, ...] = (*UNHAUNT, "check")
    if os.geteuid() == 0:
        setpriv = shutil.which("setpriv")
        if not setpriv:
            pytest.skip("root passes over modes, and setpriv, which could prevent it, is missing")
        less = ("--bounding-set", "-dac_override,-dac_read_search", "--inh-caps", "-all")
        command = (setpriv, *less, *command)
    return command


@pytest.mark.parametrize("mode", UNREADABLE, ids=oct)
def test_an_unreadable_folder(mode: int, repo: Repository) -> None:
    repo.commit({"app.py": ""})
    _unreadable(mode)(repo)
    command = _without_power_over_modes()
    done = run(*command, cwd=repo.path)
    (repo.path / "closed").chmod(0o755)
    listed, counted = UNREADABLE[mode]
    assert done.code == 0, done
    assert listed in done.out
    assert counted in done.err


def test_startup_files_that_cannot_be_read_are_not_checked(repo: Repository) -> None:
    repo.commit({"app.py": ""})
    repo.write({"x.pth": CODE, "y.start": "pkg:main\n", "z.pth": CODE})
    for name in ("x.pth", "y.start"):
        (repo.path / name).chmod(0)
    done = run(*_without_power_over_modes(), cwd=repo.path)
    assert done.code == 1, done
    assert "z.pth:1: UH102" in done.out
    assert "not checked: x.pth: it cannot be read\nnot checked: y.start: it can" in done.out


NAMES = {
    "a\nb": r"a\nb", "a\rb": r"a\rb", "a\tb": r"a\tb", 'a"b': 'a"b', "a'b": "a'b", "a\\b": "a\\b",
    "a\x1b[31mb": r"a\x1b[31mb", "a\u202eb": r"a\u202eb", "a\u2066b": r"a\u2066b",
    "a\udcffb": r"a\xffb", "a\x7fb": r"a\x7fb", "a\x9bb": r"a\x9bb", "é": "é", "名": "名",
    "a\u2028b": r"a\u2028b", "$(id)": "$(id)", "::error::x": "::error::x", "a\ufeffb": r"a\ufeffb",
}  # fmt: skip


@pytest.mark.parametrize("how", ["staged", "untracked"])
def test_odd_names_are_escaped(how: str, repo: Repository) -> None:
    repo.commit({"app.py": ""})
    repo.write({f"{name}.pth": CODE for name in NAMES})
    if how == "staged":
        repo.add(".")
    done = repo.check()
    assert {f["path"] for f in done.json()["findings"]} == {
        f"{name}.pth" for name in NAMES.values()
    }
    text = run(*UNHAUNT, "check", "-v", cwd=repo.path)
    for name in NAMES.values():
        place = f"./{name}" if name.startswith("::") else name  # else a command to GitHub's runner
        assert f"\n{place}.pth:1: UH102 " in f"\n{text.out}"
    for line in (text.out + text.err + done.out).splitlines():
        assert line.isprintable(), line
    one = run(*UNHAUNT, "check", cwd=repo.path, env={"LC_ALL": "C", "PYTHONUTF8": "0"})
    assert (one.code, one.out.count(" UH102 ")) == (1, len(NAMES))


def test_odd_names_of_imported_modules_are_escaped(repo: Repository) -> None:
    repo.commit({"a\nb.py": "import helper\n", "a\udcffb.py": "import helper\n"})
    repo.write({"helper.py": "", "\udcff.py": "", "a\u202eb.py": ""})
    done = run(*UNHAUNT, "check", "-v", cwd=repo.path)
    assert r"imported by a\nb.py:1" in done.out
    assert (done.code, done.out.isprintable()) == (1, False)
    assert all(line.isprintable() for line in done.out.splitlines())


#: what vanishes between the look at the folders and the rules
@pytest.mark.parametrize(
    "gone", ["x.pth", "helper.py", "sub", "sitecustomize.py", "app.py", ".git/index"]
)
def test_what_vanishes_is_no_crash(gone: str, repo: Repository) -> None:
    repo.commit({"app.py": "import helper, sub.a\n", "sub/b.py": "", "y.pth": CODE})
    repo.write(
        {"x.pth": CODE, "helper.py": "", "sub/a.py": "", "sub/c.pth": CODE, "sitecustomize.py": ""}
    )
    repository, index = Opening(str(repo.path), at_hand=False).finish()
    tree = WorkingTree(repository, index, Scope())
    assert tree.outside
    path = repo.path / gone
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()
    checked = check(catalog.rules(("UH1", "UH2")), tree)
    assert "UH102" in {item.rule.code for item in checked.found}


WITHOUT = (
    "import sys, importlib.util as u; sys.path.insert(0, {src!r})\n"
    "assert not [n for n in ('identify', 'yaml', 'git', 'gitdb') if u.find_spec(n)]\n"
    "from unhaunt.cli import main; sys.exit(main(sys.argv[1:]))\n"
)


@pytest.mark.parametrize(
    ("what", "code"),
    [("unhaunt", 1), ("forbid-startup-files", 1), ("forbid-untracked-modules", 1), ("UH103", 0)],
)
def test_no_dependency_is_needed(what: str, code: int, repo: Repository) -> None:
    repo.commit({"app.py": "import helper\n", "x.pth": CODE, "pyproject.toml": TABLE})
    repo.write({"helper.py": "", "json.py": ""})
    script = WITHOUT.format(src=str(PROJECT / "src"))
    command = (sys.executable, "-I", "-S", "-c", script, "check", "--format", "json", what)
    done = run(*command, cwd=repo.path)
    everything = {"x.pth:1 UH102", "helper.py UH201", "json.py UH202"}
    family = {"forbid-startup-files": " UH1", "forbid-untracked-modules": " UH2", "UH103": "UH103"}
    assert done.findings() == {f for f in everything if family.get(what, "") in f}, done
    assert done.code == code


@pytest.mark.parametrize(
    "missing", ["repository/worktree.py", "rules/startup_files.py", "report/as_json.py"]
)
def test_a_missing_part_of_ours_is_no_answer(
    missing: str, repo: Repository, tmp_path: Path
) -> None:
    repo.commit({"app.py": ""})
    shutil.copytree(PROJECT / "src", tmp_path / "src")
    (tmp_path / "src" / "unhaunt" / missing).unlink()
    script = WITHOUT.format(src=str(tmp_path / "src"))
    command = (sys.executable, "-I", "-S", "-c", script, "check", "--format", "json")
    done = run(*command, cwd=repo.path)
    assert (done.code, done.out) == (2, ""), done
    assert "this is a bug in unhaunt, and no answer" in done.err


def test_a_reader_that_leaves_is_no_crash(repo: Repository) -> None:
    repo.commit({f"{n}.pth": CODE for n in range(500)})  # more than a pipe holds
    with subprocess.Popen(
        [*UNHAUNT, "check"], cwd=repo.path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        err = process.stderr.read()
        assert (process.wait(60), b"Traceback" in err) == (2, False), err
