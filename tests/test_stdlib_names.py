"""The table of the standard library's names, against every Python at hand."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.interpreters import by_minor
from unhaunt.importing.stdlib_names import BUILT_IN, FROZEN, STANDARD, minor_versions, standing

#: compiled in on Windows alone; elsewhere there is no such module
_WINDOWS = frozenset(("_winapi", "msvcrt", "nt", "winreg"))
_FACTS = """
import _imp, json, sys
names = set(getattr(sys, "stdlib_module_names", ())) | set(sys.argv[1:])
print(json.dumps({
    "standard": sorted(getattr(sys, "stdlib_module_names", ())),
    "built-in": sorted(sys.builtin_module_names),
    "frozen": sorted(name for name in names if _imp.is_frozen(name)),
}))
"""
#: imports nothing by itself: all that it loads is asked for
_IMPORTS = """
import sys
folder, names = sys.argv[1], sys.argv[2:]
sys.path.insert(0, folder)
for name in names:
    try:
        __import__(name)
    except Exception:
        pass  # a frozen module that wants something of an empty file
    if (getattr(sys.modules.get(name), "__file__", None) or "").startswith(folder):
        print(name)
"""


def _names(table: dict[str, str], minor: int) -> set[str]:
    names = {name for row in table.values() for name in row.split()}
    return {name for name in names if minor in minor_versions(name, table)}


def _ask(minor: int, code: str, folder: Path, *args: str) -> str:
    # A file: with `-c`, 3.13 and newer import linecache before the first line.
    script = folder / "ask-python"
    script.write_text(code)
    done = subprocess.run(
        [by_minor()[minor], "-I", "-S", str(script), *args],
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("minor", by_minor())
def test_the_tables_say_what_this_python_says(minor: int, tmp_path: Path) -> None:
    facts = json.loads(_ask(minor, _FACTS, tmp_path, *sorted(_names(STANDARD, minor))))
    if minor >= 10:
        assert _names(STANDARD, minor) - {"test"} == set(facts["standard"])
    assert _names(BUILT_IN, minor) - _WINDOWS <= set(facts["built-in"])
    assert _names(FROZEN, minor) == set(facts["frozen"])


@pytest.mark.parametrize("minor", by_minor())
def test_a_file_is_taken_exactly_when_we_say_so(minor: int, tmp_path: Path) -> None:
    builtins = set(json.loads(_ask(minor, _FACTS, tmp_path))["built-in"])
    # A distributor may compile in more than the smallest build has.
    names = _names(STANDARD, minor) - _WINDOWS - (builtins - _names(BUILT_IN, minor))
    assert len(names) > 200
    for name in names:
        (tmp_path / f"{name}.py").write_text("")
    taken = _ask(minor, _IMPORTS, tmp_path, str(tmp_path), *sorted(names)).split()
    only = frozenset((minor,))
    assert {name for name in names if standing(name, only).replaced} == set(taken)
