"""Branches in which the variable is known to be set: nothing empty is left there."""

from __future__ import annotations

import pytest

from tests.envfiles.test_formats import found

#: what, path, text, findings as "line code"
ROWS = [
    ('shell', 'a.sh',
     'if [ -z "$PYTHONPATH" ]; then\n  export PYTHONPATH=src\nelse\n  export PYTHONPATH=src:$PYTHONPATH\nfi\nexport PYTHONPATH=a:$PYTHONPATH\n',
     '2 UH301, 4 UH301, 6 UH302'),
    ('shell, one line', 'b.sh',
     'if [ -n "${PYTHONPATH:-}" ]; then export PYTHONPATH="src:$PYTHONPATH"; else export PYTHONPATH=src; fi\n',
     '1 UH301, 1 UH301'),
    ('shell, and', 'c.sh',
     '[ -n "$PYTHONPATH" ] && PYTHONPATH=a:$PYTHONPATH\n',
     '1 UH301'),
    ('shell, two conditions', 'd.sh',
     'if [[ -z "$PYTHONPATH" && -d x ]]; then\n  :\nelse\n  export PYTHONPATH=src:$PYTHONPATH\nfi\n',
     '4 UH302'),
    ('shell, compared', 'e.sh',
     'if [[ $PYTHONPATH == "" ]]; then\nexport PYTHONPATH=src\nelse\nexport PYTHONPATH=$PYTHONPATH:src\nfi\n',
     '2 UH301, 4 UH301'),
    ('PowerShell', 'e.ps1',
     'if ($env:PYTHONPATH) {\n $env:PYTHONPATH = "a;$env:PYTHONPATH"\n}\nelse {\n $env:PYTHONPATH = "a"\n}\n',
     '2 UH301, 5 UH301'),
    ('batch', 'e.bat',
     'if not defined PYTHONPATH (\n set PYTHONPATH=a\n) else (\n set PYTHONPATH=a;%PYTHONPATH%\n)\n',
     '2 UH301, 4 UH301'),
    ('batch, compared', 'f.bat',
     'if "%PYTHONPATH%"=="" (\n set PYTHONPATH=a\n) else (\n set PYTHONPATH=a;%PYTHONPATH%\n)\n',
     '2 UH301, 4 UH301'),
    ('csh', 'g.csh',
     'if (! $?PYTHONPATH) then\n setenv PYTHONPATH a\nelse\n setenv PYTHONPATH a:$PYTHONPATH\nendif\n',
     '2 UH301, 4 UH301'),
    ('csh, one command', 'h.csh',
     'if (! $?PYTHONPATH) setenv PYTHONPATH a\nsetenv PYTHONPATH a:$PYTHONPATH\n',
     '1 UH301, 2 UH302'),
]  # fmt: skip


@pytest.mark.parametrize(("what", "path", "text", "expected"), ROWS, ids=[row[0] for row in ROWS])
def test_branches(what: str, path: str, text: str, expected: str) -> None:
    assert [place for place, _ in found(path, text)] == expected.split(", ")
