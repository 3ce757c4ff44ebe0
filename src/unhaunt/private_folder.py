"""Edge: a folder for temporary files that nobody else can write to, and that is gone afterwards."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from unhaunt.errors import UserError


@contextmanager
def private() -> Iterator[str]:
    """Make a folder that this user alone can write to: what lies in it is executed.

    Raises `UserError` when there is no place for one.
    """
    folder = os.path.realpath(_made())
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _made() -> str:
    named = [os.environ.get(name) for name in ("TMPDIR", "TEMP", "TMP")]
    # `tempfile` ends with the current folder, which may be the repository; a read-only container
    # has memory at /dev/shm.
    usual = [tempfile.gettempdir()] if sys.platform == "win32" else ["/tmp", "/var/tmp", "/dev/shm"]
    for place in filter(None, (*named, *usual)):
        with suppress(OSError):
            return tempfile.mkdtemp(prefix="unhaunt-", dir=place)
    raise UserError(
        "there is no folder for temporary files that can be written to",
        hint="name one: export TMPDIR=/path/to/it",
    )
