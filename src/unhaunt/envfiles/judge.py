"""What an assignment is worth saying: a code, a severity, a message and a way out.

Pure: no IO. The codes are those of the contract, UH301 to UH305.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from unhaunt.envfiles import hints
from unhaunt.envfiles.assignment import Assignment, Effect, Reference, shown
from unhaunt.envfiles.table import Base, Format
from unhaunt.envfiles.value import (
    Element,
    Place,
    elements,
    fallback,
    inherits,
    nothing,
    site_packages,
)
from unhaunt.rule import Severity
from unhaunt.text import shortened


class Verdict(NamedTuple):
    """What one assignment gives; `hint` "" is the rule's own."""

    code: str
    message: str
    severity: Severity = Severity.WARNING
    hint: str = ""


#: pytest's own option, which is judged for elements outside the repository alone
OPTION = "pythonpath"

#: grammars of settings, which no process runs in the folder of
_MAPS = frozenset({"jsonc", "toml_text", "xml_tags", "yaml_text"})
_STRONG = frozenset(
    {"PYTHONHOME", "PYTHONUSERBASE", "PYTHONPLATLIBDIR", "PYTHONEXECUTABLE"}
    | {"__PYVENV_LAUNCHER__", "PYTHONPYCACHEPREFIX"}
)
_MEANING = {
    "PYTHONHOME": "another standard library",
    "PYTHONUSERBASE": "another user site",
    "PYTHONPLATLIBDIR": "another name for the library folder",
    "PYTHONEXECUTABLE": "another sys.executable, and with it another environment",
    "__PYVENV_LAUNCHER__": "another sys.executable, and with it another environment",
    "PYTHONPYCACHEPREFIX": "bytecode from elsewhere",
}
_INHERITED = _STRONG | {"PYTHONPATH"}
_OFF = frozenset({"0", "false", "no", "off", "n", "f"})


def judge(assignment: Assignment, row: Format, path: str) -> Verdict | None:
    """Return what to say of an assignment in `path`; None when it does nothing."""
    if assignment.effect is Effect.NOTHING:
        return Verdict("UH301", assignment.remark, Severity.INFO)
    if assignment.variable == OPTION:
        return _option(assignment, row, path)
    passes = assignment.effect is Effect.PASSES or (row.dialect.walled and _only_host(assignment))
    if passes:
        return _inherited(assignment, row) if assignment.variable in _INHERITED else None
    if nothing(assignment.value, assignment.variable):
        return None
    if assignment.variable == "PYTHONPATH":
        return _path(assignment, row, path)
    return _relative_of_path(assignment, row)


def parts_of(assignment: Assignment, row: Format, path: str) -> tuple[Element, ...]:
    """Return the elements that the variable has, with folders relative to the repository."""
    default = fallback(assignment.value)
    content = assignment.value if default is None else default
    found = elements(content, row.separator)
    if assignment.effect is Effect.EXTENDS:
        found = tuple(e for e in found if e.place is not Place.UNSET)
    return tuple(
        e._replace(place=Place.RELATIVE)
        if assignment.elsewhere and e.place is Place.OUTSIDE
        else _placed(e, row, path)
        for e in found
    )


def _placed(element: Element, row: Format, path: str) -> Element:
    """Forgive a climb that stays in the repository, seen from the file's own folder."""
    if element.place is not Place.OUTSIDE:
        return element
    climbs = element.folder.split("/").count("..")
    ci = row.base is Base.ROOT and path.startswith((".github/", ".gitlab/", ".circleci/"))
    if ci or climbs > _depth(row, path):
        return element
    return element._replace(place=Place.RELATIVE)


def _depth(row: Format, path: str) -> int:
    """Return how many folders above the base of relative elements the repository has."""
    folders = path.split("/")[:-1]
    if row.base is Base.ROOT and row.grammar in _MAPS:
        # settings in `.vscode` are of the folder that holds it
        return next((i for i, f in enumerate(folders) if f.startswith(".")), len(folders))
    return len(folders)


def _only_host(assignment: Assignment) -> bool:
    value = assignment.value
    return len(value) == 1 and isinstance(value[0], Reference) and _plain_self(value[0], assignment)


def _plain_self(reference: Reference, assignment: Assignment) -> bool:
    return reference.name == assignment.variable and not reference.word


def _inherited(assignment: Assignment, row: Format) -> Verdict:
    who = assignment.scope or row.scope
    by = f" ({assignment.remark})" if assignment.remark else ""
    message = f"the host's {assignment.variable} passes into {_article(who)}{by}"
    hint = hints.PASSED.replace("PYTHONPATH", assignment.variable)
    return Verdict("UH305", message, hint=hint)


def _article(who: str) -> str:
    return "the test environment" if who == "the tox environment" else who


def _option(assignment: Assignment, row: Format, path: str) -> Verdict | None:
    outside = [
        e
        for e in parts_of(assignment, row, path)
        if e.place in (Place.ABSOLUTE, Place.HOME, Place.OUTSIDE, Place.TILDE)
    ]
    if not outside:
        return None
    notes = "; ".join(filter(None, (_note(e, outside=True) for e in outside)))
    return Verdict(
        "UH303", f"pytest's pythonpath leaves the repository: {notes}", hint=hints.OPTION
    )


def _path(assignment: Assignment, row: Format, path: str) -> Verdict:
    found = parts_of(assignment, row, path)
    container = row.container or assignment.container
    code = _code(found, container=container)
    notes = "; ".join(_notes(assignment, found, container=container))
    message = f"{_sets(assignment, row)}: {notes}" if notes else _sets(assignment, row)
    return Verdict(code, message, hint=hints.hint(code, found, row, assignment.form or row.grammar))


def _code(found: tuple[Element, ...], *, container: bool) -> str:
    places = {e.place for e in found}
    if places & {Place.HOME, Place.TILDE, Place.OUTSIDE}:
        return "UH303"
    if Place.ABSOLUTE in places and not container:
        return "UH303"
    return "UH302" if places & {Place.EMPTY, Place.UNSET, Place.HERE} else "UH301"


def _sets(assignment: Assignment, row: Format) -> str:
    if assignment.remark.startswith("writes "):
        return f"{assignment.remark} for {assignment.scope}"
    verb = {Effect.EXTENDS: "extends", Effect.DEFAULTS: "defaults"}.get(assignment.effect, "sets")
    content = shortened(" ".join(shown(assignment.value).split()), 60)
    link = "by" if verb == "extends" else "to"
    return f'{verb} {assignment.variable} {link} "{content}" for {assignment.scope or row.scope}'


def _notes(assignment: Assignment, found: tuple[Element, ...], *, container: bool) -> Iterator[str]:
    if assignment.remark and not assignment.remark.startswith("writes "):
        yield assignment.remark
    if fallback(assignment.value) is not None or assignment.effect is Effect.DEFAULTS:
        yield "the host's value wins when it is set"
    for element in dict.fromkeys(found):
        if note := _note(element, outside=not container):
            yield note
    if inherits(assignment.value):
        yield "the old value is kept"


def _note(element: Element, *, outside: bool) -> str:
    text = shortened(element.text, 40)
    if site_packages(element.text):
        return f"{text} is the site-packages of one Python minor version"
    if element.place is Place.ABSOLUTE:
        return f"{text} is absolute" if outside else ""
    if element.place is Place.UNKNOWN:
        return "a command decides one element" if "$(" in element.text else ""
    return _NOTES[element.place].format(text)


_NOTES = {
    Place.EMPTY: "an empty element is the current directory",
    Place.UNSET: "when it was unset, an empty element is left: the current directory",
    Place.HERE: '"{}" is the current directory',
    Place.RELATIVE: "",
    Place.REPOSITORY: "",
    Place.HOME: "{} is home-dependent",
    Place.TILDE: "{} is home-dependent at best: Python does not expand the tilde",
    Place.OUTSIDE: "{} leaves the repository",
}


def _relative_of_path(assignment: Assignment, row: Format) -> Verdict | None:
    name, text = assignment.variable, shown(assignment.value).strip()
    sets = _sets(assignment, row)
    if name in _STRONG:
        hint = f"`unset {name}`, and choose the interpreter by its path"
        return Verdict("UH304", f"{sets}: {_MEANING[name]}", hint=hint)
    if name == "PYTHONSTARTUP":
        message = f"{sets}: interactive only; no effect on a test run"
        return Verdict("UH304", message, Severity.INFO)
    if name == "PYTHONWARNINGS":
        return _warnings(text, sets)
    if name == "PYTHONOPTIMIZE":
        plain = text.lstrip("-").isdigit() and int(text) <= 0
        note = "assert statements are left out"
        return None if plain else Verdict("UH304", f"{sets}: {note}", hint="unset PYTHONOPTIMIZE")
    return _switch(name, text, sets)


def _warnings(text: str, sets: str) -> Verdict | None:
    """Judge PYTHONWARNINGS: a dotted category is imported while Python starts."""
    categories = (part.split(":")[2:3] for part in text.split(","))
    dotted = [c[0].strip() for c in categories if c and re.fullmatch(r"\s*\w+(\.\w+)+\s*", c[0])]
    if not dotted:
        return None
    note = f"{shortened(dotted[0], 40)} is imported at startup"
    hint = "put the filter into the test runner's own configuration (pytest: filterwarnings)"
    return Verdict("UH304", f"{sets}: {note}", hint=hint)


def _switch(name: str, text: str, sets: str) -> Verdict | None:
    """Judge PYTHONNOUSERSITE and PYTHONSAFEPATH, which are good when they do what they say."""
    if name == "PYTHONNOUSERSITE" and text.lstrip("-").isdigit() and int(text) == 0:
        note = "0 leaves the user site on; 1 turns it off"
    elif text.lower() in _OFF:
        note = "any such text turns it on"
    else:
        return None
    return Verdict("UH304", f"{sets}: {note}", Severity.INFO, f"write `{name}=1`, or unset it")
