"""Which row of the table reads a file: by its name, its `#!` line, or the tags of `identify`.

Pure: no IO. Prose and sources are no env files, whatever they mention.
"""

from __future__ import annotations

import re
from fnmatch import fnmatchcase

from unhaunt.envfiles.assignment import words
from unhaunt.envfiles.table import BY_TAG, FORMATS, Format

_BY_SUFFIX = {
    "json": "json", "json5": "json", "jsonc": "json", "yml": "yaml", "yaml": "yaml", "sls": "yaml",
    "toml": "toml", "ini": "ini", "cfg": "ini", "conf": "ini", "cnf": "ini", "xml": "xml",
}  # fmt: skip

#: text for people, and sources: they set nothing that a checkout's processes get
_PROSE_NAMES = words(
    """readme* news license* licence* changelog* changes* authors* contributing* todo* copying*
    notice* hacking* thanks* credits* copyright* releasing* maintainers* codeowners pkg-info
    metadata"""
)
_PROSE_CAPITALS = words(
    "install* version* history* sources* record manifest news* faq* notes* usage*"
)
_PROSE_SUFFIXES = words(
    """md markdown mdx rst txt text adoc asciidoc org tex html htm css po pot mo log diff patch
    csv tsv jsonl ndjson svg man 1 2 3 4 5 6 7 8 9 pod texi texinfo lock sum robot feature snap
    py pyi pyx pxd pyw pth ipy c h cc cpp cxx hpp hh java kt scala js mjs cjs ts tsx jsx vue go rs
    rb pl pm php r jl cs fs swift m mm sql proto graphql el vim hs ml erl ex exs dart tcl awk sed
    f f90 i swg def.h asm s cl cu bzl star build bazel m4 guess sub pdf png gif whl zip gz"""
)
_PROGRAMS = {"tcsh": "csh", "pwsh": "powershell", "make": "makefile", "gmake": "makefile"}
#: forms for people, which no runner reads
_PROSE_FOLDERS = ("/issue_template/", "/pull_request_template/", "/discussion_template/")
#: how the first line that is no comment begins; compiled when one is asked for, which is rare
_LOOKS = {
    "xml": r"<[?!\w]",
    "json": r"\{",
    "ini": r"\[[\w.: -]+\]\s*$",
    "yaml": r"---\s|(?:- )?[\w.$-]+:(?:\s|$)",
}
_COMMENTS = ("#", ";", "//", "/*")
_TEMPLATE_SUFFIXES = words(
    """.j2 .jinja .jinja2 .tmpl .tpl .in .erb .template .example .sample .dist .default .gotmpl
    .mustache .epp .bak .orig .inc"""
)


def choose(path: str, head: str) -> Format | None:
    """Return the row for `path`; `head` is the beginning of the text. None: not an env file."""
    name = path.rpartition("/")[2].lower()
    if any(folder in f"/{path.lower()}" for folder in _PROSE_FOLDERS):
        return None
    row = _row(path.lower(), name)
    if row is not None:
        return row
    for suffix in _TEMPLATE_SUFFIXES:
        if name.endswith(suffix) and len(name) > len(suffix):
            return choose(path[: -len(suffix)], head)
    if _is_prose(path.rpartition("/")[2], head):
        return None
    return _by_tag(path, name, head)


def _row(path: str, name: str) -> Format | None:
    for row in FORMATS:
        for pattern in row.patterns.split():
            if "/" in pattern:
                if fnmatchcase(f"/{path}", f"*/{pattern.removeprefix('*')}"):
                    return row
            elif fnmatchcase(name, pattern):
                return row
    return None


def _is_prose(name: str, head: str) -> bool:
    low = name.lower()
    if not _is_bare(low):
        return low.rpartition(".")[2] in _PROSE_SUFFIXES
    # `install` is a script as often as INSTALL is none
    patterns = _PROSE_NAMES | _PROSE_CAPITALS if name.isupper() else _PROSE_NAMES
    return not head.startswith("#!") and any(fnmatchcase(low, p) for p in patterns)


def _is_bare(name: str) -> bool:
    return "." not in name[1:]


def _by_tag(path: str, name: str, head: str) -> Format | None:
    suffix = _BY_SUFFIX.get(name.rpartition(".")[2])
    if suffix:
        return BY_TAG[suffix]
    program = _program(head)
    if program:
        return BY_TAG.get(_PROGRAMS.get(program, program))
    from identify.identify import tags_from_filename

    tags = tags_from_filename(name)
    found = next((row for tag, row in BY_TAG.items() if tag in tags), None)
    if found is not None or tags:
        return found
    kind = "shell" if _is_bare(name) else _look(head)
    return BY_TAG[kind]._replace(guessed=True) if kind else None


def _look(head: str) -> str:
    """Return what a text of an unknown extension looks like, by its first line that says it."""
    lines = (line.strip() for line in head.splitlines())
    first = next((line for line in lines if line and not line.startswith(_COMMENTS)), "")
    return next((kind for kind, pattern in _LOOKS.items() if re.match(pattern, first)), "")


def _program(head: str) -> str | None:
    """Return the program of a `#!` line."""
    if not head.startswith("#!"):
        return None
    words = head[2:].split("\n", 1)[0].split()
    names = [w.rpartition("/")[2] for w in words]
    program = next((n for n in names if n not in ("env", "-S") and "=" not in n), "")
    return program or None
