"""What a script writes into other files with echo, printf, cat and tee: where to, and who reads it.

Pure: no IO. Sources: tee(1); GitHub Actions, "Setting an environment variable"; CircleCI, BASH_ENV;
Claude Code, CLAUDE_ENV_FILE.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from unhaunt.envfiles.assignment import Item, Unread, shown
from unhaunt.envfiles.grammars.shell_pieces import Word
from unhaunt.envfiles.grammars.shell_words import Simple

SESSIONS = "the agent's sessions only"
_TARGETS = (
    (re.compile(r"GITHUB_ENV|BASH_ENV"), "every later CI step"),
    (re.compile(r"CLAUDE_ENV_FILE"), SESSIONS),
    (re.compile(r"profile|rc$|zshenv|zlogin|/etc/environment"), "every later login or shell"),
)
_SINK = re.compile(
    r"^(?:/dev/(?!fd)\S*|&?\d|&-)$|\.(?:log|txt|md|rst|out|html|py)$"
    r"|GITHUB_(?:OUTPUT|STEP_SUMMARY|STATE)"
)
_OUTPUT = frozenset({">", ">>", ">|", "&>", "&>>", ">&"})


def is_sink(target: str) -> bool:
    """Tell whether nothing that is written there sets an environment."""
    return _SINK.search(target) is not None


def echoed(words: Sequence[Word]) -> str:
    """Return what echo or printf is told to write, its `\\n` as they are."""
    return " ".join(shown(w.value) for w in words if not re.fullmatch(r"-\w+", w.text or ""))


def is_kept(command: Simple) -> bool:
    """Tell whether the output goes where that of the compound command around goes."""
    own = any(redirect.operator in _OUTPUT for redirect in command.redirects)
    return not own and command.end not in ("|", "|&")


def into(item: Item, target: str) -> Item:
    if isinstance(item, Unread):
        return item
    scope = next((s for pattern, s in _TARGETS if pattern.search(target)), f"what reads {target}")
    return item._replace(remark=f"writes {item.variable} into {target}", scope=scope)


def target_of(command: Simple, following: Sequence[Simple]) -> str | None:
    """Return the file that the output goes to, through a pipe to tee too."""
    for redirect in command.redirects:
        name = shown(redirect.target.value)
        if redirect.operator in (">", ">>", ">|", "&>", "&>>") and not is_sink(name):
            return name
    chain = (command, *following) if command.end in ("|", "|&") else (command,)
    for piece in chain:
        texts = [shown(w.value) for w in piece.words]
        if "tee" in texts:
            names = [t for t in texts[texts.index("tee") + 1 :] if not t.startswith("-")]
            return next((n for n in names if not is_sink(n)), None)
    return None
