"""What a rule is, what it finds, and how rules are run. Pure: no IO, no git."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable
from typing import NamedTuple

from unhaunt.inventory import Entry, Inventory


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
    check: Callable[[Inventory], Iterable[Finding | NotChecked]]

    @property
    def docs(self) -> str:
        """The docstring of the rule's own function: the text of `unhaunt explain`."""
        return self.check.__doc__ or ""


class Hook(NamedTuple):
    """One row of the manifest: an id, what it says, and the rules behind it."""

    id: str
    name: str  # what the runner prints
    rules: tuple[Rule, ...]
    always_run: bool = True
    verbose: bool = False
    stages: tuple[str, ...] = ("pre-commit", "pre-merge-commit", "pre-push", "manual")
