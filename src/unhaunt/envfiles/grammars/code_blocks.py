"""Languages with strings and blocks: Groovy, HCL, Nix, Ruby, Lua, CMake, Meson. Pure: no IO.

Sources: Jenkins pipeline syntax (`environment`, `withEnv`, `sh`); Terraform and Packer (`env`
blocks, `environment_vars`); nixpkgs (`shellHook`, attributes); Vagrant (`inline: <<-SHELL`); Lmod
(`prepend_path`, `setenv`); CMake (`set(ENV{…})`, `-E env`); Meson (`environment()`).
Comments are blanked; then a variable's name is looked for where it can be set: as a key, as the
argument of a function, at the beginning of a string, and in strings that are shell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from unhaunt.envfiles.assignment import (
    MENTION,
    PLAIN,
    VARIABLES,
    Assignment,
    Command,
    Dialect,
    Item,
    Value,
    shifted,
)
from unhaunt.envfiles.grammars import shell
from unhaunt.envfiles.reference import value

_NAMES = "|".join(VARIABLES)
_TOKEN = re.compile(
    r'''
      (?P<here><<[-~]?\s*["']?(?P<tag>[A-Z]\w*)["']?[^\n]*\n)
    | (?P<long>"""(?:[^"]++|"(?!""))*+"""|\'\'\'(?:[^']++|'(?!''))*+\'\'\'|''(?:[^']++|'(?!'))*+'')
    | (?P<string>"(?:[^"\\]++|\\.)*+"|'(?:[^'\\\n]++|\\.)*+')
    | (?P<comment>/\*(?:[^*]++|\*(?!/))*+\*/|(?<![^\s;,{}()])(?:\#|//|--(?=\s))[^\n]*)
    ''',
    re.VERBOSE | re.DOTALL,
)
_STRING = r"""(?P<value>"(?:[^"\\]|\\.)*+"|'(?:[^'\\\n]|\\.)*+'|[^\s,;(){}]+)"""
_KEY = re.compile(
    rf"""(?<![\w$.{{%-])(?:env\.)?["']?(?P<name>{_NAMES})["']?\]?\s*(?:=>|=(?![=~])|:)\s*{_STRING}"""
)
_PAIR = re.compile(rf"""\bname\s*[=:]\s*["'](?P<name>{_NAMES})["'],?\s*value\s*[=:]\s*{_STRING}""")
_CALL = re.compile(
    rf"""\w*(?:env|path|set|prepend|append)\w*\s*[({{]?\s*["']?(?P<name>{_NAMES})["'}}]?\s*[\s,]\s*{_STRING}""",
    re.I,
)


def read(text: str, dialect: Dialect = PLAIN) -> Iterator[Item]:
    """Yield what keys, calls and strings set."""
    scripts, code = _taken_apart(text)
    for line, script in scripts:
        yield from shifted(shell.snippet(script), line - 1)
    for pattern in (_KEY, _PAIR, _CALL):
        for match in pattern.finditer(code):
            content = _value(match["value"])
            if content:
                line = code.count("\n", 0, match.start("name")) + 1
                yield Assignment(match["name"], line, content, container=pattern is _PAIR)


def _taken_apart(text: str) -> tuple[list[tuple[int, str]], str]:
    """Return the strings that may be shell, with their lines, and the text without them."""
    scripts: list[tuple[int, str]] = []
    code: list[str] = []
    at, line, end = 0, 1, 0
    while match := _TOKEN.search(text, at):
        code.append(text[end : match.start()])
        line += text.count("\n", end, match.start())
        token, end = _token(text, match)
        inner = _inner(match, token)
        if inner and MENTION.search(inner) and not MENTION.fullmatch(inner):
            scripts.append((line + token[: token.find(inner)].count("\n"), inner))
            code.append("\n" * token.count("\n"))
        else:
            code.append("\n" * token.count("\n") if match["comment"] else token)
        line += token.count("\n")
        at = end
    return scripts, "".join([*code, text[end:]])


def _token(text: str, match: re.Match[str]) -> tuple[str, int]:
    if not match["here"]:
        return match[0], match.end()
    closing = re.compile(rf"^[ \t]*{match['tag']}\b", re.MULTILINE).search(text, match.end())
    end = closing.start() if closing else match.end()
    return text[match.start() : end], end


def _inner(match: re.Match[str], token: str) -> str:
    if match["comment"]:
        return ""
    if match["here"]:
        return token[len(match["here"]) :]
    if match["long"]:
        width = 2 if token.startswith("''") and not token.startswith("'''") else 3
        return token[width:-width]
    return token[1:-1].replace('\\"', '"')


def _value(text: str) -> Value:
    if text[:1] in ("'", '"'):
        return value(text[1:-1])
    return () if text in ("null", "nil", "[]", "''") else (Command(text),)
