"""Edge: the one way to the standard streams and to files: UTF-8 whatever the locale."""

from __future__ import annotations

import os
import sys

from unhaunt.errors import UserError


def emit(text: str, path: str | None = None) -> None:
    """Write `text` to stdout, or to `path` as a whole or not at all.

    Raises `UserError` when the file cannot be written.
    """
    data = text.encode("utf-8", "backslashreplace")
    if path is None:
        _to_stdout(data)
        return
    try:
        _to_file(data, os.path.realpath(path))
    except OSError as error:
        raise UserError(
            f"cannot write {path}: {error.strerror}", hint="name a file in a folder that exists"
        ) from None


def _to_file(data: bytes, path: str) -> None:
    if os.path.exists(path) and not os.path.isfile(path):
        with open(path, "wb") as device:  # a device or a pipe is not to be replaced by a file
            device.write(data)
        return
    part = f"{path}.{os.getpid()}.part"
    try:
        with open(part, "wb") as file:
            file.write(data)
        os.replace(part, path)
    finally:
        if os.path.exists(part):
            os.unlink(part)


def _to_stdout(data: bytes) -> None:
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        # What is buffered would be tried once more, and complained about, at the end of Python.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise UserError(
            f"cannot write the answer: {error.strerror}", hint="name a file with --output"
        ) from None


def remark(text: str) -> None:
    """Write a line to stderr."""
    sys.stderr.flush()
    sys.stderr.buffer.write(text.encode("utf-8", "backslashreplace") + b"\n")
    sys.stderr.buffer.flush()
