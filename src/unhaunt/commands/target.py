"""The interpreter that a command looks at, and whether it may be started."""

from __future__ import annotations

import argparse
import contextlib
import os
from collections.abc import Mapping

from unhaunt.errors import UserError
from unhaunt.interpreters.preflight import Target
from unhaunt.interpreters.project_python import project_python
from unhaunt.repository.heads import toplevel_of
from unhaunt.settings import settings


def project_target(args: argparse.Namespace, env: Mapping[str, str], cwd: str) -> Target:
    """Return the interpreter of --python, of the configuration, or the project's.

    Raises `UserError` when there is none, and for one that the repository brings along.
    """
    said = settings(cwd, args.config, none=args.no_config)
    found = project_python(env, cwd, asked=args.python, configured=said.python)
    if found is None:
        raise UserError("no project interpreter: not checked", hint="give one with --python")
    refused = None if args.python else _refused(found, cwd)
    if refused:
        hint = f"name it, if you trust it: --python {found.executable}"
        raise UserError(f"{found.executable}: {refused}", hint=hint)
    return found


def _refused(target: Target, cwd: str) -> str | None:
    """Return why not to start what nobody has named; where git cannot say, nothing is committed."""
    from unhaunt.interpreters.startable import decisive, unasked

    top = toplevel_of(os.path.realpath(cwd))
    places = [os.path.realpath(os.path.dirname(path)) for path in decisive(target.executable)]
    if top is None or not any((place + os.sep).startswith(top + os.sep) for place in places):
        return None
    from unhaunt.repository.commit import Scope
    from unhaunt.repository.opening import Opening
    from unhaunt.repository.worktree import WorkingTree

    with contextlib.suppress(UserError):
        tree = WorkingTree(*Opening(top, at_hand=False).finish(), Scope())
        return unasked(target, top, tree)
    return None
