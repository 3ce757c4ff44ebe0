"""The steps of the story: what is said, typed and expected. Pure: no IO."""

from __future__ import annotations

from typing import NamedTuple

TESTS = ("python", "-m", "unittest", "discover", "tests")
OPENING = """\
Two machines, one commit, one command. The tests are green in CI and red on the laptop.
Both machines are folders in {folder}, which is removed at the end.
"""
CLOSING = """\
The cause was a forgotten folder on PYTHONPATH. Fingerprint first, argue second.
"""


class Step(NamedTuple):
    """One command of the story. `words` are those of unhaunt, or of the tests themselves."""

    said: str
    machine: str
    words: tuple[str, ...]
    code: int  # with which it ends when the story goes as it should
    hands_over: str = ""  # a file that the other machine gets afterwards

    @property
    def is_ours(self) -> bool:
        """Whether it is a command of unhaunt."""
        return self.words != TESTS


STEPS = (
    Step("In CI the tests pass:", "ci", TESTS, 0),
    Step("On the laptop they fail:", "laptop", TESTS, 1),
    Step(
        "1. Write down what decides the meaning of `import`, on the laptop",
        "laptop",
        ("fingerprint", "--output", "laptop.json"),
        0,
    ),
    Step("2. and in CI.", "ci", ("fingerprint", "--output", "ci.json"), 0, "ci.json"),
    Step(
        "3. Compare: may the green run over there be trusted as a second opinion?",
        "laptop",
        ("compare", "laptop.json", "ci.json"),
        1,
    ),
    Step(
        "4. Which file does the import take, and why that one?",
        "laptop",
        ("where", "cli_helpers"),
        1,
    ),
    Step(
        "5. Take the ingredients of the environment away, one by one: which of them flips it?",
        "laptop",
        ("run", "--bisect", "--", *TESTS),
        1,
    ),
    Step(
        "The way out, for a person, an agent or CI: the same tests, isolated.",
        "laptop",
        ("run", "--isolated", "--", *TESTS),
        0,
    ),
)
