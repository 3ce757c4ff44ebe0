"""The part of a fingerprint that decides behaviour, and its digest. Pure: no IO.

Not in it: flags of the probe itself, binaries, shebangs, an empty user site, the repository's
state, and every folder that may be another one on another box (see `words`).
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator
from sys import intern
from typing import Any

from unhaunt.fingerprints.words import Words

Facts = dict[str, Any]

#: variables of a row that do not change what a run does, or that are judged by what they do
NEUTRAL = frozenset(
    [
        "PYTHONPATH",
        "PYTHONNOUSERSITE",
        "PYTHONUSERBASE",
        "PYTHONSAFEPATH",
        "PYTHONDONTWRITEBYTECODE",
        "PYTHONUNBUFFERED",
        "PYTHONFAULTHANDLER",
        "PYTHONSTARTUP",
        "PYTHONINSPECT",
        "PYTHONBREAKPOINT",
        "PYTHON_COLORS",
        "PYTHON_HISTORY",
        "PYTHON_BASIC_REPL",
        "PYTHONCASEOK",
        "PYTEST_CURRENT_TEST",
    ]
)
#: variables that change a run, besides PYTHON*
RELEVANT = re.compile(
    "PYTHON|__PYVENV_LAUNCHER__$|LD_PRELOAD$|LD_LIBRARY_PATH$|LD_AUDIT$|DYLD_|PYTEST_ADDOPTS$"
    "|PYTEST_PLUGINS$|PYTEST_DISABLE_PLUGIN_AUTOLOAD$|DJANGO_SETTINGS_MODULE$|TZ$"
    "|COVERAGE_PROCESS|COV_CORE|AUTOWRAPT_"
    "|BETTER_EXCEPTIONS$|SETUPTOOLS_USE_DISTUTILS$|[A-Z]+_NUM_THREADS$"
)
#: flags that change a run, and their value in a start without any
FLAGS = {
    "optimize": 0,
    "dev_mode": False,
    "utf8_mode": None,
    "bytes_warning": 0,
    "lazy_imports": None,
}
#: kinds of lines that run something
RUNS = ("exec", "call")


def digest(facts: Facts) -> str:
    """Return the hash of what decides behaviour."""
    return digest_of(comparable(facts))


def digest_of(rows: Facts) -> str:
    """Return the hash of a comparable part."""
    text = json.dumps(rows, sort_keys=True, separators=(",", ":"))
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def comparable(facts: Facts) -> Facts:
    """Return the facts that decide behaviour, by name. A fact that is missing is unknown."""
    words = Words(facts)
    made: Facts = {}
    for part in (_identity, _path, _startup, _settings, _distributions, _modules):
        made.update(part(facts, words))
    return made


def _identity(facts: Facts, words: Words) -> Iterator[tuple[str, object]]:
    interpreter = facts.get("interpreter") or {}
    for name in ("version", "implementation", "in_venv", "gil", "debug"):
        if interpreter.get(name) is not None:
            yield f"interpreter.{name}", interpreter[name]
    if "platform" in interpreter:
        yield (
            "interpreter.platform",
            f"{interpreter['platform']} {interpreter.get('machine', '')}".strip(),
        )


def pythonpath(facts: Facts, words: Words) -> list[str] | None:
    """Return the elements of PYTHONPATH in words; None when it is unset or empty."""
    value = (facts.get("environment") or {}).get("PYTHONPATH")
    if not value:
        return None
    separator = ";" if (facts.get("interpreter") or {}).get("platform") == "win32" else ":"
    cwd = (facts.get("process") or {}).get("cwd") or "."
    elements = value.split(separator)
    return [
        "<current directory>" if not e else words(os.path.normpath(os.path.join(cwd, e)))
        for e in elements
    ]


def _path(facts: Facts, words: Words) -> Iterator[tuple[str, object]]:
    if facts.get("environment") is not None:
        yield "PYTHONPATH", pythonpath(facts, words)
    if facts.get("path") is not None:
        yield "path", [words(row["entry"]) for row in facts["path"] if row.get("exists", True)]


def _startup(facts: Facts, words: Words) -> Iterator[tuple[str, object]]:
    startup = facts.get("startup") or {}
    if startup.get("modules") is not None:
        yield (
            "startup.modules",
            [_module(row) for row in startup["modules"] if row.get("state", "loaded") == "loaded"],
        )
    for kind in ("pth", "start"):
        if startup.get(kind) is not None:
            yield f"startup.{kind}", [_startup_file(row) for row in startup[kind] if _runs(row)]


def _module(row: Facts) -> list[object]:
    imports = row.get("imports")
    found = None if imports is None else sorted([m["module"], m.get("sha256")] for m in imports)
    return [row.get("module"), row.get("form"), row.get("sha256"), found]


def _runs(row: Facts) -> bool:
    return any(line["kind"] in RUNS for line in row.get("lines", ()))


def _startup_file(row: Facts) -> list[object]:
    lines = [line for line in row["lines"] if line["kind"] in RUNS]
    imports = {m["module"]: m.get("sha256") for line in lines for m in line.get("imports", ())}
    # The finder that setuptools writes for an editable install holds the checkout's own folder.
    known = sorted([m, None if m.startswith("__editable___") else h] for m, h in imports.items())
    unread = any("imports" not in line for line in lines)
    texts = [line["text"] for line in lines]
    return [os.path.basename(row["path"]), texts, None if unread else known]


def _settings(facts: Facts, words: Words) -> Iterator[tuple[str, object]]:
    for name, value in sorted((facts.get("environment") or {}).items()):
        if RELEVANT.match(name) and name not in NEUTRAL and value:
            yield f"variable.{name}", words.inside(value)
    if "as-run" in facts.get("sides", ()):
        flags = facts["interpreter"].get("flags", {})
        for name, usual in FLAGS.items():
            if name in flags and flags[name] != usual:
                yield f"flag.{name}", flags[name]


def _distributions(facts: Facts, words: Words) -> Iterator[tuple[str, object]]:
    if facts.get("distributions") is None:
        return
    for row in facts["distributions"]:
        if not row.get("shadowed"):
            # A thousand fingerprints say the same words: each is kept once.
            state = intern(row.get("state") or "not checked")
            changed = tuple(sorted(row.get("files", ()))) if state == "modified" else ()
            yield (
                intern(f"distribution.{row['name']}"),
                (intern(row["version"] or "?"), state, changed),
            )


def _modules(facts: Facts, words: Words) -> Iterator[tuple[str, object]]:
    """Yield the modules that no distribution lists, by the entry of the path that has them."""
    for row in facts.get("modules") or ():
        hashes = (f"{name} {value or '?'}" for name, value in row["hashes"].items())
        yield f"modules.{words(row['entry'])}", [intern(text) for text in sorted(hashes)]
