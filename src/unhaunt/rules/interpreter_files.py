"""UH411-UH414: files of an interpreter that are not what they should be."""

from __future__ import annotations

from collections.abc import Iterator

from unhaunt.audits.audit import Audit, found, merged
from unhaunt.rule import Finding, NotChecked, Rule, Severity


def bytecode_mismatch(audit: Audit) -> Iterator[Finding | NotChecked]:
    """Bytecode of startup code that does not come from its source.

    What it finds: the `.pyc` of a startup module, and of each module that a startup line imports,
    when the import system would load it (its header fits, or says that nobody should look) and it
    is not what this Python compiles the source to. It is compared in a child of this very Python,
    under -I -S, and never run.

    Why it matters: the import system trusts the header. The source that everybody reads is then
    not the program that runs.

    What to do instead: remove the `.pyc`.

    What it does not find: bytecode of other modules (`--verify-installed` compares files with
    RECORD, which has no hashes of bytecode), bytecode that would be compiled anew.
    """
    startup = audit.facts["startup"] or {}
    rows = [row for row in startup.get("modules") or () if row["state"] == "loaded"]
    sources = [row["path"] for row in rows]
    files = [row for kind in ("pth", "start") for row in startup.get(kind) or ()]
    lines = [line for row in files for line in row["lines"]]
    for holder in (*rows, *lines):
        sources += [one["origin"] for one in holder.get("imports", ()) if one["origin"]]
    for path, reason in audit.bytecode(sources):
        yield found(audit, path, f"would be loaded, and {reason}", Severity.ERROR)


def startup_unreadable(audit: Audit) -> Iterator[Finding | NotChecked]:
    """A startup file that Python cannot read.

    What it finds: a `.pth` or `.start` that is no regular file (Python hangs at each start), that
    cannot be decoded (Python does not start), that is too large to be judged, or a link that leads
    nowhere (a warning).

    Why it matters: every program of this Python ends or hangs before its first line, or would run
    what somebody puts at the end of the link.

    What to do instead: remove the file.

    What it does not find: files that some other version of Python could not read.
    """
    findings = []
    for path, reason, ends in audit.unreadable:
        findings.append(found(audit, path, reason, Severity.ERROR if ends else Severity.WARNING))
    yield from merged(findings)


def installed_file_modified(audit: Audit) -> Iterator[Finding | NotChecked]:
    """An installed file that is not as its package installed it; with --verify-installed.

    What it finds: every file whose hash differs from its RECORD (code: an error; data, and files
    that are gone: a warning), and modules in the site-packages that no package owns (a warning).

    Why it matters: a package that was edited in place is in no lock file and no commit, and a
    module that was dropped beside it is imported like any other.

    What to do instead: `python -m pip install --force-reinstall --no-deps NAME`.

    What it does not find: a package whose RECORD was rewritten with it (compare with the hashes of
    the lock file), files without a hash in RECORD, the standard library.
    """
    for item in audit.differing():
        yield found(audit, item.path, item.reason, item.severity)


def activation_sets_python(audit: Audit) -> Iterator[Finding | NotChecked]:
    """Activation that sets a variable of Python's.

    What it finds: conda's `env_vars.d`, `conda-meta/state` and `activate.d`, and the `activate`
    scripts of a virtual environment, when they set PYTHONPATH or another variable that Python
    reads.

    Why it matters: the same interpreter then does something else in an activated shell than
    called by its path, as hooks, IDEs and CI call it.

    What to do instead: `conda env config vars unset NAME`, or take the line out of the script.

    What it does not find: shell profiles (`unhaunt fingerprint` reads them), variables that a
    script computes.
    """
    for path, names in audit.activation:
        words = f"sets {names} whenever this environment is activated"
        yield found(audit, path, words, Severity.WARNING)


RULES = (
    Rule(
        "UH411", "bytecode-mismatch", Severity.ERROR,
        "bytecode of startup code that does not come from its source",
        "rm {path}", bytecode_mismatch,
    ),
    Rule(
        "UH412", "startup-unreadable", Severity.ERROR,
        "a startup file with which this Python does not start, or hangs",
        "rm {path}", startup_unreadable,
    ),
    Rule(
        "UH413", "installed-file-modified", Severity.ERROR,
        "`--verify-installed`: a file that differs from RECORD, or a module that nobody owns",
        "reinstall its package: python -m pip install --force-reinstall --no-deps NAME",
        installed_file_modified,
    ),
    Rule(
        "UH414", "activation-sets-python", Severity.WARNING,
        "activation of the environment sets a Python variable",
        "look at {path}", activation_sets_python,
    ),
)  # fmt: skip
