"""YAML, from PyYAML's node tree, which knows lines. Pure: no IO.

Source: YAML 1.1 as PyYAML composes it: nothing is constructed, so no tag runs anything, and an
alias is the node itself, read once. Go and Jinja templates are blanked before a second attempt.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from unhaunt.envfiles.assignment import Dialect, Item, Unparsable
from unhaunt.envfiles.grammars.maps import Leaf, Path
from unhaunt.envfiles.grammars.maps import read as read_map

if TYPE_CHECKING:
    from yaml.nodes import Node, ScalarNode

#: the pure-Python parser reads about 100 kB a second: more is scanned by line
LARGEST = 400_000
_TEMPLATE_LINE = re.compile(r"^[ \t]*(?:-[ \t]+)?\{[{%#][^\n]*[}%#]\}[ \t]*$", re.MULTILINE)
_TEMPLATE = re.compile(r"\{\{([^{}\n]*)\}\}|\{%[^\n]*?%\}")
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})


def read(text: str, dialect: Dialect) -> Iterator[Item]:
    """Yield what the documents set. Raises `Unparsable`."""
    for found in documents(text):
        yield from read_map(found, dialect)


def documents(text: str) -> tuple[tuple[Leaf, ...], ...]:
    """Return the leaves of each document."""
    if len(text) > LARGEST:
        raise Unparsable("too much YAML")
    try:
        return _documents(text)
    except Unparsable:
        if "{{" not in text and "{%" not in text:
            raise
    return _documents(_TEMPLATE.sub(_placeholder, _TEMPLATE_LINE.sub("", text)))


def _placeholder(match: re.Match[str]) -> str:
    # `${NAME}` is a plain scalar, and a reference to something that is not known here
    name = re.sub(r"\W+", "_", match[1] or "")
    return f"${{{name}}}" if match[1] else ""


def _documents(text: str) -> tuple[tuple[Leaf, ...], ...]:
    import yaml

    try:
        roots = tuple(yaml.compose_all(text, Loader=yaml.SafeLoader))
    except (yaml.YAMLError, RecursionError, ValueError):
        raise Unparsable("not YAML") from None
    return tuple(tuple(_leaves(root, text)) for root in roots)


def _leaves(root: Node, text: str) -> Iterator[Leaf]:
    """Walk the tree without recursion, each node once, in the order of the text."""
    from yaml.nodes import MappingNode, ScalarNode, SequenceNode

    seen: set[int] = set()
    waiting: list[tuple[Node, Path, int]] = [(root, (), 0)]
    while waiting:
        node, path, line = waiting.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, ScalarNode):
            yield _leaf(node, path, line, text)
        elif isinstance(node, SequenceNode):
            waiting += [(n, (*path, i), 0) for i, n in enumerate(node.value)][::-1]
        elif isinstance(node, MappingNode):
            waiting += [
                (child, (*path, str(key.value)), key.start_mark.line + 1)
                for key, child in node.value
            ][::-1]


def _leaf(node: ScalarNode, path: Path, line: int, text: str) -> Leaf:
    start = node.start_mark.line + 1
    if node.style is None and node.value in _NULLS:
        return Leaf(path, None, line or start)
    if node.style in ("|", ">"):
        body = text[node.start_mark.index : node.end_mark.index]
        _, _, rest = body.partition("\n")
        # folded lines are one command: a continuation says so and keeps the lines
        join = "\n" if node.style == "|" else " \\\n"
        lines = [piece.strip(" \t") if node.style == ">" else piece for piece in rest.split("\n")]
        script = join.join(_dedented(lines))
        return Leaf(path, script, line or start, True, start + 1, str(node.value))
    if node.end_mark.line > node.start_mark.line:
        return Leaf(path, str(node.value), line or start)
    return Leaf(path, str(node.value), line or start, True, start)


def _dedented(lines: list[str]) -> list[str]:
    widths = [len(x) - len(x.lstrip(" ")) for x in lines if x.strip()]
    return [x[min(widths, default=0) :] for x in lines]
