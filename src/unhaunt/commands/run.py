"""`unhaunt run`: is the environment to blame, and which part of it."""

from __future__ import annotations

import argparse
import os
import sys
import time

from unhaunt.commands.options import common, folder, some_command, with_command
from unhaunt.errors import UserError
from unhaunt.output import emit, remark
from unhaunt.text import shortened

EXAMPLE = """examples:
  unhaunt run -- pytest tests              as it is and isolated: may a green run be trusted?
  unhaunt run --bisect -- pytest tests     which line of which file, which variable flips it
  unhaunt run --isolated -- pytest tests   the isolated run alone, with the command's exit code

Exit 0 when the command passes on every rung that was tried and may be trusted, 1 when not, 2 when
it could not be run. The command is run several times, without stdin.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `unhaunt run`."""
    common(parser, "text", "json", "markdown")
    add = parser.add_argument
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--bisect", action="store_true", help="name what flips the outcome")
    how.add_argument("--all-rungs", action="store_true", help="climb all six rungs")
    how.add_argument("--isolated", action="store_true", help="run it isolated, and nothing else")
    add("--strict", action="store_true", help="with --isolated: plain python -I")
    with_command(parser)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = EXAMPLE


def run(args: argparse.Namespace) -> int:
    """Run the command as often as it takes, and report; --isolated becomes the command."""
    command = some_command(args, "run")
    if args.strict and not args.isolated:
        raise UserError("--strict goes with --isolated", hint="or climb all with --all-rungs")
    if args.isolated and args.timeout is not None:
        hint = "it becomes the command itself; use: timeout SECONDS unhaunt run --isolated"
        raise UserError("--timeout does not go with --isolated", hint=hint)
    cwd, env = folder(args), dict(os.environ)
    if args.isolated:
        from unhaunt.running.wrapper import become

        become(command, env, cwd, strict=args.strict)
    from unhaunt.report.run import FORMATS
    from unhaunt.running.judgement import judge
    from unhaunt.running.run import pytest_python, run_all
    from unhaunt.running.rungs import DEFAULT, Rung
    from unhaunt.running.session import Order
    from unhaunt.running.signals import ended_by_signals

    rungs = tuple(Rung) if args.all_rungs else DEFAULT
    progress = _Progress(args.quiet)
    order = Order(tuple(command), env, cwd, rungs, args.bisect, args.timeout, progress)
    try:
        with ended_by_signals():
            result = run_all(order)
    finally:
        progress.clear()
    verdict = judge(result)
    first = pytest_python(result.started, env)
    emit(FORMATS[args.format or "text"](result, verdict, args.verbose, first), args.output)
    if result.interrupted:
        remark("error: interrupted, so this is not the whole answer")
    return 2 if result.interrupted else verdict.exit_code


class _Progress:
    """One line on a terminal that is written over: which run, and for how long."""

    def __init__(self, quiet: bool) -> None:
        self.on = sys.stderr.isatty() and not quiet
        self.begun = time.monotonic()

    def __call__(self, label: str, seconds: float) -> None:
        if self.on:
            whole = time.monotonic() - self.begun
            text = shortened(f"{label}: {seconds:.0f} s (all: {whole:.0f} s)", 78)
            sys.stderr.write(f"\r\x1b[K{text}")
            sys.stderr.flush()

    def clear(self) -> None:
        """Take the line away."""
        if self.on:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
