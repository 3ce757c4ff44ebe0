"""Edge: bytecode of the members, for the Python that runs this one.

A zip has no `__pycache__`: without bytecode inside, every start would compile what it imports. An
interpreter of another version finds a magic number that is not its own, and takes the source
beside it (CPython's Lib/zipimport.py).
"""

from __future__ import annotations

import base64
import json
import os
import platform
import sys
from collections.abc import Mapping

from unhaunt.errors import UserError
from unhaunt.interpreters.interpreter import run
from unhaunt.own_files import script
from unhaunt.vendoring.archive import COMPILER

CHILD = os.path.join(os.path.dirname(__file__), "compiling.py")
_SECONDS = 300.0


def compiler() -> bytes:
    """Return which Python makes the bytecode, as the file says it."""
    return f"{sys.implementation.cache_tag} {platform.python_version()}\n".encode()


def compiled(members: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the `.pyc` members, and the one that says whose they are.

    Raises `UserError` when this Python cannot be started once more.
    """
    sources = {n: data.decode("latin-1") for n, data in members.items() if n.endswith(".py")}
    text = f"REQUEST = {json.dumps(json.dumps(sources))}\n{script(CHILD)}"
    command = [sys.executable, "-I", "-S", "-B", "-W", "ignore", "-"]
    try:
        ended = run(command, text, {}, os.sep, _SECONDS)
    except OSError as error:
        raise _none(error.strerror or "it cannot be started") from None
    pairs = [line.split(" ") for line in ended.stdout.splitlines()]
    if ended.code != 0 or len(pairs) != len(sources):
        raise _none(ended.stderr.strip().rpartition("\n")[2])
    made = {f"{name}c": base64.b64decode(text) for name, text in pairs}
    return {**made, COMPILER: compiler()}


def _none(why: str) -> UserError:
    return UserError(f"{sys.executable or 'Python'} makes no bytecode: {why}", hint="--no-bytecode")
