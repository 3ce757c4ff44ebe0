"""Script text whose shell nobody names: PowerShell and cmd say themselves what they are.

Pure: no IO. Sources: about_Environment_Variables; `help set`; GitHub Actions, "Using a specific
shell" (a Windows runner takes pwsh without being told); Azure Pipelines, "task.setvariable".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from unhaunt.envfiles.assignment import MENTION, NAMES, Assignment, Item
from unhaunt.envfiles.grammars import batch, powershell, shell
from unhaunt.envfiles.reference import value

_POWERSHELL = re.compile(
    rf"\$?\{{?\benv:[\\/]?(?:{NAMES}|GITHUB_ENV)\b|SetEnvironmentVariable\(", re.IGNORECASE
)
_BATCH = re.compile(
    rf"^(?:[^\n]*&)?[ \t]*@?set[ \t]+(?:\"[ \t]*)?(?:{NAMES})=|\bsetx[ \t]",
    re.IGNORECASE | re.MULTILINE,
)
_COMMENT = re.compile(r"^[ \t]*#[^\n]*", re.MULTILINE)
_LOGGED = re.compile(
    rf"##vso\[task\.setvariable\s+variable=(?P<name>{NAMES})\b[^\]\n]*\](?P<value>[^\"'\n]*)"
)
#: one line that begins with a word of prose; `Set NAME=value` alone is cmd's
_PROSE = re.compile(rf"\s*[A-Z][a-z]+ (?!(?:{NAMES})=\S+\s*\Z)[^\n&|;]*+\s*+")


def read(text: str) -> Iterator[Item]:
    """Yield what a script sets."""
    if not MENTION.search(text) or _PROSE.fullmatch(text):
        return
    for match in _LOGGED.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        found = value(match["value"].strip())
        yield Assignment(match["name"], line, found, scope="every later CI step")
    code = _COMMENT.sub("", text)
    if _POWERSHELL.search(code):
        yield from powershell.read(text)
    elif _BATCH.search(code):
        yield from _windows(text)
    else:
        yield from shell.snippet(text)


def _windows(text: str) -> Iterator[Item]:
    """Yield what cmd sets, and what a shell would set besides."""
    found = [item for item in batch.read(text) if isinstance(item, Assignment)]
    yield from found
    places = {(item.variable, item.line) for item in found}
    for item in shell.snippet(text):
        if isinstance(item, Assignment) and (item.variable, item.line) not in places:
            yield item
