"""`unhaunt check` of a working tree: what is to be committed, what is beside it, and its Python."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from unhaunt import catalog
from unhaunt.allow import sort_out
from unhaunt.commands import selection
from unhaunt.configuration import Allow, Configuration, parse
from unhaunt.errors import UserError
from unhaunt.report import Elsewhere, Report
from unhaunt.repository.commit import Scope
from unhaunt.repository.opening import Opening
from unhaunt.repository.worktree import WorkingTree
from unhaunt.rule import Checked, Found, NotChecked, Rule, check

if TYPE_CHECKING:
    from unhaunt.audits.examining import Examined
    from unhaunt.commands.check import Arguments

_CONFIG = "pyproject.toml"
_WARNINGS = "check warn-pythonpath"


def report(args: Arguments, opening: Opening) -> Report:
    """Check the working tree that `opening` finds. Raises `UserError` when it cannot be done."""
    rules = selection.rules(args.what)
    tree = WorkingTree(*opening.finish(), _scope(args))
    own, known = _own_configuration(tree, args)
    given = selection.given_configuration(args.config)
    static = [(hook, rule) for hook, rule in rules if rule.code.startswith(catalog.STATIC)]
    checked, incomplete = check(static, tree), False
    notes: tuple[str, ...] = ()
    if len(static) < len(rules):
        python = own.python or given.python
        checked, notes, incomplete = _with_python(checked, rules, tree, args, python)
    allows = (*own.allows, *given.allows)
    accepted = sort_out(checked.found, allows, known | frozenset(given.allows), tree)
    left, elsewhere = _in_change(accepted.found, tree)
    walked = any(not rule.code.startswith("UH3") for _, rule in static)
    return Report(
        head=tree.repository.head,
        counts=tree.counts(walked=walked),
        env_files=selection.env_files(rules, tree),
        found=left,
        elsewhere=Elsewhere(
            elsewhere, "warning", f"env -u PRE_COMMIT {selection.command()} {_WARNINGS}"
        ),
        allowed=accepted.allowed,
        unused=_unused(accepted.unused, tree) if not args.what else (),
        not_checked=tuple(sorted({*checked.not_checked, *_unread(tree, walked)})),
        skipped=tree.skipped if walked else (),
        strict=args.strict,
        command=selection.command(),
        notes=notes,
        incomplete=incomplete,
        rules=tuple(rule for _, rule in rules),
    )


def _with_python(
    checked: Checked,
    rules: list[tuple[str, Rule]],
    tree: WorkingTree,
    args: Arguments,
    configured: str | None,
) -> Examined:
    from unhaunt.audits.examining import How, examine, joined

    here = os.path.realpath(args.directory or ".")
    how = How(args.python, configured, args.verify_installed, args.strict, here)
    examined = examine(rules, tree, how)
    return examined._replace(checked=joined(checked, examined.checked))


def _scope(args: Arguments) -> Scope:
    environ = os.environ
    # At the first push of a whole history pre-commit gives no TO_REF, only the branch's name.
    pushed = environ.get("PRE_COMMIT_TO_REF") or environ.get("PRE_COMMIT_LOCAL_BRANCH")
    return Scope(
        revision=pushed or None,
        base=args.base or environ.get("PRE_COMMIT_FROM_REF") or None,
        in_hook=bool(environ.get("PRE_COMMIT")),
        deep=args.deep,
    )


def _own_configuration(
    tree: WorkingTree, args: Arguments
) -> tuple[Configuration, frozenset[Allow]]:
    """Return the repository's configuration, and the allow entries that its base has too."""
    if args.no_config:
        return Configuration(), frozenset()
    own = Configuration()
    for _, data in tree.committed(tree.entries([_CONFIG])):
        own = parse(data, _CONFIG)
    if not own.allows:
        return own, frozenset()
    base = tree.commit.scope.base or tree.repository.head
    if args.base and not tree.commit.is_commit(args.base):
        raise UserError(
            f"{args.base}: no such commit", hint="name one with --base, as in --base main"
        )
    before = tree.commit.at_revision(base, _CONFIG) if base else None
    try:
        known = parse(before, _CONFIG).allows if before else ()
    except UserError:
        known = ()  # what the base could not say, it did not say
    return own, frozenset(known)


def _in_change(found: tuple[Found, ...], tree: WorkingTree) -> tuple[tuple[Found, ...], int]:
    """In a hook, keep the UH3xx findings in files that the change touches; count the rest."""
    changed = tree.changed if any(f.rule.code.startswith("UH3") for f in found) else None
    if changed is None:
        return found, 0
    kept = tuple(
        f for f in found if not f.rule.code.startswith("UH3") or f.finding.entry.path in changed
    )
    return kept, sum(f.severity.value == "warning" for f in found) - sum(
        f.severity.value == "warning" for f in kept
    )


def _unused(allows: tuple[Allow, ...], tree: WorkingTree) -> tuple[Allow, ...]:
    """Leave out entries for paths that a clean clone cannot have: they are for other checkouts.

    Raises `UserError` for an entry whose rule does not exist.
    """
    from unhaunt.path_glob import matches

    codes = {word: rule.code for _, rule in catalog.rules() for word in (rule.code, rule.name)}
    for allow in allows:
        if allow.rule not in codes:
            raise UserError(
                f"allow entry for {allow.path}: there is no rule {allow.rule}",
                hint="unhaunt explain lists the rules; a newer one needs a newer unhaunt",
            )
    return tuple(
        allow
        for allow in allows
        if codes[allow.rule].startswith(catalog.STATIC)
        and (
            any(matches(allow.path, path) for path in tree.tracked(""))
            or not (codes[allow.rule].startswith("UH2") or tree.is_ignored(allow.path))
        )
    )


def _unread(tree: WorkingTree, walked: bool) -> list[NotChecked]:
    return [NotChecked(*item) for item in tree.unread] if walked else []
