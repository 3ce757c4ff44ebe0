"""Every rule and every hook, in order: the one place where a new one is named.

The rules' modules are imported when their rules are asked for: a hook needs no more than its own.
"""

from __future__ import annotations

import importlib
from typing import NamedTuple

from unhaunt.rule import Rule

#: family of codes -> the modules of `unhaunt.rules` that hold its RULES
_MODULES = {
    "UH1": ("startup_files",),
    "UH2": ("untracked_modules", "hidden_from_review"),
    "UH3": ("pythonpath",),
    "UH4": (
        "active_startup", "interpreter_path", "interpreter_settings", "interpreter_files",
    ),
    "UH5": ("import_origins",),
}  # fmt: skip
#: those that look at the repository alone: what `check` runs when nothing is named
STATIC = ("UH1", "UH2", "UH3")
#: those that a commit alone can decide; of UH205 the part about attributes
OF_A_COMMIT = ("UH1", "UH205", "UH3")


class Hook(NamedTuple):
    """One row of the manifest."""

    id: str
    name: str  # what the runner prints
    families: tuple[str, ...]
    always_run: bool = True  # else: `types: [text]`
    verbose: bool = False  # the runners drop what a passing hook prints
    stages: tuple[str, ...] = ("pre-commit", "pre-merge-commit", "pre-push", "manual")


HOOKS = (
    Hook("forbid-startup-files", "reject files that Python would run at startup", ("UH1",)),
    Hook("forbid-untracked-modules", "block modules that are in no commit", ("UH2",)),
    Hook("unhaunt", "reject startup files, block modules that are in no commit", ("UH1", "UH2")),
    Hook(
        "warn-pythonpath", "warn on PYTHONPATH in committed env files", ("UH3",),
        always_run=False, verbose=True,
    ),
    Hook(
        "check-interpreter", "audit what the project's Python runs before line 1", ("UH4",),
        stages=("manual", "pre-push"),
    ),
    Hook(
        "check-import-origins", "every module of the project comes from this checkout", ("UH5",),
        stages=("manual", "pre-push"),
    ),
)  # fmt: skip


def rules(families: tuple[str, ...] = tuple(_MODULES)) -> list[tuple[str, Rule]]:
    """Return the rules of some families, each with the id of its hook."""
    found = []
    for family in families:
        hook = next(hook.id for hook in HOOKS if hook.families == (family,))
        for name in _MODULES[family]:
            module = importlib.import_module(f"unhaunt.rules.{name}")
            found += [(hook, rule) for rule in module.RULES]
    return found


def families(words: list[str]) -> set[str]:
    """Return the families of codes that ids, codes or names may stand for; of none, `STATIC`."""
    found = {family for hook in HOOKS if hook.id in words for family in hook.families}
    others = [word for word in words if all(word != hook.id for hook in HOOKS)]
    found |= {family for family in _MODULES for word in others if _may_be_in(word, family)}
    return found or set(STATIC)


def _may_be_in(word: str, family: str) -> bool:
    return word.startswith(family) or not word.startswith(tuple(_MODULES))


def named(word: str) -> list[tuple[str, Rule]]:
    """Return the rules that a hook id, a code or a rule's name stands for; none when unknown."""
    for hook in HOOKS:
        if word == hook.id:
            return rules(hook.families)
    found = rules(tuple(f for f in _MODULES if _may_be_in(word, f)))
    return [(hook, rule) for hook, rule in found if word in (rule.code, rule.name)]


def manifest() -> str:
    """Return the text of `.pre-commit-hooks.yaml`.

    `-I` keeps PYTHONPATH and the current folder, and with them a `sitecustomize.py` of the
    repository under check, out of the interpreter that checks it.
    """
    return "".join(map(_row, HOOKS))


def _row(hook: Hook) -> str:
    lines = [
        f"-   id: {hook.id}",
        f"    name: {hook.name}",
        f"    entry: python -I -m unhaunt check {hook.id}",
        "    language: python",
        "    always_run: true" if hook.always_run else "    types: [text]",
        "    pass_filenames: false",
        "    require_serial: true",
        *(["    verbose: true"] if hook.verbose else []),
        f"    stages: [{', '.join(hook.stages)}]",
        "    minimum_pre_commit_version: 3.2.0",
    ]
    return "\n".join(lines) + "\n"


def table() -> str:
    """Return the README's table of rules, in Markdown."""
    lines = ["| code | name | hook | finds | severity |", "|---|---|---|---|---|"]
    for hook, rule in rules():
        lines.append(
            f"| {rule.code} | `{rule.name}` | `{hook}` | {rule.summary} | {rule.severity.value} |"
        )
    return "\n".join(lines) + "\n"
