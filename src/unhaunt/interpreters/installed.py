"""Who owns a file, and whether it is still as installed. Reads files, starts nothing.

RECORD: packaging.python.org/specifications/recording-installed-packages. A distribution owns what
its RECORD lists, which is its own claim: dpkg and conda keep lists of their own.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from unhaunt.interpreters.preflight import contents, head_of
from unhaunt.interpreters.recorded import HASHES, digest, entries, is_same
from unhaunt.interpreters.tampering import binary

Facts = dict[str, Any]

DPKG = "/var/lib/dpkg/info"
#: files that tools write and no RECORD lists: name -> (content, who writes it)
TOOLS = {
    "_virtualenv.pth": (b"import _virtualenv", "virtualenv or uv"),
}


class Records:
    """The RECORDs of an interpreter, each read when it is first asked for."""

    def __init__(self, rows: Sequence[Mapping[str, Any]], prefix: str = "") -> None:
        self.rows = [row for row in rows if row["info"].endswith(".dist-info")]
        self.prefix = prefix
        self._texts: dict[str, str] = {}
        self._system: dict[str, Facts | None] = {}

    def text(self, row: Mapping[str, Any]) -> str:
        """Return the RECORD of one distribution; empty when there is none."""
        path = os.path.join(row["location"], row["info"], "RECORD")
        if path not in self._texts:
            self._texts[path] = _text(path)
        return self._texts[path]

    def owner(self, file: str) -> Facts | None:
        """Return {name, version, state} of the owner of a file; None when nobody owns it."""
        for row in self.rows:
            if not file.startswith(row["location"] + os.sep):
                continue
            relative = os.path.relpath(file, row["location"]).replace(os.sep, "/")
            if relative not in self.text(row):
                continue
            for name, kind in entries(self.text(row)):
                if name == relative:
                    return {
                        "name": row["name"],
                        "version": row["version"],
                        "state": state(file, kind),
                    }
        return self.system_owner(file)

    def system_owner(self, file: str) -> Facts | None:
        """Return the package of the system, or of conda, that lists a file."""
        if file not in self._system:
            found = next(_dpkg(file), None) or next(_conda(file, self.prefix), None)
            owner: Facts = {"name": found, "version": None, "state": "unverifiable"}
            self._system[file] = owner if found else None
        return self._system[file]


def _text(path: str) -> str:
    with contextlib.suppress(OSError):
        return contents(path).decode("utf-8", "replace")
    return ""


def state(file: str, entry: str) -> str:
    """Compare a file with its hash in RECORD: unmodified, modified, missing or unverifiable."""
    kind, _, value = entry.partition("=")
    if not os.path.lexists(file):
        return "missing"
    if not os.path.isfile(file):
        return "modified"  # a folder, a FIFO or a dangling link is not what was installed
    if kind not in HASHES:
        return "unverifiable"
    found = digest(file, kind)
    if found is None:
        return "unverifiable"
    return "unmodified" if is_same(found, value) else "modified"


def _dpkg(file: str) -> Iterator[str]:
    """Yield the packages of Debian that list a file: dpkg-query(1), without starting it."""
    if not file.startswith(("/usr/", "/etc/", "/lib/")) or not os.path.isdir(DPKG):
        return
    wanted = f"\n{file}\n".encode()
    # Debian's policy: what ships modules for Python has python in its name.
    for name in sorted(os.listdir(DPKG)):
        known = name.endswith(".list") and "python" in name
        if known and wanted in b"\n" + head_of(os.path.join(DPKG, name), whole=True):
            yield f"dpkg:{name.removesuffix('.list')}"


def _conda(file: str, prefix: str) -> Iterator[str]:
    folder = os.path.join(prefix, "conda-meta")
    if not prefix or not file.startswith(prefix + os.sep) or not os.path.isdir(folder):
        return
    wanted = f'"{os.path.relpath(file, prefix)}"'.encode()
    for name in sorted(os.listdir(folder)):
        if name.endswith(".json") and wanted in head_of(os.path.join(folder, name), whole=True):
            yield f"conda:{name.removesuffix('.json')}"


def verified(records: Records, row: Mapping[str, Any]) -> Facts:
    """Hash the files of one distribution against its RECORD: {state, files}."""
    listed = [(name, kind) for name, kind in entries(records.text(row)) if kind]
    words = [(n, state(os.path.normpath(os.path.join(row["location"], n)), k)) for n, k in listed]
    # A Linux distributor takes files of the .dist-info away; what is imported is what counts.
    changed = sorted(n for n, w in words if w in ("modified", "missing") and ".dist-info/" not in n)
    if not words:
        return {"state": "unverifiable"}
    return {"state": "modified", "files": changed[:20]} if changed else {"state": "unmodified"}


def annotated(facts: Facts, *, quick: bool) -> Facts:
    """Return an interpreter's facts with the owners of its startup files, the states of its
    distributions and the modules of none, which only what lies on this machine can tell."""
    from unhaunt.interpreters.loose_modules import loose_modules

    rows = facts["distributions"]
    if rows is None or facts["startup"] is None:
        return facts
    records = Records(rows, facts["interpreter"]["prefix"])
    startup = dict(facts["startup"])
    for kind in ("modules", "pth", "start"):
        startup[kind] = [owned(row, records) for row in startup[kind]]
    interpreter = facts["interpreter"]
    if not quick:
        rows = [row | verified(records, row) for row in rows]
        interpreter = interpreter | {"sha256": binary(interpreter)}
    made = {"startup": startup, "distributions": rows, "interpreter": interpreter}
    loose = loose_modules(facts, records) if facts["path"] is not None else None
    if loose is not None and loose.beyond:
        made["unknown"] = [*facts["unknown"], {"fact": "modules", "reason": loose.beyond}]
    return facts | made | {"modules": loose}


def owned(row: Facts, records: Records) -> Facts:
    """Return a startup file with its owner, and the tool that is known to write it."""
    matters = row.get("module") or any(
        line["kind"] in ("exec", "call", "muted") for line in row["lines"]
    )
    owner = records.owner(row["path"]) if matters else None
    if owner is None and row.get("realpath") not in (None, row["path"]):
        owner = records.owner(row["realpath"])
    known = TOOLS.get(os.path.basename(row["path"]))
    if owner is None and known and head_of(row["path"], whole=True).strip() == known[0]:
        owner = {"name": known[1], "version": None, "state": "known by its exact content"}
    return row | {"owner": owner}
