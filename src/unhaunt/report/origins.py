"""Where imports come from, as text, JSON and Markdown. Pure: no IO."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence

from unhaunt.resolving.where import SCHEMA, UNFOLLOWED, Origin
from unhaunt.text import printable


def as_json(answers: Sequence[Origin], unfollowed: Sequence[str]) -> str:
    """Return the promised form."""
    rows = [{"path": path, "reason": UNFOLLOWED} for path in unfollowed]
    made = {
        "schema": SCHEMA,
        "modules": [_module(one) for one in answers],
        "not_checked": rows,
    }
    return json.dumps(made, indent=1) + "\n"


def _module(one: Origin) -> dict[str, object]:
    return {
        "module": one.module,
        "origin": one.origin,
        "inside_repository": one.inside,
        "entry": one.entry,
        "because": one.because,
        "mechanism": one.mechanism,
        "owner": one.owner,
        "also": list(one.also),
        "notes": list(one.notes),
        "problem": one.problem,
    }


def as_text(answers: Sequence[Origin], unfollowed: Sequence[str]) -> str:
    """Return a few lines a module, and one for each file that was not followed."""
    lines = [line for one in answers for line in _lines(one)]
    lines += [f"note: startup code that may change the path: {p}: not followed" for p in unfollowed]
    return "".join(f"{printable(line)}\n" for line in lines)


def _lines(one: Origin) -> Iterator[str]:
    yield f"{one.module}: {one.origin or 'not found'}"
    if one.problem:
        yield f"  {one.problem}"
    if one.because:
        place = "inside the repository" if one.inside else "outside the repository"
        yield f"  because: {one.because} ({one.entry or 'the current directory'}; {place})"
    if one.mechanism and one.mechanism not in (one.origin, "module", "package"):
        yield f"  how: {one.mechanism}"
    if one.owner:
        yield f"  owner: {one.owner}"
    yield from (f"  note: {note}" for note in one.notes)
    yield from (f"  also found later: {row['path']} ({row['because']})" for row in one.also)


def as_markdown(answers: Sequence[Origin], unfollowed: Sequence[str]) -> str:
    """Return the text as a block that can be pasted."""
    text = as_text(answers, unfollowed).replace("````", "` ` ` `")
    return f"### Import origins\n\n````text\n{text}````\n"


FORMATS: dict[str, Callable[..., str]] = {"text": as_text, "json": as_json, "markdown": as_markdown}
