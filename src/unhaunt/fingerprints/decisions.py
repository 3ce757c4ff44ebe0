"""What the differences between two boxes mean for a green run on one of them. Pure: no IO."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from unhaunt.fingerprints.differences import UNKNOWN, Decision, Difference
from unhaunt.fingerprints.sentences import sentence
from unhaunt.fingerprints.sides import Side
from unhaunt.ourselves import HERE, THERE

#: what follows # in a command is for the reader, not for the shell
ISOLATE = "env -u PYTHONPATH PYTHONNOUSERSITE=1 {} run -- COMMAND"
NEXT = {
    "version-mismatch": "recreate the remote environment from the same lock file,"
    " or stop comparing",
    "venv-mismatch": "create the virtual environment there, then run again",
    "cwd-mismatch": f"{HERE} fingerprint -- COMMAND"
    "  # os.getcwd() of the test process, not of the prompt",
    "settings-differ": "set it alike on both sides, then run again",
    "packages-differ": "install both sides from the same lock file, then run again",
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
    "modules": "the modules that no installed package lists",
    "interpreter.version": "the version",
    "interpreter.in_venv": "whether there is a virtual environment",
    "PYTHONPATH": "PYTHONPATH",
    "cwd": "the working directory",
    "startup.hashes": "the content of startup files",
    "startup.imports": "what startup code imports",
    "distribution.state": "whether files of distributions were changed (not hashed)",
    "changes": "uncommitted changes",
    "flag": "the flags of a real start (nothing was started as the user does)",
}
#: facts that a fingerprint may name as unknown, and which the parts above tell already
TOLD = {"repository.dirty", "as-run", "startup", "distributions"}
SAME = "version, environment, working directory, PYTHONPATH and startup files are the same"


def decide(sides: Sequence[Side], differences: Sequence[Difference]) -> Iterator[Decision]:
    """Yield what to think of every side but the first, the most serious first."""
    local = sides[0]
    for index, remote in enumerate(sides[1:], 1):
        name = f"remote ({remote.name})" if len(sides) > 2 else "remote"
        own = [d for d in differences if not d.explained and not _same(d, index)]
        raised = _raised(local, remote, own, index, name)
        missing = list(dict.fromkeys([*_missing(local), *_missing(remote)]))
        if missing:
            raised["unknown"] = ["unknown on one side at least: " + ", ".join(missing)]
        for signal in (s for s in SIGNALS if s in (raised or {"match": [SAME]})):
            because = "; ".join(dict.fromkeys(raised.get(signal, [SAME])))
            next_step = _next(signal, own, local, remote)
            yield Decision(signal, signal == "match", remote.name, because, next_step)


def _missing(one: Side) -> Iterator[str]:
    """Yield what could not be read on a side: unknown is never counted as equal."""
    for part, words in READ.items():
        whole = part.partition(".")[0]
        if part not in one.known and not (
            whole != part and whole in READ and whole not in one.known
        ):
            yield words
    yield from (f"{fact} ({reason})" for fact, reason in one.unread if fact not in TOLD)


def _same(one: Difference, index: int) -> bool:
    left, right = one.values[0], one.values[index]
    return left is UNKNOWN or right is UNKNOWN or left == right


def _raised(
    local: Side, remote: Side, differences: Sequence[Difference], index: int, name: str
) -> dict[str, list[str]]:
    """Return the signals of what is not only a consequence, each with its reasons."""
    found: dict[str, list[str]] = {}
    facts = {one.fact for one in differences}
    for one in (d for d in differences if d.follows not in facts):
        left, right = one.values[0], one.values[index]
        text = sentence(one.fact, left, right, local, remote, name)
        for signal in _signals(one.signal, left, right):
            found.setdefault(signal, []).append(text)
    return found


def _signals(signal: str, left: object, right: object) -> Iterator[str]:
    """Yield the side, or both, that has something of its own."""
    if signal != "haunted":
        yield signal
        return
    if _has_more(left, right):
        yield "local-haunted"
    if _has_more(right, left):
        yield "remote-haunted"


def _has_more(mine: object, theirs: object) -> bool:
    if not isinstance(mine, list) or not isinstance(theirs, list):
        return mine is not None
    elements = all(isinstance(x, str) for x in [*mine, *theirs])
    return not elements or set(mine) == set(theirs) or not set(mine) <= set(theirs)


def _next(signal: str, differences: Sequence[Difference], local: Side, remote: Side) -> str:
    if signal == "unknown":
        here = any(_missing(local))
        which = f"for {local.name}" if here else f"on the side of {remote.name}"
        command = HERE if here else THERE
        return f"{command} fingerprint --output FILE  # {which}: without --quick or --derived"
    if signal not in ("local-haunted", "remote-haunted"):
        return NEXT[signal]
    command = ISOLATE.format(HERE if signal == "local-haunted" else THERE)
    startup = [d.fact for d in differences if d.fact.startswith("startup.")]
    for fact in startup:
        if fact in local.places and fact in remote.places:
            pair = f"{local.places[fact]} and {remote.places[fact]}"
            return f"{command}  # compare the two files: {pair}"
    users = [d.fact.partition(".")[2] for d in differences if d.fact.startswith("user_site.")]
    notes = [f"on {remote.name}"] if signal == "remote-haunted" else []
    if users:
        notes.append(f"if the tests need {', '.join(users)}: install it in the environment")
    return f"{command}  # {'; '.join(notes)}" if notes else command
