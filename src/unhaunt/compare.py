"""How any number of fingerprints differ, and whether a green run there means anything here.

Pure: no IO. The first fingerprint is the reference ("local"). One is read at a time: of each only
what differs from the reference is kept, so a thousand cost little more than their files.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

from unhaunt.errors import UserError
from unhaunt.fingerprint import Facts, Words, comparable

SCHEMA = "unhaunt.comparison/1"


class _Unknown:
    """The value of a fact that could not be read: equal to nothing, itself included."""

    def __repr__(self) -> str:
        return "unknown"

    def __eq__(self, other: object) -> bool:
        return False

    __hash__ = object.__hash__


UNKNOWN = _Unknown()

#: what a fact's name begins with -> (order, severity, the signal it raises, the part that knows it)
FACTS: tuple[tuple[str, str, str, str], ...] = (
    ("interpreter.platform", "warning", "settings-differ", "interpreter.platform"),
    ("interpreter.version", "error", "version-mismatch", "interpreter.version"),
    ("interpreter.implementation", "error", "version-mismatch", "interpreter.implementation"),
    ("interpreter.in_venv", "error", "venv-mismatch", "interpreter.in_venv"),
    ("startup.", "error", "haunted", "startup"),
    ("PYTHONPATH", "error", "haunted", "PYTHONPATH"),
    ("user_site.", "error", "haunted", "user_site"),
    ("path.<repository>", "warning", "settings-differ", "path"),
    ("path.", "error", "haunted", "path"),
    ("cwd", "error", "cwd-mismatch", "cwd"),
    ("repository.", "error", "cwd-mismatch", "repository"),
    ("variable.", "warning", "settings-differ", "variable"),
    ("flag.", "warning", "settings-differ", "flag"),
    ("interpreter.", "warning", "settings-differ", "interpreter"),
    ("pytest.", "warning", "settings-differ", "pytest"),
    ("distribution.", "warning", "packages-differ", "distribution"),
)
#: without these no answer is worth anything
NEEDED = (
    "interpreter.version",
    "interpreter.in_venv",
    "PYTHONPATH",
    "startup",
    "distribution",
    "cwd",
)
#: in the order in which they are told
SIGNALS = (
    "version-mismatch",
    "venv-mismatch",
    "local-haunted",
    "remote-haunted",
    "cwd-mismatch",
    "settings-differ",
    "packages-differ",
    "unknown",
    "match",
)


class Side(NamedTuple):
    """What is kept of one fingerprint."""

    name: str
    facts: Mapping[str, Any]  # fact -> value, in words
    known: frozenset[str]  # the parts that could be read
    places: Mapping[str, str]  # fact -> where it is, on that box
    short: bool = False


class Explanation(NamedTuple):
    """One `[[tool.unhaunt.explain]]` entry."""

    fact: str  # a name or a glob
    reason: str
    value: object = None


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


class Comparison(NamedTuple):
    """The answer. `sides[0]` is the reference."""

    sides: tuple[Side, ...]
    differences: tuple[Difference, ...]
    decisions: tuple[Decision, ...]
    groups: tuple[tuple[str, ...], ...]
    odd_one_out: str | None

    @property
    def trust(self) -> bool:
        """Tell whether every other side may be trusted as a second opinion."""
        return all(decision.trust for decision in self.decisions)


def side(facts: Facts, name: str) -> Side:
    """Return what `compare` needs of one fingerprint."""
    words = Words(facts)
    rows = {**comparable(facts), **dict(_places(facts))}
    rows["path"] = None
    kept = {
        k: v
        for k, v in rows.items()
        if k not in ("path", "startup.modules", "startup.pth", "startup.start")
    }
    kept.update(_expanded(facts, comparable(facts)))
    return Side(
        name, kept, frozenset(_known(facts)), dict(_where(facts, words)), bool(facts.get("short"))
    )


def _expanded(facts: Facts, rows: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    """Yield one fact a startup file and a path entry, where the digest has one list."""
    for module, form, sha256, imports in rows.get("startup.modules", ()):
        yield f"startup.{module}", [form, sha256, imports]
    for kind in ("pth", "start"):
        for name, texts, imports in rows.get(f"startup.{kind}", ()):
            yield f"startup.{name}", [texts, imports]
    named = {
        e
        for row in facts.get("path") or ()
        for e in [row["entry"]]
        if "PYTHONPATH" in (row.get("because") or "")
    }
    words = Words(facts)
    for entry in facts.get("path") or ():
        word = words(entry["entry"])
        ours = word.startswith(("<repository>", "<environment>", "<base>", "<user site>"))
        if (
            entry["entry"] not in named
            and not ours
            and entry.get("exists", True)
            and os.path.isabs(entry["entry"])
        ):
            yield f"path.{word}", entry.get("because") or "on sys.path"
        elif word.startswith("<repository>") and entry["entry"] not in named:
            yield f"path.{word}", "on sys.path"


def _places(facts: Facts) -> Iterator[tuple[str, object]]:
    repository = facts.get("repository") or {}
    cwd = (facts.get("process") or {}).get("cwd")
    top = repository.get("toplevel")
    if cwd and top and (cwd == top or cwd.startswith(top + "/")):
        yield "cwd", os.path.relpath(cwd, top)
    elif cwd:
        yield "cwd", None if top is None and not facts.get("short") else os.path.basename(cwd)
    for name in ("head", "dirty", "changed"):
        if repository.get(name) is not None:
            yield f"repository.{name}", repository[name]
    for row in facts.get("distributions") or ():
        user = ((facts.get("startup") or {}).get("user_site") or {}).get("path")
        if user and row.get("location") == user and not row.get("shadowed"):
            yield f"user_site.{row['name']}", row["version"]
    for name, value in (facts.get("pytest") or {}).items():
        if name in ("import_mode", "rootdir_is_repository", "plugins"):
            yield f"pytest.{name}", value


def _known(facts: Facts) -> Iterator[str]:
    interpreter = facts.get("interpreter") or {}
    yield from (f"interpreter.{name}" for name, value in interpreter.items() if value is not None)
    if "platform" in interpreter:
        yield "interpreter.platform"
    startup = facts.get("startup") or {}
    if startup.get("modules") is not None and (startup.get("pth") is not None):
        yield "startup"
    if "environment" in facts:
        yield from ("PYTHONPATH",) if facts.get("short") else ("PYTHONPATH", "variable")
    if facts.get("distributions") is not None:
        yield from ("distribution", "user_site")
    if facts.get("path") is not None:
        yield "path"
    if (facts.get("process") or {}).get("cwd"):
        yield "cwd"
    if facts.get("repository"):
        yield "repository"
    if "as-run" in facts.get("sides", ()):
        yield from ("flag", "interpreter")
    if facts.get("pytest"):
        yield "pytest"


def _where(facts: Facts, words: Words) -> Iterator[tuple[str, str]]:
    startup = facts.get("startup") or {}
    for row in startup.get("modules") or ():
        if row.get("state", "loaded") == "loaded":
            yield f"startup.{row['module']}", _with_hash(row)
            for found in row.get("imports", ()):
                if found.get("origin"):
                    yield (
                        f"import.{row['module']}.{found['module']}",
                        _with_hash({**found, "path": found["origin"]}),
                    )
    for kind in ("pth", "start"):
        for row in startup.get(kind) or ():
            yield f"startup.{os.path.basename(row['path'])}", _with_hash(row)
    value = (facts.get("environment") or {}).get("PYTHONPATH")
    if value:
        yield "PYTHONPATH", value
    for name in ("executable", "prefix"):
        place = (facts.get("interpreter") or {}).get(name)
        if place:
            yield name, place
    cwd = (facts.get("process") or {}).get("cwd")
    if cwd:
        yield "cwd", cwd


def _with_hash(row: Mapping[str, Any]) -> str:
    return (
        f"{row['path']} (sha256 {str(row['sha256'])[:12]})"
        if row.get("sha256")
        else str(row["path"])
    )


def value_of(one: Side, fact: str) -> object:
    """Return a fact of one side: its value, None when it is absent there, UNKNOWN when unread."""
    if fact in one.facts:
        return one.facts[fact]
    return None if _row(fact)[3] in one.known else UNKNOWN


def _row(fact: str) -> tuple[str, str, str, str]:
    for row in FACTS:
        if fact == row[0] or (row[0].endswith((".", ">")) and fact.startswith(row[0])):
            return row
    return (fact, "info", "settings-differ", fact)


def _order(fact: str) -> tuple[int, str]:
    return FACTS.index(_row(fact)) if _row(fact) in FACTS else len(FACTS), fact


def differing(reference: Side, other: Side) -> Iterator[str]:
    """Yield the facts of two sides that differ, or of which one is unknown and needed."""
    for fact in sorted(reference.facts.keys() | other.facts.keys()):
        left, right = value_of(reference, fact), value_of(other, fact)
        if left is UNKNOWN or right is UNKNOWN:
            continue
        if left != right and not _blind(fact, left, right):
            yield fact


def _blind(fact: str, left: object, right: object) -> bool:
    """Tell whether two values differ only in how closely one side looked."""
    if fact == "cwd":
        return left is None or right is None
    if (
        not fact.startswith("distribution.")
        or not isinstance(left, list)
        or not isinstance(right, list)
    ):
        return False
    unread = {left[1], right[1]} & {None, "not checked", "unverifiable"}
    return left[0] == right[0] and bool(unread)


def compare(sides: Iterable[Side], explanations: Sequence[Explanation] = ()) -> Comparison:
    """Compare every side with the first."""
    from unhaunt.decisions import decide

    kept: list[Side] = []
    facts: dict[str, None] = {}
    groups: dict[str, list[str]] = {}
    for one in sides:
        reference = kept[0] if kept else one
        new = list(differing(reference, one))
        facts.update(dict.fromkeys(new))
        kept.append(one if not kept else _trimmed(reference, one, new))
        groups.setdefault(
            json.dumps([[f, one.facts.get(f)] for f in new] + _unread(one), default=repr), []
        ).append(one.name)
    differences = tuple(_differences(kept, sorted(facts, key=_order), explanations))
    return Comparison(
        tuple(kept),
        differences,
        tuple(decide(kept, differences)),
        tuple(tuple(group) for group in groups.values()),
        odd_one_out(list(groups.values())),
    )


def _unread(one: Side) -> list[Any]:
    return [name for name in NEEDED if name not in one.known]


def _trimmed(reference: Side, one: Side, facts: Sequence[str]) -> Side:
    """Keep of a side what differs from the reference; the rest is shared with it."""
    own = {fact: one.facts[fact] for fact in facts if fact in one.facts}
    gone = [f for f in facts if f not in one.facts]
    shared = Rest(own, reference.facts, frozenset(gone)) if len(reference.facts) > 0 else own
    known = reference.known if one.known == reference.known else one.known
    heads = {_row(f)[0].rstrip(".") for f in facts}
    places = {
        k: v
        for k, v in one.places.items()
        if any(k.startswith(h) for h in heads) or k.startswith("import.") or k == "executable"
    }
    return Side(one.name, shared, known, places if facts else {}, one.short)


class Rest(Mapping[str, Any]):
    """A mapping that is another one but for a few keys."""

    __slots__ = ("gone", "other", "own")

    def __init__(
        self, own: Mapping[str, Any], other: Mapping[str, Any], gone: frozenset[str]
    ) -> None:
        self.own, self.other, self.gone = own, other, gone

    def __getitem__(self, key: str) -> Any:
        if key in self.own:
            return self.own[key]
        if key in self.gone:
            raise KeyError(key)
        return self.other[key]

    def __iter__(self) -> Iterator[str]:
        yield from self.own
        yield from (k for k in self.other if k not in self.own and k not in self.gone)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def odd_one_out(groups: Sequence[Sequence[str]]) -> str | None:
    """Return the one file that differs when all others agree; there must be three or more."""
    if len(groups) != 2 or sum(map(len, groups)) < 3:
        return None
    single = [group[0] for group in groups if len(group) == 1]
    return single[0] if len(single) == 1 else None


def _differences(
    sides: Sequence[Side], facts: Sequence[str], explanations: Sequence[Explanation]
) -> Iterator[Difference]:
    for fact in facts:
        _, severity, signal, _ = _row(fact)
        values = tuple(value_of(one, fact) for one in sides)
        yield Difference(
            fact,
            severity,
            signal,
            values,
            follows(fact, values, facts),
            explained(fact, values, explanations),
        )


def follows(fact: str, values: Sequence[object], facts: Sequence[str]) -> str | None:
    """Return the difference that this one is only a consequence of, if any."""
    if fact.startswith("path."):
        for cause in (
            "PYTHONPATH",
            "interpreter.platform",
            "interpreter.version",
            "interpreter.in_venv",
        ):
            if cause in facts and fact.startswith(
                ("path.<base>", "path.<environment>", "path.<user site>")
            ):
                return cause
    if fact.startswith("user_site.") and "interpreter.in_venv" in facts:
        return "interpreter.in_venv"
    if fact.startswith("distribution."):
        name = fact.partition(".")[2]
        if f"user_site.{name}" in facts:
            return f"user_site.{name}"
        for cause in ("interpreter.in_venv",):
            if cause in facts:
                return cause
        bundled = name in ("pip", "setuptools", "wheel") and "interpreter.version" in facts
        return "interpreter.version" if bundled else None
    if fact == "repository.dirty" and "repository.changed" in facts:
        return "repository.changed"
    if fact.startswith("interpreter.") and fact in ("interpreter.gil", "interpreter.debug"):
        return "interpreter.version" if "interpreter.version" in facts else None
    return None


def explained(
    fact: str, values: Sequence[object], explanations: Sequence[Explanation]
) -> str | None:
    """Return the reason that the configuration gives for a difference."""
    for entry in explanations:
        if fnmatchcase(fact, entry.fact) and (
            entry.value is None or any(_is(v, entry.value) for v in values[1:] or values)
        ):
            return entry.reason
    return None


def _is(value: object, wanted: object) -> bool:
    if value == wanted or str(value) == str(wanted):
        return True
    return isinstance(value, list) and (wanted in value or str(wanted) in map(str, value))


def explanations(table: object, source: str) -> tuple[Explanation, ...]:
    """Read the `explain` entries of `[tool.unhaunt]`.

    Raises `UserError` that names the entry which is wrong.
    """
    if not isinstance(table, list):
        raise UserError(
            f"{source}: tool.unhaunt.explain is not a list of tables",
            hint="write [[tool.unhaunt.explain]]",
        )
    return tuple(_explanation(row, number, source) for number, row in enumerate(table, 1))


def _explanation(row: object, number: int, source: str) -> Explanation:
    place = f"{source}: tool.unhaunt.explain, entry {number}"
    if not isinstance(row, dict):
        raise UserError(f"{place} is not a table", hint="write [[tool.unhaunt.explain]]")
    wrong = sorted(row.keys() - {"fact", "value", "reason"})
    if wrong:
        raise UserError(
            f"{place}: unknown key {wrong[0]}", hint="its keys are fact, value and reason"
        )
    for key in ("fact", "reason"):
        if not isinstance(row.get(key), str) or not row[key].strip():
            raise UserError(
                f"{place}: {key} is missing", hint="say which fact differs, and why that is right"
            )
    return Explanation(row["fact"], row["reason"], row.get("value"))
