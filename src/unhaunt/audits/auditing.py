"""Edge: an interpreter made ready for the rules about it. It is asked once; nothing of it runs."""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import unquote, urlsplit

from unhaunt.audits.audit import Differing, Owner
from unhaunt.audits.exceeding import exceeding
from unhaunt.audits.installed_files import differing
from unhaunt.audits.owners import Owners
from unhaunt.audits.targets import with_targets
from unhaunt.fingerprints.fingerprint import complete
from unhaunt.importing.stdlib_names import FIRST, LAST, names_of
from unhaunt.interpreters.conda import SETS, conda
from unhaunt.interpreters.interpreter import Answer, derived
from unhaunt.interpreters.preflight import Target, hazards, suspects
from unhaunt.interpreters.startable import refusal, strays
from unhaunt.interpreters.surroundings import pyvenv
from unhaunt.repository import disk
from unhaunt.repository.worktree import WorkingTree

Facts = dict[str, Any]

#: in the folders of a standard library, and no part of any table of its names
_BESIDE = re.compile(
    r"__(hello|phello)__|_sysconfigdata\w*|_sysconfig_vars\w*|_distutils_system_mod|_missing_stdlib_info|"
    r"_test\w+|_ctypes_test|_xx\w+|xx\w+|sitecustomize|usercustomize|__pycache__"
)


class Audited:
    """The `audit.Audit` of an interpreter."""

    def __init__(
        self, target: Target, env: Mapping[str, str], tree: WorkingTree, *, verify: bool
    ) -> None:
        top = tree.repository.top
        self.executable = target.executable
        self.env = env
        self.cwd = self.top = top
        self.verify = verify
        self._tree = tree
        refused = refusal(target, top, tree) or exceeding(target.executable, env)
        told = Answer(None, refused) if refused else derived(target.executable, env, top)
        self.problem = told.problem
        self.facts = _complete(told.facts, env) if told.facts else self._from_disk()
        prefix = self.facts["interpreter"]["prefix"]
        self._owners = Owners(self.facts["distributions"] or (), prefix)

    def _from_disk(self) -> Facts:
        from unhaunt.interpreters.unstarted import facts_of

        return facts_of(self.executable, self.env)

    @property
    def unknown(self) -> tuple[tuple[str, str], ...]:
        """Return (fact, reason) of what could not be read."""
        rows = [(row["fact"], row["reason"]) for row in self.facts.get("unknown", ())]
        missing = [row for row in rows if row[0] not in ("as-run", "start", "lookup")]
        for folder in (self.facts["startup"] or {}).get("site_dirs", ()):
            if os.path.isdir(folder) and not os.access(folder, os.R_OK | os.X_OK):
                missing.append(("site-packages", f"{folder} may not be read"))
        return (("interpreter", self.problem), *missing) if self.problem else tuple(missing)

    def shown(self, path: str) -> str:
        inside = path.startswith(self.top + os.sep)
        return os.path.relpath(path, self.top).replace(os.sep, "/") if inside else path

    def has(self, path: str) -> bool:
        return self._tree.has(self.shown(path))

    def owner(self, path: str) -> Owner:
        return self._owners.of(path)

    def source(self, path: str) -> bytes:
        found = disk.read(path)
        return found.data if found else b""

    @functools.cached_property
    def editable(self) -> tuple[tuple[str, str], ...]:
        rows = self.facts["distributions"] or ()
        return tuple((_folder(r["editable"]), r["name"]) for r in rows if r.get("editable"))

    @property
    def hazards(self) -> tuple[tuple[str, str], ...]:
        return tuple((h.path, h.reason) for h in hazards(self.executable))

    @property
    def foreign(self) -> tuple[str, ...]:
        stdlib = self.facts["interpreter"].get("stdlib")
        folders = [stdlib, os.path.join(stdlib, "lib-dynload")] if stdlib else []
        return tuple(path for folder in folders for path in _foreign(folder, self))

    @property
    def unreadable(self) -> tuple[tuple[str, str, bool], ...]:
        return tuple(sorted(_unreadable(self)))

    @property
    def pyvenv(self) -> Facts | None:
        return pyvenv(self.executable)

    @property
    def stray_home(self) -> str | None:
        return strays(self.executable)

    @property
    def activation(self) -> tuple[tuple[str, str], ...]:
        return tuple(sorted(_activation(self)))

    def bytecode(self, sources: Iterable[str]) -> tuple[tuple[str, str], ...]:
        from unhaunt.audits.bytecode import mismatches

        named = sorted({path for path in sources if path.endswith(".py")})
        prefix = self.env.get("PYTHONPYCACHEPREFIX") or None
        return (
            () if self.problem or not named else tuple(mismatches(self.executable, named, prefix))
        )

    def differing(self) -> Iterator[Differing]:
        if self.verify:
            yield from differing(self._owners, self.facts)


def _complete(told: Facts, env: Mapping[str, str]) -> Facts:
    return complete(with_targets(told, env), None, {})


def _folder(url: str) -> str:
    return unquote(urlsplit(url).path).rstrip("/")


def _foreign(folder: str, audited: Audited) -> Iterator[str]:
    minor = int(str(audited.facts["interpreter"]["version"]).split(".")[1])
    if not FIRST <= minor <= LAST or (audited.problem or "").startswith("needs CPython"):
        return  # there is no list of its modules
    known = names_of(minor)
    for name in sorted(_listed(folder)):
        stem, _, rest = name.partition(".")
        path = os.path.join(folder, name)
        is_module = rest == "py" or rest == "pyc" or name.endswith((".so", ".pyd"))
        is_package = not rest and os.path.isfile(os.path.join(path, "__init__.py"))
        if not (is_module or is_package) or not stem.isidentifier() or stem in known:
            continue
        if not _BESIDE.fullmatch(stem):
            yield os.path.join(path, "__init__.py") if is_package else path


def _listed(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _unreadable(audited: Audited) -> Iterator[tuple[str, str, bool]]:
    startup = audited.facts["startup"] or {}
    fatal = dict(startup.get("fatal", ()))
    yield from ((path, reason, True) for path, reason in fatal.items())
    rows = [row for kind in ("pth", "start") for row in startup.get(kind) or ()]
    for row in rows:
        if row.get("problem") and row["path"] not in fatal:
            yield row["path"], _why(row["path"]), False
    words = "no regular file, too large, or not UTF-8: it can end or hang a start"
    for path in suspects(audited.executable, audited.env) if audited.problem else ():
        if os.path.exists(path):
            yield path, words, True


def _why(path: str) -> str:
    if not os.path.exists(path):
        return "leads nowhere: whoever makes its target has it read at every start"
    return "cannot be judged: it is too large, or cannot be read"


#: what a virtual environment's own activate scripts set, to put it back
_OWN = {b"PYTHONHOME"}


def _activation(audited: Audited) -> Iterator[tuple[str, str]]:
    found: Facts = conda(audited.facts, audited.env) or {"env_vars": {}, "scripts": ()}
    for name, file in found["env_vars"].items():
        if name.startswith(("PYTHON", "__PYVENV")):
            yield file, name
    for row in found["scripts"]:
        names = [name for name in row["sets"] if name.startswith(("PYTHON", "__PYVENV"))]
        yield from [(row["path"], ", ".join(names))] if names else ()
    folder = os.path.dirname(audited.executable)
    for name in sorted(_listed(folder)):
        if name.lower().startswith("activate"):
            path = os.path.join(folder, name)
            found_in = set(SETS.findall(audited.source(path))) - _OWN
            words = sorted(n.decode() for n in found_in if n.startswith(b"PYTHON"))
            yield from [(path, ", ".join(words))] if words else ()
