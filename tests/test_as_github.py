"""What GitHub's runner makes of our annotations: ours, and never a word of a file's."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from hypothesis import given

from tests.hostile import NAMES, examples, report, texts
from tests.repository import UNHAUNT, Ran, Repository, run
from unhaunt.errors import UserError
from unhaunt.report import as_github

#: what the runner obeys: actions/runner, ActionCommandManager and its extensions
KNOWN = {
    "error", "warning", "notice", "debug", "group", "endgroup", "add-mask", "add-path", "set-env",
    "set-output", "save-state", "stop-commands", "echo", "add-matcher", "remove-matcher",
    "internal-set-repo-path",
}  # fmt: skip
ENDS = {":": "%3A", ",": "%2C"}


class Command(NamedTuple):
    """What the runner has read."""

    name: str
    properties: dict[str, str]
    message: str


def obeyed(output: str) -> list[Command]:
    """Return the commands in an output, read as the runner does: both forms, token and all."""
    found: list[Command] = []
    token = None
    for line in re.split(r"\r\n|\n|\r", output):
        command = _modern(line, token) or _legacy(line, token)
        if command is None:
            continue
        if token is not None:
            token = None if command.name == token else token
            continue
        found.append(command)
        if command.name == "stop-commands":
            token = command.message.lower()
    return found


def _modern(line: str, token: str | None) -> Command | None:
    head, separator, message = line.lstrip().removeprefix("::").partition("::")
    if not line.lstrip().startswith("::") or not separator:
        return None
    return _command(head, message, ",", {**ENDS, "\r": "%0D", "\n": "%0A", "%": "%25"}, token)


def _legacy(line: str, token: str | None) -> Command | None:
    match = re.search(r"##\[([^\]]*)\](.*)", line)
    if not match:
        return None
    escapes = {";": "%3B", "]": "%5D", "\r": "%0D", "\n": "%0A", "%": "%25"}
    return _command(match[1], match[2], ";", escapes, token)


def _command(
    head: str, message: str, end: str, escapes: dict[str, str], token: str | None
) -> Command | None:
    name, _, rest = head.partition(" ")
    if name.lower() not in KNOWN | {token}:
        return None
    pairs = (pair.split("=", 1) for pair in rest.strip().split(end) if "=" in pair)
    properties = {key: _plain(value, escapes) for key, value in pairs}
    data = {c: e for c, e in escapes.items() if c not in ENDS}
    return Command(name.lower(), properties, _plain(message, data))


def _plain(text: str, escapes: dict[str, str]) -> str:
    for char, escape in escapes.items():
        text = text.replace(escape, char)
    return text


def test_the_reader_reads_what_a_runner_obeys() -> None:
    """A reader that never finds a command would prove nothing."""
    hostile = "::stop-commands::abc\n::error::no\n::abc::\na ##[group]x\n ::error file=a%2Cb,line=3::x%0Ay"
    assert obeyed(hostile) == [
        Command("stop-commands", {}, "abc"),
        Command("group", {}, "x"),
        Command("error", {"file": "a,b", "line": "3"}, "x\ny"),
    ]


@examples
@given(text=texts)
def test_whatever_a_name_is_the_commands_are_ours(text: str) -> None:
    tame = obeyed(as_github.render(report("x", strict=True), verbose=True, quiet=False))
    shown = as_github.render(report(text, strict=True), verbose=True, quiet=False)
    wild = obeyed(shown)
    assert len(wild) == len(tame) == len(shown.splitlines())
    for ours, theirs in zip(tame, wild, strict=True):
        assert (ours.name, ours.properties.get("line")) == (
            theirs.name,
            theirs.properties.get("line"),
        )
        assert set(theirs.properties) <= {"file", "line", "title"}
        assert ours.properties["title"] == theirs.properties["title"]


@examples
@given(text=texts)
def test_an_error_is_one_command(text: str) -> None:
    (command,) = obeyed(as_github.failure(UserError(text, hint=text)))
    assert (command.name, set(command.properties)) == ("error", {"title"})


def test_a_name_comes_through_as_it_is() -> None:
    (first, *_) = obeyed(as_github.render(report("a%0A,b:c=d::e"), verbose=False, quiet=True))
    assert first.properties["file"] == "a%0A,b:c=d::e"
    assert first.message.startswith("a%0A,b:c=d::e")


def _annotated(repo: Repository, *words: str, summary: Path | None = None) -> Ran:
    env = {"GITHUB_STEP_SUMMARY": str(summary)} if summary else {}
    return run(*UNHAUNT, "check", "--format", "github", *words, cwd=repo.path, env=env)


def test_files_with_such_names_annotate_and_do_nothing_else(repo: Repository) -> None:
    names = [f"{name.replace('/', '_')}.pth" for name in NAMES if "\0" not in name]
    repo.write(dict.fromkeys(names, "import os\n"))
    done = _annotated(repo, "UH102")
    both = obeyed(done.out) + obeyed(done.err)
    assert [c.name for c in both] == ["error"] * len(set(names))
    assert {c.properties["title"] for c in both} == {"UH102 pth-code"}


def test_levels_and_places(repo: Repository) -> None:
    repo.commit({"x.pth": "\nimport os\n", ".env": "A=1\nPYTHONPATH=/a\n", "sitecustomize.py": ""})
    found = {
        (c.name, c.properties["file"], c.properties.get("line"))
        for c in obeyed(_annotated(repo).out)
    }
    assert found == {
        ("error", "x.pth", "2"), ("warning", ".env", "2"), ("error", "sitecustomize.py", None),
    }  # fmt: skip


def test_the_summary_of_the_step_is_added_to(repo: Repository, tmp_path: Path) -> None:
    repo.commit({"x.pth": "import os\n"})
    summary = tmp_path / "summary.md"
    summary.write_text("before\n")
    done = _annotated(repo, summary=summary)
    markdown = run(*UNHAUNT, "check", "--format", "markdown", cwd=repo.path).out
    assert (done.code, summary.read_text()) == (1, "before\n" + markdown)


def test_a_check_that_could_not_look_is_in_the_summary_too(
    repo: Repository, tmp_path: Path
) -> None:
    summary = tmp_path / "summary.md"
    summary.touch()
    assert _annotated(repo, "UH999", summary=summary).code == 2
    assert "could not look" in summary.read_text()


def test_a_summary_that_cannot_be_written_fails_nothing(repo: Repository, tmp_path: Path) -> None:
    repo.commit({"x.pth": "import os\n"})
    (tmp_path / "target").write_text("untouched")
    (tmp_path / "link").symlink_to("target")
    (tmp_path / "folder").mkdir()
    run("mkfifo", str(tmp_path / "fifo"), cwd=tmp_path)
    for name in ("missing", "link", "folder", "fifo"):
        done = _annotated(repo, summary=tmp_path / name)
        assert (done.code, "note: no step summary: " in done.err) == (1, True), (name, done)
    assert (tmp_path / "target").read_text() == "untouched"
    assert not (tmp_path / "missing").exists()
