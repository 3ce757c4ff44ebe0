"""Real repositories for tests, and the command run on them as a user would."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

UNHAUNT = (sys.executable, "-I", "-m", "unhaunt")


class Ran(NamedTuple):
    """What a finished command left."""

    code: int
    out: str
    err: str

    def findings(self) -> set[str]:
        """Return the findings of a JSON report as "path:line CODE", infos marked by "info"."""
        return {place(f) for f in self.json()["findings"]}

    def json(self) -> Any:
        """Return the JSON on stdout."""
        return json.loads(self.out)


def place(finding: Mapping[str, Any]) -> str:
    """Return "path[:line] CODE[ severity]", the severity only when it is no error."""
    line = f":{finding['line']}" if finding["line"] else ""
    severity = "" if finding["severity"] == "error" else f" {finding['severity']}"
    return f"{finding['path']}{line} {finding['code']}{severity}"


def run(
    *command: str | os.PathLike[str],
    cwd: Path,
    env: Mapping[str, str] | None = None,
    stdin: bytes = b"",
) -> Ran:
    """Run a command to its end; fails when it takes more than two minutes."""
    done = subprocess.run(
        [os.fspath(word) for word in command], cwd=cwd, env={**os.environ, **(env or {})},
        input=stdin, capture_output=True, timeout=120,
    )  # fmt: skip
    return Ran(
        done.returncode,
        done.stdout.decode("utf-8", "replace"),
        done.stderr.decode("utf-8", "replace"),
    )


class Repository:
    """A repository in a folder."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def create(cls, path: Path, *options: str) -> Repository:
        """Make a new one with `git init`."""
        path.mkdir(parents=True, exist_ok=True)
        repository = cls(path)
        repository.git("init", "-q", *options)
        return repository

    def git(self, *args: str, check: bool = True, env: Mapping[str, str] | None = None) -> str:
        """Run git here and return its stdout."""
        done = run("git", *args, cwd=self.path, env=env)
        assert not check or done.code == 0, (args, done)
        return done.out

    def write(self, files: Mapping[str, str | bytes]) -> None:
        """Write files; text that begins with "base64:" stands for bytes."""
        for name, content in files.items():
            target = Path(os.fsdecode(os.fsencode(self.path) + b"/" + os.fsencode(name)))
            target.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(content, str):
                is_encoded = content.startswith("base64:")
                content = base64.b64decode(content[7:]) if is_encoded else content.encode()
            target.write_bytes(content)

    def add(self, *paths: str, force: bool = True) -> None:
        """Stage paths, ignored ones too."""
        self.git("add", *(["-f"] if force else []), "--", *paths)

    def commit(self, files: Mapping[str, str | bytes] | None = None, message: str = "x") -> None:
        """Write, stage and commit files, past all hooks; without files, what is staged."""
        if files:
            self.write(files)
            self.add(*files)
        self.git("commit", "-q", "--no-verify", "--allow-empty", "-m", message)

    def check(
        self, *args: str, env: Mapping[str, str] | None = None, cwd: Path | None = None
    ) -> Ran:
        """Run `unhaunt check` here, as JSON."""
        return run(*UNHAUNT, "check", "--format", "json", *args, cwd=cwd or self.path, env=env)

    def findings(self, *args: str, env: Mapping[str, str] | None = None) -> set[str]:
        """Return the findings of a check as "path:line CODE"; fails when it could not look."""
        done = self.check(*args, env=env)
        assert done.code in (0, 1), done
        return done.findings()
