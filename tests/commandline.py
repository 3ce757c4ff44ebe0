"""Runs a command as a user does: in a process of its own, under -I."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

UNHAUNT = (sys.executable, "-I", "-m", "unhaunt")


class Done(NamedTuple):
    """How it ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Return stdout as JSON."""
        return json.loads(self.out)


def environment(home: Path, **variables: str) -> dict[str, str]:
    """Return a small environment."""
    return {"PATH": os.defpath, "HOME": str(home), "LANG": "C.UTF-8", **variables}


def unhaunt(*words: object, cwd: Path, env: Mapping[str, str] | None = None) -> Done:
    """Run `unhaunt WORDS`."""
    done = subprocess.run(
        [*UNHAUNT, *map(str, words)],
        cwd=cwd,
        env=None if env is None else dict(env),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=120,
        check=False,
    )
    out, err = done.stdout.decode("utf-8"), done.stderr.decode("utf-8", "backslashreplace")
    assert "Traceback" not in err or "user's own" in err, err
    return Done(done.returncode, out, err)
