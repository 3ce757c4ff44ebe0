"""`unhaunt verify`: four checks before a patch is trusted."""

from __future__ import annotations

import argparse
import os

from unhaunt.commands.options import common, folder, some_command, with_command
from unhaunt.output import emit

EXAMPLE = """examples:
  unhaunt verify --base main -- pytest tests
  unhaunt verify --format json --output laptop.json -- pytest tests
  unhaunt verify --baseline laptop.json -- pytest tests        on the other machine

Checks that the interpreter is the one asked for, that nothing else runs before line 1 than on the
baseline, that the command passes isolated, and that the changed files import this checkout.
Exit 0 when no check failed, 1 when one did, 2 when they could not be done.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `unhaunt verify`."""
    common(parser, "text", "json", "markdown")
    add = parser.add_argument
    add("--baseline", metavar="FILE", help="the other machine's verify or fingerprint JSON")
    add("--base", metavar="REV", help="what the change is measured against (its merge base)")
    with_command(parser)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = EXAMPLE


def run(args: argparse.Namespace) -> int:
    """Run the checks and report."""
    from unhaunt.fingerprints.explain import explanations
    from unhaunt.report.verify import FORMATS
    from unhaunt.running.baseline import baseline
    from unhaunt.running.session import Order
    from unhaunt.running.signals import ended_by_signals
    from unhaunt.running.verify import verify
    from unhaunt.settings import settings

    command = some_command(args, "verify")
    cwd = folder(args)
    said = settings(cwd, args.config, none=args.no_config)
    there = baseline(args.baseline) if args.baseline else None
    with ended_by_signals():
        found = verify(
            Order(tuple(command), dict(os.environ), cwd, seconds=args.timeout),
            baseline=there,
            base=args.base,
            python=said.python,
            explanations=explanations(said.explain, said.source),
        )
    emit(FORMATS[args.format or "text"](found, args.verbose), args.output)
    return 0 if found.trust else 1
