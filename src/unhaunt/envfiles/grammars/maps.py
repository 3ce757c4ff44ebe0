"""Maps: what JSON, TOML and YAML have in common once their leaves are known. Pure: no IO.

A leaf is a scalar with its path and its line. Four things set a variable: a key that is its
name, a `name:`/`value:` pair (Kubernetes), a `NAME=value` item of a list (Compose), and shell
text under a key that holds scripts (every CI system).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from unhaunt.envfiles.assignment import (
    MENTION,
    NAMES,
    Assignment,
    Dialect,
    Effect,
    Item,
    shifted,
    variable,
    words,
)
from unhaunt.envfiles.grammars import any_shell, dotenv
from unhaunt.envfiles.reference import value

Path = tuple[str | int, ...]


class Leaf(NamedTuple):
    """A scalar; `text` is None for null. A `spread` text has its line breaks in the file too."""

    path: Path
    text: str | None
    line: int
    spread: bool = False
    text_line: int = 0  # where a spread text begins
    folded: str | None = None  # the value, where `text` keeps the lines of the file

    @property
    def scalar(self) -> str:
        """Return the value as the program gets it."""
        return (self.text if self.folded is None else self.folded) or ""

    @property
    def keys(self) -> tuple[str, ...]:
        """Return the keys of the path, without the indexes."""
        return tuple(k for k in self.path if isinstance(k, str))


#: what a plugin of pytest sets comes after the interpreter has read the variable
CHILDREN_ONLY = "changes subprocesses only: pytest's own sys.path is built by then"
_ENVIRONMENT = re.compile(r"env|variables|^vars$|^globals$|^literals$", re.IGNORECASE)
_SCHEMA = frozenset(
    {"properties", "examples", "definitions", "$defs", "patternProperties", "default", "enum"}
)
_PASSES = re.compile(r"pass_?env|pass_through|passthrough", re.IGNORECASE)
_PROSE = words(
    """name description title help summary message comment comments note doc docs changes if
    pattern regex exclude files args_help label body default displayname"""
)
_SCRIPTS = words(
    """run script scripts before_script after_script before_install install after_install
    after_success before_deploy command commands cmd cmds shell bash sh zsh exec entry entrypoint
    init before start setup tasks prebuild inline inlinescript inline_script oncreatecommand
    updatecontentcommand postcreatecommand poststartcommand postattachcommand initializecommand
    shellhook init_hook buildcommand startcommand build_command start_command user_data runcmd
    bootcmd line content block args runargs hook hooks test_command test-command before-all
    before-build before-test test pre post override powershell pwsh steps build execute on-activate
    profile runargs extraargs dockerargs options release check jobs prepare processes
    release_command"""
)
_ITEM = re.compile(rf"(?:-e\s*|--env[= ])?({NAMES})=(.*)", re.DOTALL)
_WRONG_NAME = re.compile(rf"\s*(\w+\s+({NAMES}))\s*=")
_FILE_OF_SHELL = re.compile(r"\.(?:sh|bash)$|(?:^|[-_.])entrypoint$")
_SHEBANG = re.compile(r"#!.*sh\b")
_SIBLING = ("value", "Value", "default", "val")
#: several settings in one string: `A=1 NAME=x`
_SETTING = r"""\w+=(?:"[^"]*+"|'[^']*+'|[^\s"']++)*"""
_SETTINGS = re.compile(rf"\s*+{_SETTING}(?:\s++{_SETTING})+\s*+")
#: kinds of Kubernetes whose `data` is there to become an environment
_CONFIGURATION = frozenset({"ConfigMap", "Secret"})


def read(leaves: Sequence[Leaf], dialect: Dialect) -> Iterator[Item]:
    """Yield what the leaves of one document set."""
    pairs = _pairs(leaves)
    data = any(leaf.path == ("kind",) and leaf.text in _CONFIGURATION for leaf in leaves)
    for leaf in leaves:
        if leaf.path in pairs:
            yield from _pair(leaf, pairs[leaf.path])
        elif "pythonpath" in leaf.keys[-1:] and "pytest" in leaf.keys:
            yield from option(leaf.text or "", leaf.line)
        elif data and leaf.path[:-1] in (("data",), ("stringData",)):
            yield from (_contained(item) for item in _of_data(leaf, dialect))
        elif _settable(leaf, dialect):
            yield from _setting(leaf, dialect)
        elif leaf.text is not None and MENTION.search(leaf.text):
            yield from _text(leaf, dialect)


def _contained(item: Item) -> Item:
    return item._replace(container=True) if isinstance(item, Assignment) else item


def _of_data(leaf: Leaf, dialect: Dialect) -> Iterator[Item]:
    """Yield what an entry of a ConfigMap sets, which is a variable or a file."""
    key, text = str(leaf.path[-1]), leaf.text or ""
    if _FILE_OF_SHELL.search(key) or _SHEBANG.match(text):
        yield from _script(leaf)
    elif key.endswith(".env"):
        yield from shifted(dotenv.read(text), (leaf.text_line or leaf.line) - 1)
    else:
        yield from _setting(leaf, dialect)


def option(text: str, line: int) -> Iterator[Item]:
    """Yield the folders of pytest's own `pythonpath`, which is a variable of its own here."""
    for folder in text.split():
        yield Assignment("pythonpath", line, value(folder))


def _pairs(leaves: Sequence[Leaf]) -> dict[Path, Leaf | None]:
    """Return the leaves `name: PYTHONPATH`, each with its `value:`."""
    named = {
        leaf.path[:-1]: leaf.path
        for leaf in leaves
        if leaf.path and leaf.path[-1] in ("name", "Name", "key", "Key")
        if leaf.text and variable(leaf.text) and leaf.path[-2:-1] != (leaf.text,)
    }
    found: dict[Path, Leaf | None] = dict.fromkeys(named.values())
    for leaf in leaves:
        if leaf.path and leaf.path[:-1] in named and leaf.path[-1] in _SIBLING:
            found[named[leaf.path[:-1]]] = leaf
    return found


def _pair(leaf: Leaf, sibling: Leaf | None) -> Iterator[Item]:
    if sibling and sibling.text and leaf.text:
        yield Assignment(leaf.text, leaf.line, value(sibling.scalar), container=True)


def _name(leaf: Leaf, dialect: Dialect) -> str | None:
    """Return the variable that the leaf's key is; `{ value = … }` and lists are looked into."""
    *_, above, last = ("", "", *leaf.path)
    if isinstance(last, str) and (found := variable(last, fold=dialect.windows)):
        return found
    inner = last in ("value", "default", "values") or last == 0
    return variable(above, fold=dialect.windows) if inner and isinstance(above, str) else None


def _settable(leaf: Leaf, dialect: Dialect) -> bool:
    if _name(leaf, dialect) is None:
        return False
    return dialect.known or _is_environment(leaf.keys[:-1])


def _is_environment(keys: Sequence[str]) -> bool:
    return any(map(_ENVIRONMENT.search, keys)) and not _SCHEMA.intersection(keys)


def _setting(leaf: Leaf, dialect: Dialect) -> Iterator[Assignment]:
    name = _name(leaf, dialect)
    if name is None:
        return
    if leaf.text is None:
        if dialect.walled:
            yield Assignment(name, leaf.line, (), Effect.PASSES)
        return
    effect = Effect.DEFAULTS if leaf.path[-1] == "default" else Effect.SETS
    remark = CHILDREN_ONLY if "pytest_env" in leaf.path else ""
    yield Assignment(name, leaf.line, value(leaf.scalar), effect, remark=remark)


def _text(leaf: Leaf, dialect: Dialect) -> Iterator[Item]:
    keys = leaf.keys
    above = keys[-1] if keys else ""
    text = leaf.text or ""
    if _PASSES.search(above):
        yield from passed(text, leaf.line)
    elif _ENVIRONMENT.search(above) and not dialect.words and not _SCHEMA.intersection(keys):
        yield from _item(leaf, leaf.scalar, dialect)
    elif _is_script(keys, dialect):
        yield from _script(leaf)


def passed(text: str, line: int) -> Iterator[Item]:
    """Yield the variables that a list of names and globs lets in; not a bare `*`."""
    for name in re.split(r"[\s,]+", text.strip()):
        if variable(name):
            yield Assignment(name, line, (), Effect.PASSES)
        elif re.fullmatch(r"PY[A-Z]*\*", name) and "PYTHONPATH".startswith(name[:-1]):
            yield Assignment("PYTHONPATH", line, (), Effect.PASSES, remark=f"by {name}")


def _item(leaf: Leaf, text: str, dialect: Dialect) -> Iterator[Item]:
    if isinstance(leaf.path[-1], str) and _SETTINGS.fullmatch(text):
        yield from _script(leaf)
    elif match := _ITEM.fullmatch(text.strip()):
        container = leaf.path[-2:-1] == ("literals",)
        yield Assignment(match[1], leaf.line, value(match[2]), container=container)
    elif wrong := _WRONG_NAME.match(text):
        remark = f'sets a variable called "{wrong[1]}", not {wrong[2]}'
        yield Assignment(wrong[2], leaf.line, (), Effect.NOTHING, remark=remark)
    elif variable(text.strip()) and isinstance(leaf.path[-1], int):
        yield Assignment(text.strip(), leaf.line, (), Effect.PASSES)
    elif dialect.scripts:
        yield from _script(leaf)


def _is_script(keys: Sequence[str], dialect: Dialect) -> bool:
    low = [k.lower() for k in keys[-4:]]
    # `definitions` and `default` are no words of a schema where all is script (Bitbucket)
    if (low and low[-1] in _PROSE) or (_SCHEMA.intersection(low) and not dialect.scripts):
        return False
    return dialect.scripts or dialect.words or not _SCRIPTS.isdisjoint(low)


def _script(leaf: Leaf) -> Iterator[Item]:
    text = leaf.text or ""
    option = _ITEM.fullmatch(text.strip())
    if option and text.strip().startswith("-"):
        yield Assignment(option[1], leaf.line, value(option[2]), container=True)
        return
    items = any_shell.read(text)
    if leaf.spread:
        yield from shifted(items, (leaf.text_line or leaf.line) - 1)
    else:
        yield from (item._replace(line=leaf.line) for item in items)
