"""`unhaunt fingerprint`, whole: cases from real reports, each a row; what it does in trouble."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests import interpreters
from tests.commandline import Done, environment, unhaunt
from tests.test_interpreter import site_packages, user_site
from tests.test_story import git
from unhaunt.interpreters.preflight import Target
from unhaunt.interpreters.taking import Order, of_interpreter

PROMISED = {
    "": "schema digest interpreter environment process path startup hooks loaded_before_main distributions repository profiles unknown noise",
    "interpreter": "executable realpath version implementation prefix base_prefix in_venv flags",
    "process": "cwd argv how",
    "startup": "modules pth start user_site",
    "hooks": "meta_path path_hooks",
    "repository": "toplevel head branch dirty worktree",
}
#: one whose interpreter is quick to start, and that is no environment
PYTHON = interpreters.at_least(3, 13)
VERSION = next(v for v, p in interpreters.supported().items() if p == PYTHON)


def taken(
    tmp_path: Path, *words: str, cwd: Any = None, python: str = PYTHON, **variables: str
) -> Done:
    """Take a quick fingerprint as JSON."""
    variables.setdefault("PATH", os.defpath)
    env = environment(tmp_path, **variables)
    asked = ("fingerprint", "--quick", "--format", "json", "--python", python)
    return unhaunt(*asked, *words, cwd=cwd or tmp_path, env=env)


def notes(done: Done) -> str:
    return "\n".join(done.json["surroundings"]["notes"])


def test_every_promised_key_is_there(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    (tmp_path / "a.py").write_text("")
    git(tmp_path, "add", "a.py")
    git(tmp_path, "commit", "-qm", "x")
    facts = taken(tmp_path).json
    assert facts["schema"] == "unhaunt.fingerprint/1"
    assert re.fullmatch("sha256:[0-9a-f]{64}", facts["digest"])
    for name, keys in PROMISED.items():
        assert set(keys.split()) <= (facts[name] if name else facts).keys(), name
    assert {"entry", "exists", "because", "in_repository"} <= facts["path"][0].keys()
    assert facts["repository"]["branch"] == "main"
    assert (
        facts["repository"]["head"]
        == unhaunt(
            "fingerprint",
            "--format",
            "json",
            "--python",
            PYTHON,
            cwd=tmp_path,
            env=environment(tmp_path),
        ).json["repository"]["head"]
    )


def test_startup_code_is_told_with_owner_hash_and_what_it_imports(tmp_path: Path) -> None:
    made = interpreters.venv(PYTHON, tmp_path / "v")
    site = site_packages(made)
    (site / "helper.py").write_text("x = 1\n")
    (site / "evil.pth").write_text("# hello\nimport helper\n")
    (site / "owned.pth").write_text("import helper\n")
    (site / "changed.pth").write_text("import helper\n")
    info = site / "dist-1.0.dist-info"
    info.mkdir()
    good = "sha256=" + __import__("base64").urlsafe_b64encode(
        hashlib.sha256(b"import helper\n").digest()
    ).decode().rstrip("=")
    (info / "RECORD").write_text(f"owned.pth,{good},14\nchanged.pth,sha256=AAAA,14\nhelper.py,,\n")
    done = taken(tmp_path, python=str(made))
    rows = {os.path.basename(row["path"]): row for row in done.json["startup"]["pth"]}
    assert rows["evil.pth"]["owner"] is None
    assert rows["evil.pth"]["sha256"] == hashlib.sha256(b"# hello\nimport helper\n").hexdigest()
    (line,) = rows["evil.pth"]["lines"]
    assert (line["line"], line["kind"], line["text"]) == (2, "exec", "import helper")
    assert line["imports"] == [
        {
            "module": "helper",
            "origin": str(site / "helper.py"),
            "sha256": hashlib.sha256(b"x = 1\n").hexdigest(),
        }
    ]
    assert rows["owned.pth"]["owner"] == {"name": "dist", "version": "1.0", "state": "unmodified"}
    assert rows["changed.pth"]["owner"]["state"] == "modified"


def test_a_stranger_in_the_standard_library_is_found(tmp_path: Path) -> None:
    from unhaunt.interpreters.tampering import foreign_names

    for name in ("os.py", "json", "lib-dynload", "__pycache__", "colours.py", "LICENSE.txt"):
        (tmp_path / name).mkdir() if "." not in name else (tmp_path / name).write_text("")
    assert [one.path for one in foreign_names(str(tmp_path), "3.12.1")] == [
        str(tmp_path / "colours.py")
    ]
    for version, python in interpreters.supported().items():
        stdlib = subprocess.run(
            [python, "-ISc", "import os; print(os.path.dirname(os.__file__))"],
            capture_output=True,
            text=True,
            check=True,
        )
        assert list(foreign_names(stdlib.stdout.strip(), version)) == []


def test_a_patched_dependency_is_seen_and_quick_does_not_look(tmp_path: Path) -> None:
    made = interpreters.venv(PYTHON, tmp_path / "v")
    site = site_packages(made)
    (site / "dep.py").write_text("x = 1\n")
    (site / "gone-2.dist-info").mkdir()
    (site / "dep-1.0.dist-info").mkdir()
    right = (
        __import__("base64")
        .urlsafe_b64encode(hashlib.sha256(b"x = 1\n").digest())
        .decode()
        .rstrip("=")
    )
    (site / "dep-1.0.dist-info" / "RECORD").write_text(
        f"dep.py,sha256={right},6\ndep-1.0.dist-info/RECORD,,\n"
    )

    def states() -> dict[str, tuple[str, list[str]]]:
        asked = ("fingerprint", "--derived", "--format", "json", "--python", str(made))
        rows = unhaunt(*asked, cwd=tmp_path, env=environment(tmp_path)).json["distributions"]
        return {row["name"]: (row["state"], row.get("files", [])) for row in rows}

    assert states() == {"dep": ("unmodified", []), "gone": ("unverifiable", [])}
    before = taken(tmp_path, python=str(made)).json
    (site / "dep.py").write_text("x = 2\n")
    assert states()["dep"] == ("modified", ["dep.py"])
    assert {row["state"] for row in before["distributions"]} == {"not checked"}


ENDINGS = {
    "exits": ("raise SystemExit(3)", "interpreter does not start: init_import_site"),
    "ends": ("import os; os._exit(3)", "interpreter does not start: exit code 3"),
    "ends and looks fine": (
        "import os; os._exit(0)",
        "interpreter ended before it could answer",
    ),
    "hangs": ("import time; time.sleep(600)", "no answer in 3 seconds"),
}


NO_INTERPRETER = {
    "nothing of that name": ("no-such-python", "no Python called no-such-python"),
    "a folder without one": ("empty", "no Python called"),
    "a script": ("script", "is a script, not an interpreter"),
    "no program at all": ("data", "cannot be executed"),
}


class TestTrouble:
    """An interpreter that does not start: what could be learnt is told, and the code is 2."""

    @pytest.mark.parametrize(("code", "words"), ENDINGS.values(), ids=ENDINGS)
    def test_sitecustomize(self, code: str, words: str, tmp_path: Path) -> None:
        hooks = tmp_path / "hooks"
        hooks.mkdir()
        file = hooks / "sitecustomize.py"
        file.write_text(code)
        start = time.monotonic()
        done = taken(tmp_path, "--timeout", "3", PYTHONPATH="hooks")
        assert done.code == 2
        assert time.monotonic() - start < 20
        assert {"fact": "as-run"}.items() <= done.json["unknown"][0].items()
        assert words in done.json["unknown"][0]["reason"]
        assert words in done.err
        (row, *_) = done.json["startup"]["modules"]
        assert (row["path"], row["sha256"]) == (
            str(file),
            hashlib.sha256(code.encode()).hexdigest(),
        )
        assert done.json["digest"]

    def test_a_banner_does_not_stop_it_and_is_kept(self, tmp_path: Path) -> None:
        (tmp_path / "sitecustomize.py").write_text("import measuretool\n")
        done = taken(tmp_path, PYTHONPATH=".")
        assert done.code == 0
        assert "Error in sitecustomize; set PYTHONVERBOSE for traceback:\n" in done.json["noise"]
        assert "No module named 'measuretool'" in done.json["noise"]

    def test_a_wrong_pythonhome(self, tmp_path: Path) -> None:
        done = taken(tmp_path, PYTHONHOME="/opt/old/python27")
        assert done.code == 2
        assert "interpreter does not start" in done.err
        assert "unset PYTHONHOME" in notes(done)

    def test_a_fifo_is_found_and_nothing_hangs(self, tmp_path: Path) -> None:
        made = interpreters.venv(PYTHON, tmp_path / "v")
        os.mkfifo(site_packages(made) / "x.pth")
        start = time.monotonic()
        done = taken(tmp_path, python=str(made))
        assert done.code == 2
        assert time.monotonic() - start < 15
        assert "x.pth is not a regular file: this Python hangs at its start" in done.err

    @pytest.mark.parametrize("version", interpreters.others())
    def test_an_interpreter_that_is_too_old(self, version: str, tmp_path: Path) -> None:
        done = taken(tmp_path, python=interpreters.everything()[version])
        assert done.code == 2
        assert "needs CPython 3.8 or newer" in done.err
        told = done.json["interpreter"]
        assert f"{told['implementation']} {told['version']}" == version
        assert taken(
            tmp_path, "--format", "text", python=interpreters.everything()[version]
        ).out.startswith("cpython")

    @pytest.mark.parametrize(("python", "words"), NO_INTERPRETER.values(), ids=NO_INTERPRETER)
    def test_what_is_no_interpreter(self, python: str, words: str, tmp_path: Path) -> None:
        (tmp_path / "script").write_text("#!/bin/sh\n")
        (tmp_path / "script").chmod(0o755)
        (tmp_path / "data").write_text("x")
        (tmp_path / "empty").mkdir()
        name = str(tmp_path / python) if python in ("script", "data", "empty") else python
        done = taken(tmp_path, python=name)
        assert (done.code, done.out) == (2, "")
        assert words in done.err

    def test_a_program_that_is_another_one(self, tmp_path: Path) -> None:
        done = taken(tmp_path, python=interpreters.have("ls"))
        assert done.code == 2
        assert done.json["digest"] is None

    def test_a_folder_that_is_gone(self, tmp_path: Path) -> None:
        done = unhaunt("fingerprint", "-C", "missing", cwd=tmp_path, env=environment(tmp_path))
        assert done.code == 2


class TestNotes:
    """What is not as it seems, in words: cases of kind fingerprint."""

    def test_a_user_site_that_zero_does_not_switch_off(self, tmp_path: Path) -> None:
        user_site(tmp_path, VERSION)
        done = taken(tmp_path, PYTHONNOUSERSITE="0")
        assert done.json["environment"]["PYTHONNOUSERSITE"] == "0"
        assert done.json["startup"]["user_site"]["enabled"] is True
        assert done.json["interpreter"]["flags"]["no_user_site"] == 0
        assert "PYTHONNOUSERSITE=0 does not disable the user site" in notes(done)

    def test_virtual_env_lies(self, tmp_path: Path) -> None:
        done = taken(tmp_path, VIRTUAL_ENV="/home/dev/p/.venv")
        assert done.json["interpreter"]["in_venv"] is False
        assert "VIRTUAL_ENV=/home/dev/p/.venv is set but not in use" in notes(done)

    def test_a_venv_keeps_pythonpath(self, tmp_path: Path) -> None:
        made = interpreters.venv(PYTHON, tmp_path / "v")
        assert "PYTHONPATH entries come before this venv" in notes(
            taken(tmp_path, python=str(made), PYTHONPATH="/usr/lib")
        )

    def test_pythonexecutable_and_the_launcher_are_flagged(self, tmp_path: Path) -> None:
        # In this process: both variables would reach ours through -I as well.
        lies = {"PYTHONEXECUTABLE": "/opt/x/python", "__PYVENV_LAUNCHER__": "/opt/y/python"}
        secrets = {"PIP_TOKEN": "s3cret", "UV_INDEX_URL": "https://u:p@h/"}
        env = {**environment(tmp_path), **lies, **secrets}
        order = Order(env, str(tmp_path), quick=True, derive_only=True)
        facts = of_interpreter(Target(PYTHON, "given"), order).facts
        text = "\n".join(facts["surroundings"]["notes"])
        for name, value in lies.items():
            assert f"{name}={value} is set" in text
            assert facts["environment"][name] == value
        assert "s3cret" not in json.dumps(facts)
        assert facts["environment"]["UV_INDEX_URL"] == "https://<hidden>@h/"

    def test_a_table_of_pythons_and_a_warning_when_they_differ(self, tmp_path: Path) -> None:
        other = tmp_path / "bin"
        other.mkdir()
        (other / "python").symlink_to(
            interpreters.supported()[next(iter(interpreters.supported()))]
        )
        (other / "python3").symlink_to(PYTHON)
        done = taken(tmp_path, PATH=f"{other}{os.pathsep}{os.defpath}")
        assert {"python", "python3"} <= {row["name"] for row in done.json["surroundings"]["tools"]}
        assert "not one Python" in notes(done)

    def test_a_pyenv_shim_is_seen_through(self, tmp_path: Path) -> None:
        root = tmp_path / "pyenv"
        (root / "shims").mkdir(parents=True)
        (root / "versions/9.9.9/bin").mkdir(parents=True)
        (root / "versions/9.9.9/bin/python").symlink_to(PYTHON)
        shim = root / "shims/python"
        shim.write_text(f'#!/usr/bin/env bash\nexec "{root}/libexec/pyenv" exec python "$@"\n')
        shim.chmod(0o755)
        (tmp_path / "project").mkdir()
        (tmp_path / "project/.python-version").write_text("9.9.9\n")
        path = f"{root}/shims{os.pathsep}{os.defpath}"
        done = taken(
            tmp_path, cwd=tmp_path / "project", python="python", PATH=path, PYENV_ROOT=str(root)
        )
        assert done.code == 0, done.err
        assert done.json["interpreter"]["realpath"] == os.path.realpath(PYTHON)
        assert f"version 9.9.9 chosen by {tmp_path}/project/.python-version:1" in notes(done)

    def test_pytest_that_belongs_to_another_python(self, tmp_path: Path) -> None:
        made = interpreters.venv(PYTHON, tmp_path / "v")
        tools = tmp_path / "tools"
        tools.mkdir()
        (tools / "pytest").write_text("#!/usr/bin/python3\n")
        (tools / "pytest").chmod(0o755)
        done = taken(
            tmp_path,
            python=str(made),
            PATH=f"{tools}{os.pathsep}{os.defpath}",
            VIRTUAL_ENV=str(made.parent.parent),
        )
        assert (
            f"pytest on PATH runs under /usr/bin/python3, not under {made.parent.parent}; use python -m pytest"
            in notes(done)
        )

    def test_user_scripts_before_the_environments(self, tmp_path: Path) -> None:
        made = interpreters.venv(PYTHON, tmp_path / "v")
        user = tmp_path / ".local/bin"
        user.mkdir(parents=True)
        (user / "pytest").write_text("#!/usr/bin/python3\n")
        (user / "pytest").chmod(0o755)
        done = taken(
            tmp_path,
            python=str(made),
            PATH=f"{user}{os.pathsep}{made.parent}{os.pathsep}{os.defpath}",
        )
        assert f"user scripts dir {user} precedes venv bin on PATH: pytest" in notes(done)

    def test_conda_with_a_pyvenv_cfg(self, tmp_path: Path) -> None:
        made = interpreters.venv(PYTHON, tmp_path / "c")
        (tmp_path / "c/conda-meta").mkdir()
        (tmp_path / "c/conda-meta/state").write_text(
            '{"env_vars": {"PYTHONPATH": "/x", "OTHER": "***unset***"}}'
        )
        (tmp_path / "c/etc/conda/activate.d").mkdir(parents=True)
        (tmp_path / "c/etc/conda/activate.d/x.sh").write_text("export PYTHONHOME=/y\n")
        done = taken(tmp_path, python=str(made), CONDA_PREFIX=str(tmp_path / "c"))
        text = notes(done)
        assert "conda (with pyvenv.cfg: user site off)" in text
        assert "half-made" not in text
        assert "conda-meta/state sets PYTHONPATH" in text
        assert "x.sh sets PYTHONHOME" in text

    def test_a_pyvenv_cfg_that_is_not_right(self, tmp_path: Path) -> None:
        made = interpreters.venv(PYTHON, tmp_path / "v")
        config = tmp_path / "v/pyvenv.cfg"
        config.write_text(f"home = {Path(PYTHON).parent}\nversion = 3.1.0\nversion = 3.1.0\n")
        text = notes(taken(tmp_path, python=str(made)))
        assert "lacks include-system-site-packages" in text
        assert "has version more than once" in text
        assert "is for 3.1.0" in text

    def test_a_pth_beside_the_executable_is_a_hazard(self, tmp_path: Path) -> None:
        made = interpreters.venv(PYTHON, tmp_path / "v")
        (made.parent / "python._pth").write_text("import site\n")
        done = taken(tmp_path, "--derived", python=str(made))
        assert done.code == 2
        assert [row["path"] for row in done.json["surroundings"]["hazards"]] == [
            str(made.parent / "python._pth")
        ]

    def test_pips_own_build_isolation(self, tmp_path: Path) -> None:
        place = tmp_path / "pip-build-env-ab12/site"
        place.mkdir(parents=True)
        (place / "sitecustomize.py").write_text("")
        assert "pip build isolation (expected, temporary)" in notes(
            taken(tmp_path, PYTHONPATH=str(place))
        )

    def test_a_shell_profile_is_named_and_not_sourced(self, tmp_path: Path) -> None:
        (tmp_path / ".bashrc").write_text(f"touch {tmp_path}/ran\nexport PYTHONPATH=/old\n")
        done = taken(tmp_path)
        assert done.json["profiles"] == [
            {"path": str(tmp_path / ".bashrc"), "line": 2, "sets": "PYTHONPATH"}
        ]
        assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    "version",
    [v for v in interpreters.supported() if interpreters.supported()[v].startswith("/usr/bin")],
)
def test_a_distributors_own_startup_code_wins_and_is_known(version: str, tmp_path: Path) -> None:
    (user_site(tmp_path, version) / "sitecustomize.py").write_text("")
    python = interpreters.supported()[version]
    rows = [
        r
        for r in taken(tmp_path, python=python).json["startup"]["modules"]
        if r["module"] == "sitecustomize"
    ]
    if len(rows) == 2:
        assert (rows[0]["state"], rows[1]["state"]) == ("loaded", "shadowed")
        assert rows[0]["owner"]["name"].startswith("dpkg:")


CHANGES: dict[str, dict[str, str]] = {
    "PYTHONPATH": {"PYTHONPATH": "/"},
    "PYTHONOPTIMIZE": {"PYTHONOPTIMIZE": "1"},
    "PYTHONHASHSEED": {"PYTHONHASHSEED": "1"},
    "PYTEST_ADDOPTS": {"PYTEST_ADDOPTS": "-x"},
}


SAME: dict[str, dict[str, str]] = {
    "an empty PYTHONPATH": {"PYTHONPATH": ""},
    "a variable without effect": {"PYTHONUNBUFFERED": "1"},
    "a PYTHONPATH that does not exist is on the path, and its own fact": {},
}


class TestDigest:
    """The same for two boxes that would behave the same; another one for what matters."""

    def test_it_holds_in_another_folder(self, tmp_path: Path) -> None:
        digests = set()
        for name in ("one", "two/deep"):
            repo = tmp_path / name / "repo"
            repo.mkdir(parents=True)
            git(repo, "init", "-q")
            made = interpreters.venv(PYTHON, tmp_path / name / "env")
            (repo / "src").mkdir()
            (site_packages(made) / "x.pth").write_text(f"{repo}/src\n")
            home = tmp_path / name / "home"
            home.mkdir()
            env = environment(home, PYTHONPATH=str(repo / "src"))
            done = unhaunt(
                "fingerprint", "--quick", "--format", "json", "--python", made, cwd=repo, env=env
            )
            digests.add(done.json["digest"])
        assert len(digests) == 1

    @pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
    def test_it_changes_with_what_changes_a_run(
        self, change: dict[str, str], tmp_path: Path
    ) -> None:
        assert taken(tmp_path).json["digest"] != taken(tmp_path, **change).json["digest"]

    @pytest.mark.parametrize("change", SAME.values(), ids=SAME)
    def test_it_stays_with_what_does_not(self, change: dict[str, str], tmp_path: Path) -> None:
        assert taken(tmp_path).json["digest"] == taken(tmp_path, **change).json["digest"]


def test_redaction_leaves_no_name_and_no_home(tmp_path: Path) -> None:
    home = tmp_path / "home" / "janedoe"
    (user_site(home, VERSION) / "sitecustomize.py").write_text("")
    env = environment(home, PYTHONPATH=f"{home}/x:/home/otheruser/y")
    done = unhaunt(
        "fingerprint",
        "--quick",
        "--redact",
        "--format",
        "json",
        "--python",
        PYTHON,
        cwd=home,
        env=env,
    )
    assert done.code == 0, done.err
    assert "janedoe" not in done.out
    assert "otheruser" not in done.out
    assert done.json["process"]["cwd"].startswith("<home>")


@pytest.mark.parametrize("form", ["text", "json", "markdown"])
def test_hostile_names_are_escaped_in_every_format(form: str, tmp_path: Path) -> None:
    name = "x\x1b[31m\u202e`\n"
    (tmp_path / name).mkdir()
    (tmp_path / name / "sitecustomize.py").write_text("")
    done = taken(tmp_path, "--format", form, PYTHONPATH=str(tmp_path / name))
    assert done.code == 0
    assert "\x1b" not in done.out
    assert "\u202e" not in done.out


def test_an_answer_goes_to_a_file_and_stdout_stays_empty(tmp_path: Path) -> None:
    done = taken(tmp_path, "--output", str(tmp_path / "fp.json"))
    assert (done.code, done.out) == (0, "")
    facts: Any = json.loads((tmp_path / "fp.json").read_text())
    assert facts["schema"] == "unhaunt.fingerprint/1"
    assert taken(tmp_path, "--output", str(tmp_path / "no/such/fp.json")).code == 2


def test_the_probe_is_printed_as_it_is(tmp_path: Path) -> None:
    from unhaunt.interpreters.interpreter import PROBE

    done = unhaunt("fingerprint", "--print-probe", cwd=tmp_path, env=environment(tmp_path))
    assert done.out == Path(PROBE).read_text()


def test_stdout_is_utf8_whatever_the_locale(tmp_path: Path) -> None:
    (tmp_path / "é").mkdir()
    env = {**environment(tmp_path, PYTHONPATH=str(tmp_path / "é")), "LANG": "C", "LC_ALL": "POSIX"}
    done = unhaunt("fingerprint", "--quick", "--python", sys.executable, cwd=tmp_path, env=env)
    assert done.code == 0


def test_a_record_that_is_a_fifo_does_not_hang(tmp_path: Path) -> None:
    python = interpreters.venv(sys.executable, tmp_path / "env")
    site = next((tmp_path / "env").glob("lib/python*/site-packages"))
    for name in ("a-1.dist-info", "b-1.dist-info"):
        (site / name).mkdir()
        (site / name / "METADATA").write_text("")
    os.mkfifo(site / "a-1.dist-info" / "RECORD")
    os.mkfifo(site / "b.py")
    (site / "b-1.dist-info" / "RECORD").write_text("b.py,sha256=abc,3\n")
    (site / "x.pth").write_text("import a\n")
    words = ("fingerprint", "--derived", "--format", "json", "--python", python)
    done = unhaunt(*words, cwd=tmp_path, env=environment(tmp_path))
    states = {row["name"]: row["state"] for row in done.json["distributions"]}
    assert (states["a"], states["b"]) == ("unverifiable", "modified")


def test_a_pyvenv_cfg_that_is_a_fifo_is_seen_before_anything_is_started(tmp_path: Path) -> None:
    python = interpreters.venv(sys.executable, tmp_path / "env")
    (tmp_path / "env/pyvenv.cfg").unlink()
    os.mkfifo(tmp_path / "env/pyvenv.cfg")
    env = environment(tmp_path)
    start = time.monotonic()
    for words in (["fingerprint", "--format", "json"], ["where", "json"]):
        done = unhaunt(*words, "--python", python, cwd=tmp_path, env=env)
        assert done.code == 2
        assert "pyvenv.cfg is not a regular file" in done.err
    done = unhaunt("fingerprint", "--", python, "-c", "pass", cwd=tmp_path, env=env)
    assert (done.code, "pyvenv.cfg is not a regular file" in done.err) == (2, True)
    assert time.monotonic() - start < 15  # each start would have taken its whole time limit


@pytest.mark.skipif(not os.path.exists("/proc/self/environ"), reason="Python keeps it to itself")
def test_a_launcher_that_python_obeys_and_removes_is_recorded(tmp_path: Path) -> None:
    env = environment(tmp_path, __PYVENV_LAUNCHER__=sys.executable)
    asked = ("fingerprint", "--quick", "--format", "json")
    for words in (["--python", sys.executable], ["--", sys.executable, "-c", "pass"]):
        done = unhaunt(*asked, *words, cwd=tmp_path, env=env)
        assert done.json["environment"]["__PYVENV_LAUNCHER__"] == sys.executable
        assert "__PYVENV_LAUNCHER__ is set, and Python obeys it even with -I" in done.err
    code = "import sys; f = open('/proc/self/environ'); sys.exit('__PYVENV_LAUNCHER__' in f.read())"
    done = unhaunt(*asked, "--", sys.executable, "-c", code, cwd=tmp_path, env=env)
    assert done.json["process"]["exit_code"] == 1  # the command itself is started with it
