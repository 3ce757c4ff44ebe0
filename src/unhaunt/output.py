"""Edge: the one way to the standard streams and to files: UTF-8 whatever the locale."""

from __future__ import annotations

import os
import stat
import sys

from unhaunt.errors import UserError


def emit(text: str, path: str | None = None) -> None:
    """Write `text` to stdout, or to `path` as a whole or not at all.

    Raises `UserError` when the file cannot be written.
    """
    data = text.encode("utf-8", "backslashreplace")
    if path is None or path == "/dev/stdout":
        _to_stdout(data)
        return
    try:
        _to_file(data, path)
    except OSError as error:
        raise UserError(
            f"cannot write {path}: {error.strerror}",
            hint="name a file in a folder that exists and that you can write to, or leave out "
            "--output and use: > FILE",
        ) from None


def append(text: str, path: str) -> None:
    """Add `text` to a regular file that exists; nothing is created, and no link followed.

    Raises `OSError` when it cannot be.
    """
    flags = os.O_WRONLY | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    fd = os.open(path, flags)
    with open(fd, "ab") as file:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            raise OSError("it is no regular file")
        file.write(text.encode("utf-8", "backslashreplace"))


def _to_file(data: bytes, path: str) -> None:
    descriptor = _descriptor(path)
    if descriptor is not None:
        with open(os.dup(descriptor), "wb") as stream:
            stream.write(data)
        return
    place = os.path.realpath(path)
    if os.path.exists(place) and not os.path.isfile(place):
        with open(place, "wb") as device:  # a device or a pipe is not to be replaced by a file
            device.write(data)
    else:
        _replace(data, place)


def _descriptor(path: str) -> int | None:
    """Return the open file that a path stands for: opened anew, it would lose what it holds."""
    if path == "/dev/stderr":
        return 2
    folder, _, name = path.rpartition("/")
    return int(name) if folder in ("/dev/fd", "/proc/self/fd") and name.isdecimal() else None


def _replace(data: bytes, path: str) -> None:
    """Write beside `path`, then take its place, with its mode. Nothing is left when that fails."""
    part = f"{path}.{os.urandom(6).hex()}.part"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    fd = os.open(part, flags, 0o666)
    try:
        with open(fd, "wb") as file:
            if os.path.exists(path) and hasattr(os, "fchmod"):
                os.fchmod(fd, stat.S_IMODE(os.stat(path).st_mode))
            file.write(data)
            file.flush()
            os.fsync(fd)  # or a crash could leave the new name with no content
        os.replace(part, path)
    except BaseException:
        os.unlink(part)
        raise


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
    """Write a line to stderr; that it cannot be read changes no answer."""
    try:
        sys.stderr.flush()
        sys.stderr.buffer.write(text.encode("utf-8", "backslashreplace") + b"\n")
        sys.stderr.buffer.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())


def open_closed_streams() -> None:
    """Have standard streams that the caller closed (`>&-`) lead nowhere.

    Python has None for them, and the next file that is opened would get their number.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            nowhere = os.open(os.devnull, os.O_RDWR)
            if nowhere != number:
                os.dup2(nowhere, number)
                os.close(nowhere)
            setattr(sys, name, os.fdopen(number, "r" if number == 0 else "w", closefd=False))
