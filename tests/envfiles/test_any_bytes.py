"""No grammar crashes, hangs or grows out of hand, whatever the bytes are."""

from __future__ import annotations

import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from unhaunt.envfiles import judge, scan
from unhaunt.envfiles.folders import assigned_folders
from unhaunt.envfiles.scan import Scan, decoded

#: one path for each grammar
PATHS = (
    ".env",
    "run.sh",
    "x.fish",
    "x.csh",
    "x.ps1",
    "x.bat",
    "Dockerfile",
    "Makefile",
    "Justfile",
    "Procfile",
    "crontab",
    ".bazelrc",
    "x.ipynb",
    "x.spec",
    "x.service",
    "web.config",
    "noxfile.py",
    "x.tf",
    "x.plist",
    "tox.ini",
    "x.service",
    "pyproject.toml",
    "docker-compose.yml",
    ".travis.yml",
    ".vscode/settings.json",
    "x.t",
    "x.m4",
)
SYNTAX = r"""PYTHONPATH PYTHONHOME PYTHONWARNINGS PYTHONOPTIMIZE = := += : " ' ` $ $( ${ } ) ( [[ ]]
    [ ] { }} {{ %{ <<EOF EOF << <<- # // /* */ ; && || | & > >> \ \\ , . .. / ~ ~/ $PYTHONPATH
    ${PYTHONPATH:+ :- export env set setenv case in esac if fi for do done tee name: value: - key
    <key> <string> </string> <env name= /> <!-- --> ''' %PYTHONPATH% $env: RUN ENV ARG '' + %
    [section] !x & *x <<: ? ! @ ^ 0 -1 null"""
PIECES = st.sampled_from(
    [*SYNTAX.split(), '"\n', "\n", "\n  ", "\n\t", " ", "\n- ", "\\\n", "\0", "é", "\ud800"]
)


def read(path: str, data: bytes) -> Scan | None:
    """Scan and judge, as the rules do."""
    found = scan(path, data, env_file=True)
    last = decoded(data).count("\n") + 1
    for assignment in found.assignments if found else ():
        assert found is not None
        assert 1 <= assignment.line <= last
        judge(assignment, found.format, path)
        assigned_folders(assignment, found)
    return found


@pytest.mark.parametrize("path", PATHS)
@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(pieces=st.lists(PIECES, max_size=40))
def test_pieces_of_syntax_in_any_order(path: str, pieces: list[str]) -> None:
    read(path, ("PYTHONPATH" + "".join(pieces)).encode("utf-8", "surrogatepass"))


@pytest.mark.parametrize("path", PATHS)
@settings(max_examples=30, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(before=st.binary(max_size=60), after=st.binary(max_size=60))
def test_any_bytes_around_the_name(path: str, before: bytes, after: bytes) -> None:
    read(path, before + b"PYTHONPATH" + after)


@pytest.mark.full
@pytest.mark.parametrize("path", PATHS)
@settings(
    max_examples=4000, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
@given(pieces=st.lists(PIECES, max_size=60))
def test_thousands_of_pieces(path: str, pieces: list[str]) -> None:
    read(path, ("PYTHONPATH" + "".join(pieces)).encode("utf-8", "surrogatepass"))


HUGE = (
    "'",
    '"',
    "`",
    "(",
    "((",
    "$(",
    "${",
    "${a:-",
    '"$(',
    "{{",
    "[",
    "[[",
    "{",
    '{"a":',
    "\\",
    "\\\n",
    "a=(",
    "<<E\n",
    "a: &x [*x]\n",
    "- ",
    "<",
    "<!--",
    "/*",
    "''",
    '"""',
    "%",
    "%{",
    "!",
    "$a",
    "a='\\'\n",
    "PYTHONPATH=a:",
    "PYTHONPATH",
    "PYTHONPATH=x\n",
    "case x in ",
    " ",
    "\t",
    "env",
    "set ",
    "x=",
    "\\x",
    "<a ",
    "a b ",
    'if [ -n "$PYTHONPATH" ]; then\n',
    "if ($env:PYTHONPATH) {\n",
    "f() {\n",
    "function f {\nf > x\n",
    "define PYTHONPATH\n",
    '@"\n',
    "'&& x=",
    "\n \n",
    "Environment=\\\n",
    "%%",
)


@pytest.mark.parametrize("path", PATHS)
def test_time_is_linear(path: str) -> None:
    for piece in HUGE:
        data = ("PYTHONPATH=x\n" + piece * (30_000 // len(piece))).encode()
        start = time.perf_counter()
        read(path, data)
        assert time.perf_counter() - start < 4, piece
