"""What surrounds an interpreter, read in a thread while the interpreter starts."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from typing import Any

Facts = dict[str, Any]


class Around:
    """The repository, the shell profiles, the tools: `begun` at once, `joined` when needed."""

    def __init__(self, env: Mapping[str, str], cwd: str, *, quick: bool) -> None:
        self.env, self.cwd, self.quick = env, cwd, quick
        self.facts: Facts = {"repository": None, "profiles": []}
        self.unknown: list[Facts] = []
        self.thread = threading.Thread(target=self._read, daemon=True)
        self.thread.start()

    def joined(self, live: Facts | None, executable: str, env: Mapping[str, str]) -> Facts:
        """Return everything, for `fingerprint.complete`; `live` is what the interpreter said."""
        from unhaunt.interpreters.surroundings import look

        self.thread.join()
        found = look(live, executable, env, self.cwd, quick=self.quick) if live else {}
        return {**self.facts, "unknown": self.unknown, "surroundings": found}

    def _read(self) -> None:
        from unhaunt.interpreters import profiles

        self.facts["repository"] = self._heads() if self.quick else self._history()
        self.facts["profiles"] = profiles.look(self.env)
        # What is needed when the interpreter has answered, imported while it has not.
        import unhaunt.fingerprints.fingerprint
        import unhaunt.interpreters.installed
        import unhaunt.interpreters.surroundings
        import unhaunt.report.fingerprint  # noqa: F401

    def _heads(self) -> Facts | None:
        from unhaunt.repository.heads import head, toplevel_of

        top = toplevel_of(os.path.realpath(self.cwd))
        if top is None:
            return None
        commit, branch, linked = head(top)
        self.unknown.append({"fact": "repository.dirty", "reason": "left out by --quick"})
        named = {"toplevel": top, "head": commit, "branch": branch}
        return {**named, "dirty": None, "worktree": linked}

    def _history(self) -> Facts | None:
        from unhaunt.repository import history

        found = history.checkout(self.cwd)
        if isinstance(found, str):
            self.unknown.append({"fact": "repository", "reason": found})
            return None
        return {**found._asdict(), "changed": list(found.changed)} if found else None
