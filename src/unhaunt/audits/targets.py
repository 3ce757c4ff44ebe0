"""What startup code imports, as `startup_imports` finds it, with a bound on every kind of work.

A `.pth` is read at each start by whoever looks at it too: its author must not decide how long
that takes. What lies beyond a bound is said, and not followed. Reads files; nothing is imported.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from unhaunt.audits.payload import is_overlong
from unhaunt.importing.stdlib_names import BUILT_IN, FROZEN, minor_versions
from unhaunt.interpreters.startup_imports import Seeker, sha256

Facts = dict[str, Any]

DEPTH = 8  # parents of a dotted name
NAMES = 100  # of one piece of code
IN_ALL = 400  # names of one interpreter
BYTES = 1 << 18  # of one module
LINE = 1 << 16  # bytes of one line
LINES = 5000  # of one file, and bytes of all of them:
ALL_BYTES = 1 << 20


def with_targets(facts: Facts, env: Mapping[str, str]) -> Facts:
    """Return an interpreter's facts with the imports of its startup code.

    A row whose imports were not all followed has the reason as `unfollowed`.
    """
    if not facts["startup"] or facts["path"] is None:
        return facts
    startup = dict(facts["startup"])
    seek = Bounded(facts, env)
    startup["modules"] = [seek.module(row) for row in startup["modules"]]
    for kind in ("pth", "start"):
        startup[kind] = [seek.lines(row) for row in startup[kind]]
    return facts | {"startup": startup}


class Bounded(Seeker):
    """A seeker that stops at a bound, and knows what no file can replace."""

    def __init__(self, facts: Facts, env: Mapping[str, str]) -> None:
        super().__init__(facts)
        minor = int(str(facts["interpreter"]["version"]).split(".")[1])
        # With this variable (3.13 and newer) the path is asked before what is frozen.
        thawed = minor >= 13 and env.get("PYTHON_FROZEN_MODULES") == "off"
        self._tables = [BUILT_IN] if thawed else [BUILT_IN, FROZEN]
        self._minor = minor
        self._known: dict[str, Facts | None] = {}
        self._bytes = ALL_BYTES
        self._cut: str | None = None

    def module(self, row: Facts) -> Facts:
        """Return a startup module with its imports."""
        self._cut = None
        return self._said(row | {"imports": self.of_file(row)})

    def lines(self, row: Facts) -> Facts:
        """Return a .pth or .start file with the imports of its lines."""
        self._cut = None
        followed = [self.of_line(line) for line in row["lines"][:LINES]]
        if row["lines"][LINES:]:
            self._cut = f"it has more than {LINES} lines"
        return self._said(row | {"lines": [*followed, *row["lines"][LINES:]]})

    def _said(self, row: Facts) -> Facts:
        return row | {"unfollowed": self._cut} if self._cut else row

    def of_file(self, row: Mapping[str, Any]) -> list[Facts]:
        try:
            if os.path.getsize(row["path"]) > BYTES:
                self._cut = "it is too large"
                return []
        except OSError:
            return []
        return super().of_file(row)

    def of_line(self, line: Facts) -> Facts:
        if len(line["text"]) > LINE:
            self._cut = f"line {line['line']} is too large"
            return line | {"imports": []}
        return super().of_line(line)

    def of_source(self, source: bytes) -> list[Facts]:
        self._bytes -= len(source)
        if len(source) > BYTES or self._bytes < 0:
            self._cut = "it is too large"
            return []
        if is_overlong(source):
            self._cut = f"it imports a name of more than {DEPTH} parts"
            return []
        try:
            return super().of_source(source)
        except (RecursionError, MemoryError):
            self._cut = "it is nested too deeply"
            return []

    def resolved(self, names: Sequence[str]) -> list[Facts]:
        if len(names) > NAMES:
            self._cut = f"it imports more than {NAMES} names"
        wanted: dict[str, None] = {}
        for whole in names[:NAMES]:
            parts = whole.split(".", DEPTH)
            if parts[DEPTH:]:
                self._cut = f"it imports a name of more than {DEPTH} parts"
            wanted |= {".".join(parts[:n]): None for n in range(1, min(len(parts), DEPTH) + 1)}
        rows = [self._row(name) for name in sorted(wanted)]
        return [row for row in rows if row is not None]

    def _row(self, name: str) -> Facts | None:
        """Return what a name resolves to; None for the standard library's own."""
        top = name.partition(".")[0]
        if any(self._minor in minor_versions(top, table) for table in self._tables):
            return None
        if name not in self._known:
            if len(self._known) >= IN_ALL:
                self._cut = f"this Python's startup code imports more than {IN_ALL} names"
                return None
            origin = self._origin(name)
            own = origin is not None and self._standard(origin)
            found = {"module": name, "origin": origin, "sha256": origin and sha256(origin)}
            self._known[name] = None if own else found
        return self._known[name]
