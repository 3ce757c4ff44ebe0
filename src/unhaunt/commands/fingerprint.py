"""`unhaunt fingerprint`: what decides how a Python imports."""

from __future__ import annotations

import argparse

from unhaunt.commands.options import command, common, folder, seconds
from unhaunt.errors import UserError
from unhaunt.interpreters.interpreter import PROBE
from unhaunt.interpreters.own_environment import own_environment
from unhaunt.interpreters.taking import Order, Taken, of_command, of_interpreter
from unhaunt.output import emit, remark

EXAMPLE = """examples:
  unhaunt fingerprint --output laptop.json
  unhaunt fingerprint -- pytest tests             from inside the Python that runs the tests
  unhaunt fingerprint --print-probe > probe.py    one file, for a box without unhaunt

A command that names its Python is reported exactly: the report is made first, in a start of its
own with the same options, then the command runs as it was given. Of other commands (make, tox,
uv run) the Pythons below report, unless they ignore PYTHONPATH, which carries us to them.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `unhaunt fingerprint`."""
    common(parser, "text", "json", "markdown")
    add = parser.add_argument
    add("--python", metavar="EXE", help="the interpreter to look at (else: the project's)")
    add("--derived", action="store_true", help="only derive: start nothing as the user does")
    add("--quick", action="store_true", help="hash no installed files, look for no changes")
    add("--redact", action="store_true", help="hide user names and home folders")
    add("--timeout", type=seconds, metavar="SECONDS", help="end a Python that does not answer")
    add("--print-probe", action="store_true", help="write the probe, a file that works alone")
    add("command", nargs=argparse.REMAINDER, metavar="-- COMMAND", help="report from inside it")
    parser.epilog = EXAMPLE


def run(args: argparse.Namespace) -> int:
    """Take the fingerprint and write it; 2 when a side of it could not be read."""
    if args.print_probe:
        with open(PROBE, encoding="ascii") as file:
            emit(file.read(), args.output)
        return 0
    taken = take(args)
    from unhaunt.report.fingerprint import FORMATS

    facts = taken.facts
    if args.redact:
        from unhaunt.fingerprints.redaction import redacted

        facts = redacted(facts)
    as_json = args.format is None and (args.output or "").endswith(".json")
    emit(FORMATS["json" if as_json else args.format or "text"](facts, args.verbose), args.output)
    for row in facts["unknown"] if not taken.whole else ():
        remark(f"unknown: {row['fact']}: {row['reason']}")
    return 0 if taken.whole else 2


def take(args: argparse.Namespace) -> Taken:
    """Take what was asked for."""
    words = command(args)
    order = Order(own_environment(), folder(args), args.quick, args.derived, args.timeout)
    if words and (args.python or args.derived):
        option = "--python" if args.python else "--derived"
        raise UserError(f"{option} does not go with a command", hint="leave one of them out")
    if words:
        return of_command(words, order)
    from unhaunt.commands.target import project_target

    return of_interpreter(project_target(args, order.env, order.cwd), order)
