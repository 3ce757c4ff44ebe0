"""Markdown for a comment: read by a real parser, an enemy's words are code and nothing else."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import given
from markdown_it import MarkdownIt
from markdown_it.token import Token

from tests.hostile import examples, report, texts
from tests.repository import UNHAUNT, Repository, run
from unhaunt.errors import UserError
from unhaunt.report import as_markdown
from unhaunt.text import printable, shortened

PARSER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
OURS = {"text", "code_inline", "strong_open", "strong_close", "softbreak"}
BLOCKS = {
    "heading_open", "heading_close", "bullet_list_open", "bullet_list_close", "list_item_open",
    "list_item_close", "paragraph_open", "paragraph_close", "inline",
}  # fmt: skip


def _inline(text: str) -> Iterator[Token]:
    for token in PARSER.parse(text):
        assert token.type in BLOCKS, token
        yield from token.children or ()


@examples
@given(text=texts)
def test_an_enemys_words_are_code(text: str) -> None:
    """Outside code stands what stands there when the words are harmless."""
    tame, wild = (
        list(_inline(as_markdown.render(report(words, strict=True), verbose=True, quiet=False)))
        for words in ("x", text)
    )
    assert {token.type for token in wild} <= OURS
    assert [t.content for t in wild if t.type == "text"] == [
        t.content for t in tame if t.type == "text"
    ]


@examples
@given(text=texts)
def test_a_code_span_holds_all_of_a_text(text: str) -> None:
    (token,) = _inline(as_markdown.code(text))
    assert token.type == "code_inline"
    assert token.content == shortened(text, 600) or not text


@examples
@given(text=texts)
def test_an_error_is_code_too(text: str) -> None:
    assert {t.type for t in _inline(as_markdown.failure(UserError(text, hint=text)))} <= OURS


def test_it_fits_a_comment(repo: Repository) -> None:
    repo.write({f"{'a' * 200}{n}.pth": "import os\n" for n in range(300)})
    done = run(*UNHAUNT, "check", "UH102", "--format", "markdown", cwd=repo.path)
    assert done.code == 1
    assert len(done.out) <= as_markdown.MOST
    assert " more lines, in the report as text\n" in done.out
    assert done.out.endswith("300 errors, 0 warnings, 0 allowed\n")


def test_the_verdict_comes_first(repo: Repository) -> None:
    repo.commit({"x.pth": "import os\n"})
    done = run(*UNHAUNT, "check", "--format", "markdown", cwd=repo.path)
    assert done.out.startswith(
        "### unhaunt: something to reject\n\n- **error** `x.pth:1` UH102 `pth-code`: `an executable"
    )
    assert printable(done.out.replace("\n", "")) == done.out.replace("\n", "")
