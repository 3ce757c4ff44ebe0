"""`unhaunt where`: the file that an import would give, and why."""

from __future__ import annotations

import argparse
import os

from unhaunt.commands.options import common, folder
from unhaunt.errors import UserError
from unhaunt.output import emit, remark
from unhaunt.resolving.origins import origins
from unhaunt.resolving.where import exit_code

EXAMPLE = """examples:
  unhaunt where cli_helpers              exit 1 when it is a ghost
  unhaunt where package.module --path tests      as a script in tests/ would see it
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `unhaunt where`."""
    common(parser, "text", "json", "markdown")
    parser.add_argument(
        "modules", nargs="*", metavar="MODULE", help="dotted names (else: the project's own)"
    )
    parser.add_argument(
        "--python", metavar="EXE", help="the interpreter to ask (else: the project's)"
    )
    parser.add_argument(
        "--path", metavar="DIR", help="sys.path[0]: the folder of a script (else: the current one)"
    )
    parser.add_argument(
        "--inside", action="store_true", help="exit 1 when any origin is outside the repository"
    )
    parser.epilog = EXAMPLE


def run(args: argparse.Namespace) -> int:
    """Answer for each module; 1 when an answer is to be rejected."""
    from unhaunt.commands.target import project_target
    from unhaunt.report.origins import FORMATS

    cwd, env = folder(args), dict(os.environ)
    found = project_target(args, env, cwd)
    first = os.path.normpath(os.path.join(cwd, args.path)) if args.path else cwd
    if not os.path.isdir(first) and not os.path.isfile(first):
        raise UserError(f"{args.path}: no such folder", hint="give a folder to --path")
    answers = origins(found.executable, args.modules, env, cwd, first)
    emit(FORMATS[args.format or "text"](answers.rows, answers.unfollowed), args.output)
    if not args.quiet:
        remark(f"asked {found.executable} ({found.because})")
    return exit_code(answers.rows, inside_only=args.inside)
