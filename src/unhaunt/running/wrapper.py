"""Edge: `unhaunt run --isolated`: this process becomes the command, isolated.

Exit code, streams, signals and terminal are the command's own, because nothing is left of us.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import NoReturn

from unhaunt.errors import UserError
from unhaunt.running.legs import text
from unhaunt.running.rungs import Rung
from unhaunt.running.session import Order, Session
from unhaunt.running.setting import Setting, Started, isolating


def become(words: Sequence[str], env: Mapping[str, str], cwd: str, *, strict: bool) -> NoReturn:
    """Replace this process by the isolated command. Raises `UserError` when that cannot be."""
    rung = Rung.STRICT if strict else Rung.ISOLATED
    session = Session(Order(tuple(words), env, cwd))
    setting = session.setting(rung)
    command = isolated(session.started, setting)
    python = session.started.python
    executable = python.executable if python and not session.started.prefix else command[0]
    os.chdir(cwd)
    try:
        if sys.platform == "win32":
            raise SystemExit(subprocess.run(command, env=dict(setting.env)).returncode)
        os.execvpe(executable, command, setting.env)
    except OSError as error:
        raise UserError(
            f"{command[0]} cannot be started: {error.strerror}", hint="is it on PATH?"
        ) from error


def isolated(started: Started, setting: Setting) -> list[str]:
    """Return the command line: with the launcher only when something has to be put back."""
    python = started.python
    if python is None:
        return list(started.words)
    if not setting.request["roots"] and setting.request["how"] != "found":
        own = isolating(setting.env)
        return [*started.prefix, python.argv0, *own, *python.options, *python.run]
    code = text({**setting.request, "folder": None, "report": None}, "__unhaunt__")
    return [*started.prefix, python.argv0, *setting.options, "-c", code]
