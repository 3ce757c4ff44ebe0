"""Reports whose every word comes from an enemy, and the names that enemies like."""

from __future__ import annotations

from hypothesis import settings
from hypothesis import strategies as st

from unhaunt import catalog
from unhaunt.allow import Allowed
from unhaunt.configuration import Allow
from unhaunt.inventory import Counts, Entry, Skipped, Visibility
from unhaunt.report import Elsewhere, Report
from unhaunt.rule import Finding, Found, NotChecked, Severity

RULES = {rule.code: rule for _, rule in catalog.rules(catalog.STATIC)}
#: names that mean something to a runner, a browser, a Markdown reader or a terminal
NAMES = (
    "::error::x", "::set-output name=a::b", "::stop-commands::token", "::add-mask::a", "##[group]x",
    "a ##[warning]b", "##vso[task.setvariable variable=a]b", " ::debug::x", "a%0A::error::b",
    "a\n::error::b", "a\r::error::b", "a,line=2::b", "a:b,c=d", "a%25b", "a%", "a::b", "::token::",
    "`a`", "a`` b", "`", " ` ", "<b>a</b>", "<!-- a", "@octocat", "a#1", "[a](https://example.org)",
    "![a](https://example.org/x.png)", "https://example.org", "www.example.org", "*a*", "a|b", "\\",
    "a\\`b", "\udcff.pth", "é.pth", "a\u202eb", "a\x1b[31mb", " a ", "&lt;", "/close", "- [ ] a",
    "```\na\n```", "a?b#c", "a b", "100%",
)  # fmt: skip
texts = st.one_of(
    st.sampled_from(NAMES),
    # Of the surrogates a name has those alone that stand for a byte: os.fsdecode makes no others.
    st.text(
        alphabet=st.one_of(
            st.sampled_from(":%\r\n,#[]`<>@|\\ *_~!()\udcff"),
            st.characters(exclude_categories=["Cs"]),
        )
    ),
    st.lists(st.sampled_from(NAMES), min_size=2, max_size=3).map("".join),
)

#: no time limit for one example: on a busy machine it proves nothing
examples = settings(deadline=None, max_examples=60)


def report(text: str, *, strict: bool = False) -> Report:
    """Return a report that says `text` wherever something can be said."""
    name = text or "x"
    found = tuple(
        Found(RULES[code], "hook", Finding(Entry(name, Visibility.IGNORED, hidden_by=name), text, line, severity))
        for code, line, severity in (
            ("UH101", None, None), ("UH102", 3, None), ("UH301", 4, None),
            ("UH301", 9, None), ("UH103", 1, Severity.INFO),
        )
    )  # fmt: skip
    return Report(
        head="0" * 40, counts=Counts(1, 2, 3), env_files=1, found=found,
        elsewhere=Elsewhere(2, "warning", text),
        allowed=(Allowed(found[0], text, new=True), Allowed(found[2], text, new=False, inline=True)),
        unused=(Allow(text, name, text),), not_checked=(NotChecked(name, text),),
        skipped=(Skipped(name, "environment", "has a pyvenv.cfg"),), strict=strict, notes=(text,),
        rules=tuple(RULES.values()),
    )  # fmt: skip
