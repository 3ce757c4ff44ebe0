"""The one way in which a command answers: UTF-8 whatever the locale, to stdout or a file."""

from __future__ import annotations

import os
import sys

from unhaunt.errors import UserError


def emit(text: str, file: str | None = None) -> None:
    """Write an answer. Raises `UserError` when the file cannot be written."""
    data = text.encode("utf-8", "backslashreplace")
    if file is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    try:
        with open(file, "wb") as stream:
            stream.write(data)
    except OSError as error:
        raise UserError(
            f"cannot write {file}: {error.strerror}", hint="give another file to --output"
        ) from error


def remark(text: str) -> None:
    """Write a line about the run itself to stderr."""
    sys.stderr.flush()
    os.write(sys.stderr.fileno(), f"{text}\n".encode("utf-8", "backslashreplace"))
