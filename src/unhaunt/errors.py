"""The one exception that a user may see."""

from __future__ import annotations


class UserError(Exception):
    """The tool could not do its work: the message says why, the hint what to do.

    Caught once, in `cli.main`, and turned into exit code 2.
    """

    def __init__(self, message: str, *, hint: str) -> None:
        super().__init__(message)
        self.hint = hint
