"""What the arguments of a command set: `env NAME=x`, `docker run -e NAME=x`, `prepend NAME x`.

Pure: no IO. Sources: env(1), sudo(8), docker-run(1), sbatch(1), Bazel's `--action_env`, conda
`env config vars set`, nixpkgs (`makeWrapper`), Spark (`--conf spark.executorEnv.NAME=x`); helpers
are known by the verbs in their names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from unhaunt.envfiles.assignment import (
    MENTION,
    NAMES,
    Assignment,
    Command,
    Effect,
    Item,
    Part,
    Reference,
    Value,
    merged,
    shown,
    variable,
)
from unhaunt.envfiles.grammars.shell_pieces import Word
from unhaunt.envfiles.reference import value

#: the line of an offset
Line = Callable[[int], int]

_ARGUMENT = re.compile(
    r"(?:spark\.[\w.-]*Env\.|-[evx]|--[\w-]+=|--[\w-]+ |--export=(?:\w+,)+|(?:\w+=[^,=]*,)+)?"
    rf"({NAMES})(\+?)="
)
_VERB = re.compile(r"add|append|prepend|push|munge|insert|ext|env|path|set|put|var|export|default")
_NO_VERB = re.compile(
    r"unset|remove|rm|del|clear|print|echo|show|check|has|get|test|assert|require|contains|find"
    r"|drop|strip|save|restore|clean|dedup|skip|dump|list|warn|log|need|_in_|^is|read"
)
_EXTENDS = re.compile(r"add|append|prepend|push|munge|insert")
#: what a command is told to do with a name: `module prepend-path NAME x`, `tmux setenv -g NAME x`
_TOLD = re.compile(r"add|append|prepend|push|munge|insert|setenv\Z|set-environment\Z")
#: option of `makeWrapper`, of bwrap or of jq -> how far behind it the value is
_WRAPS = {"--arg": 2, "--set": 2, "--setenv": 2, "--set-default": 2, "--prefix": 3, "--suffix": 3}
#: command -> who gets what it sets
_CONTAINERS = frozenset({"docker", "podman", "nerdctl", "docker-compose", "nvidia-docker", "finch"})
_SCOPES = {
    "conda": "every activation of the conda environment, where it stays",
    "mamba": "every activation of the conda environment, where it stays",
    "heroku": "every process of the app",
    "launchctl": "every program of the login session",
    "systemctl": "every unit that is started later",
    "tmux": "every pane that is opened later",
    "docker": "the container",
    "podman": "the container",
    "sbatch": "the batch job",
}


def arguments(name: str, words: list[Word], line: Line) -> Iterator[Item]:
    """Yield the `NAME=value` arguments of env, sudo, docker run -e, make, conda …"""
    scope = _SCOPES.get(name, "one command")
    container = name in _CONTAINERS
    remote = "ssh" in (name, *(w.text for w in words))
    before = ""
    for word in words:
        first = word.value[0] if word.value else ""
        match = _ARGUMENT.match(first) if isinstance(first, str) else None
        if re.fullmatch(r"-\w*c", before) or (remote and " " in shown(word.value)):
            pass  # a script, which `_scripts` reads
        elif match and isinstance(first, str):
            rest = merged((first[match.end() :], *word.value[1:]))
            if first.startswith("--export="):
                rest = _to_comma(rest)
            yield Assignment(match[1], line(word.start), rest, scope=scope, container=container)
        elif _passed(before, word.text or "", container=container):
            found = MENTION.search(word.text or "")
            assert found is not None
            yield Assignment(found[0], line(word.start), (), Effect.PASSES, scope)
        before = word.text or ""


def _to_comma(value: Value) -> Value:
    """Return what stands before the next name of a list of settings."""
    taken: list[Part] = []
    for part in value:
        before, comma, _ = part.partition(",") if isinstance(part, str) else (part, "", "")
        taken.append(before)
        if comma:
            break
    return merged(taken)


def _passed(before: str, text: str, *, container: bool) -> bool:
    if text.startswith("--preserve-env="):
        return any(map(variable, text.partition("=")[2].split(",")))
    option, _, named = text.partition("=")
    if option in ("--action_env", "--test_env", "--host_action_env"):
        return variable(named) is not None
    if not container:
        return False
    named = named if option == "--env" else text
    return variable(named) is not None and (before in ("-e", "--env") or option == "--env")


def wrapped(words: list[Word], line: Line) -> Iterator[Item]:
    """Yield what `makeWrapper --prefix NAME : value` or `jq --arg NAME value` is told."""
    for at, word in enumerate(words[:-1]):
        name = variable(words[at + 1].text or "")
        behind = _WRAPS.get(word.text or "")
        if name is None or behind is None or at + behind >= len(words):
            continue
        # the value is that of the build, not of the program's later environment
        parts = (Command(shown((p,))) if _is(p, name) else p for p in words[at + behind].value)
        extends = Effect.EXTENDS if behind > 2 else Effect.SETS
        scope = "what reads this JSON" if word.text == "--arg" else "the wrapped program"
        yield Assignment(name, line(words[at + 1].start), merged(parts), extends, scope)


def _is(part: Part, name: str) -> bool:
    return isinstance(part, Reference) and part.name == name


def helper(name: str, words: list[Word], line: Line) -> Iterator[Assignment]:
    """Yield what a function is told to set by the variable's name: `prepend NAME folder`."""
    at = next((i for i, w in enumerate(words) if variable(w.text or "")), None)
    low = name.lower()
    told = next((t for w in words[:at][::-1] if not (t := w.text or "").startswith("-")), "")
    if at and _TOLD.match(told):
        for item in helper(told, words[at:], line):
            yield item._replace(scope=_SCOPES.get(name, item.scope))
        return
    if at is None or len(words) < 2 or _NO_VERB.search(low) or not _VERB.search(low):
        return
    if at and (words[at - 1].text or "").startswith("-"):
        return
    parts: list[Part] = []
    for word in words[:at] + words[at + 1 :]:
        if not (word.text or "").startswith("-") and word.text not in ("=", ":"):
            # what is quoted here is often expanded by the helper
            late = [p for q in word.value for p in (value(q) if isinstance(q, str) else (q,))]
            parts += [":", *late] if parts else late
    effect = Effect.EXTENDS if _EXTENDS.search(low) else Effect.SETS
    remark = f"by {name}"
    found = words[at].text or ""
    if low in ("make", "env") or not parts:
        return
    yield Assignment(found, line(words[at].start), merged(parts), effect, remark=remark)
