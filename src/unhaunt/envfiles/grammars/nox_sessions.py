"""noxfile.py: what a session's environment is given. Parsed, never imported. Pure: no IO.

Source: nox, `Session.env` and the `env` argument of `Session.run`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from unhaunt.envfiles.assignment import (
    PLAIN,
    Assignment,
    Command,
    Dialect,
    Item,
    Unparsable,
    Value,
    variable,
)
from unhaunt.envfiles.reference import value


def read(text: str, dialect: Dialect = PLAIN) -> Iterator[Item]:
    """Yield what sessions and their commands are given. Raises `Unparsable`."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise Unparsable("not Python of this version") from None
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict):
            for key, content in zip(node.keys, node.values, strict=True):
                yield from _setting(key, content)
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
            yield from _setting(node.targets[0].slice, node.value)
        elif isinstance(node, ast.Call):
            yield from _called(node)


def _called(call: ast.Call) -> Iterator[Item]:
    """Yield `dict(NAME="…")`, `session.env.update(NAME="…")` and `session.run("env", "NAME=…")`."""
    if _is_map(call.func):
        for keyword in call.keywords:
            yield from _setting(ast.Constant(keyword.arg, lineno=call.lineno), keyword.value)
    texts = [a for a in call.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
    if isinstance(call.func, ast.Attribute) and call.func.attr.startswith("run"):
        for text in texts:
            name, sign, content = str(text.value).partition("=")
            if sign and variable(name) and content:
                yield Assignment(name, text.lineno, value(content), scope="one command")


def _is_map(function: ast.expr) -> bool:
    if isinstance(function, ast.Attribute) and function.attr == "update":
        owner = function.value
        return isinstance(owner, ast.Attribute) and owner.attr in ("env", "environ")
    return isinstance(function, ast.Name) and function.id == "dict"


def _setting(key: ast.expr | None, content: ast.expr) -> Iterator[Item]:
    if not isinstance(key, ast.Constant) or not isinstance(key.value, str):
        return
    name = variable(key.value)
    found = _value(content)
    if name and found:
        yield Assignment(name, key.lineno, found)


def _value(content: ast.expr) -> Value:
    if isinstance(content, ast.Constant):
        return value(str(content.value)) if content.value else ()
    return (Command("…"),)
