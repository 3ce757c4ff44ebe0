"""What a command line starts: a Python, with which options, and what it runs. Starts nothing.

Options as in docs.python.org/3/using/cmdline.html.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from unhaunt.errors import UserError
from unhaunt.interpreters.preflight import head_of, locate, on_path
from unhaunt.interpreters.shebang import behind_shim, shebang_words

#: options that take the next word when it is not attached
WITH_VALUE = "XW"
#: programs that start other Pythons: the question is about those, not about their own
RUNNERS = frozenset(
    (
        *("tox", "nox", "poetry", "pdm", "hatch", "pipenv", "invoke", "inv", "pre-commit", "prek"),
        *("uv", "uvx", "rye", "pixi", "conda", "mamba", "micromamba"),
    )
)


class Python(NamedTuple):
    """A command line whose Python is known: `how` is script, module, command, stdin or folder."""

    executable: str
    options: tuple[str, ...]  # before what is run
    how: str
    run: tuple[str, ...]  # what is run, and its arguments
    argv0: str  # how the interpreter was named

    @property
    def words(self) -> tuple[str, ...]:
        """Return the whole command line, its interpreter as it was named."""
        return (self.argv0, *self.options, *self.run)


def understood(command: Sequence[str], env: Mapping[str, str], cwd: str) -> Python | None:
    """Return the Python that a command starts; None when it is another program.

    Raises `UserError` when there is no such program.
    """
    path = next(on_path(command[0], env, cwd), None)
    if path is None or not os.path.isfile(path):
        raise UserError(f"no program called {command[0]}", hint="is it installed, and on PATH?")
    if os.path.basename(path) in RUNNERS:
        return None
    if is_python(os.path.basename(path)):
        executable = locate(path, env, cwd).executable
        # pyenv's shim starts the interpreter by its whole path.
        argv0 = command[0] if executable == path else executable
        return parsed(executable, command[1:], argv0, cwd)
    return _script(path, command, env, cwd)


def is_python(name: str) -> bool:
    """Tell whether a program's name is one of Python."""
    stem = name.removesuffix(".exe")
    return stem.startswith("python") and all(
        part.isdigit() for part in stem.removeprefix("python").rstrip("dt").split(".") if part
    )


def _script(path: str, command: Sequence[str], env: Mapping[str, str], cwd: str) -> Python | None:
    """Read the first line of a script; only one that names a Python is understood."""
    path = behind_shim(path, env, cwd)
    words = shebang_words(head_of(path))
    if not words:
        return None
    if os.path.basename(words[0]) == "env":
        words = words[2:] if words[1:2] == ["-S"] else words[1:]
    if not words or not is_python(os.path.basename(words[0])):
        return None
    try:
        executable = locate(words[0], env, cwd).executable
    except UserError as error:
        raise UserError(
            f"{path}: its first line names {words[0]}, which is not there", hint=error.hint
        ) from error
    return parsed(executable, [*words[1:], path, *command[1:]], words[0], cwd)


def parsed(executable: str, arguments: Sequence[str], argv0: str, cwd: str) -> Python | None:
    """Divide the arguments of Python into its options and what it runs."""
    for number, word in enumerate(arguments):
        if number and arguments[number - 1] in ("-X", "-W", "--check-hash-based-pycs"):
            continue
        if not word.startswith("-") or word == "-":
            return _program(executable, arguments, number, argv0, cwd)
        found = _module_or_command(word)
        if found is not None:
            return Python(
                executable, tuple(arguments[:number]), found, tuple(arguments[number:]), argv0
            )
    return None  # interactive, or an option such as --version: nothing is run


def _module_or_command(word: str) -> str | None:
    """Return what `-c`, `-m`, or the same at the end of joined options (`-Im`) runs."""
    if word.startswith("--"):
        return None
    for letter in word[1:]:
        if letter in WITH_VALUE:
            return None
        if letter in "cm":
            return "command" if letter == "c" else "module"
    return None


def _program(
    executable: str, arguments: Sequence[str], number: int, argv0: str, cwd: str
) -> Python:
    word = arguments[number]
    path = os.path.join(cwd, word)
    archive = os.path.isfile(path) and b"PK\x03\x04" in head_of(path)
    how = "stdin" if word == "-" else "folder" if os.path.isdir(path) or archive else "script"
    return Python(executable, tuple(arguments[:number]), how, tuple(arguments[number:]), argv0)


def options_of(python: Python) -> tuple[str, ...]:
    """Return the options, those included that are joined with -c or -m (`-Im` has -I)."""
    if python.how not in ("command", "module"):
        return python.options
    word = python.run[0]
    letters = word[1 : word.index("c" if python.how == "command" else "m")]
    return (*python.options, f"-{letters}") if letters else python.options


def argv(python: Python) -> list[str]:
    """Return the `sys.argv` of the program: sys.argv[0] of a module is filled in later, as "-m"."""
    if python.how not in ("command", "module"):
        return list(python.run)
    word = python.run[0]
    letter = "c" if python.how == "command" else "m"
    attached = len(word) > word.index(letter) + 1
    return [f"-{letter}", *python.run[1 if attached else 2 :]]


def first_entry(python: Python, cwd: str) -> str | None:
    """Return sys.path[0] as the program has it; None when -I or -P leave it out.

    docs.python.org/3/library/sys.html#sys.path
    """
    if python.how == "script":
        return os.path.dirname(os.path.realpath(os.path.join(cwd, python.run[0])))
    if python.how == "folder":
        return python.run[0]  # the probe knows what its version makes of it
    return cwd if python.how == "module" else ""


def derivable(options: Sequence[str], env: Mapping[str, str]) -> dict[str, str] | None:
    """Return the environment as a Python with these options sees it; None under -S: no site."""
    letters = "".join(
        word[1:]
        for word in options
        if word.startswith("-") and not word.startswith(("--", "-X", "-W"))
    )
    if "S" in letters:
        return None
    seen = dict(env)
    if set("EI") & set(letters):
        seen = {
            name: value
            for name, value in seen.items()
            if not name.startswith("PYTHON") or name == "PYTHONUSERBASE"
        }
    if set("sI") & set(letters):
        seen["PYTHONNOUSERSITE"] = "1"
    return seen
