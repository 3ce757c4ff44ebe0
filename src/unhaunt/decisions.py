"""What the differences between two boxes mean for a green run on one of them. Pure: no IO."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from unhaunt.compare import UNKNOWN, Decision, Difference
from unhaunt.sides import Side

ISOLATE = "env -u PYTHONPATH PYTHONNOUSERSITE=1 python -I -m unhaunt run -- COMMAND"
NEXT = {
    "version-mismatch": "recreate the remote environment from the same lock file, or stop comparing",
    "venv-mismatch": "create the virtual environment there, then run again",
    "cwd-mismatch": "unhaunt fingerprint -- COMMAND  (os.getcwd() of the test process, not of the prompt)",
    "settings-differ": "set it alike on both sides, then run again",
    "packages-differ": "install both sides from the same lock file, then run again",
    "unknown": "unhaunt fingerprint --output FILE on that side, without --quick",
    "match": "copy the patch, and run the same test here",
}
#: in the order in which they are told
SIGNALS = (
    *("version-mismatch", "venv-mismatch", "local-haunted", "remote-haunted", "cwd-mismatch"),
    *("settings-differ", "packages-differ", "unknown", "match"),
)
#: without these no answer is worth anything
READ = {
    "startup": "startup files",
    "distribution": "installed distributions",
    "interpreter.version": "the version",
    "interpreter.in_venv": "whether there is a virtual environment",
    "PYTHONPATH": "PYTHONPATH",
    "cwd": "the working directory",
}


def decide(sides: Sequence[Side], differences: Sequence[Difference]) -> Iterator[Decision]:
    """Yield what to think of every side but the first, the most serious first."""
    local = sides[0]
    for index, remote in enumerate(sides[1:], 1):
        open_ones = [d for d in differences if not d.explained and not _same(d, index)]
        raised = dict(
            _raised(
                local,
                remote,
                open_ones,
                index,
                f"remote ({remote.name})" if len(sides) > 2 else "remote",
            )
        )
        missing = [
            READ[part] for part in READ if part not in local.known or part not in remote.known
        ]
        if missing:
            raised["unknown"] = ["unknown on one side at least: " + ", ".join(missing)]
        if not raised:
            raised["match"] = [
                "version, environment, working directory, PYTHONPATH and startup files are the same"
            ]
        for signal in SIGNALS:
            if signal in raised:
                reasons = list(dict.fromkeys(raised[signal]))
                yield Decision(
                    signal,
                    signal == "match",
                    remote.name,
                    "; ".join(reasons),
                    _next(signal, open_ones, local, remote),
                )


def _same(one: Difference, index: int) -> bool:
    left, right = one.values[0], one.values[index]
    return left is UNKNOWN or right is UNKNOWN or left == right


def _raised(
    local: Side, remote: Side, differences: Sequence[Difference], index: int, name: str
) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for one in differences:
        left, right = one.values[0], one.values[index]
        if one.follows and any(d.fact == one.follows for d in differences):
            continue
        text = sentence(one.fact, left, right, local, remote, name)
        if one.signal != "haunted":
            found.setdefault(one.signal, []).append(text)
            continue
        if _has_more(left, right):
            found.setdefault("local-haunted", []).append(text)
        if _has_more(right, left):
            found.setdefault("remote-haunted", []).append(text)
    return found


def _has_more(mine: object, theirs: object) -> bool:
    """Tell whether one side has something of its own."""
    if mine is None or mine == []:
        return False
    if (
        isinstance(mine, list)
        and isinstance(theirs, list)
        and all(isinstance(x, str) for x in mine + theirs)
    ):
        return any(x not in theirs for x in mine) or (set(mine) == set(theirs))
    return True


def _next(signal: str, differences: Sequence[Difference], local: Side, remote: Side) -> str:
    if signal not in ("local-haunted", "remote-haunted"):
        return NEXT[signal]
    both = [
        d
        for d in differences
        if d.fact.startswith("startup.") and d.fact in local.places and d.fact in remote.places
    ]
    if both:
        return f"compare the two files: {local.places[both[0].fact]} and {remote.places[both[0].fact]}; {ISOLATE}"
    users = [d.fact.partition(".")[2] for d in differences if d.fact.startswith("user_site.")]
    needed = (
        f"  (if the tests need {', '.join(users)}: install it in the environment)" if users else ""
    )
    side = "" if signal == "local-haunted" else "there: "
    return f"{side}{ISOLATE}{needed}"


# --- one difference in plain language ---


def sentence(
    fact: str, left: Any, right: Any, local: Side, remote: Side, name: str = "remote"
) -> str:
    """Return one difference between two sides as a sentence."""
    head, _, rest = fact.partition(".")
    if fact == "interpreter.in_venv":
        has, lacks = ("local", name) if left else (name, "local")
        return f"{lacks} has no venv, {has} has"
    if fact == "PYTHONPATH":
        return _pythonpath(left, right, local, remote, name)
    if head == "startup":
        return _startup(fact, left, right, local, remote, name)
    if head == "user_site":
        owner, version = ("local", left) if left is not None else (name, right)
        return (
            f"{rest} {version} is in the user site of {owner} only"
            if None in (left, right)
            else f"user site: {rest} {left} on local, {right} on {name}"
        )
    if head == "path":
        return f"{rest} is on sys.path of {'local' if left is not None else name} only ({left if left is not None else right})"
    if head == "distribution":
        return f"{rest}: {_installed(left)} on local, {_installed(right)} on {name}"
    if fact == "repository.changed":
        return _changed(left or [], right or [], name)
    label = {
        "cwd": "the working directory",
        "repository.head": "the commit",
        "repository.dirty": "uncommitted changes",
    }
    shown = label.get(fact, rest or fact)
    return f"{shown}: {_shown(left)} on local, {_shown(right)} on {name}"


def _shown(value: object) -> str:
    if value is None:
        return "unset"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _installed(value: Any) -> str:
    if value is None:
        return "not installed"
    version, state, files = value
    return f"{version}" + (
        f" with changed files ({', '.join(files[:3])})" if state == "modified" else ""
    )


def _changed(left: list[str], right: list[str], name: str) -> str:
    ours = (
        [f"local only: {', '.join(x for x in left if x not in right)}"]
        if set(left) - set(right)
        else []
    )
    theirs = (
        [f"{name} only: {', '.join(x for x in right if x not in left)}"]
        if set(right) - set(left)
        else []
    )
    return "uncommitted files differ: " + "; ".join(ours + theirs)


def _pythonpath(left: Any, right: Any, local: Side, remote: Side, name: str) -> str:
    parts = []
    for side, label, mine, theirs in ((local, "local", left, right), (remote, name, right, left)):
        for position, element in enumerate(mine or (), 1):
            if element not in (theirs or ()):
                parts.append(_element(side, label, position, element, theirs is None))
    if not parts:
        return f"PYTHONPATH has another order: {':'.join(left or ())} on local, {':'.join(right or ())} on {name}"
    return "; ".join(parts)


def _element(side: Side, label: str, position: int, element: str, alone: bool) -> str:
    values = side.places.get("PYTHONPATH", "").split(":")
    raw = values[position - 1] if position <= len(values) else element
    if element == "<current directory>":
        return f"{label} sys.path contains cwd ({side.places.get('cwd', '?')}) because of an empty PYTHONPATH entry (position {position})"
    only = (
        f"PYTHONPATH only on {label}" if alone else f"PYTHONPATH element {position} only on {label}"
    )
    if element == "<repository>" or raw == side.places.get("cwd"):
        return f"{only}, equals the project root there ({raw}): imports from the project root worked on {label} by environment, not by installation"
    holds = [
        p
        for f, p in side.places.items()
        if f.startswith("startup.") and p.startswith(raw.rstrip("/") + "/")
    ]
    code = f", and that directory contains {holds[0].rpartition('/')[2]}" if holds else ""
    return f"{only}: {raw}{code}"


def _startup(fact: str, left: Any, right: Any, local: Side, remote: Side, name: str) -> str:
    place, other = local.places.get(fact), remote.places.get(fact)
    if left is not None and right is not None:
        return f"startup code changed outside the repository: {place} on local, {other} on {name}"
    side, label, where = (local, "local", place) if left is not None else (remote, name, other)
    imports = [
        p for f, p in side.places.items() if f.startswith(f"import.{fact.partition('.')[2]}.")
    ]
    more = f", which imports {', '.join(imports)}" if imports else ""
    build = (
        " [pip build isolation (expected, temporary)]"
        if where and "pip-build-env-" in where
        else ""
    )
    return f"startup code on {label} only: {where or fact.partition('.')[2]}{build}{more}"
