"""The command line: arguments in, text and an exit code out."""

from __future__ import annotations

import atexit
import contextlib
import gc
import importlib
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from unhaunt import __version__
from unhaunt.errors import UserError
from unhaunt.output import open_closed_streams, remark
from unhaunt.own_files import ARCHIVE
from unhaunt.text import printable

if TYPE_CHECKING:
    import argparse

#: command -> one line for `unhaunt --help`; the code is in `unhaunt.commands.<command>`
COMMANDS = {
    "check": "find startup files, stray modules and PYTHONPATH in a repository",
    "fingerprint": "write down what decides an interpreter's imports, and what runs before line 1",
    "compare": "say how fingerprints differ, and whether to trust a green run elsewhere",
    "where": "say which file an import would really take, and why",
    "run": "run a command as it is and isolated, and name what makes the difference",
    "verify": "check a patch before it is trusted: interpreter, startup code, isolation, origins",
    "vendor": "write unhaunt as one file for an image or a repository, with ready rows",
    "demo": "tell the story of two machines that disagree, in a private temporary folder",
    "explain": "say what a rule finds, why it matters, and what to do instead",
}
EXAMPLE = """examples, in a repository:
  unhaunt check               what would be rejected, and who could have seen it
  unhaunt where cli_helpers   the file that an import takes, and why
  unhaunt check --help        every command has examples of its own
"""
_STARTED = "UNHAUNT_STARTED_WITHOUT_I"
_REDIRECTIONS = ("PYTHONEXECUTABLE", "__PYVENV_LAUNCHER__")


class Command(Protocol):
    """What a module of `unhaunt.commands` holds."""

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Add the command's arguments and its example (`parser.epilog`)."""

    def run(self, args: Any) -> int:
        """Do the work and return the exit code. Raises `UserError` when it cannot be done."""


def main(argv: Sequence[str] | None = None) -> int:
    """Return 0 (nothing to reject), 1 (something to reject), 2 (could not look)."""
    words = list(sys.argv[1:] if argv is None else argv)
    open_closed_streams()
    gc.disable()  # a short life: what is collected during it costs more than it frees
    try:
        for note in isolation_notes():
            remark(f"note: {note}")
        return _run(words)
    except UserError as error:
        remark(f"error: {printable(str(error))}\nhint: {printable(error.hint)}")
    except KeyboardInterrupt:
        remark("error: interrupted, so this is not the whole answer")
    except BrokenPipeError:
        # Nobody reads on; without this Python complains once more while it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    except Exception:
        import traceback

        remark(traceback.format_exc() + "error: this is a bug in unhaunt, and no answer")
    return 2


def _run(words: list[str]) -> int:
    if words[:1] == ["check"] and not any(word.startswith("-") for word in words):
        # What the hooks do on every commit: for words without options no parser is needed.
        from unhaunt.commands import check

        return check.run(check.plain(words[1:]))
    return _parsed(words)


def _parsed(words: list[str]) -> int:
    import argparse

    name = next((word for word in words if not word.startswith("-")), None)
    command: Command | None = None
    parser = argparse.ArgumentParser(
        prog="unhaunt",
        description="Find what decides the meaning of `import` before the first line runs.",
        epilog=EXAMPLE,
        allow_abbrev=False,
        formatter_class=_formatter,
    )
    parser.add_argument("--version", action="version", version=f"unhaunt {__version__}")
    commands = parser.add_subparsers(
        prog="unhaunt", dest="command", required=True, metavar="COMMAND"
    )
    for known, line in COMMANDS.items():
        sub = commands.add_parser(
            known, help=line, description=line, allow_abbrev=False, formatter_class=_formatter
        )
        if known == name:
            command = importlib.import_module(f"unhaunt.commands.{known}")
            command.configure(sub)
    args = parser.parse_args(words)
    if command is None:  # the first word was the value of an option
        parser.error("name a command first")
    return command.run(args)


def _formatter(prog: str) -> argparse.HelpFormatter:
    import argparse

    # With a width of its own choice argparse imports shutil for each argument, on every commit.
    return argparse.RawDescriptionHelpFormatter(prog, width=98)


def isolation_notes() -> list[str]:
    """Say what was not isolated: redirections that even `-I` obeys, and a start without `-I`."""
    from unhaunt.interpreters.own_environment import removed

    notes = [
        f"{name} is set, and Python obeys it even with -I: isolation was not complete"
        for name in _REDIRECTIONS
        if os.environ.get(name) or removed().get(name)
    ]
    how = os.environ.pop(_STARTED, "")
    if how:
        from unhaunt.ourselves import HERE

        use = HERE if ARCHIVE else "python -I -m unhaunt"
        notes.append(f"started without -I while {how}: use {use}")
    return notes


def console() -> int:
    """The `unhaunt` command: a convenience. It starts itself again with `-I`."""
    return _leave(main()) if sys.flags.isolated else _started_again()


def _leave(code: int) -> int:
    """End at once when nobody has asked to be called: to take 20,000 paths apart takes as long as
    a rule does."""
    if not atexit._ncallbacks():
        with contextlib.suppress(OSError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)
    return code


def _started_again() -> int:
    environ = dict(os.environ)
    if os.environ.get("PYTHONPATH"):
        environ[_STARTED] = "PYTHONPATH was set"
    from unhaunt.ourselves import again

    command = [*again(), *sys.argv[1:]]
    if sys.platform == "win32":
        import subprocess

        return subprocess.run(command, env=environ).returncode
    return os.execve(sys.executable, command, environ)
