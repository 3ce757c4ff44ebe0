"""Files whose `%sections` are shell: RPM spec files, Singularity definitions. Pure: no IO.

Sources: rpm-spec(5), "Build scriptlets"; Apptainer, "Definition Files".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from unhaunt.envfiles.assignment import MENTION, PLAIN, Dialect, Item, shifted
from unhaunt.envfiles.grammars import shell

_SECTION = re.compile(r"^%(\w+)[^\n]*\n", re.MULTILINE)
_PROSE = frozenset({"description", "files", "changelog", "package", "labels", "help"})
#: openSUSE's python macros: `%python_expand command`, once for each Python
_EXPAND = re.compile(r"^%\w+_expand[ \t]+", re.MULTILINE)
_MACRO = re.compile(r"%\{[^{}\n]*\}|%%")


def read(text: str, dialect: Dialect = PLAIN) -> Iterator[Item]:
    """Yield what the scripts set."""
    text = _EXPAND.sub("", text)
    marks = list(_SECTION.finditer(text))
    ends = [m.start() for m in marks[1:]] + [len(text)]
    for mark, end in zip(marks, ends, strict=False):
        script = text[mark.end() : end]
        if mark[1] not in _PROSE and MENTION.search(script):
            line = text.count("\n", 0, mark.end())
            yield from shifted(shell.snippet(_MACRO.sub(_plain, script)), line)


def _plain(match: re.Match[str]) -> str:
    # `$NAME` is a reference to something that is not known here
    return "$" + (re.sub(r"\W+", "_", match[0]).strip("_") or "_") if len(match[0]) > 2 else "%"
