"""What the arguments of a check select: rules, an operator's entries, and how to say so again."""

from __future__ import annotations

import os

from unhaunt import catalog
from unhaunt.configuration import Configuration, parse
from unhaunt.errors import UserError
from unhaunt.inventory import Inventory
from unhaunt.own_files import ARCHIVE
from unhaunt.rule import Rule


def rules(words: list[str]) -> list[tuple[str, Rule]]:
    """Return the rules that were named, each once; without a name, the static ones.

    Raises `UserError` for a name that is none.
    """
    if not words:
        return catalog.rules(catalog.STATIC)
    found: dict[str, tuple[str, Rule]] = {}
    for word in words:
        named = catalog.named(word)
        if not named:
            known = ", ".join(hook.id for hook in catalog.HOOKS)
            raise UserError(
                f"unknown hook or code: {word}", hint=f"one of {known}, or a code such as UH101"
            )
        found.update({rule.code: (hook, rule) for hook, rule in named})
    return [found[code] for code in sorted(found)]


def given_configuration(path: str | None) -> Configuration:
    """Return what --config names. Raises `UserError` when it cannot be read."""
    if path is None:
        return Configuration()
    try:
        with open(path, "rb") as file:
            return parse(file.read(), path)
    except OSError as error:
        raise UserError(
            f"cannot read {path}: {error.strerror}", hint="give an existing file with --config"
        ) from None


def env_files(rules: list[tuple[str, Rule]], tree: Inventory) -> int:
    """Return how many env files were read."""
    if not any(rule.code.startswith("UH3") for _, rule in rules):
        return 0
    from unhaunt.rules.pythonpath import scans

    return len(scans(tree))


def command() -> str:
    """Return how to start this tool again; a runner's environment is on nobody's PATH."""
    if not ARCHIVE and not os.environ.get("PRE_COMMIT"):
        return "unhaunt"
    from unhaunt.ourselves import HERE

    return HERE
