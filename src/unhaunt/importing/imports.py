"""What a Python source imports. Pure: it is parsed, never run.

Sources: the Python Language Reference, 7.11 (import statements) and 5.7 (package relative imports).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_CATCHES_IMPORT_ERROR = frozenset(
    ("ImportError", "ModuleNotFoundError", "Exception", "BaseException")
)

_CALLS = (b"import_module", b"__import__", b"pytest_plugins")


class Import(NamedTuple):
    """One name that a source has imported. `level` counts the dots of a relative import."""

    module: tuple[str, ...]
    line: int
    level: int = 0
    member: str | None = None  # of `from module import member`: a module, or a name inside it


class Source(NamedTuple):
    """The imports of a source that no handler guards, and what its top level binds."""

    imports: tuple[Import, ...]
    bound: frozenset[str]
    parsed: bool  # False: it was scanned by line


def read_source(data: bytes) -> Source:
    """Return the unguarded imports of a source, in any encoding that it declares (PEP 263).

    A guard is TYPE_CHECKING, `suppress`, or a handler that catches ImportError. What this Python
    cannot parse (a template, Python 2, a newer syntax) is scanned line by line.
    """
    import ast
    import warnings

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(data)
        calls = any(word in data for word in _CALLS)
        found = sorted(_statements(tree.body, calls), key=_place)
        return Source(tuple(found), frozenset(_bound(tree.body)), parsed=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Source(tuple(_scanned(data)), frozenset(), parsed=False)


def _place(found: Import) -> tuple[int, tuple[str, ...], str]:
    return found.line, found.module, found.member or ""


def _statements(body: list, calls: bool, guarded: bool = False) -> Iterator[Import]:  # type: ignore[type-arg]
    import ast

    for node in body:
        if isinstance(node, ast.Try | ast.TryStar):
            caught = guarded or any(map(_catches, node.handlers))
            yield from _statements(node.body, calls, caught)
            for handler in node.handlers:
                yield from _statements(handler.body, calls, guarded)
            yield from _statements(node.orelse + node.finalbody, calls, guarded)
        elif isinstance(node, ast.If):
            yield from _statements(node.body, calls, guarded or _is_type_checking(node.test))
            yield from _statements(node.orelse, calls, guarded)
        elif isinstance(node, ast.With | ast.AsyncWith):
            suppressed = any(_suppresses(item.context_expr) for item in node.items)
            yield from _statements(node.body, calls, guarded or suppressed)
        elif guarded:
            continue
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from _imported(node)
        else:
            if calls:
                yield from _called(node)
            for field in ("body", "orelse"):
                inner = getattr(node, field, None)
                if isinstance(inner, list):
                    yield from _statements(inner, calls, guarded)
            for case in getattr(node, "cases", ()):
                yield from _statements(case.body, calls, guarded)


def _imported(node: object) -> Iterator[Import]:
    import ast

    if isinstance(node, ast.Import):
        for alias in node.names:
            yield Import(_dotted(alias.name), node.lineno)
    elif isinstance(node, ast.ImportFrom):
        for alias in node.names:
            member = None if alias.name == "*" else _normal(alias.name)
            yield Import(_dotted(node.module or ""), node.lineno, node.level, member)


def _called(statement: object) -> Iterator[Import]:
    """Yield what `import_module("x")`, `__import__("x")` and `pytest_plugins = ["x"]` name.

    Only the statement's own expressions are looked at; those inside its body come with the body.
    """
    import ast

    if isinstance(statement, ast.Assign) and any(
        isinstance(target, ast.Name) and target.id == "pytest_plugins"
        for target in statement.targets
    ):
        for value in ast.walk(statement.value):
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                yield Import(_dotted(value.value), value.lineno)
    for child in ast.iter_child_nodes(statement) if isinstance(statement, ast.AST) else ():
        for node in ast.walk(child) if isinstance(child, ast.expr) else ():
            if isinstance(node, ast.Call) and node.args and _is_import_function(node.func):
                name = node.args[0]
                text = name.value if isinstance(name, ast.Constant) else None
                if len(node.args) == 1 and isinstance(text, str) and re.fullmatch(r"[\w.]+", text):
                    yield Import(_dotted(text), node.lineno)


def _is_import_function(function: object) -> bool:
    import ast

    if isinstance(function, ast.Attribute):
        return function.attr == "import_module"
    return isinstance(function, ast.Name) and function.id in ("import_module", "__import__")


def _catches(handler: object) -> bool:
    import ast

    caught = getattr(handler, "type", None)
    if caught is None:
        return True
    kinds = caught.elts if isinstance(caught, ast.Tuple) else [caught]
    return any(_last_name(kind) in _CATCHES_IMPORT_ERROR for kind in kinds)


def _is_type_checking(test: object) -> bool:
    return _last_name(test) == "TYPE_CHECKING"


def _suppresses(context: object) -> bool:
    import ast

    if not isinstance(context, ast.Call) or _last_name(context.func) != "suppress":
        return False
    return any(_last_name(kind) in _CATCHES_IMPORT_ERROR for kind in context.args)


def _last_name(node: object) -> str | None:
    return getattr(node, "id", None) or getattr(node, "attr", None)


def _bound(body: list) -> Iterator[str]:  # type: ignore[type-arg]
    """Yield the names that the top level of a module binds, `if` and `try` included."""
    import ast

    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from (a.asname or a.name.partition(".")[0] for a in node.names if a.name != "*")
        elif isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                yield from (n.id for n in ast.walk(target) if isinstance(n, ast.Name))
        elif isinstance(node, ast.If | ast.Try | ast.With | ast.For | ast.While):
            for field in ("body", "orelse", "finalbody"):
                yield from _bound(getattr(node, field, []))
            for handler in getattr(node, "handlers", ()):
                yield from _bound(handler.body)


# `lazy` is of Python 3.15 (PEP 810).
_IMPORT_LINE = r"\s*(?:lazy\s+)?import\s+([\w.]+(?:\s+as\s+\w+)?(?:\s*,\s*[\w.]+(?:\s+as\s+\w+)?)*)"
_FROM_LINE = r"\s*(?:lazy\s+)?from\s+(\.*)([\w.]*)\s+import\s+\(?\s*([\w*]+(?:\s*,\s*\w+)*)?"


def _scanned(data: bytes) -> Iterator[Import]:
    for number, line in enumerate(data.decode("utf-8", "replace").split("\n"), 1):
        if match := re.match(_IMPORT_LINE, line):
            for name in re.split(r"\s*,\s*", match[1]):
                yield Import(_dotted(name.split()[0]), number)
        elif match := re.match(_FROM_LINE, line):
            for member in re.split(r"\s*,\s*", match[3] or "*"):
                module = _dotted(match[2])
                yield Import(module, number, len(match[1]), None if member == "*" else member)


def _dotted(name: str) -> tuple[str, ...]:
    return tuple(_normal(name).split(".")) if name else ()


def _normal(name: str) -> str:
    """Return the name as the parser sees it: identifiers are NFKC, whatever the source has."""
    if name.isascii():
        return name
    import unicodedata

    return unicodedata.normalize("NFKC", name)
