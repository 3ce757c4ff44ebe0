"""An inventory made of a dictionary, for rules that are pure."""

from __future__ import annotations

from collections.abc import Iterable

from unhaunt.inventory import Content, Entry, Visibility


class FakeInventory:
    """Path -> content; everything is committed."""

    def __init__(self, files: dict[str, bytes], startup: Iterable[str] = ()) -> None:
        self.files = files
        self.startup = frozenset(startup)
        self.asked: list[tuple[bytes, ...]] = []

    @property
    def changed(self) -> frozenset[str] | None:
        return None

    @property
    def tracked(self) -> frozenset[str]:
        return frozenset(self.files)

    @property
    def outside(self) -> tuple[str, ...]:
        return ()

    def select(self, suffixes: tuple[str, ...], words: tuple[str, ...] = ()) -> tuple[Entry, ...]:
        return ()

    def entries(self, paths: Iterable[str]) -> tuple[Entry, ...]:
        return tuple(Entry(path, Visibility.COMMITTED) for path in paths if path in self.files)

    def committed(self, entries: Iterable[Entry]) -> Iterable[tuple[Entry, bytes]]:
        return ((entry, self.files[entry.path]) for entry in entries)

    def contents(self, entry: Entry) -> tuple[Content, ...]:
        return ()

    def mentioning(
        self, words: Iterable[bytes], suffixes: tuple[str, ...] = ()
    ) -> tuple[Entry, ...]:
        asked = tuple(words)
        self.asked.append(asked)
        return self.entries(p for p, d in self.files.items() if any(w in d for w in asked))

    def hidden(self, entries: Iterable[Entry]) -> tuple[Entry, ...]:
        return ()

    def attributes(self, paths: Iterable[str]) -> dict[str, dict[str, str]]:
        return {}

    def kind_on_disk(self, path: str) -> str | None:
        return None

    def startup_folders(self) -> frozenset[str]:
        return self.startup
