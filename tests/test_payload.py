"""Signs of a payload: each has its row, and each row of the other table has none."""

from __future__ import annotations

import time

import pytest

from unhaunt.audits.payload import BEYOND, MOST, Judge, is_overlong, signs

DECODED, NETWORK, PROCESS = "it runs decoded text", "it uses the network", "it starts a process"
ELSEWHERE, TAKES = "it runs text from elsewhere", "it takes the whole environment"
SIGNS = {
    "import os; exec(__import__('base64').b64decode('eA=='))": DECODED,
    "import sys; exec(bytes.fromhex('00').decode())": DECODED,
    "import zlib; eval(compile(zlib.decompress(b'x'), 'a', 'exec'))": DECODED,
    "import codecs; exec(codecs.decode('cevag', 'rot13'))": DECODED,
    "import sys; exec('exec(\"import base64; exec(base64.b64decode(1))\")')": DECODED,
    "import base64 as b\nx = b.b64decode('eA==')\nexec(x)": DECODED,
    "import sys; exec(open('/tmp/x').read())": ELSEWHERE,
    "import runpy; runpy.run_path('/tmp/x')": ELSEWHERE,
    "import subprocess as s; s.run('x')": PROCESS,
    "import sys; from os import system as s; s('x')": PROCESS,
    "import os; getattr(os, 'popen')('x')": PROCESS,
    "import os; __import__('os').execv('/bin/sh', [])": PROCESS,
    "import socket": NETWORK,
    "import sys; exec('from urllib.request import urlopen')": NETWORK,
    "import importlib; importlib.import_module('requests')": NETWORK,
    "import os, json; open('x', 'w').write(json.dumps(dict(os.environ)))": TAKES,
    "import os; x = os.environ.copy()": TAKES,
    "import os; x = {k: v for k, v in os.environ.items()}": TAKES,
    f"import sys; sys.x = '{'QUJD' * 80}'": "a long encoded text",
    f"import sys; sys.x = '{chr(92)}x41{(chr(92) + 'x42') * 70}'": "a long encoded text",
    "import os; exec('not python at all(' + base64.b64decode('x') + ')'": DECODED,
}
#: of wheels that people install
SETUPTOOLS = (
    "import os; var = 'SETUPTOOLS_USE_DISTUTILS'; enabled = os.environ.get(var, 'local') == "
    "'local'; enabled and __import__('_distutils_hack').add_shim();"
)
PYTEST_COV = (
    'import os, sys;exec(\'if "COV_CORE" in os.environ:\\n try:\\n  x()\\n except Exception as e:'
    '\\n  sys.stderr.write("{0!r}".format(dict((k, v) for k, v in os.environ.items()'
    ' if k.startswith("COV_CORE"))))\')'
)
NONE = [
    SETUPTOOLS,
    PYTEST_COV,
    "import hunter; hunter._embed_via_environment()",
    "import sys; exec('try: import coverage; coverage.process_startup()\\nexcept: pass')",
    "import _virtualenv",
    "import __editable___x_finder; __editable___x_finder.install()",
    "",
]


@pytest.mark.parametrize("source", SIGNS)
def test_a_sign_is_seen(source: str) -> None:
    assert SIGNS[source] in signs(source.encode())


@pytest.mark.parametrize("source", NONE)
def test_ordinary_lines_have_none(source: str) -> None:
    assert signs(source.encode()) == ()


@pytest.mark.parametrize("source", [b"\xff\xfe\x00", b"(" * 100_000, b"'" * 3, b"\x00import os"])
def test_nothing_makes_it_fail(source: bytes) -> None:
    assert isinstance(signs(source), tuple)


@pytest.mark.parametrize(
    "source",
    [
        b"import " + b"a." * 50_000 + b"b",
        b"import " + b"a . " * 50_000 + b"b",
        b"import " + b"a.\\\n" * 50_000 + b"b",
        b"x = " + b"a." * 50_000 + b"b",
        b"x = " + b"-" * MOST + b"1",
        b"x = " + b"a()" * 80_000,
        b"x = (" + b"a\n." * 60_000 + b"b)",
        b"a" * MOST,
        b"a " * (MOST // 2),
        b"y=1\n" * (MOST // 4),
    ],
    ids=range(10),
)
def test_nothing_makes_it_slow(source: bytes) -> None:
    start = time.process_time()
    assert isinstance(signs(source), tuple)
    assert time.process_time() - start < 5


def test_what_is_not_read_to_its_end_is_said() -> None:
    assert BEYOND in signs(b"import os\n" + b"#" * MOST)
    assert BEYOND in signs(b"import " + b"a." * 200 + b"b")


@pytest.mark.parametrize("source", [b"# " + b"." * 500, b"Some. Text. " * 40, b"a.b.c\n" * 200])
def test_dots_alone_make_no_name_too_long(source: bytes) -> None:
    assert not is_overlong(source)


def test_a_judge_stops_when_it_was_enough() -> None:
    judge = Judge(most=1000)
    assert judge.signs(b"import socket") == (NETWORK,)
    assert [judge.signs(b"x = %d" % n) for n in range(9)][-1] == (BEYOND,)
    assert judge.signs(b"import socket") == (NETWORK,)
