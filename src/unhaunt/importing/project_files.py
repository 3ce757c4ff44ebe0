"""The configuration files of the projects in a repository, and values out of them. Pure.

Read from the commit under judgement, never from the working tree. A file is parsed when a key that
somebody asks for is spelled in it, so that an ordinary commit imports no parser.
"""

from __future__ import annotations

import functools
import posixpath
import re
from collections.abc import Iterator, Mapping

from unhaunt.inventory import Inventory
from unhaunt.rule import NotChecked

NAMES = (
    "pyproject.toml", "setup.cfg", "setup.py", "pytest.ini", ".pytest.ini", "pytest.toml",
    ".pytest.toml", "tox.ini", "Pipfile", "environment.yml", "environment.yaml",
)  # fmt: skip
_MARKERS = ("pyproject.toml", "setup.cfg", "setup.py")


class ProjectFiles:
    """The files of one project: of a folder with a `pyproject.toml`, or of the root."""

    def __init__(self, folder: str, texts: Mapping[str, str]) -> None:
        self.folder = folder
        self.texts = texts  # name (of requirements: path) -> text

    def toml(self, *keys: str, name: str = "pyproject.toml") -> object:
        """Return a value of a TOML file, or None; the last key has to be spelled in the text."""
        if keys[-1] not in self.texts.get(name, ""):
            return None
        found: object = self._document(name)
        for key in keys:
            found = found.get(key) if isinstance(found, dict) else None
        return found

    def ini(self, name: str, section: str, key: str) -> str:
        """Return a value of an INI file, or ""."""
        return self.section(name, section).get(key, "") if key in self.texts.get(name, "") else ""

    def section(self, name: str, section: str) -> Mapping[str, str]:
        """Return a section of an INI file; empty when there is none."""
        return self._sections(name).get(section, {}) if section in self.texts.get(name, "") else {}

    def setup_keyword(self, keyword: str) -> object:
        """Return the literal value of a keyword of `setup()` in setup.py, which is never run."""
        return _setup_keyword(self.texts.get("setup.py", ""), keyword)

    def pytest_options(self, key: str) -> Iterator[object]:
        """Yield the values of a pytest option, from every file in which pytest looks for it."""
        yield self.toml("tool", "pytest", "ini_options", key)
        yield self.toml("tool", "pytest", key)
        for name in ("pytest.toml", ".pytest.toml"):
            yield self.toml("pytest", key, name=name)
        for name in ("pytest.ini", ".pytest.ini", "tox.ini"):
            yield self.ini(name, "pytest", key)
        yield self.ini("setup.cfg", "tool:pytest", key)

    def inside(self, path: str) -> str | None:
        """Return a path of the project as seen from the root; None when it is outside of that."""
        joined = posixpath.normpath(posixpath.join(self.folder, path.replace("\\", "/")))
        if joined.startswith("/") or joined.split("/")[0] == "..":
            return None
        return "" if joined == "." else joined

    @property
    def not_toml(self) -> tuple[str, ...]:
        """Return the TOML files that could not be parsed, of those that were asked.

        One that is not UTF-8 text spells no key, so nobody asks it.
        """
        broken = {name for name, document in self._documents.items() if document is None}
        broken |= {n for n, text in self.texts.items() if n.endswith(".toml") and "\0" in text}
        return tuple(sorted(broken))

    @functools.cached_property
    def _documents(self) -> dict[str, dict[str, object] | None]:
        return {}

    def _document(self, name: str) -> dict[str, object]:
        if name not in self._documents:
            self._documents[name] = _toml(self.texts.get(name, ""))
        return self._documents[name] or {}

    @functools.cache  # noqa: B019 (a handful of files a run)
    def _sections(self, name: str) -> dict[str, dict[str, str]]:
        import configparser

        parser = configparser.RawConfigParser(strict=False, allow_no_value=True)
        try:
            parser.read_string(self.texts.get(name, ""))
        except configparser.Error:
            return {}
        return {name: {k: v or "" for k, v in parser.items(name)} for name in parser.sections()}


@functools.lru_cache(maxsize=1)
def project_files(inventory: Inventory) -> tuple[ProjectFiles, ...]:
    """Return the files of every project, the deepest folder first; the root is always one."""
    by_folder: dict[str, dict[str, str]] = {"": {}}
    wanted = inventory.tracked_files(NAMES, ("requirements",), _is_wanted)
    for entry, data in inventory.committed(wanted):
        texts = by_folder.setdefault(_project_folder(entry.path), {})
        name = entry.name if entry.name in NAMES else entry.path
        texts[name] = data.decode("utf-8", "replace").replace("\r\n", "\n")
    kept = [
        ProjectFiles(folder, texts)
        for folder, texts in by_folder.items()
        if not folder or any(name in texts for name in _MARKERS)
    ]
    return tuple(sorted(kept, key=lambda files: (-len(files.folder), files.folder)))


def not_read(inventory: Inventory) -> Iterator[NotChecked]:
    """Yield the configuration files that could not be parsed, of those that were asked."""
    for files in project_files(inventory):
        for name in files.not_toml:
            reason = "not valid, so nothing was taken from it"
            yield NotChecked(posixpath.join(files.folder, name), reason)


def _is_wanted(path: str) -> bool:
    folder, _, name = path.rpartition("/")
    if name in NAMES:
        return True
    is_list = "requirements" in name or folder.rpartition("/")[2] == "requirements"
    return is_list and name.endswith(".txt")


def _project_folder(path: str) -> str:
    folder = path.rpartition("/")[0]
    above, _, last = folder.rpartition("/")
    return above if path.endswith(".txt") and last == "requirements" else folder


def _toml(text: str) -> dict[str, object] | None:
    import tomllib

    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return None


def _setup_keyword(source: str, name: str) -> object:
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


# -- shapes of values


def mapping(value: object) -> Mapping[str, object]:
    """Return a table, or an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def tables(value: object) -> list[Mapping[str, object]]:
    """Return the tables of an array."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def strings(value: object) -> list[str]:
    """Return the strings of an array."""
    items = value if isinstance(value, list | tuple) else ()
    return [item for item in items if isinstance(item, str)]


def words(value: object) -> list[str]:
    """Return the words of a string, or the strings of an array."""
    if isinstance(value, str):
        return [word for word in re.split(r"[\s,]+", value) if word]
    return strings(value)


def pairs(text: str) -> dict[str, str]:
    """Return the `name = value` lines of an INI value."""
    found = (line.partition("=") for line in text.splitlines() if "=" in line)
    return {name.strip(): value.strip() for name, _, value in found}
