"""`unhaunt vendor`: this tool as one file, for an image or a repository."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping

from unhaunt.errors import UserError
from unhaunt.output import emit, remark
from unhaunt.own_files import ARCHIVE
from unhaunt.text import printable

EXAMPLE = """examples:
  unhaunt vendor tools/unhaunt            write unhaunt.pyz, SHA256SUMS and rows/
  unhaunt vendor --check tools/unhaunt    is it the right bytes, and how old?

unhaunt.pyz holds all it needs, and runs as python3 -I unhaunt.pyz with Python 3.11 or newer, git,
and no network; with -I -S it does not run the startup code of that Python either. The same
versions give the same bytes. The bytecode inside is for the Python that writes it: others are
served by the sources, and take longer to start. With --no-bytecode the bytes do not depend on it.

Files in DIR that an earlier `unhaunt vendor` wrote are replaced; others stay, and when one is in
the way nothing is written. --check exits 0 for the right bytes, 1 for others (altered, older,
newer, a link out of DIR), 2 when it could not check; what else lies in DIR is named.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `unhaunt vendor`."""
    add = parser.add_argument
    add("directory", metavar="DIR", help="the folder of the copy; made when it is not there")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--check", action="store_true", help="compare the copy in DIR, write nothing")
    how.add_argument(
        "--no-bytecode", action="store_true", help="sources only: the same bytes from any Python"
    )
    add("-q", "--quiet", action="store_true", help="print less")
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = EXAMPLE


def run(args: argparse.Namespace) -> int:
    """Write the copy, or check the one that is there."""
    folder = _place(args.directory)
    return _check(folder) if args.check else _write(folder, args)


def _check(folder: str) -> int:
    from unhaunt.vendoring.copies import BASELINE, PYZ, around, judge
    from unhaunt.vendoring.folder import copy, extras, links
    from unhaunt.vendoring.members import members
    from unhaunt.vendoring.sums import NAME

    listed, there = copy(folder)
    ours = _files(members(), bytecode=_has_bytecode(there[PYZ]))
    names = (*listed, NAME)
    beside = extras(folder, (*names, BASELINE))
    answer = around(judge(listed, there, ours), links(folder, names), beside)
    emit("".join(f"{printable(line)}\n" for line in answer.lines))
    if ARCHIVE and os.path.realpath(ARCHIVE) == os.path.realpath(os.path.join(folder, PYZ)):
        remark("note: this copy looked at itself: only another unhaunt can tell what it is")
    return answer.exit_code


def _write(folder: str, args: argparse.Namespace) -> int:
    from unhaunt.vendoring.copies import PYZ
    from unhaunt.vendoring.folder import claim, write
    from unhaunt.vendoring.members import members, rows
    from unhaunt.vendoring.sums import NAME, digest, sums

    found = members()
    claim(folder, (PYZ, NAME, *rows(found)))
    files = _files(found, bytecode=not args.no_bytecode)
    write(folder, {**files, NAME: sums(files)})
    emit(f"{digest(files[PYZ])}  {printable(os.path.join(folder, PYZ))}\n")
    if not args.quiet:
        remark(f"wrote {PYZ} ({len(files[PYZ])} bytes), {NAME} and {len(files) - 1} rows")
    return 0


def _place(directory: str) -> str:
    try:
        return os.path.abspath(directory)
    except OSError as error:
        raise UserError("the current directory is gone", hint="cd to one that exists") from error


def _has_bytecode(data: bytes) -> bool:
    from unhaunt.vendoring.archive import COMPILER, contents

    try:
        return COMPILER in contents(data)
    except ValueError:
        return False


def _files(found: Mapping[str, bytes], *, bytecode: bool) -> dict[str, bytes]:
    """Return the file and the rows, as this unhaunt writes them."""
    from unhaunt.vendoring.archive import build
    from unhaunt.vendoring.bytecode import compiled
    from unhaunt.vendoring.copies import PYZ
    from unhaunt.vendoring.members import rows

    return {PYZ: build(found, compiled(found) if bytecode else {}), **rows(found)}
