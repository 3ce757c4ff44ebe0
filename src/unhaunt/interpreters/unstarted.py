"""What the files of a Python that does not start still tell. Reads files, starts nothing.

Its site-packages are guessed from names, its `.pth` files judged by the rules of its version
(`startup`); what only the interpreter could say is missing.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator, Mapping
from typing import Any

from unhaunt import startup
from unhaunt.interpreters.preflight import WHOLE, head_of
from unhaunt.resolving.resolution import candidates

Facts = dict[str, Any]

SUFFIXES = (".so", ".py", ".pyc")


def facts_of(executable: str, env: Mapping[str, str]) -> Facts:
    """Return the part of a fingerprint that needs no answer."""
    prefix = os.path.dirname(os.path.dirname(executable))
    real = os.path.dirname(os.path.dirname(os.path.realpath(executable)))
    folders = list(dict.fromkeys(f for p in (prefix, real) for f in _site_folders(p)))
    minor = next((int(m[1]) for f in folders if (m := re.search(r"/python3\.(\d+)", f))), 15)
    stdlib = os.path.join(real, "lib", f"python3.{minor}")
    return {
        "interpreter": {
            "executable": executable, "prefix": prefix, "base_prefix": real,
            "version": f"3.{minor}", "suffixes": SUFFIXES, "in_venv": prefix != real,
            "stdlib": stdlib if os.path.isdir(stdlib) else None,
        },
        "path": [{"entry": f, "because": "site-packages", "kind": "folder"} for f in folders],
        "startup": _startup(folders, minor),
        "distributions": [row for folder in folders for row in _distributions(folder)],
        "unknown": [],
    }  # fmt: skip


def _site_folders(prefix: str) -> Iterator[str]:
    for library in ("lib", "lib64", "local/lib"):
        for name in _names(os.path.join(prefix, library)):
            for kind in ("site-packages", "dist-packages"):
                folder = os.path.join(prefix, library, name, kind)
                if re.fullmatch(r"python3(\.\d+t?)?", name) and os.path.isdir(folder):
                    yield folder


def _startup(folders: list[str], minor: int) -> Facts:
    rows = [row for folder in folders for row in _pth(folder, minor)]
    modules: list[Facts] = []
    for module in ("sitecustomize", "usercustomize"):
        found = [c for folder in folders for c in candidates(module, folder, SUFFIXES)]
        for number, one in enumerate(c for c in found if c.form != "namespace"):
            state = "shadowed" if number else "loaded"
            modules.append(
                {"module": module, "path": one.path, "form": one.form, "state": state,
                 "realpath": os.path.realpath(one.path), "sha256": None, "imports": []}
            )  # fmt: skip
    user = {"path": None, "enabled": None, "on_path": False}
    return {"modules": modules, "pth": rows, "start": [], "fatal": [], "executed": [],
            "site_dirs": folders, "user_site": user}  # fmt: skip


def _pth(folder: str, minor: int) -> Iterator[Facts]:
    for name in sorted(_names(folder)):
        if name.endswith(".pth") and not os.path.isdir(os.path.join(folder, name)):
            path = os.path.join(folder, name)
            raw = head_of(path, whole=True)
            read = startup.pth(raw, name)
            lines = [
                {"line": line.number, "text": line.text, "kind": kind, "imports": [],
                 "target": os.path.normpath(os.path.join(folder, line.text)),
                 "exists": os.path.exists(os.path.join(folder, line.text))}
                for kind, group in (("exec", read.executed), ("path", read.paths))
                for line in group if minor in line.minors
            ]  # fmt: skip
            problem = {"problem": "too large"} if len(raw) == WHOLE else {}
            yield {
                "path": path,
                "sha256": hashlib.sha256(raw).hexdigest(),
                "lines": lines,
                **problem,
            }


def _distributions(folder: str) -> Iterator[Facts]:
    for info in sorted(_names(folder)):
        if info.endswith((".dist-info", ".egg-info")):
            name, _, version = info.rpartition(".")[0].partition("-")
            yield {"name": name.lower(), "version": version, "location": folder, "info": info,
                   "shadowed": False, "editable": None}  # fmt: skip


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []
