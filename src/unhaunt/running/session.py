"""Edge: one command, what can be left out of it, and its runs.

What is left out of which run is decided in `rungs` and `culprits`; here it is put into a setting,
run, and the modules that it imported are compared with the checkout.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from unhaunt.interpreters import profiles
from unhaunt.interpreters.command import first_entry, options_of
from unhaunt.interpreters.conda import conda
from unhaunt.interpreters.interpreter import SECONDS, derived
from unhaunt.interpreters.taking import with_files
from unhaunt.repository.tracked_copy import led_back, tracked_copy
from unhaunt.running.home import Home
from unhaunt.running.ingredients import (
    Kind,
    Surroundings,
    of_conda,
    of_environment,
    of_files,
    of_interpreter,
    of_process,
    with_hiding,
    with_profiles,
)
from unhaunt.running.legs import run
from unhaunt.running.rungs import DEFAULT, Rung, besides, gone
from unhaunt.running.runners import UNKNOWN, read
from unhaunt.running.setting import (
    Setting,
    Started,
    environment,
    needs_replay,
    options,
    parts,
    program,
)
from unhaunt.running.trials import Found, Leg, Ran


class Order(NamedTuple):
    """What is to be run, and how."""

    words: tuple[str, ...]
    env: Mapping[str, str]
    cwd: str
    rungs: tuple[Rung, ...] = DEFAULT
    bisect: bool = False
    seconds: float | None = None  # the limit of one run
    progress: Callable[[str, float], None] = lambda text, seconds: None


class Session:
    """One command, and everything that can be left out of it."""

    def __init__(self, order: Order) -> None:
        self.order = order
        self.home = Home(order.cwd)
        self.started = read(order.words, order.env, order.cwd)
        self.stdin = _stdin(self.started)
        self.runs = 0
        self.legs: list[Leg] = []
        self.first = self._first()
        self.is_root = self.first is not None and self.home.holds(self.first)
        lost = None if self.is_root or self.started.prefix else self.first
        self.where = Surroundings(order.env, order.cwd, self.home.top, lost)
        self.everything = of_environment(self.where)

    def _first(self) -> str | None:
        """Return sys.path[0] when Python itself puts it there and -I would not."""
        python = self.started.python
        if python is None or python.how == "folder":
            return None
        if python.how == "script" and not python.executable:
            return None  # a console script that a runner finds: its folder is not known here
        letters = "".join(w[1:] for w in options_of(python) if not w.startswith(("--", "-X", "-W")))
        if set("IP") & set(letters):
            return None
        entry = first_entry(python, self.started.cwd)
        return self.started.cwd if entry == "" else entry

    # -- one run

    def once(self, label: str, setting: Setting, started: Started | None = None) -> Ran:
        """Run the command once."""
        self.runs += 1
        ran = run(
            started or self.started,
            setting,
            self.order.seconds,
            lambda seconds: self.order.progress(label, seconds),
            self.stdin,
        )
        self.order.progress(label, ran.seconds)
        return ran

    def without(self, left_out: frozenset[int], *, isolated: bool = False, first: bool = True,
                replay: bool = False) -> Setting:  # fmt: skip
        """Return the setting of a run without some ingredients."""
        own = options_of(self.started.python) if self.started.python else ()
        again = replay or needs_replay(self.everything, left_out, own)
        lost = any(self.everything[n].kind is Kind.FIRST for n in left_out)
        roots = [self.first] if isolated and first and self.is_root and self.first else []
        request = {
            **parts(self.everything, left_out),
            **program(self.started, roots, first=first and not lost and not roots),
            "replay": again,
        }
        return Setting(
            environment(self.order.env, self.everything, left_out),
            options(self.started, self.order.env, isolated=isolated, replay=again),
            request,
        )

    def setting(self, rung: Rung) -> Setting:
        """Return how a rung is run."""
        is_python, strict = self.started.python is not None, rung is Rung.STRICT
        left_out = gone(rung, self.everything)
        made = self.without(left_out, isolated=rung.is_isolated and is_python, first=not strict)
        if strict and not is_python:  # the nearest to -I that reaches Pythons below, from 3.11 on
            return made._replace(env={**made.env, "PYTHONSAFEPATH": "1"})
        return made

    def leg(self, rung: Rung, setting: Setting | None = None) -> Leg:
        """Run a rung, and keep it."""
        setting = setting or self.setting(rung)
        if rung is Rung.TRACKED_ONLY:
            with tracked_copy(self.home, self.started, setting) as (started, moved):
                ran = self.once(rung.value, moved, started)
                ran = ran._replace(report=led_back(ran.report, moved))
        else:
            ran = self.once(rung.value, setting)
        root = self.first if self.is_root else None
        weaker = ("PYTHONSAFEPATH=1",) if rung is Rung.STRICT else ()
        more = (
            besides(rung, root, tracked=self.home.top is not None)
            if self.started.python
            else weaker
        )
        names = [self.everything[n].name for n in sorted(gone(rung, self.everything))]
        return self.keep(rung.value, (*names, *more), ran)

    def keep(self, name: str, removed: tuple[str, ...], ran: Ran) -> Leg:
        """Keep a run as a leg, with what it imported from where it should not have."""
        made = Leg(
            name,
            removed,
            ran,
            self._outside(ran),
            tuple(self.home.uncommitted(ran.report)) if name != "tracked-only" else (),
            self.home.own(ran.report),
        )
        self.legs.append(made)
        return made

    def _outside(self, ran: Ran) -> tuple[Found, ...]:
        rows = (*self.home.unowned(ran.report, self.order.env), *self.home.outside(ran.report))
        return tuple({row.module: row for row in rows}.values())  # of both, the second reason

    # -- what there is to leave out

    def met(self, ran: Ran) -> None:
        """Add what the first run has shown: an environment that is active and not in use."""
        if ran.report:
            self.everything += of_process(ran.report["prefix"], self.where)

    def discover(self, ran: Ran) -> None:
        """Add what the interpreter's own files hold, and the imported files in no commit."""
        report = ran.report or {}
        python = self.started.python
        executable = report.get("executable") or (python.executable if python else "")
        facts: Mapping[str, Any] = {}
        if executable and executable != UNKNOWN:
            told = derived(executable, self.order.env, self.order.cwd, seconds=SECONDS)
            facts = with_files(told, quick=True).facts or {}
        found = of_interpreter(self.everything, dict(facts), self.where)
        set_by = (conda(dict(facts), self.order.env) or {}).get("env_vars", {})
        found += of_conda(set_by, self.where)
        rows = self.home.uncommitted(ran.report)
        found += of_files([(row.path, row.because.partition("[")[2][:-1]) for row in rows])
        found = with_profiles(found, profiles.look(self.order.env))
        self.everything = [with_hiding(one, _names(one.folder)) for one in found]


def _names(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder)) if folder else []
    except OSError:
        return []


def _stdin(started: Started) -> bytes | None:
    """Return the program when it comes from stdin; every run needs it."""
    is_read = started.python is not None and started.python.how == "stdin"
    return sys.stdin.buffer.read() if is_read else None
