"""Globs over repository paths: `*` and `?` never match a slash, `**` matches any folders. Pure."""

from __future__ import annotations

import functools
import re


@functools.lru_cache(maxsize=256)
def compiled(glob: str) -> re.Pattern[str]:
    """Return the regular expression that `glob` stands for."""
    parts = re.split(r"(\*\*/|/\*\*\Z|\*\*|\*|\?|\[[^\]/]+\])", glob)
    return re.compile("".join(map(_translated, parts)) + r"\Z", re.S)


def _translated(part: str) -> str:
    known = {"**/": "(?:.*/)?", "/**": "/.*", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    if part in known:
        return known[part]
    if part.startswith("[") and part.endswith("]"):
        inner = part[1:-1].replace("\\", r"\\")
        return f"[^/{inner[1:]}]" if inner.startswith("!") else f"[{inner}]"
    return re.escape(part)


def matches(glob: str, path: str) -> bool:
    """Tell whether all of `path` matches `glob`."""
    return compiled(glob).match(path) is not None


def matches_everything(glob: str) -> bool:
    """Tell whether a glob excludes nothing worth naming: `**`, `**/*`, `*/**`, `**/*.py` do not."""
    return not re.sub(r"[*/?]", "", glob) or not re.sub(r"[*/?.]", "", glob)
