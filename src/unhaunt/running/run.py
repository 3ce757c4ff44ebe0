"""Edge: runs a command as it is and isolated, and finds the ingredient that decides."""

from __future__ import annotations

from collections.abc import Mapping

from unhaunt.errors import UserError
from unhaunt.interpreters.preflight import locate
from unhaunt.running.rungs import Rung
from unhaunt.running.search import Bisection
from unhaunt.running.session import Order, Session
from unhaunt.running.setting import Started
from unhaunt.running.trials import Result, Search


def run_all(order: Order) -> Result:
    """Run everything that was ordered; what is known when Ctrl-C comes is kept."""
    session = Session(order)
    search: Bisection | None = None
    interrupted = False
    try:
        first = session.leg(Rung.AS_IS)
        session.met(first.ran)
        if order.bisect or {Rung.OWNED_ONLY, Rung.TRACKED_ONLY} & set(order.rungs):
            session.discover(first.ran)
        if order.bisect:
            search = Bisection(session)
            search.run()
        for rung in () if order.bisect else order.rungs[1:]:
            if rung is not Rung.TRACKED_ONLY or session.home.top:
                session.leg(rung)
    except KeyboardInterrupt:
        interrupted = True
        if not session.legs:
            raise
    known: Search | None = search.known if search else None
    return Result(
        session.started,
        tuple(session.legs),
        known,
        session.runs,
        interrupted,
        session.is_root,
        session.home.top is not None,
        session.home.top,
    )


def pytest_python(started: Started, env: Mapping[str, str]) -> str | None:
    """Say when a program belongs to another Python than the active virtual environment."""
    python, active = started.python, env.get("VIRTUAL_ENV")
    if python is None or not python.executable or not active:
        return None
    name = python.run[0].rpartition("/")[2] if python.how == "script" else ""
    try:
        own = locate(active, env, started.cwd).executable
    except UserError:
        return None
    if name not in ("pytest", "py.test") or python.executable.startswith(active.rstrip("/") + "/"):
        return None
    return f"{name} belongs to {python.executable}, not to the active environment ({own})"
