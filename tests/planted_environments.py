"""Interpreters to plant things in: a virtual environment and a plain Python of one's own.

Both are real. The plain one is a copy of an interpreter's executable in a prefix of its own, whose
standard library is links to the original's; nothing of the machine is written to.
"""

from __future__ import annotations

import base64
import hashlib
import os
import shutil
import subprocess
from pathlib import Path

from tests import interpreters

ASK = (
    "import os, site, sys; print(os.path.dirname(os.__file__));"
    " print(next(p for p in site.getsitepackages() if p.startswith(sys.prefix)))"
)


def plain(python: str, prefix: Path) -> Path:
    """Make a plain Python in a new prefix; return its executable."""
    minor = "python" + ".".join(_version(python))
    real, stdlib = Path(python).resolve(), Path(_asked(python)[0])
    (prefix / "bin").mkdir(parents=True)
    executable = prefix / "bin" / minor
    shutil.copy(real, executable)
    library = prefix / "lib" / minor
    library.mkdir(parents=True)
    for entry in stdlib.iterdir():
        if not entry.name.startswith(("site-packages", "dist-packages", "sitecustomize")):
            (library / entry.name).symlink_to(entry)
    return executable


def _version(python: str) -> list[str]:
    found = next(version for version, path in interpreters.supported().items() if path == python)
    return found.split(".")[:2]


def _asked(python: str) -> list[str]:
    done = subprocess.run([python, "-I", "-c", ASK], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


class Box:
    """One interpreter, what is planted in it, and the way back."""

    def __init__(self, python: str, kind: str, place: Path) -> None:
        self.kind = kind
        self.version = tuple(map(int, _version(python)))
        self.place = place
        self.prefix = place / "prefix"
        # A machine may have startup code in its own Pythons: sandboxes do.
        base = self.prefix if kind == "plain" else place / "base"
        self.python = plain(python, base)
        if kind == "venv":
            self.python = interpreters.venv(str(self.python), self.prefix)
        self.site = Path(_asked(str(self.python))[1])
        self.site.mkdir(parents=True, exist_ok=True)
        self.stdlib = Path(_asked(str(self.python))[0])
        self.home, self.repo = place / "home", place / "repo"
        self.user = self.home / f".local/lib/python3.{self.version[1]}/site-packages"
        self.repo.mkdir()
        subprocess.run(["git", "init", "-q"], cwd=self.repo, check=True)
        self.env: dict[str, str] = {}
        self._undo: list[tuple[Path, bytes | None]] = []
        self._kept = {self.site, self.place, self.prefix, self.repo}

    def write(self, path: Path | str, content: str | bytes = "") -> Path:
        """Write a file, in the site-packages when `path` is no whole path."""
        target = self.site / path
        known = target.read_bytes() if target.is_file() else None
        self._undo.append((target, known))
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content.encode() if isinstance(content, str) else content)
        return target

    def made(self, path: Path | str) -> Path:
        """Return a place that something else is put at, to be removed afterwards."""
        target = self.site / path
        target.parent.mkdir(parents=True, exist_ok=True)
        self._undo.append((target, None))
        return target

    def install(
        self, name: str, files: dict[str, str], *, site: Path | None = None, how: str = "sha256"
    ) -> None:
        """Install a distribution as a wheel would: its files, and a RECORD with `how` as hash."""
        site = site or self.site
        rows = []
        for path, content in files.items():
            self.write(site / path, content)
            rows.append(f"{path},{_hash(content.encode(), how)},{len(content)}")
        info = f"{name}-1.0.dist-info"
        self.write(site / info / "METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        self.write(site / info / "RECORD", "\n".join([*rows, f"{info}/RECORD,,"]) + "\n")

    def clean(self) -> None:
        """Take everything away again."""
        for path, content in reversed(self._undo):
            if content is not None:
                path.write_bytes(content)
            elif path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            elif os.path.lexists(path):
                path.unlink()
        for path, _ in reversed(self._undo):
            for folder in path.parents:
                if folder in self._kept or not folder.is_dir() or any(folder.iterdir()):
                    break
                folder.rmdir()
        shutil.rmtree(self.home, ignore_errors=True)
        self._undo.clear()
        self.env.clear()


def _hash(data: bytes, how: str) -> str:
    if not how:
        return ""
    digest = hashlib.new(how, data).digest()
    return f"{how}=" + base64.urlsafe_b64encode(digest).decode().rstrip("=")
