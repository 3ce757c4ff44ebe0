"""Edge: who put a file of an interpreter there, and whether it is still what they put there.

RECORD: packaging.python.org/specifications/recording-installed-packages; `installed-files.txt` is
what setup.py wrote before. Both are a package's own claim. dpkg keeps MD5 sums, conda SHA-256.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from unhaunt.audits.audit import Owner, Verdict
from unhaunt.interpreters.installed import DPKG, Records
from unhaunt.interpreters.known import CONTENTS
from unhaunt.interpreters.recorded import digest, entries, fits
from unhaunt.repository.disk import read

STATUS = os.path.join(os.path.dirname(DPKG), "status")
#: uv's `_uv_ephemeral_overlay.pth`, older and newer
_ADDED = rb'; site\.addsitedir\((?:__import__\("os"\)\.fsdecode\(b)?"([^"\\\n]+)"\)?\)'
_OVERLAY = re.compile(rb"import site(?:" + _ADDED + rb")+\n?")


class Owners:
    """Answers for the files of one interpreter; each list is read once."""

    def __init__(self, rows: Sequence[Mapping[str, Any]], prefix: str) -> None:
        self._rows = rows
        self._prefix = prefix
        self._system = Records([], prefix)
        self._texts: dict[str, str] = {}
        self._known: dict[str, Owner] = {}

    def of(self, path: str) -> Owner:
        """Return the owner of a file; the best of its claims when there are several."""
        if path not in self._known:
            self._known[path] = self._of(path)
        return self._known[path]

    def _of(self, path: str) -> Owner:
        real = os.path.realpath(path)
        claims: list[Owner] = [*self._claims(path), *(self._claims(real) if real != path else ())]
        claims += self._of_system(path, real)
        if claims:
            return sorted(claims, key=lambda claim: _BEST.index(claim.verdict))[0]
        return self._known_content(path) or Owner(Verdict.UNOWNED)

    # -- what distributions claim

    def _claims(self, path: str) -> Iterator[Owner]:
        for row in self._rows:
            text = self.listing(row)
            # A path may be written in many ways, its last part only in one.
            if os.path.basename(path) in text:
                plain = path.removeprefix(row["location"] + os.sep)
                egg = row["info"].endswith(".egg-info")
                for name, entry in entries(text):
                    odd = egg or is_odd(name)
                    if self.place(row, name) == path if odd else name == plain:
                        words = f"{row['name']} {row['version'] or ''}".strip()
                        yield Owner(verdict(path, entry), words)

    def listing(self, row: Mapping[str, Any]) -> str:
        """Return the text of a distribution's RECORD or installed-files.txt."""
        folder = os.path.join(row["location"], row["info"])
        if folder not in self._texts:
            name = "RECORD" if row["info"].endswith(".dist-info") else "installed-files.txt"
            found = read(os.path.join(folder, name), cap=64 << 20)
            self._texts[folder] = found.data.decode("utf-8", "replace") if found else ""
        return self._texts[folder]

    def place(self, row: Mapping[str, Any], name: str) -> str:
        """Return the file that a line of such a list stands for."""
        base = row["location"]
        if row["info"].endswith(".egg-info"):
            base = os.path.join(base, row["info"])
        with contextlib.suppress(ValueError):
            return os.path.normpath(os.path.join(base, name.replace("\\", "/")))
        return ""

    # -- what the system's own lists say

    def _of_system(self, path: str, real: str) -> Iterator[Owner]:
        for file in dict.fromkeys((path, real)):
            found = self._system.system_owner(file)
            if found:
                kind, _, name = str(found["name"]).partition(":")
                if kind == "dpkg":
                    yield Owner(_of_dpkg(real, name), f"dpkg:{name}")
                else:
                    yield Owner(_of_conda(file, name, self._prefix), f"conda:{name}")

    # -- what tools write and nobody lists

    def _known_content(self, path: str) -> Owner | None:
        found = read(path)
        if found is None or not found.complete:
            return None
        tool = CONTENTS.get(hashlib.sha256(found.data).hexdigest())
        if tool:
            return Owner(Verdict.KNOWN, tool)
        # What lies in the folders that it adds is judged by itself.
        if _OVERLAY.fullmatch(found.data) and _is_uv(self._prefix):
            folders = re.findall(_ADDED, found.data)
            if all(self._is_overlaid(os.fsdecode(folder)) for folder in folders):
                return Owner(Verdict.KNOWN, "the overlay of uv run --with")
        return None

    def _is_overlaid(self, folder: str) -> bool:
        """Tell whether a site-packages is of an environment of uv's, or of the one extended."""
        prefix = os.path.normpath(os.path.join(folder, "..", "..", ".."))
        own = _text(read(os.path.join(self._prefix, "pyvenv.cfg")))
        return _is_uv(prefix) or f"extends-environment = {prefix}" in own.splitlines()


_BEST = (Verdict.UNMODIFIED, Verdict.UNVERIFIED, Verdict.MODIFIED)


def is_odd(name: str) -> bool:
    """Tell whether a path of a RECORD has to be normalised, which costs as much as reading it."""
    return name[0] in "./\\" or "\\" in name or ".." in name or "//" in name


def verdict(path: str, entry: str) -> Verdict:
    """Compare a file with the hash of its row."""
    found = fits(path, entry)
    if found is None:
        return Verdict.UNVERIFIED
    return Verdict.UNMODIFIED if found else Verdict.MODIFIED


def _of_dpkg(real: str, package: str) -> Verdict:
    wanted = _md5_of_dpkg(real, package)
    found = digest(real, "md5")
    if wanted is None or found is None:
        return Verdict.UNVERIFIED
    return Verdict.UNMODIFIED if found.hex() == wanted else Verdict.MODIFIED


def _md5_of_dpkg(real: str, package: str) -> str | None:
    """Return the sum that dpkg has of a file: of its list of sums, or of a configuration file."""
    sums = read(os.path.join(DPKG, f"{package}.md5sums"), cap=64 << 20)
    name = re.escape(real.lstrip("/"))
    match = re.search(rf"(?m)^([0-9a-f]{{32}})  (?:usr/)?{name}$", _text(sums))
    if match is None:
        status = read(STATUS, cap=64 << 20)
        match = re.search(rf"(?m)^ {re.escape(real)} ([0-9a-f]{{32}})$", _text(status))
    return match[1] if match else None


def _of_conda(path: str, name: str, prefix: str) -> Verdict:
    found = read(os.path.join(prefix, "conda-meta", f"{name}.json"), cap=64 << 20)
    relative = os.path.relpath(path, prefix)
    with contextlib.suppress(ValueError, AttributeError, TypeError):
        for row in json.loads(_text(found))["paths_data"]["paths"]:
            if row["_path"] == relative:
                wanted = row.get("sha256_in_prefix") or row.get("sha256")
                have = digest(path, "sha256")
                return Verdict.UNMODIFIED if have and have.hex() == wanted else Verdict.MODIFIED
    return Verdict.UNVERIFIED


def _text(found: Any) -> str:
    return found.data.decode("utf-8", "replace") if found else ""


def _is_uv(prefix: str) -> bool:
    found = read(os.path.join(prefix, "pyvenv.cfg"))
    return bool(re.search(r"(?m)^uv\s*=", _text(found)))
