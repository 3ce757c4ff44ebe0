"""`unhaunt demo`: the story of two machines that disagree, in a private temporary folder."""

from __future__ import annotations

import argparse
import shlex
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from unhaunt.errors import UserError
from unhaunt.output import emit

if TYPE_CHECKING:
    from unhaunt.demonstration.planting import Machine
    from unhaunt.demonstration.telling import Step

EXAMPLE = """example:
  unhaunt demo

Plants one commit on two "machines" in a private temporary folder, finds out with real interpreters
why the tests are red on one of them, and removes the folder. It needs git, and no network.
Exit 0 when the story went as it should, 2 when it could not be told here.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Give `unhaunt demo` its example: it takes no arguments."""
    parser.epilog = EXAMPLE


def run(args: argparse.Namespace) -> int:
    """Plant, tell, and put everything away, however it ends."""
    from unhaunt.demonstration.planting import planted
    from unhaunt.demonstration.telling import CLOSING, OPENING, STEPS
    from unhaunt.private_folder import private
    from unhaunt.running.signals import ended_by_signals

    with ended_by_signals(), private() as folder:
        emit(OPENING.format(folder=folder))
        machines = planted(Path(folder))
        for step in STEPS:
            _tell(step, machines)
        emit(f"\n{CLOSING}")
    return 0


def _tell(step: Step, machines: Mapping[str, Machine]) -> None:
    machine = machines[step.machine]
    words = [*(["unhaunt"] if step.is_ours else []), *step.words]
    emit(f"\n{step.said}\n{step.machine}$ {shlex.join(words)}\n")
    code, said = _ran(step, machine)
    lines = said.rstrip().splitlines()
    emit("".join(f"  {line}\n" for line in (lines if step.is_ours else lines[-1:])))
    if code != step.code:
        raise UserError(
            f"the story went another way here: exit code {code} instead of {step.code}",
            hint="look at the output above for what this machine adds of its own",
        )
    if step.hands_over:
        shutil.copy(machine.checkout / step.hands_over, machines["laptop"].checkout)


def _ran(step: Step, machine: Machine) -> tuple[int, str]:
    """Run the command of a step on its machine; return its exit code and all it said."""
    from unhaunt.ourselves import again

    words = [*again(), *step.words] if step.is_ours else list(step.words)
    words[0] = shutil.which(words[0], path=machine.env["PATH"]) or words[0]
    done = subprocess.run(
        words,
        cwd=machine.checkout,
        env=dict(machine.env),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    return done.returncode, done.stdout.decode("utf-8", "replace")
