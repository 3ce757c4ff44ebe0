"""SARIF 2.1.0, for code scanning. Pure.

Source: OASIS, "Static Analysis Results Interchange Format (SARIF) Version 2.1.0" (the sections
are named where they matter); GitHub, "SARIF support for code scanning", for what is required
there beyond it: a region, and rules with their help.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import os
import re
from collections import Counter
from collections.abc import Iterator
from urllib.parse import quote

from unhaunt import __version__
from unhaunt.allow import Allowed
from unhaunt.errors import UserError
from unhaunt.report import Report
from unhaunt.report.as_text import visibility
from unhaunt.report.hints import hint_of
from unhaunt.rule import Found, Rule, Severity
from unhaunt.text import printable

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
#: the name of our fingerprint and its version (3.27.17); a change of `_identity` needs a new one
FINGERPRINT = "unhaunt/v1"
_ROOT = "%SRCROOT%"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
Json = dict[str, object]


def render(report: Report, *, verbose: bool, quiet: bool) -> str:
    """Return one SARIF log with one run."""
    shown = [(f, None) for f in report.found if verbose or f.severity is not Severity.INFO]
    items = [*shown, *((allowed.found, allowed) for allowed in report.allowed)]
    rules = sorted({rule.code: rule for rule in _rules(report)}.items())
    indices = {code: n for n, (code, _) in enumerate(rules)}
    seen: Counter[str] = Counter()
    results = []
    for item, allowed in items:
        result = _result(item, indices[item.rule.code], _fingerprint(item, seen))
        results.append({**result, **_suppressions(allowed, report)})
    return _log([_rule(rule) for _, rule in rules], results, _invocation(report, verbose))


def failure(error: UserError) -> str:
    """Return a log without results, whose run says that it did not succeed (3.20.14)."""
    notification = _notification("error", f"{error}\nhint: {error.hint}")
    invocation = {
        "executionSuccessful": False,
        "exitCode": 2,
        "toolConfigurationNotifications": [notification],
    }
    return _log([], [], invocation)


def _log(rules: list[Json], results: list[Json], invocation: Json) -> str:
    driver = {
        "name": "unhaunt",
        "version": __version__,
        "semanticVersion": __version__,
        "rules": rules,
    }
    run = {
        "tool": {"driver": driver},
        "invocations": [invocation],
        # Without a URI: where the checkout lies is for the reader to say (3.14.14).
        "originalUriBaseIds": {_ROOT: {"description": {"text": "the repository's root"}}},
        "columnKind": "unicodeCodePoints",
        "results": results,
    }
    document = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def _rules(report: Report) -> Iterator[Rule]:
    """Yield the rules that were run, with or without a finding."""
    yield from report.rules
    yield from (item.rule for item in report.found)
    yield from (allowed.found.rule for allowed in report.allowed)


def _rule(rule: Rule) -> Json:
    docs = inspect.cleandoc(rule.docs)
    first = docs.split("\n\n")[0].removeprefix("What it finds: ").replace("\n", " ")
    return {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": first},
        "help": {"text": docs},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
    }


def _result(item: Found, index: int, fingerprint: str) -> Json:
    finding = item.finding
    seen = f" [{visibility(finding.entry)}]" if finding.entry.visibility else ""
    text = f"{_plain(finding.message + seen)}\nhint: {_plain(hint_of(item))}"
    # Where the path itself is the matter there is no line; code scanning wants one all the same.
    place = {
        "artifactLocation": location(finding.entry.path),
        "region": {"startLine": finding.line or 1},
    }
    return {
        "ruleId": item.rule.code,
        "ruleIndex": index,
        "level": _LEVELS[item.severity],
        "message": {"text": text},
        "locations": [{"physicalLocation": place}],
        "partialFingerprints": {FINGERPRINT: fingerprint},
    }


def location(path: str) -> Json:
    """Return an artifactLocation: below the root, or a file URI. Bytes are percent-encoded."""
    uri = quote(os.fsencode(path.replace(os.sep, "/")))
    if os.path.isabs(path):
        return {"uri": f"file://{uri if uri.startswith('/') else '/' + uri}"}
    return {"uri": uri, "uriBaseId": _ROOT}


def _fingerprint(item: Found, seen: Counter[str]) -> str:
    """Return what stays the same while lines move; equal findings of one file are numbered."""
    identity = _identity(item)
    seen[identity] += 1
    text = f"{identity}\0{seen[identity]}".encode("utf-8", "surrogateescape")
    return hashlib.sha256(text).hexdigest()


def _identity(item: Found) -> str:
    """Return code, path and what was judged: its hash, so that other content is a new alert.

    Where one path can have several findings under one code, their words without line numbers.
    """
    finding = item.finding
    facts = re.findall(r"\b[0-9a-f]{64}\b", finding.message)
    if not item.rule.code.startswith(("UH1", "UH2")):
        facts = [re.sub(r"(:|\bline )\d+", "", finding.message)]
    return "\0".join([item.rule.code, finding.entry.path, *facts])


def _suppressions(allowed: Allowed | None, report: Report) -> Json:
    if allowed is None:
        return {}
    pending = allowed.new and report.strict  # then it excuses nothing yet
    suppression = {
        "kind": "inSource" if allowed.inline else "external",
        "status": "underReview" if pending else "accepted",
        "justification": printable(allowed.reason),
    }
    return {"suppressions": [suppression]}


def _invocation(report: Report, verbose: bool) -> Json:
    level = "error" if report.strict else "warning"
    execution = [
        _notification(level, f"not checked: {n.reason}", n.path) for n in report.not_checked
    ]
    execution += [_notification("note", note) for note in report.notes]
    if report.elsewhere.number:
        execution.append(_notification("note", report.elsewhere.words))
    if verbose:
        execution += [_notification("none", f"skipped: {s.reason}", s.path) for s in report.skipped]
    return {
        "executionSuccessful": report.exit_code != 2,
        "exitCode": report.exit_code,
        "toolExecutionNotifications": execution,
        "toolConfigurationNotifications": [
            _notification("warning", f"unused allow entry: {a.rule} {a.path}")
            for a in report.unused
        ],
    }


def _notification(level: str, text: str, path: str | None = None) -> Json:
    lines = "\n".join(map(_plain, text.split("\n")))
    found: Json = {"level": level, "message": {"text": lines}}
    if path:
        found["locations"] = [{"physicalLocation": {"artifactLocation": location(path)}}]
    return found


def _plain(text: str) -> str:
    """Return text that no reader takes for a link: `[text](place)` is one, 3.11.6."""
    return printable(text).replace("](", "] (")
