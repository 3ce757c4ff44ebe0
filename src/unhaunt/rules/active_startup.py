"""UH401-UH405: the code that runs before line 1 of every program of an interpreter."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from unhaunt.audits.audit import Audit, Owner, Verdict, found, merged, worst
from unhaunt.audits.payload import DECODED, Judge
from unhaunt.rule import Finding, NotChecked, Rule, Severity
from unhaunt.text import shortened

Row = Mapping[str, Any]


def startup_module_active(audit: Audit) -> Iterator[Finding | NotChecked]:
    """A sitecustomize or usercustomize that this interpreter would run.

    What it finds: the module that `import sitecustomize` or `import usercustomize` would take at
    the start of this Python, in every form (source, package, bytecode, extension module, in a
    zip), with its owner and hash, and what it shadows. Unowned or modified is an error; listed
    without a hash a warning; owned and unmodified information, unless it has signs of a payload.

    Why it matters: it runs before the first line of every program, `-I` included, and can change
    what each later import means.

    What to do instead: find out who put it there (the message names the folder and the owner); if
    nobody should have, remove it. A sandbox's own is accepted by its operator, by content.

    What it does not find: what such a module imports in turn, beyond its first imports (UH404).
    """
    rows, judge = _startup(audit)["modules"] or (), Judge()
    for row in rows:
        if row["state"] == "loaded":
            yield _module(audit, row, rows, judge)
        elif not row["state"].startswith("shadowed"):
            yield found(audit, row["path"], f"{row['module']}: {row['state']}", Severity.INFO)


def _module(audit: Audit, row: Row, rows: Sequence[Row], judge: Judge) -> Finding:
    owner = _owner(audit, row)
    seen = judge.signs(audit.source(row["path"])) if row["path"].endswith(".py") else ()
    severity = worst(owner.severity, *([Severity.ERROR] if seen else []))
    if row["form"] in ("bytecode", "zip entry", "extension module"):
        severity = worst(severity, Severity.WARNING)
    others = [r["path"] for r in rows if r["module"] == row["module"] and r["state"] == "shadowed"]
    words = f"import {row['module']} runs this {row['form']} at every start: {owner.words}"
    words += _said(seen) + (f"; it shadows {', '.join(others)}" if others else "")
    return found(audit, row["path"], f"{words} ({_hash(row)})", severity)


def _owner(audit: Audit, row: Row) -> Owner:
    owner = audit.owner(row["path"])
    return _tracked(audit, row["path"], owner)


def _tracked(audit: Audit, path: str, owner: Owner) -> Owner:
    """Take a file of an editable install for what it is: the project's own, when git has it."""
    if owner.verdict is not Verdict.UNOWNED:
        return owner
    for folder, name in audit.editable:
        if path.startswith(folder + os.sep) and "-packages" not in path[len(folder) :]:
            return Owner(Verdict.KNOWN if audit.has(path) else Verdict.EDITABLE, name)
    return owner


def pth_code_active(audit: Audit) -> Iterator[Finding | NotChecked]:
    """A `.pth` line that this interpreter would execute.

    What it finds: every `.pth` with an import line, by the rules of this very version, in each
    folder that this Python reads as a site-packages. Unowned, or owned and modified: an error.
    Owned and unmodified, or known by its exact content: information, never innocence; signs of a
    payload (decoded text that is executed, network, processes, the whole environment, long
    encoded text) make it an error, and their absence proves nothing.

    Why it matters: the line runs at every start of this Python, `-I` included. Wheels that were
    hijacked had theirs in RECORD, so an owner is no proof.

    What to do instead: `python -m pip uninstall` the owner, or remove the file.

    What it does not find: `.pth` files in folders that no Python reads for them (PYTHONPATH), and
    what the module behind the line does (UH404 looks at that file).
    """
    rows, judge = _startup(audit)["pth"] or (), Judge()
    for row in rows:
        lines = [line for line in row["lines"] if line["kind"] == "exec"]
        if lines:
            yield _code(audit, row, lines, "executes at every start", judge)
    yield from _unlisted(audit, rows)


def _code(audit: Audit, row: Row, lines: list[Row], verb: str, judge: Judge) -> Finding:
    owner = _owner(audit, row)
    texts = dict.fromkeys(line["text"] for line in lines)
    seen = tuple(dict.fromkeys(s for text in texts for s in judge.signs(text.encode())))
    severity = worst(owner.severity, *([Severity.ERROR] if seen else []))
    more = f" (and {len(lines) - 1} more lines)" if len(lines) > 1 else ""
    words = f"this Python {verb}: {shortened(lines[0]['text'].strip())}{more}; {owner.words}"
    words += f"{_said(seen)} ({_hash(row)})"
    return found(audit, row["path"], words, severity, lines[0]["line"])


def _unlisted(audit: Audit, rows: Sequence[Row]) -> Iterator[Finding]:
    """Yield the files whose lines ran in the dry run, and that are too large to be listed."""
    listed = {row["path"] for row in rows if row["lines"]}
    ran = dict(reversed(_startup(audit).get("executed") or ()))
    for file in sorted(file for file in ran if file and file not in listed):
        words = f"this Python executes at every start: {shortened(ran[file].strip())}"
        yield found(audit, file, f"{words}; too large to be judged", Severity.ERROR)


def start_entry_active(audit: Audit) -> Iterator[Finding | NotChecked]:
    """A `.start` entry point that this interpreter would call (Python 3.15 and newer).

    What it finds: every `.start` file (PEP 829) with a valid entry point in a folder that this
    Python reads; the same ladder as for `.pth` code.

    Why it matters: the function is called at every start of this Python, `-I` included.

    What to do instead: `python -m pip uninstall` the owner, or remove the file.

    What it does not find: anything on Python 3.14 and older, which do not know these files
    (`unhaunt check forbid-startup-files` finds them in a repository).
    """
    judge = Judge()
    for row in _startup(audit)["start"] or ():
        lines = [line for line in row["lines"] if line["kind"] == "call"]
        if lines:
            yield _code(audit, row, lines, "calls at every start", judge)


def startup_target_unverified(audit: Audit) -> Iterator[Finding | NotChecked]:
    """What a startup line imports resolves to a file that nobody vouches for.

    What it finds: the file that each import of a `.pth` line, a `.start` entry point or a startup
    module would really take on this interpreter's path, when no package owns it, or it was
    modified. A name that nothing supplies is information: whoever can write to the path supplies
    it.

    Why it matters: `import _virtualenv` is harmless, and so is its owner; a `_virtualenv.py` that
    was planted earlier on the path runs all the same, before line 1.

    What to do instead: remove the file, or reinstall the package that should own it
    (`python -m pip install --force-reinstall --no-deps NAME`).

    What it does not find: what the file imports in turn: `--verify-installed` (UH413) hashes
    everything. Built-in and frozen names, which no file can replace. Code that is too large, or
    imports too much, is not followed to its end, which is a finding.
    """
    startup = _startup(audit)
    findings: list[Finding] = []
    judge = functools.cache(functools.partial(_judged, audit, Judge()))  # many lines, one file
    files = (*(startup["pth"] or ()), *(startup["start"] or ()))
    for row in startup["modules"] or ():
        findings += [_target(audit, one, row["path"], judge) for one in row.get("imports", ())]
    for row in files:
        for line in row["lines"]:
            place = f"{row['path']}:{line['line']}"
            findings += [_target(audit, one, place, judge) for one in line.get("imports", ())]
    for row in (*(startup["modules"] or ()), *files):
        if row.get("unfollowed"):
            words = f"not everything that it imports was followed: {row['unfollowed']}"
            severity = worst(_owner(audit, row).severity, Severity.WARNING)
            findings.append(found(audit, row["path"], words, severity))
    yield from merged(findings)


def _judged(audit: Audit, judge: Judge, origin: str) -> tuple[Owner, tuple[str, ...]]:
    """Return the owner of a file, and the signs that count for one that is imported."""
    owner = _tracked(audit, origin, audit.owner(origin))
    return owner, tuple(s for s in judge.signs(audit.source(origin)) if s == DECODED)


def _target(
    audit: Audit, one: Row, place: str, judge: Callable[[str], tuple[Owner, tuple[str, ...]]]
) -> Finding:
    origin, by = one["origin"], f"{audit.shown(place)} imports {one['module']}"
    if origin is None:
        words = f"imports {one['module']}, which nothing supplies: who can write to the path can"
        return found(audit, place.rpartition(":")[0] or place, words, Severity.INFO)
    if os.path.isdir(origin):
        return found(audit, origin, f"{by}: a folder without __init__, no code", Severity.INFO)
    owner, seen = judge(origin)
    severity = worst(owner.severity, *([Severity.ERROR] if seen else []))
    return found(audit, origin, f"{by}: {owner.words}{_said(seen)} ({_hash(one)})", severity)


def start_suppresses_pth(audit: Audit) -> Iterator[Finding | NotChecked]:
    """A `.start` file that silences the `.pth` of another owner.

    What it finds: on Python 3.15 and newer, a `.start` beside a `.pth` of the same name with import
    lines, when the two have not the same owner; an empty one silences too.

    Why it matters: it switches a package's own hook off (coverage of child processes, a
    certificate store), without a message.

    What to do instead: remove the `.start` file.

    What it does not find: one that its own package installed beside its `.pth`, which is how a
    package supports both.
    """
    for row in _startup(audit)["pth"] or ():
        muted = [line for line in row["lines"] if line["kind"] == "muted"]
        if muted:
            path = row["path"].removesuffix(".pth") + ".start"
            mine, theirs = audit.owner(path), audit.owner(row["path"])
            same = mine.name == theirs.name and mine.verdict is Verdict.UNMODIFIED
            severity = Severity.INFO if same else Severity.ERROR
            words = f"silences {len(muted)} import lines of {os.path.basename(row['path'])}"
            theirs_too = "" if same else f"; that file: {theirs.words}"
            yield found(audit, path, f"{words}; {mine.words}{theirs_too}", severity)


def _said(seen: tuple[str, ...]) -> str:
    return f"; signs of a payload: {', '.join(seen)}" if seen else ""


def _hash(row: Row) -> str:
    return f"sha256 {row['sha256'] or 'unknown'}"


def _startup(audit: Audit) -> Row:
    empty: Row = dict.fromkeys(("modules", "pth", "start"))
    return audit.facts["startup"] or empty


_REMOVE = "find out who put it there; if nobody should have: rm {path}"

RULES = (
    Rule(
        "UH401", "startup-module-active", Severity.ERROR,
        "a `sitecustomize` or `usercustomize` that the project's Python would run",
        _REMOVE, startup_module_active,
    ),
    Rule(
        "UH402", "pth-code-active", Severity.ERROR,
        "a `.pth` line that the project's Python would execute",
        _REMOVE, pth_code_active,
    ),
    Rule(
        "UH403", "start-entry-active", Severity.ERROR,
        "a `.start` entry point that the project's Python would call",
        _REMOVE, start_entry_active,
    ),
    Rule(
        "UH404", "startup-target-unverified", Severity.ERROR,
        "what a startup line imports is a file that is unowned or modified",
        "remove it, or reinstall its package: look at {path}", startup_target_unverified,
    ),
    Rule(
        "UH405", "start-suppresses-pth", Severity.ERROR,
        "a `.start` file that silences another owner's `.pth`",
        "rm {path}", start_suppresses_pth,
    ),
)  # fmt: skip
