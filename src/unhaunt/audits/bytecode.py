"""Edge: whether bytecode is of its source, asked of the Python that would load it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence

from unhaunt.interpreters.interpreter import SECONDS, run
from unhaunt.own_files import script

CHILD = os.path.join(os.path.dirname(__file__), "recompile.py")
_ROWS = 6  # of a source: two for each of three levels of optimization


def mismatches(
    executable: str, sources: Sequence[str], prefix: str | None
) -> Iterator[tuple[str, str]]:
    """Yield (file, reason) of the bytecode that would be loaded and is not of its source.

    `prefix` is PYTHONPYCACHEPREFIX. Bytecode that ends the child is a mismatch, and the next
    source gets a new child.
    """
    left = list(sources)
    while left:
        request = {"token": os.urandom(8).hex(), "sources": left, "prefix": prefix}
        rows = list(_rows(executable, request))
        yield from ((cache, word) for cache, word in rows if word not in ("at", None))
        ended_at = rows[-1][0] if rows and rows[-1][1] == "at" else None
        if ended_at is None:
            return
        yield ended_at, "this Python ends while it reads it"
        left = left[(len(rows) - 1) // _ROWS + 1 :]


def _rows(executable: str, request: Mapping[str, object]) -> Iterator[tuple[str, str | None]]:
    text = f"REQUEST = {json.dumps(json.dumps(request))}\n{script(CHILD)}"
    command = [executable, "-I", "-S", "-B", "-"]
    try:
        ended = run(command, text, {}, os.sep, SECONDS)
    except OSError:
        return
    for line in ended.stdout.splitlines():
        token, _, row = line.partition(" ")
        if token == request["token"]:
            cache, word = json.loads(row)
            yield cache, word
