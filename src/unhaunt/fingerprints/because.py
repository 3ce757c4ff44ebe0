"""Why an entry is on `sys.path`, and what nothing explains. Pure: no IO.

The order in which site.py and getpath add entries decides: the first that adds one is its reason,
later ones find it there already (docs.python.org/3/library/sys_path_init.html).
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import Any

Facts = dict[str, Any]

FIRST = {
    "script": "the folder of the script",
    "module": "the current directory (python -m)",
    "command": "the current directory (python -c)",
    "stdin": "the current directory (program read from stdin)",
    "folder": "the folder or zip that is run",
}


def reasons(live: Facts, files: Facts, toplevel: str | None) -> list[Facts]:
    """Return the path of `live`, each entry with its reason; `files` knows the startup files."""
    how = (live["process"] or {}).get("how", "bare")
    cwd = (live["process"] or {}).get("cwd") or "."
    known = dict(reversed(list(_known(live, files, cwd))))
    rows = []
    for number, row in enumerate(live["path"] or ()):
        entry = row["entry"]
        first = number == 0 and how in FIRST and not _isolated(live)
        because = FIRST[how] if first else known.get(entry) or _of_startup_code(files)
        full = os.path.normpath(os.path.join(cwd, entry))
        rows.append(
            {
                "entry": entry,
                "exists": row["kind"] != "missing",
                "because": because,
                "in_repository": bool(
                    toplevel and (full == toplevel or full.startswith(toplevel + os.sep))
                ),
                "kind": row["kind"],
            }
        )
    return rows


def _isolated(live: Facts) -> bool:
    flags = live["interpreter"]["flags"]
    return bool(flags.get("isolated") or flags.get("safe_path"))


def _known(live: Facts, files: Facts, cwd: str) -> Iterator[tuple[str, str]]:
    """Yield (entry, reason) in the order in which they are added."""
    yield from pythonpath(live, cwd)
    interpreter = live["interpreter"]
    stdlib = interpreter["stdlib"]
    for row in live["path"] or ():
        entry = row["entry"]
        if re.fullmatch(r"python3\d+\.zip", os.path.basename(entry)):
            yield entry, "standard library (zip)"
        elif entry == stdlib or os.path.basename(entry) in ("lib-dynload", "DLLs"):
            yield entry, "standard library"
    startup = files["startup"] or {}
    user = startup.get("user_site") or {}
    for folder in startup.get("site_dirs", ()):
        yield folder, _site(folder, user.get("path"), interpreter)
    for row in startup.get("pth", ()):
        for line in row["lines"]:
            if line["kind"] == "path":
                yield line["target"], f"{row['path']} line {line['line']}"
            for folder in line.get("adds", ()):
                yield folder, f"{row['path']} line {line['line']}"


def pythonpath(facts: Facts, cwd: str) -> Iterator[tuple[str, str]]:
    """Yield the elements of PYTHONPATH as they stand on the path, counted from 1."""
    value = (facts["environment"] or {}).get("PYTHONPATH")
    if not value or "as-run" in _ignoring(facts):
        return
    separator = ";" if facts["interpreter"].get("platform") == "win32" else ":"
    for number, element in enumerate(value.split(separator), 1):
        note = "" if element else " (empty: the current directory)"
        yield os.path.abspath(os.path.join(cwd, element)), f"PYTHONPATH element {number}{note}"


def _ignoring(facts: Facts) -> tuple[str, ...]:
    """Say whether the process itself was told to ignore the environment (-E, -I)."""
    flags = facts["interpreter"]["flags"]
    return ("as-run",) if not facts.get("derived") and flags.get("ignore_environment") else ()


def _site(folder: str, user: str | None, interpreter: Facts) -> str:
    if folder == user:
        return "user site"
    prefix, base = interpreter["prefix"], interpreter["base_prefix"]
    if prefix != base and folder.startswith(prefix + os.sep):
        return "site-packages of the environment"
    if folder.startswith(base + os.sep):
        return "site-packages of the base Python"
    return "site directory"


def _of_startup_code(files: Facts) -> str:
    """Return the reason that is left when no path line names an entry."""
    startup = files["startup"] or {}
    lines = [f"{file} ({line.strip()[:60]})" for file, line in startup.get("executed", ())]
    loaded = [row["path"] for row in startup.get("modules", ()) if row["state"] == "loaded"]
    if lines or loaded:
        return "added by startup code: " + " or ".join(dict.fromkeys([*loaded, *lines]))
    return "nothing explains it"


def unexplained(derived: Facts | None, own: Facts | None) -> list[str]:
    """Return how the process differs from what was derived when there is no startup code."""
    if not derived or not own or derived["path"] is None or own["path"] is None:
        return []
    startup = derived["startup"] or {}
    if startup.get("executed") or any(
        row["state"] == "loaded" for row in startup.get("modules", ())
    ):
        return []
    expected = [row["entry"] for row in derived["path"]]
    first = 1 if own["process"]["how"] in FIRST and not _isolated(own) else 0
    actual = [row["entry"] for row in own["path"]][first:]
    extra = [
        f"{entry} is on sys.path, and no startup file explains it"
        for entry in actual
        if entry not in expected
    ]
    lost = [
        f"{entry} should be on sys.path, and is not" for entry in expected if entry not in actual
    ]
    return extra + ([] if own["interpreter"]["flags"].get("no_site") or _isolated(own) else lost)
