"""The options that the interpreter's commands share."""

from __future__ import annotations

import argparse
import math
import os

from unhaunt.errors import UserError
from unhaunt.ourselves import HERE


def common(parser: argparse.ArgumentParser, *formats: str) -> None:
    """Add -C, --format, --output, --config, --no-config, -q and -v."""
    parser.add_argument("-C", dest="directory", metavar="DIR", help="act as if started in DIR")
    parser.add_argument("--format", choices=formats, help="how the answer is written (text)")
    parser.add_argument("--output", metavar="FILE", help="write the answer to FILE")
    parser.add_argument("--config", metavar="FILE", help="read [tool.unhaunt] from FILE")
    parser.add_argument(
        "--no-config", action="store_true", help="ignore the repository's own configuration"
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="print less")
    parser.add_argument("-v", "--verbose", action="store_true", help="print more")


def seconds(text: str) -> float:
    """Read a time limit. Raises `ArgumentTypeError` for one that no run could keep."""
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if not math.isfinite(found) or found <= 0:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds above 0")
    return found


def with_command(parser: argparse.ArgumentParser) -> None:
    """Add --timeout and the command that is to be run."""
    parser.add_argument(
        "--timeout", type=seconds, metavar="SECONDS", help="end a run that takes longer"
    )
    parser.add_argument(
        "command", nargs=argparse.REMAINDER, metavar="-- COMMAND", help="the command to run"
    )


def command(args: argparse.Namespace) -> list[str]:
    """Return the words after `--`."""
    words: list[str] = args.command
    return words[1:] if words[:1] == ["--"] else words


def some_command(args: argparse.Namespace, name: str) -> list[str]:
    """Return the words after `--`. Raises `UserError` when there are none."""
    words = command(args)
    if not words:
        raise UserError("no command", hint=f"{HERE} {name} -- pytest")
    return words


def folder(args: argparse.Namespace) -> str:
    """Return the folder that the command looks from. Raises `UserError` when there is none."""
    try:
        here = os.getcwd()
    except OSError as error:
        raise UserError("the current directory is gone", hint="cd to one that exists") from error
    place: str | None = getattr(args, "directory", None)
    found = os.path.realpath(os.path.join(here, place)) if place else here
    if not os.path.isdir(found):
        raise UserError(f"{place}: no such folder", hint="give a folder to -C")
    return found
