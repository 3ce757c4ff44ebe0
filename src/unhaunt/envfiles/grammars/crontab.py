"""Cron tables: `NAME = value` lines, and the commands. Pure: no IO. Source: crontab(5)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from unhaunt.envfiles.assignment import PLAIN, Assignment, Dialect, Item, merged, shifted, variable
from unhaunt.envfiles.grammars import shell

_SETTING = re.compile(r"""\s*(["']?)(\w+)\1\s*=\s*(.*?)\s*$""")
_JOB = re.compile(r"\s*(?:@\w+|(?:[\d*/,A-Za-z-]+\s+){5})\s*(.*)")


def read(text: str, dialect: Dialect = PLAIN) -> Iterator[Item]:
    """Yield what settings and commands set. cron expands nothing in a setting."""
    for number, line in enumerate(text.split("\n")):
        setting, job = _SETTING.match(line), _JOB.match(line)
        if setting and variable(setting[2]):
            content = setting[3]
            if len(content) > 1 and content[0] == content[-1] and content[0] in "\"'":
                content = content[1:-1]
            yield Assignment(setting[2], number + 1, merged((content,)))
        elif job:
            yield from shifted(shell.snippet(job[1]), number)
