"""The ready rows, used as they stand: by their own tools, or in a folder that stands for an image."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from tests import copies, interpreters
from tests.commandline import Done
from tests.repository import Repository, run
from unhaunt import catalog
from unhaunt.vendoring.archive import COMPILER, contents

ROWS = Path(__file__).parent.parent / "src/unhaunt/vendoring/rows"
Env = dict[str, str]
TASK = ("sh", "-c", "echo the task ran")


def row(name: str) -> str:
    """Return a row's text."""
    return (ROWS / name).read_text(encoding="utf-8")


def test_every_row_is_here() -> None:
    assert {path.name for path in ROWS.iterdir()} == {
        "Dockerfile", "baseline.sh", "gate.sh", "devcontainer.json", "pre-commit-config.yaml",
        "github-actions.yml", "gitlab-ci.yml", "claude-settings.json", "AGENTS.md",
    }  # fmt: skip


# --- an image: a folder that stands for /, in which the lines of the row are executed ---


class Image(NamedTuple):
    """The folder, and who runs in it."""

    root: Path
    user: int | None = None

    @property
    def home(self) -> Path:
        return self.root / "opt/unhaunt"

    @property
    def site(self) -> Path:
        (found,) = self.root.glob("opt/venv/lib/python3*/site-packages")
        return found

    def placed(self, text: str) -> str:
        """Return a line of a row with the image's own paths."""
        return text.replace("/opt/", f"{self.root}/opt/")

    def run(
        self, *words: str, stdin: str = "", cwd: Path | None = None, env: Env | None = None
    ) -> Done:
        """Run words with what an image's environment holds: a PATH."""
        path = os.pathsep.join([str(self.root / "bin"), os.defpath])
        given = {"PATH": path, **(env or {})}
        return copies.run(words, cwd=cwd or self.root, env=given, user=self.user, stdin=stdin)

    def task(self, **env: str) -> Done:
        """Start the task, as ENTRYPOINT and CMD do together."""
        (words,) = [json.loads(rest) for word, rest in instructions() if word == "ENTRYPOINT"]
        return self.run(*map(self.placed, words), *TASK, env=env)


def instructions() -> Iterator[tuple[str, str]]:
    """Yield (instruction, rest) of the Dockerfile."""
    text = re.sub(r"(?m)^#.*\n", "", row("Dockerfile")).replace("\\\n", " ")
    for line in filter(None, text.splitlines()):
        word, _, rest = line.partition(" ")
        yield word, rest


def build(root: Path, context: Path, python: str) -> Image:
    """Do what the Dockerfile says, after an environment was made."""
    image = Image(root)
    (root / "bin").mkdir(parents=True)
    (root / "bin/python3").symlink_to(os.path.realpath(python))
    interpreters.venv(python, root / "opt/venv")
    for word, rest in instructions():
        if word == "COPY":
            source, target = rest.split()
            shutil.copytree(context / source, image.placed(target))
            os.chmod(image.placed(target), 0o755)
        elif word == "RUN":
            done = image.run("sh", "-c", image.placed(rest))
            assert done.code == 0, done
        else:
            assert word == "ENTRYPOINT"
    return image


@pytest.fixture
def context(copy: Path, public: Path) -> Path:
    """What `docker build` is given: a copy made by this Python."""
    shutil.copytree(copy.parent, public / "context/unhaunt")
    return public / "context"


@pytest.fixture(scope="session")
def built(copy: Path, tmp_path_factory: pytest.TempPathFactory) -> Image:
    """An image whose Python is of another version."""
    folder = tmp_path_factory.mktemp("built")
    shutil.copytree(copy.parent, folder / "context/unhaunt")
    return build(folder / "image", folder / "context", copies.other_python())


@pytest.fixture
def image(built: Image) -> Iterator[Image]:
    """The same for a test that may change it."""
    kept = built.root.with_name("kept")
    shutil.copytree(built.root, kept, symlinks=True)
    yield built
    shutil.rmtree(built.root)
    kept.rename(built.root)


def test_a_task_starts_in_the_image_as_it_was_built(image: Image) -> None:
    done = image.task()
    assert (done.code, done.out) == (0, "the task ran\n"), done
    made_by = contents((image.home / "unhaunt.pyz").read_bytes())[COMPILER].decode()
    asked = image.run("python3", "-c", "import platform; print(platform.python_version())")
    assert made_by.split()[1] == asked.out.strip()
    fits = copies.run(["sha256sum", "-c", "SHA256SUMS"], cwd=image.home)
    assert fits.code == 0, fits


def _sitecustomize(image: Image) -> dict[str, str]:
    (image.site / "sitecustomize.py").write_text("import json\n")
    return {}


def _pth(image: Image) -> dict[str, str]:
    (image.site / "boot.pth").write_text("import os; os.environ['X'] = '1'\n")
    return {}


def _pythonpath(image: Image) -> dict[str, str]:
    (image.root / "old").mkdir()
    (image.root / "old/cli_helpers.py").write_text("")
    return {"PYTHONPATH": str(image.root / "old")}


def _package(image: Image) -> dict[str, str]:
    folder = image.site / "helper-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: helper\nVersion: 1.0\n")
    (folder / "RECORD").write_text("helper-1.0.dist-info/METADATA,,\n")
    return {}


def _version(image: Image) -> dict[str, str]:
    shutil.rmtree(image.root / "opt/venv")
    ours = image.run("python3", "-c", "import sys; print('%d.%d.' % sys.version_info[:2])").out
    other = [p for v, p in copies.pythons().items() if not v.startswith(ours.strip())]
    interpreters.venv(other[-1], image.root / "opt/venv")
    return {}


def _hash_seed(image: Image) -> dict[str, str]:
    return {"PYTHONOPTIMIZE": "2"}


#: what somebody did to the image or its environment -> what the gate says
POISONS = {
    "a sitecustomize": (_sitecustomize, "sitecustomize.py"),
    "a .pth": (_pth, "boot.pth"),
    "PYTHONPATH": (_pythonpath, "PYTHONPATH only on local: "),
    "a package": (_package, "helper"),
    "another Python": (_version, "version-mismatch"),
    "a variable": (_hash_seed, "PYTHONOPTIMIZE"),
}


@pytest.mark.parametrize("name", POISONS)
def test_a_poisoned_image_stops_the_task(name: str, image: Image) -> None:
    poison, said = POISONS[name]
    _stopped(image.task(**poison(image)), said)


@pytest.mark.parametrize("name", ["none", "a .pth"])
def test_a_second_image_is_compared_with_the_first(
    name: str, image: Image, context: Path, tmp_path: Path
) -> None:
    """The same recipe once more, after something else came in; the baseline is the first one's."""
    image.root.rename(tmp_path / "first")
    second = build(image.root, context, copies.other_python())
    if name != "none":
        POISONS[name][0](second)
    shutil.copy(tmp_path / "first/opt/unhaunt/baseline.json", second.home)
    done = second.task()
    if name == "none":
        assert (done.code, done.out) == (0, "the task ran\n"), done
    else:
        _stopped(done, POISONS[name][1])


def _stopped(done: Done, said: str) -> None:
    assert (done.code, done.out) == (1, ""), done
    assert "do-not-trust" in done.err
    assert said in done.err


BROKEN: dict[str, Callable[[Image], object]] = {
    "no baseline": lambda image: (image.home / "baseline.json").unlink(),
    "an empty baseline": lambda image: (image.home / "baseline.json").write_text(""),
    "another baseline": lambda image: (image.home / "baseline.json").write_text("[]"),
    "no interpreter": lambda image: shutil.rmtree(image.root / "opt/venv"),
    "no unhaunt": lambda image: (image.home / "unhaunt.pyz").unlink(),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_cannot_be_compared_stops_the_task(name: str, image: Image) -> None:
    BROKEN[name](image)
    done = image.task()
    assert (done.code, done.out) == (2, ""), done
    assert done.err


def test_a_task_of_a_user_who_may_write_nowhere(context: Path, public: Path) -> None:
    """HOME unset, everything read-only, another user than the one who built it."""
    image = build(public / "image", context, copies.public_python())
    copies.sealed(public)
    nobody = image._replace(user=copies.reader())
    done = nobody.task()
    assert (done.code, done.out) == (0, "the task ran\n"), done
    stopped = nobody.task(PYTHONPATH="/x")
    assert (stopped.code, stopped.out) == (1, ""), stopped


def test_devcontainer(image: Image) -> None:
    found = json.loads(row("devcontainer.json"))
    assert found["build"]["dockerfile"] == "Dockerfile"
    assert found["waitFor"] == "postStartCommand"
    command = image.placed(found["postStartCommand"])
    assert image.run("sh", "-c", command).code == 0
    _pth(image)
    assert image.run("sh", "-c", command).code == 1


# --- a repository that holds the copy ---


@pytest.fixture
def held(copy: Path, repo: Repository) -> Repository:
    """A repository with the copy in tools/unhaunt."""
    shutil.copytree(copy.parent, repo.path / "tools/unhaunt")
    repo.add("tools")
    repo.commit({"app.py": "import json\n", "pyproject.toml": '[project]\nname = "x"\n'})
    return repo


def test_the_copy_is_no_finding_itself(held: Repository) -> None:
    assert held.findings("--strict") == set()


RUNNERS = {
    "pre-commit": (sys.executable, "-m", "pre_commit"),
    "prek": (os.path.join(os.path.dirname(sys.executable), "prek"),),
}


@pytest.mark.parametrize("name", RUNNERS)
def test_pre_commit(name: str, held: Repository, tmp_path: Path) -> None:
    env = {"PRE_COMMIT_HOME": str(tmp_path / "cache"), "PREK_HOME": str(tmp_path / "cache")}
    held.commit({".pre-commit-config.yaml": row("pre-commit-config.yaml")})
    assert run(*RUNNERS[name], "validate-config", cwd=held.path, env=env).code == 0
    clean = run(*RUNNERS[name], "run", "--all-files", cwd=held.path, env=env)
    assert (clean.code, clean.out.count("Passed")) == (0, 2), clean
    assert "deprecat" not in (clean.out + clean.err).lower(), clean
    assert run(*RUNNERS[name], "install", cwd=held.path, env=env).code == 0
    held.write({"pkg/boot.pth": "import os\n", ".env": "PYTHONPATH=src\n"})
    held.add(".env")
    done = run("git", "commit", "-qm", "x", cwd=held.path, env=env)
    assert done.code == 1, done
    assert "pkg/boot.pth:1: UH102" in done.out + done.err
    assert ".env:1: UH301" in done.out + done.err
    assert f"-I -S {held.path}/tools/unhaunt/unhaunt.pyz explain" in done.out + done.err


def test_the_pre_commit_rows_are_the_catalogs() -> None:
    manifest = {hook["id"]: hook for hook in yaml.safe_load(catalog.manifest())}
    (repo,) = yaml.safe_load(row("pre-commit-config.yaml"))["repos"]
    for hook in repo["hooks"]:
        expected = dict(manifest[hook["id"]])
        del expected["minimum_pre_commit_version"]
        words = expected["entry"].removeprefix("python -I -m unhaunt ")
        expected["entry"] = f"python3 -I -S tools/unhaunt/unhaunt.pyz {words}"
        assert hook == {**expected, "language": "system"}


def shell(script: str, repo: Repository, **env: str) -> Done:
    """Run the lines of a job as its runner does."""
    given = {"PATH": os.defpath, "HOME": os.environ["HOME"], **env}
    return copies.run(["bash", "-e", "-c", script], cwd=repo.path, env=given)


def _github() -> list[str]:
    found: Any = yaml.safe_load(row("github-actions.yml"))
    (job,) = found["jobs"].values()
    uses = [step["uses"] for step in job["steps"] if "uses" in step]
    assert uses == ["actions/checkout@v5"]
    assert found["permissions"] == {"contents": "read"}
    assert found[True] == ["push", "pull_request"], "`on` is a boolean of YAML 1.1"
    return [step["run"] for step in job["steps"] if "run" in step]


def _gitlab() -> list[str]:
    job = yaml.safe_load(row("gitlab-ci.yml"))["unhaunt"]
    assert job["image"].startswith("python:3.")
    return ["\n".join(job["script"])]  # one shell for all lines


@pytest.mark.parametrize("steps", [_github, _gitlab], ids=["github", "gitlab"])
def test_ci(steps: Any, held: Repository, tmp_path: Path) -> None:
    def codes() -> list[int]:
        clone = Repository(tmp_path / "clone")
        shutil.rmtree(clone.path, ignore_errors=True)
        held.git("clone", "-q", str(held.path), str(clone.path))
        return [shell(step, clone).code for step in steps()]

    assert set(codes()) == {0}
    held.commit({"usercustomize.py": ""})
    assert codes()[-1] == 1
    held.git("rm", "-q", "usercustomize.py")
    held.commit({"tools/unhaunt/rows/AGENTS.md": "edited"})
    assert 1 in codes()


# --- agents ---


@pytest.fixture
def at_hand(copy: Path, tmp_path: Path) -> Image:
    """Only the copy, in /opt/unhaunt, without an environment."""
    root = tmp_path / "image"
    shutil.copytree(copy.parent, root / "opt/unhaunt")
    return Image(root)


def hook(event: str) -> str:
    """Return the one command of an event."""
    ((entry,),) = [json.loads(row("claude-settings.json"))["hooks"][event]]
    (found,) = entry["hooks"]
    assert found["type"] == "command"
    return str(found["command"])


STOPS = {
    "clean": ({}, False, 0, ""),
    "a finding": ({"sitecustomize.py": ""}, False, 2, "sitecustomize.py: UH101"),
    "told once already": ({"sitecustomize.py": ""}, True, 0, ""),
    "told, without a space": ({"sitecustomize.py": ""}, None, 0, ""),
}


@pytest.mark.parametrize("name", STOPS)
def test_an_agent_that_stops(name: str, at_hand: Image, repo: Repository) -> None:
    files, active, code, said = STOPS[name]
    repo.commit({"app.py": ""})
    repo.write(files)
    stdin = json.dumps({"hook_event_name": "Stop", "stop_hook_active": active is not False})
    if active is None:
        stdin = stdin.replace(": ", ":")
    command = at_hand.placed(hook("Stop"))
    done = at_hand.run("sh", "-c", command, stdin=stdin, env={"CLAUDE_PROJECT_DIR": str(repo.path)})
    assert (done.code, done.out) == (code, ""), done
    assert said in done.err


def test_an_agent_that_stops_where_nothing_can_be_checked(at_hand: Image) -> None:
    command = at_hand.placed(hook("Stop"))
    done = at_hand.run("sh", "-c", command, stdin="{}", env={"CLAUDE_PROJECT_DIR": "/nowhere"})
    assert (done.code, done.out) == (2, ""), done


#: command of an agent -> is it turned away, and told to run the tests isolated?
CALLS = {
    "pytest": True,
    "pytest tests -q": True,
    "python -m pytest": True,
    ".venv/bin/python3.13 -m pytest tests": True,
    ".venv/bin/pytest": True,
    "cd x && pytest -q": True,
    "make; pytest": True,
    "cd x\npytest": True,
    "PYTHONPATH=src pytest": True,
    "uv run pytest -q": True,
    "python3 -I -S /opt/unhaunt/unhaunt.pyz run --isolated -- pytest": False,
    "cd x && python3 -I -S /opt/unhaunt/unhaunt.pyz run --isolated -- pytest -q": False,
    "cat pytest.ini": False,
    "pip install pytest": False,
    "grep -r pytest tests": False,
    "pytest-watch": False,
    "ls": False,
}


@pytest.mark.parametrize("command", CALLS)
def test_an_agent_that_runs_tests(command: str, at_hand: Image) -> None:
    text = json.dumps({"tool_name": "Bash", "tool_input": {"command": command, "timeout": 9}})
    done = at_hand.run("sh", "-c", hook("PreToolUse"), stdin=text)
    assert (done.code, done.out) == (2 if CALLS[command] else 0, "")
    assert ("unhaunt.pyz run --isolated -- pytest" in done.err) == CALLS[command]


def test_what_the_agent_may_run_is_what_it_is_told_to(at_hand: Image, repo: Repository) -> None:
    (allowed,) = json.loads(row("claude-settings.json"))["permissions"]["allow"]
    command = allowed.removeprefix("Bash(").removesuffix(":*)")
    assert command in hook("PreToolUse")
    assert CALLS[command] is False
    assert f"`{command}`" in " ".join(row("AGENTS.md").split())
    repo.commit({"pkg/__init__.py": "", "test_a.py": "import pkg\ndef test_a(): pass\n"})
    path = os.pathsep.join([os.path.dirname(sys.executable), os.defpath])
    done = at_hand.run("sh", "-c", at_hand.placed(command), cwd=repo.path, env={"PATH": path})
    assert (done.code, "1 passed" in done.out) == (0, True), done


def test_agents_md(image: Image, repo: Repository) -> None:
    """What it says to run answers with the cause, where a traceback does not."""
    repo.commit(
        {"test_a.py": "import helper\ndef test_a(): assert helper.X == 1\n", "helper.py": "X = 1\n"}
    )
    old = image.root / "old"
    old.mkdir()
    (old / "helper.py").write_text("X = 2\n")
    (text,) = re.findall(r"```sh\n(.*?)```", row("AGENTS.md"), re.S)
    path = os.pathsep.join([str(image.root / "bin"), os.path.dirname(sys.executable), os.defpath])
    env = {"PATH": path, "PYTHONPATH": str(old), "PYTHONDONTWRITEBYTECODE": "1"}
    gate, bisect, check = [
        image.run("sh", "-c", image.placed(line), cwd=repo.path, env=env)
        for line in text.splitlines()
    ]
    assert (gate.code, bisect.code, check.code) == (1, 1, 0), (gate, bisect, check)
    assert f"PYTHONPATH only on local: {old}" in gate.err
    assert f"PYTHONPATH element 1: {old}" in bisect.out
    where = re.findall(r"`(python3 [^`]* where) MODULE`", row("AGENTS.md"))
    found = image.run("sh", "-c", f"{image.placed(where[0])} helper", cwd=repo.path, env=env)
    assert found.out.startswith("helper: "), found


def test_the_shell_rows_are_plain_shell() -> None:
    for name in ("baseline.sh", "gate.sh"):
        for program in ("sh", "bash"):
            assert subprocess.run([program, "-n", ROWS / name]).returncode == 0
