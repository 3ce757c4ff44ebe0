"""What the rules about an interpreter may ask, and the words for it. Pure: no IO.

`auditing.Audited` answers for a real interpreter, none of which is executed.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from unhaunt.inventory import Entry
from unhaunt.rule import Finding, Severity

if TYPE_CHECKING:
    from typing import Protocol
else:
    Protocol = object

Facts = Mapping[str, Any]


class Verdict(enum.Enum):
    """What is known of a file's origin."""

    UNOWNED = "no installed package owns it"
    MODIFIED = "differs from what {} installed"
    UNVERIFIED = "listed by {}, without a hash that could prove it"
    EDITABLE = "belongs to the editable install of {}, which has no hash of it"
    UNMODIFIED = "owned by {}, unmodified"
    KNOWN = "known by its exact content: {}"


class Owner(NamedTuple):
    """Who put a file there, and whether it is still what they put there."""

    verdict: Verdict
    name: str = ""

    @property
    def words(self) -> str:
        """Return a clause for a message."""
        return self.verdict.value.format(self.name)

    @property
    def severity(self) -> Severity:
        """Return how much startup code of this origin matters: owned is never innocent."""
        return _SEVERITY[self.verdict]


_SEVERITY = {
    Verdict.UNOWNED: Severity.ERROR,
    Verdict.MODIFIED: Severity.ERROR,
    Verdict.UNVERIFIED: Severity.WARNING,
    Verdict.EDITABLE: Severity.WARNING,
    Verdict.UNMODIFIED: Severity.INFO,
    Verdict.KNOWN: Severity.INFO,
}


class Differing(NamedTuple):
    """An installed file that is not as its distribution says, or that nobody owns."""

    path: str
    reason: str
    severity: Severity = Severity.ERROR


class Audit(Protocol):
    """An interpreter as the rules see it. Compared by identity."""

    executable: str
    env: Mapping[str, str]
    cwd: str
    top: str | None  # the root of the checkout
    facts: Facts  # of its fingerprint; {} when it did not answer

    def shown(self, path: str) -> str:
        """Return the path of a finding: relative in the repository, else absolute."""

    def owner(self, path: str) -> Owner:
        """Say who owns a file."""

    def source(self, path: str) -> bytes:
        """Return the start of a regular file; nothing of anything else."""

    @property
    def editable(self) -> tuple[tuple[str, str], ...]:
        """Return (folder, distribution) of each editable install."""

    @property
    def hazards(self) -> tuple[tuple[str, str], ...]:
        """Return (path, reason) of what redirects the interpreter and is no variable."""

    @property
    def foreign(self) -> tuple[str, ...]:
        """Return the modules in the standard library's folders that are none of its own."""

    @property
    def unreadable(self) -> tuple[tuple[str, str, bool], ...]:
        """Return (path, reason, whether it ends or hangs a start) of startup files."""

    @property
    def pyvenv(self) -> Facts | None:
        """Return path, values and keys of pyvenv.cfg."""

    @property
    def stray_home(self) -> str | None:
        """Return the `home` of pyvenv.cfg when the interpreter's own links do not lead there."""

    @property
    def activation(self) -> tuple[tuple[str, str], ...]:
        """Return (file, names) of what sets Python's variables when it is activated."""

    def bytecode(self, sources: Iterable[str]) -> tuple[tuple[str, str], ...]:
        """Return (file, reason) of bytecode that would be loaded and is not of its source."""

    def differing(self) -> Iterable[Differing]:
        """Hash what is installed; nothing unless that was asked for."""

    def has(self, path: str) -> bool:
        """Tell whether the commit under judgement has this file."""


def found(
    audit: Audit, path: str, message: str, severity: Severity, line: int | None = None
) -> Finding:
    """Return a finding about a file that git need not know."""
    hint = "nothing to do: this is information" if severity is Severity.INFO else None
    return Finding(Entry(audit.shown(path), None), message, line, severity, hint=hint)


_ORDER = [Severity.INFO, Severity.WARNING, Severity.ERROR]


def worst(*severities: Severity) -> Severity:
    """Return the most serious one."""
    return max(severities, key=_ORDER.index)


def merged(findings: Iterable[Finding]) -> list[Finding]:
    """Return one finding a path: the most serious first, others behind it in its message."""
    groups: dict[str, list[Finding]] = {}
    for item in findings:
        groups.setdefault(item.entry.path, []).append(item)
    return [_one(group) for group in groups.values()]


def _one(group: list[Finding]) -> Finding:
    group.sort(key=lambda f: (-_ORDER.index(f.severity or Severity.ERROR), f.line or 0))
    messages = list(dict.fromkeys(item.message for item in group))
    words = "; ".join(messages[:3]) + (f"; and {len(messages) - 3} more" if messages[3:] else "")
    return group[0]._replace(message=words)
