"""What a run of a command came to, in a form that two runs can be compared by. Pure: no IO."""

from __future__ import annotations

import re
import signal
from typing import NamedTuple

#: lines of pytest's short summary (docs.pytest.org, "Managing pytest's output") and of unittest
_FAILED = re.compile(
    r"^(?:(?:FAILED|ERROR) (?P<id>\S+\.py(?:::.*?)?)(?: - .*)?"
    r"|(?:FAIL|ERROR): (?P<name>\w+ \([\w.]+\)))\s*$",
    re.M,
)
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
TAIL = 20  # lines of output that are kept


class Outcome(NamedTuple):
    """Exit code and failing tests; a code of None means that the time limit ended it."""

    code: int | None
    failing: frozenset[str]

    @property
    def passed(self) -> bool:
        return self.code == 0

    def __str__(self) -> str:
        word = "timed out" if self.code is None else ended(self.code)
        return word + (f", {len(self.failing)} failing" if self.failing else "")


def ended(code: int) -> str:
    """Return how a process ended; a negative code is the signal that ended it."""
    try:
        return f"exit code {code}" if code >= 0 else f"ended by {signal.Signals(-code).name}"
    except ValueError:
        return f"ended by signal {-code}"


def outcome(code: int | None, output: str) -> Outcome:
    """Return what a run came to."""
    plain = _COLOURS.sub("", output)
    found = frozenset(m["id"] or m["name"] for m in _FAILED.finditer(plain))
    return Outcome(code, frozenset() if code == 0 else found)


def tail(output: str) -> str:
    """Return the last lines of what was printed."""
    return "\n".join(output.rstrip().splitlines()[-TAIL:])
