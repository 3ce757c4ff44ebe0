"""`unhaunt check`: rules over one inventory or interpreter; the one entry point of every hook."""

from __future__ import annotations

import os
from types import SimpleNamespace
from typing import TYPE_CHECKING

from unhaunt import catalog
from unhaunt.allow import sort_out
from unhaunt.configuration import Allow, Configuration, parse
from unhaunt.errors import UserError
from unhaunt.output import emit, remark
from unhaunt.own_files import ARCHIVE
from unhaunt.report import Report, as_text
from unhaunt.repository.commit import Scope
from unhaunt.repository.git import Opening
from unhaunt.repository.worktree import WorkingTree
from unhaunt.rule import Checked, Found, NotChecked, Rule, check

if TYPE_CHECKING:
    import argparse

    from unhaunt.audits.examining import Examined

    Arguments = argparse.Namespace | SimpleNamespace

_CONFIG = "pyproject.toml"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `check`."""
    parser.epilog = "Example: unhaunt check forbid-startup-files -v"
    parser.add_argument(
        "what",
        nargs="*",
        metavar="HOOK-OR-CODE",
        help="hook ids, codes or names (else: what the repository alone can tell)",
    )
    parser.add_argument("-C", dest="directory", metavar="DIR", help="look at the repository in DIR")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.add_argument("--output", metavar="FILE", help="write the report to FILE")
    parser.add_argument(
        "--config", metavar="FILE", help="accept what FILE, outside the repository, accepts"
    )
    parser.add_argument(
        "--no-config", action="store_true", help="ignore [tool.unhaunt] of the repository"
    )
    parser.add_argument(
        "--base", metavar="REV", help="mark allow entries that REV does not have as NEW"
    )
    parser.add_argument("--strict", action="store_true", help="warnings and NEW entries are errors")
    parser.add_argument("--deep", action="store_true", help="look at all of large ignored folders")
    parser.add_argument(
        "--python",
        metavar="EXE",
        help="the interpreter that check-interpreter and"
        " check-import-origins look at (else: the project's)",
    )
    parser.add_argument(
        "--verify-installed", action="store_true", help="hash every installed file (UH413)"
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="findings only")
    parser.add_argument(
        "-v", "--verbose", action="store_true", help="information and what was skipped"
    )


def plain(words: list[str]) -> SimpleNamespace:
    """Return what the parser makes of words without an option: argparse takes as long as git."""
    return SimpleNamespace(
        what=words,
        directory=None,
        format="text",
        output=None,
        config=None,
        no_config=False,
        base=None,
        strict=False,
        deep=False,
        python=None,
        verify_installed=False,
        quiet=False,
        verbose=False,
    )


def run(args: Arguments) -> int:
    """Check and report; return the exit code."""
    ahead = catalog.families(args.what) != {"UH3"}
    opening = Opening(args.directory or ".", at_hand=args.directory is None, ahead=ahead)
    rules = _rules(args.what)
    tree = WorkingTree(*opening.finish(), _scope(args))
    own, known = _own_configuration(tree, args)
    given = _given_configuration(args.config)
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
    report = Report(
        head=tree.repository.head,
        counts=tree.counts(walked=walked),
        env_files=_env_files(rules, tree),
        found=left,
        elsewhere=elsewhere,
        allowed=accepted.allowed,
        unused=_unused(accepted.unused, tree) if not args.what else (),
        not_checked=tuple(sorted({*checked.not_checked, *_unread(tree, walked)})),
        skipped=tree.skipped if walked else (),
        strict=args.strict,
        command=_command(),
        notes=notes,
        incomplete=incomplete,
    )
    return _show(report, args)


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


def _env_files(rules: list[tuple[str, Rule]], tree: WorkingTree) -> int:
    if not any(rule.code.startswith("UH3") for _, rule in rules):
        return 0
    from unhaunt.rules.pythonpath import scans

    return len(scans(tree))


def _rules(words: list[str]) -> list[tuple[str, Rule]]:
    if not words:
        return catalog.rules(catalog.STATIC)
    found: dict[str, tuple[str, Rule]] = {}
    for word in words:
        named = catalog.named(word)
        if not named:
            known = ", ".join(hook.id for hook in catalog.HOOKS)
            raise UserError(
                f"unknown hook or code: {word}", hint=f"one of {known}, or a code such as UH101"
            )
        found.update({rule.code: (hook, rule) for hook, rule in named})
    return [found[code] for code in sorted(found)]


def _command() -> str:
    """Return how to start this tool again; a runner's environment is on nobody's PATH."""
    if not ARCHIVE and not os.environ.get("PRE_COMMIT"):
        return "unhaunt"
    from unhaunt.fingerprints.ourselves import HERE

    return HERE


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


def _given_configuration(path: str | None) -> Configuration:
    if path is None:
        return Configuration()
    try:
        with open(path, "rb") as file:
            return parse(file.read(), path)
    except OSError as error:
        raise UserError(
            f"cannot read {path}: {error.strerror}", hint="give an existing file with --config"
        ) from None


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
    """Leave out entries for paths that a clean clone cannot have: they are for other checkouts."""
    from unhaunt.path_glob import matches

    other = {word for _, rule in catalog.rules(("UH4", "UH5")) for word in (rule.code, rule.name)}
    return tuple(
        allow
        for allow in allows
        if allow.rule not in other
        and (
            any(matches(allow.path, path) for path in tree.tracked(""))
            or not (allow.rule.startswith("UH2") or tree.is_ignored(allow.path))
        )
    )


def _unread(tree: WorkingTree, walked: bool) -> list[NotChecked]:
    return [NotChecked(*item) for item in tree.unread] if walked else []


def _show(report: Report, args: Arguments) -> int:
    if args.format == "json":
        from unhaunt.report import as_json

        emit(as_json.render(report), args.output)
    else:
        emit(as_text.render(report, verbose=args.verbose, quiet=args.quiet), args.output)
    if not args.quiet:
        for note in report.notes:
            remark(note)
        remark(as_text.summary(report))
    return report.exit_code
