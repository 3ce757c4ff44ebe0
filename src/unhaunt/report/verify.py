"""The answer of `unhaunt verify` as text, JSON and Markdown. Pure: no IO."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from unhaunt.running.trials import Verified
from unhaunt.text import printable, shortened

SCHEMA = "unhaunt.verify/1"
WORDS = {True: "pass", False: "FAIL", None: "not checked"}


def as_json(found: Verified, verbose: bool = False) -> str:
    """Return the promised form, with the fingerprint, so that another machine can compare."""
    made = {
        "schema": SCHEMA,
        "checks": [check._asdict() for check in found.checks],
        "trust": found.trust,
        "same_story": None if found.story is None else not found.story,
        "story": list(found.story or ()),
        "fingerprint": found.fingerprint,
    }
    return json.dumps(made, indent=1) + "\n"


def as_text(found: Verified, verbose: bool = False) -> str:
    """Return the verdict, and a line a check."""
    return "".join(f"{printable(line)}\n" for line in _lines(found))


def _lines(found: Verified) -> Iterator[str]:
    left = sum(check.passed is None for check in found.checks)
    word = "trust" if found.trust else "do-not-trust"
    yield f"verdict: {word}" + (f" ({left} of {len(found.checks)} not checked)" if left else "")
    for check in found.checks:
        yield f"{WORDS[check.passed]}: {check.name}: {check.because}"
        if check.next:
            yield f"  next: {check.next}"
    if found.story is not None:
        yield "both machines tell the same story" if not found.story else "another story there:"
        yield from (f"  {line}" for line in found.story)


def as_markdown(found: Verified, verbose: bool = False) -> str:
    """Return a table to paste."""
    rows = [
        f"| {WORDS[check.passed]} | {check.name} | {_cell(check.because)} | {_cell(check.next)} |"
        for check in found.checks
    ]
    word = "trust" if found.trust else "do not trust"
    head = [f"### unhaunt verify: {word}", "", "| | check | because | next |", "|---|---|---|---|"]
    story = []
    if found.story is not None:
        told = "; ".join(map(_cell, found.story))
        story = [
            "",
            f"Another story there: {told}" if told else "Both machines tell the same story.",
        ]
    return "\n".join([*head, *rows, *story]) + "\n"


def _cell(text: str) -> str:
    shown = shortened(text, 600)
    return "".join(f"\\{c}" if c in "|<>[]*_`\\" else c for c in shown.strip())


FORMATS: dict[str, Callable[..., str]] = {"text": as_text, "json": as_json, "markdown": as_markdown}
