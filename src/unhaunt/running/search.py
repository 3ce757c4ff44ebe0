"""Edge: looks for the ingredients that flip a command's outcome, run by run.

Both ends are repeated before anything is blamed. The repetition of the first is a replayed start
with nothing left out, wherever a replay will be needed: if it ends otherwise, replays are not used.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from math import ceil, log2

from unhaunt.interpreters.command import options_of
from unhaunt.running.culprits import Ends, Unstable, confirmed, most_runs
from unhaunt.running.ingredients import Ingredient, Kind, closed, removed_with
from unhaunt.running.outcome import Outcome
from unhaunt.running.rungs import STARTUP, foreign
from unhaunt.running.session import Session
from unhaunt.running.setting import needs_replay
from unhaunt.running.trials import Leg, Search

SAME = "the outcome is the same with every ingredient left out"
INTERRUPTED = "interrupted: other ingredients may do the same"
UNREPLAYED = "startup files were not looked at one by one: a replayed start ends otherwise here"
UNKNOWN = "which there are is not known, because none of them said anything"
#: modules of a program that may have started other Pythons
STARTING = ("subprocess", "_posixsubprocess", "multiprocessing")
MOST = 5  # modules that are told of one culprit


class Bisection:
    """One search; `known` is what it has found out so far."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.among = sorted(foreign(session.everything))
        self.most = most_runs(len(self.among))
        self.known = Search(len(self.among))

    def run(self) -> Search:
        """Repeat both ends, then look for the smallest sets that flip the outcome."""
        as_is = self.session.legs[0].ran.outcome
        again = self._as_is_again(as_is)
        if again != as_is:
            return self._ended(flaky=_counts("as it is", as_is, again))
        clean = self._clean_end().ran.outcome
        if clean == as_is:
            self.known = self.known._replace(unreached=self._unreached())
            return self._ended(problem=SAME)
        unreplayed, flaky = self.known.problem, None
        self.known = self.known._replace(problem=INTERRUPTED)
        try:
            self._causes(as_is, clean)
        except Unstable as unstable:
            flaky = _counts("isolated", clean, unstable.args[0])
        return self._ended(flaky=flaky, problem=unreplayed)

    def _ended(self, *, flaky: str | None = None, problem: str | None = None) -> Search:
        self.known = self.known._replace(flaky=flaky, problem=problem)
        return self.known

    def _as_is_again(self, as_is: Outcome) -> Outcome:
        session = self.session
        replayed = self._needs_replay()
        nothing = frozenset[int]()
        again = session.once("as-is again", session.without(nothing, replay=replayed)).outcome
        if again == as_is or not replayed:
            return again
        third = session.once("as-is once more", session.without(nothing)).outcome
        if third == as_is:
            kinds = {n: session.everything[n].kind for n in self.among}
            self.among = [n for n in self.among if kinds[n] not in STARTUP]
            self.known = Search(len(self.among), problem=UNREPLAYED)
        return third

    def _unreached(self) -> tuple[str, ...]:
        """Return the startup code that was there all the time, if only in a child Python.

        The launcher leaves it out of its own process; of a child only if that is not given an
        environment of its own, or an option that ignores this one.
        """
        session = self.session
        own = [session.everything[n] for n in sorted(foreign(session.everything))]
        startup = tuple(one.name for one in own if one.kind in STARTUP)
        if session.started.python is None:
            return startup if session.legs[0].ran.report else (*startup, UNKNOWN)
        if self.known.problem == UNREPLAYED or any(map(_may_have_children, session.legs)):
            return startup
        return ()

    def _needs_replay(self) -> bool:
        python = self.session.started.python
        own = options_of(python) if python else ()
        return needs_replay(self.session.everything, frozenset(self.among), own)

    def _clean_end(self) -> Leg:
        everything = [self.session.everything[n] for n in self.among]
        setting = self.session.without(frozenset(self.among))
        return self.session.keep(
            _name(everything),
            tuple(one.name for one in everything),
            self.session.once("isolated", setting),
        )

    def _kept(self, label: str, there: frozenset[int]) -> Outcome:
        left_out = removed_with(frozenset(self.among) - there, self.session.everything)
        return self.session.once(label, self.session.without(left_out)).outcome

    def _causes(self, as_is: Outcome, clean: Outcome) -> None:
        everything, among = self.session.everything, self.among
        known = {frozenset(among): as_is}

        def run(kept: frozenset[int]) -> Outcome:
            there = closed(frozenset(among[n] for n in kept), everything)
            if not there or there not in known:  # nothing is there: the clean end, repeated
                known[there] = self._kept(self._label(len(there)), there)
            return known[there]

        def gone_with(some: frozenset[int]) -> frozenset[int]:
            numbers = removed_with(frozenset(among[n] for n in some), everything)
            return frozenset(among.index(n) for n in numbers if n in among)

        ends = Ends(as_is, clean, self.session.runs, self.most)
        for cause in confirmed(len(among), ends, run, gone_with):
            found = tuple(self._with_evidence(everything[among[n]]) for n in sorted(cause))
            self.known = self.known._replace(causes=(*self.known.causes, found))

    def _label(self, there: int) -> str:
        if not there:
            return "isolated again"
        number, about = self.session.runs + 1, 5 + ceil(log2(len(self.among)))
        return f"run {number} of about {about}: {there} of {len(self.among)} ingredients"

    def _with_evidence(self, one: Ingredient) -> Ingredient:
        """Add which modules came from a culprit's folder, and what they were without it."""
        first, clean = (leg.ran.report or {} for leg in self.session.legs[:2])
        before, after = first.get("modules", {}), clean.get("modules", {})
        found = [
            f"import {name} took {file}, and {after.get(name, 'finds nothing')} without it"
            for name, file in sorted(before.items())
            if one.folder and file.startswith(one.folder + os.sep) and after.get(name) != file
        ]
        return one._replace(evidence=(*one.evidence, *found[:MOST]))


def _may_have_children(leg: Leg) -> bool:
    modules = (leg.ran.report or {"modules": STARTING}).get("modules", {})
    return any(name in modules for name in STARTING)


def _name(everything: Sequence[Ingredient]) -> str:
    """Return the rung that the clean end comes nearest to."""
    kinds = {one.kind for one in everything}
    if Kind.FILE in kinds:
        return "tracked-only"
    return "owned-only" if kinds & STARTUP else "isolated"


def _counts(which: str, first: Outcome, second: Outcome) -> str:
    return f"2 runs {which} ended in 2 ways: {first}; {second}"
