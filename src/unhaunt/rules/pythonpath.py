"""PYTHONPATH and its relatives in committed env files: UH301 to UH305. Pure: no IO.

The five rules share one reading of the inventory; each has its own text for `unhaunt explain`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple, cast

from unhaunt.envfiles import (
    Scan,
    Verdict,
    judge,
    named_env_files,
    scan,
    words_to_look_for,
)
from unhaunt.envfiles.folders import assigned_folders
from unhaunt.envfiles.mentions import NAMING
from unhaunt.envfiles.names import choose
from unhaunt.envfiles.scan import decoded
from unhaunt.inventory import Entry, Inventory
from unhaunt.rule import Finding, NotChecked, Rule, Severity

Outcome = Finding | NotChecked


class Scanned(NamedTuple):
    """An entry and what it sets."""

    entry: Entry
    scan: Scan


def scans(inventory: Inventory) -> tuple[Scanned, ...]:
    """Return every env file of the inventory that sets something, read once for all rules."""
    return _scans(cast(Hashable, inventory))


@lru_cache(maxsize=1)
def _scans(key: Hashable) -> tuple[Scanned, ...]:
    inventory = cast(Inventory, key)
    found = inventory.mentioning(words_to_look_for())
    named = _named(inventory, found)
    read = ((e, scan(e.path, d, env_file=e.path in named)) for e, d in inventory.committed(found))
    return tuple(Scanned(entry, result) for entry, result in read if result is not None)


def _named(inventory: Inventory, found: Iterable[Entry]) -> frozenset[str]:
    """Return the files that no row knows and that another file names as env file."""
    unknown = {e.path for e in found if choose(e.path, "") is None}
    if not unknown:
        return frozenset()
    naming = inventory.mentioning(NAMING)
    return frozenset(
        path
        for entry, data in inventory.committed(naming)
        for path in named_env_files(entry.path, decoded(data))
        if path in unknown
    )


@lru_cache(maxsize=1)
def _outcomes(key: Hashable) -> dict[str, tuple[Outcome, ...]]:
    """Judge once; return what each code has to say. What could not be read belongs to UH301."""
    inventory = cast(Inventory, key)
    outcomes: dict[str, list[Outcome]] = {}
    startup = inventory.startup_folders()
    for entry, read in scans(inventory):
        if read.trouble:
            outcomes.setdefault("UH301", []).append(NotChecked(entry.path, read.trouble))
        for assignment in read.assignments:
            verdict = judge(assignment, read.format, read.path)
            if verdict is not None:
                armed = startup.intersection(assigned_folders(assignment, read))
                finding = _finding(entry, assignment.line, verdict, sorted(armed))
                outcomes.setdefault(verdict.code, []).append(finding)
    return {code: tuple(found) for code, found in outcomes.items()}


def _finding(entry: Entry, line: int, verdict: Verdict, armed: list[str]) -> Finding:
    message = verdict.message
    if armed:
        folder = armed[0] or "the repository's root"
        message += f"; this arms the startup file in {folder}"
    return Finding(entry, message, line, severity=verdict.severity, hint=verdict.hint or None)


def _found(inventory: Inventory, code: str) -> Iterator[Outcome]:
    yield from _outcomes(cast(Hashable, inventory)).get(code, ())


def pythonpath(inventory: Inventory) -> Iterable[Outcome]:
    """What it finds: a committed env file that sets PYTHONPATH to something. Env files are what
    decides an environment: dotenv, shell, Dockerfile, Compose, CI pipelines, tox, editors,
    agents' settings and many more. The message says who gets the variable. A form that has no
    effect, and what only an editor or a notebook sees, is info.

    Why it matters: every Python that gets the variable puts these folders before its own
    site-packages, in child processes too. The same commit then imports other code where the
    variable is set than where it is not.

    What to do instead: `python -m pip install -e .`; for tests, pytest's
    `pythonpath = ["src"]`. For several git worktrees an editable install follows one checkout,
    so each worktree wants an environment of its own; when that costs too much, keep a
    repository-relative PYTHONPATH and accept the finding with a reason.

    What it does not find: a variable that is cleared (`unset`, `env -u`, an empty value), other
    names (PYTHON_PATH), prose, Python sources, and what `eval` puts together.
    """
    return _found(inventory, "UH301")


def current_directory(inventory: Inventory) -> Iterable[Outcome]:
    """What it finds: a PYTHONPATH with an empty element or a lone `.`, or one that gets an empty
    element when the inherited value is unset, as in `src:$PYTHONPATH`.

    Why it matters: an empty element is the current directory. Whatever lies where the command
    is started, a `sitecustomize.py` or a `json.py`, is then imported.

    What to do instead: `src${PYTHONPATH:+:$PYTHONPATH}` adds the old value and its separator
    only when there is one. Name a folder instead of `.`.

    What it does not find: the current directory that `python -m` and `python -c` add.
    """
    return _found(inventory, "UH302")


def outside_repository(inventory: Inventory) -> Iterable[Outcome]:
    """What it finds: an element that is absolute, below a home directory, or climbs out of the
    repository with `..`; also in pytest's own `pythonpath` option.

    Why it matters: such a folder is on one machine and not on the next, and no commit says what
    is in it.

    What to do instead: install the code, or name a folder of the repository.

    What it does not find: absolute paths in Dockerfiles, Compose files, dev containers and
    `name:`/`value:` pairs. They are the image's own, and UH301 reports them.
    """
    return _found(inventory, "UH303")


def startup_variable(inventory: Inventory) -> Iterable[Outcome]:
    """What it finds: a committed env file that sets PYTHONHOME, PYTHONUSERBASE,
    PYTHONPLATLIBDIR, PYTHONEXECUTABLE, __PYVENV_LAUNCHER__, PYTHONPYCACHEPREFIX,
    PYTHONOPTIMIZE, or PYTHONWARNINGS with a dotted category. PYTHONSTARTUP, and values of
    PYTHONNOUSERSITE and PYTHONSAFEPATH that do not do what they seem to, are info.

    Why it matters: each changes what Python loads, or how it runs, before the first line.

    What to do instead: name the interpreter by its path, and leave these variables unset.

    What it does not find: PYTHONNOUSERSITE=1 and PYTHONSAFEPATH=1, which keep things out.
    """
    return _found(inventory, "UH304")


def inherited(inventory: Inventory) -> Iterable[Outcome]:
    """What it finds: a pass-through without a value of its own, such as `passenv = PYTHONPATH`,
    `passenv = PYTHON*`, a bare `- PYTHONPATH` in a Compose file, `PassEnvironment=PYTHONPATH`.

    Why it matters: the tool keeps the host's variable out; this lets it in again, and the run
    depends on the shell from which it was started.

    What to do instead: drop the name from the list, or start the tool with
    `env -u PYTHONPATH`.

    What it does not find: a bare `*`, which does not name the variable.
    """
    return _found(inventory, "UH305")


RULES: tuple[Rule, ...] = (
    Rule(
        "UH301",
        "pythonpath",
        Severity.WARNING,
        "a committed env file sets PYTHONPATH",
        'python -m pip install -e .   (for tests: pytest\'s `pythonpath = ["src"]`)',
        pythonpath,
    ),
    Rule(
        "UH302",
        "pythonpath-current-directory",
        Severity.WARNING,
        "PYTHONPATH has an empty element or a lone `.`: the current directory is on sys.path",
        "python -m pip install -e .   (or name a folder instead of the current directory)",
        current_directory,
    ),
    Rule(
        "UH303",
        "pythonpath-outside-repo",
        Severity.WARNING,
        "PYTHONPATH names a folder outside the repository",
        "python -m pip install -e .   (or name a folder of this repository)",
        outside_repository,
    ),
    Rule(
        "UH304",
        "python-startup-variable",
        Severity.WARNING,
        "a committed env file sets another variable that changes how Python starts",
        "unset the variable, and choose the interpreter by its path",
        startup_variable,
    ),
    Rule(
        "UH305",
        "pythonpath-inherited",
        Severity.WARNING,
        "the host's PYTHONPATH is let into an environment by name",
        "env -u PYTHONPATH COMMAND   (or drop the name from the list)",
        inherited,
    ),
)
