"""Which findings are accepted, and by what. Pure but for the contents that the inventory reads."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from unhaunt.configuration import Allow
from unhaunt.digest import is_pinned
from unhaunt.errors import UserError
from unhaunt.inventory import Inventory
from unhaunt.path_glob import matches
from unhaunt.rule import Found
from unhaunt.text import printable


class Allowed(NamedTuple):
    """An accepted finding with the reason; `new` when the entry is not in the base."""

    found: Found
    reason: str
    new: bool
    inline: bool = False  # by a comment in the file itself


class Sorted(NamedTuple):
    """What is left of the findings, what was accepted, and the entries that accept nothing."""

    found: tuple[Found, ...]
    allowed: tuple[Allowed, ...]
    unused: tuple[Allow, ...]


def sort_out(
    found: Iterable[Found],
    allows: Sequence[Allow],
    known: frozenset[Allow],
    inventory: Inventory,
    before: Callable[[str], bytes] | None = None,
) -> Sorted:
    """Apply the entries `allows`, of which `known` are also in the base.

    With `before`, which returns what the base has at a path, comments count as they stand there.
    """
    left: list[Found] = []
    allowed: list[Allowed] = []
    used: set[Allow] = set()
    for item in found:
        entries = [allow for allow in allows if _is_for(allow, item)]
        used.update(entries)
        valid = next((a for a in entries if _holds(a, item, inventory)), None)
        inline = None if valid else _inline_reason(item, inventory, before)
        if valid:
            allowed.append(Allowed(item, valid.reason, valid not in known))
        elif inline:
            allowed.append(Allowed(item, inline, new=False, inline=True))
        else:
            left.append(_with_note(item, entries))
    return Sorted(tuple(left), tuple(allowed), tuple(a for a in allows if a not in used))


def _is_for(allow: Allow, item: Found) -> bool:
    return allow.rule in (item.rule.code, item.rule.name) and matches(
        allow.path, item.finding.entry.path
    )


def _holds(allow: Allow, item: Found, inventory: Inventory) -> bool:
    if _is_expired(allow):
        return False
    if allow.sha256 is None:
        return True
    contents = inventory.contents(item.finding.entry)
    return bool(contents) and all(is_pinned(c.data, allow.sha256) for c in contents)


def _is_expired(allow: Allow) -> bool:
    return allow.expires is not None and allow.expires < type(allow.expires).today()


def _with_note(item: Found, entries: Sequence[Allow]) -> Found:
    """Say of a finding why the entries for it do not excuse it."""
    if not entries:
        return item
    expired = next((a for a in entries if _is_expired(a)), None)
    note = f"an allow entry for it expired on {expired.expires}" if expired else (
        "an allow entry for it pins other content"
    )  # fmt: skip
    message = f"{item.finding.message}; {note}"
    return item._replace(finding=item.finding._replace(message=message))


_INLINE = (
    r"\s*(?:#|//|;|--|'|::|REM\b|<!--|/\*)\s*"
    r"unhaunt:\s*ignore\[([\w, -]+)\]\s*(.*?)\s*(?:-->|\*/)?\s*"
)


def _inline_reason(
    item: Found, inventory: Inventory, before: Callable[[str], bytes] | None
) -> str | None:
    """Return the reason of a comment on the line above, which only UH30x findings can have."""
    line = item.finding.line
    if not item.rule.code.startswith("UH3") or not line or line < 2:
        return None
    for entry, data in inventory.committed([item.finding.entry]):
        lines = data.decode("utf-8", "replace").split("\n")
        above = lines[line - 2] if line <= len(lines) + 1 else ""
        match = re.fullmatch(_INLINE, above.rstrip("\r"), re.I)
        if match and {item.rule.code, item.rule.name} & set(re.split(r"[\s,]+", match[1].strip())):
            if not match[2]:
                raise UserError(
                    f"{printable(entry.path)}:{line - 1}: an ignore comment without a reason",
                    hint=f"write: # unhaunt: ignore[{item.rule.code}] one sentence",
                )
            if before is None or _stood(lines[line - 2 : line], before(entry.path)):
                return printable(match[2])
    return None


def _stood(pair: list[str], data: bytes) -> bool:
    """Tell whether a comment and the line below it are in `data` too."""
    lines = data.decode("utf-8", "replace").split("\n")
    return any(lines[at : at + 2] == pair for at in range(len(lines)))
