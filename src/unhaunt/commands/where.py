"""`unhaunt where`: the file that an import would give, and why."""

from __future__ import annotations

import argparse
import os
from typing import NamedTuple

from unhaunt.commands.options import common, folder
from unhaunt.errors import UserError
from unhaunt.interpreter import Facts, derived
from unhaunt.output import emit, remark
from unhaunt.resolution import Finders, Names, read_finders, resolve
from unhaunt.where import Around, Origin, Place, answer, exit_code

EXAMPLE = """examples:
  unhaunt where cli_helpers              exit 1 when it is a ghost
  unhaunt where package.module --path tests      as a script in tests/ would see it
"""


class Target(NamedTuple):
    """What the interpreter said, made ready for questions."""

    path: tuple[str, ...]
    because: dict[str, str]
    suffixes: tuple[str, ...]
    names: Names
    finders: Finders
    facts: Facts


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `unhaunt where`."""
    common(parser, "text", "json", "markdown")
    parser.add_argument(
        "modules", nargs="*", metavar="MODULE", help="dotted names (else: the project's own)"
    )
    parser.add_argument(
        "--python", metavar="EXE", help="the interpreter to ask (else: the project's)"
    )
    parser.add_argument(
        "--path", metavar="DIR", help="sys.path[0]: the folder of a script (else: the current one)"
    )
    parser.add_argument(
        "--inside", action="store_true", help="exit 1 when any origin is outside the repository"
    )
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = EXAMPLE


def run(args: argparse.Namespace) -> int:
    """Answer for each module; 1 when one is a ghost, hides the standard library, or is not found."""
    from unhaunt.project_python import project_python
    from unhaunt.report.origins import FORMATS
    from unhaunt.settings import settings

    cwd, env = folder(args), dict(os.environ)
    table = settings(cwd, args.config, none=args.no_config)[0]
    found = project_python(env, cwd, asked=args.python, configured=table.get("python"))
    if found is None:
        raise UserError("no project interpreter: not checked", hint="give one with --python")
    first = os.path.normpath(os.path.join(cwd, args.path)) if args.path else cwd
    if not os.path.isdir(first) and not os.path.isfile(first):
        raise UserError(f"{args.path}: no such folder", hint="give a folder to --path")
    answers = origins(found.executable, args.modules, env, cwd, first)
    emit(FORMATS[args.format](answers, verbose=args.verbose), args.output)
    if not args.quiet:
        remark(f"asked {found.executable} ({found.because})")
    return exit_code(answers, inside_only=args.inside)


def origins(
    executable: str, modules: list[str], env: dict[str, str], cwd: str, first: str
) -> list[Origin]:
    """Return the answer for each module, or for each of the project's own when none is named."""
    from unhaunt.first_party import first_party
    from unhaunt.heads import toplevel_of
    from unhaunt.settings import project

    top = toplevel_of(os.path.realpath(cwd))
    own = first_party(top, project(top)) if top else {}
    names = list(dict.fromkeys(modules or own))
    wrong = [name for name in names if not all(part.isidentifier() for part in name.split("."))]
    if wrong:
        raise UserError(f"{wrong[0]!r} is no module name", hint="give dotted names: package.module")
    if not names:
        raise UserError(
            "no module named, and none found at the import roots", hint="unhaunt where MODULE"
        )
    target = ask(executable, names, env, cwd)
    place = place_of(top, own, names)
    return [_answer(name, target, place, first) for name in names]


def ask(executable: str, names: list[str], env: dict[str, str], cwd: str) -> Target:
    """Ask the interpreter for its path and its names. Raises `UserError` when it does not answer."""
    from unhaunt.fingerprint import complete
    from unhaunt.startup_imports import with_imports

    told = derived(executable, env, cwd, modules=names)
    if told.facts is None:
        raise UserError(f"{executable}: {told.problem}", hint="give another one with --python")
    facts = complete(with_imports(told.facts), None, {})
    lookup = told.facts["lookup"]
    rows = facts["path"]
    return Target(
        tuple(row["entry"] for row in rows),
        {row["entry"]: row["because"] for row in rows},
        tuple(facts["interpreter"]["suffixes"]),
        Names(*(frozenset(lookup[key]) for key in ("built-in", "frozen", "loaded", "stdlib"))),
        _finders(facts),
        facts,
    )


def _finders(facts: Facts) -> Finders:
    """Read the finders that import lines of this interpreter install."""
    files = []
    for row in facts["startup"]["pth"]:
        for line in row["lines"]:
            for found in line.get("imports", ()):
                if found["module"].startswith("__editable__") and found["origin"]:
                    with open(found["origin"], "rb") as file:
                        files.append((found["origin"], file.read()))
    return read_finders(files)


def place_of(top: str | None, own: dict[str, None], names: list[str]) -> Place:
    """Return the checkout that the question is asked in."""
    from unhaunt import history
    from unhaunt.first_party import import_roots
    from unhaunt.settings import project

    if top is None:
        return Place(None)
    tops = sorted({name.partition(".")[0] for name in names})
    return Place(
        top, history.worktrees(top), frozenset(own), import_roots(top, project(top)),
        frozenset(name for name in tops if history.tracked(top, rf"^[[:space:]]*(from|import)[[:space:]]+([A-Za-z0-9_.]+,[[:space:]]*)*{name}([[:space:].,]|$)")),
    )  # fmt: skip


def _answer(name: str, target: Target, place: Place, first: str) -> Origin:
    args = (name, target.path, target.suffixes, target.names)
    found = resolve(*args, first=first, finders=target.finders)
    without = resolve(*args, finders=target.finders)
    around = Around(
        lambda entry: target.because.get(entry, "sys.path"),
        lambda file: owner(file, target.facts),
        lambda module, origin: copy_note(module, origin, place),
    )
    return answer(name, found, without, target.names.stdlib, place, around, first)


def owner(file: str, facts: Facts) -> str | None:
    """Return the distribution whose RECORD lists a file, as `name version`."""
    for row in facts["distributions"] or ():
        if row.get("editable") and file.startswith(_folder(row["editable"]) + os.sep):
            return f"{row['name']} {row['version']} (editable)"
        if file.startswith(row["location"] + os.sep) and _recorded(file, row):
            return f"{row['name']} {row['version']}"
    return None


def _folder(url: str) -> str:
    from urllib.parse import unquote, urlsplit

    return unquote(urlsplit(url).path).rstrip("/")


def _recorded(file: str, row: Facts) -> bool:
    relative = os.path.relpath(file, row["location"]).replace(os.sep, "/")
    try:
        with open(
            os.path.join(row["location"], row["info"], "RECORD"), encoding="utf-8", errors="replace"
        ) as record:
            return any(
                line.rpartition(",")[0].rpartition(",")[0].strip('"') == relative for line in record
            )
    except OSError:
        return False


def copy_note(name: str, origin: str, place: Place) -> str | None:
    """Say how an installed copy differs from the checkout's own, if there is one."""
    if place.toplevel is None or "-packages" not in origin:
        return None
    top = name.partition(".")[0]
    ours = _in_checkout(top, place)
    if ours is None:
        return None
    theirs = _package_of(origin, top)
    files = list(_sources(ours))
    differ = [
        file
        for file in files
        if _content(os.path.join(ours, file)) != _content(os.path.join(theirs, file))
    ]
    shown = os.path.relpath(ours, place.toplevel)
    return (
        f"site-packages copy, not the checkout; {len(differ)} of {len(files)} files differ from ./{shown}"
        f" (reinstall: python -m pip install {'.' if differ else '-e .'})"
    )


def _in_checkout(top: str, place: Place) -> str | None:
    roots = [*place.roots]
    if place.toplevel:
        with os.scandir(place.toplevel) as rows:
            roots += [
                row.path
                for row in rows
                if row.is_dir(follow_symlinks=False) and not row.name.startswith(".")
            ]
    for root in roots:
        if os.path.isfile(os.path.join(root, top, "__init__.py")) and "site-packages" not in root:
            return os.path.join(root, top)
    return None


def _package_of(origin: str, top: str) -> str:
    while os.path.basename(origin) != top and os.path.dirname(origin) != origin:
        origin = os.path.dirname(origin)
    return origin


def _sources(folder: str) -> list[str]:
    found = []
    for place, folders, files in os.walk(folder):
        folders[:] = [f for f in folders if f != "__pycache__"]
        found += [
            os.path.relpath(os.path.join(place, f), folder) for f in files if f.endswith(".py")
        ]
    return sorted(found)


def _content(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return None
