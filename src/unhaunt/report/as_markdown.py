"""Markdown for a pull request comment or a step summary. Pure.

A list and no table: in a table's cell a `|` ends code. Whatever comes from the repository stands
in a code span, the one place where neither HTML nor mentions, links and references are acted on
(CommonMark 6.1; GitHub Flavored Markdown; GitHub acts on mentions outside of code alone).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from unhaunt.errors import UserError
from unhaunt.report import Report, as_text
from unhaunt.report.hints import hint_of
from unhaunt.rule import Found, Severity
from unhaunt.text import printable, shortened

#: characters; a comment on GitHub holds 65,536
MOST = 60_000
_LONGEST = 600  # characters of one code span
_VERDICTS = ("nothing to reject", "something to reject", "could not look at everything")


def render(report: Report, *, verbose: bool, quiet: bool) -> str:
    """Return one section, which ends with what was looked at."""
    tail = "" if quiet else f"\n{printable(as_text.summary(report))}\n"
    head = f"### unhaunt: {_VERDICTS[report.exit_code]}\n\n"
    items = list(_items(report, verbose=verbose, quiet=quiet))
    return head + _fitting(items, MOST - len(head + tail)) + tail


def failure(error: UserError) -> str:
    """Return a section for a check that could not be made."""
    return f"### unhaunt: could not look\n\n- {code(str(error))}\n- hint: {code(error.hint)}\n"


def code(text: str) -> str:
    """Return untrusted text as a code span, whatever backticks it holds."""
    shown = shortened(text, _LONGEST) or "(empty)"
    longest = max(map(len, re.findall("`+", shown)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if longest or " " in (shown[0], shown[-1]) else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def _fitting(items: list[str], most: int) -> str:
    """Return the items that fit, and how many do not."""
    shown = ""
    for n, item in enumerate(items):
        if len(shown) + len(item) + 100 > most:
            return f"{shown}- and {len(items) - n} more lines, in the report as text\n"
        shown += f"{item}\n"
    return shown


def _items(report: Report, *, verbose: bool, quiet: bool) -> Iterator[str]:
    for item in report.found:
        if verbose or item.severity is not Severity.INFO:
            yield _finding(item, quiet=quiet)
    for allowed in report.allowed if not quiet or report.strict else ():
        if allowed.new or not quiet:
            new = "NEW, " if allowed.new else ""
            place = code(allowed.found.finding.entry.path)
            yield f"- allowed: {place} {allowed.found.rule.code} ({new}{code(allowed.reason)})"
    for entry in report.unused if not quiet else ():
        yield f"- unused allow entry: {code(entry.rule)} {code(entry.path)}"
    yield from (f"- not checked: {code(n.path)}: {code(n.reason)}" for n in report.not_checked)
    if verbose:
        yield from (f"- skipped: {code(s.path)}: {s.reason}" for s in report.skipped)
    if report.elsewhere.number and not quiet:
        yield f"- {code(report.elsewhere.words)}"
    yield from (f"- note: {code(note)}" for note in report.notes if not quiet)


def _finding(item: Found, *, quiet: bool) -> str:
    finding = item.finding
    place = finding.entry.path + (f":{finding.line}" if finding.line else "")
    seen = f" [{as_text.visibility(finding.entry)}]" if finding.entry.visibility else ""
    head = f"- **{item.severity.value}** {code(place)} {item.rule.code} `{item.rule.name}`"
    way_out = "" if quiet else f"\n  - hint: {code(hint_of(item))}"
    return f"{head}: {code(finding.message + seen)}{way_out}"
