"""Annotations for GitHub Actions: one workflow command a line. Pure.

Source: "Workflow commands for GitHub Actions", and actions/runner, ActionCommand.cs: a line that
begins with `::` is a command, and so is whatever follows `##[` anywhere in a line. Lines cannot
be made here by a name or a value: each is escaped as actions/toolkit does it.
"""

from __future__ import annotations

from collections.abc import Iterator

from unhaunt.errors import UserError
from unhaunt.report import Report
from unhaunt.report.as_text import visibility
from unhaunt.report.hints import hint_of
from unhaunt.rule import Found, NotChecked, Severity
from unhaunt.text import printable

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def render(report: Report, *, verbose: bool, quiet: bool) -> str:
    """Return the annotations; GitHub shows ten of each level for a step."""
    return "".join(f"{line}\n" for line in _lines(report, verbose=verbose, quiet=quiet))


def failure(error: UserError) -> str:
    """Return one annotation without a place."""
    return _command("error", f"{error}\nhint: {error.hint}", title="unhaunt could not look") + "\n"


def _lines(report: Report, *, verbose: bool, quiet: bool) -> Iterator[str]:
    for item in report.found:
        if verbose or item.severity is not Severity.INFO:
            yield _finding(item, quiet=quiet)
    for allowed in report.allowed:
        if allowed.new and report.strict:
            words = f"accepted by an entry that is NEW in this change: {allowed.reason}"
            place = allowed.found.finding.entry.path
            yield _command("error", words, file=place, title=allowed.found.rule.code)
    level = "error" if report.strict else "warning"
    yield from (_not_checked(item, level) for item in report.not_checked)


def _finding(item: Found, *, quiet: bool) -> str:
    finding = item.finding
    seen = f" [{visibility(finding.entry)}]" if finding.entry.visibility else ""
    hint = "" if quiet else f"\nhint: {hint_of(item)}"
    return _command(
        _COMMANDS[item.severity],
        f"{finding.message}{seen}{hint}",
        file=finding.entry.path,
        line=str(finding.line or ""),
        title=f"{item.rule.code} {item.rule.name}",
    )


def _not_checked(item: NotChecked, level: str) -> str:
    return _command(level, item.reason, file=item.path, title="not checked")


def _command(name: str, message: str, **properties: str) -> str:
    pairs = ",".join(f"{key}={_property(value)}" for key, value in properties.items() if value)
    return f"::{name} {pairs}::{_data(message)}"


def _data(text: str) -> str:
    """Escape a message: `%`, CR and LF; the line ends that it holds are ours."""
    lines = (printable(line).replace("%", "%25") for line in text.split("\n"))
    return "%0A".join(lines)


def _property(text: str) -> str:
    """Escape a property: `:` and `,` too."""
    return printable(text).replace("%", "%25").replace(":", "%3A").replace(",", "%2C")
