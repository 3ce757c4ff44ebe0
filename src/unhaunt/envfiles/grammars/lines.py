"""The last resort: one line at a time, for text that is of no grammar, or of a broken one.

Also what a script writes into another file with `echo` or a here-document. Pure: no IO.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from unhaunt.envfiles.assignment import (
    NAMES,
    PLAIN,
    Assignment,
    Dialect,
    Effect,
    Item,
    variable,
)
from unhaunt.envfiles.reference import value

_SETTING = re.compile(
    rf"""
    ^ [\s\-+>]*
    (?: (?:export|declare\s+-x|typeset\s+-x|set|ENV|ARG|env|Environment\s*=|environment\s*=) \s* )?
    ["']? (?P<name>{NAMES}) ["']? \s* (?P<sign>\+?=|:=|\?=|::?=|:(?=\s)|=>) \s* (?P<value>.*)
    """,
    re.VERBOSE,
)
_SPACED = re.compile(
    rf"""
    ^ \s* (?:ENV|setenv|setx|path_add|prepend-path|append-path|set\s+-\w+|set\s+--\w+) \s+
    (?P<name>{NAMES}) \s+ (?P<value>\S.*)
    """,
    re.VERBOSE,
)
#: a desktop entry or a unit that starts its program through env
_EXEC = re.compile(
    rf"^\s*Exec\w*\s*=\s*[@-]*(?:/usr/bin/)?env\s+(?:\w+=\S*\s+)*(?P<name>{NAMES})=(?P<value>\S+)"
)
#: Spark, "Runtime Environment": `spark.executorEnv.NAME value`
_SPARK = re.compile(rf"^\s*spark\.[\w.-]*Env\.(?P<name>{NAMES})[\s=]+(?P<value>\S.*)")
#: a module file of Lmod that a script writes
_LMOD = re.compile(
    rf"^\s*(?:(?:ap|pre)pend_path|pushenv|setenv)\(\s*[\"'](?P<name>{NAMES})[\"']\s*,(?P<value>.*)"
)
_PATTERNS = (_SETTING, _SPACED, _EXEC, _SPARK, _LMOD)
_QUOTED = re.compile(r"""(["'])(.*?)\1""")


def read(text: str, dialect: Dialect = PLAIN) -> Iterator[Item]:
    """Yield what looks like a setting, a line at a time."""
    for number, line in enumerate(text.split("\n"), 1):
        match = next(filter(None, (p.match(line) for p in _PATTERNS)), None)
        if match is None:
            continue
        name = variable(match["name"])
        content = unquoted(match["value"])
        if name and content:
            defaults = match.groupdict().get("sign") == "?="
            effect = Effect.DEFAULTS if defaults else Effect.SETS
            yield Assignment(name, number, value(content), effect)


def unquoted(text: str) -> str:
    """Return `text` without its quotes, its trailing comment, comma or semicolon."""
    text = text.strip()
    if quoted := _QUOTED.match(text):
        return quoted[2]
    text = re.split(r"\s[#;]", f" {text}", maxsplit=1)[0].strip()
    return text.rstrip(",;\"'")
