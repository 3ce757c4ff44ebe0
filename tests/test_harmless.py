"""A check runs nothing of the repository, waits for nothing in it, and leaves nothing behind.

Each trap is a program that makes a file when it is run. The plain command that it was laid for
springs it in the end, because a trap that does not work proves nothing.
"""

from __future__ import annotations

import errno
import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.repository import UNHAUNT, Ran, Repository, run
from unhaunt import cli
from unhaunt.repository import git

#: what is planted, and the plain command that springs it; $TRAP is the program
TRAPS: dict[str, tuple[str, ...]] = {
    "core.fsmonitor": ('git config core.fsmonitor "$TRAP"', "git status"),
    "the clean filter": (
        "echo '*.py filter=f' > .git/info/attributes; git config filter.f.clean \"$TRAP\"",
        "git config filter.f.required true; touch sitecustomize.py", "git status"),
    "the filter process": (
        "echo '*.py filter=f' > .gitattributes; git config filter.f.process \"$TRAP\"",
        "touch sitecustomize.py", "git status"),
    "textconv": (
        "echo '*.py diff=d' > .gitattributes; git config diff.d.textconv \"$TRAP\"",
        "echo '#' >> sitecustomize.py", "git diff"),
    "diff.external": (
        "git config diff.external \"$TRAP\"; echo '#' >> sitecustomize.py", "git diff"),
    "core.hooksPath": (
        'mkdir h; cp "$TRAP" h/post-index-change; git config core.hooksPath h; touch app.py',
        "git status"),
    "a hook in .git": ('cp "$TRAP" .git/hooks/post-index-change; touch app.py', "git status"),
    "a lazy fetch over ssh": (
        "git config core.repositoryFormatVersion 1; git config extensions.partialClone origin",
        "git config remote.origin.url ssh://nowhere.invalid/x",
        "git config remote.origin.promisor true",
        "git config core.sshCommand \"$TRAP\"; git rm -q --cached sitecustomize.py",
        "git update-index --add --cacheinfo 100644,1234567890123456789012345678901234567890,x.pth",
        "git cat-file -p :x.pth"),
    "a lazy fetch by a remote helper": (
        "git config core.repositoryFormatVersion 1; git config extensions.partialClone origin",
        "git config remote.origin.url \"ext::$TRAP\"; git config remote.origin.promisor true",
        "git config protocol.ext.allow always",
        "git update-index --add --cacheinfo 100644,1234567890123456789012345678901234567890,x.pth",
        "git cat-file -p :x.pth"),
    "a submodule's fsmonitor": (
        "git init -q ../origin; git -C ../origin commit -q --allow-empty -m x",
        "git submodule --quiet add $PWD/../origin sub; git -C sub config core.fsmonitor \"$TRAP\"",
        "echo 'import os' > sub/x.pth", "git status"),
    "a submodule's filter": (
        "git init -q ../origin; echo 1 > ../origin/a.py; git -C ../origin add .",
        "git -C ../origin commit -qm x; git submodule --quiet add $PWD/../origin sub",
        "git -C sub config filter.f.clean \"$TRAP\"; touch sub/a.py; echo 'import os' > sub/x.pth",
        "echo '*.py filter=f' > .git/modules/sub/info/attributes", "git status"),
    "a nested repository's fsmonitor": (
        "git init -q nested; git -C nested config core.fsmonitor \"$TRAP\"; : > nested/json.py",
        "echo 'import os' > nested/x.pth", "git -C nested status"),
    "an alias": ('git config alias.st "!$TRAP"; git config pager.status "$TRAP"', "git st"),
}  # fmt: skip
#: words of `git` and `sh` that PATH can lead to, and how PATH leads there
PATHS = {
    "begins with .": ".:{path}",
    "begins with an empty element": ":{path}",
    "ends with an empty element": "/nowhere:",
    "has a relative folder": "bin:{path}",
    "has an absolute folder of the repository": "{repo}/bin:{path}",
    "has the repository by a link": "{link}/bin:{path}",
}
OURS = (
    "json",
    "os",
    "argparse",
    "git",
    "yaml",
    "identify",
    "tomllib",
    "enum",
    "functools",
    "select",
)


def _trap(path: Path) -> tuple[str, Path]:
    marker = path / "marker"
    trap = path / "trap"
    trap.write_text(f"#!/bin/sh\n: > {marker}\n")
    trap.chmod(0o755)
    return str(trap), marker


def _sh(script: str, repo: Repository, trap: str, check: bool = True) -> None:
    done = subprocess.run(
        ["sh", "-ec", script], cwd=repo.path, env={**os.environ, "TRAP": trap},
        capture_output=True, timeout=60,
    )  # fmt: skip
    assert not check or done.returncode == 0, done


def _is_sprung(marker: Path) -> bool:
    was = marker.exists()
    marker.unlink(missing_ok=True)
    return was


@pytest.mark.parametrize("name", TRAPS)
def test_no_trap_is_sprung(name: str, repo: Repository, tmp_path: Path) -> None:
    *script, plain = TRAPS[name]
    trap, marker = _trap(tmp_path)
    repo.commit({"app.py": "import helper, sub.a\n", "sitecustomize.py": "", "helper.py": ""})
    _sh("\n".join(script), repo, trap)
    _is_sprung(marker)
    for words in (
        ["check"],
        ["check", "--deep", "-v"],
        ["check", "--format", "json", "--base", "HEAD"],
    ):
        done = run(*UNHAUNT, *words, cwd=repo.path)
        assert not _is_sprung(marker), done
        assert done.code == (2 if "lazy" in name else 1), done
    _sh(plain, repo, trap, check=False)
    assert _is_sprung(marker), "the trap does not work"


@pytest.mark.parametrize("name", TRAPS)
def test_a_commit_springs_no_trap_either(name: str, repo: Repository, tmp_path: Path) -> None:
    *script, plain = TRAPS[name]
    trap, marker = _trap(tmp_path)
    repo.commit(
        {"app.py": "import helper, sub.a\n", "sitecustomize.py": "", ".env": "PYTHONPATH=.\n"}
    )
    _sh("\n".join(script), repo, trap)
    tree = repo.git("write-tree", "--missing-ok").strip()
    commit = repo.git("commit-tree", "-p", "HEAD", "-m", "x", tree).strip()
    _is_sprung(marker)
    for words in (["--rev", commit], ["--rev", commit, "--base", "HEAD", "--format", "sarif"]):
        done = run(*UNHAUNT, "check", *words, cwd=repo.path)
        assert not _is_sprung(marker), done
        # The one over ssh has taken the startup module away.
        assert done.code == (0 if "ssh" in name or "--base" in words else 1), done
        assert "lazy" not in name or "x.pth" in done.out
    _sh(plain, repo, trap, check=False)
    assert _is_sprung(marker), "the trap does not work"


@pytest.mark.parametrize("name", PATHS)
def test_git_of_the_repository_is_not_run(name: str, repo: Repository, tmp_path: Path) -> None:
    trap, marker = _trap(tmp_path)
    repo.commit({"app.py": "", "sitecustomize.py": ""})
    (tmp_path / "link").symlink_to(repo.path)
    for place in ("git", "bin/git", "bin/git-status", "bin/sh", "sh"):
        repo.write({place: Path(trap).read_bytes()})
        (repo.path / place).chmod(0o755)
    path = PATHS[name].format(path=os.environ["PATH"], repo=repo.path, link=tmp_path / "link")
    done = run(*UNHAUNT, "check", cwd=repo.path, env={"PATH": path})
    assert not marker.exists(), done
    refused = "inside the repository under check" in done.err or "not on PATH" in done.err
    assert done.code == (2 if refused else 1), done
    subprocess.run(["git", "status"], cwd=repo.path, env={"PATH": path}, check=False)
    assert marker.exists(), "the trap does not work"


@pytest.mark.parametrize("exported", [{}, {"PYTHONPATH": "."}], ids=["unset", "exported"])
def test_no_module_of_the_repository_is_imported(
    exported: dict[str, str], repo: Repository, tmp_path: Path
) -> None:
    marker = tmp_path / "marker"
    code = f"open({str(marker)!r}, 'w')\n"
    files = {
        f"{name}.py": code for name in (*OURS, "sitecustomize", "setup", "conftest", "noxfile")
    }
    repo.commit({**files, "unhaunt/__init__.py": code, "x.pth": f"import os; {code}"})
    done = run(*UNHAUNT, "check", "-v", cwd=repo.path, env=exported)
    assert (done.code, marker.exists()) == (1, False), done
    assert not list(repo.path.rglob("__pycache__"))
    run(sys.executable, "-m", "unhaunt", "check", cwd=repo.path, env=exported)
    assert marker.exists(), "the trap does not work"


@pytest.mark.parametrize("place", [".gitignore", "pkg/.gitignore"])
def test_a_fifo_that_git_would_wait_for(place: str, repo: Repository) -> None:
    repo.commit({"app.py": "", "pkg/__init__.py": ""})
    repo.write({"helper.py": "", "pkg/sitecustomize.py": ""})
    fifo = repo.path / place
    fifo.unlink(missing_ok=True)
    os.mkfifo(fifo)
    done = _checked(repo)
    assert done.code == 1, done
    assert done.findings() == {"helper.py UH204", "pkg/sitecustomize.py UH101"}
    assert [item["path"] for item in done.json()["checked"]["not_checked"]] == [place]


def test_a_fifo_that_git_waits_for(
    repo: Repository,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    repo.commit({"app.py": ""})
    repo.write({"helper.py": ""})
    fifo = repo.path / ".git/info/exclude"
    fifo.unlink(missing_ok=True)
    os.mkfifo(fifo)
    monkeypatch.setattr(git, "TIME_LIMIT", 1.0)
    monkeypatch.chdir(repo.path)
    assert cli.main(["check"]) == 2
    assert "git did not answer in 1 seconds" in capsys.readouterr().err
    with pytest.raises(OSError, match=os.strerror(errno.ENXIO)):  # git has been ended: nobody reads
        os.open(fifo, os.O_WRONLY | os.O_NONBLOCK)


#: what a check opens by itself -> what it says of a FIFO there, when the commit has a file
FIFOS = {
    "x.pth": set(),
    "sitecustomize.py": {"sitecustomize.py UH101"},
    "sub/boot.start": set(),
    "python311._pth": {"python311._pth UH105"},
    "json.py": set(),
    "pyproject.toml": set(),
    "app.py": set(),
    "env/pyvenv.cfg": {"env/pyvenv.cfg UH105"},
    "lib/.git": set(),
    "lib/node_modules": set(),
    "a.dist-info/RECORD": set(),
    ".pre-commit-config.yaml": set(),
}


def _checked(repo: Repository) -> Ran:
    return Ran(*_decoded(subprocess.run(
        [*UNHAUNT, "check", "--format", "json"], cwd=repo.path, capture_output=True, timeout=20,
    )))  # fmt: skip


def _decoded(done: subprocess.CompletedProcess[bytes]) -> tuple[int, str, str]:
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.mark.parametrize("place", FIFOS)
@pytest.mark.parametrize("tracked", [False, True], ids=["untracked", "tracked"])
def test_a_fifo_is_not_opened(place: str, tracked: bool, repo: Repository) -> None:
    repo.commit({"app.py": "", "pyproject.toml": "", **({place: ""} if tracked else {})})
    (repo.path / place).parent.mkdir(parents=True, exist_ok=True)
    (repo.path / place).unlink(missing_ok=True)
    os.mkfifo(repo.path / place)
    done = _checked(repo)
    assert done.findings() == (FIFOS[place] if tracked else set()), done


@pytest.mark.parametrize("target", ["/dev/zero", "/dev/tty", "/proc/self/mem", "/dev/stdin"])
@pytest.mark.parametrize("place", ["x.pth", "pyproject.toml", "json.py", "env/pyvenv.cfg"])
def test_a_link_to_a_device_is_not_read(target: str, place: str, repo: Repository) -> None:
    repo.commit({"app.py": ""})
    (repo.path / place).parent.mkdir(exist_ok=True)
    (repo.path / place).symlink_to(target)
    assert _checked(repo).findings() == {"json.py UH202" for name in [place] if name == "json.py"}


def test_a_device_is_not_read(repo: Repository) -> None:
    repo.commit({"app.py": ""})
    try:
        os.mknod(repo.path / "x.pth", 0o20666, os.makedev(1, 5))
    except PermissionError:
        pytest.skip("only root can make a device")
    assert _checked(repo).findings() == set()


def _snapshot(top: Path) -> dict[str, tuple[int, int, int, str]]:
    found = {}
    for path in sorted([top, *top.rglob("*")]):
        status = path.lstat()
        data = path.read_bytes() if path.is_file() else b""
        digest = hashlib.sha256(data).hexdigest()
        found[str(path)] = (status.st_mode, status.st_size, status.st_mtime_ns, digest)
    return found


@pytest.mark.parametrize(
    "words", [("check",), ("check", "--deep", "-v"), ("check", "forbid-untracked-modules")], ids=str
)
def test_nothing_is_written(words: tuple[str, ...], repo: Repository) -> None:
    repo.commit({"app.py": "import helper\n", "pkg/__init__.py": "", "x.pth": "import os\n"})
    repo.git("worktree", "add", "-q", "wt", "-b", "side")
    repo.git("init", "-q", "nested")
    repo.write(
        {"helper.py": "", "json.py": "", "sitecustomize.py": "", "nested/x.pth": "import os\n"}
    )
    repo.git("add", "-N", "helper.py")
    repo.write({"pkg/__init__.py": "A = 1\n"})
    os.utime(repo.path / "app.py")  # so that git would like to refresh its index
    before = _snapshot(repo.path)
    assert run(*UNHAUNT, *words, cwd=repo.path).code == 1
    assert _snapshot(repo.path) == before
    repo.git("status")
    assert _snapshot(repo.path) != before, "the tree was not as tempting as it should be"
