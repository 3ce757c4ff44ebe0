"""What a script writes into other files with echo, printf, cat and tee: where to, and who reads it.

Pure: no IO. Sources: tee(1); GitHub Actions, "Setting an environment variable"; CircleCI, BASH_ENV;
Claude Code, CLAUDE_ENV_FILE.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from unhaunt.envfiles.assignment import (
    NAMES,
    Assignment,
    Command,
    Item,
    Unread,
    Value,
    shifted,
    shown,
)
from unhaunt.envfiles.assignment import words as names
from unhaunt.envfiles.grammars import lines, xml_tags
from unhaunt.envfiles.grammars.shell_pieces import Word
from unhaunt.envfiles.grammars.shell_words import Simple
from unhaunt.envfiles.reference import value

WRITERS = names("echo printf print cat tee")
SESSIONS = "the agent's sessions only"
_TARGETS = (
    (re.compile(r"GITHUB_ENV|BASH_ENV"), "every later CI step"),
    (re.compile(r"CLAUDE_ENV_FILE"), SESSIONS),
    (re.compile(r"profile|rc$|zshenv|zlogin|/etc/environment"), "every later login or shell"),
)
_SINK = re.compile(
    r"^(?:/dev/(?!fd)\S*|&?\d|&-)$|\.(?:log|txt|md|rst|out|html|py)$"
    r"|GITHUB_(?:OUTPUT|STEP_SUMMARY|STATE)|^[\"']?[%$!]\{?\w*(?:LOG|log)"
)
#: GitHub Actions, "Multiline strings"
BEGUN = re.compile(rf"({NAMES})<<-?\s*\w+")
_XML = re.compile(rf"<key>\s*(?:{NAMES})\s*</key>|<\w+\s+(?:name|key)=\"(?:{NAMES})\"")
_OUTPUT = frozenset({">", ">>", ">|", "&>", "&>>", ">&"})


class Place:
    """Where a command stands: the lines of the text, and the commands that follow."""

    def __init__(
        self, text: str, starts: Sequence[int], following: Sequence[Simple], outer: str | None
    ) -> None:
        self.text = text
        self.starts = starts
        self.following = following
        self.outer = outer  # where the output of the compound command around goes

    def script(self, word: Word, skipped: int = 0) -> str:
        """Return the text of a word, with continued lines as they are, for their numbers."""
        raw = self.text[word.start : word.end]
        quoted = re.fullmatch(r'(?:\w+=)?"((?:[^"\\]|\\.)*)"', raw, re.DOTALL)
        if quoted and "\\\n" in raw:
            return re.sub(r'\\(["$`\\])', r"\1", quoted[1])
        return shown(word.value)[skipped:]

    def line(self, offset: int) -> int:
        return bisect_right(self.starts, offset) + 1


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


def written(words: list[Word], command: Simple, place: Place) -> Iterator[Item]:
    """Yield what echo, printf or cat writes into a file that sets an environment."""
    target = target_of(command, place.following)
    if any(word.text == "/dev/stdin" for word in words):
        # `install /dev/stdin FILE <<EOF`
        words, target = [], shown(words[-1].value)
    if target is None and is_kept(command):
        target = place.outer
    if target is None:
        return
    bodies = [(r.body, place.line(r.start)) for r in command.redirects if r.body]
    texts = [(echoed(words), place.line(words[0].start))] if words else []
    for text, line in bodies or texts:
        for item in shifted(_document(text, place), line - 1):
            yield into(item, target)


def _document(text: str, place: Place) -> Iterator[Item]:
    """Yield what the text of another file sets, as far as its look says what it is."""
    # an escaped dollar is the other file's own
    text = text.replace("\\$", "$")
    yield from xml_tags.read(text) if _XML.search(text) else _lines_of(text, place)


def _lines_of(text: str, place: Place) -> Iterator[Item]:
    pieces = [(n, p) for n, line in enumerate(text.split("\n")) for p in line.split("\\n")]
    for at, (number, piece) in enumerate(pieces):
        if begun := BEGUN.fullmatch(piece.strip()):
            here = any(rest.strip() for _, rest in pieces[at + 1 : at + 2])
            content = value(pieces[at + 1][1].strip()) if here else _told(place.following)
            yield Assignment(begun[1], number + 1, content)
        yield from shifted(lines.read(piece), number)


def _told(following: Sequence[Simple]) -> Value:
    """Return what the next command writes: the value behind `NAME<<EOF`."""
    words = following[0].words if following else ()
    if words and words[0].text in WRITERS:
        return value(echoed(words[1:]))
    return (Command("…"),)


def outputs(found: Sequence[Simple]) -> dict[int, str]:
    """Return where the output of commands inside `{ … } > file` and its like goes."""
    outer = _of_functions(found)
    begins: dict[int, int] = {}  # of the groups that are dealt with, by their last command
    for number, command in enumerate(found):
        target = None
        if command.since >= 0:
            target = target_of(command, found[number + 1 : number + 4])
        if target is None:
            continue
        at = number - 1
        while at >= command.since:
            outer.setdefault(at, target)
            at = begins.get(at, at) - 1
        begins[number] = command.since
    return outer


def _of_functions(found: Sequence[Simple]) -> dict[int, str]:
    """Return where the output of commands in functions goes that are called as `f > file`."""
    called = {
        word.text: target
        for number, command in enumerate(found)
        if command.redirects or command.end in ("|", "|&")
        for word in command.words[:1]
        if (target := target_of(command, found[number + 1 : number + 4])) is not None
    }
    closes = {command.since: number for number, command in enumerate(found)}
    outer: dict[int, str] = {}
    for number, command in enumerate(found):
        names = [word.text for word in command.words if word.text not in ("function", "{")]
        begins = number if command.end != "(" else number + 1
        heads = command.end == "(" or any(w.text == "function" for w in command.words[:1])
        if not heads or len(names) != 1 or names[0] not in called or begins in outer:
            continue
        end = closes.get(begins, begins)
        outer.update(dict.fromkeys(range(begins, end), called[names[0]]))
    return outer
