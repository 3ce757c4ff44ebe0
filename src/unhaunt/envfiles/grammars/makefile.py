"""make: variables, exports, target-specific variables, and the shell of recipes. Pure: no IO.

Source: GNU make manual, "Setting Variables", "Communicating Variables to a Sub-make" (export),
"Recipe Syntax". make keeps quotes: they are part of the value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from unhaunt.envfiles.assignment import (
    MENTION,
    NAMES,
    PLAIN,
    Assignment,
    Command,
    Dialect,
    Effect,
    Item,
    Reference,
    Value,
    merged,
    shifted,
    variable,
)
from unhaunt.envfiles.grammars import batch, shell
from unhaunt.envfiles.reference import value

_VARIABLE = re.compile(
    rf"""
    \s* (?: [^\s:=\#][^:=\#]* :{{1,2}} (?!=) \s* )?
    (?: (?:export|override|private|define) \s+ )*
    ({NAMES}) \s* (\?=|\+=|!=|:{{0,3}}=) \s* (.*)
    """,
    re.VERBOSE | re.DOTALL,
)
_OTHER = re.compile(r"\s*(?:(?:export|override)\s+)?[\w.-]+\s*(?:\?|\+|:{0,3})=\s*(.*)", re.DOTALL)
_RULE = re.compile(r"[^\s:=#][^:=#]*:(?!=)[^;]*;(.*)", re.DOTALL)
_COMMENT = re.compile(r"(?<!\\)#.*", re.DOTALL)
_AUTOMATIC = re.compile(r"\$[@<^?*%+|]|\$\([@<^?*%+|][DF]?\)")
_UNEXPORT = re.compile(r"^ *unexport[ \t]+([^\n#]+)", re.MULTILINE)
_DEFINE = re.compile(r"\s*(?:(?:export|override)\s+)*define\s+(?!PYTHON)")
#: GNU make manual, "Defining Multi-Line Variables", for our own
_DEFINED = re.compile(
    rf"^ *(?:(?:export|override) +)*define +(?P<name>{NAMES}) *(?P<sign>[:?+!]{{0,3}}=)?[^\n]*\n"
    r"(?P<value>(?:(?! *(?:endef|define)\b)[^\n]*+\n)*) *endef\b[^\n]*",
    re.MULTILINE,
)
_ENDEF = re.compile(r"\s*endef\b")
_ROUND = re.compile(r"\$\((\w+)\)")


def read(text: str, dialect: Dialect = PLAIN) -> Iterator[Item]:
    """Yield what variables and recipes set."""
    kept = frozenset(name for names in _UNEXPORT.findall(text) for name in names.split())
    inside = False
    for match in _DEFINED.finditer(text):
        yield from _defined(match, text.count("\n", 0, match.start("name")) + 1)
    for line, logical in _logical(_DEFINED.sub(_blank, text)):
        if MENTION.search(logical) and not _is_own(logical, kept):
            yield from _recipe(line, logical) if inside else _read(line, logical)
        inside = (inside or bool(_DEFINE.match(logical))) and not _ENDEF.match(logical)


def _blank(match: re.Match[str]) -> str:
    return "\n" * match[0].count("\n")


def _defined(match: re.Match[str], line: int) -> Iterator[Item]:
    content = _value(match["value"].rstrip("\n"))
    if match["sign"] == "+=":
        content = merged((Reference(match["name"]), " ", *content))
    if content:
        yield Assignment(match["name"], line, content)


def _is_own(logical: str, kept: frozenset[str]) -> bool:
    """Tell whether a line sets a variable that make keeps to itself."""
    match = None if logical.startswith("\t") else _VARIABLE.fullmatch(logical)
    return match is not None and match[1] in kept and "export" not in logical


def _logical(text: str) -> Iterator[tuple[int, str]]:
    taken: list[str] = []
    first = 1
    for number, line in enumerate(text.split("\n"), 1):
        first = first if taken else number
        taken.append(line)
        if not line.endswith("\\") or (len(line) - len(line.rstrip("\\"))) % 2 == 0:
            yield first, "\n".join(taken)
            taken = []
    if taken:
        yield first, "\n".join(taken)


def _read(line: int, logical: str) -> Iterator[Item]:
    if logical.startswith("\t"):
        yield from _recipe(line, logical)
        return
    bare = _COMMENT.sub("", logical)
    if match := _VARIABLE.fullmatch(bare):
        yield from _assigned(line, bare, match)
    elif value_of := _OTHER.fullmatch(bare):
        # `RUN = PYTHONPATH=. python`: a variable may hold the beginning of a command
        yield from _recipe(line, value_of[1].replace("$(shell ", "$("))
    elif rule := _RULE.fullmatch(bare):
        yield from _recipe(line, rule[1])
    elif logical[:1] == " ":
        # under .RECIPEPREFIX, and inside `define`, recipes begin with something else
        yield from _recipe(line, logical)


def _assigned(line: int, bare: str, match: re.Match[str]) -> Iterator[Item]:
    name, sign, text = variable(match[1]), match[2], match[3]
    content = _value(re.sub(r"(?:\s*\\\n\s*)+", " ", text).rstrip())
    if name is None or not content:
        return
    if sign == "!=":
        content = (Command(text.strip()),)
    if sign == "+=":
        content = merged((Reference(name), " ", *content))
    effect = Effect.DEFAULTS if sign == "?=" else Effect.SETS
    quoted = re.match(r"""(["']).*\1$""", text.strip(), re.DOTALL)
    remark = "make keeps the quotes as a part of the value" if quoted else ""
    start = line + bare.count("\n", 0, match.start(1))
    yield Assignment(name, start, content, effect, remark=remark)


def _value(text: str) -> Value:
    return value(text.replace("\\#", "#"))


def _recipe(line: int, text: str) -> Iterator[Item]:
    script = text.replace("\n\t", "\n").lstrip("\t ")
    script = script.lstrip("@-+ ")
    script = _AUTOMATIC.sub("_", script.replace("$$", "\0"))
    script = _ROUND.sub(r"${\1}", script).replace("\0", "$")
    found = list(map(_in_line, shifted(shell.snippet(script), line - 1)))
    yield from found
    places = {(item.variable, item.line) for item in found if isinstance(item, Assignment)}
    # `set NAME=value` sets nothing in a shell: the recipe is for cmd.exe
    for item in map(_in_line, shifted(batch.read(script), line - 1)):
        if isinstance(item, Assignment) and (item.variable, item.line) not in places:
            yield item


def _in_line(item: Item) -> Item:
    # each line of a recipe has a shell of its own
    if isinstance(item, Assignment) and not item.scope:
        return item._replace(scope="one command")
    return item
