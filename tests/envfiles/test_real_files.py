"""Forms read by hand in the source distributions of large projects, and their verdicts.

Each row of `real_files.jsonl` is one form, re-written: the tree it was seen in, for how many lines
it stands, a file, and what must be found in it ("line code", a trailing i: info).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.envfiles.test_formats import found

TEXT = Path(__file__).with_name("real_files.jsonl").read_text("utf-8")
ROWS = [json.loads(line) for line in TEXT.splitlines()]
IDS = [f"{row['tree']} {row['path']} {number}" for number, row in enumerate(ROWS, 1)]


@pytest.mark.parametrize("row", ROWS, ids=IDS)
def test_real_form(row: dict[str, Any]) -> None:
    assert [place for place, _ in found(row["path"], row["text"])] == row["expected"]


def test_the_table_is_large_enough() -> None:
    assert len({row["tree"] for row in ROWS}) >= 30
