"""Which Python is the project's, and what is seen of an interpreter before it starts."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from unhaunt.errors import UserError
from unhaunt.interpreters.preflight import hazards, hops, locate, suspects
from unhaunt.interpreters.project_python import project_python

Make = Callable[[Path], dict[str, str]]


def environment_at(folder: Path) -> Path:
    """Make what looks like an environment."""
    (folder / "bin").mkdir(parents=True)
    (folder / "pyvenv.cfg").write_text("home = /usr/bin\n")
    (folder / "bin" / "python").symlink_to(sys.executable)
    return folder


def on_path(folder: Path) -> dict[str, str]:
    (folder / "path").mkdir(exist_ok=True)
    (folder / "path" / "python").symlink_to(sys.executable)
    return {"PATH": str(folder / "path")}


def virtual_env(root: Path) -> dict[str, str]:
    environment_at(root / "repo" / ".venv")
    return {"VIRTUAL_ENV": str(environment_at(root / "active"))}


def in_a_hook(root: Path) -> dict[str, str]:
    environment_at(root / "repo" / ".venv")
    return {"VIRTUAL_ENV": str(environment_at(root / "active")), "PRE_COMMIT": "1"}


def conda(root: Path) -> dict[str, str]:
    return {"CONDA_PREFIX": str(environment_at(root / "conda"))}


def venv(root: Path) -> dict[str, str]:
    environment_at(root / "repo" / "venv")
    return on_path(root)


def above(root: Path) -> dict[str, str]:
    environment_at(root / "repo" / ".venv")
    (root / "repo" / "sub").mkdir()
    return {}


def outside_of_the_repository(root: Path) -> dict[str, str]:
    environment_at(root / ".venv")
    return on_path(root)


def hatch(root: Path) -> dict[str, str]:
    environment_at(root / "data/hatch/env/virtual/repo/AbC/repo")
    return {"XDG_DATA_HOME": str(root / "data")}


def poetry(root: Path) -> dict[str, str]:
    import base64
    import hashlib

    name = base64.urlsafe_b64encode(hashlib.sha256(str(root / "repo").encode()).digest()).decode()[
        :8
    ]
    environment_at(root / f"cache/pypoetry/virtualenvs/repo-{name}-py3.12")
    environment_at(root / "cache/pypoetry/virtualenvs/repo-AAAAAAAA-py3.12")
    return {"XDG_CACHE_HOME": str(root / "cache")}


def pdm(root: Path) -> dict[str, str]:
    place = environment_at(root / "kept")
    (root / "repo/.pdm-python").write_text(f"{place}/bin/python\n")
    return {}


def uv(root: Path) -> dict[str, str]:
    environment_at(root / "kept")
    return {"UV_PROJECT_ENVIRONMENT": "../kept"}


def a_tools_own(root: Path) -> dict[str, str]:
    place = environment_at(root / "cache/pre-commit/repo1/py_env")
    return {"VIRTUAL_ENV": str(place), **on_path(root)}


CHOSEN: dict[str, tuple[Make, str, str]] = {
    "VIRTUAL_ENV comes first": (virtual_env, "active/bin/python", "VIRTUAL_ENV"),
    "VIRTUAL_ENV in a hook is the hook's": (
        in_a_hook,
        "repo/.venv/bin/python",
        ".venv of the project",
    ),
    "CONDA_PREFIX": (conda, "conda/bin/python", "CONDA_PREFIX"),
    "venv before PATH": (venv, "repo/venv/bin/python", "venv of the project"),
    "an environment above the folder": (above, "repo/.venv/bin/python", ".venv of the project"),
    "none outside of the repository": (outside_of_the_repository, "path/python", "python on PATH"),
    "hatch's": (hatch, "data/hatch/env/virtual/repo/AbC/repo/bin/python", "hatch"),
    "poetry's, by the hash of the folder": (
        poetry,
        "cache/pypoetry/virtualenvs/repo-*-py3.12/bin/python",
        "poetry",
    ),
    "pdm's": (pdm, "kept/bin/python", ".pdm-python"),
    "uv's": (uv, "kept/bin/python", "UV_PROJECT_ENVIRONMENT"),
    "a tool's own environment is passed over": (a_tools_own, "path/python", "python on PATH"),
}


@pytest.mark.parametrize(("make", "executable", "because"), CHOSEN.values(), ids=CHOSEN)
def test_the_projects_python(make: Make, executable: str, because: str, tmp_path: Path) -> None:
    (tmp_path / "repo/.git").mkdir(parents=True)
    env = {"PATH": "", "HOME": str(tmp_path / "home"), **make(tmp_path)}
    cwd = tmp_path / "repo/sub" if (tmp_path / "repo/sub").exists() else tmp_path / "repo"
    found = project_python(env, str(cwd))
    assert found is not None
    assert Path(found.executable) in tmp_path.glob(executable)
    assert because in found.because


def test_none_is_left(tmp_path: Path) -> None:
    assert project_python({"PATH": "", "HOME": str(tmp_path)}, str(tmp_path)) is None


def test_the_one_that_was_asked_for_must_be_there(tmp_path: Path) -> None:
    assert project_python({"PATH": ""}, str(tmp_path), asked=sys.executable) is not None
    for words in ({"asked": "missing"}, {"configured": "missing"}):
        with pytest.raises(UserError, match="missing"):
            project_python({"PATH": ""}, str(tmp_path), **words)


def test_every_hop_of_a_link_is_seen(tmp_path: Path) -> None:
    (tmp_path / "c").write_bytes(b"\x7fELF")
    (tmp_path / "b").symlink_to("c")
    (tmp_path / "a").symlink_to(tmp_path / "b")
    assert list(hops(str(tmp_path / "a"))) == [str(tmp_path / name) for name in "abc"]
    (tmp_path / "loop").symlink_to("loop")
    assert str(tmp_path / "loop") in list(hops(str(tmp_path / "loop")))


HAZARDS = {
    "a ._pth beside the link": "prefix/bin/python._pth",
    "a ._pth beside the executable itself": "base/bin/python3.13._pth",
    "a build tree's marker": "base/bin/pybuilddir.txt",
    "an archive before the standard library": "base/lib/python313.zip",
    "an archive above": "lib/python313.zip",
}


@pytest.mark.parametrize("name", HAZARDS.values(), ids=HAZARDS)
def test_what_redirects_an_interpreter_is_found(name: str, tmp_path: Path) -> None:
    for folder in ("prefix/bin", "base/bin"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "base/bin/python3.13").write_bytes(b"\x7fELF")
    (tmp_path / "prefix/bin/python").symlink_to(tmp_path / "base/bin/python3.13")
    assert [
        h for h in hazards(str(tmp_path / "prefix/bin/python")) if str(tmp_path) in h.path
    ] == []
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / name).write_text("")
    assert [h.path for h in hazards(str(tmp_path / "prefix/bin/python"))] == [str(tmp_path / name)]


SUSPECTS: dict[str, tuple[Callable[[Path], object], bool]] = {
    "a FIFO": (lambda p: os.mkfifo(p), True),
    "not UTF-8": (lambda p: p.write_bytes(b"\xe9"), True),
    "a dangling link": (lambda p: p.symlink_to("nowhere"), True),
    "a plain file": (lambda p: p.write_text("/x\n"), False),
    "a folder": (lambda p: p.mkdir(), False),
}


@pytest.mark.parametrize(
    "place", ["v/lib/python3.12/site-packages", ".local/lib/python3.12/site-packages"]
)
@pytest.mark.parametrize(("make", "found"), SUSPECTS.values(), ids=SUSPECTS)
def test_a_file_that_could_end_a_start_is_suspected(
    make: Callable[[Path], object], found: bool, place: str, tmp_path: Path
) -> None:
    (tmp_path / place).mkdir(parents=True)
    make(tmp_path / place / "x.pth")
    executable = str(tmp_path / "v/bin/python")
    assert bool(list(suspects(executable, {"HOME": str(tmp_path)}))) is found


VERSIONS: dict[str, tuple[dict[str, str], str, str]] = {
    "PYENV_VERSION": ({"PYENV_VERSION": "3.11.1"}, "3.11.1", "PYENV_VERSION"),
    "a prefix means the newest": ({"PYENV_VERSION": "3.11"}, "3.11.10", "PYENV_VERSION"),
    "the nearest file": ({}, "3.12.0", ".python-version:2"),
}


@pytest.mark.parametrize(("variables", "version", "because"), VERSIONS.values(), ids=VERSIONS)
def test_a_shim_is_followed_as_pyenv_would(
    variables: dict[str, str], version: str, because: str, tmp_path: Path
) -> None:
    for name in ("3.11.1", "3.11.10", "3.11.9", "3.12.0"):
        (tmp_path / f"versions/{name}/bin").mkdir(parents=True)
        (tmp_path / f"versions/{name}/bin/python").symlink_to(sys.executable)
    (tmp_path / "shims").mkdir()
    (tmp_path / "shims/python").write_text("#!/usr/bin/env bash\nexec pyenv exec\n")
    (tmp_path / "shims/python").chmod(0o755)
    (tmp_path / "a/b").mkdir(parents=True)
    (tmp_path / "a/.python-version").write_text("# ours\n3.12.0\n")
    env = {"PATH": str(tmp_path / "shims"), "PYENV_ROOT": str(tmp_path), **variables}
    found = locate("python", env, str(tmp_path / "a/b"))
    assert found.executable == str(tmp_path / f"versions/{version}/bin/python")
    assert because in found.because
