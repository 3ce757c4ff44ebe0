"""What a grammar reads out of an env file: assignments, and the parts of their values.

Pure: no IO. The names are those of python(1), "ENVIRONMENT VARIABLES".
"""

from __future__ import annotations

import enum
import itertools
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

#: read at startup by every Python that is not isolated; the order is that of the messages
VARIABLES = (
    "PYTHONPATH",
    "PYTHONHOME",
    "PYTHONUSERBASE",
    "PYTHONPLATLIBDIR",
    "PYTHONEXECUTABLE",
    "__PYVENV_LAUNCHER__",
    "PYTHONPYCACHEPREFIX",
    "PYTHONWARNINGS",
    "PYTHONOPTIMIZE",
    "PYTHONSTARTUP",
    "PYTHONNOUSERSITE",
    "PYTHONSAFEPATH",
)
#: the names as an alternative of a regular expression
NAMES = "|".join(VARIABLES)
#: a fast sieve before anything is lexed; pytest's option is in lower case, Windows folds case
MENTION = re.compile(NAMES + r"|PY[A-Z]*\*|ADD_(?:CONTENT|SOURCE)_ROOTS", re.IGNORECASE)

_EXACT = frozenset(VARIABLES)


def words(text: str) -> frozenset[str]:
    """Return the words of a text: a long set of names is read more easily that way."""
    return frozenset(text.split())


def variable(name: str, *, fold: bool = False) -> str | None:
    """Return the variable that `name` is, or None. `fold`: names of Windows ignore case."""
    name = name.upper() if fold else name
    return name if name in _EXACT else None


class Reference(NamedTuple):
    """An expansion: `$NAME`, `${NAME:-word}`, `%NAME%`, `{toxinidir}` … The tilde is `~`."""

    name: str
    operator: str = ""  # of POSIX 2.6.2: ":-", "-", ":=", "=", ":+", "+"; "…" for any other
    word: Value = ()


class Command(NamedTuple):
    """A command substitution, with its text."""

    text: str


Part = str | Reference | Command
Value = tuple[Part, ...]


class Effect(enum.Enum):
    """What an assignment does to the variable."""

    SETS = "sets"
    EXTENDS = "extends"  # with a separator only when there is something to extend
    DEFAULTS = "defaults"  # only when the variable is not set yet
    PASSES = "passes"  # lets the host's value in by name
    NOTHING = "nothing"  # looks like a setting, and is none


class Assignment(NamedTuple):
    """One setting of one variable at one line; lines count from 1."""

    variable: str
    line: int
    value: Value = ()
    effect: Effect = Effect.SETS
    scope: str = ""  # who gets it, when the place says more than the format does
    remark: str = ""  # a fact about this place, shown in the message
    container: bool = False  # the place says that absolute paths are an image's own
    elsewhere: bool = False  # behind a `cd`: relative to a folder that is not known here
    form: str = ""  # the grammar of this place, when it is not the file's own


class Unread(NamedTuple):
    """A place that could not be parsed, and was scanned by line instead."""

    line: int
    reason: str


Item = Assignment | Unread


class Dialect(NamedTuple):
    """What a program makes of a grammar, where programs differ."""

    known: bool = True  # False: of a map, only what looks like an environment counts
    scripts: bool = False  # any text of a map is shell, unless its key says that it is prose
    words: bool = False  # an item of `env` may be several words of shell (Travis)
    walled: bool = False  # the host's environment comes in only when it is named
    windows: bool = False  # names in any case


PLAIN = Dialect()


class Unparsable(Exception):
    """The text is not of this grammar; the message says why."""


def shifted(items: Iterable[Item], lines: int) -> Iterator[Item]:
    """Yield `items` of a text that begins `lines` lines below the top of its file."""
    for item in items:
        yield item._replace(line=item.line + lines)


def merged(parts: Iterable[Part]) -> Value:
    """Return `parts` with neighbouring literal texts joined, and empty ones left out."""
    groups = itertools.groupby(parts, key=lambda part: isinstance(part, str))
    return tuple(
        part
        for literal, group in groups
        for part in (("".join(map(str, group)),) if literal else group)
        if part != ""
    )


def shown(value: Value) -> str:
    """Return `value` about as it was written."""
    return "".join(map(_shown, value))


def _shown(part: Part) -> str:
    if isinstance(part, str):
        return part
    if isinstance(part, Command):
        return f"$({part.text})"
    if part.name == "~":
        return "~"
    if not re.fullmatch(r"\w+", part.name):
        return part.name
    if part.operator:
        return f"${{{part.name}{part.operator}{shown(part.word)}}}"
    return f"${part.name}"
