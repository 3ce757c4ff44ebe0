"""`unhaunt check --rev`: a commit that is not checked out.

It is for a hook of a server, and for an agent's branch before anybody checks it out. What the
commit says about itself excuses nothing: entries and comments count as its base has them.
"""

from __future__ import annotations

import functools
import shlex
from typing import TYPE_CHECKING, NamedTuple

from unhaunt import catalog
from unhaunt.allow import sort_out
from unhaunt.commands import selection
from unhaunt.configuration import Configuration, parse
from unhaunt.errors import UserError
from unhaunt.report import Elsewhere, Report
from unhaunt.repository.commit import EMPTY_TREES
from unhaunt.repository.commit_tree import CommitTree
from unhaunt.repository.git import Repository
from unhaunt.repository.opening import open_store
from unhaunt.repository.revision import changed_paths, commit_of, is_nothing, merge_base
from unhaunt.rule import Checked, Found, NotChecked, Rule, check
from unhaunt.text import printable

if TYPE_CHECKING:
    from unhaunt.commands.check import Arguments

_CONFIG = "pyproject.toml"
_UNSEEN = (
    "a commit shows tracked files alone: untracked, ignored and nested ones, and what a checkout"
    " hides, are not looked at (UH201, UH202, UH203, UH204; of UH205 what attributes fold away is)"
)
Rules = list[tuple[str, Rule]]


class Sight(NamedTuple):
    """What is looked at, and by what it is measured."""

    commit: str | None  # None: a branch that was deleted
    notes: tuple[str, ...]
    base: str | None = None  # the commit whose entries and comments count
    fork: str = ""  # where the change begins
    changed: frozenset[str] | None = None  # what it touches; None: all of the commit is judged


def report(args: Arguments) -> Report:
    """Check a commit. Raises `UserError` when there is no such commit, or a rule needs more."""
    repository = open_store(args.directory or ".", at_hand=args.directory is None)
    rules = _decidable(args.what)
    sight = _sight(repository, args)
    tree = CommitTree(repository, sight.commit or EMPTY_TREES[len(args.rev)])
    base = CommitTree(repository, sight.base) if sight.base else None
    own = _configuration(base) if base and not args.no_config else Configuration()
    allows = (*own.allows, *selection.given_configuration(args.config).allows)
    checked = check(rules, tree)
    accepted = sort_out(
        checked.found, allows, frozenset(allows), tree, functools.partial(_text, base)
    )
    left = _brought(accepted.found, rules, repository, sight)
    again = f"{selection.command()} check --rev {shlex.quote(args.rev)}"
    return Report(
        head=sight.commit,
        counts=tree.counts(),
        env_files=selection.env_files(rules, tree),
        found=left,
        elsewhere=Elsewhere(len(accepted.found) - len(left), "finding", again),
        allowed=accepted.allowed,
        unused=(),
        not_checked=_not_checked(checked, tree, base, sight),
        skipped=(),
        strict=args.strict,
        command=selection.command(),
        notes=sight.notes,
        rules=tuple(rule for _, rule in rules),
    )


def _decidable(words: list[str]) -> Rules:
    """Return the rules that a commit alone can decide. Raises `UserError` for a word without."""
    for word in words:
        named = selection.rules([word])
        if not any(rule.code.startswith(catalog.OF_A_COMMIT) for _, rule in named):
            raise UserError(
                f"{word} looks at more than a commit, so not with --rev",
                hint=f"in a checkout of it: unhaunt check {word}",
            )
    chosen = selection.rules(words)
    return [(hook, rule) for hook, rule in chosen if rule.code.startswith(catalog.OF_A_COMMIT)]


def _sight(repository: Repository, args: Arguments) -> Sight:
    shown = printable(args.rev)
    if is_nothing(args.rev):
        return Sight(None, (f"--rev {shown} stands for a deleted branch: nothing to check",))
    commit = commit_of(repository, args.rev, "--rev")
    base, told = _base(repository, args.base, commit)
    entries = "none (--no-config)" if args.no_config else told
    notes = (f"commit {commit[:12]} (--rev {shown}); allow entries: {entries}", _UNSEEN)
    if args.base is None:
        return Sight(commit, notes, base)
    fork = merge_base(repository, base, commit) if base else None
    if fork is None:
        words = "no common commit with the base is known here: all of the commit is judged"
        return Sight(commit, (*notes, words), base)
    words = f"judged is what changed since {fork[:12]}"
    changed = changed_paths(repository, fork, commit)
    return Sight(commit, (*notes, words), base, fork, changed)


def _base(repository: Repository, asked: str | None, commit: str) -> tuple[str | None, str]:
    """Return the commit whose entries count, and what it is in words.

    git's hooks say of a new branch that it comes from nothing: then, too, it is HEAD's history.
    """
    if asked is not None and not is_nothing(asked):
        base = commit_of(repository, asked, "--base")
        return base, f"of {base[:12]} (--base {printable(asked)})"
    found = merge_base(repository, repository.head, commit) if repository.head else None
    return found, f"of {found[:12]} (the merge base with HEAD)" if found else "none (no base)"


def _configuration(base: CommitTree) -> Configuration:
    for _, data in base.committed(base.entries([_CONFIG])):
        return parse(data, f"{_CONFIG} of {(base.commit.scope.revision or '')[:12]}:{_CONFIG}")
    return Configuration()


def _text(base: CommitTree | None, path: str) -> bytes:
    """Return what the base has at a path; nothing when there is no base."""
    entries = base.entries([path]) if base else ()
    return next((data for _, data in base.committed(entries)), b"") if base else b""


def _brought(
    found: tuple[Found, ...], rules: Rules, repository: Repository, sight: Sight
) -> tuple[Found, ...]:
    """Return the findings of changed files, and those that a change elsewhere has brought."""
    changed = sight.changed
    if changed is None or all(item.finding.entry.path in changed for item in found):
        return found
    before = check(rules, CommitTree(repository, sight.fork)).found
    known = set(map(_identity, before))
    return tuple(
        item for item in found if item.finding.entry.path in changed or _identity(item) not in known
    )


def _identity(item: Found) -> tuple[str, str, str, str | None]:
    return item.rule.code, item.finding.entry.path, item.severity.value, item.finding.state


def _not_checked(
    checked: Checked,
    tree: CommitTree,
    base: CommitTree | None,
    sight: Sight,
) -> tuple[NotChecked, ...]:
    """Return what could not be judged: of the change, and of the base's configuration."""
    changed = sight.changed
    # A startup module is rejected for its name, whatever it holds.
    named = {item.finding.entry.path for item in checked.found if item.rule.code == "UH101"}
    unread = {NotChecked(p, why) for p, why in tree.not_read.items() if p not in named}
    kept = {n for n in {*checked.not_checked, *unread} if changed is None or n.path in changed}
    if base and _CONFIG in base.not_read:
        kept.add(NotChecked(_CONFIG, f"the base's: {base.not_read[_CONFIG]}, so it allows nothing"))
    return tuple(sorted(kept))
