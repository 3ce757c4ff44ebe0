"""What the command says about itself: help with examples that run, and every rule explained."""

from __future__ import annotations

import os
import re
import shlex
import sys
import sysconfig
from pathlib import Path

import pytest

from tests.commandline import Done, unhaunt
from tests.planted import made_environment
from tests.repository import Repository, run
from unhaunt import catalog
from unhaunt.cli import COMMANDS

_EXAMPLE = re.compile(r"^  unhaunt (.*?)(?:  +\S.*)?$", re.MULTILINE)
PARTS = ("What it finds: ", "Why it matters: ", "What to do instead: ", "What it does not find: ")
#: examples that have something to reject in the repository below; the others end in 0
_ENDS_IN_1 = {
    "compare laptop.json sandbox.json",  # of two environments
    "where cli_helpers",  # a ghost
    "where package.module --path tests",  # nothing that a script in tests/ would see
    "check",
    "check UH102 --format json",
    "check --rev HEAD",
    "check forbid-startup-files -v",
}


def test_help_names_every_command_once(tmp_path: Path) -> None:
    done = unhaunt("--help", cwd=tmp_path)
    assert (done.code, done.err) == (0, "")
    for name, line in COMMANDS.items():
        assert re.search(rf"^    {name}\s+{re.escape(line.split()[0])} ", done.out, re.MULTILINE)
    assert max(map(len, done.out.splitlines())) <= 98


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> tuple[Repository, dict[str, str]]:
    """A repository in which the examples have something to look at, and an environment for it."""
    folder = tmp_path_factory.mktemp("examples")
    environment = made_environment(folder / "venv", system=False)
    site = next((environment / "lib").glob("*/site-packages"))
    for info in Path(sysconfig.get_path("purelib")).glob("pluggy-*.dist-info"):
        (site / info.name).symlink_to(info)  # pytest prints its version
    repo = Repository.create(folder / "repo", "-b", "main")
    settings = {"HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1"}
    who = dict.fromkeys(("GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"), "a")
    mail = dict.fromkeys(("GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"), "a@localhost")
    repo.write({
        "package/__init__.py": "", "package/module.py": "import cli_helpers\n", "tests/test_it.py": "def test_it(): pass\n",
        "boot.pth": "import os\n", ".gitignore": "*.json\nprobe.py\n__pycache__/\n.pytest_cache/\n",
    })  # fmt: skip
    repo.git("add", ".")
    repo.git("commit", "-qm", "x", env={**settings, **who, **mail})
    (folder / "old").mkdir()
    (folder / "old" / "cli_helpers.py").write_text("")
    path = os.pathsep.join([str(environment / "bin"), os.environ["PATH"]])
    env = {
        **settings,
        "PATH": path,
        "PYTHONPATH": str(folder / "old"),
        "LANG": "C.UTF-8",
    }
    for name, python in (
        ("laptop.json", environment / "bin" / "python"),
        ("sandbox.json", sys.executable),
    ):
        words = ("fingerprint", "--quick", "--python", python, "--output", name)
        done = unhaunt(*words, cwd=repo.path, env=env)
        assert done.code == 0, done
    return repo, env


def _examples() -> list[str]:
    """Return the examples of every command's help, as a shell would get them."""
    found = []
    for name in ("", *COMMANDS):
        done = unhaunt(*[name] * bool(name), "--help", cwd=Path(__file__).parent)
        assert done.code == 0, done
        _, example, after = done.out.partition("example")
        assert example, f"unhaunt {name} --help has no example"
        found += _EXAMPLE.findall(after)
    return found


def test_every_commands_examples_are_in_its_help() -> None:
    assert {example.split()[0] for example in _examples()} == set(COMMANDS)


def test_every_example_runs(planted: tuple[Repository, dict[str, str]]) -> None:
    repo, env = planted
    for example in dict.fromkeys(_examples()):
        if example.startswith(("vendor", "demo")):  # tests of their own
            continue
        done = _typed(example, repo, env)
        assert done.err.count("error: ") == 0, (example, done)
        assert done.code == int(example in _ENDS_IN_1), (example, done)
        assert done.out or "--output" in example or ">" in example, example
    assert (repo.path / "probe.py").read_text().startswith("#!")


def _typed(example: str, repo: Repository, env: dict[str, str]) -> Done:
    command = f"{shlex.quote(sys.executable)} -I -m unhaunt {example}"
    return Done(
        *run("env", "-i", *(f"{k}={v}" for k, v in env.items()), "sh", "-c", command, cwd=repo.path)
    )


@pytest.mark.parametrize("code", [rule.code for _, rule in catalog.rules()])
def test_a_rule_is_explained_in_four_parts(code: str, tmp_path: Path) -> None:
    done = unhaunt("explain", code, cwd=tmp_path)
    assert done.code == 0
    assert done.out.startswith(f"{code} ")
    places = [done.out.find(f"\n{part}") for part in PARTS]
    assert -1 not in places
    assert places == sorted(places)
    for part, following in zip(PARTS, [*PARTS[1:], None], strict=True):
        said = done.out.partition(part)[2].partition(following or "\0")[0]
        assert len(said.split()) >= 3, (code, part)


def test_without_a_code_every_rule_is_listed(tmp_path: Path) -> None:
    done = unhaunt("explain", cwd=tmp_path)
    assert done.code == 0
    assert re.findall(r"^(UH\d{3}) ", done.out, re.MULTILINE) == [
        r.code for _, r in catalog.rules()
    ]
    assert done.out.count("\n    ") == len(catalog.rules())


@pytest.mark.parametrize("word", ["UH999", "nope", "", "\x1b[31m"])
def test_an_unknown_code_is_told(word: str, tmp_path: Path) -> None:
    done = unhaunt("explain", word, cwd=tmp_path)
    assert (done.code, done.out) == (2, "")
    assert "error: unknown code: " in done.err
    assert "\x1b" not in done.err
    assert "hint: one of UH101, " in done.err
