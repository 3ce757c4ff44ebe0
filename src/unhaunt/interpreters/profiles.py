"""Which line of a shell profile exports a Python variable. Nothing is sourced.

The files are those that shells read by themselves (bash(1), zsh(1), fish's documentation) and
direnv's own. How a line is read is the business of the env files' grammars.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from unhaunt.interpreters.preflight import head_of

FILES = [
    ".profile",
    ".bash_profile",
    ".bash_login",
    ".bashrc",
    ".zshenv",
    ".zprofile",
    ".zshrc",
    ".zlogin",
    ".kshrc",
    ".pam_environment",
    ".config/fish/config.fish",
    ".config/environment.d/python.conf",
    ".config/direnv/direnvrc",
    ".direnvrc",
]
SYSTEM = (
    "/etc/profile",
    "/etc/environment",
    "/etc/bash.bashrc",
    "/etc/zsh/zshenv",
    "/etc/zsh/zshrc",
)

#: (content, name) -> (line, variable) of every assignment
Assignments = Callable[[bytes, str], Iterable[tuple[int, str]]]


def profiles(files: Mapping[str, bytes], assignments: Assignments) -> list[dict[str, Any]]:
    """Return {path, line, sets} of every Python variable that a profile sets. Pure."""
    return [
        {"path": path, "line": line, "sets": name}
        for path, content in files.items()
        if b"PYTHON" in content or b"__PYVENV_LAUNCHER__" in content
        for line, name in assignments(content, path)
        if name.startswith("PYTHON") or name == "__PYVENV_LAUNCHER__"
    ]


def look(env: Mapping[str, str]) -> list[dict[str, Any]]:
    """Read this user's profiles."""
    home = env.get("HOME")
    paths = [*([os.path.join(home, name) for name in FILES] if home else []), *SYSTEM]
    files = {path: content for path in paths for content in [head_of(path, whole=True)] if content}
    return profiles(files, assignments)


def assignments(content: bytes, path: str) -> Iterator[tuple[int, str]]:
    """Yield what a profile sets, by the grammar of its shell."""
    from unhaunt.envfiles.assignment import Assignment, Effect, Unparsable
    from unhaunt.envfiles.grammars import lines

    text = content.decode("utf-8", "replace")
    try:
        items = list(_grammar(path)(text))
    except Unparsable:
        items = list(lines.read(text))
    for item in items:
        if isinstance(item, Assignment) and item.effect not in (Effect.NOTHING, Effect.PASSES):
            yield item.line, item.variable


def _grammar(path: str) -> Callable[[str], Iterable[object]]:
    # Imported here: most people's profiles set none of our variables.
    from unhaunt.envfiles.grammars import csh, dotenv, fish, shell

    if path.endswith(".fish"):
        return fish.read
    if path.endswith((".cshrc", ".tcshrc", ".login")):
        return csh.read
    return dotenv.read if path.endswith((".conf", "/environment")) else shell.snippet
