"""Every known way to be importable and unseen, planted with real git: found, and said how it hides.

A row is a shell script, run in a repository with a committed `app.py` and `pkg/__init__.py`, and
what a check has to say: path, code, and whatever of the rest is not the default.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.repository import UNHAUNT, Repository, place, run

NOTHING_SHOWS_IT = "nothing that git prints shows it"


class Seen(NamedTuple):
    """One finding: "path[:line] CODE", and how its path can (not) be seen."""

    finding: str
    visibility: str = "untracked"
    hidden_by: str | None = None
    flags: tuple[str, ...] = ()


#: what is planted -> lines of the script, then findings
ROWS: dict[str, tuple[str | Seen, ...]] = {
    "nothing": ("",),
    "untracked root file": (": > sitecustomize.py", Seen("sitecustomize.py UH101")),
    "untracked folder": (
        "mkdir -p e/s; : > e/__init__.py; echo 'import os' > e/s/a.pth",
        Seen("e/__init__.py UH204", hidden_by="?? e/"),
        Seen("e/s/a.pth:1 UH102", hidden_by="?? e/")),
    "configuration that shows no untracked file": (
        "git config status.showUntrackedFiles no; git config core.quotePath true",
        "git config status.relativePaths false; git config alias.status log; : > sitecustomize.py",
        Seen("sitecustomize.py UH101")),
    "the user's own ignore file": (
        "mkdir -p ~/.config/git; echo sitecustomize.py > ~/.config/git/ignore",
        ": > sitecustomize.py",
        Seen("sitecustomize.py UH101", "ignored", "core.excludesFile:1")),
    "core.excludesFile": (
        "echo sitecustomize.py > $OUT/mine; git config core.excludesFile $PWD/$OUT/mine",
        ": > sitecustomize.py",
        Seen("sitecustomize.py UH101", "ignored", "core.excludesFile:1")),
    ".git/info/exclude": (
        "echo '*.pth' > .git/info/exclude; echo 'import os' > x.pth",
        Seen("x.pth:1 UH102", "ignored", ".git/info/exclude:1")),
    "self-ignoring folder": (
        "mkdir e; echo '*' > e/.gitignore; : > e/sitecustomize.py; : > e/__init__.py",
        Seen("e/sitecustomize.py UH101", "ignored", "e/.gitignore:1")),
    "ignored extension module that wins over a tracked source": (
        "echo '*.so' > .gitignore; echo 'import app' > main.py; git add .; : > app.so",
        Seen("app.so UH201 warning", "ignored", ".gitignore:1")),
    "new file in an ignored folder with a tracked file": (
        "mkdir gen; : > gen/a.py; git add gen; echo gen/ > .gitignore; : > gen/sitecustomize.py",
        Seen("gen/sitecustomize.py UH101", "ignored", ".gitignore:1")),
    "names that are keywords of git's pathspecs": (
        "mkdir ':(top)'; : > ':(top)/sitecustomize.py'; echo 'import os' > ':!x.pth'",
        "echo '*.pth' > .gitignore",
        Seen(":!x.pth:1 UH102", "ignored", ".gitignore:1"),
        Seen(":(top)/sitecustomize.py UH101", hidden_by="?? :(top)/")),
    "folder for cached bytecode": (
        "mkdir -p __pycache__/s; : > __pycache__/app.cpython-313.pyc; : > __pycache__/app.pyc",
        ": > __pycache__/sitecustomize.cpython-313.pyc; : > __pycache__/sitecustomize.pyc",
        ": > __pycache__/s/usercustomize.py; echo __pycache__/ > .gitignore",
        Seen("__pycache__/s/usercustomize.py UH101", "ignored", ".gitignore:1"),
        Seen("__pycache__/sitecustomize.pyc UH101", "ignored", ".gitignore:1")),
    "committed in a folder for cached bytecode": (
        "mkdir __pycache__; : > __pycache__/sitecustomize.py; git add .; git commit -qm x",
        Seen("__pycache__/sitecustomize.py UH101", "committed")),
    "committed, and replaced by a folder": (
        ": > sitecustomize.py; git add .; git commit -qm x",
        "rm sitecustomize.py; mkdir sitecustomize.py",
        Seen("sitecustomize.py UH101", "modified")),
    "bytecode beside a link that is no source": (
        "mkdir s; : > s/usercustomize.pyc; ln -s . s/usercustomize.py",
        Seen("s/usercustomize.pyc UH101", hidden_by="?? s/")),
    "link to a package of one extension module": (
        "mkdir -p e/p; : > e/p/__init__.abi3.so; ln -s p e/sitecustomize; echo e > .gitignore",
        Seen("e/sitecustomize UH101", "ignored", ".gitignore:1")),
    "imported lazily, as in Python 3.15": (
        "echo 'lazy import late' > app.py; echo 'lazy from pkg import later' >> app.py",
        "echo pkg/later.py > .gitignore; git add app.py; : > late.py; : > pkg/later.py",
        Seen("late.py UH201"), Seen("pkg/later.py UH201", "ignored", ".gitignore:1")),
    "conftest.py of tests with a name of the project's own": (
        "printf '[pytest]\\npython_files = tests.py check_*.py\\n' > pytest.ini; mkdir a b c",
        ": > a/tests.py; : > b/check_x.py; : > c/other.py; echo conftest.py > .gitignore; git add .",
        "for i in a b c; do : > $i/conftest.py; done",
        Seen("a/conftest.py UH201", "ignored", ".gitignore:1"),
        Seen("b/conftest.py UH201", "ignored", ".gitignore:1")),
    "nested repository": (
        "git init -q nested; : > nested/sitecustomize.py; echo 'import os' > nested/x.pth",
        Seen("nested/sitecustomize.py UH101", "nested-repository", "?? nested/"),
        Seen("nested/x.pth:1 UH102", "nested-repository", "?? nested/")),
    "nested repository with a commit": (
        "git init -q a/nested; cd a/nested; : > sitecustomize.py; git add .; git commit -qm x",
        Seen("a/nested/sitecustomize.py UH101", "nested-repository", "?? a/")),
    "module that is imported out of a nested repository": (
        "git init -q lib; : > lib/__init__.py; echo 'import lib' > app.py; git add app.py",
        Seen("lib/__init__.py UH201", "nested-repository", "?? lib/")),
    "fake repository": (
        "mkdir -p lib/.git/objects lib/.git/refs; echo 'ref: refs/heads/x' > lib/.git/HEAD",
        ": > lib/sitecustomize.py",
        Seen("lib/sitecustomize.py UH101", "nested-repository", "?? lib/")),
    ".git file to nowhere": (
        "mkdir lib; echo 'gitdir: /nope' > lib/.git; : > lib/sitecustomize.py",
        Seen("lib/sitecustomize.py UH101", "nested-repository", "?? lib/")),
    "ignored nested repository": (
        "git init -q nested; : > nested/sitecustomize.py; echo nested/ > .git/info/exclude",
        Seen("nested/sitecustomize.py UH101", "ignored", ".git/info/exclude:1")),
    "linked worktree inside": (
        "git worktree add -q wt -b side; : > wt/sitecustomize.py; : > wt/json.py",),
    "folder that poses as a linked worktree": (
        "git worktree add -q $OUT/wt -b side; mkdir wt; cp $OUT/wt/.git wt/.git",
        ": > wt/sitecustomize.py",
        Seen("wt/sitecustomize.py UH101", "nested-repository", "?? wt/")),
    "linked worktree of another repository": (
        "git init -q $OUT/other; git -C $OUT/other commit -q --allow-empty -m x",
        "git -C $OUT/other worktree add -q $PWD/wt -b side; : > wt/sitecustomize.py",
        Seen("wt/sitecustomize.py UH101", "nested-repository", "?? wt/")),
    "untracked inside an embedded repository": (
        "git init -q nested; git -C nested commit -q --allow-empty -m x",
        "git add nested 2>/dev/null",
        ": > nested/sitecustomize.py",
        Seen("nested/sitecustomize.py UH101", "nested-repository", " M nested")),
    "tracked by a submodule": (
        "git init -q $OUT/o; : > $OUT/o/sitecustomize.py; git -C $OUT/o add .",
        "git -C $OUT/o commit -qm x; git submodule --quiet add $PWD/$OUT/o sub",
        Seen("sub/sitecustomize.py UH101 info", "submodule", "the submodule sub")),
    "tracked by a submodule, and edited": (
        "git init -q $OUT/o; : > $OUT/o/sitecustomize.py; : > $OUT/o/lib.py; git -C $OUT/o add .",
        "git -C $OUT/o commit -qm x; git submodule --quiet add $PWD/$OUT/o sub",
        "echo 'from sub import lib' > app.py; git add .; echo 1 > sub/lib.py",
        "echo 'import os' > sub/sitecustomize.py",
        Seen("sub/sitecustomize.py UH101", "modified", " M sub")),
    "tracked by a submodule of a submodule": (
        "git init -q $OUT/o; : > $OUT/o/sitecustomize.py; git -C $OUT/o add .",
        "git -C $OUT/o commit -qm x; git init -q $OUT/mid; o=$PWD/$OUT/o",
        "(cd $OUT/mid; git submodule --quiet add $o in; git commit -qm x)",
        "git submodule --quiet add $PWD/$OUT/mid sub",
        "git submodule --quiet update --init --recursive; : > sub/in/usercustomize.py",
        Seen("sub/in/sitecustomize.py UH101 info", "submodule", "the submodule sub"),
        Seen("sub/in/usercustomize.py UH101", "nested-repository", " M sub")),
    "tracked by a submodule whose new commit is not fetched yet": (
        "git init -q $OUT/o; : > $OUT/o/lib.py; git -C $OUT/o add .; git -C $OUT/o commit -qm x",
        "git submodule --quiet add $PWD/$OUT/o sub; echo 'from sub import lib' > app.py; git add .",
        "git update-index --cacheinfo 160000,1234567890123456789012345678901234567890,sub"),
    "a submodule whose .git is none": (
        "echo 'import os' > x.pth; git add .; git commit -qm x; mkdir -p sub/.git",
        "git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),sub; cp x.pth sub",
        Seen("sub/x.pth:1 UH102", "nested-repository", " M sub"),
        Seen("x.pth:1 UH102", "committed")),
    "ignored inside a submodule": (
        "git init -q nested; git -C nested commit -q --allow-empty -m x",
        "git add nested 2>/dev/null",
        "echo '*.py' > nested/.git/info/exclude; : > nested/sitecustomize.py",
        Seen("nested/sitecustomize.py UH101", "nested-repository", NOTHING_SHOWS_IT)),
    "submodule that is ignored altogether": (
        "git init -q $OUT/o; git -C $OUT/o commit -q --allow-empty -m x",
        "git submodule --quiet add $PWD/$OUT/o sub",
        "git config -f .gitmodules submodule.sub.ignore all",
        "git config submodule.sub.ignore all; git add .gitmodules; : > sub/sitecustomize.py",
        Seen("sub/sitecustomize.py UH101", "nested-repository", " M sub")),
    "gitlink over a plain folder": (
        "git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),plugins",
        "mkdir plugins; : > plugins/sitecustomize.py; : > plugins/__init__.py",
        Seen("plugins/__init__.py UH204", hidden_by=NOTHING_SHOWS_IT),
        Seen("plugins/sitecustomize.py UH101", hidden_by=NOTHING_SHOWS_IT)),
    "below a folder called .git": (
        "mkdir pkg/.git; echo 'import os' > pkg/.git/x.pth",
        Seen("pkg/.git/x.pth:1 UH102", hidden_by=NOTHING_SHOWS_IT)),
    "core.ignoreCase": (
        ": > SiteCustomize.py; git add .; git config core.ignoreCase true; : > sitecustomize.py",
        Seen("sitecustomize.py UH101")),
    "assume-unchanged": (
        "git update-index --assume-unchanged app.py; echo 'import os' > app.py",
        Seen("app.py UH205", "committed", None, ("assume-unchanged",))),
    "assume-unchanged and not touched": ("git update-index --assume-unchanged app.py",),
    "skip-worktree": (
        "git update-index --skip-worktree app.py pkg/__init__.py",
        "echo 'import os' > pkg/__init__.py",
        Seen("pkg/__init__.py UH205", "committed", None, ("skip-worktree",))),
    "skip-worktree and assume-unchanged": (
        "git update-index --skip-worktree app.py; git update-index --assume-unchanged app.py",
        "echo 'import os' > app.py",
        Seen("app.py UH205", "committed", None, ("skip-worktree", "assume-unchanged"))),
    "skip-worktree on a poisoned .pth": (
        "echo '# nothing' > x.pth; git add x.pth; git update-index --skip-worktree x.pth",
        "echo 'import os' > x.pth",
        Seen("x.pth:1 UH102", "staged", None, ("skip-worktree",)),
        Seen("x.pth UH205", "staged", None, ("skip-worktree",))),
    "skip-worktree, and replaced by a link": (
        "git update-index --skip-worktree pkg/__init__.py; rm -r pkg; mkdir $OUT/p",
        "echo 'import os' > $OUT/p/__init__.py; ln -s $OUT/p pkg",
        Seen("pkg UH204", "untracked", None, ("symlink-outside",)),
        Seen("pkg/__init__.py UH205", "committed", None, ("skip-worktree",))),
    "file that became a folder": (
        "rm app.py; mkdir app.py; echo 'import os' > app.py/x.pth",
        Seen("app.py/x.pth:1 UH102", hidden_by="?? app.py/")),
    "present outside a sparse checkout": (
        "mkdir in; : > in/a.py; echo '#' > sitecustomize.py; git add .; git commit -qm x",
        "git config sparse.expectFilesOutsideOfPatterns true",
        "git sparse-checkout set --no-cone /in/; : > sitecustomize.py",
        Seen("sitecustomize.py UH101", "committed", None, ("skip-worktree",)),
        Seen("sitecustomize.py UH205", "committed", None, ("skip-worktree",))),
    "sparse index": (
        "mkdir in out; : > in/a.py; : > out/sitecustomize.py; git add .; git commit -qm x",
        "git sparse-checkout set --cone --sparse-index in",
        Seen("out/sitecustomize.py UH101", "committed")),
    "intent-to-add": (
        "echo 'import new' > app.py; git add app.py; : > new.py; git add -N new.py",
        Seen("new.py UH201", "intent-to-add")),
    "tracked and ignored": (
        "echo sitecustomize.py > .gitignore; : > sitecustomize.py; git add -f sitecustomize.py",
        Seen("sitecustomize.py UH101", "staged")),
    "unmerged": (
        "echo 1 > sitecustomize.py; git add .; git commit -qm 1; git checkout -qb side",
        "echo 2 > sitecustomize.py; git commit -qam 2; git checkout -q main",
        "echo 3 > sitecustomize.py; git commit -qam 3; git merge -q side >/dev/null || true",
        Seen("sitecustomize.py UH101", "modified")),
    "rename": (
        "git mv app.py sitecustomize.py", Seen("sitecustomize.py UH101", "staged")),
    "file that became a link": (
        "echo 'import os' > x.py; git add .; git commit -qm x; rm app.py; ln -s x.py app.py",),
    "link to a package outside": (
        "mkdir $OUT/p; : > $OUT/p/__init__.py; ln -s $OUT/p plugin",
        Seen("plugin UH204", "untracked", None, ("symlink-outside",))),
    "link to a folder outside": (
        "mkdir $OUT/json; ln -s $OUT/json data; ln -s $OUT/json json",),
    "link to a folder outside that is imported": (
        "mkdir $OUT/n; : > $OUT/n/m.py; ln -s $OUT/n ns; echo 'import ns.m' > app.py; git add app.py",
        Seen("ns UH201", "untracked", None, ("symlink-outside",))),
    "link to a module outside": (
        ": > $OUT/m.py; ln -s $OUT/m.py plugin.py",
        Seen("plugin.py UH204", "untracked", None, ("symlink-outside",))),
    "tracked link to a startup module outside": (
        ": > $OUT/m.py; ln -s $OUT/m.py sitecustomize.py; git add .",
        Seen("sitecustomize.py UH101", "staged", None, ("symlink-outside",))),
    "tracked link to a folder inside": (
        "mkdir real; echo 'import os' > real/x.pth; ln -s real lnk; git add lnk",
        Seen("real/x.pth:1 UH102", hidden_by="?? real/")),
    "odd names": (
        "for n in 'a -> b' '[x]' ':(top)x' '\"q\"' ' s' '-rf' '*'",
        "do echo 'import os' > \"./$n.pth\"; done",
        *[Seen(f"{name}.pth:1 UH102") for name in
         ("a -> b", "[x]", ":(top)x", '"q"', " s", "-rf", "*")]),
    "odd names, staged and edited": (
        "for n in 'a -> b' '[x]' ':(top)x' '-rf'; do echo 'import os' > \"./$n.pth\"; done",
        "git add .; for n in 'a -> b' '[x]' ':(top)x' '-rf'; do echo '#' >> \"./$n.pth\"; done",
        *[Seen(f"{name}.pth:1 UH102", "modified") for name in ("a -> b", "[x]", ":(top)x", "-rf")]),
    "git replace": (
        ": > sitecustomize.py; git add .",
        "git replace HEAD $(git commit-tree -m x $(git write-tree))",
        Seen("sitecustomize.py UH101", "staged")),
    "ident": (
        "echo '*.py ident' > .git/info/attributes",
        "echo 'x = \"$Id: \"; print(1); y = \"$\"' > app.py; git add app.py; git commit -qm x",
        Seen("app.py UH205", "committed")),
    "ident as git itself writes it": (
        "echo '*.py ident' > .gitattributes; echo '# $Id$' > app.py; git add .; git commit -qm x",
        "rm app.py; git checkout -q app.py; grep -q '[$]Id: ' app.py"),
    "clean filter that nothing tracked declares": (
        "echo 'app.py filter=f' > .git/info/attributes",
        "git config filter.f.clean 'git cat-file blob HEAD:%f'",
        "echo 'import os' > app.py; touch -r $OUT/stamp app.py; git add app.py",
        Seen("app.py UH205", "committed")),
    "clean filter that nothing tracked declares, on a file that git looks into again": (
        "echo 'app.py filter=f' > .git/info/attributes",
        "git config filter.f.clean 'git cat-file blob HEAD:%f'",
        "echo 'import os' > app.py; git add app.py; touch -r $OUT/stamp app.py",
        "test -z \"$(git status --porcelain)\"; touch app.py",
        Seen("app.py UH205", "modified")),
    "clean filter that the commit declares, on a file that is edited": (
        "echo 'app.py filter=f' > .gitattributes; git config filter.f.clean 'tr a-z A-Z'",
        "git add .; git commit -qm x; echo 'x = 1' > app.py"),
    "clean filter of the user's own attributes": (
        "mkdir -p ~/.config/git; echo 'app.py filter=f' > ~/.config/git/attributes",
        "echo '* text' > .gitattributes; git config filter.f.clean 'git cat-file blob HEAD:%f'",
        "echo 'import os' > app.py; touch -r $OUT/stamp app.py; git add .",
        Seen("app.py UH205", "committed")),
    "clean filter that the commit declares": (
        "echo 'app.py filter=f' > .gitattributes; git config filter.f.clean 'tr a-z A-Z'",
        "echo 'x = 1' > app.py; touch -r $OUT/stamp app.py; git add .; git commit -qm x"),
    "working-tree-encoding": (
        "echo 'app.py working-tree-encoding=UTF-7' > .git/info/attributes",
        "printf '+AGE-=1\\n' > app.py; git add app.py; git commit -qm x",
        Seen("app.py UH205", "committed")),
    "line ends": (
        "git config core.autocrlf true; printf 'a = 1\\r\\n' > app.py; git add app.py 2>/dev/null",
        "git commit -qm x"),
    "stat cache that lies": (
        "echo 'x = 1' > app.py; touch -r $OUT/stamp app.py; git commit -qam x",
        "git config core.trustctime false; echo 'x = 2' > app.py; touch -r $OUT/stamp app.py",
        Seen("app.py UH205", "committed")),
    "untracked cache that lies": (
        "git config core.untrackedCache true; git update-index --untracked-cache",
        "git status >/dev/null",
        "touch -r pkg $OUT/stamp; : > pkg/sitecustomize.py; touch -r $OUT/stamp pkg",
        Seen("pkg/sitecustomize.py UH101")),
    "regular file that the commit calls a link": (
        "git config core.symlinks false; echo 'import os' > x.pth",
        "git update-index --add --cacheinfo 120000,$(git hash-object -w x.pth),x.pth",
        Seen("x.pth:1 UH102", "staged")),
    "linguist-generated": (
        "echo 'sitecustomize.py linguist-generated=true' > .gitattributes; : > sitecustomize.py",
        "git add .",
        Seen("sitecustomize.py UH101", "staged", None, ("folded-by-attribute",)),
        Seen("sitecustomize.py UH205", "staged", None, ("folded-by-attribute",))),
    "linguist-generated on another module": (
        "echo 'app.py linguist-generated' > .gitattributes; git add .",
        Seen("app.py UH205 info", "committed")),
    "-diff": (
        "echo '*.pth -diff' > .gitattributes; echo 'import os' > x.pth; git add .",
        Seen("x.pth:1 UH102", "staged", None, ("folded-by-attribute",)),
        Seen("x.pth UH205", "staged", None, ("folded-by-attribute",))),
    "binary": (
        "echo '*.pth binary' > .gitattributes; echo 'import os' > x.pth; git add .",
        Seen("x.pth:1 UH102", "staged", None, ("folded-by-attribute",)),
        Seen("x.pth UH205", "staged", None, ("folded-by-attribute",))),
}  # fmt: skip
#: variables that would hide the untracked file, or show another tree
EXPORTED = {
    "GIT_CONFIG_COUNT": {
        "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.excludesFile",
        "GIT_CONFIG_VALUE_0": "{ignore}"},
    "GIT_CONFIG_PARAMETERS": {"GIT_CONFIG_PARAMETERS": "'core.excludesFile'='{ignore}'"},
    "GIT_LITERAL_PATHSPECS": {"GIT_LITERAL_PATHSPECS": "1"},
    "GIT_CEILING_DIRECTORIES": {"GIT_CEILING_DIRECTORIES": "/"},
}  # fmt: skip


def _seen(finding: dict[str, Any]) -> Seen:
    flags = tuple(finding["flags"])
    return Seen(place(finding), finding["visibility"], finding["hidden_by"], flags)


def _plant(repo: Repository, *script: str) -> None:
    repo.commit({"app.py": "x = 0\n", "pkg/__init__.py": ""})
    out = repo.path.parent / "out"
    out.mkdir()
    stamp = out / "stamp"
    stamp.touch()
    os.utime(stamp, (1_600_000_000, 1_600_000_000))
    done = run("sh", "-ec", "\n".join(script), cwd=repo.path, env={"OUT": "../out"})
    assert done.code == 0, done


@pytest.mark.parametrize("name", ROWS)
def test_seen(name: str, repo: Repository) -> None:
    row = ROWS[name]
    wanted = [part for part in row if isinstance(part, Seen)]
    _plant(repo, *(part for part in row if isinstance(part, str)))
    done = repo.check("forbid-startup-files", "forbid-untracked-modules")
    assert sorted(map(_seen, done.json()["findings"])) == sorted(wanted), done
    assert done.code == int(any(not row.finding.endswith(("info", "warning")) for row in wanted))


@pytest.mark.parametrize("name", EXPORTED)
def test_seen_whatever_is_exported(name: str, repo: Repository, tmp_path: Path) -> None:
    _plant(repo, ": > sitecustomize.py")
    ignore = tmp_path / "ignore"
    ignore.write_text("sitecustomize.py\n")
    env = {key: value.format(ignore=ignore) for key, value in EXPORTED[name].items()}
    done = repo.check(env=env)
    assert list(map(_seen, done.json()["findings"])) == [Seen("sitecustomize.py UH101")]


@pytest.mark.parametrize("location", ["GIT_DIR", "GIT_WORK_TREE"])
def test_a_folder_that_is_named_is_the_one_that_is_looked_at(
    location: str, repo: Repository, tmp_path: Path
) -> None:
    _plant(repo, ": > sitecustomize.py")
    other = Repository.create(tmp_path / "other")
    other.commit({"a.txt": ""})
    where = {"GIT_DIR": str(other.path / ".git"), "GIT_WORK_TREE": str(other.path)}
    done = repo.check("-C", str(repo.path), env={location: where[location]}, cwd=other.path)
    assert done.findings() == {"sitecustomize.py UH101"}


def test_dotfiles_with_the_git_folder_elsewhere(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    run("git", "init", "-q", "--bare", "dotfiles", cwd=tmp_path)
    (home / "x.pth").write_text("import os\n")
    env = {"GIT_DIR": str(tmp_path / "dotfiles"), "GIT_WORK_TREE": str(home)}
    done = run(*UNHAUNT, "check", "--format", "json", cwd=home, env=env)
    assert done.findings() == {"x.pth:1 UH102"}
