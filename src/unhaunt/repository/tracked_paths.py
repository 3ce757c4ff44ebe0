"""Edge: the part of an inventory that the listing of a commit answers, on disk or not."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterable, Iterator

from unhaunt.importing.importable import is_startup_module, startup_folder
from unhaunt.inventory import Entry
from unhaunt.repository.commit import Commit
from unhaunt.repository.listing import Row

_MODULE_SUFFIXES = (b".py", b".pyc", b".so", b".pyd")


class TrackedPaths:
    """What is asked of the paths of a commit: see `inventory.Inventory`."""

    commit: Commit

    def _tracked_entries(self, rows: list[Row]) -> Iterable[Entry]:
        raise NotImplementedError

    def has(self, path: str) -> bool:
        return self.commit.has(os.fsencode(path))

    def has_folder(self, path: str) -> bool:
        return self.commit.has_folder(os.fsencode(path))

    def tracked(self, suffix: str, word: str = "") -> tuple[str, ...]:
        names = self.commit.listing.paths((os.fsencode(suffix),), os.fsencode(word))
        return tuple(sorted(os.fsdecode(n) for n in names if n not in self.commit.intent_to_add))

    def tracked_in(self, folders: frozenset[str]) -> tuple[Entry, ...]:
        rows = [row for folder in folders for row in self._modules_in(os.fsencode(folder))]
        return tuple(self._tracked_entries(sorted(rows)))

    def _modules_in(self, folder: bytes) -> Iterator[Row]:
        listing = self.commit.listing
        for child in listing.children(folder):
            init = child.endswith(b"/")  # a package lies where its folder does
            for path in listing.starting(child + b"__init__.") if init else (child,):
                is_init = path.rpartition(b"/")[2].startswith(b"__init__.")
                row = listing.row(path) if path.endswith(_MODULE_SUFFIXES) else None
                if row and is_init == init:
                    yield row

    def tracked_files(
        self, suffixes: tuple[str, ...], words: tuple[str, ...], wanted: Callable[[str], bool]
    ) -> tuple[Entry, ...]:
        ends, parts = tuple(map(os.fsencode, suffixes)), tuple(map(os.fsencode, words))
        rows = self.commit.listing.rows(ends, parts)
        kept = sorted(row for row in rows if wanted(os.fsdecode(row.path)))
        return tuple(self._tracked_entries(kept))

    @functools.cache  # noqa: B019 (one inventory a process)
    def startup_folders(self) -> frozenset[str]:
        rows = self.commit.listing.rows((), (b"sitecustomize", b"usercustomize"))
        paths = [os.fsdecode(row.path) for row in rows]
        return frozenset(startup_folder(path) for path in paths if is_startup_module(path))
