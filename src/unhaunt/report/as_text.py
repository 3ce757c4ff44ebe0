"""`path:line: CODE message [visibility]`, one finding a line; then hints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from unhaunt.allow import Allowed
from unhaunt.errors import UserError
from unhaunt.inventory import Entry
from unhaunt.report import Report
from unhaunt.report.hints import hint_of
from unhaunt.rule import Found, Severity
from unhaunt.text import printable


def render(report: Report, *, verbose: bool, quiet: bool) -> str:
    """Return what goes to stdout."""
    shown = [f for f in report.found if verbose or f.severity is not Severity.INFO]
    lines = [_finding(item) for item in shown]
    if not quiet:
        lines += _hints(shown, report.command)
        lines += [printable(report.elsewhere.words)] if report.elsewhere.number else []
        lines += _accepted(report)
    elif report.strict:
        lines += _accepted(report, only_new=True)
    lines += [
        f"not checked: {printable(n.path)}: {printable(n.reason)}" for n in report.not_checked
    ]
    if verbose:
        lines += [f"skipped: {printable(s.path)}: {s.reason}" for s in report.skipped]
    return "".join(f"{line}\n" for line in lines)


def failure(error: UserError) -> str:
    """Return nothing: the error is on stderr already."""
    return ""


def summary(report: Report) -> str:
    """Return the last line, for stderr: what was looked at."""
    counts = report.counts
    looked = (
        f"{counts.tracked} tracked, {counts.untracked} untracked, {counts.ignored} ignored paths"
    )
    skipped = Counter(s.kind for s in report.skipped)
    if skipped:
        words = (_plural(n, kind) for kind, n in sorted(skipped.items()))
        looked += f" ({', '.join(words)} skipped)"
    elif counts.only_tracked:
        looked += " (tracked files only, as in a clean clone)"
    errors, warnings = report.count(Severity.ERROR), report.count(Severity.WARNING)
    tail = (
        f"{_plural(errors, 'error')}, {_plural(warnings, 'warning')}, {len(report.allowed)} allowed"
    )
    if new := sum(item.new for item in report.allowed):
        tail += f" ({new} NEW)"
    if report.not_checked:
        tail += f", {len(report.not_checked)} not checked"
    return f"checked {looked}: {tail}"


def _finding(item: Found) -> str:
    finding = item.finding
    place = printable(finding.entry.path) + (f":{finding.line}" if finding.line else "")
    if place.lstrip().startswith("::"):
        place = f"./{place}"  # a line of that kind is a command to GitHub's runner
    severity = "" if item.severity is Severity.ERROR else f"{item.severity.value}: "
    seen = f" [{visibility(finding.entry)}]" if finding.entry.visibility else ""
    return f"{place}: {item.rule.code} {severity}{printable(finding.message + seen)}"


def visibility(entry: Entry) -> str:
    """Say how a path can (not) be seen, as in `untracked; git status shows only "?? tools/"`."""
    words = entry.visibility.value if entry.visibility else ""
    if entry.hidden_by and entry.hidden_by.startswith(("??", " M")):
        words += f'; git status shows only "{entry.hidden_by}"'
    elif entry.hidden_by and words == "ignored":
        words += f" by {entry.hidden_by}"
    elif entry.hidden_by:
        words += f"; {entry.hidden_by}"
    return "; ".join([words, *(flag.value for flag in entry.flags)])


def _hints(shown: list[Found], command: str) -> Iterator[str]:
    seen: set[str] = set()
    for item in sorted(shown, key=lambda f: (f.rule.code, f.severity is Severity.INFO)):
        if item.rule.code not in seen:
            seen.add(item.rule.code)
            yield f"hint[{item.rule.code}]: {printable(hint_of(item))}"
    if seen:
        code = min(seen)
        accept = "to accept one: [[tool.unhaunt.allow]] in pyproject.toml"
        yield f"{accept}; more: {command} explain {code}"


def _accepted(report: Report, *, only_new: bool = False) -> Iterator[str]:
    allowed = [item for item in report.allowed if item.new or not only_new]
    if allowed:
        yield f"{len(allowed)} allowed: {'; '.join(map(_allowed, allowed))}"
    for allow in report.unused if not only_new else ():
        yield f"unused allow entry: {printable(allow.rule)} {printable(allow.path)}"


def _allowed(item: Allowed) -> str:
    new = "NEW, " if item.new else ""
    return f"{printable(item.found.finding.entry.path)} ({new}{printable(item.reason)})"


def _plural(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"
