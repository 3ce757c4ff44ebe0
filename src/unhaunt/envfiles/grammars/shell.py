"""sh, bash, zsh, ksh: which commands of a script set a variable of Python's, and for whom.

Pure: no IO. Follows POSIX 2.9.1 (a simple command's assignments), env(1), bash(1) (`export`,
`declare`), direnv-stdlib(1) (`path_add`), docker-run(1) (`-e`). Nothing is expanded or run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from unhaunt.envfiles.assignment import (
    MENTION,
    NAMES,
    PLAIN,
    Assignment,
    Dialect,
    Effect,
    Item,
    Reference,
    Unparsable,
    Unread,
    Value,
    merged,
    shifted,
    shown,
    variable,
    words,
)
from unhaunt.envfiles.grammars import guards, lines
from unhaunt.envfiles.grammars.shell_arguments import arguments, helper, wrapped
from unhaunt.envfiles.grammars.shell_pieces import Word
from unhaunt.envfiles.grammars.shell_words import Simple, commands
from unhaunt.envfiles.grammars.shell_writes import SESSIONS, WRITERS, Place, outputs, written

_RESERVED = words("if then else elif fi do done while until ! { } time coproc")
_DECLARE = words("export declare typeset local readonly")
#: these only look at their arguments
_READERS = words(
    """echo printf print grep egrep fgrep rg ag sed awk gawk perl test [ [[ cat head tail case
    return exit unset printenv type which read log info warn warning error err die fail assert
    git diff find ls cd source . pip python python3 set shopt trap dpkg apt-get"""
)
_WRAPPERS = words("sudo doas command builtin exec nohup")
_SHELLS = words("sh bash zsh dash ksh ash su ssh eval_in sg flock")
#: Apptainer, "Environment and Metadata": such names are set inside the container
_INTO = re.compile(r"^(?:APPTAINER|SINGULARITY)ENV_")
_ASSIGNED = re.compile(r"([A-Za-z_]\w*)(\+?)=")
#: an argument that is a script: a setting behind `&&`, `;` or a line break
_CHAINED = re.compile(
    r"(?:&&|;|\n)[^\S\n]*+(?:(?:export|exec|env|sudo|nohup|command|time)[^\S\n]++)*"
    rf"(?:(?!(?:{NAMES})=)\w++=\S*+[^\S\n]++)*(?:{NAMES})=\S"
)
#: variables that hold text for people
_SAID = re.compile(r"usage|help|doc|msg|message|text|note|hint", re.IGNORECASE)
#: comments that are arguments of sbatch and qsub
_DIRECTIVE = re.compile(rf"^#(?:SBATCH|PBS|\$)[ \t]([^\n#]*(?:{NAMES})=[^\n#]*)", re.MULTILINE)
_ASSERTS = re.compile(
    r"(?:assert|refute)(?:_(?:output|line|regex|equal|stderr|match|contains)\w*)?$"
)


def read(text: str, dialect: Dialect = PLAIN) -> Iterator[Item]:
    """Yield what a script sets. Raises `Unparsable` for text that is no script."""
    yield from guards.applied(_read(text), text)


def _read(text: str) -> Iterator[Item]:
    starts = [m.end() for m in re.finditer("\n", text)]
    found = commands(text)
    outer = outputs(found)
    moved = False
    for directive in _DIRECTIVE.finditer(text):
        yield from _directed(directive[1], text.count("\n", 0, directive.start()))
    for number, command in enumerate(found):
        moved = moved or _moves(command)
        place = Place(text, starts, found[number + 1 : number + 4], outer.get(number))
        for item in _command(command, place):
            item = _remote(item) if "CLAUDE_CODE_REMOTE" in text else item
            if isinstance(item, Assignment):
                item = item._replace(elsewhere=moved, form=item.form or "shell")
            yield item


def _directed(arguments: str, lines_above: int) -> Iterator[Item]:
    try:
        yield from shifted(list(read(f"sbatch {arguments}")), lines_above)
    except Unparsable:
        yield Unread(lines_above + 1, "a directive that is no command line")


def _moves(command: Simple) -> bool:
    return any(word.lead in ("cd", "pushd", "popd") for word in command.words[:2])


def _remote(item: Item) -> Item:
    if isinstance(item, Assignment) and item.scope == SESSIONS:
        return item._replace(scope="remote agent sessions only")
    return item


def snippet(text: str) -> Iterator[Item]:
    """Yield what a script inside another file sets; by line when it cannot be lexed."""
    if not MENTION.search(text):
        return
    try:
        yield from list(read(text))
    except Unparsable as error:
        yield from lines.read(text)
        if place := re.search(rf"(?:{NAMES})\+?=", text):
            yield Unread(text.count("\n", 0, place.start()) + 1, f"shell text with {error}")


def _command(command: Simple, place: Place) -> Iterator[Item]:
    for word in command.words:
        yield from _defaults(word.value, place.line(word.start))
    words = list(command.words)
    while words and words[0].lead in _RESERVED and words[0].text == words[0].lead:
        words.pop(0)
    prefix = 0
    while prefix < len(words) and _ASSIGNED.match(words[prefix].lead):
        prefix += 1
    alone = prefix == len(words) or words[prefix].text in _DECLARE
    for word in words[:prefix]:
        yield from _assigned(word, place, "" if alone else "one command")
        yield from _kept(word, place)
    if prefix < len(words):
        yield from _run(words[prefix:], command, place)


def _assigned(word: Word, place: Place, scope: str) -> Iterator[Item]:
    first = word.value[0] if word.value else ""
    match = _ASSIGNED.match(first) if isinstance(first, str) else None
    name = variable(_INTO.sub("", match[1])) if match else None
    if match is None or name is None:
        return
    inside = name != match[1]
    rest = merged((str(first)[match.end() :], *word.value[1:]))
    if match[2] and rest:
        rest = merged((Reference(name), *rest))
    scope = "the container" if inside else scope
    yield Assignment(name, place.line(word.start), rest, scope=scope, container=inside)


def _kept(word: Word, place: Place) -> Iterator[Item]:
    """Yield what a command line that is kept in another variable sets."""
    name, _, _ = word.lead.partition("=")
    if _CHAINED.search(shown(word.value)) and not _SAID.search(name):
        yield from _text(place.script(word, len(name) + 1), place.line(word.start))


def _defaults(value: Value, line: int) -> Iterator[Item]:
    """Yield `${NAME:=word}`, which assigns wherever it stands."""
    for part in value:
        if not isinstance(part, Reference):
            continue
        name = variable(part.name)
        if name and part.operator in ("=", ":=") and part.word:
            yield Assignment(name, line, part.word, Effect.DEFAULTS)
        yield from _defaults(part.word, line)


def _run(words: list[Word], command: Simple, place: Place) -> Iterator[Item]:
    name = (words[0].text or "").rpartition("/")[2]
    rest = words[1:]
    if name in _DECLARE:
        yield from _declared(rest, place)
    elif name == "alias":
        for word in rest:
            yield from _text(shown(word.value).partition("=")[2], place.line(word.start))
    elif name == "eval":
        yield from _evaluated(rest, place)
    elif name in WRITERS or (name == "install" and rest):
        yield from written(rest, command, place)
    elif name in _WRAPPERS and (inner := _wrapped(rest)):
        yield from _run(inner, command, place)
    elif name == "PATH_add" and rest and variable(rest[0].text or ""):
        yield _misused(rest[0], place)
    elif name not in _READERS and not _ASSERTS.match(name):
        yield from arguments(name, rest, place.line)
        yield from _scripts(words, place)
        yield from helper(name, rest, place.line)
        yield from wrapped(rest, place.line)
    if name in _SHELLS:
        yield from _fed(command, place)


def _wrapped(words: list[Word]) -> list[Word]:
    """Return the command behind sudo and its like, when it is one that writes or prints."""
    for number, word in enumerate(words):
        if word.text in WRITERS:
            return words[number:]
        if not (word.text or "").startswith("-"):
            break
    return []


def _declared(words: list[Word], place: Place) -> Iterator[Item]:
    options = [w.text or "" for w in words if (w.text or "").startswith(("-", "+"))]
    if any("n" in o or "f" in o for o in options if o.startswith("-")):
        return  # `export -n` takes the variable away, `-f` is about functions
    for word in words:
        yield from _assigned(word, place, "")


def _evaluated(words: list[Word], place: Place) -> Iterator[Item]:
    text = " ".join(shown(w.value) for w in words)
    match = re.search(rf"\b({NAMES})\+?=\S", text)
    if match:
        remark = f"eval may set {match[1]}; its text is not followed"
        yield Assignment(match[1], place.line(words[0].start), (), Effect.NOTHING, remark=remark)


def _misused(word: Word, place: Place) -> Item:
    name = word.text or ""
    remark = f"PATH_add does not set {name}; path_add was probably meant"
    return Assignment(name, place.line(word.start), (), Effect.NOTHING, remark=remark)


def _scripts(words: list[Word], place: Place) -> Iterator[Item]:
    """Yield what `sh -c '…'` sets, also behind sudo, docker exec and the like."""
    texts = [w.text or "" for w in words]
    for word in words[1:]:
        if _CHAINED.search(shown(word.value)):
            yield from _text(place.script(word), place.line(word.start))
            return
    for number, text in enumerate(texts):
        if text.rpartition("/")[2] not in _SHELLS:
            continue
        for at in range(number + 1, len(words)):
            flag = texts[at - 1]
            script = shown(words[at].value)
            is_script = re.fullmatch(r"-\w*c", flag) or (text == "ssh" and " " in script)
            if is_script and MENTION.search(script):
                yield from _text(place.script(words[at]), place.line(words[at].start))
        return


def _text(script: str, line: int) -> Iterator[Item]:
    if MENTION.search(script):
        yield from shifted(snippet(script), line - 1)


def _fed(command: Simple, place: Place) -> Iterator[Item]:
    """Yield what a here-document that a shell reads sets: `ssh host <<EOF`."""
    for redirect in command.redirects:
        yield from _text(redirect.body, place.line(redirect.start))
