"""UH409, UH410: what redirects an interpreter, and an environment that is not what it seems."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from unhaunt.audits.audit import Audit, Facts, found, merged
from unhaunt.rule import Finding, NotChecked, Rule, Severity
from unhaunt.text import shortened

#: variable -> (severity, what it does)
_VARIABLES = {
    "PYTHONEXECUTABLE": (Severity.ERROR, "decides what this Python believes it is"),
    "__PYVENV_LAUNCHER__": (Severity.ERROR, "decides what this Python believes it is"),
    "PYTHONHOME": (Severity.ERROR, "the standard library comes from there"),
    "PYTHONPLATLIBDIR": (Severity.WARNING, "changes where the standard library is looked for"),
    "PYTHONPYCACHEPREFIX": (
        Severity.WARNING,
        "bytecode comes from there, and wins over sources",
    ),
}


def interpreter_redirected(audit: Audit) -> Iterator[Finding | NotChecked]:
    """Files and variables that make an interpreter take its modules from somewhere else.

    What it finds: `NAME._pth` beside the interpreter or a link that leads to it, `pybuilddir.txt`,
    `pythonXY.zip` before the standard library, modules in the standard library's folders that are
    none of its own and that no package owns; PYTHONEXECUTABLE, `__PYVENV_LAUNCHER__`, PYTHONHOME,
    PYTHONPLATLIBDIR, PYTHONPYCACHEPREFIX, and PYTHONWARNINGS with a dotted category.

    Why it matters: these work before `site`, most of them under `-I` and even `-I -S`.

    What to do instead: remove the file, or `unset` the variable.

    What it does not find: changed files of the standard library itself: no list says what they
    should be (a distributor's `dpkg --verify` does); LD_PRELOAD and its like.
    """
    findings = [found(audit, path, reason, Severity.ERROR) for path, reason in audit.hazards]
    findings += list(_foreign(audit))
    for name, (severity, words) in _VARIABLES.items():
        value = audit.env.get(name)
        if value:
            text = f"{name}={shortened(value)} is set: {words}"
            findings.append(found(audit, audit.executable, text, severity))
    if re.search(r"(^|[:,])[^:,]*:[^:,]*:\w+\.\w", audit.env.get("PYTHONWARNINGS", "")):
        text = "PYTHONWARNINGS has a dotted category: that module is imported before line 1"
        findings.append(found(audit, audit.executable, text, Severity.WARNING))
    yield from merged(findings)


def _foreign(audit: Audit) -> Iterator[Finding]:
    for path in audit.foreign:
        owner = audit.owner(path)
        words = f"in a folder of the standard library, and none of its modules; {owner.words}"
        yield found(audit, path, words, owner.severity)


def environment_anomaly(audit: Audit) -> Iterator[Finding | NotChecked]:
    """An environment that is not what it seems.

    What it finds: a `pyvenv.cfg` whose `home` is not where the interpreter's own links lead (an
    error: the standard library comes from there), without `home`, without
    `include-system-site-packages` or with it on, for another version, with a key twice; VIRTUAL_ENV
    or CONDA_PREFIX that names another environment than the interpreter's own, or both at once.

    Why it matters: a half-made environment lets in the packages of its base and the user site; a
    variable that lies makes pip, IDEs and people look at another environment than the one in use.

    What to do instead: make it anew: `python -m venv --clear .venv`; `deactivate` the other one.

    What it does not find: what is installed in it (`unhaunt fingerprint` says).
    """
    yield from merged([*_pyvenv(audit), *_liars(audit)])


def _pyvenv(audit: Audit) -> Iterator[Finding]:
    config = audit.pyvenv
    prefix = audit.facts["interpreter"]["prefix"]
    is_conda = os.path.isfile(os.path.join(prefix, "conda-meta", "history"))
    if config and audit.stray_home:
        words = f"home is {shortened(audit.stray_home)}, where its interpreter does not lead"
        yield found(audit, config["path"], words, Severity.ERROR)
    if config and is_conda:
        yield found(audit, config["path"], "in a conda environment: user site off", Severity.INFO)
    elif config:
        version = str(audit.facts["interpreter"]["version"])
        for words in _odd(config, version):
            yield found(audit, config["path"], words, Severity.WARNING)


def _odd(config: Facts, version: str) -> Iterator[str]:
    values, keys = config["values"], config["keys"]
    if not values.get("home"):
        yield "has no home: this is a half-made environment"
    system = values.get("include-system-site-packages")
    if system is None:
        yield "lacks include-system-site-packages: the base's packages and the user site leak in"
    elif system.lower() == "true":
        yield "lets the base's packages and the user site in"
    for key in sorted({key for key in keys if keys.count(key) > 1}):
        yield f"has {shortened(key)} more than once"
    told = values.get("version") or values.get("version_info", "")
    if told and told.split(".")[:2] != version.split(".")[:2]:
        yield f"is for {shortened(told)}, this Python is {version}"


def _liars(audit: Audit) -> Iterator[Finding]:
    prefix = os.path.realpath(audit.facts["interpreter"]["prefix"])
    # The runner of a hook sets VIRTUAL_ENV for its own environment.
    names = ["CONDA_PREFIX"] if audit.env.get("PRE_COMMIT") else ["VIRTUAL_ENV", "CONDA_PREFIX"]
    values = {name: audit.env[name] for name in names if audit.env.get(name)}
    for name, value in values.items():
        if os.path.realpath(value) != prefix:
            words = f"{name}={shortened(value)} is set, and this Python is another environment's"
            yield found(audit, audit.executable, words, Severity.WARNING)
    if len(values) > 1:
        words = "VIRTUAL_ENV and CONDA_PREFIX are both set"
        yield found(audit, audit.executable, words, Severity.WARNING)


RULES = (
    Rule(
        "UH409", "interpreter-redirected", Severity.ERROR,
        "a `._pth`, a zip, a foreign module or a variable that redirects the project's Python",
        "remove it, or unset the variable: look at {path}", interpreter_redirected,
    ),
    Rule(
        "UH410", "environment-anomaly", Severity.WARNING,
        "a `pyvenv.cfg` that is not as it should be, VIRTUAL_ENV or CONDA_PREFIX that lies",
        "make the environment anew, or deactivate the other one", environment_anomaly,
    ),
)  # fmt: skip
