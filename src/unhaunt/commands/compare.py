"""`unhaunt compare`: how fingerprints differ, and what that means for a green run."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

from unhaunt.commands.options import common, folder
from unhaunt.errors import UserError
from unhaunt.fingerprints.compare import compare
from unhaunt.fingerprints.explain import explanations
from unhaunt.fingerprints.reading import read
from unhaunt.fingerprints.sides import Side, side
from unhaunt.ourselves import HERE
from unhaunt.output import emit, remark

EXAMPLE = """example:
  unhaunt compare laptop.json sandbox.json       the first is the reference ("local")
"""
MOST = 64 << 20


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `unhaunt compare`."""
    common(parser, "text", "json", "markdown")
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help="fingerprints; the first is the reference"
    )
    parser.epilog = EXAMPLE


def run(args: argparse.Namespace) -> int:
    """Compare, write, and return 0 when nothing unexplained differs."""
    from unhaunt.report.comparison import FORMATS
    from unhaunt.settings import settings

    if len(args.files) < 2:
        raise UserError(
            "one fingerprint has nothing to be compared with", hint=f"{HERE} compare LOCAL REMOTE"
        )
    said = settings(folder(args), args.config, none=args.no_config)
    found = compare(_sides(args.files), explanations(said.explain, said.source))
    emit(FORMATS[args.format or "text"](found, args.verbose), args.output)
    if (
        any("pip-build-env-" in place for place in found.sides[0].places.values())
        and not args.quiet
    ):
        remark(
            "warning: the reference was taken inside a build of pip: its startup code is temporary"
        )
    return 0 if found.trust else 1


def _sides(files: Sequence[str]) -> Iterator[Side]:
    """Read one file at a time: none is kept."""
    for name in files:
        try:
            with open(name, "rb") as file:
                text = file.read(MOST).decode("utf-8", "replace")
        except OSError as error:
            raise UserError(
                f"cannot read {name}: {error.strerror}", hint=f"{HERE} fingerprint --output FILE"
            ) from error
        yield side(read(text, name), name)
