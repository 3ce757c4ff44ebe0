"""The JSON of a check, `unhaunt.report/1`: a promise. Keys may be added, never changed."""

from __future__ import annotations

import json

from unhaunt.errors import UserError
from unhaunt.report import Report
from unhaunt.report.hints import hint_of
from unhaunt.rule import Found
from unhaunt.text import printable

SCHEMA = "unhaunt.report/1"


def render(report: Report, *, verbose: bool, quiet: bool) -> str:
    """Return one JSON document, with everything; names and values in it are printable text."""
    document = {
        "schema": SCHEMA,
        "repository": {"head": report.head},
        "checked": {
            "tracked": report.counts.tracked,
            "untracked": report.counts.untracked,
            "ignored": report.counts.ignored,
            "env_files": report.env_files,
            "not_checked": [
                {"path": printable(n.path), "reason": printable(n.reason)}
                for n in report.not_checked
            ],
            "skipped": [{"path": printable(s.path), "reason": s.reason} for s in report.skipped],
        },
        "findings": [_finding(item) for item in report.found],
        "elsewhere": report.elsewhere.number,
        "allowed": [
            {**_finding(a.found), "reason": printable(a.reason), "new": a.new}
            for a in report.allowed
        ],
        "unused_allows": [
            {"rule": printable(a.rule), "path": printable(a.path)} for a in report.unused
        ],
        "notes": [printable(note) for note in report.notes],
        "exit_code": report.exit_code,
    }
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def failure(error: UserError) -> str:
    """Return nothing: a document would promise findings."""
    return ""


def _finding(item: Found) -> dict[str, object]:
    finding, entry = item.finding, item.finding.entry
    return {
        "code": item.rule.code,
        "name": item.rule.name,
        "hook": item.hook,
        "severity": item.severity.value,
        "path": printable(entry.path),
        "line": finding.line,
        "message": printable(finding.message),
        "visibility": entry.visibility.value if entry.visibility else "outside-repository",
        "flags": [flag.value for flag in entry.flags],
        "hidden_by": printable(entry.hidden_by) if entry.hidden_by else None,
        "state": finding.state,
        "importer": printable(finding.importer) if finding.importer else None,
        "hint": printable(hint_of(item)),
    }
