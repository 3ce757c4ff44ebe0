"""`unhaunt check`: rules over one inventory or interpreter; the one entry point of every hook.

git starts first, and works while what the rules need is being imported.
"""

from __future__ import annotations

import os
from types import SimpleNamespace
from typing import TYPE_CHECKING

from unhaunt import catalog
from unhaunt.errors import UserError
from unhaunt.output import append, emit, remark
from unhaunt.repository.opening import Opening
from unhaunt.text import printable

if TYPE_CHECKING:
    import argparse

    from unhaunt.report import Report

    Arguments = argparse.Namespace | SimpleNamespace

EXAMPLE = """examples:
  unhaunt check                            what the repository alone can tell
  unhaunt check forbid-startup-files -v    the rules of one hook, with information
  unhaunt check UH102 --format json        one rule, for a program
  unhaunt check --rev HEAD                 a commit, which need not be checked out

Exit 0 when there is nothing to reject, 1 when there is, 2 when it could not look.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `check`."""
    from unhaunt.report.formats import FORMATS

    parser.epilog = EXAMPLE
    parser.add_argument(
        "what",
        nargs="*",
        metavar="HOOK-OR-CODE",
        help="hook ids, codes or names (else: what the repository alone can tell)",
    )
    parser.add_argument("-C", dest="directory", metavar="DIR", help="look at the repository in DIR")
    parser.add_argument("--format", choices=tuple(FORMATS), default="text")
    parser.add_argument("--output", metavar="FILE", help="write the report to FILE")
    parser.add_argument(
        "--config", metavar="FILE", help="accept what FILE, outside the repository, accepts"
    )
    parser.add_argument(
        "--no-config", action="store_true", help="ignore [tool.unhaunt] of the repository"
    )
    parser.add_argument(
        "--rev", metavar="REV", help="look at a commit, which need not be checked out"
    )
    parser.add_argument(
        "--base",
        metavar="REV",
        help="mark allow entries that REV does not have as NEW;"
        " with --rev: judge the change since, with the entries of, this one",
    )
    parser.add_argument("--strict", action="store_true", help="warnings and NEW entries are errors")
    parser.add_argument("--deep", action="store_true", help="look at all of large ignored folders")
    parser.add_argument(
        "--python",
        metavar="EXE",
        help="the interpreter that check-interpreter and"
        " check-import-origins look at (else: the project's)",
    )
    parser.add_argument(
        "--verify-installed", action="store_true", help="hash every installed file (UH413)"
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="findings only")
    parser.add_argument(
        "-v", "--verbose", action="store_true", help="information and what was skipped"
    )


def plain(words: list[str]) -> SimpleNamespace:
    """Return what the parser makes of words without an option: argparse takes as long as git."""
    return SimpleNamespace(
        what=words,
        directory=None,
        format="text",
        output=None,
        config=None,
        no_config=False,
        rev=None,
        base=None,
        strict=False,
        deep=False,
        python=None,
        verify_installed=False,
        quiet=False,
        verbose=False,
    )


def run(args: Arguments) -> int:
    """Check and report; return the exit code."""
    try:
        report = _report(args) if args.rev is None else _report_of_revision(args)
    except UserError as error:
        _show_failure(error, args)
        raise
    return _show(report, args)


def _report(args: Arguments) -> Report:
    ahead = catalog.families(args.what) != {"UH3"}
    opening = Opening(args.directory or ".", at_hand=args.directory is None, ahead=ahead)
    from unhaunt.commands import check_worktree

    return check_worktree.report(args, opening)


def _report_of_revision(args: Arguments) -> Report:
    from unhaunt.commands import check_revision

    args.rev = args.rev or ""  # argparse makes a list of `--rev=--`
    args.base = args.base if args.base is None else args.base or ""
    return check_revision.report(args)


def _show_failure(error: UserError, args: Arguments) -> None:
    from unhaunt.report.formats import chosen

    if answer := chosen(args.format).failure(error):
        emit(answer, args.output)
        if _has_summary(args):
            _summarise(chosen("markdown").failure(error))


def _show(report: Report, args: Arguments) -> int:
    from unhaunt.report import as_text
    from unhaunt.report.formats import chosen

    how = {"verbose": args.verbose, "quiet": args.quiet}
    emit(chosen(args.format).render(report, **how), args.output)
    if _has_summary(args):
        _summarise(chosen("markdown").render(report, **how))
    if not args.quiet:
        for note in report.notes:
            remark(printable(note))
        remark(as_text.summary(report))
    return report.exit_code


def _has_summary(args: Arguments) -> bool:
    return args.format == "github" and bool(os.environ.get("GITHUB_STEP_SUMMARY"))


def _summarise(text: str) -> None:
    """Add to the summary of a step of GitHub Actions. A summary that fails fails no check."""
    path = os.environ["GITHUB_STEP_SUMMARY"]
    try:
        append(text, path)
    except OSError as error:
        remark(f"note: no step summary: {printable(path)}: {error.strerror or error}")
