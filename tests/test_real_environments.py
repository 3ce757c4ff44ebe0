"""The benign side of `check-interpreter`, with real wheels in real environments: no warning.

Needs a package index (the one that pip is configured for), so it is part of the full run.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests import interpreters
from tests.planted_environments import plain
from tests.repository import UNHAUNT, Ran, Repository, run

pytestmark = pytest.mark.full

BIN = Path(sys.executable).parent
OLD, NEW = interpreters.between((3, 8), (3, 9)), interpreters.between((3, 11), (3, 13))

#: what ships startup code -> (requirement, a Python that it installs on, what has to be shown)
WHEELS = {
    "setuptools": (("setuptools",), NEW, "distutils-precedence.pth UH402"),
    "coverage": (("coverage>=7.10",), NEW, "a1_coverage.pth UH402"),
    "pytest-cov 6": (("pytest-cov==6.*",), NEW, "pytest-cov.pth UH402"),
    "hunter": (("hunter",), NEW, "hunter.pth UH402"),
    "future-fstrings": (("future-fstrings",), OLD, "aaaaa_future_fstrings.pth UH402"),
    "better-exceptions": (("better-exceptions",), NEW, "better_exceptions_hook.pth UH402"),
    "pip-system-certs": (("pip-system-certs",), NEW, "pip_system_certs.pth UH402"),
    "matplotlib of the nspkg era": (
        ("matplotlib==3.6.3", "numpy<2"), OLD, "-nspkg.pth UH402",
    ),
}  # fmt: skip


def pip(python: Path, *words: str, by: str | Path = sys.executable) -> None:
    """Install with the pip of the tests' own Python, or with that of another one."""
    command = [by, "-m", "pip", "--python", str(python), "install", "-q"]
    subprocess.run([*command, "--disable-pip-version-check", *words], check=True, timeout=600)


def bundled_pip(python: str, place: Path) -> Path:
    """Return a Python with the pip that came with it: the newest drops old Pythons."""
    subprocess.run([python, "-I", "-m", "venv", place], check=True, timeout=300)
    return place / "bin" / "python"


def looked_at(repo: Repository, python: Path) -> tuple[Ran, set[str]]:
    """Check an environment, all of its files too; return what is above information."""
    done = repo.check("check-interpreter", "--verify-installed", "--python", str(python))
    shown = done.findings()
    return done, {row for row in shown if not row.endswith(" info")}


def environment(python: str, place: Path) -> Path:
    """Make an environment of a Python without startup code of its own."""
    return interpreters.venv(str(plain(python, place / "base")), place / "venv")


@pytest.mark.parametrize("name", WHEELS)
def test_wheels_with_startup_code(name: str, repo: Repository, tmp_path: Path) -> None:
    requirements, python, expected = WHEELS[name]
    made = environment(python, tmp_path)
    pip(
        made,
        *requirements,
        by=bundled_pip(OLD, tmp_path / "pip") if python == OLD else sys.executable,
    )
    done, above = looked_at(repo, made)
    assert above == set(), done
    file, code = expected.split()
    assert any(f"{file}:" in row and f" {code} info" in row for row in done.findings()), done


#: a build backend -> its part of pyproject.toml, and the layout
EDITABLE = {
    "setuptools flat": ("setuptools>=64", "setuptools.build_meta", ""),
    "setuptools src": ("setuptools>=64", "setuptools.build_meta", "src/"),
    "hatchling": ("hatchling", "hatchling.build", "src/"),
    "flit": ("flit_core>=3.8", "flit_core.buildapi", ""),
    "poetry-core": ("poetry-core>=2", "poetry.core.masonry.api", "src/"),
    "pdm-backend": ("pdm-backend", "pdm.backend", "src/"),
    "uv_build": ("uv_build", "uv_build", "src/"),
}


@pytest.mark.parametrize("name", EDITABLE)
def test_editable_installs(name: str, repo: Repository, tmp_path: Path) -> None:
    requires, backend, source = EDITABLE[name]
    project = '[project]\nname = "demo_pkg"\nversion = "1.0"\ndescription = "x"\n'
    system = f'[build-system]\nrequires = ["{requires}"]\nbuild-backend = "{backend}"\n'
    repo.commit(
        {"pyproject.toml": project + system, f"{source}demo_pkg/__init__.py": "VALUE = 1\n"}
    )
    made = environment(NEW, tmp_path)
    pip(made, "-e", str(repo.path))
    done, above = looked_at(repo, made)
    assert above == set(), done
    origins = repo.check("check-import-origins", "--strict", "--python", str(made))
    assert (origins.code, origins.findings()) == (0, set()), origins
    # Seen from another checkout it is an editable install all the same, of other code.
    other = Repository.create(tmp_path / "elsewhere")
    assert looked_at(other, made)[1] == set()


@pytest.mark.parametrize("tool", ["virtualenv", "uv", "uv with seeds"])
@pytest.mark.parametrize("python", [OLD, NEW], ids=["old", "new"])
def test_environments_of_tools(tool: str, python: str, repo: Repository, tmp_path: Path) -> None:
    base = str(plain(python, tmp_path / "base"))
    kinds: dict[str, list[str | Path]] = {
        "virtualenv": [BIN / "virtualenv", "-q", "-p", base],
        "uv": [BIN / "uv", "venv", "-q", "--no-project", "--python", base],
        "uv with seeds": [BIN / "uv", "venv", "-q", "--no-project", "--seed", "--python", base],
    }
    subprocess.run([*kinds[tool], tmp_path / "made"], check=True, timeout=300)
    done, above = looked_at(repo, tmp_path / "made/bin/python")
    assert above == set(), done


def test_the_overlay_of_uv_run(repo: Repository, tmp_path: Path) -> None:
    """`uv run --with` adds a site-packages by an import line that nobody lists."""
    base = str(plain(NEW, tmp_path / "base"))
    # The overlay lives as long as the command, so that is what runs the check, on its own Python.
    code = "import subprocess, sys; sys.exit(subprocess.call([*sys.argv[1:], sys.executable]))"
    check = [*UNHAUNT, "check", "check-interpreter", "--strict", "-v", "-C", str(repo.path)]
    uv: list[str | Path] = [
        BIN / "uv",
        "run",
        "-q",
        "--no-project",
        "--system-certs",
        "--with",
        "iniconfig",
    ]
    command = [*uv, "--python", base, "python", "-c", code, *check, "--python"]
    done = run(*command, cwd=tmp_path, env={"UV_CACHE_DIR": str(tmp_path / "cache")})
    assert done.code == 0, done
    assert "_uv_ephemeral_overlay.pth:1: UH402 info: " in done.out
