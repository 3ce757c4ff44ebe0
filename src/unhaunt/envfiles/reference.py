"""References inside the values of formats that are not shells. Pure: no IO.

The spellings differ from tool to tool and hardly collide, so one expression knows them all:
Compose, systemd and dotenv `${NAME:-word}`; VS Code `${env:NAME}`; devcontainer
`${localEnv:NAME:default}`; tox and Hatch `{env:NAME:default}`; GitHub `${{ env.NAME }}`;
Kubernetes, Azure and make `$(NAME)`; ROS `$(env NAME)`; Windows `%NAME%`; supervisor
`%(ENV_NAME)s`; PyCharm `$NAME$`; Jinja, Go templates and mise `{{ name }}`; PowerShell `$env:NAME`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from unhaunt.envfiles.assignment import Command, Part, Reference, Value, merged

_SPELLING = re.compile(
    r"""
      (?P<dollar>\$\$)
    | \$\{\{\s*(?P<expression>[^{}]*?)\s*\}\}
    | \$\{(?:env|localEnv|containerEnv):(?P<env>\w+)(?::(?P<env_default>[^{}]*))?\}
    | \$\{(?P<braced>[\w.]+)(?:(?P<operator>:?[-=+?])(?P<word>(?:[^{}$]++|\$\w++|\$?\{\w*+\})*))?\}
    | \$(?P<ide>[A-Z_]+)\$
    | \$(?:\(\$)?(?:[Ee][Nn][Vv]|variable|global|script):(?P<powershell>\w+)\)?
    | \$ENV\{(?P<cmake>\w+)\}
    | \$\((?:env|optenv|EnvironmentVariable)\s+'?(?P<ros>\w+)'?(?:\s+[^()]*)?\)
    | \$\((?P<round>[\w.]+)\)
    | \$\((?P<command>[^()]*)\)
    | `(?P<backtick>[^`]*)`
    | \$(?P<plain>[A-Za-z_]\w*)
    | %\((?:ENV_)?(?P<supervisor>\w+)\)s
    | %(?P<percent>\w+)%
    | %(?P<script>~\w+)
    | !(?P<delayed>\w+)!
    | \{\{-?\s*(?P<template>[^{}]*?)\s*-?\}\}
    | \{env:(?P<tox>\w+)(?::(?P<tox_default>(?:[^{}]++|\{\w*+\})*))?\}
    | (?P<separator>\{[;:]\})
    | (?P<slash>\{/\})
    | \{(?P<curly>[a-z_]\w*)\}
    """,
    re.VERBOSE,
)

#: functions of template languages that only read a variable
_READ = re.compile(r"(?:env|get_env|getenv|lookup|vars|variables)\W+(?:env\W+)?(\w+)\W*$")


def value(text: str, *, separator: str = ":") -> Value:
    """Split `text` into literal text and references, whatever their spelling."""
    return merged(_parts(text, separator))


def _parts(text: str, separator: str) -> Iterator[Part]:
    end = 0
    for match in _SPELLING.finditer(text):
        yield text[end : match.start()]
        yield _part(match, separator)
        end = match.end()
    yield text[end:]


def _part(match: re.Match[str], separator: str) -> Part:
    kind = match.lastgroup or ""
    text = match[kind]
    if kind in _LITERAL:
        return {"separator": separator}.get(kind, _LITERAL[kind])
    if kind in ("command", "backtick"):
        return Command(text)
    if kind in ("expression", "template"):
        read = _READ.match(text)
        return Reference(read[1] if read else f"{{{{{text}}}}}")
    if kind == "word":
        return Reference(match["braced"], match["operator"], value(text, separator=separator))
    if kind in ("env_default", "tox_default"):
        name = match["env"] or match["tox"]
        return Reference(name, ":-", value(text, separator=separator))
    # `env.` is Groovy's
    return Reference(f"{{{text}}}" if kind == "curly" else text.removeprefix("env."))


#: a doubled dollar is a literal one in every format that doubles it
_LITERAL = {"dollar": "$", "separator": ":", "slash": "/"}
