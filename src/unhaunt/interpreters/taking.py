"""Takes a fingerprint: of an interpreter as it would start, or from inside a command.

The edge that joins what the interpreter says (`interpreter`, `launch`) with what lies around it.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from unhaunt.errors import UserError
from unhaunt.interpreters.around import Around
from unhaunt.interpreters.interpreter import SECONDS, Answer, as_run, derived, identity
from unhaunt.interpreters.preflight import Target, blocked, hazards, suspects

Facts = dict[str, Any]


class Order(NamedTuple):
    """How a fingerprint is to be taken."""

    env: Mapping[str, str]
    cwd: str
    quick: bool = False  # no hashes of installed files, no changes of the repository
    derive_only: bool = False  # start nothing as the user does
    seconds: float | None = None  # the limit for a Python that does not answer


class Taken(NamedTuple):
    """A fingerprint, and whether every side of it could be read."""

    facts: Facts
    whole: bool


def of_interpreter(target: Target, order: Order) -> Taken:
    """Take the fingerprint of an interpreter: derived, and as it really starts."""
    from unhaunt.fingerprints.fingerprint import complete

    around = Around(order.env, order.cwd, quick=order.quick)
    told, own = _both(target.executable, order)
    rest = around.joined(own.facts or told.facts, target.executable, order.env)
    rest["noise"] = _quiet(own.noise or told.noise)
    problems = [
        {"fact": name, "reason": answer.problem}
        for name, answer in (("derived", told), ("as-run", own))
        if answer.problem
    ]
    rest["unknown"] = [*problems, *rest["unknown"]]
    if told.facts is None and own.facts is None:
        return Taken(_nothing(target, rest, order), False)
    facts = complete(told.facts, own.facts, rest)
    facts["interpreter"] = {**facts["interpreter"], "chosen": target.because}
    return Taken(facts, not problems and not _fatal(told))


def _quiet(noise: str) -> str:
    """Return what was printed without what may be secret in it."""
    if not noise:
        return noise
    from unhaunt.interpreters.masking import masked

    return str(masked(noise))


def _both(executable: str, order: Order) -> tuple[Answer, Answer]:
    """Ask both sides: at the same time, unless a file that could end a start lies near."""
    for path, reason in blocked(executable):
        never = Answer(None, f"not started: {path} {reason}")
        return never, never
    seconds = order.seconds or SECONDS
    answers: list[Answer] = []

    def derive() -> None:
        answers.append(derived(executable, order.env, order.cwd, seconds=seconds))

    thread = threading.Thread(target=derive, daemon=True)
    thread.start()
    near = next(suspects(executable, order.env), None)
    own = Answer(None)
    if not order.derive_only and near is None:
        own = as_run(executable, order.env, order.cwd, seconds=seconds)
    thread.join()
    told = with_files(answers[0], quick=order.quick)
    if _fatal(told) and own.facts is None:
        return told, Answer(None, f"not started: {' '.join(_fatal(told)[0])}")
    if near is not None and not order.derive_only:
        own = as_run(executable, order.env, order.cwd, seconds=seconds)
    return told, own


def _fatal(answer: Answer) -> list[list[str]]:
    startup = (answer.facts or {}).get("startup") or {}
    found: list[list[str]] = startup.get("fatal", [])
    return found


def with_files(answer: Answer, *, quick: bool) -> Answer:
    """Add what files on this machine tell about an answer: owners, states, imports."""
    from unhaunt.interpreters.installed import annotated

    facts = answer.facts
    if facts is None:
        return answer
    if _runs_code(facts["startup"] or {}):
        from unhaunt.interpreters.startup_imports import (
            with_imports,  # needs a parser: not for most
        )

        facts = with_imports(facts)
    return answer._replace(facts=annotated(facts, quick=quick))


def _runs_code(startup: Facts) -> bool:
    files = [*startup.get("pth", ()), *startup.get("start", ())]
    return bool(startup.get("modules")) or any(
        line["kind"] in ("exec", "call") for row in files for line in row["lines"]
    )


def _nothing(target: Target, rest: Facts, order: Order) -> Facts:
    """Return what is left to say of an interpreter that did not answer at all."""
    stuck = any(blocked(target.executable))
    told = None if stuck else identity(target.executable, order.seconds or SECONDS)
    name, _, version = (told or "").partition(" ")
    found = [{"path": path, "reason": reason} for path, reason in hazards(target.executable)]
    named = {"version": version or None, "implementation": name or None}
    places = {
        "executable": target.executable,
        "realpath": os.path.realpath(target.executable),
        "chosen": target.because,
    }
    return {
        "schema": "unhaunt.fingerprint/1",
        "digest": None,
        "interpreter": places | named,
        "environment": None,  # what it would have been told is not what it was told
        "process": {"cwd": order.cwd, "argv": None, "how": None},
        "path": None,
        "startup": dict.fromkeys(("modules", "pth", "start", "user_site")),
        "hooks": {"meta_path": None, "path_hooks": None},
        "loaded_before_main": None,
        "distributions": None,
        **rest,
        "surroundings": {"hazards": found},
    }


def of_command(command: Sequence[str], order: Order) -> Taken:
    """Take the fingerprint from inside the Python that a command starts, and run the command.

    Raises `UserError` when no Python reported.
    """
    from unhaunt.fingerprints.fingerprint import complete
    from unhaunt.interpreters import launch
    from unhaunt.interpreters.command import options_of, understood

    python = understood(command, order.env, order.cwd)
    for path, reason in blocked(python.executable) if python else ():
        raise UserError(f"not started: {path} {reason}", hint="remove it, or make it again")
    around = Around(order.env, order.cwd, quick=order.quick)
    around.thread.join()  # the repository as it was before the command changed it
    report = launch.report(python, command, order.env, order.cwd, seconds=order.seconds)
    if report.facts is None:
        raise UserError(
            f"{command[0]} started no Python that reported",
            hint="it may ignore its environment (-I, -E) or drop PYTHONPATH:"
            " give the inner command itself",
        )
    own = report.facts
    executable = own["interpreter"]["executable"]
    # What reached the Python, not what we were started with: a runner may have changed it.
    env = {k: v for k, v in order.env.items() if not k.startswith("PYTHON")} | own["environment"]
    told = _derived_like(own, options_of(python) if python else (), env, order)
    facts = complete(
        told.facts, own, around.joined(own, executable, env) | {"noise": _quiet(told.noise)}
    )
    facts["process"] |= {
        "exit_code": report.code,
        "exact": python is not None,
        "started": [_brief(one) for one in report.started],
    }
    if report.pytest:
        from unhaunt.interpreters.masking import masked

        facts["pytest"] = masked(report.pytest)
    return Taken(facts, True)


def _derived_like(
    own: Facts, options: Sequence[str], env: Mapping[str, str], order: Order
) -> Answer:
    """Derive the start that a process reported of itself, its options taken into account."""
    from unhaunt.interpreters.command import derivable

    seen = derivable(options, env)
    if seen is None:
        return Answer(None)
    executable, place = own["interpreter"]["executable"], own["process"]["cwd"]
    told = derived(executable, seen, place, seconds=order.seconds or SECONDS)
    return with_files(told, quick=order.quick)


def _brief(facts: Facts) -> Facts:
    process = facts["process"]
    executable = facts["interpreter"]["executable"]
    return {"executable": executable, "argv": process["argv"], "cwd": process["cwd"]}
