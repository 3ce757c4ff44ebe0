"""What decides how a Python imports, put together from what its probe said. Pure: no IO.

The keys are a promise (`--format json`): they may be added, never changed. `digest` is over
`comparable`, in which folders that differ from box to box are replaced by words.
"""

from __future__ import annotations

from typing import Any

from unhaunt.fingerprints.because import reasons, unexplained
from unhaunt.fingerprints.comparable import digest

Facts = dict[str, Any]

SCHEMA = "unhaunt.fingerprint/1"
PROBE_SCHEMA = "unhaunt.probe/1"


def complete(derived: Facts | None, own: Facts | None, around: Facts) -> Facts:
    """Join what was derived, what the process said of itself, and what surrounds them.

    Either side may be missing, not both; `around` holds `repository`, `profiles`, `surroundings`,
    `unknown` and `noise`. What a process said of its own path is nearer to the truth than what
    was derived; what was derived is nearer for files, because nothing could have hidden them.
    """
    first, live = derived or own, own or derived
    if first is None or live is None:
        raise ValueError("a fingerprint needs one side at least")
    repository = around.get("repository")
    made: Facts = {
        "schema": SCHEMA,
        "interpreter": {**first["interpreter"], **live["interpreter"]},
        "environment": live["environment"],
        "process": live["process"],
        "path": reasons(live, first, (repository or {}).get("toplevel")),
        "startup": startup(first, live),
        "hooks": live["hooks"] or {"meta_path": None, "path_hooks": None},
        "loaded_before_main": live["loaded_before_main"],
        "distributions": first["distributions"],
        "modules": first.get("modules"),
        "repository": repository,
        "profiles": around.get("profiles", []),
        "surroundings": around.get("surroundings", {}),
        "sides": [name for name, side in (("derived", derived), ("as-run", own)) if side],
        "unexplained": unexplained(derived, own),
        "unknown": _unknown(derived, own, around),
        "noise": around.get("noise", ""),
    }
    return made | {"digest": digest(made)}


def startup(first: Facts, live: Facts) -> Facts:
    """Return the startup part, with how the user site really stands in the process."""
    found: Facts = dict(
        first["startup"] or {"modules": [], "pth": [], "start": [], "user_site": None}
    )
    if live["startup"]:
        found["user_site"] = live["startup"]["user_site"]
    return found


def _unknown(derived: Facts | None, own: Facts | None, around: Facts) -> list[Facts]:
    rows = [*around.get("unknown", [])]
    for side in (derived, own):
        rows += [row for row in (side or {}).get("unknown", []) if row not in rows]
    if own is None and not any(row["fact"] == "as-run" for row in rows):
        rows.append({"fact": "as-run", "reason": "not started: only what could be derived is here"})
    fatal = ((derived or {}).get("startup") or {}).get("fatal", [])
    rows += [{"fact": "start", "reason": f"{path} {reason}"} for path, reason in fatal]
    return rows
