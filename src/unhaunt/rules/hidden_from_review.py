"""UH205: what a review of the commit would not show."""

from __future__ import annotations

from collections.abc import Iterator

from unhaunt.importing.import_roots import import_roots, pytest_roots
from unhaunt.importing.project_files import not_read
from unhaunt.inventory import Entry, Flag, Inventory
from unhaunt.rule import Finding, NotChecked, Rule, Severity
from unhaunt.rules import startup_files


def hidden_from_review(inventory: Inventory) -> Iterator[Finding | NotChecked]:
    """Tracked files whose content on disk, or whose change, nobody gets to see.

    What it finds: a tracked startup file, or a module at an import root, that differs from the
    index while git shows it clean (skip-worktree, assume-unchanged, a stat cache that lies, a
    filter that no tracked .gitattributes declares), line ends and declared filters aside. And a
    startup file that an attribute folds away in a diff (`-diff`, `binary`, `linguist-generated`).

    Why it matters: the tests run what is on disk, the reviewer reads what is in the commit.

    What to do instead: `git update-index --no-skip-worktree --no-assume-unchanged FILE`, then
    look at `git diff`; take the attribute away.

    What it does not find: other modules with such flags, bytecode in `__pycache__` that does not
    come from its source.
    """
    yield from _folded(inventory)
    candidates = tuple(_candidates(inventory))
    for entry in inventory.hidden(candidates):
        yield Finding(entry, f"differs from the index, and git shows it clean{_why(entry)}")
    yield from _generated(inventory, candidates)
    yield from not_read(inventory)


_UNFOLD = "take the attribute out of .gitattributes: git check-attr -a -- {path}"


def _why(entry: Entry) -> str:
    names = [f.value for f in entry.flags if f in (Flag.SKIP_WORKTREE, Flag.ASSUME_UNCHANGED)]
    return f" ({', '.join(names)})" if names else ""


def _folded(inventory: Inventory) -> Iterator[Finding]:
    found, _ = startup_files.judged(inventory)
    seen = set()
    for item in found:
        entry = item.finding.entry
        is_error = item.finding.severity is None
        if is_error and Flag.FOLDED_BY_ATTRIBUTE in entry.flags and entry.path not in seen:
            seen.add(entry.path)
            words = f"a startup file ({item.code}) that an attribute folds away in a diff"
            yield Finding(entry, words, hint=_UNFOLD)


def _candidates(inventory: Inventory) -> Iterator[Entry]:
    roots = import_roots(inventory) | pytest_roots(inventory)
    startup, _ = startup_files.judged(inventory)
    judged = {item.finding.entry.path for item in startup if item.finding.severity is None}
    at_roots = inventory.tracked_in(roots)
    yield from at_roots
    yield from inventory.entries(judged.difference(entry.path for entry in at_roots))


def _generated(inventory: Inventory, candidates: tuple[Entry, ...]) -> Iterator[Finding]:
    startup, _ = startup_files.judged(inventory)
    known = {item.finding.entry.path for item in startup}
    attributes = inventory.attributes(e.path for e in candidates if e.path not in known)
    for entry in candidates:
        if attributes.get(entry.path, {}).get("linguist-generated") in ("set", "true"):
            words = "marked linguist-generated: hosted reviews fold it away"
            yield Finding(entry, words, severity=Severity.INFO)


RULES = (
    Rule(
        "UH205", "hidden-from-review", Severity.ERROR,
        "a tracked file whose content on disk, or whose change, git or a review does not show",
        "git update-index --no-skip-worktree -- {path}; "
        "git update-index --no-assume-unchanged -- {path}; git diff -- {path}",
        hidden_from_review,
    ),
)  # fmt: skip
