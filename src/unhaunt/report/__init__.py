"""What a check has found, ready to be written down. Pure: from values to text."""

from __future__ import annotations

from typing import NamedTuple

from unhaunt.allow import Allowed
from unhaunt.configuration import Allow
from unhaunt.inventory import Counts, Skipped
from unhaunt.rule import Found, NotChecked, Severity


class Report(NamedTuple):
    """Everything that a format may show of one `check`."""

    head: str | None
    counts: Counts
    env_files: int
    found: tuple[Found, ...]
    elsewhere: int  # warnings in files that the change under way does not touch
    allowed: tuple[Allowed, ...]
    unused: tuple[Allow, ...]
    not_checked: tuple[NotChecked, ...]
    skipped: tuple[Skipped, ...]
    strict: bool
    command: str = "unhaunt"  # how this tool can be started again, for a shell
    notes: tuple[str, ...] = ()  # what could not be isolated, which interpreter was looked at
    incomplete: bool = False  # a rule could not finish

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
