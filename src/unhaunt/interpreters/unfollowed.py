"""Startup code that may change what an import takes, and that nobody here follows.

A literal `site.addsitedir("…")` of a `.pth`, the finders of editable installs and what a few tools
write are followed or known. What touches the import system in another way can be known to those
alone who run it. Reads files; nothing is imported.
"""

from __future__ import annotations

import ast
import hashlib
import os
import re
import warnings
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from unhaunt.interpreters.known import CONTENTS
from unhaunt.interpreters.preflight import contents
from unhaunt.interpreters.startup_imports import MOST, Seeker

Facts = Mapping[str, Any]

FILES = 64  # that are read for one interpreter
#: attributes of sys and site that decide an import; `path` is also an attribute of os
_STATE = frozenset(
    ("modules", "meta_path", "path_hooks", "path_importer_cache", "addsitedir", "addpackage")
)
_NAMED = _STATE | {"path", "*"}
_HAVE_PATH = frozenset(("os", "_os"))
_WORDS = re.compile(rb"\b(?:path|modules|meta_path|path_hooks|addsitedir|exec|eval)\b")
#: what setuptools wrote for a package of a namespace: `x-nspkg.pth`, which `where` resolves too
_NSPKG = re.compile(
    r"import sys, types, os;has_mfs = sys\.version_info > \(3, 5\);"
    r"p = os\.path\.join\(sys\._getframe\(1\)\.f_locals\['sitedir'\], \*\('[\w', ]+\)\);"
    r"importlib = has_mfs and __import__\('importlib\.util'\);"
    r"has_mfs and __import__\('importlib\.machinery'\);"
    r"m = has_mfs and sys\.modules\.setdefault\('[\w.]+', importlib\.util\.module_from_spec\("
    r"importlib\.machinery\.PathFinder\.find_spec\('[\w.]+', \[os\.path\.dirname\(p\)\]\)\)\);"
    r"m = m or sys\.modules\.setdefault\('[\w.]+', types\.ModuleType\('[\w.]+'\)\);"
    r"mp = \(m or \[\]\) and m\.__dict__\.setdefault\('__path__',\[\]\);"
    r"\(p not in mp\) and mp\.append\(p\)(?:;m and setattr\(sys\.modules\['[\w.]+'\], '\w+', m\))?"
)
#: modules whose effect is known, when the package that owns them has them as it wrote them
_HARMLESS = re.compile(
    r"_distutils_hack|coverage(\.\w+)*|pytest_cov(\.\w+)*|__editable___\w+_finder"
)


def unfollowed(facts: Facts, is_own: Callable[[str], bool]) -> tuple[str, ...]:
    """Return the startup files whose code may change the path, in the order in which they run.

    `facts` are an interpreter's, with the imports of its startup code; `is_own` tells whether a
    file is as the package that owns it wrote it.
    """
    startup = facts["startup"] or {}
    reader = _Reader(facts, is_own)
    rows = [*startup.get("pth", ()), *startup.get("start", ())]
    found = [row["path"] for row in rows if any(map(reader.line, row["lines"]))]
    for row in startup.get("modules", ()):
        if row["state"] == "loaded" and reader.file(row["module"], row["path"]):
            found.append(row["path"])
    return tuple(dict.fromkeys(found))


class _Reader:
    """Reads the startup code of one interpreter, each file once."""

    def __init__(self, facts: Facts, is_own: Callable[[str], bool]) -> None:
        self._seek = Seeker(dict(facts))
        self._is_own = is_own
        self._read: dict[str, bool] = {}

    def line(self, line: Facts) -> bool:
        """Tell whether a line of a .pth or .start file may change the path."""
        if line["kind"] not in ("exec", "call") or _NSPKG.fullmatch(line["text"]):
            return False
        text = line["text"]
        adds = line.get("adds", ())
        followed = adds and text.count("addsitedir") == len(adds)
        if line["kind"] == "exec" and touches(text.encode(), followed=bool(followed)):
            return True
        return self._imports(line.get("imports", ()))

    def _imports(self, rows: Any) -> bool:
        return any(self.file(row["module"], row["origin"]) for row in rows if row["origin"])

    def file(self, module: str, path: str) -> bool:
        """Tell whether running a file may change the path."""
        if path not in self._read:
            self._read[path] = False  # an import of itself adds nothing
            self._read[path] = self._file(module, path)
        return self._read[path]

    def _file(self, module: str, path: str) -> bool:
        if os.path.isdir(path):
            return False  # a namespace runs nothing
        is_own = self._is_own(path)
        if is_own and _HARMLESS.fullmatch(module):
            return False
        source = _source(path)
        if source is None or len(self._read) > FILES:
            return not is_own  # an extension module, bytecode, a member of a zip
        if hashlib.sha256(source).hexdigest() in CONTENTS:
            return False
        return touches(source) or (not is_own and self._imports(self._seek.of_source(source)))


def _source(path: str) -> bytes | None:
    try:
        if path.endswith(".py") and os.path.getsize(path) <= MOST:
            return contents(path)
    except OSError:
        return None
    return None


def touches(source: bytes, *, followed: bool = False) -> bool:
    """Tell whether code mentions what decides an import; `followed`: not counting addsitedir."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            nodes = list(ast.walk(ast.parse(source)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return bool(_WORDS.search(source))
    return any(_mentions(node) for node in nodes if not (followed and _adds(node)))


def _adds(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "addsitedir"


def _mentions(node: ast.AST) -> bool:
    if isinstance(node, ast.Attribute):
        of = getattr(node.value, "id", None)
        return node.attr in _STATE or (node.attr == "path" and of not in _HAVE_PATH)
    if isinstance(node, ast.ImportFrom):
        named = {alias.name for alias in node.names}
        return bool(node.level) or (node.module in ("sys", "site") and not named.isdisjoint(_NAMED))
    return isinstance(node, ast.Call) and any(_calls(node))


def _calls(node: ast.Call) -> Iterator[bool]:
    """Yield whether a call reaches the import system through a text."""
    name = getattr(node.func, "id", None) or getattr(node.func, "attr", None)
    texts = [arg.value if isinstance(arg, ast.Constant) else None for arg in node.args]
    if name in ("exec", "eval") and texts:
        yield not isinstance(texts[0], str) or touches(texts[0].encode())
    elif name in ("__import__", "import_module") and texts:
        yield not isinstance(texts[0], str)
    elif name in ("getattr", "setattr") and len(texts) > 1:
        yield not isinstance(texts[1], str) or texts[1] in _NAMED
