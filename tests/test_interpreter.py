"""What is derived equals what really starts, runs nothing, and survives what does not start."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import textwrap
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests import commandline, interpreters
from tests.commandline import unhaunt
from tests.repository import Repository
from unhaunt.fingerprints.because import reasons
from unhaunt.interpreters.interpreter import as_run, derived

TRUTH = """
import json, site, sys
print("\\nTRUTH", json.dumps([sys.path[1:], sys.prefix, bool(site.ENABLE_USER_SITE)]))
"""


class Start(NamedTuple):
    """A Python, and the environment and folder that a user starts it in."""

    python: str
    env: dict[str, str]
    cwd: Path


def site_packages(python: Path | str) -> Path:
    """Return the site-packages of an environment."""
    return next(Path(python).parent.parent.glob("lib/python*/site-packages"))


def user_site(home: Path, version: str) -> Path:
    """Make the user site of a version."""
    folder = home / ".local" / "lib" / f"python{'.'.join(version.split('.')[:2])}" / "site-packages"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def plain(python: str, version: str, place: Path) -> Start:
    return Start(python, {}, place)


def with_pythonpath(python: str, version: str, place: Path) -> Start:
    for name in ("there", "also"):
        (place / name).mkdir()
    elements = [
        "there",
        "",
        str(place / "also"),
        "missing",
        "there",
        ".",
        "~/x",
        f"{place}/also/../also",
    ]
    return Start(python, {"PYTHONPATH": os.pathsep.join(elements)}, place)


def with_a_zip(python: str, version: str, place: Path) -> Start:
    with zipfile.ZipFile(place / "app.zip", "w") as file:
        file.writestr("inside/thing.py", "")
    return Start(python, {"PYTHONPATH": f"app.zip{os.pathsep}app.zip/inside"}, place)


def with_user_site(python: str, version: str, place: Path) -> Start:
    folder = user_site(place / "home", version)
    (place / "extra").mkdir()
    (folder / "x.pth").write_text(f"{place / 'extra'}\n# a comment\n\nnot there\n")
    return Start(python, {}, place)


def without_user_site(python: str, version: str, place: Path) -> Start:
    with_user_site(python, version, place)
    return Start(python, {"PYTHONNOUSERSITE": "1"}, place)


def user_site_that_zero_does_not_switch_off(python: str, version: str, place: Path) -> Start:
    with_user_site(python, version, place)
    return Start(python, {"PYTHONNOUSERSITE": "0"}, place)


def with_a_user_base(python: str, version: str, place: Path) -> Start:
    minor = ".".join(version.split(".")[:2])
    (place / "base" / "lib" / f"python{minor}" / "site-packages").mkdir(parents=True)
    return Start(python, {"PYTHONUSERBASE": str(place / "base")}, place)


def in_venv(python: str, version: str, place: Path) -> Start:
    return Start(str(interpreters.venv(python, place / "v")), {}, place)


def in_open_venv(python: str, version: str, place: Path) -> Start:
    user_site(place / "home", version)
    return Start(str(interpreters.venv(python, place / "v", "--system-site-packages")), {}, place)


def with_every_sort_of_pth(python: str, version: str, place: Path) -> Start:
    made = interpreters.venv(python, place / "v")
    site = site_packages(made)
    for name in ("src", "relative", "chained", "blank", "hidden", "late"):
        (place / name).mkdir()
    (place / "chained" / "never.pth").write_text("/\n")
    (site / "a.pth").write_bytes(
        f"{place}/src\r\n../../../../relative\r\n  {place}/blank\n".encode()
    )
    (site / "b.pth").write_bytes(b"\xef\xbb\xbf" + f"{place}/chained\n{place}/missing\n".encode())
    (site / ".c.pth").write_text(f"{place}/hidden\n")
    (site / "d.pth").write_text(f"# note\x0c{place}/late\n{place}/src\n")
    (site / "e.PTH").write_text("/\n")
    (site / "f.pth").mkdir()
    return Start(str(made), {}, place)


def with_literal_addsitedir(python: str, version: str, place: Path) -> Start:
    made = interpreters.venv(python, place / "v")
    (place / "overlay").mkdir()
    (place / "deeper").mkdir()
    (place / "overlay" / "x.pth").write_text(f"{place}/deeper\n")
    (site_packages(made) / "_uv_ephemeral_overlay.pth").write_text(
        f'import site; site.addsitedir("{place}/overlay")'
    )
    return Start(str(made), {}, place)


def with_namespace_pth(python: str, version: str, place: Path) -> Start:
    made = interpreters.venv(python, place / "v")
    (site_packages(made) / "mpl-nspkg.pth").write_text(
        "import sys, types, os;p = os.path.join(sys._getframe(1).f_locals['sitedir'], *('mpl',));"
        "m = sys.modules.setdefault('mpl', types.ModuleType('mpl'));mp = (m or []) and"
        " m.__dict__.setdefault('__path__',[]);(p not in mp) and mp.append(p)\n"
    )
    return Start(str(made), {}, place)


STARTS: dict[str, Callable[[str, str, Path], Start]] = {
    "a bare interpreter": plain,
    "PYTHONPATH with odd elements": with_pythonpath,
    "a zip on PYTHONPATH": with_a_zip,
    "a user site with a .pth": with_user_site,
    "a user site that is off": without_user_site,
    "PYTHONNOUSERSITE=0, which is not off": user_site_that_zero_does_not_switch_off,
    "PYTHONUSERBASE": with_a_user_base,
    "an environment": in_venv,
    "an environment with the system's packages": in_open_venv,
    "every sort of .pth": with_every_sort_of_pth,
    "an overlay through site.addsitedir": with_literal_addsitedir,
    "a namespace package's .pth": with_namespace_pth,
}


def environment(start: Start, place: Path) -> dict[str, str]:
    """Return the user's environment."""
    return {"HOME": str(place / "home"), "LANG": "C.UTF-8", "PATH": os.defpath, **start.env}


def really(start: Start, env: dict[str, str], place: Path) -> Any:
    """Start a Python as a user does, and let it say what it has."""
    script = place / "outside" / "truth.py"
    script.parent.mkdir(exist_ok=True)
    script.write_text(TRUTH)
    done = subprocess.run(
        [start.python, "-B", script],
        env=env,
        cwd=start.cwd,
        capture_output=True,
        text=True,
        check=False,
    )
    return json.loads(done.stdout.rpartition("\nTRUTH ")[2])


@pytest.mark.parametrize("version", interpreters.supported())
@pytest.mark.parametrize("sentence", STARTS)
def test_the_derived_start_equals_the_real_one(sentence: str, version: str, tmp_path: Path) -> None:
    start = STARTS[sentence](interpreters.supported()[version], version, tmp_path)
    env = environment(start, tmp_path)
    answer = derived(start.python, env, str(start.cwd))
    assert answer.facts is not None, answer
    assert answer.facts["unknown"] == []
    path, prefix, enabled = really(start, env, tmp_path)
    assert [row["entry"] for row in answer.facts["path"]] == path
    assert answer.facts["startup"]["user_site"]["enabled"] == enabled
    own = as_run(start.python, env, str(start.cwd))
    assert own.facts is not None
    assert [row["entry"] for row in own.facts["path"]] == path
    assert own.facts["interpreter"]["prefix"] == prefix == answer.facts["interpreter"]["prefix"]
    rows = reasons(answer.facts, answer.facts, None)
    assert not [row for row in rows if row["because"] == "nothing explains it"]


MARK = "open({marker!r}, 'a').write('ran')\n"


def hostile(python: str, version: str, place: Path) -> Start:
    """Put code wherever a start could run it."""
    made = interpreters.venv(python, place / "v", "--system-site-packages")
    marker = str(place / "marker")
    line = f"import os; open({marker!r}, 'a').write('ran')\n"
    bad = place / "bad"
    for name in ("encodings", "codecs", "json", "hashlib", "site", "linecache", "usercustomize"):
        (bad / name).mkdir(parents=True)
        (bad / name / "__init__.py").write_text(line)
    (bad / "sitecustomize.py").write_text(line)
    (bad / "antigravity.py").write_text(line)
    for folder in (site_packages(made), user_site(place / "home", version)):
        (folder / "evil.pth").write_text(line)
        (folder / "evil.start").write_text("evil:run\n")
        (folder / "evil.py").write_text(f"{line}\ndef run(): {line}")
        (folder / "sitecustomize").mkdir()
        (folder / "sitecustomize" / "__init__.py").write_text(line)
    fake = place / "fake"
    (fake / "bin").mkdir(parents=True)
    (fake / "pyvenv.cfg").write_text(f"home = {bad}\n")
    env = {
        "PYTHONPATH": str(bad),
        "PYTHONWARNINGS": "all:0:antigravity.x:0:0",
        "BROWSER": f"touch {marker}",
        "PYTHONEXECUTABLE": str(fake / "bin" / "python"),
        "__PYVENV_LAUNCHER__": str(fake / "bin" / "python"),
        "PYTHONPYCACHEPREFIX": str(place / "pycache"),
        "PYTHONHOME": str(place / "nowhere"),
        "PYTHONSTARTUP": str(bad / "sitecustomize.py"),
        "PYTHONPLATLIBDIR": "lib99",
    }
    return Start(str(made), env, bad)


@pytest.mark.parametrize("version", interpreters.supported())
def test_nothing_hostile_runs_on_the_derived_side(version: str, tmp_path: Path) -> None:
    start = hostile(interpreters.supported()[version], version, tmp_path)
    answer = derived(
        start.python, environment(start, tmp_path), str(start.cwd), modules=["evil", "encodings"]
    )
    assert not (tmp_path / "marker").exists()
    assert answer.facts is not None, answer
    found = {row["path"] for row in answer.facts["startup"]["modules"] if row["state"] == "loaded"}
    assert str(tmp_path / "bad" / "sitecustomize.py") in found
    executed = [row for row in answer.facts["startup"]["pth"] if row["path"].endswith("evil.pth")]
    assert executed
    kinds = {line["kind"] for row in executed for line in row["lines"]}
    assert kinds == ({"muted"} if tuple(map(int, version.split(".")[:2])) >= (3, 15) else {"exec"})
    assert not list(tmp_path.rglob("__pycache__"))


@pytest.mark.parametrize("version", interpreters.supported())
def test_a_pth_beside_the_executable_keeps_it_from_being_started(
    version: str, tmp_path: Path
) -> None:
    # With `import site` in it, sitecustomize runs under -I -S: CPython's Modules/getpath.py.
    made = interpreters.venv(interpreters.supported()[version], tmp_path / "v")
    (tmp_path / "sitecustomize.py").write_text(f"open({str(tmp_path / 'marker')!r}, 'w')\n")
    hazard = made.parent / "python._pth"
    hazard.write_text(f"{tmp_path}\nimport site\n")
    answer = derived(str(made), {"HOME": str(tmp_path)}, "/")
    assert answer.facts is None
    assert (answer.problem or "").startswith(f"not started: {hazard} ")
    assert not (tmp_path / "marker").exists()


FORMS = {
    "a module": ("sitecustomize.py", b"x = 1", "module", "loaded"),
    "a package": ("sitecustomize/__init__.py", b"x = 1", "package", "loaded"),
    "bytecode without source": ("sitecustomize.pyc", b"", "bytecode", "loaded"),
    "an extension module": ("sitecustomize.so", b"", "extension module", "loaded"),
    "a folder without __init__": (
        "sitecustomize/x.txt",
        b"",
        "namespace",
        "no code: a folder without __init__",
    ),
}


@pytest.mark.parametrize(("name", "content", "form", "state"), FORMS.values(), ids=FORMS)
def test_a_startup_module_is_found_in_every_form(
    name: str, content: bytes, form: str, state: str, tmp_path: Path
) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_bytes(content)
    python = interpreters.at_least(3, 13)
    answer = derived(python, {"PYTHONPATH": str(tmp_path), "HOME": str(tmp_path)}, "/")
    assert answer.facts is not None
    assert [
        (r["form"], r["state"])
        for r in answer.facts["startup"]["modules"]
        if r["module"] == "sitecustomize"
    ][:1] == [(form, state)]


NOT_FORMS = {
    "another name": "SiteCustomize.py",
    "a test": "test_sitecustomize.py",
    "bytecode whose source is gone": "__pycache__/sitecustomize.cpython-313.pyc",
    "a text": "sitecustomize.md",
}


@pytest.mark.parametrize("name", NOT_FORMS.values(), ids=NOT_FORMS)
def test_what_no_import_would_take_is_not_found(name: str, tmp_path: Path) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_bytes(b"x = 1")
    answer = derived(
        interpreters.at_least(3, 13), {"PYTHONPATH": str(tmp_path), "HOME": str(tmp_path)}, "/"
    )
    assert answer.facts is not None
    assert not [
        r for r in answer.facts["startup"]["modules"] if r["path"].startswith(str(tmp_path))
    ]


def test_a_pth_that_would_hang_or_end_the_start_is_found_before_one(tmp_path: Path) -> None:
    made = interpreters.venv(interpreters.at_least(3, 12), tmp_path / "v")
    os.mkfifo(site_packages(made) / "fifo.pth")
    (site_packages(made) / "latin.pth").write_bytes(b"# caf\xe9\n")
    answer = derived(str(made), {"LANG": "C.UTF-8"}, "/")
    assert answer.facts is not None
    reasons_ = dict(answer.facts["startup"]["fatal"])
    assert "hangs" in reasons_[str(site_packages(made) / "fifo.pth")]
    assert "does not start" in reasons_[str(site_packages(made) / "latin.pth")]


SAYS_NOTHING = {
    "one that exits from sitecustomize": ("raise SystemExit(3)", "does not start"),
    "one that ends at once": ("import os; os._exit(0)", "ended before it could answer"),
    "one that is interrupted": ("raise KeyboardInterrupt", "does not start"),
    "one that hangs": ("import time; time.sleep(600)", "no answer in 2 seconds"),
}


@pytest.mark.parametrize(("code", "words"), SAYS_NOTHING.values(), ids=SAYS_NOTHING)
def test_a_python_that_does_not_start_is_told_in_one_line(
    code: str, words: str, tmp_path: Path
) -> None:
    (tmp_path / "sitecustomize.py").write_text(code)
    before = time.monotonic()
    answer = as_run(sys.executable, {"PYTHONPATH": str(tmp_path)}, str(tmp_path), seconds=2)
    assert answer.facts is None
    assert words in (answer.problem or "")
    assert time.monotonic() - before < 10


def test_what_is_printed_on_the_way_is_kept(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        textwrap.dedent("""
            import sys
            print("hello from startup"); print("{}"); sys.stderr.write("on stderr\\n")
            import nothing_of_that_name
        """)
    )
    answer = as_run(sys.executable, {"PYTHONPATH": str(tmp_path)}, str(tmp_path))
    assert answer.facts is not None
    for words in (
        "hello from startup",
        "on stderr",
        "Error in sitecustomize",
        "nothing_of_that_name",
    ):
        assert words in answer.noise


def test_a_program_that_is_no_python_is_told(tmp_path: Path) -> None:
    assert (derived(interpreters.have("true"), {}, "/").problem or "") != ""
    assert "cannot be started" in (derived(str(tmp_path), {}, "/").problem or "")


REPLACED = {
    "another encoding": ({"PYTHONIOENCODING": "utf-16"}, ""),
    "another object": ({}, "import io, sys\nsys.stdout = io.StringIO()\n"),
    "none": ({}, "import sys\nsys.stdout = None\n"),
}


@pytest.mark.parametrize("what", REPLACED)
def test_the_answer_comes_whatever_stands_for_stdout(what: str, tmp_path: Path) -> None:
    variables, code = REPLACED[what]
    made = interpreters.venv(sys.executable, tmp_path / "venv")
    (site_packages(made) / "sitecustomize.py").write_text(code)
    (tmp_path / "home").mkdir()
    env = {**commandline.environment(tmp_path / "home"), **variables}
    words = ("fingerprint", "--quick", "--format", "json", "--python", made)
    done = unhaunt(*words, cwd=tmp_path, env=env)
    assert (done.code, done.json["unknown"], done.json["noise"]) == (0, [], "")


def test_an_environment_is_named_by_its_folder(tmp_path: Path) -> None:
    made = interpreters.venv(sys.executable, tmp_path / ".venv")
    (tmp_path / "home").mkdir()
    env = commandline.environment(tmp_path / "home")
    done = unhaunt("fingerprint", "--quick", "--python", ".venv", cwd=tmp_path, env=env)
    assert f": {made}\n" in done.out.splitlines(keepends=True)[0]


def test_a_standard_library_in_a_zip_is_described_as_it_runs(tmp_path: Path) -> None:
    """Not derived, because -I keeps no zip away; the start as the user makes it is all there is."""
    base = Path(sys.base_prefix)
    version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    library = tmp_path / "lib" / version
    library.mkdir(parents=True)
    (library / "lib-dynload").symlink_to(base / "lib" / version / "lib-dynload")
    (tmp_path / "bin").mkdir()
    shutil.copy(base / "bin" / version, tmp_path / "bin" / version)
    with zipfile.ZipFile(tmp_path / "lib" / f"{version.replace('.', '')}.zip", "w") as file:
        for path in (base / "lib" / version).rglob("*.py"):
            inside = path.relative_to(base / "lib" / version)
            if inside.parts[0] not in ("site-packages", "test", "idlelib", "lib2to3"):
                file.write(path, inside)
    python = tmp_path / "bin" / version
    env = {**commandline.environment(tmp_path), "LD_LIBRARY_PATH": str(base / "lib")}
    done = unhaunt(
        *("fingerprint", "--quick", "--format", "json", "--python", python), cwd=tmp_path, env=env
    )
    assert [row["fact"] for row in done.json["unknown"]] == ["derived"]
    entries = [(row["entry"], row["because"]) for row in done.json["path"]]
    assert (f"{tmp_path}/lib/{version.replace('.', '')}.zip", "standard library (zip)") in entries


#: root may read everything; without these capabilities it is like everybody
UNPRIVILEGED = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]


def as_anybody(*words: object, cwd: Path, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run unhaunt as somebody whom the modes of files hold for."""
    prefix = UNPRIVILEGED if os.geteuid() == 0 else []
    return subprocess.run(
        [*prefix, *commandline.UNHAUNT, *map(str, words)],
        cwd=cwd, env=env, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


def test_a_pth_that_may_not_be_read_is_passed_over_as_python_does(tmp_path: Path) -> None:
    made = interpreters.venv(sys.executable, tmp_path / "venv")
    (tmp_path / "home").mkdir()
    env = commandline.environment(tmp_path / "home")
    pth = site_packages(made) / "a.pth"
    pth.write_text("import os\n")
    pth.chmod(0)
    Repository.create(tmp_path / "repo")
    asked = ("--python", made)
    done = as_anybody("fingerprint", "--quick", *asked, cwd=tmp_path / "repo", env=env)
    assert (done.returncode, "does not start" in done.stdout) == (0, False), done
    done = as_anybody("check", "check-interpreter", *asked, cwd=tmp_path / "repo", env=env)
    assert f"{pth}: UH412 warning: cannot be judged" in done.stdout, done


@pytest.mark.parametrize("more", [[], ["--verify-installed"]])
def test_a_site_packages_that_may_not_be_read_is_not_checked(
    more: list[str], tmp_path: Path
) -> None:
    made = interpreters.venv(sys.executable, tmp_path / "venv")
    (tmp_path / "home").mkdir()
    env = commandline.environment(tmp_path / "home")
    Repository.create(tmp_path / "repo")
    site_packages(made).chmod(0)
    words = ("check", "check-interpreter", *more, "--python", made)
    done = as_anybody(*words, cwd=tmp_path / "repo", env=env)
    site_packages(made).chmod(0o755)
    assert (done.returncode, "Traceback" in done.stderr) == (2, False), done
    assert f"site-packages: {site_packages(made)} may not be read" in done.stdout, done
