"""Which line of a shell profile exports a Python variable. Nothing is sourced.

The files are those that shells read by themselves (bash(1), zsh(1), fish's documentation) and
direnv's own. How a line is read is the env-file grammar's business: `assignments`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from unhaunt.preflight import head_of

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
    return profiles(files, plain_assignments)


def plain_assignments(content: bytes, name: str) -> Iterable[tuple[int, str]]:
    """Read the plainest forms: `export X=…`, `X=…`, `setenv X …`, `set -gx X …`."""
    for number, raw in enumerate(content.decode("utf-8", "replace").splitlines(), 1):
        words = raw.strip().replace("=", " = ", 1).split()
        while (words and words[0] in ("export", "setenv", "set", "declare", "typeset", "env")) or (
            words[:1] and words[0].startswith("-")
        ):
            words = words[1:]
        if (
            len(words) > 1
            and words[0].startswith(("PYTHON", "__PYVENV"))
            and words[0].isidentifier()
        ):
            yield number, words[0]
