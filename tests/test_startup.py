"""What `startup` says of `.pth` and `.start` bytes, against the `site` of every Python at hand."""

from __future__ import annotations

import base64
import json
import random
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.interpreters import by_minor
from unhaunt import startup

#: run in the other Python: it reads the cases and prints what `site` does with each
_RUNNER = r"""
import base64, io, json, os, shutil, site, sys, tempfile
sys.dont_write_bytecode = True
top, executed, called = tempfile.mkdtemp(), [], []
site.exec = lambda line, *scope: executed.append(line)
if sys.version_info >= (3, 15):
    import pkgutil
    resolve = pkgutil.resolve_name
    def resolve_name(name, *, strict=False):
        try:
            resolve(name, strict=strict)
        except ValueError:
            raise
        except Exception:
            pass
        called.append(name)
        return lambda: None
    pkgutil.resolve_name = resolve_name
answers = []
for number, files in enumerate(json.load(sys.stdin)):
    folder = os.path.join(top, str(number))
    os.makedirs(os.path.join(folder, "d"))
    os.makedirs(os.path.join(folder, "e f"))
    for name, data in files.items():
        with open(os.path.join(folder, name), "wb") as file:
            file.write(base64.b64decode(data))
    before = list(sys.path)
    errors, sys.stderr = sys.stderr, io.StringIO()
    try:
        site.addsitedir(folder)
    except UnicodeError:
        pass
    finally:
        sys.stderr = errors
    added = [os.path.relpath(p, folder) for p in sys.path if p not in before]
    sys.path[:] = before
    answers.append([executed[:], [p for p in added if p != "."], called[:]])
    del executed[:], called[:]
shutil.rmtree(top)
print(json.dumps(answers))
"""

#: what ends a line since 3.13, beside the newlines
_BREAKS = "\v\f\x1c\x1d\x1e\x85\u2028\u2029"

Files = dict[str, bytes]


class Answer(NamedTuple):
    """What a Python did: the lines executed, folders put on the path, entry points called."""

    executed: set[str]
    paths: set[str]
    called: set[str]


def _ask(python: str, cases: list[Files]) -> list[Answer]:
    stdin = json.dumps(
        [{name: base64.b64encode(raw).decode() for name, raw in files.items()} for files in cases]
    )
    done = subprocess.run(
        [python, "-I", "-S", "-W", "ignore", "-c", _RUNNER],
        input=stdin, capture_output=True, text=True, env={"LC_ALL": "C.UTF-8"}, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return [Answer(*({s.strip() for s in part} for part in row)) for row in json.loads(done.stdout)]


def _predict(files: Files, minor: int) -> Answer:
    executed, paths, called = set(), set(), set()
    for name, raw in files.items():
        if name.endswith(".pth"):
            sibling = files.get(name[:-4] + ".start")
            silent = sibling is not None and minor >= 15 and startup.start(sibling, name).readable
            found = startup.pth(raw, name)
            executed |= {
                line.text.strip() for line in found.executed if minor in line.minors and not silent
            }
            for line in found.paths:
                text = (
                    line.text.strip()
                    if minor >= 15
                    else line.text.lstrip(_BREAKS if minor >= 13 else "")
                )
                if minor in line.minors and text.rstrip("/") in ("d", "e f", "./d", "d/../d"):
                    paths.add("e f" if text.startswith("e") else "d")
        else:
            entry_points = startup.start(raw, name).entry_points
            called |= {line.text for line in entry_points if minor in line.minors}
    return Answer(executed, paths, called)


#: what a line is made of, and what may stand between lines
_WORDS = (
    b"import os", b"import\tos", b"import os; x = 1", b"import", b"importos", b"import\x0bos",
    b"import\xc2\xa0os", b"from os import x", b"d", b"e f", b"./d", b"nowhere", b"# import os",
    b"#", b"x = 1", b"a.b:c", b"a:b", b"a:", b":b", b"a:b:c", b"a.b", b"9a:b", b"a.b:c.d",
    b"\xc3\xa4:b", b"a :b", b"a: b", b"import os # \xe2\x80\xa9 import x",
)  # fmt: skip
_BLANKS = (
    b"",
    b"",
    b"",
    b" ",
    b"\t",
    b"\x0c",
    b"\x1c",
    b"\xc2\xa0",
    b"\xe3\x80\x80",
    b"\xef\xbb\xbf",
)
_ENDS = (
    b"\n", b"\n", b"\n", b"\r\n", b"\r", b"\x0c", b"\x0b", b"\x1c", b"\x1d", b"\x1e", b"\xc2\x85",
    b"\xe2\x80\xa8", b"\xe2\x80\xa9", b"", b"\n\n", b"\n\r",
)  # fmt: skip
_BAD = (b"\xff", b"\x80", b"\xc3", b"\xed\xa0\x80", b"\x00")


def _content(chance: random.Random, *, bad: bool) -> bytes:
    parts = [chance.choice((b"", b"", b"\xef\xbb\xbf", b"\xff\xfe" if bad else b""))]
    for _ in range(chance.randint(0, 6)):
        parts += [chance.choice(_BLANKS), chance.choice(_WORDS), chance.choice(_BLANKS)]
        if bad and chance.random() < 0.2:
            parts.append(chance.choice(_BAD))
        parts.append(chance.choice(_ENDS))
    return b"".join(parts)


def _cases(seed: int, count: int) -> list[Files]:
    chance = random.Random(seed)
    cases = []
    for _ in range(count):
        bad = chance.random() < 0.3
        files = {chance.choice(("x.pth", "x.pth", ".x.pth")): _content(chance, bad=bad)}
        if chance.random() < 0.3:
            files[chance.choice(("x.start", "y.start", ".y.start"))] = _content(chance, bad=bad)
        cases.append(files)
    return cases


def _is_utf8(raw: bytes) -> bool:
    try:
        raw.decode()
    except UnicodeDecodeError:
        return False
    return True


def _differences(python: str, minor: int, cases: list[Files]) -> list[object]:
    found: list[object] = []
    for files, real in zip(cases, _ask(python, cases), strict=True):
        predicted = _predict(files, minor)
        is_right = real == predicted
        if not all(map(_is_utf8, files.values())):
            # 3.8-3.12 read 8 KiB at a time: lines before a bad byte run if they came with an
            # earlier read. Since 3.13 such a `.pth` also ends the work on the files behind it.
            is_right = all(mine <= its for mine, its in zip(real, predicted, strict=True))
        if not is_right:
            found.append((files, real, predicted))
    return found


def test_a_python_to_compare_with_is_at_hand() -> None:
    assert by_minor()


@pytest.mark.parametrize("minor", by_minor())
def test_site_does_with_generated_files_what_we_say(minor: int) -> None:
    assert _differences(by_minor()[minor], minor, _cases(1, 120)) == []


@pytest.mark.full
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("minor", by_minor())
def test_site_does_with_many_generated_files_what_we_say(minor: int, seed: int) -> None:
    assert _differences(by_minor()[minor], minor, _cases(100 + seed, 4000)) == []


@pytest.mark.parametrize("minor", [m for m in by_minor() if m <= 12])
def test_lines_long_before_a_bad_byte_are_run_by_older_pythons(minor: int) -> None:
    raw = b"import os\n" + b"# " + b"x" * 20_000 + b"\n\xff\n"
    (real,) = _ask(by_minor()[minor], [{"x.pth": raw}])
    assert real.executed == {"import os"}
    assert startup.pth(raw).executed == (startup.Line(1, "import os", frozenset(range(8, 13))),)


def test_the_runner_is_not_blind(tmp_path: Path) -> None:
    minor, python = next(iter(by_minor().items()))
    (real,) = _ask(python, [{"x.pth": b"import os\nd\n"}])
    assert real == Answer({"import os"}, {"d"}, set())
    assert _differences(python, minor, [{"x.pth": b"import os\nd\n"}]) == []
