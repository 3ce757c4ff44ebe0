"""How a command line is taken apart: the Python that it starts, through `uv run` and the like.

Reads first lines of scripts, starts nothing. The runners' options are those of `uv run --help`,
uv 0.9; the others have none of their own.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from unhaunt.errors import UserError
from unhaunt.interpreters.command import Python, is_python, parsed, understood
from unhaunt.running.setting import Started

#: program -> the words after which the inner command stands
_RUN = {"uv": "run", "poetry": "run", "pdm": "run", "pipenv": "run", "rye": "run"}
#: options of `uv run` that take the next word
_WITH_VALUE = frozenset({
    "--with", "--with-editable", "--with-requirements", "--extra", "--group", "--no-group",
    "--only-group", "--no-extra", "--package", "--python", "-p", "--project", "--directory",
    "--env-file", "--index", "--default-index", "-i", "--index-url", "--extra-index-url",
    "--find-links", "-f", "--cache-dir", "--config-file", "--color", "--refresh-package",
    "--resolution", "--prerelease", "--exclude-newer", "--link-mode", "--python-platform",
})  # fmt: skip
#: programs that are no Python, and start some
OTHERS = frozenset(
    {"make", "bash", "sh", "zsh", "dash", "env", "npm", "npx", "just", "task", "tox", "nox"}
)
#: stands for the interpreter that a runner will choose
UNKNOWN = "?"


class Runner(NamedTuple):
    """A runner's own words, and the command behind them, which begins with a program's name."""

    prefix: tuple[str, ...]
    inner: tuple[str, ...]


def runner(words: Sequence[str]) -> Runner | None:
    """Return both parts; None when this is another program, or nothing is run."""
    wanted = _RUN.get(os.path.basename(words[0]))
    if wanted is None or wanted not in words:
        return None
    number = words.index(wanted) + 1
    while number < len(words) and words[number].startswith("-") and words[number] != "--":
        if words[number] in ("-m", "--module"):
            return Runner(tuple(words[:number]), ("python", "-m", *words[number + 1 :]))
        number += 2 if words[number] in _WITH_VALUE else 1
    start = number + 1 if words[number : number + 1] == ["--"] else number
    inner = tuple(words[start:])
    if not inner or os.path.basename(inner[0]) in OTHERS:
        return None
    return Runner(tuple(words[:number]), inner)


def read(words: Sequence[str], env: Mapping[str, str], cwd: str) -> Started:
    """Understand a command line. Raises `UserError` when there is no such program."""
    found = runner(words)
    if found is None:
        program = understood(words, env, cwd)
        if program is None and is_python(os.path.basename(words[0])):
            hint = "give it a script, -m, -c, or - (stdin)"
            raise UserError(f"{' '.join(words)} runs no program", hint=hint)
        return Started(tuple(words), (), program, cwd)
    inner = found.inner
    name = inner[0].rpartition("/")[2]
    python: Python | None = Python("", (), "script", inner, "python")
    if name.startswith("python"):
        python = parsed(UNKNOWN, inner[1:], inner[0], cwd)
    elif name.endswith(".py"):
        python = parsed(UNKNOWN, inner, "python", cwd)
    return Started(tuple(words), found.prefix, python, cwd)
