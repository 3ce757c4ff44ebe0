"""What decides how a Python imports, put together from what its probe said. Pure: no IO.

The keys are a promise (`--format json`): they may be added, never changed. `digest` is over
`comparable`, in which folders that differ from box to box are replaced by words.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from unhaunt.because import reasons, unexplained
from unhaunt.errors import UserError

Facts = dict[str, Any]

SCHEMA = "unhaunt.fingerprint/1"
PROBE_SCHEMA = "unhaunt.probe/1"

#: variables of a row that do not change what a run does, or that are judged by what they do
NEUTRAL = frozenset(
    "PYTHONPATH PYTHONNOUSERSITE PYTHONUSERBASE PYTHONSAFEPATH PYTHONDONTWRITEBYTECODE PYTHONUNBUFFERED"
    " PYTHONFAULTHANDLER PYTHONSTARTUP PYTHONINSPECT PYTHONBREAKPOINT PYTHON_COLORS PYTHON_HISTORY"
    " PYTHON_BASIC_REPL PYTHONCASEOK PYTEST_CURRENT_TEST".split()
)
#: variables that change a run, besides PYTHON*
RELEVANT = re.compile(
    "PYTHON|__PYVENV_LAUNCHER__$|LD_PRELOAD$|LD_LIBRARY_PATH$|LD_AUDIT$|DYLD_|PYTEST_ADDOPTS$|PYTEST_PLUGINS$"
    "|PYTEST_DISABLE_PLUGIN_AUTOLOAD$|DJANGO_SETTINGS_MODULE$|TZ$|COVERAGE_PROCESS|COV_CORE|AUTOWRAPT_"
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


def complete(derived: Facts | None, own: Facts | None, around: Facts) -> Facts:
    """Join what was derived, what the process said of itself, and what surrounds them.

    Either side may be missing, not both; `around` holds `repository`, `profiles`, `surroundings`,
    `unknown` and `noise`. What a process said of its own path is nearer to the truth than what
    was derived; what was derived is nearer for files, because nothing could have hidden them.
    """
    first, live = derived or own, own or derived
    if first is None or live is None:
        raise ValueError("a fingerprint needs one side at least")
    repository = around.get("repository")
    made: Facts = {
        "schema": SCHEMA,
        "interpreter": live["interpreter"],
        "environment": live["environment"],
        "process": live["process"],
        "path": reasons(live, first, (repository or {}).get("toplevel")),
        "startup": startup(first, live),
        "hooks": live["hooks"] or {"meta_path": None, "path_hooks": None},
        "loaded_before_main": live["loaded_before_main"],
        "distributions": first["distributions"],
        "repository": repository,
        "profiles": around.get("profiles", []),
        "surroundings": around.get("surroundings", {}),
        "sides": [name for name, side in (("derived", derived), ("as-run", own)) if side],
        "unexplained": unexplained(derived, own),
        "unknown": _unknown(derived, own, around),
        "noise": around.get("noise", ""),
    }
    return made | {"digest": digest(made)}


def startup(first: Facts, live: Facts) -> Facts:
    """Return the startup part, with how the user site really stands in the process."""
    found: Facts = dict(
        first["startup"] or {"modules": [], "pth": [], "start": [], "user_site": None}
    )
    if live["startup"]:
        found["user_site"] = live["startup"]["user_site"]
    return found


def _unknown(derived: Facts | None, own: Facts | None, around: Facts) -> list[Facts]:
    rows = [*around.get("unknown", [])]
    for side in (derived, own):
        rows += [row for row in (side or {}).get("unknown", []) if row not in rows]
    if own is None and not any(row["fact"] == "as-run" for row in rows):
        rows.append({"fact": "as-run", "reason": "not started: only what could be derived is here"})
    fatal = ((derived or {}).get("startup") or {}).get("fatal", [])
    rows += [{"fact": "start", "reason": f"{path} {reason}"} for path, reason in fatal]
    return rows


def read(text: str, name: str) -> Facts:
    """Return the fingerprint in a file, whichever of the three forms it has.

    Raises `UserError` when it is none of them.
    """
    try:
        facts = json.loads(text)
    except ValueError:
        facts = _framed(text)
    if not isinstance(facts, dict):
        raise UserError(f"{name} is not a fingerprint", hint="unhaunt fingerprint --output FILE")
    if facts.get("schema") == PROBE_SCHEMA:
        return complete(None, facts, {"repository": _near(facts)})
    if facts.get("schema") == SCHEMA:
        return facts
    if "sys_path_head" in facts or {"executable", "version", "prefix"} <= facts.keys():
        return from_short(facts)
    raise UserError(f"{name} is not a fingerprint", hint="unhaunt fingerprint --output FILE")


def _framed(text: str) -> object:
    """Find the probe's line among what else was printed."""
    for line in reversed(text.splitlines()):
        start = line.find("{")
        if start >= 0:
            try:
                return json.loads(line[start:])
            except ValueError:
                continue
    return None


def _near(facts: Facts) -> Facts | None:
    top = (facts.get("process") or {}).get("toplevel")
    return (
        {"toplevel": top, "head": None, "branch": None, "dirty": None, "worktree": None}
        if top
        else None
    )


def from_short(short: Facts) -> Facts:
    """Read the plain JSON of the short fingerprint script; what it lacks is left out, so unknown."""
    in_venv = short.get("in_venv", short.get("prefix") != short.get("base_prefix"))
    version = str(short.get("version", "")).split()[:1]
    made: Facts = {
        "schema": SCHEMA,
        "short": True,
        "interpreter": {k: short[k] for k in ("executable", "prefix", "base_prefix") if k in short}
        | {"version": version[0] if version else None, "in_venv": in_venv},
        "environment": {"PYTHONPATH": short["pythonpath"]} if short.get("pythonpath") else {},
        "process": {"cwd": short.get("cwd")},
        "startup": {
            "user_site": {"path": short.get("user_site"), "enabled": short.get("user_site_enabled")}
        },
    }
    files = short.get("sitecustomize_files")
    if files is not None:
        rows = files.items() if isinstance(files, dict) else [(f, None) for f in files]
        made["startup"]["modules"] = [
            {
                "module": os.path.basename(f).partition(".")[0],
                "path": f,
                "form": "module",
                "sha256": None,
                "state": "loaded",
            }
            for f in (row[0] if isinstance(row[0], str) else str(row[0]) for row in rows)
        ]
    return made


# --- words instead of folders ---


class Words:
    """Replaces the folders that differ from box to box by words: longest first."""

    def __init__(self, facts: Facts) -> None:
        interpreter = facts.get("interpreter") or {}
        user = ((facts.get("startup") or {}).get("user_site") or {}).get("path")
        base = interpreter.get("base_prefix")
        places = [
            ((facts.get("repository") or {}).get("toplevel"), "<repository>"),
            (user, "<user site>"),
            (
                interpreter.get("prefix") if interpreter.get("prefix") != base else None,
                "<environment>",
            ),
            (base, "<base>"),
            (home(facts), "<home>"),
        ]
        known = [(str(place).rstrip("/"), word) for place, word in places if place and place != "/"]
        self.places = sorted(known, key=lambda row: -len(row[0]))

    def __call__(self, path: str) -> str:
        """Return `path` with the nearest known folder replaced; other paths stay as they are."""
        for place, word in self.places:
            if path == place or path.startswith(place + "/"):
                return word + path[len(place) :]
        return path

    def inside(self, text: str) -> str:
        """Replace the folders wherever they stand in a text."""
        for place, word in self.places:
            text = re.sub(re.escape(place) + r"(?=/|$|[\s:;,'\"])", word, text)
        return text


def home(facts: Facts) -> str | None:
    """Return the home folder as far as the user site tells it (~/.local/lib/pythonX.Y/…)."""
    user = ((facts.get("startup") or {}).get("user_site") or {}).get("path") or ""
    for middle in ("/.local/", "/Library/"):
        if middle in user:
            return str(user.partition(middle)[0])
    return None


# --- the comparable part ---


def digest(facts: Facts) -> str:
    """Return the hash of what decides behaviour."""
    text = json.dumps(comparable(facts), sort_keys=True, separators=(",", ":"))
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def comparable(facts: Facts) -> Facts:
    """Return the facts that decide behaviour, by name. A fact that is missing is unknown."""
    words = Words(facts)
    made: Facts = {}
    for part in (_identity, _path, _startup, _settings, _distributions):
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
    """Return the elements of PYTHONPATH in words; None when it is unset, or empty, which is the same."""
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
    if "environment" in facts:
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
            state = row.get("state")
            changed = [] if state != "modified" else sorted(row.get("files", ()))
            yield f"distribution.{row['name']}", [row["version"], state, changed]


# --- redaction ---


def redacted(facts: Facts) -> Facts:
    """Replace home folders and user names everywhere; secrets were never written."""
    names = {
        match
        for text in _strings(facts)
        for match in re.findall(r"(?:/home/|/Users/)([^/\s:]+)", text)
    }
    place = home(facts)
    hidden: Facts = _replaced(facts, place, sorted(names, key=len, reverse=True))
    return hidden


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _strings(item)
    elif isinstance(value, Iterable):
        for item in value:
            yield from _strings(item)


def _replaced(value: Any, place: str | None, names: list[str]) -> Any:
    if isinstance(value, str):
        if place:
            value = re.sub(re.escape(place) + r"(?=$|[/:;\s'\"])", "<home>", value)
        value = re.sub(r"(?:/home/|/Users/)[^/\s:'\"]+", "<home>", value)
        return (
            re.sub(rf"(?<!\w)(?:{'|'.join(map(re.escape, names))})(?!\w)", "<user>", value)
            if names
            else value
        )
    if isinstance(value, dict):
        return {key: _replaced(item, place, names) for key, item in value.items()}
    return [_replaced(item, place, names) for item in value] if isinstance(value, list) else value
