"""Edge: the rules about the project's interpreter, run on it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import NamedTuple

from unhaunt.audits.auditing import Audited
from unhaunt.errors import UserError
from unhaunt.interpreters.own_environment import own_environment
from unhaunt.interpreters.preflight import Target
from unhaunt.interpreters.project_python import project_python
from unhaunt.interpreters.startable import refusal
from unhaunt.repository.worktree import WorkingTree
from unhaunt.rule import Checked, NotChecked, Rule, check

NOTHING = Checked((), ())


class Examined(NamedTuple):
    """What the rules found, what is to be said of the run, and whether a part could not be done."""

    checked: Checked
    notes: tuple[str, ...]
    incomplete: bool


class How(NamedTuple):
    """What a user says of the interpreter."""

    asked: str | None  # --python
    configured: str | None  # [tool.unhaunt] python
    verify: bool
    strict: bool
    cwd: str  # what a relative path is relative to


def examine(rules: Sequence[tuple[str, Rule]], tree: WorkingTree, how: How) -> Examined:
    """Choose the project's interpreter and run the UH4 and UH5 rules among `rules` on it.

    Raises `UserError` when the one that was asked for is not there.
    """
    env = dict(os.environ)
    configured = how.configured
    if configured and os.sep in configured:
        configured = os.path.join(tree.repository.top, configured)
    target = project_python(env, how.cwd, asked=how.asked, configured=configured)
    if target is None:
        # In a hook the environment of the runner may be all there is: nothing to reject.
        lenient = bool(env.get("PRE_COMMIT")) and not how.strict
        return Examined(NOTHING, ("no project interpreter: not checked",), not lenient)
    about = [(hook, rule) for hook, rule in rules if rule.code.startswith("UH4")]
    imports = [(hook, rule) for hook, rule in rules if rule.code.startswith("UH5")]
    verify = how.verify or [rule.code for _, rule in about] == ["UH413"]
    parts = [_audit(about, target, tree, verify=verify)] if about else []
    parts += [_locate(imports, target, tree, how.cwd)] if imports else []
    checked = joined(*parts)
    silent = any(item.path == target.executable for item in checked.not_checked)
    return Examined(checked, (f"interpreter: {target.executable} ({target.because})",), silent)


def joined(*parts: Checked) -> Checked:
    """Put what several subjects gave in the order in which it is shown."""
    found = sorted((item for part in parts for item in part.found), key=lambda item: item.order)
    not_checked = sorted({item for part in parts for item in part.not_checked})
    return Checked(tuple(found), tuple(not_checked))


def _audit(
    rules: Sequence[tuple[str, Rule]], target: Target, tree: WorkingTree, *, verify: bool
) -> Checked:
    audited = Audited(target, own_environment(), tree, verify=verify)
    missing = [NotChecked(target.executable, f"{fact}: {why}") for fact, why in audited.unknown]
    return joined(check(rules, audited), Checked((), tuple(missing)))


def _locate(
    rules: Sequence[tuple[str, Rule]], target: Target, tree: WorkingTree, cwd: str
) -> Checked:
    from unhaunt.audits.locating import located

    refused = refusal(target, tree.repository.top, tree)
    try:
        if refused:
            raise UserError(refused, hint="name it with --python")
        return check(rules, located(target.executable, dict(os.environ), tree, cwd))
    except UserError as error:
        reason = str(error).removeprefix(f"{target.executable}: ")
        return Checked((), (NotChecked(target.executable, reason),))
