"""Hides secrets in what did not come through the probe, with the probe's own rules.

The probe stands alone and cannot be imported without its effects: the few lines are taken from it.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Callable
from functools import cache
from typing import Any

from unhaunt.own_files import script

PROBE = os.path.join(os.path.dirname(os.path.dirname(__file__)), "probe.py")
NAMES = ("SECRET", "INSIDE", "masked", "masked_words")


@cache
def _rules() -> dict[str, Callable[..., Any]]:
    tree = ast.parse(script(PROBE))
    tree.body = [node for node in tree.body if set(NAMES) & set(_defined(node))]
    space: dict[str, Any] = {"re": re}
    exec(compile(tree, PROBE, "exec"), space)
    return space


def _defined(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.FunctionDef):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else []
    return [target.id for target in targets if isinstance(target, ast.Name)]


def masked(value: Any) -> Any:
    """Return a value of JSON without what may be secret in its texts; lists are command lines."""
    if isinstance(value, str):
        return _rules()["masked"](value)
    if isinstance(value, dict):
        return {key: masked(item) for key, item in value.items()}
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return _rules()["masked_words"](value)
    return value
