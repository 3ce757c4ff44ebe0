"""Hides user names and home folders in a fingerprint. Pure: no IO."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from unhaunt.fingerprints.words import home

Facts = dict[str, Any]


def redacted(facts: Facts) -> Facts:
    """Replace home folders and user names everywhere; secrets were never written."""
    names = {
        match
        for text in _strings(facts)
        for match in re.findall(r"(?:/home/|/Users/)([^/\s:]+)", text)
    }
    place = home(facts)
    hidden: Facts = _replaced(facts, place, sorted(names, key=len, reverse=True))
    return hidden


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _strings(item)
    elif isinstance(value, Iterable):
        for item in value:
            yield from _strings(item)


def _replaced(value: Any, place: str | None, names: list[str]) -> Any:
    if isinstance(value, str):
        if place:
            value = re.sub(re.escape(place) + r"(?=$|[/:;\s'\"])", "<home>", value)
        value = re.sub(r"(?:/home/|/Users/)[^/\s:'\"]+", "<home>", value)
        return (
            re.sub(rf"(?<!\w)(?:{'|'.join(map(re.escape, names))})(?!\w)", "<user>", value)
            if names
            else value
        )
    if isinstance(value, dict):
        return {key: _replaced(item, place, names) for key, item in value.items()}
    return [_replaced(item, place, names) for item in value] if isinstance(value, list) else value
