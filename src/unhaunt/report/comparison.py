"""A comparison as text, JSON and Markdown. Pure: no IO."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from unhaunt.fingerprints.compare import SCHEMA, Comparison
from unhaunt.fingerprints.differences import UNKNOWN, Difference
from unhaunt.fingerprints.sentences import sentence
from unhaunt.text import printable, shortened

FOLDED = 3  # consequences that are named before the rest is counted


def verdict(comparison: Comparison) -> str:
    """Return the one word."""
    return "trust" if comparison.trust else "do-not-trust"


def as_json(comparison: Comparison, verbose: bool = False) -> str:
    """Return the promised form."""
    made = {
        "schema": SCHEMA,
        "verdict": verdict(comparison),
        "files": [one.name for one in comparison.sides],
        "decisions": [decision._asdict() for decision in comparison.decisions],
        "differences": [_difference(one) for one in comparison.differences],
        "groups": [list(group) for group in comparison.groups],
        "odd_one_out": comparison.odd_one_out,
    }
    return json.dumps(made, indent=1, default=repr) + "\n"


def _difference(one: Difference) -> dict[str, object]:
    values = ["unknown" if value is UNKNOWN else value for value in one.values]
    return {**one._asdict(), "values": values}


def as_text(comparison: Comparison, verbose: bool = False) -> str:
    """Return the verdict first, then why, then what differs."""
    return "".join(f"{printable(line)}\n" for line in _lines(comparison, verbose))


def _lines(comparison: Comparison, verbose: bool) -> Iterator[str]:
    yield f"verdict: {verdict(comparison)}"
    for one in comparison.decisions:
        yield f"{one.file}: {one.signal}: {one.because}"
        yield f"  next: {one.next}"
    if comparison.differences:
        yield "differences (most serious first):"
    yield from (f"  {line}" for line in _rows(comparison, verbose))
    if len(comparison.sides) > 2:
        yield from _groups(comparison)


def _groups(comparison: Comparison) -> Iterator[str]:
    yield f"{len(comparison.groups)} groups of equal ones:"
    for group in comparison.groups:
        more = f" and {len(group) - 8} more" if len(group) > 8 else ""
        yield f"  {', '.join(group[:8])}{more}"
    if comparison.odd_one_out:
        yield f"the odd one out: {comparison.odd_one_out}"


def _rows(comparison: Comparison, verbose: bool) -> Iterator[str]:
    """Yield a line a difference; what only follows from another one stands below it."""
    names = {one.fact for one in comparison.differences}
    for one in comparison.differences:
        if one.follows in names:
            continue
        yield _row(comparison, one)
        below = [d for d in comparison.differences if d.follows == one.fact]
        yield from (
            f"  follows: {_row(comparison, d)}" for d in (below if verbose else below[:FOLDED])
        )
        if len(below) > FOLDED and not verbose:
            yield f"  and {len(below) - FOLDED} more that follow from it (-v shows them)"


def _row(comparison: Comparison, one: Difference) -> str:
    """Return a difference as a line: between the first two sides that do not agree on it."""
    local = comparison.sides[0]
    others = [i for i, value in enumerate(one.values) if i and _differs(one.values[0], value)]
    index = others[0] if others else 1
    other = comparison.sides[index]
    name = other.name if len(comparison.sides) > 2 else "remote"
    text = sentence(one.fact, one.values[0], one.values[index], local, other, name)
    more = f" (and on {len(others) - 1} more)" if len(others) > 1 else ""
    reason = f" (explained: {one.explained})" if one.explained else ""
    return f"[{one.fact}] {text}{more}{reason}"


def _differs(left: object, right: object) -> bool:
    return left is not UNKNOWN and right is not UNKNOWN and left != right


def as_markdown(comparison: Comparison, verbose: bool = False) -> str:
    """Return a form that can be pasted into a pull request, or given to an agent."""
    lines = [f"### Verdict: {verdict(comparison)}", ""]
    lines += ["| file | signal | because | next |", "|---|---|---|---|"]
    for one in comparison.decisions:
        cells = (one.file, f"`{one.signal}`", one.because, one.next)
        lines.append(f"| {' | '.join(map(_cell, cells))} |")
    if comparison.differences:
        lines += ["", "Differences, most serious first:", ""]
        lines += [f"- {_cell(row)}" for row in _rows(comparison, verbose)]
    if comparison.odd_one_out:
        lines += ["", f"The odd one out: {_cell(comparison.odd_one_out)}"]
    return "\n".join([*lines, ""])


def _cell(text: str) -> str:
    """Keep untrusted text from ending a cell, starting a link or becoming HTML."""
    shown = shortened(text, 600)
    return "".join(f"\\{c}" if c in "|<>[]*_" else c for c in shown.strip())


FORMATS: dict[str, Callable[..., str]] = {"text": as_text, "json": as_json, "markdown": as_markdown}
