"""What a rule is, what it finds, and how rules are run. Pure: no IO, no git."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from unhaunt.inventory import Entry


class Severity(enum.Enum):
    """An ERROR makes exit 1, a WARNING under --strict, an INFO never."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Finding(NamedTuple):
    """One thing that a rule has to say about one path. Lines count from 1."""

    entry: Entry
    message: str  # a fact about this place: lower case, no full stop, no advice
    line: int | None = None  # None when the path itself is the matter
    severity: Severity | None = None  # None: the rule's own
    state: str | None = None  # "live" or "dormant", for startup files
    importer: str | None = None  # "path:line" of the import, for UH201
    hint: str | None = None  # None: the rule's own


class NotChecked(NamedTuple):
    """A path that could not be judged, which is never the same as clean."""

    path: str
    reason: str


class Rule(NamedTuple):
    """A check and everything that the tool says about it."""

    code: str
    name: str  # read after "allow": `allow startup-module`
    severity: Severity
    summary: str  # what it finds, one line for the README's table
    hint: str  # the way out, which can be pasted into a shell
    #: looks at an `Inventory`; those of UH4 at an `Audit`, of UH5 at `Origins`
    check: Callable[[Any], Iterable[Finding | NotChecked]]

    @property
    def docs(self) -> str:
        """The docstring of the rule's own function: the text of `unhaunt explain`."""
        return self.check.__doc__ or ""


class Found(NamedTuple):
    """A finding with the rule that made it, and the hook that the rule belongs to."""

    rule: Rule
    hook: str
    finding: Finding

    @property
    def severity(self) -> Severity:
        return self.finding.severity or self.rule.severity

    @property
    def order(self) -> tuple[str, int, str]:
        """By path, line, code: the same on every machine."""
        return (self.finding.entry.path, self.finding.line or 0, self.rule.code)


class Checked(NamedTuple):
    """What all rules of a run have to say, in the order in which it is shown."""

    found: tuple[Found, ...]
    not_checked: tuple[NotChecked, ...]


def check(rules: Iterable[tuple[str, Rule]], subject: object) -> Checked:
    """Run rules, each with the id of its hook, over the one subject that they are for."""
    found: list[Found] = []
    not_checked: set[NotChecked] = set()
    for hook, rule in rules:
        for item in rule.check(subject):
            if isinstance(item, NotChecked):
                not_checked.add(item)
            else:
                found.append(Found(rule, hook, item))
    found.sort(key=lambda item: item.order)
    return Checked(tuple(found), tuple(sorted(not_checked)))
