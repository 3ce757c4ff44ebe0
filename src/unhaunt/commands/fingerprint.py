"""`unhaunt fingerprint`: what decides how a Python imports."""

from __future__ import annotations

import argparse
import os
import threading
from typing import Any

from unhaunt.commands.options import common, folder
from unhaunt.errors import UserError
from unhaunt.interpreter import PROBE, SECONDS, Answer, Facts, as_run, derived, identity
from unhaunt.output import emit, remark

EXAMPLE = """examples:
  unhaunt fingerprint --output laptop.json --format json
  unhaunt fingerprint -- pytest tests        from inside the Python that runs the tests
  unhaunt fingerprint --print-probe > probe.py    one file for a box without unhaunt
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `unhaunt fingerprint`."""
    common(parser, "text", "json", "markdown")
    parser.add_argument(
        "--python", metavar="EXE", help="the interpreter to look at (else: the project's)"
    )
    parser.add_argument(
        "--derived", action="store_true", help="start nothing as the user does: only derive"
    )
    parser.add_argument("--quick", action="store_true", help="do not hash installed files")
    parser.add_argument("--redact", action="store_true", help="hide user names and home folders")
    parser.add_argument(
        "--timeout", type=float, metavar="SECONDS", help="end a Python that does not answer"
    )
    parser.add_argument(
        "--print-probe", action="store_true", help="write the probe, a file that works alone"
    )
    parser.add_argument(
        "command", nargs=argparse.REMAINDER, metavar="-- COMMAND", help="report from inside it"
    )
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = EXAMPLE


def run(args: argparse.Namespace) -> int:
    """Take the fingerprint and write it; 2 when a side of it could not be read."""
    if args.print_probe:
        with open(PROBE, encoding="ascii") as file:
            emit(file.read(), args.output)
        return 0
    from unhaunt.report.fingerprint import FORMATS

    command = args.command[1:] if args.command[:1] == ["--"] else args.command
    facts, code = take(args, command)
    if args.redact:
        from unhaunt.redaction import redacted

        facts = redacted(facts)
    form = (
        "json"
        if args.format == "text" and args.output and args.output.endswith(".json")
        else args.format
    )
    emit(FORMATS[form](facts, verbose=args.verbose), args.output)
    for row in facts.get("unknown", ()) if code else ():
        remark(f"unknown: {row['fact']}: {row['reason']}")
    return code


def take(args: argparse.Namespace, command: list[str]) -> tuple[Facts, int]:
    """Return the fingerprint and the exit code."""
    if command and args.python:
        raise UserError(
            "--python and a command exclude each other", hint="the command names its own Python"
        )
    env, cwd = dict(os.environ), folder(args)
    around = Around(cwd, quick=args.quick)
    around.start()
    seconds = args.timeout or SECONDS
    if command:
        return _of_command(args, command, env, cwd, seconds, around)
    return _bare(args, env, cwd, seconds, around)


class Around:
    """What surrounds the interpreter, read while it starts."""

    def __init__(self, cwd: str, *, quick: bool) -> None:
        self.cwd = cwd
        self.quick = quick
        self.facts: dict[str, Any] = {"unknown": []}
        self.thread = threading.Thread(target=self._read, daemon=True)

    def start(self) -> None:
        """Begin to read."""
        self.thread.start()

    def _read(self) -> None:
        from unhaunt import profiles

        self.facts["repository"] = self._heads() if self.quick else self._history()
        self.facts["profiles"] = profiles.look(os.environ)
        # What is needed when the interpreter has answered, imported while it has not.
        import unhaunt.fingerprint
        import unhaunt.installed
        import unhaunt.report.fingerprint
        import unhaunt.surroundings  # noqa: F401

    def _heads(self) -> Facts | None:
        from unhaunt.heads import head, toplevel_of

        top = toplevel_of(os.path.realpath(self.cwd))
        if top is None:
            return None
        commit, branch, linked = head(top)
        self.facts["unknown"].append({"fact": "repository.dirty", "reason": "left out by --quick"})
        named = {"toplevel": top, "head": commit, "branch": branch}
        return {**named, "dirty": None, "worktree": linked}

    def _history(self) -> Facts | None:
        from unhaunt import history

        found = history.checkout(self.cwd)
        if isinstance(found, str):
            self.facts["unknown"].append({"fact": "repository", "reason": found})
            return None
        return {**found._asdict(), "changed": list(found.changed)} if found else None

    def joined(self, live: Facts | None, executable: str, env: dict[str, str], noise: str) -> Facts:
        """Return everything around, for `fingerprint.complete`."""
        from unhaunt import surroundings

        self.thread.join()
        if live:
            self.facts["surroundings"] = surroundings.look(live, executable, env, self.cwd)
        return self.facts | {"noise": noise}


def _bare(
    args: argparse.Namespace, env: dict[str, str], cwd: str, seconds: float, around: Around
) -> tuple[Facts, int]:
    from unhaunt.fingerprint import complete
    from unhaunt.project_python import project_python
    from unhaunt.settings import settings

    table = settings(cwd, args.config, none=args.no_config)[0]
    target = project_python(env, cwd, asked=args.python, configured=table.get("python"))
    if target is None:
        raise UserError("no project interpreter: not checked", hint="give one with --python")
    told, own = _both(args, target.executable, env, cwd, seconds)
    problems = [(name, a) for name, a in (("derived", told), ("as-run", own)) if a.facts is None]
    rest = around.joined(own.facts or told.facts, target.executable, env, own.noise or told.noise)
    rest["unknown"] = rest["unknown"] + [
        {"fact": n, "reason": a.problem} for n, a in problems if a.problem
    ]
    if told.facts is None and own.facts is None:
        return _nothing(target.executable, rest, problems[-1][1].problem or "", seconds), 2
    facts = complete(told.facts, own.facts, rest)
    facts["interpreter"] = {**facts["interpreter"], "chosen": target.because}
    failed = any(a.problem for _, a in problems) or bool(
        (told.facts or {}).get("startup", {}).get("fatal")
    )
    return facts, 2 if failed else 0


def _looked_at(answer: Answer, args: argparse.Namespace) -> Answer:
    """Add what files on this machine tell about an answer."""
    from unhaunt.installed import annotated
    from unhaunt.startup_imports import with_imports

    if answer.facts is None:
        return answer
    return answer._replace(facts=annotated(with_imports(answer.facts), quick=args.quick))


def _both(
    args: argparse.Namespace, executable: str, env: dict[str, str], cwd: str, seconds: float
) -> tuple[Answer, Answer]:
    """Ask both sides: at the same time, unless a file that could end a start lies near."""
    from unhaunt.preflight import suspects

    answers: dict[str, Answer] = {}

    def derive() -> None:
        answers["derived"] = derived(executable, env, cwd, seconds=seconds)

    together = not args.derived and next(suspects(executable, env), None) is None
    thread = threading.Thread(target=derive, daemon=True)
    thread.start()
    own = as_run(executable, env, cwd, seconds=seconds) if together else Answer(None)
    thread.join()
    told = _looked_at(answers["derived"], args)
    fatal = ((told.facts or {}).get("startup") or {}).get("fatal") or ()
    if fatal and own.facts is None:
        own = Answer(None, f"not started: {fatal[0][0]} {fatal[0][1]}")
    elif not together and not args.derived:
        own = as_run(executable, env, cwd, seconds=seconds)
    return told, own


def _nothing(executable: str, rest: Facts, problem: str, seconds: float) -> Facts:
    """Return what is left to say of an interpreter that did not answer at all."""
    from unhaunt.preflight import hazards

    who = identity(executable, seconds)
    name, _, version = (who or "").partition(" ")
    return {
        "schema": "unhaunt.fingerprint/1",
        "digest": None,
        "interpreter": {
            "executable": executable,
            "realpath": os.path.realpath(executable),
            "version": version or None,
            "implementation": name or None,
        },
        "environment": {},
        "process": {"cwd": None, "argv": None, "how": None},
        "path": [],
        "startup": {"modules": [], "pth": [], "start": [], "user_site": None},
        "hooks": {"meta_path": None, "path_hooks": None},
        "loaded_before_main": None,
        "distributions": [],
        "surroundings": {"hazards": [h._asdict() for h in hazards(executable)]},
        "repository": rest.get("repository"),
        "profiles": rest.get("profiles", []),
        "unknown": rest.get("unknown", []) or [{"fact": "interpreter", "reason": problem}],
        "noise": rest.get("noise", ""),
    }


def _of_command(
    args: argparse.Namespace,
    command: list[str],
    env: dict[str, str],
    cwd: str,
    seconds: float,
    around: Around,
) -> tuple[Facts, int]:
    from unhaunt import launch
    from unhaunt.command import derivable, options_of, understood
    from unhaunt.fingerprint import complete

    python = understood(command, env, cwd)
    if python:
        report = launch.exactly(python, env, cwd, seconds=args.timeout)
    else:
        report = launch.below(command, env, cwd, seconds=args.timeout)
    if report.facts is None:
        raise UserError(
            f"{command[0]} started no Python that reported",
            hint="it may ignore its environment (-I, -E) or drop PYTHONPATH: give the inner command itself",
        )
    own = report.facts
    executable, place = own["interpreter"]["executable"], own["process"]["cwd"]
    # What reached the Python, not what we were started with: a runner may have changed it.
    env = {k: v for k, v in env.items() if not k.startswith("PYTHON")} | own["environment"]
    seen = derivable(options_of(python) if python else (), env)
    told = Answer(None)
    if seen is not None:
        told = _looked_at(derived(executable, seen, place, seconds=seconds), args)
    facts = complete(told.facts, own, around.joined(own, executable, env, told.noise))
    facts["process"] = {**facts["process"], "exit_code": report.code, "exact": python is not None}
    facts["process"]["started"] = [_brief(one) for one in report.started]
    if report.pytest:
        facts["pytest"] = report.pytest
    return facts, 0


def _brief(facts: Facts) -> Facts:
    process = facts["process"]
    return {
        "executable": facts["interpreter"]["executable"],
        "argv": process["argv"],
        "cwd": process["cwd"],
    }
