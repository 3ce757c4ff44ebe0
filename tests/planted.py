"""Small projects in which something is planted, and the environments that it is planted in."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from tests import interpreters
from tests.commandline import environment
from tests.repository import Repository

#: what pytest needs, taken from where this test runs
PYTEST = ("pytest", "_pytest", "pluggy", "iniconfig", "packaging", "pygments", "py.py")


class Planted(NamedTuple):
    """A repository, an environment, and the words that run its check."""

    repository: Repository
    env: dict[str, str]
    python: Path
    site: Path

    @property
    def root(self) -> Path:
        return self.repository.path


def made_environment(folder: Path, *, system: bool) -> Path:
    """Lay out a virtual environment by hand, with this Python's own pytest; return its folder.

    docs.python.org/3/library/venv.html says what one consists of.
    """
    base = Path(sys.base_prefix) / "bin" / f"python{sys.version_info[0]}.{sys.version_info[1]}"
    site = folder / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"
    site.mkdir(parents=True)
    (folder / "bin").mkdir()
    (folder / "bin" / "python").symlink_to(base)
    word = "true" if system else "false"
    (folder / "pyvenv.cfg").write_text(
        f"home = {base.parent}\ninclude-system-site-packages = {word}\n"
    )
    own = Path(sysconfig.get_paths()["purelib"])
    for name in PYTEST:
        (site / name).symlink_to(own / name)
    script = folder / "bin" / "pytest"
    script.write_text(
        f"#!{folder}/bin/python\nimport sys\nfrom pytest import console_main\n"
        "sys.exit(console_main())\n"
    )
    script.chmod(0o755)
    return folder


class Plant(NamedTuple):
    """One row of the table. `{root}`, `{site}`, `{home}`, `{tmp}` and `{python}` are filled in."""

    command: str
    committed: Mapping[str, str]
    expected: tuple[str, ...] = ()  # the beginning of each culprit's name
    verdict: str = "do-not-trust"
    present: Mapping[str, str] = {}  # files anywhere that are in no commit
    env: Mapping[str, str] = {}
    editable: str = ""  # a folder of the project that a .pth of the environment names
    system: bool = False  # the environment lets the user site in
    cwd: str = ""


def planted(row: Plant, folder: Path, python: str | None = None) -> Planted:
    """Build the project of a row; with `python`, in an environment that its own venv makes."""
    home, root = folder / "home", folder / "repo"
    home.mkdir()
    env_folder = folder / "venv"
    if python:
        interpreters.venv(python, env_folder, *["--system-site-packages"] * row.system)
    else:
        made_environment(env_folder, system=row.system)
    site = next((env_folder / "lib").glob("*/site-packages"))
    places = {
        "root": root, "site": site, "tmp": folder,
        "home": home / ".local" / site.relative_to(env_folder),
        "python": env_folder / "bin" / "python",
    }  # fmt: skip
    repository = Repository.create(root)
    repository.write(row.committed)
    for name in {"tox"} & set(row.committed):
        (root / name).chmod(0o755)
    repository.commit({"README": "x\n", **row.committed})
    if row.editable:
        (site / "project.pth").write_text(f"{root / row.editable}\n")
    if {"{site}/sitecustomize.py", "{home}/sitecustomize.py"} & set(row.present):
        interpreters.needs_sitecustomize()
    for name, content in row.present.items():
        target = Path(name.format(**places)) if name.startswith("{") else root / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(content.format(**places) if "{tmp}" in content else content)
        if name.endswith(".sh"):
            target.chmod(0o755)
    path = os.pathsep.join([f"{env_folder}/bin", os.defpath])
    variables = {"PATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    variables |= {k: v.format(**places) for k, v in row.env.items()}
    return Planted(repository, environment(home, **variables), places["python"], site)


def words(row: Plant, built: Planted) -> list[str]:
    """Return the command of a row."""
    return row.command.format(python=built.python, root=built.root).split(" ")


def bare(command: list[str], built: Planted) -> int:
    """Run a command as it is, and return its exit code."""
    done = subprocess.run(command, cwd=built.root, env=built.env, capture_output=True, check=False)
    return done.returncode
