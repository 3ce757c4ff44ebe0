"""The words of `unhaunt check`, and what is asked of git because of them."""

from __future__ import annotations

import argparse

import pytest

from unhaunt import catalog
from unhaunt.commands import check


@pytest.mark.parametrize("words", [[], ["unhaunt"], ["UH101", "warn-pythonpath"]])
def test_words_without_options_mean_what_the_parser_makes_of_them(words: list[str]) -> None:
    parser = argparse.ArgumentParser()
    check.configure(parser)
    assert vars(check.plain(words)) == vars(parser.parse_args(words))


@pytest.mark.parametrize(
    ("words", "families"),
    [
        ([], {"UH1", "UH2", "UH3"}),
        (["warn-pythonpath"], {"UH3"}),
        (["unhaunt"], {"UH1", "UH2"}),
        (["UH101"], {"UH1"}),
        (["UH302", "UH303"], {"UH3"}),
        (["warn-pythonpath", "UH205"], {"UH2", "UH3"}),
    ],
)
def test_families(words: list[str], families: set[str]) -> None:
    assert catalog.families(words) == families


def test_a_name_may_be_of_any_family() -> None:
    assert catalog.families(["startup-module"]) >= {"UH1", "UH2", "UH3"}
