"""Edge: a signal that ends us ends the command too, and leaves no temporary folder behind."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

#: those that end a process without a word; SIGINT is an exception of Python's own
_ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """Turn such a signal into an exit within, so that everything is put away."""
    before = {number: signal.getsignal(number) for number in _ENDING}
    ours = [number for number, handler in before.items() if handler is not signal.SIG_IGN]
    for number in ours:
        signal.signal(number, _end)
    try:
        yield
    finally:
        for number in ours:
            signal.signal(number, before[number])


def _end(number: int, frame: FrameType | None) -> NoReturn:
    for one in _ENDING:  # once: the way out is not to be interrupted
        signal.signal(one, signal.SIG_IGN)
    raise SystemExit(128 + number)
