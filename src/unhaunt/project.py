"""What the configuration of a repository says about imports: roots, dependencies, generated files.

Every folder with a `pyproject.toml`, `setup.cfg` or `setup.py` is a project, and so is the root.
Read from the commit under judgement, never from the working tree. Pure but for what the inventory
reads. Sources: PEP 517, 518, 621, 735, the manuals of the build backends and of pytest.
"""

from __future__ import annotations

import functools
import itertools
import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from unhaunt.inventory import Inventory
from unhaunt.requirement import import_names, requirement_names
from unhaunt.versions import SUPPORTED, allowed

_FILES = (
    "pyproject.toml", "setup.cfg", "setup.py", "pytest.ini", ".pytest.ini", "pytest.toml",
    ".pytest.toml", "tox.ini", "Pipfile", "environment.yml", "environment.yaml",
)  # fmt: skip
_MARKERS = ("pyproject.toml", "setup.cfg", "setup.py")
_BACKENDS_OF_EXTENSIONS = (
    "maturin",
    "scikit_build_core",
    "mesonpy",
    "py_build_cmake",
    "setuptools_rust",
)
_SIGNS_OF_EXTENSIONS = re.compile(
    r"ext[-_]modules|cythonize|Extension\(|rust[-_]extensions|mypycify|pybind11|cffi_modules|"
    r"hatch-(cython|mypyc)|hatch-cppyy|scikit-build|build\.hooks\.(cython|mypyc|custom)"
)
_PROTOBUF = re.compile(
    r"grpcio-tools|hatch-protobuf|betterproto|mypy-protobuf|protoc|setuptools-protobuf"
)


class Reference(NamedTuple):
    """A module that the configuration itself has imported, and the place that says so."""

    module: str
    place: str  # "path:line"


class Project(NamedTuple):
    """One project of the repository. Folders are relative to the repository's root, "" is the root."""

    folder: str
    import_roots: tuple[str, ...] = ()
    editable_folders: tuple[str, ...] = ()  # what `pip install -e` would put on the path
    dependencies: frozenset[str] = frozenset()  # by the names under which they are imported
    generated: tuple[str, ...] = ()  # paths and globs, relative to the repository's root
    makes_extensions: bool = False
    makes_protobuf: bool = False
    minors: frozenset[int] = SUPPORTED
    references: tuple[Reference, ...] = ()


class _Config(NamedTuple):
    folder: str
    texts: Mapping[str, str]  # file name -> text
    toml: Mapping[str, object]  # of pyproject.toml
    unreadable: tuple[str, ...]

    def table(self, *keys: str) -> Mapping[str, object]:
        found: object = self.toml
        for key in keys:
            found = found.get(key) if isinstance(found, dict) else None
        return found if isinstance(found, dict) else {}

    def ini(self, name: str, section: str) -> Mapping[str, str]:
        return _ini(self.texts.get(name, "")).get(section, {})


@functools.lru_cache(maxsize=1)
def projects(inventory: Inventory) -> tuple[Project, ...]:
    """Return the projects of the repository, the deepest folder first."""
    return tuple(_project(inventory, config) for config in _configs(inventory))


@functools.lru_cache(maxsize=1)
def unreadable(inventory: Inventory) -> tuple[str, ...]:
    """Return the configuration files that could not be read, so that nothing was taken from them."""
    return tuple(path for config in _configs(inventory) for path in config.unreadable)


def owner(inventory: Inventory, path: str) -> Project:
    """Return the project that `path` belongs to: the one with the deepest folder above it."""
    found = projects(inventory)
    return next(p for p in found if not p.folder or path.startswith(p.folder + "/"))


@functools.lru_cache(maxsize=1)
def _configs(inventory: Inventory) -> tuple[_Config, ...]:
    by_folder: dict[str, dict[str, str]] = {"": {}}
    wanted = [e for e in inventory.select((*_FILES, ".txt")) if _is_config(e.path)]
    for entry, data in inventory.committed(wanted):
        texts = by_folder.setdefault(_project_folder(entry.path), {})
        texts[_key(entry.path)] = data.decode("utf-8", "replace").replace("\r\n", "\n")
    kept = {
        folder: texts
        for folder, texts in by_folder.items()
        if not folder or any(name in texts for name in _MARKERS)
    }
    return tuple(_config(folder, kept[folder]) for folder in sorted(kept, key=len, reverse=True))


def _is_config(path: str) -> bool:
    name = path.rpartition("/")[2]
    is_requirements = re.search(
        r"(^|/)[^/]*requirements[^/]*\.txt\Z|(^|/)requirements/[^/]+\.txt\Z", path
    )
    return name in _FILES or bool(is_requirements)


def _project_folder(path: str) -> str:
    folder = path.rpartition("/")[0]
    return re.sub(r"(^|/)requirements\Z", "", folder) if path.endswith(".txt") else folder


def _key(path: str) -> str:
    name = path.rpartition("/")[2]
    return name if name in _FILES else path


def _config(folder: str, texts: dict[str, str]) -> _Config:
    toml, bad = _toml(texts.get("pyproject.toml", ""))
    broken = (posixpath.join(folder, "pyproject.toml"),) if bad else ()
    return _Config(folder, texts, toml, broken)


def _toml(text: str) -> tuple[dict[str, object], bool]:
    if not text.strip():
        return {}, False
    import tomllib

    try:
        return tomllib.loads(text), False
    except (tomllib.TOMLDecodeError, RecursionError):
        return {}, True


def _ini(text: str) -> dict[str, dict[str, str]]:
    if not text:
        return {}
    import configparser

    parser = configparser.RawConfigParser(strict=False, allow_no_value=True)
    try:
        parser.read_string(text)
    except configparser.Error:
        return {}
    return {name: {k: v or "" for k, v in parser.items(name)} for name in parser.sections()}


def _project(inventory: Inventory, config: _Config) -> Project:
    roots = [_inside(config.folder, root) for root in _root_folders(inventory, config)]
    text = "\n".join(config.texts.values())
    return Project(
        config.folder,
        tuple(dict.fromkeys(root for root in roots if root is not None)),
        tuple(_editable_folders(inventory, config)),
        frozenset(_dependencies(config)),
        tuple(_generated(config)),
        _makes_extensions(config, text),
        bool(_PROTOBUF.search(text)),
        allowed(_requires_python(config)),
        tuple(_references(config)),
    )


# -- import roots


def _root_folders(inventory: Inventory, config: _Config) -> Iterator[str]:
    yield "."
    if inventory.kind_on_disk(posixpath.join(config.folder, "src")) == "folder":
        yield "src"
    yield from _pytest_pythonpath(config)
    yield from _package_folders(config)


def _pytest_pythonpath(config: _Config) -> Iterator[str]:
    for options in pytest_options(config):
        yield from _words(options.get("pythonpath"))


def pytest_options(config: _Config) -> Iterator[Mapping[str, object]]:
    """Yield the tables in which pytest looks for its options."""
    yield config.table("tool", "pytest", "ini_options")
    yield config.table("tool", "pytest")
    for name in ("pytest.ini", ".pytest.ini", "tox.ini"):
        yield config.ini(name, "pytest")
    yield config.ini("setup.cfg", "tool:pytest")


def _package_folders(config: _Config) -> Iterator[str]:
    setuptools = config.table("tool", "setuptools")
    yield from _package_dir(setuptools.get("package-dir"))
    yield from _package_dir(_pairs(config.ini("setup.cfg", "options").get("package_dir", "")))
    yield from _package_dir(_setup_keyword(config.texts.get("setup.py", ""), "package_dir"))
    yield from _words(config.table("tool", "setuptools", "packages", "find").get("where"))
    yield from _words(config.ini("setup.cfg", "options.packages.find").get("where"))
    for table in (("build",), ("build", "targets", "wheel")):
        hatch = config.table("tool", "hatch", *table)
        yield from map(_above, _words(hatch.get("packages")))
        sources = hatch.get("sources")
        yield from sources if isinstance(sources, dict) else _words(sources)
    for package in _tables(config.table("tool", "poetry").get("packages")):
        yield from _words(package.get("from"))
    yield from _words(config.table("tool", "maturin").get("python-source"))
    yield from _words(config.table("tool", "pdm", "build").get("package-dir"))
    yield from _words(config.table("tool", "uv", "build-backend").get("module-root"))


def _package_dir(value: object) -> Iterator[str]:
    """Yield the roots that a `package_dir` means: {"": "lib"}, or {"pkg": "lib/pkg"}."""
    for name, folder in value.items() if isinstance(value, dict) else ():
        if isinstance(folder, str) and isinstance(name, str):
            tail = name.replace(".", "/")
            if not name:
                yield folder or "."
            elif folder == tail or folder.endswith("/" + tail):
                yield folder[: -len(tail)].rstrip("/") or "."


def _editable_folders(inventory: Inventory, config: _Config) -> Iterator[str]:
    backend = config.table("build-system").get("build-backend", "")
    installable = backend or config.table("project") or "setup.py" in config.texts
    if (
        not installable
        and not config.table("tool", "poetry")
        and not config.ini("setup.cfg", "metadata")
    ):
        return
    folders = [f for f in _package_folders(config) if f != "."]
    if not folders and inventory.kind_on_disk(posixpath.join(config.folder, "src")) == "folder":
        folders = ["src"]
    # A flat layout: setuptools maps package names with a finder, the others add the folder.
    flat = not folders and backend and "setuptools" not in str(backend)
    for folder in ["."] if flat or "." in _package_folders(config) else folders:
        inside = _inside(config.folder, folder)
        if inside is not None:
            yield inside


def _inside(folder: str, path: str) -> str | None:
    """Return `path` (relative to `folder`) from the root, or None when it leaves the repository."""
    joined = posixpath.normpath(posixpath.join(folder, path.replace("\\", "/")))
    if joined.startswith("/") or joined.split("/")[0] == "..":
        return None
    return "" if joined == "." else joined


def _above(path: str) -> str:
    return posixpath.dirname(path.rstrip("/")) or "."


# -- dependencies


def _dependencies(config: _Config) -> Iterator[str]:
    own = str(config.table("project").get("name", ""))
    for text in _requirement_texts(config):
        for name in requirement_names(text):
            if name != own.lower().replace("_", "-"):
                yield from import_names(name)


def _requirement_texts(config: _Config) -> Iterator[str]:
    project = config.table("project")
    yield from _strings(project.get("dependencies"))
    yield from _nested_strings(project.get("optional-dependencies"))
    yield from _nested_strings(config.table("dependency-groups"))
    yield from _nested_strings(config.table("tool", "pdm", "dev-dependencies"))
    yield from _strings(config.table("tool", "uv").get("dev-dependencies"))
    poetry = config.table("tool", "poetry")
    yield from config.table("tool", "poetry", "dependencies")
    yield from config.table("tool", "poetry", "dev-dependencies")
    for group in _tables(list(_mapping(poetry.get("group")).values())):
        yield from _mapping(group.get("dependencies"))
    yield config.ini("setup.cfg", "options").get("install_requires", "")
    yield from config.ini("setup.cfg", "options.extras_require").values()
    yield from _strings(_setup_keyword(config.texts.get("setup.py", ""), "install_requires"))
    pipfile = _toml(config.texts.get("Pipfile", ""))[0]
    yield from _mapping(pipfile.get("packages"))
    yield from _mapping(pipfile.get("dev-packages"))
    yield from (text for name, text in config.texts.items() if name.endswith(".txt"))
    for name in ("environment.yml", "environment.yaml"):
        yield "\n".join(re.findall(r"^\s+-\s+([\w.-]+)", config.texts.get(name, ""), re.M))


# -- generated files


def _generated(config: _Config) -> Iterator[str]:
    for path in _version_files(config):
        if isinstance(path, str) and (inside := _inside(config.folder, path)):
            yield inside
    if not config.folder:
        yield from _strings(config.table("tool", "unhaunt").get("generated"))


def _version_files(config: _Config) -> Iterator[object]:
    scm = config.table("tool", "setuptools_scm") or config.table("tool", "setuptools-scm")
    yield from (scm.get("version_file"), scm.get("write_to"))
    yield config.table("tool", "hatch", "build", "hooks", "vcs").get("version-file")
    yield config.table("tool", "hatch", "build", "targets", "wheel", "hooks", "vcs").get(
        "version-file"
    )
    yield config.table("tool", "hatch", "build", "hooks", "version").get("path")
    yield config.table("tool", "pdm", "version").get("write_to")
    yield config.table("tool", "versioningit", "write").get("file")
    yield from config.table("tool", "poetry-dynamic-versioning", "files")
    for key in ("write_to", "version_file"):
        use_scm = _setup_keyword(config.texts.get("setup.py", ""), "use_scm_version")
        yield _mapping(use_scm).get(key)
        yield config.ini("setup.cfg", "tool:setuptools_scm").get(key)


def _makes_extensions(config: _Config, text: str) -> bool:
    backend = str(config.table("build-system").get("build-backend", ""))
    poetry_script = config.table("tool", "poetry").get("build")
    return (
        backend.startswith(_BACKENDS_OF_EXTENSIONS)
        or bool(poetry_script)
        or bool(_SIGNS_OF_EXTENSIONS.search(text))
    )


def _requires_python(config: _Config) -> str | None:
    poetry = _mapping(config.table("tool", "poetry", "dependencies")).get("python")
    found = config.table("project").get("requires-python") or poetry
    ini = config.ini("setup.cfg", "options").get("python_requires")
    setup = _setup_keyword(config.texts.get("setup.py", ""), "python_requires")
    return next((value for value in (found, ini, setup) if isinstance(value, str)), None)


# -- what the configuration itself has imported


def _references(config: _Config) -> Iterator[Reference]:
    for name, text in config.texts.items():
        place = posixpath.join(config.folder, name)
        for module in _referenced(config, name):
            line = next((n for n, t in enumerate(text.split("\n"), 1) if module in t), 1)
            yield Reference(module, f"{place}:{line}")


def _referenced(config: _Config, name: str) -> Iterator[str]:
    if name == "pyproject.toml":
        yield from _entry_points(config)
        for table in (("tool", "pytest", "ini_options"), ("tool", "pytest")):
            yield from _plugins(config.table(*table).get("addopts"))
    elif name == "setup.cfg":
        for value in config.ini(name, "options.entry_points").values():
            yield from re.findall(r"=\s*([\w.]+)\s*(?::|$)", value, re.M)
        yield from _plugins(config.ini(name, "tool:pytest").get("addopts"))
    elif name in ("pytest.ini", ".pytest.ini", "tox.ini"):
        yield from _plugins(config.ini(name, "pytest").get("addopts"))


def _entry_points(config: _Config) -> Iterator[str]:
    project = config.table("project")
    groups: list[object] = [project.get("scripts"), project.get("gui-scripts")]
    groups += _mapping(project.get("entry-points")).values()
    groups.append(config.table("tool", "poetry").get("scripts"))
    for group in groups:
        for value in _mapping(group).values():
            if isinstance(value, str):
                yield value.partition(":")[0].strip()


def _plugins(addopts: object) -> Iterator[str]:
    words = [*_words(addopts), ""]
    for word, following in itertools.pairwise(words):
        name = following if word == "-p" else word[2:] if re.match(r"-p[\w.]", word) else ""
        if name and not name.startswith("no:"):
            yield name


# -- shapes of values


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}


def _tables(value: object) -> Iterator[Mapping[str, object]]:
    yield from (item for item in value if isinstance(item, dict)) if isinstance(value, list) else ()


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, list | tuple):
        yield from (item for item in value if isinstance(item, str))


def _nested_strings(value: object) -> Iterator[str]:
    for items in _mapping(value).values():
        yield from _strings(items)


def _words(value: object) -> Iterator[str]:
    """Yield the words of a string or of a list of strings."""
    if isinstance(value, str):
        yield from re.split(r"[\s,]+", value.strip()) if value.strip() else ()
    else:
        yield from _strings(value)


def _pairs(text: str) -> dict[str, str]:
    pairs = (line.partition("=") for line in text.splitlines() if "=" in line)
    return {name.strip(): value.strip() for name, _, value in pairs}


def _setup_keyword(source: str, name: str) -> object:
    """Return the literal value of a keyword of `setup()` in a setup.py, which is never run."""
    if name not in source:
        return None
    import ast

    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg == name:
            try:
                return ast.literal_eval(node.value)
            except (ValueError, TypeError, RecursionError):
                return None
    return None


def import_roots(inventory: Inventory) -> tuple[str, ...]:
    """Return the import roots of all projects, without those that pytest inserts."""
    found: Iterable[str] = (
        root for project in projects(inventory) for root in project.import_roots
    )
    return tuple(sorted(set(found)))
