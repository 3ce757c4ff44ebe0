"""What `compare` keeps of one fingerprint: facts in words, and what it could know. Pure: no IO."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from sys import intern
from typing import Any, NamedTuple

from unhaunt.fingerprints.comparable import RUNS, comparable, digest_of
from unhaunt.fingerprints.words import Words

Facts = dict[str, Any]


class Side(NamedTuple):
    """What is kept of one fingerprint."""

    name: str
    digest: str  # empty when it is no longer needed
    facts: Mapping[str, Any]  # fact -> value, in words
    known: frozenset[str]  # the parts that could be read
    places: Mapping[str, str]  # fact -> where it is, on that box
    short: bool = False
    unread: tuple[tuple[str, str], ...] = ()  # (fact, reason) of what that box could not read


#: states of a distribution whose files nobody compared with its RECORD
NOT_READ = (None, "not checked")
#: rows of the comparable part that are compared one by one
LISTS = ("path", "startup.modules", "startup.pth", "startup.start")


def side(facts: Facts, name: str) -> Side:
    """Return what `compare` needs of one fingerprint."""
    rows = comparable(facts)
    kept = {fact: value for fact, value in rows.items() if fact not in LISTS}
    kept.update(_one_by_one(rows))
    kept.update(_foreign_entries(facts))
    kept.update(_beside(facts))
    known = frozenset(_known(facts))
    short = bool(facts.get("short"))
    unread = tuple((row["fact"], row["reason"]) for row in facts.get("unknown") or ())
    return Side(name, digest_of(rows), kept, known, dict(_where(facts)), short, unread)


def _one_by_one(rows: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    """Yield one fact a startup file, where the digest has one list."""
    for module, form, sha256, imports in rows.get("startup.modules", ()):
        yield f"startup.{module}", [form, sha256, imports]
    for kind in ("pth", "start"):
        for name, texts, imports in rows.get(f"startup.{kind}", ()):
            yield f"startup.{name}", [texts, imports]


#: reasons of entries that follow from the interpreter, or that are a fact of their own
OWN = ("standard library", "site-packages", "site directory", "user site", "PYTHONPATH")
#: where an interpreter's own entries lie
HOMES = ("<environment>", "<base>", "<user site>")


def _foreign_entries(facts: Facts) -> Iterator[tuple[str, object]]:
    """Yield the entries of sys.path that neither the interpreter nor PYTHONPATH put there."""
    words = Words(facts)
    for row in facts.get("path") or ():
        word, because = words(row["entry"]), row.get("because") or ""
        # The short script gives no reasons: what lies in the interpreter's own folders is its own.
        own = because.startswith(OWN) if because else word.startswith(HOMES)
        if row.get("exists", True) and not own:
            yield f"path.{word or '<current directory>'}", words.inside(because)


def _beside(facts: Facts) -> Iterator[tuple[str, object]]:
    """Yield what matters and is no part of how a Python behaves: where it runs, and on what."""
    repository = facts.get("repository") or {}
    cwd, top = (facts.get("process") or {}).get("cwd"), repository.get("toplevel")
    if cwd:
        yield "cwd.name", os.path.basename(cwd)
    if cwd and top and (cwd == top or cwd.startswith(top + "/")):
        yield "cwd", os.path.relpath(cwd, top)
    for name in ("head", "dirty", "changed"):
        if repository.get(name) is not None:
            yield f"repository.{name}", repository[name]
    user = ((facts.get("startup") or {}).get("user_site") or {}).get("path")
    for row in facts.get("distributions") or ():
        if user and row.get("location") == user and not row.get("shadowed"):
            yield f"user_site.{row['name']}", row["version"]
    for name in ("import_mode", "plugins", "how"):
        if name in (facts.get("pytest") or {}):
            yield f"pytest.{name}", facts["pytest"][name]


def _known(facts: Facts) -> Iterator[str]:
    interpreter = facts.get("interpreter") or {}
    yield from (f"interpreter.{name}" for name, value in interpreter.items() if value is not None)
    if "platform" in interpreter:
        yield "interpreter.platform"
    startup = facts.get("startup") or {}
    if startup.get("modules") is not None and (startup.get("pth") is not None):
        yield "startup"
        yield from _startup_known(startup)
    if facts.get("environment") is not None:
        yield from ("PYTHONPATH",) if facts.get("short") else ("PYTHONPATH", "variable")
    if facts.get("distributions") is not None:
        yield from ("distribution", "user_site")
        if not any(row.get("state") in NOT_READ for row in facts["distributions"]):
            yield "distribution.state"
    if facts.get("modules") is not None:
        yield "modules"
    if facts.get("path") is not None:
        yield "path"
    if (facts.get("process") or {}).get("cwd"):
        yield "cwd"
    repository = facts.get("repository")
    if repository:
        yield "repository"
        yield from ("repository.head",) if repository.get("head") else ()
        yield from ("repository.changes",) if repository.get("dirty") is not None else ()
    if "repository" in facts and (not repository or repository.get("dirty") is not None):
        yield "changes"
    if "as-run" in facts.get("sides", ()):
        yield from ("flag", "interpreter")
    if facts.get("pytest"):
        yield "pytest"


def _startup_known(startup: Facts) -> Iterator[str]:
    """Yield whether the content of each piece of startup code is known, and what it imports."""
    loaded = [row for row in startup["modules"] if row.get("state", "loaded") == "loaded"]
    loaded = [row for row in loaded if row.get("form") != "namespace"]
    files = [row for kind in ("pth", "start") for row in startup.get(kind) or ()]
    if all(row.get("sha256") for row in (*loaded, *files)):
        yield "startup.hashes"
    lines = [line for row in files for line in row.get("lines", ()) if line["kind"] in RUNS]
    if all("imports" in row for row in (*loaded, *lines)):
        yield "startup.imports"


def _where(facts: Facts) -> Iterator[tuple[str, str]]:
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


#: places that a sentence may name whatever differs
ALWAYS = ("cwd", "executable")


def trimmed(reference: Side, one: Side, facts: Sequence[str]) -> Side:
    """Keep of a side what differs from the reference; the rest is shared with it."""
    own = {fact: one.facts[fact] for fact in facts if fact in one.facts}
    gone = frozenset(fact for fact in facts if fact not in one.facts)
    beginnings = tuple({fact.partition(".")[0] for fact in facts} | {"import."} if facts else ())
    return one._replace(
        digest="",
        facts=Rest(own, reference.facts, _shared(gone)),
        known=_shared(one.known),
        places=_near(one.places, beginnings),
    )


def _near(places: Mapping[str, str], beginnings: tuple[str, ...]) -> dict[str, str]:
    near = {k: v for k, v in places.items() if k in ALWAYS or k.startswith(beginnings)}
    return {intern(name): intern(place) for name, place in near.items()}


@lru_cache(maxsize=256)
def _shared(names: frozenset[str]) -> frozenset[str]:
    """Return one object for equal sets."""
    return names


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
