"""One file: its bytes, where it runs, and what `--check` says of it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import zipfile
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests import copies, interpreters
from tests.commandline import UNHAUNT, Done, unhaunt
from tests.repository import Repository
from tests.test_runners import ATTACK
from unhaunt.vendoring import archive, folder, sums
from unhaunt.vendoring.copies import judge
from unhaunt.vendoring.members import DEPENDENCIES, members, rows

ROOT = Path(__file__).parent.parent
VERSIONS = copies.spread()


def names(path: Path) -> list[str]:
    """Return the members of a zip."""
    with zipfile.ZipFile(path) as file:
        return file.namelist()


# --- the bytes ---


def test_the_same_bytes_wherever_and_whenever(
    copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "Pacific/Kiritimati")
    monkeypatch.setenv("LC_ALL", "C")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    monkeypatch.chdir(tmp_path)
    again = copies.made(tmp_path / "a")
    from_itself = copies.made(tmp_path / "b", by=[sys.executable, "-I", "-S", str(copy)])
    assert again.read_bytes() == copy.read_bytes() == from_itself.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]


def test_another_python_makes_the_same_but_for_bytecode(copy: Path, tmp_path: Path) -> None:
    python = copies.clone_of_site(copies.other_python(), tmp_path / "env")
    by = [str(python), "-I", "-m", "unhaunt"]
    ours = copies.made(tmp_path / "ours", "--no-bytecode")
    theirs = copies.made(tmp_path / "theirs", "--no-bytecode", by=by)
    assert theirs.read_bytes() == ours.read_bytes()
    assert not any(name.endswith(".pyc") for name in names(ours))
    whole = copies.made(tmp_path / "whole", by=by)
    assert archive.members_of(whole.read_bytes()) == archive.members_of(copy.read_bytes())
    assert names(whole) == names(copy)
    assert whole.read_bytes() != copy.read_bytes()


def test_all_of_it_is_python_text_and_licenses(copy: Path) -> None:
    found = names(copy)
    assert found == sorted(set(found))
    kinds = {os.path.splitext(name)[1] for name in found if not name.startswith("licenses/")}
    rows_of = {os.path.splitext(name)[1] for name in os.listdir(copy.parent / "rows")}
    assert kinds - rows_of == {".py", ".pyc", ".typed"}
    for name in DEPENDENCIES:
        assert any(n.startswith(f"licenses/{name}/LICENSE") for n in found), name
    assert "licenses/unhaunt/LICENSE" in found
    for place in (str(ROOT), sys.prefix, sys.base_prefix):
        if place != "/usr":  # a word of texts as well
            assert place.encode() not in copy.read_bytes(), "a path of the machine that made it"
    assert copy.read_bytes()[:2] == b"PK", "no line with the path of a Python"


def test_the_list_fits_coreutils(copy: Path) -> None:
    done = copies.run(["sha256sum", "--strict", "-c", "SHA256SUMS"], cwd=copy.parent)
    assert done.code == 0, done
    assert len(done.out.splitlines()) == 1 + len(os.listdir(copy.parent / "rows"))


def test_every_requirement_is_in_the_table() -> None:
    found, left = set(), ["unhaunt"]
    while left:
        for text in metadata.requires(left.pop()) or ():
            need = Requirement(text)
            if need.marker is None or need.marker.evaluate({"extra": "", "python_version": "3.11"}):
                found.add(need.name.lower())
                left.append(need.name)
    assert found == {name.lower() for name in DEPENDENCIES}


# --- where it runs ---


@pytest.mark.parametrize("version", VERSIONS)
def test_every_python_runs_it(version: str, copy: Path, tmp_path: Path) -> None:
    """In an empty folder, with an empty environment; bytecode is used by whom it is for."""
    python = copies.pythons()[version]
    done = copies.run([python, "-I", "-S", "-v", copy, "--version"], cwd=tmp_path)
    assert (done.code, done.out) == (0, f"unhaunt {metadata.version('unhaunt')}\n")
    assert ("bad magic number in 'unhaunt.cli'" in done.err) != copies.is_ours(version)
    refused = copies.run([python, "-I", copy, "check"], cwd=tmp_path)
    assert (refused.code, refused.out) == (2, "")
    assert refused.err.startswith("error: "), refused
    assert os.listdir(tmp_path) == []


def test_an_older_python_is_turned_away(copy: Path, tmp_path: Path) -> None:
    old = interpreters.between((3, 8), (3, 10))
    done = copies.run([old, "-I", copy, "check"], cwd=tmp_path)
    assert (done.code, done.out) == (2, "")
    assert "needs Python 3.11 or newer, this is 3." in done.err


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("flags", [["-I"], ["-I", "-S"], []], ids=["I", "IS", "console"])
def test_an_attack_on_it(flags: list[str], version: str, copy: Path, repo: Repository) -> None:
    exit_if_asked = "import os, sys\nif len(sys.orig_argv) < 2: os._exit(0)\n"
    files = {**ATTACK, "sitecustomize.py": exit_if_asked, "json.py": "raise SystemExit(0)\n"}
    repo.write(files)
    repo.add(*files)
    env = {"PYTHONPATH": "."} if flags else {}
    done = copies.run([copies.pythons()[version], *flags, copy, "check"], cwd=repo.path, env=env)
    assert (done.code, done.out.split(" ")[:2]) == (1, ["sitecustomize.py:", "UH101"]), done


def test_startup_code_of_its_own_python_does_not_run(copy: Path, repo: Repository) -> None:
    """`-S` is what the rows use: the image's site-packages is not trusted with the check."""
    interpreters.needs_sitecustomize()
    python = interpreters.venv(sys.executable, repo.path.parent / "env")
    (site,) = python.parent.parent.glob("lib/python3*/site-packages")
    (site / "sitecustomize.py").write_text("import os\nos._exit(0)\n")
    repo.commit({"usercustomize.py": ""})
    lost = copies.run([python, "-I", copy, "check"], cwd=repo.path)
    assert (lost.code, lost.out) == (0, ""), "no attack at all"
    done = copies.run([python, "-I", "-S", copy, "check"], cwd=repo.path)
    assert (done.code, done.out[:23]) == (1, "usercustomize.py: UH101"), done


def test_started_without_i_it_starts_itself_again(copy: Path, repo: Repository) -> None:
    repo.commit({"app.py": ""})
    env = {"PYTHONPATH": str(repo.path.parent)}
    done = copies.run(
        [sys.executable, "-S", copy.name, "check", "-C", repo.path], cwd=copy.parent, env=env
    )
    assert done.code == 0, done
    assert (
        f"started without -I while PYTHONPATH was set: use {sys.executable} -I -S {copy}"
        in done.err
    )


@pytest.mark.parametrize("who", ["root or oneself", "nobody"])
def test_nothing_can_be_written(who: str, copy: Path, public: Path) -> None:
    """No HOME, no PATH, no terminal, a repository that this user may only read."""
    repo, copy = Repository.create(public / "repo"), Path(shutil.copy(copy, public))
    repo.commit({"app.py": "", ".env": "PYTHONPATH=src\n"})
    repo.write({"sitecustomize.py": ""})
    user = copies.reader() if who == "nobody" else None
    copies.sealed(public, owner=user)
    before = {p: p.stat().st_mtime_ns for p in repo.path.rglob("*")}
    words = [copies.public_python(), "-I", "-S", str(copy)]
    done = copies.run([*words, "check"], cwd=repo.path, user=user)
    assert done.code == 1, done
    assert "sitecustomize.py: UH101" in done.out
    assert ".env:1: UH301" in done.out
    look = ["fingerprint", "--python", words[0], "--format", "json"]
    taken = copies.run([*words, *look], cwd=repo.path, user=user)
    assert taken.code == 0, taken
    assert taken.json["repository"]["toplevel"] == str(repo.path)
    assert {p: p.stat().st_mtime_ns for p in repo.path.rglob("*")} == before


def test_a_read_only_file_system_without_a_network(copy: Path, repo: Repository) -> None:
    repo.commit({"app.py": ""})
    repo.write({"sitecustomize.py": ""})
    place = repo.path.parent
    alone = ["unshare", "--mount", "--net", *([] if os.getuid() == 0 else ["--map-root-user"])]
    if subprocess.run([*alone, "true"], capture_output=True).returncode:
        pytest.skip("this user may not mount; the tests of a container's root do")
    script = (
        f"mount --bind {place} {place} && mount -o remount,ro,bind {place} && cd {repo.path} &&"
        f" ! touch x 2>/dev/null && exec {sys.executable} -I -S {copy} check"
    )
    done = copies.run([*alone, "sh", "-c", script], cwd=place, env={"PATH": os.environ["PATH"]})
    assert (done.code, done.out[:23]) == (1, "sitecustomize.py: UH101"), done


EVERYTHING = (("run", "--"), ("run", "--bisect", "--"), ("run", "--isolated", "--"),
              ("fingerprint", "--"), ("verify", "--"))  # fmt: skip


@pytest.mark.skipif(os.getuid() != 0, reason="changes the root folder; the tests of a container do")
def test_a_command_where_only_memory_can_be_written(copy: Path, repo: Repository) -> None:
    """As `docker run --read-only` has it; and without a place for temporary files at all."""
    repo.commit({"app.py": ""})
    root = repo.path.parent / "root"
    root.mkdir()
    read_only = (
        f"mount --bind / {root} && mount -o remount,ro,bind {root} && mount --rbind /dev {root}/dev"
    )
    for words in EVERYTHING:
        start = (
            f"exec {sys.executable} -I -S {copy} {' '.join(words)} {sys.executable} -c 'import app'"
        )
        for memory, code in (("true", 0), (f"mount -t tmpfs -o ro none {root}/dev/shm", 2)):
            inside = f'chroot {root} sh -c "cd {repo.path}; {start}"'
            done = copies.run(
                ["unshare", "--mount", "sh", "-c", f"{read_only} && {memory} && {inside}"],
                cwd=repo.path, env={"PATH": os.environ["PATH"]},
            )  # fmt: skip
            if words == ("run", "--isolated", "--"):
                code = 0  # it needs none
            assert done.code == code, (words, done)
            assert ("no folder for temporary files" in done.err) == (code == 2), done
    assert sorted(os.listdir(repo.path)) == [".git", "app.py"]


COMMANDS: dict[str, tuple[str, ...]] = {
    "check": ("check", "--format", "json"),
    "interpreter": ("check", "check-interpreter", "check-import-origins", "--python", "{python}"),
    "verify-installed": (
        "check",
        "check-interpreter",
        "--verify-installed",
        "--python",
        "{python}",
    ),
    "fingerprint": ("fingerprint", "--python", "{python}"),
    "of a command": ("fingerprint", "--", "{python}", "-c", "import pkg.a"),
    "below a command": ("fingerprint", "--", "sh", "-c", "{python} -c 'import pkg.a'; true"),
    "probe": ("fingerprint", "--print-probe"),
    "where": ("where", "pkg.a", "json", "--python", "{python}", "--format", "json"),
    "run": ("run", "--format", "json", "--", "{python}", "-c", "import pkg.a"),
    "bisect": ("run", "--bisect", "--", "{python}", "-c", "import pkg.a; import ghost"),
    "isolated": ("run", "--isolated", "--", "{python}", "-c", "import pkg.a; print(pkg.a.X)"),
    "verify": ("verify", "--", "{python}", "-c", "import pkg.a"),
    "explain": ("explain", "UH102"),
    "help": ("vendor", "--help"),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_answers_as_the_installed_one(
    name: str, copy: Path, repo: Repository
) -> None:
    repo.commit(
        {"pkg/__init__.py": "", "pkg/a.py": "X = 1\n", "compose.yml": "a: {PYTHONPATH: x}\n"}
    )
    repo.write({"ghost.py": "raise SystemExit(0)\n"})
    python = interpreters.venv(sys.executable, repo.path.parent / "env")
    words = [word.format(python=python) for word in COMMANDS[name]]
    env = {"PATH": os.defpath, "LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"}
    installed = copies.run([*UNHAUNT, *words], cwd=repo.path, env=env)
    copied = copies.run([sys.executable, "-I", copy, *words], cwd=repo.path, env=env)
    assert copied.code == installed.code != 2, copied
    assert _steady(copied, copy) == _steady(installed, copy)
    assert copied.out or "checked 3 tracked" in copied.err


def _steady(done: Done, copy: Path) -> list[str]:
    """Return the lines of stdout without times, tokens, and how this tool is called."""
    text = done.out.replace(f"-I {copy}", "-I -m unhaunt").replace("\nusage: unhaunt.pyz", "")
    text = re.sub(r"\d+\.\d+ s|\"seconds\": [\d.]+|unhaunt-\w+", "_", text)
    return text.splitlines()


@pytest.mark.parametrize("words", [("check",), ("check", "-C", "../repo")], ids=["here", "C"])
def test_a_copy_named_by_a_relative_path(
    words: tuple[str, ...], copy: Path, repo: Repository
) -> None:
    repo.commit({"usercustomize.py": ""})
    (repo.path.parent / "my tool.pyz").symlink_to(copy)
    done = copies.run([sys.executable, "-I", "../my tool.pyz", *words], cwd=repo.path)
    assert done.code == 1, done
    assert f"more: {sys.executable} -I '{repo.path.parent}/my tool.pyz' explain UH101" in done.out


def test_the_python_that_runs_it_is_the_last_candidate(copy: Path, repo: Repository) -> None:
    repo.commit({"app.py": ""})
    words = [sys.executable, "-I", str(copy), "fingerprint", "--quick"]
    done = copies.run(words, cwd=repo.path, env={"PATH": "/nowhere"})
    assert done.code == 0, done
    assert "chosen: the one that runs unhaunt" in done.out
    without = copies.run(
        [*UNHAUNT, "fingerprint", "--quick"], cwd=repo.path, env={"PATH": "/nowhere"}
    )
    assert (without.code, without.err.split("\n")[0]) == (
        2,
        "error: no project interpreter: not checked",
    )


def test_yaml_works_without_its_compiled_half(copy: Path, tmp_path: Path) -> None:
    code = f"import sys; sys.path[:0] = [{str(copy)!r}]; import yaml, git; print(yaml.__with_libyaml__, yaml.__file__)"
    done = copies.run([sys.executable, "-I", "-c", code], cwd=tmp_path)
    assert done.out.startswith(f"False {copy}/yaml/"), done


# --- is it the right one? ---


def check(place: Path, *words: str) -> Done:
    """Run `unhaunt vendor --check`."""
    return unhaunt("vendor", "--check", place, *words, cwd=place.parent)


def rebuilt(place: Path, change: dict[str, bytes]) -> None:
    """Change members of the file, and make the list fit again: as somebody who means it would."""
    path = place / "unhaunt.pyz"
    found = archive.contents(path.read_bytes()) | change
    with zipfile.ZipFile(path, "w") as file:
        for name in sorted(found):
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.create_system, info.external_attr = 3, 0o100644 << 16
            file.writestr(info, found[name])
    listed = sums.listed((place / "SHA256SUMS").read_bytes())
    files = {name: (place / name).read_bytes() for name in listed}
    (place / "SHA256SUMS").write_bytes(sums.sums(files))


@pytest.fixture
def mine(copy: Path, tmp_path: Path) -> Path:
    """A copy that a test may change."""
    return Path(shutil.copytree(copy.parent, tmp_path / "mine"))


def test_a_copy_that_is_right(mine: Path) -> None:
    done = check(mine)
    assert done.code == 0, done
    assert done.out.startswith("unhaunt.pyz: the right bytes: unhaunt "), done


ALTERED = {
    "a row": ("rows/AGENTS.md", "rows/AGENTS.md: not the bytes that SHA256SUMS says\n"),
    "the file": ("unhaunt.pyz", "unhaunt.pyz: not the bytes that SHA256SUMS says\n"),
}


@pytest.mark.parametrize("name", ALTERED)
def test_a_copy_that_does_not_fit_its_list(name: str, mine: Path) -> None:
    path, expected = ALTERED[name]
    with (mine / path).open("ab") as file:
        file.write(b"x")
    done = check(mine)
    assert (done.code, expected in done.out) == (1, True), done


CHANGED = {
    "a source": ({"unhaunt/text.py": b"x = 1\n"}, "unhaunt/text.py is not what"),
    "bytecode": ({"unhaunt/text.pyc": b"x"}, "unhaunt/text.pyc is not what"),
    "one more": ({"sitecustomize.py": b""}, "sitecustomize.py is not what"),
    "the start": ({"__main__.py": b""}, "__main__.py is not what"),
    "older": ({"VERSIONS": b"unhaunt 0.0.9\nPyYAML 6.0\n"}, "unhaunt 0.0.9, here "),
    "newer": ({"VERSIONS": b"unhaunt 99.0\n"}, ": newer"),
    "no version": ({"VERSIONS": b"\xff"}, "does not say which version"),
}


@pytest.mark.parametrize("name", CHANGED)
def test_a_copy_whose_list_was_made_to_fit(name: str, mine: Path, copy: Path) -> None:
    change, expected = CHANGED[name]
    rebuilt(mine, change)
    listed, there = folder.copy(str(mine))
    assert listed == {name: sums.digest(data) for name, data in there.items()}
    answer = judge(listed, there, folder.copy(str(copy.parent))[1])
    assert (answer.exit_code, expected in answer.lines[0]) == (1, True), answer


def test_a_copy_with_something_before_the_zip(mine: Path) -> None:
    path = mine / "unhaunt.pyz"
    path.write_bytes(b"#!/bin/sh\n" + path.read_bytes())
    rebuilt_list = sums.sums(
        {n: (mine / n).read_bytes() for n in sums.listed((mine / "SHA256SUMS").read_bytes())}
    )
    (mine / "SHA256SUMS").write_bytes(rebuilt_list)
    done = check(mine)
    assert (done.code, done.out) == (1, "unhaunt.pyz: the right members, in other bytes\n")


def test_bytecode_of_another_python_is_not_checked(tmp_path: Path, copy: Path) -> None:
    copies.made(tmp_path / "other", by=[copies.other_python(), "-I", str(copy)])
    done = check(tmp_path / "other")
    assert done.code == 2, done
    assert "the right sources: unhaunt " in done.out
    assert "its bytecode was not checked: made by cpython-3" in done.out
    rebuilt(tmp_path / "other", {"unhaunt/text.py": b"x = 1\n"})
    assert check(tmp_path / "other").code == 1


def test_a_copy_without_bytecode(tmp_path: Path) -> None:
    copies.made(tmp_path / "bare", "--no-bytecode")
    assert check(tmp_path / "bare").code == 0


def test_a_copy_that_looks_at_itself_says_so(mine: Path) -> None:
    done = copies.run(
        [sys.executable, "-I", mine / "unhaunt.pyz", "vendor", "--check", mine], cwd=mine
    )
    assert done.code == 0, done
    assert "this copy looked at itself" in done.err


NO_COPY = {
    "nothing": {},
    "no list": {"unhaunt.pyz": "x"},
    "a list of others": {"SHA256SUMS": "x\n"},
}


@pytest.mark.parametrize("name", NO_COPY)
def test_what_is_no_copy_cannot_be_checked(name: str, tmp_path: Path) -> None:
    for file, text in NO_COPY[name].items():
        (tmp_path / file).write_text(text)
    done = check(tmp_path)
    assert (done.code, done.out) == (2, "")
    assert "holds no copy" in done.err


def test_a_list_that_leads_out_of_the_folder_is_not_followed() -> None:
    line = "0" * 64
    for name in ("../x", "/etc/passwd", "rows/../../x", "a/b", ".ssh", "rows/.x"):
        assert sums.listed(f"{line}  {name}\n".encode()) == {}, name
    assert sums.listed(f"{line}  rows/a.yml\n".encode()) == {"rows/a.yml": line}


@pytest.mark.parametrize("kind", ["compressed", "overlapping"])
def test_a_file_that_would_fill_the_memory(kind: str, mine: Path) -> None:
    path = mine / "unhaunt.pyz"
    how = zipfile.ZIP_DEFLATED if kind == "compressed" else zipfile.ZIP_STORED
    with zipfile.ZipFile(path, "w", how) as file:
        file.writestr("unhaunt/text.py", b"0" * 5000)
        if kind == "overlapping":
            (info,) = file.infolist()
            file.filelist += [info] * 9  # ten names for the same bytes
    done = check(mine)
    assert (done.code, done.out.count("unhaunt.pyz: not")) == (1, 2), done


def test_a_file_that_is_none(mine: Path) -> None:
    (mine / "unhaunt.pyz").unlink()
    os.mkfifo(mine / "unhaunt.pyz")
    for words in (["--check"], []):
        done = unhaunt("vendor", *words, mine, cwd=mine)
        assert (done.code, "unhaunt.pyz is not a file" in done.err) == (2, True), done


def test_rows_that_lie_elsewhere(mine: Path, tmp_path: Path) -> None:
    (mine / "rows").rename(tmp_path / "elsewhere")
    (mine / "rows").symlink_to(tmp_path / "elsewhere")
    for words in (["--check"], []):
        done = unhaunt("vendor", *words, mine, cwd=mine)
        assert (done.code, f"{mine}/rows leads out of the folder" in done.err) == (2, True), done


@pytest.mark.parametrize("name", ["unhaunt.pyz", "SHA256SUMS", "rows/AGENTS.md"])
def test_a_link_that_leads_out_of_the_folder_is_no_copy(
    name: str, mine: Path, tmp_path: Path
) -> None:
    (mine / name).rename(tmp_path / "away")
    (mine / name).symlink_to(tmp_path / "away")
    done = check(mine)
    assert (done.code, f"{name}: a link that leads out of the folder\n" in done.out) == (1, True)


def test_what_lies_beside_a_copy_is_named(mine: Path) -> None:
    for name in ("rows/evil.sh", "json.py", "baseline.json"):
        (mine / name).write_text("")
    (mine / "tool").mkdir()
    (mine / "unhaunt.pyz").rename(mine / "real.pyz")
    (mine / "unhaunt.pyz").symlink_to("real.pyz")
    done = check(mine)
    names = ("json.py", "real.pyz", "rows/evil.sh", "tool/")
    told = [f"{name}: not of the copy" for name in names]
    assert done.out.splitlines()[1:] == ["unhaunt.pyz: a link within the folder", *told]
    assert done.code == 0


def test_not_all_that_lies_beside_is_named(mine: Path) -> None:
    for number in range(7):
        (mine / f"x{number}").write_text("")
    done = check(mine)
    assert done.out.splitlines()[-1] == "and 2 more that are not of the copy"
    assert (done.code, len(done.out.splitlines())) == (0, 7)


def test_a_file_that_is_no_zip() -> None:
    answer = judge({}, {"unhaunt.pyz": b"x"}, {"unhaunt.pyz": archive.build({}, {})})
    assert answer.exit_code == 1
    assert "not a file of unhaunt" in answer.lines[0]


# --- writing ---


def test_an_earlier_copy_is_replaced_and_others_stay(mine: Path) -> None:
    (mine / "baseline.json").write_text("{}")
    (mine / "rows" / "old.yml").write_text("old")
    files = {n: (mine / n).read_bytes() for n in sums.listed((mine / "SHA256SUMS").read_bytes())}
    files["rows/old.yml"] = b"old"
    files["unhaunt.pyz"] = b"old"
    (mine / "unhaunt.pyz").write_bytes(b"old")
    (mine / "SHA256SUMS").write_bytes(sums.sums(files))
    copies.made(mine)
    assert check(mine).code == 0
    assert (mine / "baseline.json").read_text() == "{}"
    assert not (mine / "rows" / "old.yml").exists()
    assert [p.name for p in mine.rglob("*.part")] == []


@pytest.mark.parametrize("name", ["unhaunt.pyz", "rows/AGENTS.md", "SHA256SUMS"])
def test_a_file_of_the_users_is_in_the_way(name: str, tmp_path: Path) -> None:
    path = tmp_path / "to" / name
    path.parent.mkdir(parents=True)
    path.write_text("mine")
    done = unhaunt("vendor", "to", cwd=tmp_path)
    assert (done.code, done.out) == (2, "")
    assert f"hint: mv {path} {path}.old" in done.err
    assert [p for p in (tmp_path / "to").rglob("*") if p.is_file()] == [path]
    assert path.read_text() == "mine"


def test_an_edited_row_is_in_the_way(mine: Path) -> None:
    (mine / "rows" / "AGENTS.md").write_text("edited")
    done = unhaunt("vendor", mine, cwd=mine)
    assert (done.code, (mine / "rows" / "AGENTS.md").read_text()) == (2, "edited"), done


def test_folders_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for name in ("file", "file/below", "/proc/none"):
        done = unhaunt("vendor", name, cwd=tmp_path)
        assert done.code == 2, done
        assert done.err.startswith("error: "), done


def test_a_folder_that_is_gone(tmp_path: Path) -> None:
    script = f"mkdir gone; cd gone; rmdir ../gone; {sys.executable} -I -m unhaunt vendor to"
    done = copies.run(["sh", "-c", script], cwd=tmp_path, env={"PATH": os.defpath})
    assert (done.code, done.err[:38]) == (2, "error: the current directory is gone\nh"), done


def test_a_dependency_is_taken_only_as_it_was_installed(tmp_path: Path) -> None:
    python = copies.clone_of_site(sys.executable, tmp_path / "env")
    (site,) = (tmp_path / "env").glob("lib/python3*/site-packages")
    words = [str(python), "-I", "-m", "unhaunt", "vendor", str(tmp_path / "to")]
    assert copies.run(words, cwd=tmp_path).code == 0
    with (site / "yaml" / "loader.py").open("a") as file:
        file.write("import os\n")
    done = copies.run(words, cwd=tmp_path)
    assert done.code == 2, done
    assert "yaml/loader.py is not as PyYAML installed it" in done.err
    shutil.rmtree(next(site.glob("smmap-*.dist-info")))
    done = copies.run(words, cwd=tmp_path)
    assert (done.code, "smmap is not installed for this Python" in done.err) == (2, True), done


def test_the_rows_are_package_data() -> None:
    place = ROOT / "src/unhaunt/vendoring/rows"
    assert {f"rows/{p.name}": p.read_bytes() for p in place.iterdir()} == rows(members())


def test_what_is_installed_from_a_wheel_makes_the_same(copy: Path, tmp_path: Path) -> None:
    build = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "-q",
        "--no-deps",
        "-w",
        str(tmp_path),
        str(ROOT),
    ]
    subprocess.run(build, check=True, env=interpreters.ORIGINAL)
    python = copies.clone_of_site(sys.executable, tmp_path / "env")
    (site,) = (tmp_path / "env").glob("lib/python3*/site-packages")
    for path in (*site.glob("unhaunt*.dist-info"), site / "unhaunt.pth"):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    with zipfile.ZipFile(next(tmp_path.glob("*.whl"))) as wheel:
        wheel.extractall(site)
    made = copies.made(tmp_path / "to", by=[str(python), "-I", "-m", "unhaunt"])
    assert (site / "unhaunt" / "cli.py").exists()
    assert made.read_bytes() == copy.read_bytes()
