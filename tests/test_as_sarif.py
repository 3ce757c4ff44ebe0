"""SARIF against the schema of its standard, and against what code scanning asks beyond it.

`sarif-schema-2.1.0.json` is the schema of SARIF 2.1.0 plus errata 01, as OASIS publishes it.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes, urlsplit

import pytest
from hypothesis import given
from jsonschema import Draft4Validator, FormatChecker
from rfc3986_validator import validate_rfc3986  # type: ignore[import-untyped]

from tests.hostile import NAMES, examples, report, texts
from tests.repository import UNHAUNT, Repository, run
from unhaunt.errors import UserError
from unhaunt.report import as_sarif

SCHEMA = json.loads((Path(__file__).parent / "sarif-schema-2.1.0.json").read_text("utf-8"))
CHECKER = FormatChecker()


@CHECKER.checks("uri")
def _is_uri(value: object) -> bool:
    return not isinstance(value, str) or bool(validate_rfc3986(value, rule="URI"))


@CHECKER.checks("uri-reference")
def _is_reference(value: object) -> bool:
    return not isinstance(value, str) or bool(validate_rfc3986(value, rule="URI_reference"))


VALIDATOR = Draft4Validator(SCHEMA, format_checker=CHECKER)
ALLOW = '[[tool.unhaunt.allow]]\nrule = "UH102"\npath = "x.pth"\nreason = "a fixture of ours"\n'


def checked(text: str) -> Any:
    """Return the run of a SARIF log that the schema accepts."""
    document = json.loads(text)
    assert [error.message for error in VALIDATOR.iter_errors(document)] == []
    (found,) = document["runs"]
    return found


def sarif(repo: Repository, *words: str, code: int) -> Any:
    """Return the run of a check."""
    done = run(*UNHAUNT, "check", "--format", "sarif", *words, cwd=repo.path)
    assert done.code == code, done
    return checked(done.out)


def _location(result: Any) -> Any:
    return result["locations"][0]["physicalLocation"]["artifactLocation"]


def test_the_schema_rejects_what_is_wrong() -> None:
    """A validator that accepts all would prove nothing."""
    document = json.loads(as_sarif.render(report("x"), verbose=True, quiet=False))
    Draft4Validator.check_schema(SCHEMA)
    for place, value in (("uri", "a b"), ("uri", "%zz"), ("uriBaseId", 1)):
        _location(document["runs"][0]["results"][0])[place] = value
        assert list(VALIDATOR.iter_errors(document)), (place, value)


@examples
@given(text=texts)
def test_whatever_a_name_is_the_schema_accepts_it(text: str) -> None:
    found = checked(as_sarif.render(report(text), verbose=True, quiet=False))
    for result in found["results"]:
        location = _location(result)
        if location.get("uriBaseId") == "%SRCROOT%":
            assert unquote_to_bytes(location["uri"]) == os.fsencode(text or "x")
        assert "](" not in result["message"]["text"]


@examples
@given(text=texts)
def test_an_error_is_a_run_that_did_not_succeed(text: str) -> None:
    found = checked(as_sarif.failure(UserError(text, hint=text)))
    assert (found["results"], found["invocations"][0]["executionSuccessful"]) == ([], False)


def test_what_code_scanning_requires(repo: Repository) -> None:
    repo.commit({"x.pth": "\nimport os\n", ".env": "PYTHONPATH=/a\n", "sitecustomize.py": ""})
    found = sarif(repo, code=1)
    rules = found["tool"]["driver"]["rules"]
    for result in found["results"]:
        rule = rules[result["ruleIndex"]]
        assert rule["id"] == result["ruleId"]
        assert "Why it matters:" in rule["help"]["text"]
        assert 0 < len(rule["fullDescription"]["text"]) <= 1024
        assert result["message"]["text"]
        assert result["locations"][0]["physicalLocation"]["region"]["startLine"] >= 1
    levels = {_location(r)["uri"]: (r["ruleId"], r["level"]) for r in found["results"]}
    assert levels == {
        "x.pth": ("UH102", "error"), ".env": ("UH303", "warning"),
        "sitecustomize.py": ("UH101", "error"),
    }  # fmt: skip
    assert found["invocations"][0]["exitCode"] == 1
    assert found["invocations"][0]["executionSuccessful"]


def test_information_is_shown_on_request(repo: Repository) -> None:
    repo.commit({"x.pth": "nowhere\n"})
    assert sarif(repo, code=0)["results"] == []
    assert [r["level"] for r in sarif(repo, "-v", code=0)["results"]] == ["note"]


def test_names_become_relative_uris(repo: Repository) -> None:
    names = [f"d/{name.replace('/', '_')}.pth" for name in NAMES]
    repo.write(dict.fromkeys(names, "import os\n"))
    uris = {_location(r)["uri"] for r in sarif(repo, "UH102", code=1)["results"]}
    assert {unquote_to_bytes(uri) for uri in uris} == {os.fsencode(name) for name in names}
    assert not any(urlsplit(uri).scheme or urlsplit(uri).netloc for uri in uris)


def _fingerprints(found: Any) -> list[str]:
    return [result["partialFingerprints"]["unhaunt/v1"] for result in found["results"]]


def test_a_fingerprint_does_not_move_with_its_line(repo: Repository) -> None:
    files = {"x.pth": "import os\n", ".env": "PYTHONPATH=/a\nB=1\nPYTHONPATH=/a\nPYTHONPATH=/b\n"}
    repo.commit(files)
    before = _fingerprints(sarif(repo, code=1))
    assert len(set(before)) == len(before) == 4
    repo.commit({".env": "# one\n\n# more\n" + files[".env"]})
    assert _fingerprints(sarif(repo, code=1)) == before


def test_other_content_is_another_finding(repo: Repository) -> None:
    repo.commit({"x.pth": "import os\n"})
    before = _fingerprints(sarif(repo, code=1))
    repo.commit({"x.pth": "import os; evil()\n"})
    assert _fingerprints(sarif(repo, code=1)) != before


def test_an_accepted_finding_is_suppressed_with_its_reason(repo: Repository) -> None:
    env = "# unhaunt: ignore[UH303] the image's own\nPYTHONPATH=/a\n"
    repo.commit({"x.pth": "import os\n", "pyproject.toml": ALLOW, ".env": env})
    found = {r["ruleId"]: r["suppressions"] for r in sarif(repo, code=0)["results"]}
    accepted = {"status": "accepted"}
    assert found == {
        "UH102": [{"kind": "external", **accepted, "justification": "a fixture of ours"}],
        "UH303": [{"kind": "inSource", **accepted, "justification": "the image's own"}],
    }


def test_a_new_entry_is_under_review_where_it_counts(repo: Repository) -> None:
    repo.commit({"x.pth": "import os\n"})
    repo.write({"pyproject.toml": ALLOW})
    repo.add("pyproject.toml")
    for words, code, status in (((), 0, "accepted"), (("--strict",), 1, "underReview")):
        (result,) = sarif(repo, *words, code=code)["results"]
        assert result["suppressions"][0]["status"] == status


def test_what_was_not_checked_and_what_is_unused_is_notified(repo: Repository) -> None:
    repo.commit({"compose.yaml": "services: [\n  PYTHONPATH: ${X:\n", "pyproject.toml": ALLOW})
    for words, code, level in (((), 0, "warning"), (("--strict",), 2, "error")):
        (invocation,) = sarif(repo, *words, code=code)["invocations"]
        (execution,) = invocation["toolExecutionNotifications"]
        (configuration,) = invocation["toolConfigurationNotifications"]
        assert execution["level"] == level
        place = execution["locations"][0]["physicalLocation"]["artifactLocation"]
        assert place == {"uri": "compose.yaml", "uriBaseId": "%SRCROOT%"}
        assert configuration["message"]["text"] == "unused allow entry: UH102 x.pth"
        assert invocation["executionSuccessful"] == (code != 2)


def test_a_wrong_configuration_is_notified(repo: Repository) -> None:
    repo.commit({"x.pth": "import os\n", "pyproject.toml": "[tool.unhaunt]\nno = 1\n"})
    (invocation,) = sarif(repo, code=2)["invocations"]
    (notification,) = invocation["toolConfigurationNotifications"]
    assert "unknown key" in notification["message"]["text"]
    assert not invocation["executionSuccessful"]


def test_the_same_repository_gives_the_same_bytes(repo: Repository) -> None:
    repo.commit({"x.pth": "import os\n", "compose.yaml": "PYTHONPATH: ${X:\n"})
    texts_of = {run(*UNHAUNT, "check", "--format", "sarif", cwd=repo.path).out for _ in range(2)}
    assert len(texts_of) == 1


@pytest.mark.parametrize(
    ("path", "uri"), [("/srv/a b.pth", "file:///srv/a%20b.pth"), ("a:b", "a%3Ab")]
)
def test_a_file_of_an_interpreter_is_a_file_uri(path: str, uri: str) -> None:
    assert as_sarif.location(path)["uri"] == uri
