"""Edge: the four checks before a patch is trusted.

Each is asked of what really runs: the interpreter that the command starts, its own fingerprint,
the isolated run, and what that run imported.
"""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from unhaunt.errors import UserError
from unhaunt.fingerprints.compare import compare
from unhaunt.fingerprints.differences import Difference
from unhaunt.fingerprints.explain import Explanation
from unhaunt.fingerprints.sentences import sentence
from unhaunt.fingerprints.sides import side
from unhaunt.interpreters.preflight import Target
from unhaunt.interpreters.project_python import project_python
from unhaunt.interpreters.taking import Order as Taking
from unhaunt.interpreters.taking import of_interpreter
from unhaunt.ourselves import HERE
from unhaunt.repository.changes import base_of, changed_imports, changed_paths
from unhaunt.resolving.origins import origins
from unhaunt.resolving.own_modules import own_roots
from unhaunt.resolving.unowned import unowned_of_imports
from unhaunt.resolving.where import is_inside
from unhaunt.running.changed import changed_modules
from unhaunt.running.judgement import BORROWED_ROOT
from unhaunt.running.locks import READERS, fits, unreadable, wishes
from unhaunt.running.rungs import Rung
from unhaunt.running.runners import UNKNOWN
from unhaunt.running.session import Order, Session
from unhaunt.running.trials import Baseline, Check, Leg, Verified

Facts = dict[str, Any]
#: the facts that the second check is about
_ABOUT = ("startup.", "PYTHONPATH", "interpreter.version", "interpreter.implementation")
_SILENT = "no Python said what it imported: nobody knows which code was tested"
_SPEAK = "give the command that starts Python, and look for what ends it early"
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
    if session.home.top is None:
        hint = "-C DIR; the command alone, without a patch: unhaunt run -- COMMAND"
        raise UserError(f"{order.cwd}: not a repository", hint=hint)
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
    there = [name for name in READERS if os.path.lexists(os.path.join(folder, name))]
    texts = {name: _text(os.path.join(folder, name)) for name in there}
    asked = wishes({name: text for name, text in texts.items() if text})
    lost, version = unreadable(texts), (facts.get("interpreter") or {}).get("version")
    label = f"{target.executable} is Python {version}"
    if not version:
        because = f"{target.executable} does not say its version"
        command = f"{HERE} fingerprint --python {shlex.quote(target.executable)}"
        return Check("interpreter", None, because, command)
    said = f"; {', '.join(lost)} could not be read" if lost else ""
    if not asked and not lost:
        because = f"{label}; no file here says which one it should be"
        return Check("interpreter", None, because, "set requires-python in pyproject.toml")
    wrong = [wish for wish in asked if fits(version, wish.specifier) is False]
    if wrong:
        reasons = "; ".join(f"{one.file} asks for {one.specifier}" for one in wrong)
        hint = "recreate the environment from the lock file, with the Python that it asks for"
        return Check("interpreter", False, f"{label}; {reasons}{said}", hint)
    if lost:
        return Check("interpreter", None, f"{label}{said}", f"mend {shlex.join(lost)}, then again")
    agreed = ", ".join(f"{one.file} ({one.specifier})" for one in asked)
    return Check("interpreter", True, f"{label}, as asked for by {agreed}", "")


def _text(path: str) -> str | None:
    if not os.path.isfile(path):  # nothing that could block
        return None
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except (OSError, UnicodeDecodeError):
        return None


# --- 2: the baseline ---


def _startup(facts: Facts, baseline: Baseline | None, explanations: Sequence[Explanation]) -> Check:
    if baseline is None or baseline.fingerprint is None:
        because = "nothing to compare startup files, PYTHONPATH and version with"
        command = f"{HERE} verify --baseline FILE -- COMMAND"
        return Check("startup", None, because, command)
    sides = [side(baseline.fingerprint, baseline.name), side(facts, "here")]
    found = compare(sides, explanations)
    about = [one for one in found.differences if _is_about(one)]
    if about:
        texts = [
            sentence(one.fact, one.values[1], one.values[0], sides[1], sides[0], baseline.name)
            for one in about
        ]
        return Check("startup", False, "; ".join(texts), _comparing(facts, baseline))
    because = f"startup files, PYTHONPATH and version are those of {baseline.name}"
    return Check("startup", True, because, "")


def _comparing(facts: Facts, baseline: Baseline) -> str:
    """Return the command that compares in full, as a POSIX shell takes it."""
    executable = shlex.quote(facts["interpreter"]["executable"])
    here = f"{HERE} fingerprint --format json --python {executable} | {HERE} compare"
    there = shlex.quote(os.path.abspath(baseline.name))
    if not baseline.is_verify:
        return f"{here} {there} /dev/stdin"
    code = "import json, sys; print(json.dumps(json.load(open(sys.argv[1]))['fingerprint']))"
    python = shlex.quote(sys.executable)
    taken = f'f=$(mktemp) && {python} -I -c {shlex.quote(code)} {there} > "$f"'
    return f'{taken} && {here} "$f" /dev/stdin'


def _is_about(one: Difference) -> bool:
    return not one.explained and one.fact.startswith(_ABOUT)


# --- 3: the isolated run ---


def _isolated(session: Session, leg: Leg) -> Check:
    command = shlex.join(session.started.words)
    if not leg.ran.outcome.passed:
        because = f"isolated, the command fails: {leg.ran.outcome}"
        return Check("isolated", False, because, f"{HERE} run --bisect -- {command}")
    if leg.ran.report is None:
        return Check("isolated", None, f"it exits with 0, but {_SILENT}", _SPEAK)
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
    assert home.tree is not None  # `verify` has looked
    assert home.top is not None
    against, imported = changed_imports(home.tree.repository, base)
    ours = home.place.first_party
    names = [name for name in imported if name.partition(".")[0] in ours]
    foreign = [name for name in imported if name.partition(".")[0] not in ours]
    changed = _changed_modules(session, base)
    taken = _taken(session, leg, target, names, changed)
    taken += _unreached(session, leg, target, foreign)
    reasons = [f"{name} comes from {file}" for name, file in taken]
    known = {file for _, file in taken}
    wrong = [one for one in (*leg.outside, *leg.uncommitted) if one.path not in known]
    reasons += [one.because for one in wrong]
    if reasons:
        more = f"; and {len(reasons) - 4} more" if len(reasons) > 4 else ""
        first = taken[0][0] if taken else wrong[0].module
        is_new = not taken and not leg.outside
        next_one = f"git add {shlex.quote(wrong[0].path)}" if is_new else f"{HERE} where {first}"
        return Check("origins", False, "; ".join(reasons[:4]) + more, next_one)
    if leg.ran.report is None:
        return Check("origins", None, _SILENT, _SPEAK)
    if not names and not changed:
        because = f"no file that differs from {against} is a module of ours or imports one"
        return Check("origins", True, because, "")
    because = (
        f"{len(names)} imports of the files that differ from {against}, and {len(changed)} modules"
        " among these files, are of this checkout"
    )
    return Check("origins", True, because, "")


def _changed_modules(session: Session, base: str | None) -> dict[str, str]:
    """Return the changed files that are modules of ours, by name; deleted ones are none."""
    tree, top = session.home.tree, session.home.top
    if tree is None or top is None:
        return {}
    _, commit = base_of(tree.repository, base)
    roots = own_roots(session.order.cwd, top)
    paths = changed_paths(tree.repository, commit)
    found = changed_modules(paths, top, roots, session.home.place.first_party)
    return {name: file for name, file in found if os.path.isfile(file)}


def _taken(
    session: Session, leg: Leg, target: Target, names: Sequence[str], changed: Mapping[str, str]
) -> list[tuple[str, str]]:
    """Return those of the names that come from elsewhere, with the file: as the run had them.

    What the run did not reach is resolved; within a package that it has, it is the package's.
    """
    place, order = session.home.place, session.order
    seen: Mapping[str, str] = (leg.ran.report or {}).get("modules", {})
    files = {os.path.realpath(file) for file in seen.values()}
    met = [name for name, file in changed.items() if os.path.realpath(file) in files]
    left = [name for name in dict.fromkeys((*names, *changed)) if name not in met]
    by_run = {n: seen[k] for n in left for k in (n.partition(".")[0], n) if k in seen}
    other = {name for name in by_run if name in changed and name in seen}  # not the changed file
    found = {n: file for n, file in by_run.items() if n in other or not is_inside(file, place)}
    asked = [name for name in left if name not in by_run]
    if asked:
        first = session.first or order.cwd
        rows = origins(target.executable, asked, order.env, order.cwd, first).rows
        found.update((row.module, row.origin or "nowhere") for row in rows if not row.inside)
    return [
        (name, file)
        for name, file in sorted(found.items())
        if "." not in name or name.partition(".")[0] not in found
    ]


def _unreached(
    session: Session, leg: Leg, target: Target, names: Sequence[str]
) -> list[tuple[str, str]]:
    """Return what nothing owns of the imports that the run did not reach, with the file."""
    seen: Mapping[str, str] = (leg.ran.report or {}).get("modules", {})
    left = [n for n in names if n not in seen and n.split(".")[0] not in sys.stdlib_module_names]
    if not left:
        return []
    order, place = session.order, session.home.place
    first = session.first or order.cwd
    asked = (left, place, target.executable, order.env, order.cwd, first)
    return sorted(unowned_of_imports(*asked).items())


# --- the other machine ---


def _story(checks: Sequence[Check], baseline: Baseline | None) -> tuple[str, ...] | None:
    """Return how the two machines differ, check by check; empty when they tell the same story."""
    if baseline is None or not baseline.checks:
        return None
    there = baseline.checks
    return tuple(told for check in checks if (told := _told(check, there)))


def _told(check: Check, there: Mapping[str, bool | None]) -> str:
    """Return how one answer differs; what is unknown on a side is no difference."""
    if check.name == "startup" and check.passed is False:  # it is a comparison itself
        return f"startup: not as there: {check.because}"
    known = None not in (check.passed, there.get(check.name))
    if not known or check.passed == there[check.name]:
        return ""
    return f"{check.name}: {_LEVELS[check.passed]} here, {_LEVELS[there[check.name]]} there"
