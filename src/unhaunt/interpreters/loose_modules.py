"""The modules on the path that no RECORD vouches for, with a hash of each. Starts nothing.

Of a site-packages: what no distribution there lists. Of any other entry outside the repository, by
PYTHONPATH or a `.pth`: every module; of a zip, the whole file. Top-level names alone, within a
bound on names and bytes: more is said to be unknown. Files are read, nothing is imported.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from unhaunt.interpreters.installed import Records
from unhaunt.interpreters.known import CONTENTS

Facts = dict[str, Any]

NAMES = 2000  # of all entries
BYTES = 16 << 20  # of all of their files
#: names of one RECORD that a top-level import could take
_LISTED = re.compile(r"(?m)^([^/,\n]+(?:/__init__\.[^/,\n]+)?),")
#: startup modules are a fact of their own; a finder of setuptools' holds the checkout's own folder
_ELSEWHERE = ("sitecustomize.", "usercustomize.", "__editable___")


class Found(list[Facts]):
    """Rows {entry, kind, hashes}; `beyond`: what was not looked at, in words."""

    beyond: str | None = None


def loose_modules(facts: Mapping[str, Any], records: Records) -> Found:
    """Return the modules of each entry: name of the file below it -> the start of its SHA-256."""
    found, left = Found(), _Left()
    suffixes = facts["interpreter"]["suffixes"]
    for entry, kind in _entries(facts):
        owned = _listed(entry, records) if kind == "site-packages" else frozenset()
        files = _files(entry, suffixes)
        named = {f: os.path.join(entry, f) if f else entry for f in files if f not in owned}
        hashes = {name: left.digest(path) for name, path in named.items()}
        kept = {name: value for name, value in hashes.items() if value not in _KNOWN}
        if kept:
            found.append({"entry": entry, "kind": kind, "hashes": kept})
    if left.names < 0 or left.size < 0:
        found.beyond = f"more than {NAMES} modules, or than {BYTES >> 20} MiB: not looked at"
    return found


_KNOWN = frozenset(value[:16] for value in CONTENTS)


class _Left:
    """What may still be read."""

    names, size = NAMES, BYTES

    def digest(self, path: str) -> str | None:
        """Return the start of the hash of a file, None when it cannot be had."""
        self.names -= 1
        if self.names < 0 or self.size < 0:
            return None
        try:
            self.size -= os.path.getsize(path)
            if self.size < 0 or not os.path.isfile(path):
                return None
            with open(path, "rb") as file:
                return hashlib.file_digest(file, "sha256").hexdigest()[:16]
        except OSError:
            return None


def _entries(facts: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield (entry, kind) of what neither the standard library nor the repository supplies."""
    site = facts["startup"]["site_dirs"]
    stdlib, top = facts["interpreter"]["stdlib"], facts["process"].get("toplevel")
    own = [folder.rstrip(os.sep) + os.sep for folder in (stdlib, top) if folder]
    for entry in dict.fromkeys(row["entry"] for row in facts["path"]):
        if entry in site:
            yield entry, "site-packages"
        elif os.path.isabs(entry) and not f"{entry}{os.sep}".startswith(tuple(own)):
            yield entry, "path"


def _listed(entry: str, records: Records) -> frozenset[str]:
    """Return the modules that the distributions of a folder list."""
    texts = (records.text(row) for row in records.rows if row["location"] == entry)
    return frozenset(name for text in texts for name in _LISTED.findall(text.replace("\r", "")))


def _files(entry: str, suffixes: Sequence[str]) -> Iterator[str]:
    """Yield the files below an entry that a top-level import could take; "" for a zip itself."""
    if os.path.isfile(entry):
        yield ""
        return
    ends = tuple(suffixes)
    for name in _names(entry):
        stem = name.partition(".")[0]
        if not stem.isidentifier() or name.startswith(_ELSEWHERE):
            continue
        if name == stem:
            inits = (f"{name}{os.sep}__init__{suffix}" for suffix in suffixes)
            yield from (init for init in inits if os.path.isfile(os.path.join(entry, init)))
        elif name.endswith(ends) and name.removeprefix(stem) in ends:
            yield name


def _names(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []
