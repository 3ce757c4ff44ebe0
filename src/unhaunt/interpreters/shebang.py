"""Which Python a script on PATH belongs to. Reads first lines, starts nothing."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Mapping

from unhaunt.errors import UserError
from unhaunt.interpreters.preflight import head_of, on_path, shim


def behind_shim(path: str, env: Mapping[str, str], cwd: str) -> str:
    """Return the script that a pyenv shim would run; any other path is itself."""
    if b"pyenv" in head_of(path):
        with contextlib.suppress(UserError):
            return shim(path, env, cwd).executable
    return path


def shebang(path: str, env: Mapping[str, str], cwd: str) -> str | None:
    """Return the interpreter that a script's first line names; None when it is no script."""
    words = shebang_words(head_of(path))
    if not words:
        return None
    if os.path.basename(words[0]) == "env":
        names = [w for w in words[1:] if not w.startswith("-") and "=" not in w]
        return next(on_path(names[0], env, cwd), names[0]) if names else None
    return words[0]


def shebang_words(head: bytes) -> list[str]:
    """Return the words of `#! …`, through the `/bin/sh` detour of installers for long paths."""
    first, _, rest = head.partition(b"\n")
    if not first.startswith(b"#!"):
        return []
    words = os.fsdecode(first[2:]).strip().split()
    detour = re.match(rb"'''exec' (?:\"([^\"]+)\"|(\S+)) ", rest)
    if detour and words and words[0].endswith("sh"):
        return [os.fsdecode(detour.group(1) or detour.group(2))]
    return words
