"""What a difference of a fact means, and what is decided of it: the words. Pure: no IO."""

from __future__ import annotations

from typing import NamedTuple

from unhaunt.fingerprints.sides import Side


class Unknown:
    """The value of a fact that could not be read: equal to nothing, itself included."""

    def __repr__(self) -> str:
        return "unknown"

    def __eq__(self, other: object) -> bool:
        return False

    __hash__ = object.__hash__


UNKNOWN = Unknown()


class Kind(NamedTuple):
    """What a difference of some facts means."""

    begins: str  # the facts: a name, or the beginning of names when it ends in "." or ">"
    severity: str
    signal: str
    known_by: str  # the part of a fingerprint without which the fact is unknown


#: in the order of how much they matter; the first that fits a fact is its own
KINDS = (
    Kind("interpreter.platform", "warning", "settings-differ", "interpreter.platform"),
    Kind("interpreter.version", "error", "version-mismatch", "interpreter.version"),
    Kind("interpreter.implementation", "error", "version-mismatch", "interpreter.implementation"),
    Kind("interpreter.in_venv", "error", "venv-mismatch", "interpreter.in_venv"),
    Kind("startup.", "error", "haunted", "startup"),
    Kind("PYTHONPATH", "error", "haunted", "PYTHONPATH"),
    Kind("user_site.", "error", "haunted", "user_site"),
    Kind("path.<repository>", "warning", "settings-differ", "path"),
    Kind("path.", "error", "haunted", "path"),
    Kind("modules.", "error", "haunted", "modules"),
    Kind("cwd", "error", "cwd-mismatch", "repository"),
    Kind("cwd.name", "error", "cwd-mismatch", "cwd"),
    Kind("repository.head", "error", "cwd-mismatch", "repository.head"),
    Kind("repository.dirty", "error", "cwd-mismatch", "repository.changes"),
    Kind("repository.changed", "error", "cwd-mismatch", "repository.changes"),
    Kind("repository.", "error", "cwd-mismatch", "repository"),
    Kind("variable.", "warning", "settings-differ", "variable"),
    Kind("flag.", "warning", "settings-differ", "flag"),
    Kind("interpreter.", "warning", "settings-differ", "interpreter"),
    Kind("pytest.", "warning", "settings-differ", "pytest"),
    Kind("distribution.", "warning", "packages-differ", "distribution"),
)
OTHER = Kind("", "info", "settings-differ", "")


class Difference(NamedTuple):
    """One fact that is not the same everywhere."""

    fact: str
    severity: str
    signal: str
    values: tuple[object, ...]  # one a file, in their order
    follows: str | None = None  # the fact that this one is a consequence of
    explained: str | None = None


class Decision(NamedTuple):
    """What to think of one file's green run."""

    signal: str
    trust: bool
    file: str
    because: str
    next: str


def kind_of(fact: str) -> Kind:
    """Return what a difference of this fact means."""
    for kind in KINDS:
        if fact == kind.begins or (kind.begins[-1] in ".>" and fact.startswith(kind.begins)):
            return kind
    return OTHER


def value_of(one: Side, fact: str) -> object:
    """Return a fact of one side: its value, None when it is absent there, UNKNOWN when unread."""
    if fact in one.facts:
        return one.facts[fact]
    return None if kind_of(fact).known_by in one.known else UNKNOWN
