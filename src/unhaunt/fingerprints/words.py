"""Words in the place of folders that differ from box to box. Pure: no IO."""

from __future__ import annotations

import re
from typing import Any

Facts = dict[str, Any]


class Words:
    """Replaces the folders that differ from box to box by words: longest first."""

    def __init__(self, facts: Facts) -> None:
        interpreter = facts.get("interpreter") or {}
        user = ((facts.get("startup") or {}).get("user_site") or {}).get("path")
        base = interpreter.get("base_prefix")
        places = [
            ((facts.get("repository") or {}).get("toplevel"), "<repository>"),
            (user, "<user site>"),
            (
                interpreter.get("prefix") if interpreter.get("prefix") != base else None,
                "<environment>",
            ),
            (base, "<base>"),
            (home(facts), "<home>"),
        ]
        known = [(str(place).rstrip("/"), word) for place, word in places if place and place != "/"]
        self.places = sorted(known, key=lambda row: -len(row[0]))

    def __call__(self, path: str) -> str:
        """Return `path` with the nearest known folder replaced; other paths stay as they are."""
        for place, word in self.places:
            if path == place or path.startswith(place + "/"):
                return word + path[len(place) :]
        return path

    def inside(self, text: str) -> str:
        """Replace the folders wherever they stand in a text."""
        for place, word in self.places:
            text = re.sub(re.escape(place) + r"(?=/|$|[\s:;,'\"])", word, text)
        return text


def home(facts: Facts) -> str | None:
    """Return the home folder as far as the user site tells it (~/.local/lib/pythonX.Y/…)."""
    user = ((facts.get("startup") or {}).get("user_site") or {}).get("path") or ""
    for middle in ("/.local/", "/Library/"):
        if middle in user:
            return str(user.partition(middle)[0])
    return None
