"""UH406-UH408: what else is on an interpreter's path, and who put it there."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

from unhaunt.audits.audit import Audit, found, merged
from unhaunt.importing.stdlib_names import BUILT_IN, FROZEN, STANDARD, minor_versions
from unhaunt.resolving.resolution import candidates
from unhaunt.rule import Finding, NotChecked, Rule, Severity
from unhaunt.text import shortened


def pth_path_outside(audit: Audit) -> Iterator[Finding | NotChecked]:
    """A `.pth` path that leaves the environment and its project.

    What it finds: a path line that leads out of the environment, its base Python and this
    repository, and that is not the folder of the editable install which owns the file. One that
    does not exist is information.

    Why it matters: every program of this Python then imports from a place that no lock file and
    no commit describes.

    What to do instead: install what is there: `python -m pip install -e FOLDER`.

    What it does not find: folders that code adds (UH402 finds the code).
    """
    rows = (audit.facts["startup"] or {}).get("pth") or ()
    lines = [(row, line) for row in rows for line in row["lines"] if line["kind"] == "path"]
    yield from merged(f for row, line in lines for f in _leaves(audit, row["path"], line))


def _leaves(audit: Audit, file: str, line: Mapping[str, Any]) -> Iterator[Finding]:
    target, number = line["target"], line["line"]
    said = shortened(line["text"].strip())
    if not line["exists"]:
        yield found(audit, file, f"names what does not exist: {said}", Severity.INFO, number)
    elif not any(_is_in(target, folder) for folder in _homes(audit)):
        mine = audit.owner(file).name.partition(" ")[0]
        known = _is_developed(file, target) or any(
            _is_in(target, folder) and name == mine for folder, name in audit.editable
        )
        words = f"puts a folder outside the environment and the project on the path: {said}"
        severity = Severity.INFO if known else Severity.WARNING
        yield found(audit, file, words, severity, number)


def _homes(audit: Audit) -> Iterator[str]:
    interpreter = audit.facts["interpreter"]
    yield from (interpreter["prefix"], interpreter["base_prefix"])
    yield from filter(None, (interpreter.get("stdlib"), audit.top))
    yield from (audit.facts["startup"] or {}).get("site_dirs", ())


def _is_in(path: str, folder: str) -> bool:
    real, home = os.path.realpath(path), os.path.realpath(folder)
    return real == home or real.startswith(home.rstrip(os.sep) + os.sep)


def _is_developed(file: str, target: str) -> bool:
    """Tell whether an egg-link beside the file names its target, as `setup.py develop` writes."""
    folder = os.path.dirname(file)
    for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
        if name.endswith(".egg-link"):
            with open(os.path.join(folder, name), "rb") as link:
                if os.fsdecode(link.readline(4096)).strip() == target:
                    return True
    return False


def pythonpath_active(audit: Audit) -> Iterator[Finding | NotChecked]:
    """PYTHONPATH is set where this check runs.

    What it finds: PYTHONPATH with its elements: empty or relative ones (the current directory, or
    a folder of it: an error), ones that hold a startup module, or a module of the standard library
    that every start imports, such as `encodings` (an error), ones that are missing, outside the
    repository, or a folder of it.

    Why it matters: its elements come before the standard library and every package, in this
    Python and in all of its children, whatever environment is active.

    What to do instead: `unset PYTHONPATH`; `python -m pip install -e .` for a project's own code.

    What it does not find: what a shell profile or a CI file sets for other processes
    (`unhaunt fingerprint` and `warn-pythonpath` look there).
    """
    value = audit.env.get("PYTHONPATH")
    if value:
        elements = list(enumerate(value.split(os.pathsep), 1))
        told = [_element(audit, n, element) for n, element in elements]
        word = f"PYTHONPATH={shortened(value)} is set for this Python"
        severity = Severity.ERROR if any(bad for _, bad in told) else Severity.WARNING
        parts = "; ".join(
            f"element {n} {words}" for (n, _), (words, _) in zip(elements, told, strict=True)
        )
        yield found(audit, audit.executable, f"{word}: {parts}", severity)


def _element(audit: Audit, number: int, element: str) -> tuple[str, bool]:
    """Return what is to be said of an element, and whether it makes an error."""
    path = os.path.abspath(os.path.join(audit.cwd, element))
    modules = (audit.facts["startup"] or {}).get("modules") or ()
    if not element or element == ".":
        return f"{'is empty' if not element else 'is a dot'}: the current directory", True
    if not os.path.isabs(element):
        return f"is relative to the current directory ({shortened(element)})", True
    if any(os.path.dirname(row["path"]).startswith(path) for row in modules):
        return f"holds startup code ({shortened(element)})", True
    if taken := _imported_by_every_start(audit, path):
        return f"holds {', '.join(taken)}, which every start imports ({shortened(element)})", True
    if not os.path.exists(path):
        return f"does not exist: whoever makes it is imported from ({shortened(element)})", False
    if audit.top and _is_in(path, audit.top):
        return f"is in this repository ({shortened(element)})", False
    return f"is outside this repository ({shortened(element)})", False


#: what Python imports to start, `site` included: older ones have fewer of them frozen
_TO_START = frozenset(["_bootlocale", "encodings", *FROZEN["11-15"].split()]) - {"ntpath", "runpy"}


def _imported_by_every_start(audit: Audit, folder: str) -> list[str]:
    """Return the modules that this Python takes from a folder or zip before it looks at `site`."""
    interpreter = audit.facts["interpreter"]
    minor = int(interpreter["version"].split(".")[1])
    # With this variable (3.13 and newer) the path is asked before what is frozen.
    thawed = minor >= 13 and audit.env.get("PYTHON_FROZEN_MODULES") == "off"
    tables = [BUILT_IN] if thawed else [BUILT_IN, FROZEN]
    return [
        name
        for name in sorted(_TO_START)
        if minor in minor_versions(name, STANDARD)
        and not any(minor in minor_versions(name, table) for table in tables)
        and any(c.form != "namespace" for c in candidates(name, folder, interpreter["suffixes"]))
    ]


def user_site_active(audit: Audit) -> Iterator[Finding | NotChecked]:
    """The user site is on the path, with packages that hide the environment's.

    What it finds: distributions of the user site (`pip install --user`) that come before others of
    the same name; other distributions there are information.

    Why it matters: the version that is imported depends on whose home folder it is, and no lock
    file knows.

    What to do instead: `export PYTHONNOUSERSITE=1` (any number but 0), or a virtual environment
    without `include-system-site-packages`.

    What it does not find: single modules that lie in the user site without a distribution
    (`--verify-installed` does).
    """
    user = (audit.facts["startup"] or {}).get("user_site") or {}
    rows = audit.facts["distributions"] or ()
    here = {row["name"] for row in rows if user.get("on_path") and row["location"] == user["path"]}
    hidden = sorted({row["name"] for row in rows if row["shadowed"] and row["name"] in here})
    if hidden:
        words = f"on the path, and hides {len(hidden)} packages: {', '.join(hidden[:5])}"
        yield found(audit, user["path"], words, Severity.WARNING)
    elif here:
        yield found(audit, user["path"], f"on the path, with {len(here)} packages", Severity.INFO)


RULES = (
    Rule(
        "UH406", "pth-path-outside", Severity.WARNING,
        "a `.pth` path that leaves the environment and its project",
        "look at it, then install what it names, or: rm {path}", pth_path_outside,
    ),
    Rule(
        "UH407", "pythonpath-active", Severity.WARNING,
        "PYTHONPATH is set for the project's Python",
        "unset PYTHONPATH", pythonpath_active,
    ),
    Rule(
        "UH408", "user-site-active", Severity.WARNING,
        "the user site is on the path, with packages that hide the environment's",
        "export PYTHONNOUSERSITE=1", user_site_active,
    ),
)  # fmt: skip
