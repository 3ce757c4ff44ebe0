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
    NAMES,
    PLAIN,
    Assignment,
    Command,
    Dialect,
    Item,
    Value,
    shifted,
)
from unhaunt.envfiles.grammars import any_shell
from unhaunt.envfiles.reference import value

_TOKEN = re.compile(
    r'''
      (?P<here><<[-~]?\s*["']?(?P<tag>[A-Z]\w*)["']?[^\n]*\n)
    | (?P<long>"""(?:[^"]++|"(?!""))*"""|\'\'\'(?:[^']++|'(?!''))*\'\'\'|''(?:[^']++|'(?!'))*'')
    | (?P<string>"(?:[^"\\]++|\\.)*"|'(?:[^'\\\n]++|\\.)*')
    | (?P<comment>/\*(?:[^*]++|\*(?!/))*(?:\*/|\Z)|(?<![^\s;,{}()])(?:\#|//|--(?=\s))[^\n]*)
    ''',
    re.VERBOSE | re.DOTALL,
)
_STRING = r"""(?P<value>"(?:[^"\\]++|\\.)*"|'(?:[^'\\\n]++|\\.)*'|[^\s,;()]+)"""
_NAME = (
    rf"""(?:"(?P<double>{NAMES})"|'(?P<single>{NAMES})'"""
    rf"""|(?:(?<=env\.)|(?<=environment\.)|(?<=[vV]ariables\.)|(?<![\w$.{{%"'-]))(?P<bare>{NAMES})\b)"""
)
_KEY = re.compile(rf"""{_NAME}\]?\s*+(?:=>|=(?![=~])|:)\s*+{_STRING}""")
_ADJACENT = re.compile(rf"""(?<![\w$.{{%"'-])(?P<bare>{NAMES})=(?P<value>[^\s"')]++)""")
_JOINED = re.compile(rf"""["'](?P<bare>{NAMES})=["']\s*+\+\s*+(?P<value>[\w.]++)""")
_PAIR = re.compile(
    rf"""\bname\s*+[=:]\s*+["'](?P<bare>{NAMES})["'],?\s*+value\s*+[=:]\s*+{_STRING}"""
)
_CALL = re.compile(
    rf"""(?<![\w$])(?P<function>\w++)\s*+(?:[({{]\s*+)?(?:ENV\{{)?["']?(?P<bare>{NAMES})["'}}]?"""
    rf"""(?=[\s,])\s*+(?:,\s*+)?{_STRING}"""
)
#: a string that sets something, and is more than `NAME=` before a `+`
_SCRIPT = re.compile(rf"\b(?:{NAMES})(?:\+?=.|[ \t]+\S)|<<", re.DOTALL)
#: one `NAME=value` whose semicolons are CMake's
_ENTRY = re.compile(rf"({NAMES})=((?=[^\s;]*+;)\S++)")
_SETTER = re.compile(r"env|path|set|prepend|append", re.IGNORECASE)
_GETTER = re.compile(r"unset|get|delete|remove", re.IGNORECASE)
_OWN_REFERENCE = re.compile(rf"\$\{{({NAMES})\}}")
#: CMake's own variables are no environment: `set(NAME x)`, `list(APPEND NAME x)`
_OWN = frozenset({"set", "append", "prepend"})
#: what stands before a string that is printed, those before it blanked
_PRINTS = re.compile(
    r"(?<![\w.])(?:echo|println?|printf|puts|message|warn|warning|error|info|fail)"
    r"[\s({,+]*+(?:(?:STATUS|WARNING|NOTICE|VERBOSE|DEBUG|FATAL_ERROR|AUTHOR_WARNING)[\s,]*+)?\Z"
)


def read(text: str, dialect: Dialect = PLAIN) -> Iterator[Item]:
    """Yield what keys, calls and strings set."""
    scripts, code = _taken_apart(text)
    for line, script in scripts:
        if entry := _ENTRY.fullmatch(script):
            yield Assignment(entry[1], line, value(entry[2]))
        else:
            yield from shifted(any_shell.read(script), line - 1)
    taken: set[int] = set()
    for pattern in (_JOINED, _ADJACENT, _PAIR, _KEY, _CALL):
        for match in pattern.finditer(code):
            named = {**dict.fromkeys(("double", "single", "bare")), **match.groupdict()}
            which = next(k for k in ("double", "single", "bare") if named[k])
            bare = code[match.start(which) - 1 : match.start(which)] not in ("'", '"', "{")
            if match.start(which) not in taken and _sets(named.get("function"), bare=bare):
                taken.add(match.start(which))
                line = code.count("\n", 0, match.start(which)) + 1
                yield from _assigned(match, which, line, code[match.end() : match.end() + 1])


def _sets(function: str | None, *, bare: bool) -> bool:
    if function is None:
        return True
    if bare and function.lower() in _OWN:
        return False
    return bool(_SETTER.search(function) and not _GETTER.search(function))


def _assigned(match: re.Match[str], which: str, line: int, behind: str) -> Iterator[Item]:
    adjacent = match.re is _ADJACENT
    text = match["value"]
    if "ENV{" in match[0][: match.start("value") - match.start()]:
        # CMake's own variable of that name is not the old value
        text = _OWN_REFERENCE.sub(r"${cmake.\1}", text)
    # `':'.join(…)` is no text
    computed = behind == "." and text[:1] in ("'", '"')
    content = (Command(text),) if computed else value(text) if adjacent else _value(text)
    if content:
        yield Assignment(match[which], line, content, container=match.re is _PAIR)


def _taken_apart(text: str) -> tuple[list[tuple[int, str]], str]:
    """Return the strings that may be shell, with their lines, and the text without them."""
    scripts: list[tuple[int, str]] = []
    code: list[str] = []
    unclosed: set[str] = set()  # tags of here-documents that nothing ends
    at, line, end = 0, 1, 0
    while match := _TOKEN.search(text, at):
        code.append(text[end : match.start()])
        line += text.count("\n", end, match.start())
        token, end = _token(text, match, unclosed)
        inner = _inner(match, token)
        if match["string"] and _PRINTS.search("".join(code[-3:])[-80:]):
            code.append("\n" * token.count("\n"))
        elif inner and _SCRIPT.search(inner):
            # only what opens a here-document has a line break of its own
            scripts.append((line + (match["here"] or "").count("\n"), inner))
            code.append("\n" * token.count("\n"))
        else:
            code.append("\n" * token.count("\n") if match["comment"] else token)
        line += token.count("\n")
        at = end
    return scripts, "".join([*code, text[end:]])


def _token(text: str, match: re.Match[str], unclosed: set[str]) -> tuple[str, int]:
    if not match["here"] or match["tag"] in unclosed:
        return match[0], match.end()
    closing = re.compile(rf"^[ \t]*{match['tag']}\b", re.MULTILINE).search(text, match.end())
    if closing is None:
        unclosed.add(match["tag"])
    end = closing.start() if closing else match.end()
    return text[match.start() : end], end


def _inner(match: re.Match[str], token: str) -> str:
    if match["comment"]:
        return ""
    if match["here"]:
        return token[len(match["here"]) :]
    if match["long"]:
        width = 2 if token.startswith("''") and not token.startswith("'''") else 3
        inner = token[width:-width]
        return inner.replace("\\$", "$") if token[0] == '"' else inner
    inner = token[1:-1].replace('\\"', '"').replace("\\$", "$")
    # a line break that is written as one ends a command, and no line of the file
    return inner.replace("\\n", ";") if token[0] == '"' else inner


def _value(text: str) -> Value:
    if text[:1] in ("'", '"'):
        return value(text[1:-1])
    return () if text in ("null", "nil", "[]", "''") else (Command(text),)
