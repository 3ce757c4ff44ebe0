"""What startup code imports from outside the standard library, and from which file.

A harmless line is only as harmless as what it imports: `import _virtualenv` takes the first
`_virtualenv.py` on the path. Reads files; nothing is imported.
"""

from __future__ import annotations

import ast
import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from unhaunt.interpreters.preflight import contents
from unhaunt.resolving.resolution import Names, Started, resolve

Facts = dict[str, Any]

MOST = 1 << 20  # bytes of startup code that are parsed


def with_imports(facts: Facts) -> Facts:
    """Return an interpreter's facts with the imports of each piece of its startup code."""
    if not facts["startup"] or facts["path"] is None:
        return facts
    startup = dict(facts["startup"])
    seek = Seeker(facts)
    startup["modules"] = [row | {"imports": seek.of_file(row)} for row in startup["modules"]]
    for kind in ("pth", "start"):
        rows = startup[kind]
        startup[kind] = [
            row | {"lines": [seek.of_line(line) for line in row["lines"]]} for row in rows
        ]
    return facts | {"startup": startup}


def started(facts: Facts) -> dict[str, Started]:
    """Return the top-level modules that startup code imports, each by the first file that does."""
    found: dict[str, Started] = {}
    for by, rows in _importers(facts["startup"] or {}):
        for row in rows:
            if "." not in row["module"] and row["origin"] and not row.get("deferred"):
                found.setdefault(row["module"], Started(row["origin"], by))
    return found


def _importers(startup: Facts) -> Iterator[tuple[str, Sequence[Facts]]]:
    """Yield (file, what it imports) in the order of site.py: lines of folders, then modules."""
    for row in (*startup.get("pth", ()), *startup.get("start", ())):
        for line in row["lines"]:
            yield f"{row['path']} line {line['line']}", line.get("imports", ())
    for row in startup.get("modules", ()):
        yield row["path"], row.get("imports", ())


class Seeker:
    """Resolves names on one interpreter's path."""

    def __init__(self, facts: Facts) -> None:
        self.path = [row["entry"] for row in facts["path"]]
        self.suffixes: Sequence[str] = facts["interpreter"]["suffixes"]
        self.stdlib: str = facts["interpreter"]["stdlib"]

    def of_file(self, row: Mapping[str, Any]) -> list[Facts]:
        """Return the imports of a startup module."""
        if row["form"] not in ("module", "package") or row["state"] != "loaded":
            return []
        try:
            if os.path.getsize(row["path"]) > MOST:
                return []
            return self.of_source(contents(row["path"]))
        except OSError:
            return []

    def of_line(self, line: Facts) -> Facts:
        """Return a line of a .pth or .start file with its imports."""
        if line["kind"] == "exec":
            return line | {"imports": self.of_source(line["text"].encode())}
        if line["kind"] == "call":
            return line | {"imports": self.resolved([line["text"].partition(":")[0]])}
        return line

    def of_source(self, source: bytes) -> list[Facts]:
        """Return the imports of a piece of source."""
        now = {part for name in imported(source, at_once=True) for part in _with_parents(name)}
        rows = self.resolved(sorted(set(imported(source))))
        return [row if row["module"] in now else row | {"deferred": True} for row in rows]

    def resolved(self, names: Sequence[str]) -> list[Facts]:
        """Return {module, origin, sha256} of each name that is not the standard library's."""
        rows: list[Facts] = []
        for name in sorted({part for whole in names for part in _with_parents(whole)}):
            if name.partition(".")[0] in BUILT_IN:
                continue
            origin = self._origin(name)
            if origin is None or not self._standard(origin):
                rows.append({"module": name, "origin": origin, "sha256": origin and sha256(origin)})
        return rows

    def _origin(self, name: str) -> str | None:
        nothing = Names(frozenset(), frozenset(), frozenset(), frozenset())
        while True:
            found = resolve(name, self.path, self.suffixes, nothing)
            if found.origin or "." not in name:
                return found.origin
            name = name.rpartition(".")[0]

    def _standard(self, origin: str) -> bool:
        return origin.startswith(self.stdlib + os.sep) and "-packages" not in origin


def _with_parents(name: str) -> Iterator[str]:
    """Yield a dotted name and the packages around it: an import executes each."""
    parts = name.split(".")
    yield from (".".join(parts[:n]) for n in range(1, len(parts) + 1))


#: always there, on no path
BUILT_IN = frozenset(
    [
        "sys",
        "builtins",
        "time",
        "marshal",
        "gc",
        "errno",
        "posix",
        "nt",
        "itertools",
        "atexit",
        "_thread",
        "_signal",
    ]
)


def sha256(path: str) -> str | None:
    """Return the hash of a regular file, None for anything else and for what cannot be read."""
    try:
        if not os.path.isfile(path):  # a FIFO would block
            return None
        with open(path, "rb") as file:
            return hashlib.sha256(file.read()).hexdigest()
    except OSError:
        return None


def imported(source: bytes | str, depth: int = 0, *, at_once: bool = False) -> Iterator[str]:
    """Yield the modules that a piece of source imports, by statement, `__import__` or exec.

    With `at_once` those alone that are imported while it runs itself, not in a function's body.
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return
    for node in _at_once(tree) if at_once else ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
        elif isinstance(node, ast.Call):
            yield from _called(node, depth)


def _at_once(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        for child in ast.iter_child_nodes(node):
            yield from _at_once(child)


def _called(node: ast.Call, depth: int) -> Iterator[str]:
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    argument = node.args[0] if node.args else None
    if not isinstance(argument, ast.Constant) or not isinstance(argument.value, str):
        return
    if name in ("__import__", "import_module"):
        yield argument.value.lstrip(".") or "?"
    elif name == "exec" and depth < 3:
        yield from imported(argument.value, depth + 1)
