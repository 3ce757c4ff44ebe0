"""The formats of a check's report. A new one is a module beside this one, and a line here.

Each module holds `render`, and `failure` for a check that could not be made. Pure: no IO.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from unhaunt.errors import UserError
from unhaunt.report import Report

if TYPE_CHECKING:
    from typing import Protocol
else:
    Protocol = object  # a protocol takes milliseconds to build, on every commit

#: what `--format` takes -> the module, imported when it is asked for
FORMATS = {
    "text": "as_text",
    "json": "as_json",
    "sarif": "as_sarif",
    "github": "as_github",
    "markdown": "as_markdown",
}


class Format(Protocol):
    """What a module of a format holds."""

    def render(self, report: Report, *, verbose: bool, quiet: bool) -> str:
        """Return the whole answer; `verbose` shows information too, `quiet` findings only."""

    def failure(self, error: UserError) -> str:
        """Return the answer of a check that could not be made; "" when stderr says it all."""


def chosen(name: str) -> Format:
    """Return the format of that name."""
    module: Format = importlib.import_module(f"unhaunt.report.{FORMATS[name]}")
    return module
