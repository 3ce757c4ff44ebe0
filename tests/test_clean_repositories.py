"""Ordinary repositories stay quiet, each with a twin that shows that the check is not simply blind."""

from __future__ import annotations

import base64
import hashlib
import io
import os
import pickle
import shutil
import stat
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

import unhaunt
from tests.repository import Ran, Repository, run

Files = Mapping[str, str | bytes]


class Row(NamedTuple):
    """A repository that stays quiet, and the change after which it must not."""

    tracked: Files
    beside: Files  # written after the commit; .gitignore says whether ignored or untracked
    twin: Files  # what is staged on top of `tracked` to have something found
    found: set[str]
    twin_beside: Files = {}  # noqa: RUF012 (immutable)


def _config(text: str) -> Files:
    return {"pyproject.toml": text}


def _project(more: str = "", backend: str = "hatchling.build", requires: str = "hatchling") -> str:
    return (
        f'[build-system]\nrequires = ["{requires}"]\nbuild-backend = "{backend}"\n'
        f'[project]\nname = "pkg"\nversion = "1"\n{more}'
    )


_SO = "pkg/_fast.cpython-311-x86_64-linux-gnu.so"
_FAST: Files = {".gitignore": "*.so\nbuild/\n", "pkg/__init__.py": "from pkg._fast import f\n"}
_UNDECLARED = {f"{_SO} UH201 warning"}


def _built(declaration: Files, source: str = "pkg/_fast.pyx") -> Row:
    """An extension module that was built in place, and the same without a backend that makes it."""
    without = {name: _project() if name == "pyproject.toml" else "" for name in declaration}
    return Row({**_FAST, source: "", **declaration}, {_SO: b"\x7fELF"}, without, _UNDECLARED)


_VERSION: Files = {
    ".gitignore": "_version.py\n",
    "pkg/__init__.py": "from pkg._version import version\n",
}


def _versioned(declaration: str) -> Row:
    return Row(
        {**_VERSION, **_config(_project(declaration))},
        {"pkg/_version.py": "version = '1'\n"},
        _config(_project()),
        {"pkg/_version.py UH201"},
    )


_PROTO: Files = {
    ".gitignore": "*_pb2.py\n*_pb2_grpc.py\n",
    "api/__init__.py": "",
    "api/thing.proto": 'syntax = "proto3";\n',
    "client.py": "from api import thing_pb2\nfrom api import thing_pb2_grpc\n",
}
_STUBS: Files = {"api/thing_pb2.py": "", "api/thing_pb2_grpc.py": "import api.thing_pb2\n"}


def _protobuf(declaration: Files) -> Row:
    return Row(
        {**_PROTO, **declaration},
        _STUBS,
        dict.fromkeys(declaration, ""),
        {"api/thing_pb2.py UH201", "api/thing_pb2_grpc.py UH201"},
    )


_WEIGHTS: Files = {".gitignore": "data/\nwandb/\nmlruns/\n", "train.py": "import torch\n"}
_POISON: Files = {"model.pth": "import os; os.system('true')\n"}


def _weights(content: bytes) -> Row:
    return Row({**_WEIGHTS, "model.pth": content}, {}, _POISON, {"model.pth:1 UH102"})


def _zip() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("archive/data.pkl", pickle.dumps({"w": 1.5}))
    return buffer.getvalue()


_LFS = "version https://git-lfs.github.com/spec/v1\noid sha256:" + "a" * 64 + "\nsize 9\n"
_SETTINGS = "try:\n    from .local_settings import *\nexcept ImportError:\n    pass\n"

ROWS: dict[str, Row] = {
    # -- optional files of the developer
    "Django's settings import local_settings when there are some": Row(
        {".gitignore": "local_settings.py\n", "manage.py": "import site1.settings\n",
         "site1/__init__.py": "", "site1/settings.py": _SETTINGS},
        {"site1/local_settings.py": "DEBUG = True\n"},
        {"site1/settings.py": "from .local_settings import *\n"},
        {"site1/local_settings.py UH201"},
    ),
    "CircuitPython's secrets.py is ignored, and code.py raises with a hint": Row(
        {".gitignore": "secrets.py\n",
         "code.py": "try:\n    from secrets import secrets\nexcept ImportError:\n"
                    "    print('WiFi secrets are kept in secrets.py')\n    raise\n"},
        {"secrets.py": "secrets = {}\n"},
        {"code.py": "from secrets import secrets\n"},
        {"secrets.py UH202"},
    ),
    "an optional speed-up is imported under contextlib.suppress": Row(
        {"pkg/__init__.py": "import contextlib\nwith contextlib.suppress(ImportError):\n    import pkg._speed\n"},
        {"pkg/_speed.py": ""},
        {"pkg/__init__.py": "import contextlib\nwith contextlib.suppress(OSError):\n    import pkg._speed\n"},
        {"pkg/_speed.py UH201"},
    ),
    "an optional import is tried inside a function": Row(
        {"pkg/__init__.py": "def f():\n    try:\n        import pkg.extra\n    except ModuleNotFoundError:\n        return None\n"},
        {"pkg/extra.py": ""},
        {"pkg/__init__.py": "def f():\n    try:\n        import pkg.extra\n    except KeyError:\n        return None\n"},
        {"pkg/extra.py UH201"},
    ),
    "types are imported for a type checker alone": Row(
        {"pkg/__init__.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from pkg._types import T\n"},
        {"pkg/_types.py": ""},
        {"pkg/__init__.py": "from typing import TYPE_CHECKING\nif not TYPE_CHECKING:\n    from pkg._types import T\n"},
        {"pkg/_types.py UH201"},
    ),
    "a backport of a standard module is taken by version": Row(
        {"pyproject.toml": _project('dependencies = ["tomli; python_version < \'3.11\'"]\n'),
         "pkg/__init__.py": "import sys\nif sys.version_info >= (3, 11):\n    import tomllib\n"
                            "else:\n    import tomli as tomllib\n"},
        {"scratch/tomllib.py": "", "scratch/tomli.py": ""},
        {"pkg/__init__.py": "import sys\n"},
        {"tomli.py UH203", "tomllib.py UH202"},
        {"tomli.py": "", "tomllib.py": ""},
    ),
    "stubs are no modules": Row(
        {"pkg/__init__.py": "import pkg.core\n", "pkg/core.py": ""},
        {"json.pyi": "", "pkg/core.pyi": "", "typings/yaml/__init__.pyi": ""},
        {"pkg/__init__.py": "import pkg.other\n"},
        {"pkg/other.py UH201"},
        {"pkg/other.py": ""},
    ),
    # -- generated by a build
    "protobuf stubs, generator in build-system.requires": _protobuf(
        _config(_project(requires="grpcio-tools"))),
    "protobuf stubs, generator in a dependency group": _protobuf(
        _config(_project('[dependency-groups]\ndev = ["grpcio-tools>=1.60"]\n'))),
    "protobuf stubs, generator in an extra": _protobuf(
        _config(_project('[project.optional-dependencies]\ndev = ["mypy-protobuf"]\n'))),
    "protobuf stubs, generator in requirements-dev.txt": _protobuf(
        {"requirements-dev.txt": "grpcio-tools==1.62.0\n"}),
    "protobuf stubs, declared by glob": _protobuf(
        _config('[tool.unhaunt]\ngenerated = ["api/*_pb2*.py"]\n')),
    "a version file of setuptools-scm": _versioned('[tool.setuptools_scm]\nversion_file = "pkg/_version.py"\n'),
    "a version file of an older setuptools-scm": _versioned('[tool.setuptools_scm]\nwrite_to = "pkg/_version.py"\n'),
    "a version file of hatch-vcs": _versioned('[tool.hatch.build.hooks.vcs]\nversion-file = "pkg/_version.py"\n'),
    "a version file of pdm": _versioned('[tool.pdm.version]\nsource = "scm"\nwrite_to = "pkg/_version.py"\n'),
    "a version file of versioningit": _versioned('[tool.versioningit.write]\nfile = "pkg/_version.py"\n'),
    "a version file of poetry-dynamic-versioning": _versioned(
        '[tool.poetry-dynamic-versioning]\nenable = true\n'
        '[tool.poetry-dynamic-versioning.files."pkg/_version.py"]\npersistent-substitution = true\n'),
    "a version file that setup.py names": Row(
        {**_VERSION, "setup.py": "from setuptools import setup\nsetup(use_scm_version={'write_to': 'pkg/_version.py'})\n"},
        {"pkg/_version.py": ""}, {"setup.py": "from setuptools import setup\nsetup()\n"},
        {"pkg/_version.py UH201"},
    ),
    "a version file below src, as hatch-vcs writes it": Row(
        {".gitignore": "_version.py\n", "src/pkg/__init__.py": "from ._version import version\n",
         "pyproject.toml": _project('[tool.hatch.build.hooks.vcs]\nversion-file = "src/pkg/_version.py"\n')},
        {"src/pkg/_version.py": ""}, _config(_project()), {"src/pkg/_version.py UH201"},
    ),
    "Cython built in place by setup.py": _built(
        {"setup.py": "from Cython.Build import cythonize\nfrom setuptools import setup\n"
                     "setup(ext_modules=cythonize('pkg/*.pyx'))\n"}),
    "C built in place, declared in pyproject.toml": _built(
        _config(_project('[tool.setuptools]\next-modules = [{name = "pkg._fast", sources = ["f.c"]}]\n')), "f.c"),
    "Rust built in place by maturin": _built(_config(_project(backend="maturin", requires="maturin")), "src/lib.rs"),
    "Rust built in place by setuptools-rust": _built(
        _config(_project('[[tool.setuptools-rust.ext-modules]]\ntarget = "pkg._fast"\n')), "rust/src/lib.rs"),
    "built in place by meson-python": _built(
        _config(_project(backend="mesonpy", requires="meson-python")), "pkg/_fast.c"),
    "built in place by scikit-build-core": _built(
        _config(_project(backend="scikit_build_core.build", requires="scikit-build-core")), "pkg/_fast.cpp"),
    "built in place by a hatch hook": _built(
        _config(_project('[tool.hatch.build.hooks.custom]\npath = "build_ext.py"\n')), "pkg/_fast.c"),
    "built in place by hatch-cython": _built(
        _config(_project("[tool.hatch.build.hooks.cython]\n", requires="hatch-cython")), "pkg/_fast.pyx"),
    "built in place by poetry's build script": _built(
        {"pyproject.toml": _project('[tool.poetry.build]\nscript = "build.py"\n', "poetry.core.masonry.api", "poetry-core")},
        "pkg/_fast.c"),
    "built in place by cffi": _built(
        {"setup.py": "from setuptools import setup\nsetup(cffi_modules=['build_ffi.py:ffi'])\n"}, "build_ffi.py"),
    "compiled by mypyc beside its source": Row(
        {".gitignore": "*.so\n", "setup.py": "from mypyc.build import mypycify\nfrom setuptools import setup\n"
                                              "setup(ext_modules=mypycify(['pkg/_fast.py']))\n",
         "pkg/__init__.py": "from pkg._fast import f\n", "pkg/_fast.py": ""},
        {_SO: b"\x7fELF", "0a1b__mypyc.cpython-311-x86_64-linux-gnu.so": b"\x7fELF"},
        {"setup.py": ""}, _UNDECLARED,
    ),
    # -- data science
    "weights as a zip of pickles": _weights(_zip()),
    "weights as a legacy pickle": _weights(b"\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19." + pickle.dumps({"a": 1}, 2)),
    "weights as a Git LFS pointer": _weights(_LFS.encode()),
    "weights that DVC keeps": Row(
        {".gitignore": "/model.pth\n", "model.pth.dvc": "outs:\n- md5: a\n  path: model.pth\n"},
        {"model.pth": _zip()}, {}, {"model.pth:1 UH102"}, _POISON,
    ),
    "runs, data and notebooks beside a training script": Row(
        {**_WEIGHTS, "requirements.txt": "torch\nwandb\nmlflow\n", "train.py": "import torch\nimport wandb\n"},
        {"data/raw/x.csv": "1\n", "data/clean.py": "", "wandb/run-1/files/config.py": "", "wandb/run-1/logs/a.log": "",
         "mlruns/0/meta.yaml": "", "notebooks/eda.ipynb": "{}", "notebooks/scratch.py": "import data\n",
         "Untitled.ipynb": "{}"},
        {".gitignore": "data/\n"}, {"wandb/__init__.py UH203"}, {"wandb/__init__.py": ""},
    ),
    # -- layouts
    "each project of a monorepo has a config.py of its own": Row(
        {".gitignore": "build/\ndist/\n",
         **{f"services/{s}/{name}": text for s in ("a", "b") for name, text in {
             "pyproject.toml": _project(), "config.py": "X = 1\n", "main.py": "import config\n",
             "tests/test_main.py": "import config\nimport main\n"}.items()}},
        {"services/a/build/lib/config.py": "", "services/b/dist/config.py": "", "services/b/notes/config.py": ""},
        {"services/a/main.py": "import config\nimport helpers\n"}, {"services/a/helpers.py UH201"},
        {"services/a/helpers.py": "", "services/b/helpers.py": ""},
    ),
    "src layout with egg-info, build and caches": Row(
        {".gitignore": "*.egg-info/\nbuild/\ndist/\n.eggs/\n__pycache__/\n.*_cache/\n",
         "pyproject.toml": _project(backend="setuptools.build_meta", requires="setuptools"),
         "src/pkg/__init__.py": "from pkg import core\n", "src/pkg/core.py": "", "tests/test_core.py": "import pkg\n"},
        {"src/pkg.egg-info/PKG-INFO": "", "src/pkg.egg-info/SOURCES.txt": "", "build/lib/pkg/__init__.py": "",
         "build/lib/pkg/core.py": "", "dist/pkg-1.tar.gz": b"\x1f\x8b", ".eggs/wheel-1.egg/wheel/__init__.py": "",
         "src/pkg/__pycache__/core.cpython-311.pyc": b"", "tests/__pycache__/test_core.cpython-311-pytest-9.pyc": b"",
         ".mypy_cache/3.11/pkg/core.data.json": "", ".ruff_cache/0.1/1": "", ".pytest_cache/README.md": "",
         ".hypothesis/examples/a": "", "htmlcov/index.html": "", ".coverage": b""},
        {"src/pkg/__init__.py": "from pkg import core, more\n"}, {"src/pkg/more.py UH201"}, {"src/pkg/more.py": ""},
    ),
    "scratch files and notebooks in subfolders": Row(
        {"pkg/__init__.py": "", "tests/test_a.py": "import pkg\n"},
        {"scratch/try1.py": "import pkg\n", "scripts/one_off.py": "", "pkg/zz_wip.py": "import json\n",
         "notebooks/a.ipynb": "{}", "docs/notes/plot.py": ""},
        {"tests/test_a.py": "import pkg.zz_wip\n"}, {"pkg/zz_wip.py UH201"},
    ),
    "docs/conf.py of the developer": Row(
        {".gitignore": "docs/_build/\n", "docs/index.rst": "", "pkg/__init__.py": ""},
        {"docs/conf.py": "import sphinx\n", "docs/_build/html/conf.py": ""},
        {"docs/make.py": "import conf\n"}, {"docs/conf.py UH201"},
    ),
    "plugins of pytest that are tracked or installed": Row(
        {"conftest.py": 'pytest_plugins = ["tests.plugin", "pytester", "xdist.plugin"]\n', "tests/__init__.py": "",
         "tests/plugin.py": "", "tests/test_a.py": "", "pyproject.toml": '[tool.pytest.ini_options]\naddopts = "-p no:cacheprovider -p xdist"\n'},
        {"examples/conftest.py": "", "examples/demo.py": ""},
        {"conftest.py": 'pytest_plugins = ["tests.plugin", "tests.more"]\n'},
        {"tests/more.py UH201", "tests/conftest.py UH201"}, {"tests/more.py": "", "tests/conftest.py": ""},
    ),
    "a package with the name of a dependency is its own": Row(
        {"pyproject.toml": '[project]\nname = "my-pkg"\nversion = "1"\n[project.optional-dependencies]\n'
                           'all = ["my-pkg[fast]"]\nfast = ["numba"]\n',
         "my_pkg/__init__.py": "import my_pkg.core\n", "my_pkg/core.py": ""},
        {"my_pkg/wip.py": ""}, {"my_pkg/__init__.py": "import numba\n"}, {"numba.py UH203"}, {"numba.py": ""},
    ),
    "an extension without a package is somebody else's file": Row(
        {".gitignore": "lib/\n", "main.py": "import os\n"},
        {"lib/libfoo.so": b"\x7fELF", "lib/libbar-2.so": b"\x7fELF"},
        {"main.py": "import libqux\n"}, {"libqux.so UH201"}, {"libqux.so": b"\x7fELF"},
    ),
    "names that no import can spell": Row(
        {"main.py": ""}, {"my-script.py": "", "2024-report.py": "", "try.py.bak": "", "a.b.py": "", "class.py": ""},
        {}, {"report.py UH204"}, {"report.py": ""},
    ),
    "folders of node_modules and other languages": Row(
        {".gitignore": "node_modules/\ntarget/\n", "package.json": "{}", "main.py": "import os\n"},
        {"node_modules/.package-lock.json": "{}", "node_modules/node-gyp/gyp/pylib/gyp/__init__.py": "",
         "node_modules/node-gyp/gyp/gyp_main.py": "", "target/debug/build/x.py": ""},
        {}, {"tools/sitecustomize.py UH101"}, {"tools/sitecustomize.py": ""},
    ),
    "__pypackages__ as pdm fills it": Row(
        {".gitignore": "__pypackages__/\n", "main.py": "import six\n"},
        {"__pypackages__/3.11/lib/six.py": "", "__pypackages__/3.11/lib/a.pth": "import six\n"},
        {}, {"__pypackages__/a.pth:1 UH102"}, {"__pypackages__/a.pth": "import six\n"},
    ),
    "a conda or pixi environment inside": Row(
        {".gitignore": ".pixi/\n", "main.py": "import six\n"},
        {f"{env}/{path}": "import a\n" for env in (".pixi/envs/default", "env") for path in (
            "conda-meta/history", "lib/python3.11/site-packages/a.pth", "lib/python3.11/site-packages/six.py",
            "lib/python3.11/sitecustomize.py", "lib/python3.11/json/__init__.py")},
        {}, {"other/lib/python3.11/site-packages/a.pth:1 UH102"}, {"other/lib/python3.11/site-packages/a.pth": "import a\n"},
    ),
    "an init script of OpenRC and a tracked start-up text": Row(
        {"files/app.start": "#!/sbin/openrc-run\ncommand=/bin/app\n", "x.start": "start the server first\n"}, {},
        {"x.start": "pkg.main:run\n"}, {"x.start:1 UH104"},
    ),
    "tests that import helpers beside them": Row(
        {"tests/helpers.py": "", "tests/test_a.py": "import helpers\n", "tests/unit/test_b.py": "from helpers import x\n"},
        {"tests/wip_helpers.py": ""}, {"tests/test_a.py": "import wip_helpers\n"}, {"tests/wip_helpers.py UH201"},
    ),
    "a module of the same name that another project keeps to itself": Row(
        {"a/pyproject.toml": _project(), "a/utils.py": "", "a/main.py": "import utils\n", "b/pyproject.toml": _project(), "b/main.py": ""},
        {"b/utils.py": ""}, {"b/main.py": "import utils\n"}, {"b/utils.py UH201"},
    ),
    "a Python 2 script and a template cannot be parsed": Row(
        {"old.py": "print 'x'\nimport json\n", "{{cookiecutter.slug}}/main.py": "import {{ cookiecutter.slug }}\n"},
        {"old_data/x.py": ""}, {"old.py": "print 'x'\nimport helper\n"}, {"helper.py UH201"}, {"helper.py": ""},
    ),
}  # fmt: skip


def _serious(done: Ran) -> set[str]:
    assert done.code in (0, 1), done
    return {found for found in done.findings() if not found.endswith(" info")}


@pytest.mark.parametrize("sentence", ROWS)
def test_an_ordinary_repository_stays_quiet_and_its_twin_does_not(
    sentence: str, repo: Repository
) -> None:
    row = ROWS[sentence]
    repo.commit(row.tracked)
    repo.write(row.beside)
    done = repo.check()
    assert (done.code, _serious(done)) == (0, set())
    repo.write({**row.twin, **row.twin_beside})
    if row.twin:
        repo.add(*row.twin)
    assert _serious(repo.check()) == row.found


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return "sha256=" + base64.urlsafe_b64encode(digest).decode().rstrip("=")


def _wheel(folder: Path) -> Path:
    """A small wheel that ships a `.pth` and a `sitecustomize.py`, as coverage and others do."""
    path = folder / "hooky-1.0-py3-none-any.whl"
    files = {
        "hooky/__init__.py": "",
        "hooky.pth": "import hooky\n",
        "sitecustomize.py": "import hooky\n",
        "hooky-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: hooky\nVersion: 1.0\n",
        "hooky-1.0.dist-info/WHEEL": "Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = "".join(f"{name},{_hash(text)},\n" for name, text in files.items())
    record += "hooky-1.0.dist-info/RECORD,,\n"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in {**files, "hooky-1.0.dist-info/RECORD": record}.items():
            archive.writestr(name, text)
    return path


def test_what_pip_installs_into_an_ignored_folder_is_information(
    repo: Repository, tmp_path: Path
) -> None:
    repo.commit({".gitignore": "/vendor/\n", "main.py": "import os\n"})
    pip = (sys.executable, "-I", "-m", "pip", "--disable-pip-version-check", "install", "-q")
    done = run(*pip, "--no-index", "--no-deps", "-t", "vendor", _wheel(tmp_path), cwd=repo.path)
    assert done.code == 0, done
    done = repo.check()
    assert done.code == 0
    assert done.findings() == {
        "vendor/hooky.pth:1 UH102 info",
        "vendor/sitecustomize.py UH101 info",
    }
    repo.write({"vendor/hooky.pth": "import hooky, os\n"})
    assert "vendor/hooky.pth:1 UH102" in repo.findings()


def test_what_pip_installs_into_a_tracked_folder_is_found(repo: Repository, tmp_path: Path) -> None:
    pip = (sys.executable, "-I", "-m", "pip", "--disable-pip-version-check", "install", "-q")
    run(*pip, "--no-index", "--no-deps", "-t", "vendor", _wheel(tmp_path), cwd=repo.path)
    repo.add("vendor")
    assert {f for f in repo.findings() if not f.endswith("info")} == {
        "vendor/hooky.pth:1 UH102",
        "vendor/sitecustomize.py UH101",
    }


_NOBODY = 65534


def _reachable_python() -> str | None:
    """Return an interpreter that another user can run: this one may lie in somebody's home."""
    for python in (sys.executable, "/usr/bin/python3", "/usr/local/bin/python3"):
        try:
            done = subprocess.run(
                [python, "-I", "-c", "import sys; sys.exit(sys.version_info < (3, 11))"],
                user=_NOBODY, group=_NOBODY, extra_groups=[],
            )  # fmt: skip
        except OSError:
            continue
        if done.returncode == 0:
            return python
    return None


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="needs root to act as another")
def test_a_data_folder_of_root_is_counted_and_stops_nothing(
    repo: Repository, tmp_path: Path
) -> None:
    python = _reachable_python()
    if python is None:
        pytest.skip("no Python that another user can run")
    for folder in (tmp_path, *tmp_path.parents):
        if folder.is_relative_to(tempfile.gettempdir()) and folder != Path(tempfile.gettempdir()):
            folder.chmod(0o755)
    shutil.copytree(Path(unhaunt.__file__).parent, tmp_path / "copy" / "unhaunt")
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path / 'copy')!r}); sys.dont_write_bytecode = 1; "
        "from unhaunt.cli import main; sys.exit(main())"
    )

    def check() -> Ran:
        done = subprocess.run(
            [python, "-I", "-c", code, "check", "--format", "json"], cwd=repo.path, capture_output=True,
            user=_NOBODY, group=_NOBODY, extra_groups=[], env={**os.environ, "HOME": "/nonexistent"},
        )  # fmt: skip
        return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())

    repo.commit({".gitignore": "/pgdata/\n", "main.py": "import os\n"})
    for path in [repo.path, *repo.path.rglob("*")]:
        os.chown(path, _NOBODY, _NOBODY)
    repo.write({"pgdata/base/1.py": "", "pgdata/sitecustomize.py": ""})
    (repo.path / "pgdata").chmod(stat.S_IRWXU)
    done = check()
    assert done.code == 0, done
    assert [s["path"] for s in done.json()["checked"]["skipped"]] == ["pgdata"]
    (repo.path / "pgdata").chmod(0o755)
    assert check().findings() == {"pgdata/sitecustomize.py UH101"}


ENVIRONMENTS = {
    "venv": (".venv", "venv", "my env", ".tox/py311", ".nox/tests", "tools/deep/er/env"),
    "virtualenv": ("env",),
    "uv": (".uv-env",),
}


def _make_environment(kind: str, path: Path, where: Path) -> None:
    command: tuple[str, ...] = (sys.executable, "-I", "-m", kind, "--without-pip", str(path))
    if kind == "uv":
        command = (
            sys.executable, "-I", "-m", "uv", "venv", "-q", "--offline", "--no-python-downloads",
            "--python", sys.executable, str(path),
        )  # fmt: skip
    elif kind == "virtualenv":
        command = (sys.executable, "-I", "-m", kind, "-q", "--no-seed", str(path))
    done = run(*command, cwd=where)
    assert done.code == 0, done


@pytest.mark.parametrize("ignored", [True, False], ids=["ignored", "untracked"])
@pytest.mark.parametrize("kind", ENVIRONMENTS)
def test_an_environment_is_passed_over_whatever_its_name(
    kind: str, ignored: bool, repo: Repository
) -> None:
    repo.commit({".gitignore": "*env*\n.tox\n.nox\n" if ignored else "", "main.py": "import six\n"})
    names = ENVIRONMENTS[kind][: None if ignored else 2]
    for name in names:
        _make_environment(kind, repo.path / name, repo.path)
        packages = next((repo.path / name).glob("lib/python*/site-packages"))
        for file in ("a.pth", "sitecustomize.py", "six.py"):
            (packages / file).write_text("import os\n")
    done = repo.check()
    assert (done.code, done.findings()) == (0, set())
    assert {s["path"] for s in done.json()["checked"]["skipped"]} >= set(names)
    for name in names:
        (repo.path / name / "pyvenv.cfg").unlink()
    packages_of = {p.split("/site-packages")[0] for p in repo.findings()}
    assert len(packages_of) >= len(names)


def test_worktrees_of_agents_inside_are_passed_over(repo: Repository) -> None:
    repo.commit({"pkg/__init__.py": "", "main.py": "import pkg\n"})
    for number, place in enumerate((".worktrees/a", ".claude/worktrees/b", "c")):
        repo.git("worktree", "add", "-q", "-b", f"agent{number}", place)
        repo.write({f"{place}/helper.py": "", f"{place}/sitecustomize.py": ""})
    done = repo.check()
    assert (done.code, done.findings()) == (0, set())
    kinds = [s["reason"] for s in done.json()["checked"]["skipped"]]
    assert kinds == ["a linked worktree of this repository"] * 3
    inside = repo.check(cwd=repo.path / "c")
    assert inside.findings() == {"helper.py UH204", "sitecustomize.py UH101"}
    Repository.create(repo.path / "d").commit({"sitecustomize.py": ""})
    assert repo.findings() == {"d/sitecustomize.py UH101"}


def test_what_a_submodule_tracks_is_its_own_business(repo: Repository, tmp_path: Path) -> None:
    library = Repository.create(tmp_path / "library")
    library.commit({"sitecustomize.py": "", "a.pth": "import os\n", "json.py": "", "lib.py": ""})
    repo.commit({"main.py": "import lib\n"})
    repo.git("submodule", "add", "-q", str(library.path), "third_party/library")
    repo.commit()
    done = repo.check()
    assert done.code == 0, done
    assert {f for f in done.findings() if not f.endswith("info")} == set()
    repo.write({"third_party/library/usercustomize.py": ""})
    assert {f for f in repo.findings() if not f.endswith("info")} == {
        "third_party/library/usercustomize.py UH101"
    }
