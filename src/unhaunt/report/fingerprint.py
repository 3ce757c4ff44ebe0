"""A fingerprint as text, JSON and Markdown. Pure: no IO."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from unhaunt.text import printable, shortened

Facts = dict[str, Any]

RUNS = ("exec", "call", "muted")
SAID = {"loaded": "runs before line 1", "shadowed": "present but not loaded"}


def as_json(facts: Facts, verbose: bool = False) -> str:
    """Return the promised form, ASCII only, so that no terminal acts on it."""
    return json.dumps(facts, indent=1) + "\n"


def as_text(facts: Facts, verbose: bool = False) -> str:
    """Return what a person wants to know, most important first."""
    return "".join(f"{printable(line)}\n" for line in _lines(facts, verbose))


def as_markdown(facts: Facts, verbose: bool = False) -> str:
    """Return the text as a block that can be pasted."""
    lines = [printable(line) for line in _lines(facts, verbose)]
    fence = "`" * max(3, 1 + max((len(part) for line in lines for part in _ticks(line)), default=0))
    return "\n".join(["### Fingerprint", "", f"{fence}text", *lines, fence, ""])


def _ticks(line: str) -> list[str]:
    return [part for part in "".join(c if c == "`" else " " for c in line).split() if part]


FORMATS: dict[str, Callable[..., str]] = {"text": as_text, "json": as_json, "markdown": as_markdown}


def _lines(facts: Facts, verbose: bool) -> Iterator[str]:
    interpreter = facts["interpreter"]
    name = interpreter.get("implementation") or "Python"
    yield f"{name} {interpreter.get('version') or '?'}: {interpreter['executable']}"
    if interpreter.get("chosen"):
        yield f"  chosen: {interpreter['chosen']}"
    if interpreter.get("prefix"):
        kind = "virtual environment" if interpreter["in_venv"] else "no virtual environment"
        yield f"  prefix: {interpreter['prefix']} ({kind})"
    if facts.get("digest"):
        yield f"  digest: {facts['digest']}"
    yield from _process(facts)
    yield from _section("startup code", _startup(facts))
    yield from _section("sys.path", _path(facts, verbose))
    yield from _section(
        "environment", (f"{k}={shortened(v, 200)}" for k, v in (facts["environment"] or {}).items())
    )
    yield from _section("import hooks", _hooks(facts))
    yield from _section("distributions", _distributions(facts, verbose))
    yield from _section(
        "shell profiles",
        (f"{r['path']}:{r['line']} exports {r['sets']}" for r in facts.get("profiles", ())),
    )
    yield from _section("pytest", _pytest(facts.get("pytest") or {}))
    yield from _section("tools on PATH", _tools(facts) if verbose else ())
    yield from _section("notes", (facts.get("surroundings") or {}).get("notes", ()))
    yield from _section("nothing explains", facts.get("unexplained", ()))
    yield from _section("unknown", (f"{row['fact']}: {row['reason']}" for row in facts["unknown"]))
    yield from _section(
        "printed before line 1", facts["noise"].splitlines() if facts.get("noise") else ()
    )


def _section(title: str, rows: Any) -> Iterator[str]:
    lines = list(rows)
    if lines:
        yield f"{title}:"
        yield from (f"  {line}" for line in lines)


def _process(facts: Facts) -> Iterator[str]:
    process, repository = facts["process"], facts.get("repository")
    if process.get("cwd"):
        yield f"  cwd: {process['cwd']}"
    if process.get("argv") and process.get("how") != "bare":
        yield f"  argv: {' '.join(process['argv'])} ({process['how']})"
    if repository and repository.get("head"):
        words = {True: "with changes", False: "clean", None: "changes not looked for"}
        state = words[repository["dirty"]]
        branch = repository["branch"] or "detached"
        commit = f"{repository['head'][:12]} ({branch}, {state})"
        yield f"  repository: {repository['toplevel']} at {commit}"


def _startup(facts: Facts) -> Iterator[str]:
    startup = facts["startup"]
    for row in startup["modules"] or ():
        what = f"{row['form']}, {SAID.get(row['state'], row['state'])}"
        yield f"{row['path']} ({what}{_owned(row)}{_hash(row)})"
        yield from _imports(row)
    for row in (*(startup["pth"] or ()), *(startup["start"] or ())):
        lines = [line for line in row["lines"] if line["kind"] in RUNS]
        if lines or row.get("problem"):
            yield f"{row['path']}{_owned(row)}{_hash(row)}"
        for line in lines:
            yield f"  line {line['line']} {line['kind']}: {shortened(line['text'], 160)}"
            yield from (f"  {text}" for text in _imports(line))
        if row.get("problem"):
            yield f"  {row['problem']}"
    user = startup.get("user_site")
    if user and user.get("enabled"):
        exists = "exists" if user["exists"] else "does not exist"
        yield f"user site {user['path']}: enabled, {exists}"


def _imports(row: Facts) -> Iterator[str]:
    for found in row.get("imports", ()):
        yield f"  imports {found['module']} from {found['origin'] or 'nowhere'}{_hash(found)}"


def _owned(row: Facts) -> str:
    owner = row.get("owner")
    return (
        f", owned by {owner['name']}, {owner['state']}"
        if owner
        else ", nobody owns it"
        if row.get("sha256")
        else ""
    )


def _hash(row: Facts) -> str:
    return f", sha256 {row['sha256'][:12]}" if row.get("sha256") else ""


def _path(facts: Facts, verbose: bool) -> Iterator[str]:
    for row in facts["path"] or ():
        missing = "" if row["exists"] else " (does not exist)"
        yield f"{row['entry'] or chr(39) * 2}: {row['because']}{missing}"


def _hooks(facts: Facts) -> Iterator[str]:
    usual = ("_frozen_importlib", "zipimport.zipimporter")
    for name in ("meta_path", "path_hooks"):
        yield from (
            f"{name}: {hook}"
            for hook in facts["hooks"].get(name) or ()
            if not hook.startswith(usual)
        )
    yield from (f"replaced: {name}" for name in facts["hooks"].get("replaced") or ())


def _distributions(facts: Facts, verbose: bool) -> Iterator[str]:
    rows = facts["distributions"] or []
    changed = [row for row in rows if row["state"] == "modified"]
    if rows:
        yield f"{len(rows)} installed, {len(changed)} with changed files"
    for row in rows if verbose else changed:
        files = f" ({', '.join(row['files'][:3])})" if row.get("files") else ""
        editable = f", editable from {row['editable']}" if row.get("editable") else ""
        yield f"{row['name']} {row['version']}: {row['state']}{files}{editable}"


def _pytest(facts: Facts) -> Iterator[str]:
    yield from (
        f"{name}: {value}" for name, value in facts.items() if not isinstance(value, list | dict)
    )


def _tools(facts: Facts) -> Iterator[str]:
    for row in (facts.get("surroundings") or {}).get("tools", ()):
        yield f"{row['name']}: {row['path']}" + (
            f" -> {row['python']}" if row.get("python") else ""
        )
