"""What the outcomes of several runs mean, as sentences a person can act on. Pure: no IO."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from unhaunt.ourselves import HERE
from unhaunt.running.ingredients import Ingredient, Kind
from unhaunt.running.trials import Leg, Result

#: said when a green run rests on the current directory
BORROWED_ROOT = (
    "the project root is importable only because of python -m or -c, which put the current"
    " directory first (isolated, it is put back)"
)
#: said when every rung fails: no more than what was tried
ACQUITTED = "nothing that unhaunt took away explains it (variables of the program itself were kept)"
BARE = 'run it without this shell\'s variables: env -i HOME="$HOME" PATH="$PATH" '


class Decision(NamedTuple):
    """One signal: whether the command's result may be trusted, why, and what to do next."""

    signal: str
    trust: bool
    because: str
    next: str


class Verdict(NamedTuple):
    """The word, what it rests on, and what else has to be said."""

    word: str  # trust, do-not-trust, failing, flaky or no-cause-found
    decisions: tuple[Decision, ...]
    notes: tuple[str, ...]

    @property
    def exit_code(self) -> int:
        return 0 if self.word == "trust" else 1


def judge(result: Result) -> Verdict:
    """Return what to think of the command."""
    decisions = tuple(_decisions(result))
    return Verdict(_word(result, decisions), decisions, tuple(_notes(result)))


def _word(result: Result, decisions: Sequence[Decision]) -> str:
    search = result.search
    if search and search.flaky:
        return "flaky"
    if search and search.unreached:
        return "no-cause-found"
    outcomes = {leg.ran.outcome.passed for leg in result.legs}
    if outcomes == {False} and not _is_interrupted(result) and not _timed_out(result):
        return "failing"
    if search and not search.problem and search.among and not search.causes and len(outcomes) > 1:
        return "no-cause-found"
    return "trust" if all(one.trust for one in decisions) else "do-not-trust"


def _decisions(result: Result) -> Iterator[Decision]:
    command = shlex.join(result.started.words)
    if result.search and result.search.flaky:
        yield Decision("flaky", False, result.search.flaky, f"repeat it: {command}")
    elif _is_interrupted(result):
        because = "interrupted before anything but the run as it is had ended"
        yield Decision("unknown", False, because, f"{HERE} run -- {command}")
    else:
        found = [*_unreached(result), *_outcomes(result, command), *_origins(result)]
        yield from found or [
            Decision("match", True, _alike(result), "trust it, as a second opinion")
        ]


def _is_interrupted(result: Result) -> bool:
    """Tell whether there is nothing that the run as it is could be compared with."""
    return result.interrupted and len(result.legs) < 2


def _timed_out(result: Result) -> list[str]:
    """Return the rungs that the time limit ended, when none passed."""
    if any(leg.ran.outcome.passed for leg in result.legs):
        return []
    return [leg.name for leg in result.legs if leg.ran.outcome.code is None]


def _unreached(result: Result) -> Iterator[Decision]:
    """Yield a decision when nothing was found, and something was never left out."""
    names = result.search.unreached if result.search else ()
    if names:
        because = (
            "no cause was found, which is no acquittal: .pth and sitecustomize lines could not be"
            f" left out of every Python that the command starts: {_first(names)}"
        )
        inner = "give the command that the child runs, or read these lines"
        yield Decision("unknown", False, because, inner)


def _outcomes(result: Result, command: str) -> Iterator[Decision]:
    if result.search and result.search.unreached and not _is_mixed(result):
        return
    passed = [leg for leg in result.legs[1:] if leg.ran.outcome.passed]
    failed = [leg for leg in _failed(result) if leg.name != "strict"]
    if not result.legs[0].ran.outcome.passed:
        yield _failing(result, passed, command)
    elif failed:
        yield _borrows(result, failed, command)


def _is_mixed(result: Result) -> bool:
    return len({leg.ran.outcome.passed for leg in result.legs}) > 1


def _failed(result: Result) -> list[Leg]:
    return [leg for leg in result.legs if not leg.ran.outcome.passed]


def _alike(result: Result) -> str:
    names = ", ".join(leg.name for leg in result.legs if leg.ran.outcome.passed)
    seen = result.in_repository and not _has_workers(result)
    own = ", on this checkout's own modules" if seen else ""
    return f"it passes on every rung tried ({names}){own}"


def _failing(result: Result, passed: Sequence[Leg], command: str) -> Decision:
    as_is = result.legs[0].ran.outcome
    late = _timed_out(result)
    if late:
        because = f"could not tell: timed out ({', '.join(late)})"
        return Decision("unknown", False, because, "give it more time: --timeout SECONDS")
    if not passed:
        same = all(leg.ran.outcome == as_is for leg in result.legs)
        how = "the same way " if same else ""
        because = f"it fails {how}on every rung tried: {ACQUITTED}"
        return Decision(
            "failing", False, because, f"look at the failure itself, or {BARE}{command}"
        )
    names = " and ".join(leg.name for leg in passed)
    because = f"it fails as it is ({as_is}) and passes {names}{_named(result)}"
    return Decision("haunted", False, because, _next(result, command))


def _borrows(result: Result, failed: Sequence[Leg], command: str) -> Decision:
    leg = failed[0]
    because = (
        f"it passes only as it is, and fails {leg.name} ({leg.ran.outcome}): it borrows something"
        f" that a clean machine does not have{_named(result)}"
    )
    return Decision("needs-unisolated", False, because, _next(result, command))


def _named(result: Result) -> str:
    found = [one.name for cause in (result.search.causes if result.search else ()) for one in cause]
    return f": {'; '.join(found)}" if found else ""


def _next(result: Result, command: str) -> str:
    if result.search is None:
        return f"{HERE} run --bisect -- {command}"
    borrows = result.legs[0].ran.outcome.passed
    found = [one for cause in result.search.causes for one in cause]
    steps = [_supply(one, result) if borrows else _remedy(one) for one in found]
    again = f"{HERE} run -- {command}"
    return f"{'; '.join(dict.fromkeys(steps))}; then {again}" if steps else again


def _supply(one: Ingredient, result: Result) -> str:
    """Return how a clean machine gets what is borrowed from an ingredient."""
    if one.kind is not Kind.ELEMENT:
        return _remedy(one)
    top, folder = result.toplevel, os.path.realpath(one.value)
    if top and (folder + os.sep).startswith(os.path.realpath(top) + os.sep):
        inner = os.path.relpath(folder, os.path.realpath(top)).replace(os.sep, "/")
        return f"{_install(result)}, or set pytest's pythonpath = [{json.dumps(inner)}]"
    return f"install what {shlex.quote(one.value)} supplies, instead of having it on PYTHONPATH"


def _install(result: Result) -> str:
    python = (result.legs[0].ran.report or {}).get("executable") or "python"
    return f"install the project: {shlex.quote(python)} -m pip install -e ."


def _remedy(one: Ingredient) -> str:
    quoted = shlex.quote(one.value)
    return {
        Kind.VARIABLE: f"unset {one.value}",
        Kind.CONDA: f"conda env config vars unset {one.value}",
        Kind.ELEMENT: f"take {quoted} out of PYTHONPATH",
        Kind.USER_SITE: "export PYTHONNOUSERSITE=1, and install what is needed in the environment",
        Kind.FIRST: "install the project (pip install -e .), or set pytest's pythonpath",
        Kind.VENV: f"use the environment that is active, or leave it: {quoted}",
        Kind.LINE: f"read line {one.number} of {quoted}, and uninstall what put it there",
        Kind.ENTRY_POINT: f"read line {one.number} of {quoted}, and uninstall what put it there",
        Kind.MODULE: f"read {quoted}, and move it away",
        Kind.FILE: f"git add {quoted}, or move it away",
    }[one.kind]


def _origins(result: Result) -> Iterator[Decision]:
    outside = {found.path: found for leg in result.legs for found in leg.outside}
    uncommitted = {found.path: found for leg in result.legs for found in leg.uncommitted}
    if outside:
        because = _first(sorted(found.because for found in outside.values()))
        where = f"{HERE} where {next(iter(outside.values())).module}"
        yield Decision("origins-outside", False, f"other code was tested: {because}", where)
    if uncommitted:
        because = _first(sorted(found.because for found in uncommitted.values()))
        path = shlex.quote(next(iter(uncommitted.values())).path)
        yield Decision("not-in-commit", False, because, f"git add {path}, or remove it")
    yield from _differing(result)
    silent = _silent(result)
    if silent:
        names = " and ".join(silent)
        because = f"no Python said what it imported ({names}): nobody knows which code was tested"
        inner = "give the command that starts Python, and look for what ends it early"
        yield Decision("unknown", False, because, inner)


def _silent(result: Result) -> list[str]:
    """Return the rungs that pass without a word: of other programs, when no rung said anything."""
    passing = [leg for leg in result.legs if leg.ran.outcome.passed]
    if result.started.python is None and any(leg.ran.report for leg in passing):
        return []
    return [leg.name for leg in passing if not leg.ran.report]


def _differing(result: Result) -> Iterator[Decision]:
    """Yield a decision when rungs that all pass have tested different files."""
    rest = [leg for leg in result.legs if leg.name != "strict"]
    passing = [leg for leg in rest if leg.ran.outcome.passed]
    first = dict(passing[0].own) if len(passing) == len(rest) else {}
    for leg in passing[1:]:
        for name, file in leg.own:
            if first.get(name, file) != file:
                because = f"import {name} took {first[name]} as it is, and {file} {leg.name}"
                yield Decision("origins-differ", False, because, f"{HERE} where {name}")
                return


def _first(reasons: Sequence[str], most: int = 4) -> str:
    more = f"; and {len(reasons) - most} more" if len(reasons) > most else ""
    return "; ".join(reasons[:most]) + more


# --- notes ---


def _notes(result: Result) -> Iterator[str]:
    python = result.started.python
    if python is None:
        yield (
            f"{result.started.words[0]} does not start Python itself: only the environment of the"
            " Pythons that it starts was changed, -I could not be given; this is weaker"
        )
    if result.search and result.search.problem:
        is_open = not result.legs[0].ran.outcome.passed and not result.search.causes
        yield f"no cause found: {result.search.problem}" if is_open else result.search.problem
    if not result.in_repository:
        yield "not in a repository: which modules are the project's own is not known"
    if python is not None and python.how == "folder":
        yield "running a directory or zip puts it first on sys.path even with -I"
    if _has_workers(result):
        yield "what pytest-xdist's workers imported was not seen: add -n 0 to see it"
    if _is_prepending(result):
        yield (
            "pytest itself inserts the rootdir of the tests (import mode = prepend, the default):"
            " -I and -P do not remove it, so a module there may still be found"
        )
    yield from _root_notes(result)


def _has_workers(result: Result) -> bool:
    """Tell whether tests ran in processes of pytest-xdist, which report nothing."""
    reports = [leg.ran.report or {} for leg in result.legs]
    return any("xdist.workermanage" in report.get("modules", ()) for report in reports)


def _is_prepending(result: Result) -> bool:
    python = result.started.python
    if python is None or "--import-mode=importlib" in python.run:
        return False
    return "pytest" in [word.rpartition("/")[2] for word in python.run[:2]]


def _root_notes(result: Result) -> Iterator[str]:
    python = result.started.python
    if python is None or not result.has_root:
        return
    if [leg.name for leg in _failed(result)] == ["strict"]:
        yield (
            "a flat layout: with plain -I it is not importable; install it (pip install -e .),"
            " or set pytest's pythonpath"
        )
    elif python.how in ("module", "command"):
        yield f"{BORROWED_ROOT}; without it, install the project or set pytest's pythonpath"
