"""PowerShell: `$env:NAME = …`, `Set-Item Env:NAME`, SetEnvironmentVariable, setx. Pure: no IO.

Sources: about_Environment_Variables, about_Quoting_Rules, about_Comments. Names ignore case.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from unhaunt.envfiles.assignment import (
    NAMES,
    PLAIN,
    Assignment,
    Dialect,
    Item,
    Reference,
    Value,
    merged,
    shifted,
    variable,
)
from unhaunt.envfiles.grammars import guards, lines, shell
from unhaunt.envfiles.grammars.shell_writes import BEGUN, is_sink
from unhaunt.envfiles.reference import value

_DULL = re.compile(
    r"""
      <\#(?:[^#]++|\#(?!>))*(?:\#>|\Z)
    | (?<![^\s;{}()])\#[^\n]*+
    | (?P<string>"(?:[^"`]++|`.|"")*"(?!")|'(?:[^']++|'')*'(?!'))
    """,
    re.VERBOSE | re.DOTALL,
)
_SETS = (
    re.compile(rf"\$\{{?env:(?P<name>{NAMES})\}}?\s*(?P<sign>\+?=)(?!=)\s*(?P<value>[^\n]*)", re.I),
    re.compile(
        rf"(?:Set-Item|New-Item|Set-Content|si|ni)\b[^\n;|]*?\bEnv:[\\/]?(?P<name>{NAMES})\b['\"]?"
        r"(?:\s+-Value)?\s+(?P<value>[^\n]*)",
        re.I,
    ),
    re.compile(
        rf"SetEnvironmentVariable\(\s*['\"](?P<name>{NAMES})['\"]\s*,\s*(?P<value>[^\n]*)", re.I
    ),
    re.compile(
        rf"(?<![\w-])(?P<setx>setx)\s+(?P<name>{NAMES})\s+(?P<value>\"[^\"\n]*\"|'[^'\n]*'|[^\s;|]+)",
        re.I,
    ),
)
#: programs whose arguments are about another environment than PowerShell's own
_COMMAND = re.compile(
    r"^[ \t]*(?:&[ \t]*)?(?:docker|podman|heroku|conda|mamba|wsl|ssh|bazel)\b(?:\\\n|[^\n])*",
    re.I | re.M,
)
_ENV = re.compile(r"\$(?:\(\$)?\{?env:(\w+)\}?\)?", re.I)
_PIECE = re.compile(
    r"""("(?:[^"`]++|`.|"")*"(?!"))|'((?:[^']++|'')*)'(?!')|(\$[\w:{}]+)|([;,)|]| -\w+)|(\S)"""
)
_TEXT = (
    r"""(?P<text>@"\n(?:(?!"@|@["'])[^\n]*+\n)*"@|@'\n(?:(?!'@|@["'])[^\n]*+\n)*'@"""
    r"""|"(?:[^"`\n]++|`.)*"|'[^'\n]*+')"""
)
_WRITES = (
    re.compile(
        _TEXT + r"""\s*+(?:\|\s*(?:Out-File|Add-Content|Set-Content|Tee-Object)"""
        r"""(?:[^\n;|]*?\s-(?:File|Literal)?Path|(?:\s+-\w+)*)\s+|>>?\s*)(?P<file>[^\s;|]+)""",
        re.I,
    ),
    re.compile(
        r"(?:Add|Set)-Content\b[^\n;|]*?\s-(?:Literal)?Path\s+(?P<file>[^\s;|]+)\s+-Value\s+"
        + _TEXT,
        re.I,
    ),
)


def read(text: str, dialect: Dialect = PLAIN) -> Iterator[Item]:
    """Yield what a script sets."""
    yield from guards.applied(_read(text), text, "{}")


def _read(text: str) -> Iterator[Item]:
    text = _DULL.sub(_blanked, text)
    for pattern in _SETS:
        for match in pattern.finditer(text):
            yield from _assigned(match, text.count("\n", 0, match.start("name")) + 1)
    for match in _COMMAND.finditer(text.replace("`\n", "\\\n")):
        script = _ENV.sub(r"$\1", match[0])
        yield from shifted(shell.snippet(script), text.count("\n", 0, match.start()))
    yield from _written(text)


def _written(text: str) -> Iterator[Item]:
    """Yield what is written into files; GitHub's `NAME<<EOF` has its value on the next line."""
    told: dict[str, list[tuple[int, str]]] = {}
    for pattern in _WRITES:
        for match in pattern.finditer(text):
            first = text.count("\n", 0, match.start("text")) + 1
            pieces = match["text"].strip("@\"'").replace("`n", "\n").replace("`", "").split("\n")
            numbers = (first + n * ("\n" in match["text"]) for n in range(len(pieces)))
            told.setdefault(match["file"].strip("\"'"), []).extend(
                zip(numbers, pieces, strict=True)
            )
    for file, found in told.items():
        if not is_sink(file):
            yield from _of_pieces(sorted(found, key=lambda piece: piece[0]), file)


def _of_pieces(pieces: list[tuple[int, str]], file: str) -> Iterator[Item]:
    for at, (line, piece) in enumerate(pieces):
        begun = BEGUN.fullmatch(piece.strip())
        if begun and at + 1 < len(pieces):
            content = value(pieces[at + 1][1].strip(), separator=";")
            yield _into(Assignment(begun[1], line, content), file, line)
        for item in lines.read(piece):
            if isinstance(item, Assignment):
                yield _into(item, file, line)


def _blanked(match: re.Match[str]) -> str:
    return match["string"] or re.sub(r"[^\n]", " ", match[0])


def _into(item: Assignment, target: str, line: int) -> Assignment:
    ci = "GITHUB_ENV" in target
    scope = "every later CI step" if ci else f"what reads {target}"
    return item._replace(line=line, remark=f"writes {item.variable} into {target}", scope=scope)


def _assigned(match: re.Match[str], line: int) -> Iterator[Item]:
    groups = match.groupdict()
    name = variable(groups["name"], fold=True)
    content = _expression(groups["value"])
    if name is None or not content or content == (Reference("null"),):
        return
    if groups.get("sign") == "+=":
        content = merged((Reference(name), *content))
    persistent = groups.get("setx") or re.search(r"['\"]?(User|Machine)\b", groups["value"])
    scope = "every later process of the user: it is persistent" if persistent else ""
    yield Assignment(name, line, content, scope=scope, form="powershell")


def _expression(text: str) -> Value:
    """Return the value of a string, or of strings and variables joined by `+`."""
    parts: list[str | Reference] = []
    found: Value = ()
    for double, single, name, end, other in _PIECE.findall(text):
        if end:
            break
        if double:
            found = (
                *found,
                *value(_folded(double[1:-1].replace('""', '"').replace("`", "")), separator=";"),
            )
        elif single or (not name and not other):
            found = (*found, single)
        elif name:
            found = (*found, *value(_folded(name), separator=";"))
        elif other != "+":
            parts.append(other)
    return merged(found) or merged(("".join(map(str, parts)),))


def _folded(text: str) -> str:
    return re.sub(rf"(\$\{{?env:)({NAMES})\b", lambda m: m[1] + m[2].upper(), text, flags=re.I)
