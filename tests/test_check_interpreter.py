"""`check-interpreter`: a table of planted environments. Every hostile row is found, no benign one
is above information; on three versions of Python, in a virtual environment and a plain Python."""

from __future__ import annotations

import functools
import hashlib
import json
import os
import py_compile
import re
import shutil
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import virtualenv
import yaml

from tests import interpreters
from tests.planted_environments import Box, plain
from tests.repository import UNHAUNT, Ran, Repository, run
from unhaunt import catalog
from unhaunt.audits.audit import Verdict
from unhaunt.audits.auditing import Audited
from unhaunt.audits.owners import Owners
from unhaunt.interpreters.own_environment import own_environment
from unhaunt.interpreters.preflight import Target
from unhaunt.repository.commit import Scope
from unhaunt.repository.opening import Opening
from unhaunt.repository.worktree import WorkingTree
from unhaunt.rule import Found, check

Plant = Callable[[Box], None]
HOSTILE: dict[str, tuple[Plant, str]] = {}
BENIGN: dict[str, tuple[Plant, str]] = {}

HELLO = "print('hello')\n"
BLOB = "QUJD" * 80


def hostile(expected: str) -> Callable[[Plant], Plant]:
    """Name a row that is found: `CODE severity`, or several with commas."""
    return lambda plant: HOSTILE.setdefault(_sentence(plant), (plant, expected))[0]


def benign(expected: str = "") -> Callable[[Plant], Plant]:
    """Name a row of which nothing is above information; `CODE`s that are shown as that."""
    return lambda plant: BENIGN.setdefault(_sentence(plant), (plant, expected))[0]


def _sentence(plant: Plant) -> str:
    return plant.__name__.replace("_", " ")


def only(box: Box, *, since: int = 8, until: int = 15, kind: str = "") -> None:
    """Leave a row out where its mechanism does not exist: another row says so."""
    if not since <= box.version[1] <= until or kind not in ("", box.kind):
        pytest.skip("this Python has no such mechanism")


# --- startup modules


@hostile("UH401 error")
def a_sitecustomize_that_nobody_owns(box: Box) -> None:
    box.write("sitecustomize.py", HELLO)


@hostile("UH401 error")
def a_sitecustomize_package(box: Box) -> None:
    box.write("sitecustomize/__init__.py", HELLO)


@hostile("UH401 error")
def a_sitecustomize_that_is_bytecode_alone(box: Box) -> None:
    source = box.write(box.place / "sc.py", HELLO)
    compiled(box, source, box.made("sitecustomize.pyc"), "checked-hash")


@hostile("UH401 error")
def an_owned_sitecustomize_that_was_modified(box: Box) -> None:
    box.install("hooks", {"sitecustomize.py": HELLO})
    box.write("sitecustomize.py", HELLO * 2)


@hostile("UH401 warning")
def a_sitecustomize_that_is_listed_without_a_hash(box: Box) -> None:
    box.install("hooks", {"sitecustomize.py": HELLO}, how="")


@hostile("UH401 error")
def an_owned_sitecustomize_with_a_payload(box: Box) -> None:
    code = f"import base64\nexec(base64.b64decode('{BLOB}'))\n"
    box.install("hooks", {"sitecustomize.py": code})


@hostile("UH401 error")
def a_usercustomize_in_the_user_site(box: Box) -> None:
    only(box, kind="plain")
    box.write(box.user / "usercustomize.py", HELLO)


@hostile("UH401 error, UH407 error")
def a_sitecustomize_on_pythonpath_that_shadows_an_owned_one(box: Box) -> None:
    box.install("hooks", {"sitecustomize.py": HELLO})
    box.write(box.place / "outside/sitecustomize.py", HELLO)
    box.env["PYTHONPATH"] = str(box.place / "outside")


@benign("UH401")
def an_owned_and_unmodified_sitecustomize(box: Box) -> None:
    box.install("hooks", {"sitecustomize.py": HELLO})


@benign("UH401")
def a_sitecustomize_folder_without_init(box: Box) -> None:
    box.write("sitecustomize/readme.txt", HELLO)


@benign("UH401")
def a_usercustomize_where_the_user_site_is_off(box: Box) -> None:
    box.write("usercustomize.py", HELLO)
    box.env["PYTHONNOUSERSITE"] = "1"


@benign()
def modules_that_are_only_called_alike(box: Box) -> None:
    box.write("test_sitecustomize.py", HELLO)
    box.write("pkg/sitecustomize.py", HELLO)
    box.write("__pycache__/sitecustomize.cpython-38.pyc", HELLO)


# --- .pth code


@hostile("UH402 error")
def a_pth_line_that_nobody_owns(box: Box) -> None:
    box.write("evil.pth", "import os\n")


@hostile("UH402 error")
def a_tab_after_import(box: Box) -> None:
    box.write("evil.pth", "# a comment\nimport\tos\n")


@hostile("UH402 error")
def an_owned_pth_that_was_modified(box: Box) -> None:
    box.install("cover", {"cover.pth": "import os\n"})
    box.write("cover.pth", "import os; os.getcwd()\n")


@hostile("UH402 error")
def an_owned_pth_that_starts_a_process(box: Box) -> None:
    line = (
        "import os, subprocess, sys; subprocess.Popen([sys.executable, '-c', "
        "\"import base64; exec(base64.b64decode('aW1wb3J0IG9z'))\"])\n"
    )
    box.install("litellm", {"litellm_init.pth": line})


@hostile("UH402 error")
def an_owned_pth_that_runs_decoded_text(box: Box) -> None:
    box.install("x", {"x.pth": "import base64; exec(base64.b64decode('cHJpbnQoMSk='))\n"})


@hostile("UH402 error")
def an_owned_pth_that_uses_the_network(box: Box) -> None:
    box.install("x", {"x.pth": "import sys; exec('from urllib.request import urlopen')\n"})


@hostile("UH402 error")
def an_owned_pth_that_takes_the_environment(box: Box) -> None:
    box.install(
        "x",
        {"x.pth": "import os, json; open('/dev/null', 'w').write(json.dumps(dict(os.environ)))\n"},
    )


@hostile("UH402 error")
def an_owned_pth_with_a_long_encoded_text(box: Box) -> None:
    box.install("x", {"x.pth": f"import sys; sys.x = '{BLOB}'\n"})


@hostile("UH402 warning")
def a_pth_that_is_listed_without_a_hash(box: Box) -> None:
    box.install("x", {"x.pth": "import os\n"}, how="")


@hostile("UH402 warning")
def a_pth_that_is_listed_with_a_weak_hash(box: Box) -> None:
    box.install("x", {"x.pth": "import os\n"}, how="md5")


@hostile("UH402 warning")
def a_pth_that_setup_py_installed(box: Box) -> None:
    box.write("x.pth", "import os\n")
    box.write("x-1.0.egg-info/PKG-INFO", "Name: x\nVersion: 1.0\n")
    box.write("x-1.0.egg-info/installed-files.txt", "../x.pth\n")


@hostile("UH402 error")
def a_line_behind_known_content_and_much_blank(box: Box) -> None:
    box.write("_virtualenv.pth", "import _virtualenv" + " " * 5000 + "\nimport os\n")


@hostile("UH402 error")
def a_known_name_with_other_content(box: Box) -> None:
    box.write("distutils-precedence.pth", "import os\n")


@hostile("UH402 error")
def a_line_that_only_3_15_executes(box: Box) -> None:
    only(box, since=15)
    box.write("evil.pth", "   import os\n")


@benign("UH406")
def a_line_that_only_3_15_would_execute(box: Box) -> None:
    only(box, until=14)
    box.write("evil.pth", "   import os\n")


@hostile("UH402 error")
def a_line_behind_a_form_feed(box: Box) -> None:
    only(box, since=13)
    box.write("evil.pth", "# note\x0cimport os\n")


@benign()
def a_form_feed_before_3_13(box: Box) -> None:
    only(box, until=12)
    box.write("evil.pth", "# note\x0cimport os\n")


@benign()
def a_hidden_pth_on_3_13(box: Box) -> None:
    only(box, since=13)
    box.write(".evil.pth", "import os\n")


@hostile("UH402 error")
def a_hidden_pth_on_3_8(box: Box) -> None:
    only(box, until=8)
    box.write(".evil.pth", "import os\n")


@hostile("UH402 error, UH412 warning")
def a_pth_that_is_too_large_to_be_judged(box: Box) -> None:
    box.write("large.pth", "import os\n" + "#" * (5 << 20))


@hostile("UH402 error")
def a_pth_in_the_user_site(box: Box) -> None:
    only(box, kind="plain")
    box.write(box.user / "evil.pth", "import os\n")


def conda_package(box: Box, content: str) -> None:
    """Install a .pth as conda does, with what its list says of `content`."""
    path = box.write("x.pth", "import os\n").relative_to(box.prefix).as_posix()
    digest = hashlib.sha256(content.encode()).hexdigest()
    row = {"_path": path, "sha256_in_prefix": digest}
    listed = {"files": [path], "paths_data": {"paths": [row]}}
    box.write(box.prefix / "conda-meta/x-1.0-0.json", json.dumps(listed))


@hostile("UH402 error")
def a_pth_of_a_conda_package_that_was_modified(box: Box) -> None:
    conda_package(box, "import sys\n")


@benign("UH402")
def a_pth_of_a_conda_package(box: Box) -> None:
    conda_package(box, "import os\n")


@benign("UH402")
def an_owned_and_unmodified_pth(box: Box) -> None:
    box.install("cover", {"cover.pth": "import sys; exec('try: import os\\nexcept: pass')\n"})


@benign("UH402")
def an_editable_finder(box: Box) -> None:
    finder = "MAPPING = {}\ndef install():\n    pass\n"
    line = "import __editable___x_1_0_finder; __editable___x_1_0_finder.install()\n"
    box.install("x", {"__editable__.x-1.0.pth": line, "__editable___x_1_0_finder.py": finder})


@benign("UH402,UH404")
def the_files_of_virtualenv(box: Box) -> None:
    genuine = Path(virtualenv.__file__).parent / "create/via_global_ref/_virtualenv.py"
    box.write("_virtualenv.pth", "import _virtualenv")
    box.write("_virtualenv.py", genuine.read_bytes())


@benign()
def comments_and_blank_lines(box: Box) -> None:
    box.write("notes.pth", "# import os\n\n\n")


@benign()
def startup_files_where_no_python_reads_them(box: Box) -> None:
    box.write("pkg/evil.pth", "import os\n")
    box.write(box.repo / "evil.pth", "import os\n")


# --- .start files


@hostile("UH403 error")
def a_start_file_that_nobody_owns(box: Box) -> None:
    only(box, since=15)
    box.write("x.start", "os:getcwd\n")


@hostile("UH403 error, UH404 error")
def a_start_file_that_calls_what_nobody_owns(box: Box) -> None:
    only(box, since=15)
    box.write("x.start", "planted:main\n")
    box.write("planted.py", "def main(): pass\n")


@benign("UH403")
def an_owned_start_file(box: Box) -> None:
    only(box, since=15)
    box.install("x", {"x.start": "os:getcwd\n"})


@benign()
def a_start_file_before_3_15(box: Box) -> None:
    only(box, until=14)
    box.write("x.start", "os:getcwd\n")


@benign()
def a_start_file_without_an_entry_point(box: Box) -> None:
    box.write("x.start", "#!/bin/sh\necho hello\n")


@hostile("UH405 error")
def an_empty_start_that_silences_an_owned_pth(box: Box) -> None:
    only(box, since=15)
    box.install("cover", {"a1_cover.pth": "import os\n"})
    box.write("a1_cover.start", "")


@benign("UH403,UH405")
def a_start_beside_the_pth_of_its_own_package(box: Box) -> None:
    only(box, since=15)
    box.install("wrap", {"wrap.pth": "import os\n", "wrap.start": "os:getcwd\n"})


# --- targets


@hostile("UH404 error")
def a_planted_virtualenv_module_behind_the_genuine_line(box: Box) -> None:
    box.write("_virtualenv.pth", "import _virtualenv")
    box.write("_virtualenv.py", HELLO)


@hostile("UH404 error")
def a_modified_target_of_an_owned_line(box: Box) -> None:
    box.install("cover", {"cover.pth": "import cover\n", "cover/__init__.py": HELLO})
    box.write("cover/__init__.py", HELLO * 2)


@hostile("UH404 error, UH407 warning")
def a_target_that_is_taken_from_pythonpath(box: Box) -> None:
    box.install("cover", {"cover.pth": "import cover\n", "cover/__init__.py": HELLO})
    box.write(box.place / "early/cover.py", HELLO)
    box.env["PYTHONPATH"] = str(box.place / "early")


@hostile("UH404 error")
def a_parent_package_of_a_target(box: Box) -> None:
    box.install("cover", {"cover.pth": "import cover.sub\n", "cover/sub.py": HELLO})
    box.write("cover/__init__.py", HELLO)


@hostile("UH404 error")
def what_an_owned_sitecustomize_imports(box: Box) -> None:
    code = "try:\n    import apport_hook\nexcept ImportError:\n    pass\n"
    box.install("hooks", {"sitecustomize.py": code})
    box.write("apport_hook.py", HELLO)


@hostile("UH402 error, UH404 warning")
def a_name_of_very_many_parts(box: Box) -> None:
    box.write("x.py", HELLO * 1000)
    names = f"import os\0\nimport {'a.' * 50_000}b\n"
    box.install("cover", {"cover.pth": names + "import x;\n" * 3000, "x.py": HELLO})


@hostile("UH404 warning")
def a_name_of_more_parts_than_are_followed(box: Box) -> None:
    box.install("hooks", {"sitecustomize.py": f"import {'a.' * 20}b\n"})


@hostile("UH404 warning")
def more_names_than_are_followed(box: Box) -> None:
    code = "".join(f"import m{number}.sub\n" for number in range(200))
    box.install("hooks", {"sitecustomize.py": code})


@hostile("UH401 error, UH404 warning")
def a_sitecustomize_that_is_too_large_to_be_followed(box: Box) -> None:
    box.install("hooks", {"sitecustomize.py": "import os\n" + "#" * (1 << 19)})


@hostile("UH401 error")
def a_sitecustomize_that_is_nested_deeply(box: Box) -> None:
    box.write("sitecustomize.py", f"x = {'(' * 20_000}1{')' * 20_000}\ny = {'-' * 50_000}1\n")


def an_os_on_pythonpath(box: Box) -> None:
    """Plant a module of the name that an owned line imports."""
    box.install("cover", {"cover.pth": "import os\n"})
    box.write(box.place / "early/os.py", HELLO)
    box.env["PYTHONPATH"] = str(box.place / "early")


@hostile("UH407 warning")
def a_frozen_name_on_pythonpath_is_never_loaded(box: Box) -> None:
    only(box, since=11)
    an_os_on_pythonpath(box)


@hostile("UH404 error, UH407 error")
def a_name_on_pythonpath_that_is_not_frozen_yet(box: Box) -> None:
    only(box, until=10)
    an_os_on_pythonpath(box)


@hostile("UH404 error, UH407 error")
def a_frozen_name_that_a_variable_thaws(box: Box) -> None:
    only(box, since=13)
    an_os_on_pythonpath(box)
    box.env["PYTHON_FROZEN_MODULES"] = "off"


@benign("UH402,UH404")
def a_line_whose_target_is_owned(box: Box) -> None:
    box.install("cover", {"cover.pth": "import cover\n", "cover/__init__.py": HELLO})


@benign("UH401,UH404")
def a_target_that_nothing_supplies(box: Box) -> None:
    code = "try:\n    import apport_hook\nexcept ImportError:\n    pass\n"
    box.install("hooks", {"sitecustomize.py": code})


# --- paths


@hostile("UH406 warning")
def a_path_that_leads_outside(box: Box) -> None:
    box.write(box.place / "outside/x.py")
    box.write("x.pth", f"{box.place / 'outside'}\n")


@hostile("UH406 warning")
def a_relative_path_that_climbs_out(box: Box) -> None:
    box.write(box.place / "outside/x.py")
    box.write("x.pth", os.path.relpath(box.place / "outside", box.site) + "\n")


@hostile("UH406 warning")
def an_editable_path_outside_its_own_folder(box: Box) -> None:
    box.write(box.place / "outside/x.py")
    box.install("proj", {"proj.pth": f"{box.place / 'outside'}\n"})
    editable(box, "proj", box.place / "elsewhere")


@benign("UH406")
def an_editable_install_of_another_project(box: Box) -> None:
    box.write(box.place / "proj/src/x.py")
    box.install("proj", {"proj.pth": f"{box.place / 'proj/src'}\n"})
    editable(box, "proj", box.place / "proj")


@benign("UH406")
def setup_py_develop(box: Box) -> None:
    box.write(box.place / "proj/x.py")
    box.write("easy-install.pth", f"{box.place / 'proj'}\n")
    box.write("proj.egg-link", f"{box.place / 'proj'}\n.")


@benign("UH406")
def a_path_that_does_not_exist(box: Box) -> None:
    box.write("x.pth", f"{box.place / 'nowhere'}\n")


@benign()
def a_path_into_the_project_and_one_into_the_environment(box: Box) -> None:
    box.write(box.repo / "src/x.py")
    box.write("vendored/x.py")
    box.write("x.pth", f"{box.repo / 'src'}\nvendored\n")


# --- PYTHONPATH and the user site


@hostile("UH407 error")
def pythonpath_with_an_empty_element(box: Box) -> None:
    box.env["PYTHONPATH"] = f"{box.place}:"


@hostile("UH407 error")
def pythonpath_with_a_relative_element(box: Box) -> None:
    box.env["PYTHONPATH"] = "src"


@hostile("UH407 warning")
def pythonpath_that_leads_outside(box: Box) -> None:
    box.env["PYTHONPATH"] = str(box.place)


@hostile("UH407 error")
def a_module_on_pythonpath_that_every_start_imports(box: Box) -> None:
    box.write(box.place / "early/encodings/__init__.py", HELLO)
    box.env["PYTHONPATH"] = str(box.place / "early")


@hostile("UH407 error")
def a_module_in_a_zip_on_pythonpath_that_every_start_imports(box: Box) -> None:
    with zipfile.ZipFile(box.place / "early.zip", "w") as file:
        file.writestr("encodings/__init__.py", HELLO)
    box.env["PYTHONPATH"] = str(box.place / "early.zip")


@hostile("UH407 warning")
def pythonpath_that_names_what_does_not_exist(box: Box) -> None:
    box.env["PYTHONPATH"] = str(box.place / "nowhere")


@benign()
def pythonpath_that_is_empty(box: Box) -> None:
    box.env["PYTHONPATH"] = ""


@hostile("UH408 warning")
def a_user_site_that_hides_a_package(box: Box) -> None:
    only(box, kind="plain")
    box.install("demo", {"demo.py": HELLO})
    box.install("demo", {"demo.py": HELLO * 2}, site=box.user)


@benign("UH408")
def a_user_site_with_another_package(box: Box) -> None:
    only(box, kind="plain")
    box.install("demo", {"demo.py": HELLO}, site=box.user)


@benign()
def a_user_site_that_is_off(box: Box) -> None:
    box.install("demo", {"demo.py": HELLO})
    box.install("demo", {"demo.py": HELLO * 2}, site=box.user)
    box.env["PYTHONNOUSERSITE"] = "1"


# --- redirections


@hostile("UH409 error")
def pythonhome(box: Box) -> None:
    box.env["PYTHONHOME"] = str(box.place)


@hostile("UH409 error")
def pythonexecutable(box: Box) -> None:
    box.env["PYTHONEXECUTABLE"] = str(box.place / "bin/python")


@hostile("UH409 error")
def the_launcher_variable(box: Box) -> None:
    box.env["__PYVENV_LAUNCHER__"] = str(box.place / "bin/python")


@hostile("UH409 warning")
def warnings_with_a_dotted_category(box: Box) -> None:
    box.env["PYTHONWARNINGS"] = "all:0:antigravity.x:0:0"


@benign()
def warnings_without_one(box: Box) -> None:
    box.env["PYTHONWARNINGS"] = "error,ignore::DeprecationWarning"


@hostile("UH409 error")
def an_underscore_pth_beside_the_interpreter(box: Box) -> None:
    box.write(Path(f"{box.python}._pth"), f"{box.stdlib}\n")


@hostile("UH409 error")
def a_foreign_module_in_the_standard_library(box: Box) -> None:
    only(box, kind="plain")
    box.write(box.stdlib / "helpers.py", HELLO)


@hostile("UH409 error")
def a_zip_before_the_standard_library(box: Box) -> None:
    only(box, kind="plain")
    box.write(box.prefix / f"lib/python3{box.version[1]}.zip", b"PK\x05\x06" + bytes(18))


# --- the environment itself


def cfg(box: Box, edit: Callable[[str], str]) -> None:
    """Change pyvenv.cfg, which only a virtual environment has."""
    only(box, kind="venv")
    path = box.prefix / "pyvenv.cfg"
    box.write(path, edit(path.read_text()))


@hostile("UH410 error")
def a_home_with_another_standard_library(box: Box) -> None:
    fake = box.place / f"fake/lib/python3.{box.version[1]}"
    for name in ("os.py", "encodings/__init__.py"):
        box.write(fake / name, f"open({str(box.place / 'fake/ran')!r}, 'w')\n")
    (box.made(box.place / "fake/bin")).mkdir()
    (box.place / "fake/bin/python").symlink_to(box.python.resolve())
    cfg(box, lambda text: re.sub("home = .*", f"home = {box.place / 'fake/bin'}", text))


@hostile("UH410 warning")
def system_site_packages_on(box: Box) -> None:
    cfg(box, lambda text: text.replace("packages = false", "packages = true"))


@hostile("UH410 warning")
def system_site_packages_not_said(box: Box) -> None:
    cfg(box, lambda text: text.replace("include-system", "#include-system"))


@hostile("UH410 warning")
def a_config_for_another_version(box: Box) -> None:
    cfg(box, lambda text: text.replace("version = 3", "version = 2"))


@hostile("UH410 warning")
def a_key_twice(box: Box) -> None:
    cfg(box, lambda text: text + "prompt = a\nprompt = b\n")


@hostile("UH410 warning")
def virtual_env_that_lies(box: Box) -> None:
    box.env["VIRTUAL_ENV"] = str(box.place)


@hostile("UH410 warning")
def two_environments_at_once(box: Box) -> None:
    box.env.update(VIRTUAL_ENV=str(box.prefix), CONDA_PREFIX=str(box.place))


@benign()
def virtual_env_that_tells_the_truth(box: Box) -> None:
    box.env["VIRTUAL_ENV"] = f"{box.prefix}/"


@benign()
def a_virtual_env_of_the_hooks_runner(box: Box) -> None:
    box.env.update(VIRTUAL_ENV=str(box.place), PRE_COMMIT="1")


# --- bytecode


def compiled(box: Box, source: Path, target: Path, mode: str) -> None:
    """Compile a source in the box's own Python."""
    code = (
        "import py_compile, sys; py_compile.compile(sys.argv[1], sys.argv[2], doraise=True,"
        " invalidation_mode=py_compile.PycInvalidationMode(int(sys.argv[3])))"
    )
    number = py_compile.PycInvalidationMode[mode.upper().replace("-", "_")].value
    command: list[str | Path] = [box.python, "-I", "-S", "-c", code, source, target, str(number)]
    subprocess.run(command, check=True, env={})


def cached(box: Box) -> Path:
    """Return where the bytecode of an owned sitecustomize lies."""
    box.install("hooks", {"sitecustomize.py": HELLO})
    tag = f"cpython-3{box.version[1]}"
    return box.made(f"__pycache__/sitecustomize.{tag}.pyc")


@hostile("UH411 error")
def bytecode_with_a_forged_header(box: Box) -> None:
    target, source = cached(box), box.site / "sitecustomize.py"
    compiled(box, source, target, "timestamp")
    good = target.read_bytes()
    other = box.write(box.place / "other.py", "import os\n")
    compiled(box, other, target, "timestamp")
    target.write_bytes(good[:16] + target.read_bytes()[16:])


@hostile("UH411 error")
def bytecode_of_another_source_that_nobody_checks(box: Box) -> None:
    target = cached(box)
    other = box.write(box.place / "other.py", "import os\n")
    compiled(box, other, target, "unchecked-hash")


@hostile("UH411 error")
def bytecode_that_ends_the_reader(box: Box) -> None:
    target = cached(box)
    compiled(box, box.site / "sitecustomize.py", target, "unchecked-hash")
    target.write_bytes(target.read_bytes()[:16] + b"\xff" * 40)


@benign("UH401")
def bytecode_of_its_own_source(box: Box) -> None:
    compiled(box, box.site / "sitecustomize.py", cached(box), "timestamp")


@benign("UH401")
def unchecked_bytecode_of_its_own_source(box: Box) -> None:
    compiled(box, box.site / "sitecustomize.py", cached(box), "unchecked-hash")


@benign("UH401")
def stale_bytecode_that_would_be_compiled_anew(box: Box) -> None:
    target = cached(box)
    other = box.write(box.place / "other.py", "import os, sys, re\n")
    compiled(box, other, target, "timestamp")


@benign("UH401")
def rubbish_in_place_of_bytecode(box: Box) -> None:
    cached(box).parent.mkdir(exist_ok=True)
    cached(box).write_bytes(b"rubbish")


# --- files that cannot be read


@hostile("UH412 error")
def a_fifo(box: Box) -> None:
    os.mkfifo(box.made("x.pth"))


@hostile("UH412 error")
def bytes_that_are_not_utf_8(box: Box) -> None:
    box.write("x.pth", b"# caf\xe9\n")


@hostile("UH412 warning")
def a_link_that_leads_nowhere(box: Box) -> None:
    box.made("x.pth").symlink_to("nowhere")


@benign()
def a_folder_with_the_name_of_a_pth(box: Box) -> None:
    box.write("x.pth/readme.txt", HELLO)


# --- everything that is installed: --verify-installed


@hostile("UH413 error")
def an_installed_module_that_was_edited(box: Box) -> None:
    box.install("demo", {"demo/__init__.py": HELLO, "demo/a.py": HELLO})
    box.write("demo/a.py", HELLO * 2)
    box.env["VERIFY"] = "1"


@hostile("UH413 warning")
def a_module_beside_the_installed_ones(box: Box) -> None:
    box.install("demo", {"demo/__init__.py": HELLO})
    box.write("demo/planted.py", HELLO)
    box.env["VERIFY"] = "1"


@hostile("UH413 warning")
def a_whole_package_that_nobody_owns(box: Box) -> None:
    box.write("planted/__init__.py", HELLO)
    box.write("planted/a.py", HELLO)
    box.env["VERIFY"] = "1"


@hostile("UH413 warning")
def an_installed_file_that_is_gone(box: Box) -> None:
    box.install("demo", {"demo.py": HELLO, "demo.txt": HELLO})
    (box.site / "demo.py").unlink()
    box.env["VERIFY"] = "1"


@benign()
def installed_files_as_they_were_installed(box: Box) -> None:
    box.install("demo", {"demo/__init__.py": HELLO, "demo/data.txt": "x"})
    box.install("other", {"other.py": HELLO}, how="sha512")
    box.env["VERIFY"] = "1"


@benign()
def a_record_with_broken_rows(box: Box) -> None:
    box.install("demo", {"demo.py": HELLO})
    record = (box.site / "demo-1.0.dist-info/RECORD").read_text()
    broken = b'"unclosed,sha256=x\nonly-a-name\n,,\n\n\x00\xff,sha256,\n'
    box.write("demo-1.0.dist-info/RECORD", record.encode() + b"a,b,c,d,e\n" + broken)
    box.env["VERIFY"] = "1"


# --- activation


@hostile("UH414 warning")
def conda_state_that_sets_pythonpath(box: Box) -> None:
    state = {"env_vars": {"PYTHONPATH": "/opt/x"}}
    box.write(box.prefix / "conda-meta/state", json.dumps(state))


@hostile("UH414 warning")
def a_conda_script_that_exports_pythonpath(box: Box) -> None:
    box.write(box.prefix / "conda-meta/history")
    box.write(box.prefix / "etc/conda/activate.d/x.sh", "export PYTHONPATH=/opt/x\n")


@hostile("UH414 warning")
def an_activate_script_with_a_line_more(box: Box) -> None:
    only(box, kind="venv")
    path = box.prefix / "bin/activate"
    box.write(path, path.read_text() + "export PYTHONPATH=/opt/x\n")


@benign()
def a_conda_environment_that_sets_something_else(box: Box) -> None:
    only(box, kind="plain")
    box.write(box.prefix / "conda-meta/state", json.dumps({"env_vars": {"MY_NAME": "x"}}))
    box.env["CONDA_PREFIX"] = str(box.prefix)


@benign()
def nothing_at_all(box: Box) -> None:
    """A clean interpreter."""


def editable(box: Box, name: str, folder: Path) -> None:
    """Make a distribution an editable install of a folder."""
    url = {"url": f"file://{folder}", "dir_info": {"editable": True}}
    box.write(f"{name}-1.0.dist-info/direct_url.json", json.dumps(url))


# --- running the table


def _three() -> list[str]:
    """Return the oldest, a middle and the newest supported Python that are here."""
    found = list(interpreters.supported().values())
    middle = [p for v, p in interpreters.supported().items() if v.startswith("3.13")]
    return list(dict.fromkeys([found[0], *(middle or found[-2:-1]), found[-1]]))


@functools.cache
def box_of(python: str, kind: str, place: Path) -> Box:
    """Return the interpreter to plant in, made once a process."""
    return Box(python, kind, place)


@pytest.fixture(params=[(p, k) for p in _three() for k in ("venv", "plain")], ids=str)
def box(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Box]:
    """An interpreter of one version and kind, as it was made."""
    python, kind = request.param
    name = f"{kind}{_three().index(python)}"
    made = box_of(python, kind, tmp_path_factory.getbasetemp() / name)
    yield made
    made.clean()


@functools.cache
def tree_of(repo: Path) -> WorkingTree:
    """Return the inventory of a repository, in which nothing changes."""
    repository, index = Opening(str(repo), at_hand=False).finish()
    return WorkingTree(repository, index, Scope(None, None, in_hook=False, deep=False))


def audited(box: Box) -> tuple[Found, ...]:
    """Return what the rules find in a box."""
    env = {"HOME": str(box.home), "LANG": "C.UTF-8", **box.env}
    target = Target(str(box.python), "a test")
    subject = Audited(target, env, tree_of(box.repo), verify=bool(env.pop("VERIFY", "")))
    return check(catalog.rules(("UH4",)), subject).found


def shown(found: tuple[Found, ...]) -> set[str]:
    """Return "CODE severity" of each finding above information."""
    rows = {f"{item.rule.code} {item.severity.value}" for item in found}
    return {row for row in rows if not row.endswith(" info")}


@pytest.mark.parametrize("row", HOSTILE)
def test_what_is_hostile_is_found(row: str, box: Box) -> None:
    plant, expected = HOSTILE[row]
    plant(box)
    assert shown(audited(box)) == set(expected.split(", "))


@pytest.mark.parametrize("row", BENIGN)
def test_what_is_benign_is_no_more_than_information(row: str, box: Box) -> None:
    plant, expected = BENIGN[row]
    plant(box)
    found = audited(box)
    assert shown(found) == set()
    assert set(filter(None, expected.split(","))) <= {item.rule.code for item in found}


def test_the_table_is_as_long_as_promised() -> None:
    assert len(HOSTILE) >= 40
    assert len(BENIGN) >= 25
    words = [word for _, expected in HOSTILE.values() for word in expected.split(", ")]
    codes = {word.split()[0] for word in words}
    assert codes == {rule.code for _, rule in catalog.rules(("UH4",))}


# --- the command


def checked(box: Box, *words: str, **env: str) -> Ran:
    """Run the check on a box as a user would, in its repository."""
    command = (*UNHAUNT, "check", "check-interpreter", "--python", str(box.python), *words)
    given = {"HOME": str(box.home), **box.env, **env}
    return run(*command, cwd=box.repo, env=given)


@pytest.fixture
def one(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Box]:
    """One interpreter, for what does not depend on the version."""
    python = _three()[len(_three()) // 2]
    made = box_of(python, "venv", tmp_path_factory.getbasetemp() / f"venv{_three().index(python)}")
    yield made
    made.clean()


@pytest.mark.parametrize("python", interpreters.supported().values(), ids=os.path.basename)
def test_a_clean_environment_gives_no_warning(python: str, tmp_path: Path) -> None:
    repo = Repository.create(tmp_path / "repo")
    base = plain(python, tmp_path / "base")
    made = interpreters.venv(str(base), tmp_path / "venv")
    command = (*UNHAUNT, "check", "check-interpreter", "--strict", "--python")
    for executable in (base, made):
        done = run(*command, executable, cwd=repo.path)
        assert (done.code, done.out) == (0, ""), done


def test_a_clean_environment_of_copies_gives_no_warning(repo: Repository, tmp_path: Path) -> None:
    base = plain(_three()[0], tmp_path / "base")
    made = interpreters.venv(str(base), tmp_path / "venv", "--copies")
    done = repo.check("check-interpreter", "--strict", "--python", str(made))
    assert (done.code, done.findings()) == (0, set())


def test_the_interpreter_of_pre_commit_itself_gives_no_warning(repo: Repository) -> None:
    done = repo.check("check-interpreter", "--strict", "--python", sys.executable)
    assert {row for row in done.findings() if not row.endswith(" info")} == set()
    assert done.code == 0


def test_the_interpreter_is_announced_and_findings_are_outside_git(one: Box) -> None:
    one.write("evil.pth", "import os\n")
    done = checked(one, "--format", "json")
    (finding,) = [f for f in done.json()["findings"] if f["severity"] != "info"]
    assert done.code == 1
    assert finding["visibility"] == "outside-repository"
    assert finding["path"] == str(one.site / "evil.pth")
    assert done.json()["notes"] == [f"interpreter: {one.python} (--python)"]
    text = checked(one)
    assert f"interpreter: {one.python} (--python)" in text.err
    assert f"{one.site / 'evil.pth'}:1: UH402 " in text.out
    assert "[" not in text.out.partition("\n")[0]


def test_an_environment_in_the_repository_has_relative_paths(repo: Repository) -> None:
    interpreters.venv(_three()[-1], repo.path / ".venv")
    site = next((repo.path / ".venv").glob("lib/python*/site-packages"))
    (site / "evil.pth").write_text("import os\n")
    done = repo.check("check-interpreter")
    shown = f"{(site / 'evil.pth').relative_to(repo.path)}:1 UH402"
    assert done.findings() == {shown}
    assert "(.venv of the project)" in done.json()["notes"][0]


def test_a_relative_interpreter_is_relative_to_where_one_stands(repo: Repository) -> None:
    interpreters.venv(_three()[-1], repo.path / "sub/env")
    done = repo.check("check-interpreter", "--python", "env/bin/python", cwd=repo.path / "sub")
    shown = f"interpreter: {repo.path / 'sub/env/bin/python'} (--python)"
    assert done.json()["notes"] == [shown]
    configured = '[tool.unhaunt]\npython = "sub/env/bin/python"\n'
    repo.commit({"pyproject.toml": configured})
    (note,) = repo.check("check-interpreter").json()["notes"]
    assert note == shown.replace("(--python)", "([tool.unhaunt] python)")


def test_an_operator_accepts_a_startup_file_by_its_content(one: Box) -> None:
    code = "import os; os.environ.setdefault('SANDBOX', '1')\n"
    path = one.write("sandbox.pth", code)
    pin = hashlib.sha256(code.encode()).hexdigest()
    config = one.write(one.place / "operator.toml", (
        f'[[allow]]\nrule = "pth-code-active"\npath = "{path}"\nsha256 = "{pin}"\n'
        'reason = "the hook of our sandbox"\n'
    ))  # fmt: skip
    done = checked(one, "--config", str(config))
    assert done.code == 0
    assert "1 allowed" in done.err
    assert "the hook of our sandbox" in done.out
    one.write("sandbox.pth", code * 2)
    assert checked(one, "--config", str(config)).code == 1


def test_no_project_interpreter(repo: Repository, tmp_path: Path) -> None:
    env = {"PATH": _git_alone(tmp_path / "bin")}
    for words, given, code in (
        ((), {}, 2), ((), {"PRE_COMMIT": "1"}, 0), (("--strict",), {"PRE_COMMIT": "1"}, 2),
    ):  # fmt: skip
        done = repo.check("check-interpreter", *words, env={**env, **given})
        assert (done.code, done.json()["notes"]) == (code, ["no project interpreter: not checked"])


def _git_alone(folder: Path) -> str:
    folder.mkdir()
    (folder / "git").symlink_to(interpreters.have("git"))
    return str(folder)


def test_the_environment_of_the_hooks_runner_is_passed_over(
    repo: Repository, tmp_path: Path
) -> None:
    tool = interpreters.venv(_three()[-1], tmp_path / "cache/pre-commit/repo1/py_env")
    path = os.pathsep.join([str(tool.parent), _git_alone(tmp_path / "bin")])
    env = {"PATH": path, "PRE_COMMIT": "1", "VIRTUAL_ENV": str(tool.parent.parent)}
    done = repo.check("check-interpreter", env=env)
    assert done.json()["notes"] == ["no project interpreter: not checked"]
    base = plain(_three()[-1], tmp_path / "base")
    (base.parent / "python").symlink_to(base.name)
    env["PATH"] += f"{os.pathsep}{base.parent}"
    done = repo.check("check-interpreter", env=env)
    assert (done.code, done.json()["notes"][0].split()[1]) == (0, str(base.parent / "python"))


def test_an_interpreter_that_does_not_start(repo: Repository, tmp_path: Path) -> None:
    executable = plain(_three()[-1], tmp_path / "base")
    site = next((tmp_path / "base/lib").glob("python3*")) / "site-packages"
    site.mkdir()
    (site / "evil.pth").write_text("import os\n")
    executable.write_bytes(b"\x7fELF rubbish")
    done = repo.check("check-interpreter", "--python", str(executable))
    assert done.code == 2
    assert done.findings() == {f"{site / 'evil.pth'}:1 UH402"}
    assert "cannot be started" in done.json()["checked"]["not_checked"][0]["reason"]


@pytest.mark.parametrize("version", [v for v in interpreters.others() if v.startswith("cpython 3")])
def test_a_version_that_is_too_old_is_said_in_one_line(version: str, repo: Repository) -> None:
    python = interpreters.others()[version]
    done = repo.check("check-interpreter", "--python", python)
    assert not {row for row in done.findings() if "UH409" in row}
    (row,) = done.json()["checked"]["not_checked"]
    assert (done.code, row["path"]) == (2, python)
    assert "needs CPython 3.8 or newer" in row["reason"]


def test_a_file_that_would_keep_an_interpreter_busy(repo: Repository, tmp_path: Path) -> None:
    made = interpreters.venv(str(plain(_three()[-1], tmp_path / "base")), tmp_path / "venv")
    (site,) = (tmp_path / "venv").glob("lib/python*/site-packages")
    (site / "big.pth").write_text("import x;y=1\n" * 2_800_000)
    (site / "sitecustomize.py").write_text(f"x = {'(' * 20_000}1{')' * 20_000}\n")
    started = time.monotonic()
    done = repo.check("check-interpreter", "--python", str(made))
    assert time.monotonic() - started < 30
    assert done.code == 2
    assert f"{site / 'big.pth'}:1 UH402" in done.findings()
    (row,) = done.json()["checked"]["not_checked"]
    assert row["reason"] == f"interpreter: not started: {site / 'big.pth'} is too large"


def test_a_variable_that_python_takes_out_of_its_environment(one: Box) -> None:
    done = checked(one, __PYVENV_LAUNCHER__=sys.executable)
    assert f"UH409 __PYVENV_LAUNCHER__={sys.executable} is set" in done.out


def test_the_environment_as_it_was_given(tmp_path: Path) -> None:
    file = tmp_path / "environ"
    file.write_bytes(b"A=1\0__PYVENV_LAUNCHER__=/a=b\0B\xff=2\0")
    assert own_environment({"A": "2"}, str(file)) == {"A": "2", "__PYVENV_LAUNCHER__": "/a=b"}
    assert own_environment({"A": "2"}, str(tmp_path / "none")) == {"A": "2"}


@pytest.mark.full
def test_ten_thousand_distributions(repo: Repository, tmp_path: Path) -> None:
    made = interpreters.venv(str(plain(_three()[-1], tmp_path / "base")), tmp_path / "venv")
    (site,) = (tmp_path / "venv").glob("lib/python*/site-packages")
    for number in range(10_000):
        folder = site / f"d{number}-1.0.dist-info"
        folder.mkdir()
        (folder / "RECORD").write_text(f"d{number}.py,sha256=x,1\n")
    (site / "evil.pth").write_text("import os\n")
    started = time.monotonic()
    done = repo.check("check-interpreter", "--python", str(made))
    assert done.findings() == {f"{site / 'evil.pth'}:1 UH402"}
    assert time.monotonic() - started < 30


def test_check_alone_starts_no_interpreter(one: Box) -> None:
    one.write("evil.pth", "import os\n")
    done = run(*UNHAUNT, "check", "--python", one.python, cwd=one.repo)
    assert (done.code, "interpreter" in done.err) == (0, False)


def test_the_hook_as_the_manifest_has_it(one: Box) -> None:
    manifest = yaml.safe_load((Path(__file__).parent.parent / ".pre-commit-hooks.yaml").read_text())
    (row,) = [row for row in manifest if row["id"] == "check-interpreter"]
    assert (row["always_run"], row["stages"]) == (True, ["manual", "pre-push"])
    python, *words = row["entry"].split()
    one.write("evil.pth", "import os\n")
    env = {"HOME": str(one.home), "PRE_COMMIT": "1", "CONDA_PREFIX": str(one.prefix)}
    done = run(sys.executable, *words, cwd=one.repo, env=env)
    assert (python, done.code) == ("python", 1)
    assert "UH402" in done.out


def test_a_python_of_the_commit_is_not_started(repo: Repository, tmp_path: Path) -> None:
    made = interpreters.venv(_three()[-1], repo.path / ".venv")
    mark = tmp_path / "ran"
    (repo.path / ".venv/bin/python").unlink()
    shutil.copy(Path("/bin/sh").resolve(), made)
    for committed, code in ((".venv/pyvenv.cfg", 2), (".venv/bin/python", 2)):
        repo.add(committed)
        done = repo.check("check-interpreter", "check-import-origins")
        reasons = {row["reason"] for row in done.json()["checked"]["not_checked"]}
        assert (done.code, mark.exists()) == (code, False)
        assert all("it is part of the commit" in reason for reason in reasons), reasons
        repo.git("rm", "-q", "--cached", committed)


def test_a_fake_standard_library_is_not_run(one: Box) -> None:
    a_home_with_another_standard_library(one)
    done = checked(one)
    assert (done.code, (one.place / "fake/ran").exists()) == (2, False)
    assert "not started, because of its pyvenv.cfg" in done.out


def test_the_lists_of_the_system_are_believed_by_content() -> None:
    """Debian's sitecustomize is a link to a configuration file, whose sum dpkg's status has."""
    for path in Path("/usr/lib").glob("python3.*/sitecustomize.py"):
        owner = Owners([], "/usr").of(str(path))
        assert (owner.verdict, owner.name[:5]) == (Verdict.UNMODIFIED, "dpkg:")


def test_nothing_of_the_interpreter_is_executed(one: Box) -> None:
    mark = one.made(one.place / "ran")
    code = f"open({str(mark)!r}, 'w').close()\n"
    one.write("evil.pth", f"import planted; {code}")
    for name in ("sitecustomize.py", "planted.py", "usercustomize.py"):
        one.write(name, code)
    done = checked(one, "--verify-installed", "-v")
    assert (done.code, mark.exists()) == (1, False)
