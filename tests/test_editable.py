"""Editable installs by real build backends: the derived start and `where` equal the real ones.

The backend writes its files once; they hold no trace of a version, so they are put into an
environment of every interpreter.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests import interpreters
from tests.commandline import environment, unhaunt
from tests.test_interpreter import TRUTH, site_packages
from unhaunt.fingerprints.because import reasons
from unhaunt.interpreters.interpreter import derived

pytestmark = pytest.mark.full

PROJECT = '[project]\nname = "thing"\nversion = "1.0"\ndescription = "x"\n'
SETUPTOOLS = f'[build-system]\nrequires = ["setuptools>=64"]\nbuild-backend = "setuptools.build_meta"\n{PROJECT}'
#: backend -> (pyproject.toml, folder of the package, whether it works by a finder)
BACKENDS = {
    "setuptools, flat": (f'{SETUPTOOLS}[tool.setuptools]\npackages = ["thing"]\n', ".", True),
    "setuptools, src": (f'{SETUPTOOLS}[tool.setuptools.packages.find]\nwhere = ["src"]\n', "src", False),
    "hatchling": (f'[build-system]\nrequires = ["hatchling"]\nbuild-backend = "hatchling.build"\n{PROJECT}[tool.hatch.build.targets.wheel]\npackages = ["src/thing"]\n', "src", False),
    "flit": (f'[build-system]\nrequires = ["flit_core>=3.4"]\nbuild-backend = "flit_core.buildapi"\n{PROJECT}', ".", False),
    "poetry-core": (f'[build-system]\nrequires = ["poetry-core>=2"]\nbuild-backend = "poetry.core.masonry.api"\n{PROJECT}[tool.poetry]\npackages = [{{include = "thing", from = "src"}}]\n', "src", False),
}  # fmt: skip
ORIGIN = "import thing, thing.part; print('\\nORIGIN', thing.__file__, thing.part.__file__)"


def installed(checkout: Path, place: Path) -> Path:
    """Install a checkout editable with pip; return the site-packages."""
    subprocess.run([sys.executable, "-I", "-m", "venv", place], check=True)
    words = ["-I", "-m", "pip", "install", "-q", "--no-deps", "-e", str(checkout)]
    pip = [str(place / "bin" / "python"), *words]
    done = subprocess.run(
        pip, env=interpreters.ORIGINAL, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return site_packages(place / "bin" / "python")


def transplanted(source: Path, python: str, place: Path) -> Path:
    """Put what the backend wrote into an environment of another interpreter."""
    made = interpreters.venv(python, place)
    for file in source.iterdir():
        ours = "thing" in file.name
        if ours and file.is_dir():
            shutil.copytree(file, site_packages(made) / file.name)
        elif ours:
            shutil.copy(file, site_packages(made) / file.name)
    return made


@pytest.mark.parametrize("backend", BACKENDS)
def test_an_editable_install_is_read_as_it_works(backend: str, tmp_path: Path) -> None:
    project, folder, finder = BACKENDS[backend]
    checkout = tmp_path / "checkout"
    (checkout / folder / "thing").mkdir(parents=True)
    (checkout / "pyproject.toml").write_text(project)
    (checkout / folder / "thing" / "__init__.py").write_text('"""x"""\n__version__ = "1.0"\n')
    (checkout / folder / "thing" / "part.py").write_text("")
    # What runs on every start once the root is on the path, from any folder, -I or not.
    (checkout / folder / "sitecustomize.py").write_text("print('haunted')\n")
    source = installed(checkout, tmp_path / "pip")
    away = tmp_path / "away"
    away.mkdir()
    (away / "truth.py").write_text(TRUTH + ORIGIN)
    env = environment(tmp_path)
    for version, python in interpreters.supported().items():
        made = transplanted(source, python, tmp_path / version)
        answer = derived(str(made), env, str(away))
        assert answer.facts is not None
        done = subprocess.run(
            [made, "-B", "-I", away / "truth.py"],
            cwd=away,
            env=env,
            capture_output=True,
            text=True,
            check=True,
        )
        path = json.loads(done.stdout.partition("\nTRUTH ")[2].splitlines()[0])[0]
        # Under -I there is no folder of the script in front.
        assert [row["entry"] for row in answer.facts["path"]][1:] == path, version
        loaded = [r for r in answer.facts["startup"]["modules"] if str(checkout) in r["path"]]
        states = {r["state"] for r in loaded}
        assert ("haunted" in done.stdout) == (states == {"loaded"}), version
        assert bool(loaded) is not finder
        rows = {r["entry"]: r["because"] for r in reasons(answer.facts, answer.facts, None)}
        if not finder:
            assert ".pth line 1" in rows[os.path.normpath(checkout / folder)]
        asked = ("where", "thing", "thing.part", "--python", made, "--format", "json")
        modules = unhaunt(*asked, cwd=away, env=env).json["modules"]
        assert [m["origin"] for m in modules] == done.stdout.partition("\nORIGIN ")[2].split(), (
            version
        )
        assert modules[0]["owner"] == "thing 1.0 (editable)"
