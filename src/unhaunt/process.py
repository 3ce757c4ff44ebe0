"""Edge: start short-lived programs side by side, with a time limit, and collect what they say.

`subprocess` costs as much to import as a bare interpreter needs to start, on every commit;
`posix_spawn` and `poll` do the same here. Where they are missing, as on Windows, `subprocess` is
used.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, NoReturn


class Job(NamedTuple):
    """One program to start: the first word of `argv` is an absolute path."""

    argv: Sequence[str]
    stdin: bytes = b""
    most: int | None = None  # bytes of stdout after which it is ended


class Completed(NamedTuple):
    """What a program left behind. A negative code is the signal that ended it."""

    code: int
    stdout: bytes
    stderr: bytes


def run_all(jobs: Sequence[Job], env: Mapping[str, str], seconds: float) -> list[Completed]:
    """Run `jobs` at the same time and return their results in order: see `Batch`."""
    return Batch(jobs, env).finish(seconds)


class Batch:
    """Programs that were started side by side, while this one does something else.

    Raises `OSError` when one cannot be started; then none is left running.
    """

    def __init__(self, jobs: Sequence[Job], env: Mapping[str, str]) -> None:
        self._running: list[_Running] = []
        self._others: list[_Other] = []
        try:
            if hasattr(os, "posix_spawn"):
                self._running.extend(_Running(job, env) for job in jobs)
                _feed(self._running)
            else:
                self._others.extend(_Other(job, env) for job in jobs)
        except OSError:
            self._end()
            raise

    def finish(self, seconds: float) -> list[Completed]:
        """Wait for all. Raises `TimeoutError` after `seconds`; then none is left running."""
        deadline = time.monotonic() + seconds
        try:
            if self._others:
                return [process.completed(deadline) for process in self._others]
            _exchange(self._running, deadline)
            return [process.completed() for process in self._running]
        finally:
            self._end()

    def _end(self) -> None:
        for process in self._running:
            process.end()
        for other in self._others:
            other.end()


class _Running:
    """A child with its three pipes; the pipes are closed as they run dry."""

    def __init__(self, job: Job, env: Mapping[str, str]) -> None:
        child_in, self.stdin = os.pipe()
        self.stdout, child_out = os.pipe()
        self.stderr, child_err = os.pipe()
        self.feed = memoryview(job.stdin)
        self.left = job.most
        self.said: dict[int, list[bytes]] = {self.stdout: [], self.stderr: []}
        self.code: int | None = None
        os.set_blocking(self.stdin, False)
        _widen(self.stdout)
        try:
            self.pid = os.posix_spawn(
                job.argv[0],
                list(job.argv),
                env,
                file_actions=[
                    (os.POSIX_SPAWN_DUP2, child_in, 0),
                    (os.POSIX_SPAWN_DUP2, child_out, 1),
                    (os.POSIX_SPAWN_DUP2, child_err, 2),
                ],
                setpgroup=0,  # so that the time limit also ends what git itself has started
            )
        except OSError:
            for fd in (self.stdin, self.stdout, self.stderr):
                os.close(fd)
            raise
        finally:
            for fd in (child_in, child_out, child_err):
                os.close(fd)
        self.open = {self.stdin, self.stdout, self.stderr}

    def close(self, fd: int) -> None:
        self.open.discard(fd)
        os.close(fd)

    def transfer(self, fd: int) -> bool:
        """Move what can be moved now; return whether `fd` has come to its end."""
        if fd == self.stdin:
            return self._write()
        chunk = os.read(fd, 1 << 20)
        self.said[fd].append(chunk)
        if fd == self.stdout and self.left is not None:
            self.left -= len(chunk)
            return not chunk or self.left < 0
        return not chunk

    def _write(self) -> bool:
        try:
            self.feed = self.feed[os.write(self.stdin, self.feed[: 1 << 16]) :]
        except BlockingIOError:
            return False
        except BrokenPipeError:
            return True
        return not self.feed

    def completed(self) -> Completed:
        self.code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        out, err = (b"".join(self.said[fd]) for fd in (self.stdout, self.stderr))
        return Completed(self.code, out, err)

    def end(self) -> None:
        for fd in tuple(self.open):
            self.close(fd)
        if self.code is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
            self.code = -signal.SIGKILL


class Twin:
    """A copy of this process that works something out meanwhile: fork(2).

    For work that needs what this process has in memory. Nothing is started, and nothing but the
    answer leaves it.
    """

    @staticmethod
    def is_possible() -> bool:
        """Tell whether there is a second processor to work on."""
        return sys.platform == "linux" and len(os.sched_getaffinity(0)) > 1

    def __init__(self, work: Callable[[], bytes]) -> None:
        self._read, write = os.pipe()
        self._pid = os.fork()
        if self._pid == 0:
            _work_out(work, write)
        os.close(write)

    def answer(self) -> bytes | None:
        """Wait for the answer; None when there is none."""
        with open(self._read, "rb") as pipe:
            data = pipe.read()
        return data if os.waitpid(self._pid, 0)[1] == 0 else None


def _work_out(work: Callable[[], bytes], write: int) -> NoReturn:
    code = 1
    try:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # the original says what there is to say
        with open(write, "wb") as pipe:
            pipe.write(work())
        code = 0
    finally:
        os._exit(code)


def _widen(fd: int) -> None:
    """Let the child write on while this process does something else: pipe(7), F_SETPIPE_SZ."""
    if sys.platform == "linux":
        import fcntl

        with contextlib.suppress(OSError):  # more than this user may have
            fcntl.fcntl(fd, fcntl.F_SETPIPE_SZ, 1 << 20)


def _feed(running: Sequence[_Running]) -> None:
    """Give what a pipe holds at once, so that the programs begin."""
    for process in running:
        if process.transfer(process.stdin):
            process.close(process.stdin)


def _exchange(running: Sequence[_Running], deadline: float) -> None:
    import select

    poll = select.poll()
    owners: dict[int, _Running] = {}
    for process in running:
        for fd in process.open:
            owners[fd] = process
            poll.register(fd, select.POLLOUT if fd == process.stdin else select.POLLIN)
    while owners:
        left = deadline - time.monotonic()
        events = poll.poll(max(0, left * 1000))
        if not events and left <= 0:
            raise TimeoutError
        for fd, _ in events:
            if owners[fd].transfer(fd):
                poll.unregister(fd)
                owners.pop(fd).close(fd)


class _Other:
    """A child where there is no `posix_spawn`. It is read to its end, however much it prints."""

    def __init__(self, job: Job, env: Mapping[str, str]) -> None:
        import subprocess

        self._feed = job.stdin
        self._process = subprocess.Popen(
            list(job.argv), env=dict(env), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )  # fmt: skip

    def completed(self, deadline: float) -> Completed:
        import subprocess

        left = max(0.0, deadline - time.monotonic())
        try:
            out, err = self._process.communicate(self._feed, left)
        except subprocess.TimeoutExpired:
            raise TimeoutError from None
        return Completed(self._process.returncode, out, err)

    def end(self) -> None:
        if self._process.poll() is None:
            self._process.kill()
            self._process.communicate()
