"""Edge: the four checks before a patch is trusted.

Each is asked of what really runs: the interpreter that the command starts, its own fingerprint,
the isolated run, and what that run imported.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from typing import Any

from unhaunt.errors import UserError
from unhaunt.fingerprints.compare import Difference, compare
from unhaunt.fingerprints.explain import Explanation
from unhaunt.fingerprints.sentences import sentence
from unhaunt.fingerprints.sides import side
from unhaunt.interpreters.preflight import Target
from unhaunt.interpreters.project_python import project_python
from unhaunt.interpreters.taking import Order as Taking
from unhaunt.interpreters.taking import of_interpreter
from unhaunt.repository.changes import changed_imports
from unhaunt.resolving.origins import origins
from unhaunt.resolving.where import is_inside
from unhaunt.running.judgement import BORROWED_ROOT
from unhaunt.running.locks import READERS, fits, wishes
from unhaunt.running.rungs import Rung
from unhaunt.running.runners import UNKNOWN
from unhaunt.running.session import Order, Session
from unhaunt.running.trials import Baseline, Check, Leg, Verified

Facts = dict[str, Any]
#: the facts that the second check is about
_ABOUT = ("startup.", "PYTHONPATH", "interpreter.version", "interpreter.implementation")
_LEVELS: dict[bool | None, str] = {True: "passed", False: "failed"}


def verify(
    order: Order,
    *,
    baseline: Baseline | None = None,
    base: str | None = None,
    python: str | None = None,
    explanations: Sequence[Explanation] = (),
) -> Verified:
    """Run the four checks; the command is run once, isolated."""
    session = Session(order)
    leg = session.leg(Rung.ISOLATED)
    target = _target(session, leg, python)
    facts = of_interpreter(target, Taking(order.env, order.cwd)).facts
    checks = (
        _interpreter(session, target, facts),
        _startup(facts, baseline, explanations),
        _isolated(session, leg),
        _origins(session, leg, target, base),
    )
    return Verified(checks, facts, _story(checks, baseline))


def _target(session: Session, leg: Leg, configured: str | None) -> Target:
    """Return the interpreter that the command really started, else the one that it would."""
    started, order = session.started, session.order
    if leg.ran.report:
        return Target(leg.ran.report["executable"], "the command starts it")
    if started.python and started.python.executable not in ("", UNKNOWN):
        return Target(started.python.executable, "the command names it")
    found = project_python(order.env, order.cwd, configured=configured)
    if found is None:
        raise UserError("no project interpreter: not checked", hint="give the command its Python")
    return found


# --- 1: the interpreter ---


def _interpreter(session: Session, target: Target, facts: Facts) -> Check:
    folder = session.home.top or session.order.cwd
    texts = {name: text for name in READERS if (text := _text(os.path.join(folder, name)))}
    asked, version = wishes(texts), (facts.get("interpreter") or {}).get("version")
    label = f"{target.executable} is Python {version}"
    if not version:
        because = f"{target.executable} does not say its version"
        return Check(
            "interpreter", None, because, f"unhaunt fingerprint --python {target.executable}"
        )
    if not asked:
        because = f"{label}; no file here says which one it should be"
        return Check("interpreter", None, because, "set requires-python in pyproject.toml")
    wrong = [wish for wish in asked if fits(version, wish.specifier) is False]
    if wrong:
        reasons = "; ".join(f"{one.file} asks for {one.specifier}" for one in wrong)
        hint = "recreate the environment from the lock file, with the Python that it asks for"
        return Check("interpreter", False, f"{label}; {reasons}", hint)
    agreed = ", ".join(f"{one.file} ({one.specifier})" for one in asked)
    return Check("interpreter", True, f"{label}, as asked for by {agreed}", "")


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except (OSError, UnicodeDecodeError):
        return ""


# --- 2: the baseline ---


def _startup(facts: Facts, baseline: Baseline | None, explanations: Sequence[Explanation]) -> Check:
    if baseline is None or baseline.fingerprint is None:
        because = "nothing to compare startup files, PYTHONPATH and version with"
        return Check("startup", None, because, "unhaunt verify --baseline FILE -- COMMAND")
    sides = [side(baseline.fingerprint, baseline.name), side(facts, "here")]
    found = compare(sides, explanations)
    about = [one for one in found.differences if _is_about(one)]
    if about:
        texts = [
            sentence(one.fact, one.values[1], one.values[0], sides[1], sides[0], baseline.name)
            for one in about
        ]
        command = f"unhaunt compare {shlex.quote(baseline.name)} HERE.json"
        return Check("startup", False, "; ".join(texts), command)
    because = f"startup files, PYTHONPATH and version are those of {baseline.name}"
    return Check("startup", True, because, "")


def _is_about(one: Difference) -> bool:
    return not one.explained and one.fact.startswith(_ABOUT)


# --- 3: the isolated run ---


def _isolated(session: Session, leg: Leg) -> Check:
    command = shlex.join(session.started.words)
    if not leg.ran.outcome.passed:
        because = f"isolated, the command fails: {leg.ran.outcome}"
        return Check("isolated", False, because, f"unhaunt run --bisect -- {command}")
    if session.started.python is None:
        because = "the command passes with a clean environment (-I could not be given: weaker)"
        return Check("isolated", True, because, "")
    note = (
        f"; {BORROWED_ROOT}" if session.is_root and session.started.python.how == "module" else ""
    )
    return Check("isolated", True, f"the command passes isolated{note}", "")


# --- 4: the origins ---


def _origins(session: Session, leg: Leg, target: Target, base: str | None) -> Check:
    home = session.home
    if home.tree is None:
        return Check("origins", None, "not in a repository: nothing is first-party", "")
    against, names = changed_imports(home.tree.repository, base, home.place.first_party)
    if not names:
        return Check(
            "origins", True, f"no file that differs from {against} imports a module of ours", ""
        )
    seen = (leg.ran.report or {}).get("modules", {})
    first = session.first or session.order.cwd
    asked = [name for name in names if name not in seen]
    rows = (
        origins(target.executable, asked, session.order.env, session.order.cwd, first)
        if asked
        else []
    )
    inside = {name for name in names if name in seen and is_inside(seen[name], home.place)}
    wrong = [(name, seen[name]) for name in names if name in seen and name not in inside]
    wrong += [(row.module, row.origin or "nowhere") for row in rows if not row.inside]
    if wrong:
        told = "; ".join(f"{name} comes from {file}" for name, file in wrong[:4])
        return Check("origins", False, told, f"unhaunt where {wrong[0][0]}")
    because = f"{len(names)} imports of the files that differ from {against} are of this checkout"
    return Check("origins", True, because, "")


# --- the other machine ---


def _story(checks: Sequence[Check], baseline: Baseline | None) -> tuple[str, ...] | None:
    """Return how the two machines differ, check by check; empty when they tell the same story."""
    if baseline is None or not baseline.checks:
        return None
    there = baseline.checks
    return tuple(
        f"{check.name}: {_LEVELS[check.passed]} here, {_LEVELS[there[check.name]]} there"
        for check in checks
        if None not in (check.passed, there.get(check.name)) and check.passed != there[check.name]
    )
