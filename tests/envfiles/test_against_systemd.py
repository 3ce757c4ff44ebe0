"""Environment= compared with systemd itself, which prints what it read (`systemd --test`).

Source of the generated words: systemd.syntax(7), "Quoting"; systemd.exec(5), "Environment=".
"""

from __future__ import annotations

import os
import random
import re
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.envfiles.evaluate import evaluated, program
from unhaunt.envfiles.assignment import Assignment
from unhaunt.envfiles.grammars import systemd

_SYSTEMD = "/lib/systemd/systemd"
_UNIT = re.compile(r"^\t-> Unit (e\d+)\.service:\n(.*?)(?=^\t-> Unit |\Z)", re.M | re.S)
_SET = re.compile(r"^\t\tEnvironment: PYTHONPATH=(.*)$", re.M)

#: the examples of systemd.exec(5) and systemd.syntax(7), with our variable
DOCUMENTED = [
    'Environment="VAR1=word1 word2" PYTHONPATH=word3 "VAR3=$word 5 6"',
    'Environment="PYTHONPATH=word1 word2" VAR2=word3',
    "Environment=VAR1=x 'PYTHONPATH=a b'",
    "Environment=PYTHONPATH='a b'",
    'Environment=PYTHONPATH="a"b',
    "Environment='PYTHONPATH'=x",
    "Environment=PYTHONPATH=a \\\n  B=c",
    "Environment=A=b \\\n# a comment in between\n  PYTHONPATH=c",
    "Environment=PYTHONPATH=a\nEnvironment=PYTHONPATH=b",
    "Environment=PYTHONPATH=a\nEnvironment=",
    "Environment=PYTHONPATH=a\nUnsetEnvironment=B",
    "Environment=PYTHONPATH=50%%x",
    "Environment=PYTHONPATH=a\\x20b",
    "Environment=PYTHONPATH=a\\tb",
    'Environment="PYTHONPATH=a\\"b"',
    "Environment=PYTHONPATH=",
    "Environment = PYTHONPATH=spaced",
    "; Environment=PYTHONPATH=comment",
]


def as_read_by_systemd(texts: Iterable[str], tmp_path: Path) -> list[str | None]:
    """Return what systemd sets PYTHONPATH to in a service of each text; None: nothing."""
    units, runtime = tmp_path / "units", tmp_path / "run"
    units.mkdir()
    runtime.mkdir(mode=0o777)
    names = [f"e{number}" for number, _ in enumerate(texts)]
    for name, text in zip(names, texts, strict=True):
        content = f"[Service]\n{text}\nExecStart=/bin/true\n"
        (units / f"{name}.service").write_text(content)
    wants = " ".join(f"{name}.service" for name in names)
    (units / "default.target").write_text(f"[Unit]\nWants={wants}\n")
    command = [_SYSTEMD, "--user", "--test", "--unit=default.target"]
    if os.geteuid() == 0:
        for folder in (tmp_path, *tmp_path.parents[:3]):
            folder.chmod(folder.stat().st_mode | 0o055)
        runtime.chmod(0o777)
        drop = ["--reuid=65534", "--regid=65534", "--clear-groups"]
        command = [program("setpriv", "util-linux"), *drop, *command]
    environment = {
        "HOME": "/nonexistent", "PATH": os.defpath, "SYSTEMD_UNIT_PATH": str(units),
        "XDG_RUNTIME_DIR": str(runtime),
    }  # fmt: skip
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    found = {m[1]: _SET.findall(m[2]) for m in _UNIT.finditer(ran.stdout)}
    assert set(found) == set(names), ran.stderr[-500:]
    return [(found[name] or [None])[-1] for name in names]


def ours(text: str) -> str | None:
    items = systemd.read(f"[Service]\n{text}\n")
    values = [evaluated(item.value, {}) for item in items if isinstance(item, Assignment)]
    return values[-1] if values else None


@pytest.fixture(autouse=True)
def _systemd_is_here() -> None:
    if not os.access(_SYSTEMD, os.X_OK):
        pytest.fail("systemd is missing: apt-get install -y systemd")


@pytest.mark.full
def test_documented_examples(tmp_path: Path) -> None:
    theirs = as_read_by_systemd(DOCUMENTED, tmp_path)
    found = {text: (ours(text) or None) for text in DOCUMENTED}
    assert found == {t: (v or None) for t, v in zip(DOCUMENTED, theirs, strict=True)}


@pytest.mark.full
def test_thousands_of_words(tmp_path: Path) -> None:
    rng = random.Random(7)
    pieces = (
        "PYTHONPATH=", "PYTHONPATH", "A=b", "src", "/x", ":", '"', "'", " ", " ", "\\\n ", "\\\\",
        "\\t", '\\"', "%%", "=", "\\x41", ".",
    )  # fmt: skip
    texts = [
        "Environment=" + "".join(rng.choices(pieces, k=rng.randint(1, 8))) for _ in range(3000)
    ]
    theirs = as_read_by_systemd(texts, tmp_path)
    wrong = {
        text: (mine, real)
        for text, real in zip(texts, theirs, strict=True)
        if ((mine := ours(text)) or None) != (real or None)
    }
    assert not wrong, (len(wrong), dict(list(wrong.items())[:12]))
