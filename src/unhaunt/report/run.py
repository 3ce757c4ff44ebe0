"""The answer of `unhaunt run` as text, JSON and Markdown. Pure: no IO."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterator

from unhaunt.running.judgement import Verdict
from unhaunt.running.trials import Leg, Result
from unhaunt.text import printable, shortened

SCHEMA = "unhaunt.run/1"


def as_json(
    result: Result, verdict: Verdict, verbose: bool = False, first: str | None = None
) -> str:
    """Return the promised form."""
    search = result.search
    made = {
        "schema": SCHEMA,
        "legs": [_leg(leg, result) for leg in result.legs],
        "verdict": verdict.word,
        "decisions": [one._asdict() for one in verdict.decisions],
        "culprits": [
            {"ingredient": one.name, "kind": one.kind.value, "together": number,
             "evidence": "; ".join(one.evidence) or one.value}
            for number, cause in enumerate(search.causes if search else (), 1)
            for one in cause
        ],
        "notes": [*([first] if first else []), *verdict.notes],
        "ingredients": search.among if search else None,
        "runs": result.runs,
        "interrupted": result.interrupted,
    }  # fmt: skip
    return json.dumps(made, indent=1) + "\n"


def _leg(leg: Leg, result: Result) -> dict[str, object]:
    return {
        "name": leg.name,
        "removed": list(leg.removed),
        "command": shlex.join(result.started.words),
        "exit_code": leg.ran.outcome.code,
        "failing": sorted(leg.ran.outcome.failing),
        "seconds": round(leg.ran.seconds, 3),
        "output_tail": leg.ran.tail,
        "outside": [{"module": one.module, "path": one.path} for one in leg.outside],
        "not_in_commit": [{"module": one.module, "path": one.path} for one in leg.uncommitted],
    }


def as_text(
    result: Result, verdict: Verdict, verbose: bool = False, first: str | None = None
) -> str:
    """Return the verdict, then why, what did it, and what was run; before all that, `first`."""
    lines = [*([first] if first else []), *_lines(result, verdict, verbose)]
    return "".join(f"{printable(line)}\n" for line in lines)


def _lines(result: Result, verdict: Verdict, verbose: bool) -> Iterator[str]:
    yield f"verdict: {verdict.word}"
    for one in verdict.decisions:
        yield f"{one.signal}: {one.because}"
        yield f"  next: {one.next}"
    yield from _culprits(result)
    for leg in result.legs:
        yield f"{leg.name}: {leg.ran.outcome} in {leg.ran.seconds:.1f} s{_without(leg, verbose)}"
    yield from (f"note: {note}" for note in verdict.notes)
    failed = next((leg for leg in result.legs if not leg.ran.outcome.passed), None)
    shown = result.legs if verbose else [failed] if failed else []
    for leg in (leg for leg in shown if leg.ran.tail):
        yield f"last lines of the {leg.name} run:"
        yield from (f"  {line}" for line in leg.ran.tail.splitlines())


def _without(leg: Leg, verbose: bool) -> str:
    shown = leg.removed if verbose else leg.removed[:4]
    more = f" and {len(leg.removed) - len(shown)} more" if len(leg.removed) > len(shown) else ""
    return f" without {', '.join(shown)}{more}" if shown else ""


def _culprits(result: Result) -> Iterator[str]:
    if result.search is None:
        return
    for cause in result.search.causes:
        yield "culprit:" if len(cause) == 1 else "culprits, which act together:"
        for one in cause:
            yield f"  {one.name}"
            yield from (f"    {line}" for line in one.evidence)
    interrupted = ", interrupted: this is what is known so far" if result.interrupted else ""
    yield f"{result.runs} runs, {result.search.among} ingredients{interrupted}"


def as_markdown(
    result: Result, verdict: Verdict, verbose: bool = False, first: str | None = None
) -> str:
    """Return a table of the legs, and the text as a block."""
    rows = [
        f"| {leg.name} | {_cell(str(leg.ran.outcome))} | {leg.ran.seconds:.1f}"
        f" | {_cell('; '.join(leg.removed))} |"
        for leg in result.legs
    ]
    head = ["| rung | outcome | seconds | without |", "|---|---|---|---|"]
    body = as_text(result, verdict, verbose, first).replace("````", "` ` ` `")
    return (
        f"### unhaunt run: {verdict.word}\n\n"
        + "\n".join([*head, *rows])
        + (f"\n\n````text\n{body}````\n")
    )


def _cell(text: str) -> str:
    return "".join(f"\\{c}" if c in "|<>[]*_" else c for c in shortened(text, 600))


FORMATS: dict[str, Callable[..., str]] = {"text": as_text, "json": as_json, "markdown": as_markdown}
