"""`unhaunt explain`: every rule in a line, or the docstring of one; offline."""

from __future__ import annotations

import argparse
import inspect

from unhaunt import catalog
from unhaunt.errors import UserError
from unhaunt.output import emit
from unhaunt.rule import Rule

EXAMPLE = """examples:
  unhaunt explain                        every code, and what it finds
  unhaunt explain UH102                  what it finds and does not, why, and what to do instead
  unhaunt explain missing-from-commit    a rule's name does too
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `explain`."""
    parser.epilog = EXAMPLE
    parser.add_argument(
        "code", nargs="?", metavar="CODE", help="a code or a rule's name (else: list them all)"
    )


def run(args: argparse.Namespace) -> int:
    """Print what a rule finds, why it matters, what to do instead, and what it does not find."""
    if args.code is None:
        emit(
            "".join(f"{_head(hook, rule)}\n    {rule.summary}\n" for hook, rule in catalog.rules())
        )
        return 0
    found = [(hook, rule) for hook, rule in catalog.rules() if args.code in (rule.code, rule.name)]
    if not found:
        codes = ", ".join(rule.code for _, rule in catalog.rules())
        raise UserError(f"unknown code: {args.code}", hint=f"one of {codes}")
    hook, rule = found[0]
    emit(f"{_head(hook, rule)}\n\n{inspect.cleandoc(rule.docs)}\n")
    return 0


def _head(hook: str, rule: Rule) -> str:
    return f"{rule.code} {rule.name} ({rule.severity.value}; hook {hook})"
