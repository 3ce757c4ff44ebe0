"""One difference between two boxes in plain language. Pure: no IO."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from unhaunt.fingerprints.sides import Side

LABELS = {
    "cwd": "the working directory",
    "cwd.name": "the working directory",
    "repository.head": "the commit",
    "repository.dirty": "uncommitted changes",
}


class Pair(NamedTuple):
    """A fact's two values, and the boxes that they are from."""

    fact: str
    left: Any
    right: Any
    local: Side
    remote: Side
    name: str  # what the remote is called

    @property
    def rest(self) -> str:
        """Return the fact's name without its kind."""
        return self.fact.partition(".")[2]

    @property
    def owner(self) -> tuple[Side, str, Any]:
        """Return the side that has a value, what it is called, and the value."""
        if self.left is not None:
            return self.local, "local", self.left
        return self.remote, self.name, self.right

    @property
    def both(self) -> bool:
        """Tell whether each side has a value."""
        return self.left is not None and self.right is not None


def sentence(
    fact: str, left: Any, right: Any, local: Side, remote: Side, name: str = "remote"
) -> str:
    """Return the difference as a sentence."""
    pair = Pair(fact, left, right, local, remote, name)
    return SAY.get(fact, SAY.get(fact.partition(".")[0], _plain))(pair)


def _plain(pair: Pair) -> str:
    label = LABELS.get(pair.fact, pair.rest or pair.fact)
    return f"{label}: {_shown(pair.left)} on local, {_shown(pair.right)} on {pair.name}"


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "unset" if value is None else str(value)


def _venv(pair: Pair) -> str:
    has, lacks = ("local", pair.name) if pair.left else (pair.name, "local")
    return f"{lacks} has no venv, {has} has"


def _user_site(pair: Pair) -> str:
    _, label, version = pair.owner
    if not pair.both:
        return f"{pair.rest} {version} is in the user site of {label} only"
    return f"user site: {pair.rest} {pair.left} on local, {pair.right} on {pair.name}"


def _path(pair: Pair) -> str:
    _, label, because = pair.owner
    if pair.both:
        return f"{pair.rest} is on sys.path: {pair.left} on local, {pair.right} on {pair.name}"
    return f"{pair.rest} is on sys.path of {label} only ({because})"


def _modules(pair: Pair) -> str:
    """Name the modules that are on one side alone, and those with another content."""
    left, right = (dict(_split(text) for text in value or ()) for value in (pair.left, pair.right))
    sides = ((left, right, "local"), (right, left, pair.name))
    parts = [
        f"{_few(mine.keys() - theirs.keys())} on {label} only"
        for mine, theirs, label in sides
        if mine.keys() - theirs.keys()
    ]
    other = [name for name in left.keys() & right.keys() if left[name] != right[name]]
    parts += [f"{_few(other)} with another content"] if other else []
    return f"modules that no installed package lists, in {pair.rest}: {'; '.join(parts)}"


def _split(text: str) -> tuple[str, str]:
    name, _, value = text.rpartition(" ")
    return name or "the file itself", value


def _few(names: Iterable[str]) -> str:
    ordered = sorted(names)
    more = f" and {len(ordered) - 3} more" if ordered[3:] else ""
    return ", ".join(ordered[:3]) + more


def _distribution(pair: Pair) -> str:
    left, right = _installed(pair.left), _installed(pair.right)
    return f"{pair.rest}: {left} on local, {right} on {pair.name}"


def _installed(value: Any) -> str:
    if value is None:
        return "not installed"
    version, state, files = value
    return str(version) + (
        f" with changed files ({', '.join(files[:3])})" if state == "modified" else ""
    )


def _changed(pair: Pair) -> str:
    left, right = pair.left or [], pair.right or []
    ours = ", ".join(row for row in left if row not in right)
    theirs = ", ".join(row for row in right if row not in left)
    sides = [f"local only: {ours}"] * bool(ours) + [f"{pair.name} only: {theirs}"] * bool(theirs)
    return "uncommitted files differ: " + "; ".join(sides)


def _pythonpath(pair: Pair) -> str:
    local = list(_elements(pair.local, "local", pair.left, pair.right))
    remote = list(_elements(pair.remote, pair.name, pair.right, pair.left))
    if local or remote:
        return "; ".join([*local, *remote])
    left, right = ":".join(pair.left or ()), ":".join(pair.right or ())
    return f"PYTHONPATH has another order: {left} on local, {right} on {pair.name}"


def _elements(side: Side, label: str, mine: Any, theirs: Any) -> Iterator[str]:
    """Yield a sentence for each element of PYTHONPATH that the other side lacks."""
    raw = side.places.get("PYTHONPATH", "").split(":")
    for number, word in enumerate(mine or (), 1):
        if word not in (theirs or ()):
            element = raw[number - 1] if number <= len(raw) else word
            alone = f"PYTHONPATH only on {label}"
            only = alone if theirs is None else f"PYTHONPATH element {number} only on {label}"
            yield _element(side, label, number, word, element, only)


def _element(side: Side, label: str, number: int, word: str, element: str, only: str) -> str:
    cwd = side.places.get("cwd", "?")
    if word == "<current directory>":
        empty = f"an empty PYTHONPATH entry (position {number})"
        return f"{label} sys.path contains cwd ({cwd}) because of {empty}"
    if word == "<repository>" or element == cwd:
        return (
            f"{only}, equals the project root there ({element}): imports from the project root"
            f" worked on {label} by environment, not by installation"
        )
    inside = element.rstrip("/") + "/"
    places = [p for fact, p in side.places.items() if fact.startswith("startup.")]
    code = next((place for place in places if place.startswith(inside)), None)
    holds = f", and that directory contains {code[len(inside) :]}" if code else ""
    return f"{only}: {element}{holds}"


def _startup(pair: Pair) -> str:
    local, remote = pair.local.places.get(pair.fact), pair.remote.places.get(pair.fact)
    if pair.both:
        pairs = f"{local} on local, {remote} on {pair.name}"
        return f"startup code changed outside the repository: {pairs}"
    side, label, _ = pair.owner
    place = side.places.get(pair.fact) or pair.rest
    beginning = f"import.{pair.rest}."
    imports = ", ".join(p for fact, p in side.places.items() if fact.startswith(beginning))
    build = " [pip build isolation (expected, temporary)]" if "pip-build-env-" in place else ""
    more = f", which imports {imports}" if imports else ""
    return f"startup code on {label} only: {place}{build}{more}"


#: a fact, or the first part of its name -> how it is said
SAY: dict[str, Callable[[Pair], str]] = {
    "interpreter.in_venv": _venv,
    "PYTHONPATH": _pythonpath,
    "startup": _startup,
    "user_site": _user_site,
    "path": _path,
    "modules": _modules,
    "distribution": _distribution,
    "repository.changed": _changed,
}
