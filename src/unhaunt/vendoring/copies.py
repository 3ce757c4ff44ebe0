"""What a copy is, beside the one that this unhaunt would write. Pure: no IO."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from unhaunt.vendoring.archive import COMPILER, VERSIONS, contents, is_bytecode
from unhaunt.vendoring.sums import digest

PYZ = "unhaunt.pyz"
#: what the rows write beside a copy
BASELINE = "baseline.json"
_MOST = 5  # members that are named


class Answer(NamedTuple):
    """What there is to say of a copy, and the exit code."""

    lines: tuple[str, ...]
    exit_code: int  # 0 the right bytes, 1 others, 2 part of it could not be checked


def judge(
    listed: Mapping[str, str], copy: Mapping[str, bytes], ours: Mapping[str, bytes]
) -> Answer:
    """Compare a copy with its list, and with what this unhaunt would write."""
    altered = [name for name in sorted(listed) if digest(copy.get(name, b"")) != listed[name]]
    lines = [f"{name}: not the bytes that SHA256SUMS says" for name in altered]
    try:
        theirs, mine = contents(copy[PYZ]), contents(ours[PYZ])
    except ValueError as error:
        return Answer((*lines, f"{PYZ}: not a file of unhaunt: {error}"), 1)
    old = list(_ages(theirs, mine))
    lines += old
    if not old:
        lines += _rows(copy, ours)
        lines += _members(theirs, mine)
    if lines:
        return Answer(tuple(lines), 1)
    if theirs == mine and copy[PYZ] != ours[PYZ]:
        return Answer((f"{PYZ}: the right members, in other bytes",), 1)
    return _same(theirs, mine)


def around(answer: Answer, links: Mapping[str, bool], extras: Sequence[str]) -> Answer:
    """Add which files of a copy are links, and what else lies in its folder.

    A link that leads out of it is no copy; what lies beside is named, and not judged: with -I no
    Python imports from there.
    """
    out = {True: "a link that leads out of the folder", False: "a link within the folder"}
    lines = [f"{name}: {out[leaves]}" for name, leaves in sorted(links.items())]
    lines += [f"{name}: not of the copy" for name in extras[:_MOST]]
    lines += [f"and {len(extras) - _MOST} more that are not of the copy"] if extras[_MOST:] else []
    code = 1 if any(links.values()) else answer.exit_code
    return Answer((*answer.lines, *lines), code)


def _same(theirs: Mapping[str, bytes], mine: Mapping[str, bytes]) -> Answer:
    versions = ", ".join(_said(theirs[VERSIONS]))
    if theirs == mine:
        return Answer((f"{PYZ}: the right bytes: {versions}",), 0)
    made, here = (found[COMPILER].decode("utf-8", "replace").strip() for found in (theirs, mine))
    sources = f"{PYZ}: the right sources: {versions}"
    rest = f"{PYZ}: its bytecode was not checked: made by {made}, and this is {here}"
    return Answer((sources, rest), 2)


def _ages(theirs: Mapping[str, bytes], mine: Mapping[str, bytes]) -> Iterator[str]:
    """Yield a line for each version that is another one."""
    then, now = (dict(_pairs(found.get(VERSIONS, b""))) for found in (theirs, mine))
    if "unhaunt" not in then:
        yield f"{PYZ}: it does not say which version it is"
        return
    for name in dict.fromkeys((*then, *now)):
        old, new = then.get(name), now.get(name)
        if old != new:
            yield f"{PYZ}: {name} {old or 'is not in it'}, here {new or 'none'}{_age(old, new)}"


def _age(old: str | None, new: str | None) -> str:
    if not old or not new:
        return ""
    numbers = [[int(n) for n in re.findall(r"\d+", text)] for text in (old, new)]
    return f": {'older' if numbers[0] < numbers[1] else 'newer'}"


def _rows(copy: Mapping[str, bytes], ours: Mapping[str, bytes]) -> Iterator[str]:
    names = {name for name in {*copy, *ours} if name.startswith("rows/")}
    for name in sorted(names):
        if copy.get(name) != ours.get(name):
            yield f"{name}: not what this version writes"


def _members(theirs: Mapping[str, bytes], mine: Mapping[str, bytes]) -> Iterator[str]:
    """Yield the members that differ; bytecode only when the same Python made both."""
    same = theirs.get(COMPILER) == mine.get(COMPILER)
    names = [
        name
        for name in sorted({*theirs, *mine})
        if theirs.get(name) != mine.get(name) and (same or not is_bytecode(name))
    ]
    yield from (f"{PYZ}: {name} is not what this version has" for name in names[:_MOST])
    if len(names) > _MOST:
        yield f"{PYZ}: and {len(names) - _MOST} more"


def _pairs(data: bytes) -> Iterator[tuple[str, str]]:
    for line in data.decode("utf-8", "replace").splitlines():
        name, _, version = line.partition(" ")
        yield name, version


def _said(data: bytes) -> Iterator[str]:
    return (f"{name} {version}" for name, version in _pairs(data))
