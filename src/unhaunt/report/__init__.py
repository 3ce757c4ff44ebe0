"""What a check has found, ready to be written down. Pure: from values to text."""

from __future__ import annotations

from typing import NamedTuple

from unhaunt.allow import Allowed
from unhaunt.configuration import Allow
from unhaunt.inventory import Counts, Skipped
from unhaunt.rule import Found, NotChecked, Rule, Severity


class Elsewhere(NamedTuple):
    """Findings in files that the change does not touch: how many, and what shows them."""

    number: int = 0
    kind: str = "warning"
    command: str = ""

    @property
    def words(self) -> str:
        """Return the line that says so."""
        kind = self.kind if self.number == 1 else f"{self.kind}s"
        return f"{self.number} more {kind} in files outside this change: {self.command}"


class Report(NamedTuple):
    """Everything that a format may show of one `check`."""

    head: str | None
    counts: Counts
    env_files: int
    found: tuple[Found, ...]
    elsewhere: Elsewhere
    allowed: tuple[Allowed, ...]
    unused: tuple[Allow, ...]
    not_checked: tuple[NotChecked, ...]
    skipped: tuple[Skipped, ...]
    strict: bool
    command: str = "unhaunt"  # how this tool can be started again, for a shell
    notes: tuple[str, ...] = ()  # what could not be isolated, which interpreter was looked at
    incomplete: bool = False  # a rule could not finish
    rules: tuple[Rule, ...] = ()  # those that were run

    def count(self, severity: Severity) -> int:
        """Return how many findings have that severity."""
        return sum(item.severity is severity for item in self.found)

    @property
    def exit_code(self) -> int:
        """Return 0: nothing to reject, 1: something, 2: something not looked at."""
        if self.incomplete or (self.strict and self.not_checked):
            return 2
        counted = self.count(Severity.ERROR)
        if self.strict:
            counted += self.count(Severity.WARNING) + sum(item.new for item in self.allowed)
        return int(counted > 0)
