"""UH501-UH505: every module of the project comes from this checkout."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator

from unhaunt.audits.located import Located, Origins
from unhaunt.inventory import Entry
from unhaunt.resolving.where import UNFOLLOWED
from unhaunt.rule import Finding, NotChecked, Rule, Severity
from unhaunt.text import printable


def ghost_module(origins: Origins) -> Iterator[Finding | NotChecked]:
    """A module of the project that comes from somewhere else.

    What it finds: a top-level module of this project, or one that a changed file imports and no
    package owns, that the project's Python takes from a file outside this checkout.

    Why it matters: tests are green because of a file that is in no commit of this repository, and
    red on every machine that does not have it.

    What to do instead: `git add` a copy of it, or declare the package that has it; the message says
    why its folder is on the path.

    What it does not find: modules of packages that are installed, dotted names below a package,
    what startup code does to the path when it runs: a file that may is listed as not checked.
    """
    for folder in origins.elsewhere:
        again = f"unhaunt check check-import-origins -C {shlex.quote(printable(folder))}"
        yield NotChecked(folder, f"a project with modules of its own: {again}")
    for file in origins.unfollowed:
        yield NotChecked(_shown(file, origins), UNFOLLOWED)
    for one in origins.located:
        stray = _is_outside(one) and not one.other and not one.copy and one.form != "namespace"
        if stray and (one.own is not None or one.owner is None):
            words = f"import {one.name} takes this file, outside this checkout ({one.because})"
            yield _finding(origins, one, words, Severity.ERROR)


def stale_copy(origins: Origins) -> Iterator[Finding | NotChecked]:
    """An installed copy of the project that differs from the checkout.

    What it finds: a module of this project that the project's Python takes from its site-packages,
    and that is not the checkout's; when both are the same today, information. When only the current
    directory on the path hides a stale copy, a warning: `pytest` and `python -m pytest` then test
    different code.

    Why it matters: the tests run the copy, and your change is in the checkout.

    What to do instead: `python -m pip install -e .`, or install again after each change.

    What it does not find: other packages that are not of the version in the lock file
    (`unhaunt compare` does).
    """
    for one in origins.located:
        if _is_outside(one) and one.copy:
            severity = Severity.ERROR if one.stale else Severity.INFO
            yield _finding(origins, one, f"import {one.name} takes a {one.copy}", severity)
        elif one.elsewise:
            words = f"import {one.name} takes this stale copy when the checkout is not on the path"
            yield _finding(origins, one._replace(origin=one.elsewise), words, Severity.WARNING)


def other_worktree(origins: Origins) -> Iterator[Finding | NotChecked]:
    """A module of the project that comes from another checkout of it.

    What it finds: a module of this project that the project's Python takes from another working
    tree of this repository, or from the same place in another clone.

    Why it matters: an environment that is shared between working trees tests whichever was
    installed last.

    What to do instead: an environment for each checkout, or `python -m pip install -e .` in this
    one.

    What it does not find: two clones of which neither is installed.
    """
    for one in origins.located:
        if _is_outside(one) and one.other:
            words = (
                f"import {one.name} takes this file, of the checkout {one.other} ({one.because})"
            )
            yield _finding(origins, one, words, Severity.ERROR)


def not_importable(origins: Origins) -> Iterator[Finding | NotChecked]:
    """A module of the project that nothing on the path supplies.

    What it finds: a top-level module of this project that the project's Python cannot import, with
    the reason: its folder is on no path, or the editable install names a folder that is gone. One
    that pyproject.toml names and this checkout does not have is a warning.

    Why it matters: tests that need it fail here, or are silently not collected.

    What to do instead: `python -m pip install -e .`, or pytest's `pythonpath = ["src"]`.

    What it does not find: dependencies that are not installed.
    """
    for one in origins.located:
        if one.origin is None and one.importer is None:
            words = f"import {one.name} finds nothing: {one.because}"
            path = one.own or os.path.join(origins.top, "pyproject.toml")
            # pyproject.toml may name a module that a build writes, or that another project has.
            severity = Severity.ERROR if one.own else Severity.WARNING
            yield _finding(origins, one._replace(origin=path), words, severity)


def namespace_shadow(origins: Origins) -> Iterator[Finding | NotChecked]:
    """A folder without `__init__` that wins over the real package.

    What it finds: a folder with the name of a module of this project, without `__init__`, that the
    import takes although the real one is in the checkout or in an editable install.

    Why it matters: the import succeeds, and everything in the package is missing. Such folders are
    what is left of a package after a branch was switched (`__pycache__`), or a data folder.

    What to do instead: remove or rename the folder.

    What it does not find: namespace packages that are meant to be ones.
    """
    for one in origins.located:
        if one.form == "namespace" and one.real:
            words = (
                f"import {one.name} takes this folder without __init__,"
                f" and not {os.path.relpath(one.real, origins.top)}"
            )
            yield _finding(origins, one, words, Severity.ERROR)


def _is_outside(one: Located) -> bool:
    return one.origin is not None and not one.inside


def _shown(path: str, origins: Origins) -> str:
    inside = path.startswith(origins.top + os.sep)
    return os.path.relpath(path, origins.top).replace(os.sep, "/") if inside else path


def _finding(origins: Origins, one: Located, words: str, severity: Severity) -> Finding:
    shown = _shown(one.origin or "", origins)
    message = words + (f"; imported by {one.importer}" if one.importer else "")
    hint = "nothing to do: this is information" if severity is Severity.INFO else None
    return Finding(Entry(shown, None), message, None, severity, importer=one.importer, hint=hint)


RULES = (
    Rule(
        "UH501", "ghost-module", Severity.ERROR,
        "a module of the project that comes from outside the checkout",
        "python -m pip install -e . (or take its folder off the path)", ghost_module,
    ),
    Rule(
        "UH502", "stale-copy", Severity.ERROR,
        "a module of the project that comes from an installed copy, which differs",
        "python -m pip install -e .", stale_copy,
    ),
    Rule(
        "UH503", "other-worktree", Severity.ERROR,
        "a module of the project that comes from another checkout of it",
        "python -m pip install -e .", other_worktree,
    ),
    Rule(
        "UH504", "not-importable", Severity.ERROR,
        "a module of the project that the project's Python cannot import",
        "python -m pip install -e .", not_importable,
    ),
    Rule(
        "UH505", "namespace-shadow", Severity.ERROR,
        "a folder without `__init__` that wins over the real package",
        "remove or rename {path}", namespace_shadow,
    ),
)  # fmt: skip
