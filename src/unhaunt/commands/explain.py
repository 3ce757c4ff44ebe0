"""`unhaunt explain CODE`: the docstring of a rule, offline."""

from __future__ import annotations

import argparse
import inspect

from unhaunt import catalog
from unhaunt.errors import UserError
from unhaunt.output import emit


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `explain`."""
    parser.epilog = "Example: unhaunt explain UH102"
    parser.add_argument("code", metavar="CODE", help="a code or a rule's name")


def run(args: argparse.Namespace) -> int:
    """Print what a rule finds, why it matters, what to do instead, and what it does not find."""
    found = [(hook, rule) for hook, rule in catalog.rules() if args.code in (rule.code, rule.name)]
    if not found:
        codes = ", ".join(rule.code for _, rule in catalog.rules())
        raise UserError(f"unknown code: {args.code}", hint=f"one of {codes}")
    hook, rule = found[0]
    head = f"{rule.code} {rule.name} ({rule.severity.value}; hook {hook})"
    emit(f"{head}\n\n{inspect.cleandoc(rule.docs)}\n")
    return 0
