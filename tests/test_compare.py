"""The decision table, a row at a time; groups, explanations, unknown, and what a thousand cost."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from tests.commandline import environment, unhaunt
from unhaunt.cli import main
from unhaunt.errors import UserError
from unhaunt.fingerprints.comparable import digest
from unhaunt.fingerprints.compare import Comparison, compare
from unhaunt.fingerprints.explain import Explanation, explanations
from unhaunt.fingerprints.reading import read
from unhaunt.fingerprints.sides import side
from unhaunt.interpreters.interpreter import PROBE
from unhaunt.report.comparison import FORMATS

Facts = dict[str, Any]

FLAGS = {
    "optimize": 0,
    "dev_mode": False,
    "utf8_mode": 0,
    "isolated": 0,
    "ignore_environment": 0,
    "no_site": 0,
}


def box(**changes: object) -> Facts:
    """Return a clean fingerprint; `repo`, `base`, `venv` and `home` say where things are."""
    repo, base = str(changes.pop("repo", "/w/repo")), str(changes.pop("base", "/opt/py"))
    home, venv = str(changes.pop("home", "/home/u")), str(changes.pop("venv", "/w/repo/.venv"))
    packages = f"{venv}/lib/python3.12/site-packages"
    user = f"{home}/.local/lib/python3.12/site-packages"
    facts: Facts = {
        "schema": "unhaunt.fingerprint/1",
        "interpreter": {
            "executable": f"{venv}/bin/python",
            "version": "3.12.1",
            "implementation": "cpython",
            "prefix": venv,
            "base_prefix": base,
            "in_venv": True,
            "platform": "linux",
            "machine": "x86_64",
            "gil": True,
            "debug": False,
            "flags": dict(FLAGS),
            "stdlib": f"{base}/lib/python3.12",
        },
        "environment": {"LANG": "C.UTF-8"},
        "process": {"cwd": repo, "argv": None, "how": "bare"},
        "path": [
            {
                "entry": f"{base}/lib/python3.12",
                "exists": True,
                "because": "standard library",
                "in_repository": False,
            },
            {
                "entry": packages,
                "exists": True,
                "because": "site-packages of the environment",
                "in_repository": False,
            },
        ],
        "startup": {
            "modules": [],
            "pth": [],
            "start": [],
            "user_site": {"path": user, "enabled": False, "exists": False},
        },
        "hooks": {"meta_path": [], "path_hooks": []},
        "loaded_before_main": [],
        "distributions": [dist("requests", "2.31.0", packages)],
        "modules": [],
        "repository": {
            "toplevel": repo,
            "head": "a" * 40,
            "branch": "main",
            "dirty": False,
            "changed": [],
            "worktree": False,
        },
        "profiles": [],
        "sides": ["derived", "as-run"],
        "unknown": [],
        "noise": "",
    }
    for name, value in changes.items():
        place, keys = facts, name.split("__")
        for key in keys[:-1]:
            place = place[key]
        place[keys[-1]] = value
    return facts


def entry(folder: str, because: str) -> Facts:
    return {"entry": folder, "exists": True, "because": because, "in_repository": False}


def dist(
    name: str, version: str, location: str, state: str = "unmodified", **more: object
) -> Facts:
    return {
        "name": name,
        "version": version,
        "state": state,
        "location": location,
        "shadowed": False,
        **more,
    }


def module(
    path: str, sha256: str = "a" * 64, state: str = "loaded", imports: list[Facts] | None = None
) -> Facts:
    name = Path(path).stem
    return {
        "module": name,
        "path": path,
        "form": "module",
        "sha256": sha256,
        "state": state,
        "owner": None,
        "imports": imports or [],
    }


def pth(path: str, *texts: str, sha256: str = "b" * 64) -> Facts:
    lines = [
        {"line": n, "kind": "exec", "text": text, "imports": []} for n, text in enumerate(texts, 1)
    ]
    return {"path": path, "sha256": sha256, "owner": None, "lines": lines}


def compared(*boxes: Facts, explain: tuple[Explanation, ...] = ()) -> Comparison:
    """Compare fingerprints as the command does: through their text."""
    names = ["local.json", "remote.json", *(f"box{n}.json" for n in range(3, len(boxes) + 1))]
    return compare(
        (side(read(json.dumps(b), n), n) for b, n in zip(boxes, names, strict=True)),
        explain,
    )


SHORT = {
    "executable": "/w/repo/.venv/bin/python",
    "version": "3.12.1 (main, x) [GCC]",
    "prefix": "/w/repo/.venv",
    "base_prefix": "/opt/py",
    "in_venv": True,
    "cwd": "/w/repo",
    "pythonpath": None,
    "user_site_enabled": False,
    "user_site": "/home/u/.local/lib/python3.12/site-packages",
    "sitecustomize_files": [],
    "sys_path_head": [],
}

Row = tuple[Facts, Facts, list[str], list[str]]

TABLE: dict[str, Row] = {
    "two equal ones": (box(), box(), ["match"], ["copy the patch"]),
    "the same in other folders": (
        box(),
        box(repo="/srv/app", base="/usr/local", home="/root", venv="/venv"),
        ["match"],
        [],
    ),
    "another version": (
        box(),
        box(interpreter__version="3.11.7"),
        ["version-mismatch"],
        ["version: 3.12.1 on local, 3.11.7 on remote", "same lock file"],
    ),
    "another implementation": (
        box(),
        box(interpreter__implementation="pypy"),
        ["version-mismatch"],
        ["pypy"],
    ),
    "a sandbox that falls back to the system's Python": (
        box(),
        box(
            interpreter__executable="/usr/bin/python3",
            interpreter__prefix="/usr",
            interpreter__base_prefix="/usr",
            interpreter__in_venv=False,
        ),
        ["venv-mismatch"],
        ["remote has no venv, local has", "create the virtual environment there"],
    ),
    "a local PYTHONPATH": (
        box(environment={"PYTHONPATH": "/old/checkout"}),
        box(),
        ["local-haunted"],
        ["PYTHONPATH only on local: /old/checkout", "env -u PYTHONPATH PYTHONNOUSERSITE=1"],
    ),
    "a remote PYTHONPATH that is the project's root": (
        box(process={"cwd": "/home/dev/p"}, repository=None),
        box(environment={"PYTHONPATH": "/app"}, process={"cwd": "/app"}, repository=None),
        ["remote-haunted"],
        [
            "PYTHONPATH only on remote, equals the project root there",
            "by environment, not by installation",
        ],
    ),
    "the same with a repository on both": (
        box(),
        box(repo="/app", environment={"PYTHONPATH": "/app"}),
        ["remote-haunted"],
        ["equals the project root there (/app)"],
    ),
    "an empty element, by a trailing colon": (
        box(),
        box(environment={"PYTHONPATH": "/opt/rt/lib:"}, process={"cwd": "/w/repo"}),
        ["remote-haunted"],
        [
            "remote sys.path contains cwd (/w/repo) because of an empty PYTHONPATH entry (position 2)"
        ],
    ),
    "an empty PYTHONPATH is none": (box(), box(environment={"PYTHONPATH": ""}), ["match"], []),
    "a lone colon is not none": (
        box(),
        box(environment={"PYTHONPATH": ":"}),
        ["remote-haunted"],
        ["position 1", "position 2"],
    ),
    "an operator's PYTHONPATH with startup code": (
        box(),
        box(
            environment={"PYTHONPATH": "/agent/auto:/agent"},
            startup__modules=[module("/agent/auto/sitecustomize.py")],
        ),
        ["remote-haunted"],
        ["/agent/auto, and that directory contains sitecustomize.py"],
    ),
    "each has a PYTHONPATH of its own": (
        box(environment={"PYTHONPATH": "/a"}),
        box(environment={"PYTHONPATH": "/b"}),
        ["local-haunted", "remote-haunted"],
        ["element 1 only on local: /a", "element 1 only on remote: /b"],
    ),
    "the order of PYTHONPATH": (
        box(environment={"PYTHONPATH": "/a:/b"}),
        box(environment={"PYTHONPATH": "/b:/a"}),
        ["local-haunted", "remote-haunted"],
        ["another order"],
    ),
    "local startup code, and what it imports": (
        box(
            startup__modules=[
                module(
                    "/home/u/x/sitecustomize.py",
                    imports=[{"module": "h", "origin": "/old/h.py", "sha256": "c" * 64}],
                )
            ]
        ),
        box(),
        ["local-haunted"],
        [
            "startup code on local only: /home/u/x/sitecustomize.py (sha256 aaaaaaaaaaaa), which imports /old/h.py (sha256 cccccccccccc)"
        ],
    ),
    "a startup module that is not loaded": (
        box(
            startup__modules=[
                module("/x/usercustomize.py", state="not loaded: the user site is off")
            ]
        ),
        box(),
        ["match"],
        [],
    ),
    "startup code that was replaced by an upgrade": (
        box(startup__modules=[module("/brew/sitecustomize.py", "1" * 64)]),
        box(startup__modules=[module("/brew/sitecustomize.py", "2" * 64)]),
        ["local-haunted", "remote-haunted"],
        ["startup code changed outside the repository", "compare the two files"],
    ),
    "an executable .pth that one side lacks": (
        box(startup__pth=[pth("/w/repo/.venv/lib/x.pth", "import evil")]),
        box(),
        ["local-haunted"],
        ["startup code on local only: /w/repo/.venv/lib/x.pth"],
    ),
    "the same .pth with another line": (
        box(startup__pth=[pth("/v/x.pth", "import evil")]),
        box(startup__pth=[pth("/v/x.pth", "import worse")]),
        ["local-haunted", "remote-haunted"],
        ["changed outside the repository"],
    ),
    "a distribution in the user site": (
        box(
            distributions=[
                dist("requests", "2.31.0", "/w/repo/.venv/lib/python3.12/site-packages"),
                dist("helpers", "1.0", "/home/u/.local/lib/python3.12/site-packages"),
            ]
        ),
        box(),
        ["local-haunted"],
        ["helpers 1.0 is in the user site of local only", "if the tests need helpers"],
    ),
    "a path from elsewhere": (
        box(
            path=[
                {
                    "entry": "/srv/other",
                    "exists": True,
                    "because": "/v/x.pth line 1",
                    "in_repository": False,
                }
            ]
        ),
        box(path=[]),
        ["local-haunted"],
        ["/srv/other is on sys.path of local only (/v/x.pth line 1)"],
    ),
    "a path that lies in the environment itself": (
        box(path=[entry("/w/repo/.venv/more", "/w/repo/.venv/x.pth line 1")]),
        box(path=[]),
        ["local-haunted"],
        ["<environment>/more is on sys.path of local only (<environment>/x.pth line 1)"],
    ),
    "the same two paths in another order": (
        box(path=[entry(f"/w/repo/.venv/{n}", f"/v/x.pth line {n}") for n in (1, 2)]),
        box(path=[entry(f"/w/repo/.venv/{n}", f"/v/x.pth line {3 - n}") for n in (2, 1)]),
        ["local-haunted", "remote-haunted"],
        ["<environment>/1 is on sys.path: /v/x.pth line 1 on local, /v/x.pth line 2 on remote"],
    ),
    "a path that does not exist": (
        box(
            path=[
                {
                    "entry": "/srv/other",
                    "exists": False,
                    "because": "PYTHONPATH element 1",
                    "in_repository": False,
                }
            ]
        ),
        box(path=[]),
        ["match"],
        [],
    ),
    "another folder of the repository": (
        box(),
        box(process={"cwd": "/w/repo/sub"}),
        ["cwd-mismatch"],
        [
            "the working directory: . on local, sub on remote",
            "-I -m unhaunt fingerprint -- COMMAND",
        ],
    ),
    "another commit": (box(), box(repository__head="b" * 40), ["cwd-mismatch"], ["the commit"]),
    "a file that one side cannot see": (
        box(repository__dirty=True, repository__changed=["?? cli_helpers.py"]),
        box(),
        ["cwd-mismatch"],
        ["local only: ?? cli_helpers.py"],
    ),
    "asserts that vanish": (
        box(),
        box(environment={"PYTHONOPTIMIZE": "1"}, interpreter__flags={**FLAGS, "optimize": 1}),
        ["settings-differ"],
        ["PYTHONOPTIMIZE"],
    ),
    "a hash seed": (
        box(environment={"PYTHONHASHSEED": "7"}),
        box(),
        ["settings-differ"],
        ["PYTHONHASHSEED: 7 on local, unset on remote"],
    ),
    "lazy imports": (
        box(),
        box(environment={"PYTHON_LAZY_IMPORTS": "all"}),
        ["settings-differ"],
        [],
    ),
    "a variable without effect": (
        box(),
        box(environment={"PYTHONUNBUFFERED": "1", "PYTHONDONTWRITEBYTECODE": "1"}),
        ["match"],
        [],
    ),
    "another operating system": (
        box(),
        box(interpreter__platform="darwin"),
        ["settings-differ"],
        ["linux x86_64 on local, darwin x86_64 on remote"],
    ),
    "another version of a package": (
        box(),
        box(distributions=[dist("requests", "2.32.0", "/x")]),
        ["packages-differ"],
        ["requests: 2.31.0 on local, 2.32.0 on remote", "lock file"],
    ),
    "a dependency of the same version that was patched by hand": (
        box(),
        box(
            distributions=[dist("requests", "2.31.0", "/x", "modified", files=["requests/api.py"])]
        ),
        ["packages-differ"],
        ["with changed files (requests/api.py)"],
    ),
    "facts that are missing": (
        box(),
        {k: v for k, v in box().items() if k not in ("distributions", "startup")},
        ["unknown"],
        ["startup files, installed distributions"],
    ),
    "files that were not hashed, on both sides": (
        box(distributions=[dist("requests", "2.31.0", "/x", "not checked")]),
        box(distributions=[dist("requests", "2.31.0", "/x", "not checked")]),
        ["unknown"],
        ["not hashed", "fingerprint --output FILE", "without --quick"],
    ),
    "changes that one side did not look for": (
        box(repository__dirty=True, repository__changed=["?? cli_helpers.py"]),
        box(
            repository={"toplevel": "/w/repo", "head": "a" * 40, "branch": "main", "dirty": None},
            unknown=[{"fact": "repository.dirty", "reason": "left out by --quick"}],
        ),
        ["unknown"],
        ["uncommitted changes"],
    ),
    "a side that was only derived": (
        box(),
        box(sides=["derived"], unknown=[{"fact": "as-run", "reason": "not started"}]),
        ["unknown"],
        ["the flags of a real start"],
    ),
    "a fact that a side could not read": (
        box(unknown=[{"fact": "hooks", "reason": "OSError: x"}]),
        box(unknown=[{"fact": "hooks", "reason": "OSError: x"}]),
        ["unknown"],
        ["hooks (OSError: x)"],
    ),
    "startup code that nobody could hash": (
        box(startup__modules=[module("/x/sitecustomize.py", "")]),
        box(startup__modules=[module("/x/sitecustomize.py", "")]),
        ["unknown"],
        ["the content of startup files"],
    ),
    "the short script's JSON": (box(), SHORT, ["unknown"], ["installed distributions"]),
    "the short script's JSON from elsewhere, with everything wrong": (
        box(),
        {
            **SHORT,
            "version": "3.9.2",
            "in_venv": False,
            "pythonpath": "/x",
            "sitecustomize_files": ["/x/sitecustomize.py"],
            "cwd": "/somewhere/else",
        },
        ["version-mismatch", "venv-mismatch", "remote-haunted", "cwd-mismatch", "unknown"],
        ["PYTHONPATH only on remote: /x"],
    ),
}


@pytest.mark.parametrize(("local", "remote", "signals", "words"), TABLE.values(), ids=TABLE)
def test_every_decision_that_applies_is_told_the_most_serious_first(
    local: Facts, remote: Facts, signals: list[str], words: list[str]
) -> None:
    found = compared(local, remote)
    assert [d.signal for d in found.decisions] == signals
    text = " ".join(f"{d.because} {d.next}" for d in found.decisions)
    for word in words:
        assert word in text
    assert found.trust is (signals == ["match"])


@pytest.mark.parametrize(("local", "remote", "signals", "words"), TABLE.values(), ids=TABLE)
def test_the_mirror_image_tells_the_same_with_the_sides_exchanged(
    local: Facts, remote: Facts, signals: list[str], words: list[str]
) -> None:
    mirror = {"local-haunted": "remote-haunted", "remote-haunted": "local-haunted"}
    assert {d.signal for d in compared(remote, local).decisions} == {
        mirror.get(s, s) for s in signals
    }


@pytest.mark.parametrize(("local", "remote", "signals", "words"), TABLE.values(), ids=TABLE)
def test_equal_digests_and_no_differences_of_behaviour_go_together(
    local: Facts, remote: Facts, signals: list[str], words: list[str]
) -> None:
    if "short" in json.dumps(local) or "sys_path_head" in remote:
        return
    if signals == ["unknown"]:
        return
    outside = {"cwd-mismatch", "match"}  # where it runs is no part of how it behaves
    assert (digest(local) == digest(remote)) is (set(signals) <= outside)


def test_an_explained_difference_raises_no_signal() -> None:
    boxes = box(), box(environment={"PYTHONHASHSEED": "7"}, interpreter__version="3.11.7")
    seed = Explanation("variable.PYTHONHASHSEED", "tox draws one", "7")
    version = Explanation("interpreter.version", "the image has it")
    found = compared(*boxes, explain=(seed,))
    assert [d.signal for d in found.decisions] == ["version-mismatch"]
    assert {d.fact: d.explained for d in found.differences}[
        "variable.PYTHONHASHSEED"
    ] == "tox draws one"
    assert compared(*boxes, explain=(seed, version)).trust
    assert not compared(*boxes, explain=(seed._replace(value="8"), version)).trust
    assert compared(*boxes, explain=(Explanation("*", "all of it"),)).trust


@pytest.mark.parametrize("name", TABLE)
def test_a_command_to_run_next_can_be_pasted(name: str) -> None:
    local, remote, *_ = TABLE[name]
    for decision in compared(local, remote).decisions:
        if "unhaunt" not in decision.next:
            continue
        command, _, note = decision.next.partition("  # ")
        words = shlex.split(command)
        there = decision.signal == "remote-haunted" or f"of {decision.file}" in note
        at = words.index("-I") - 1
        assert words[at] == ("python3" if there else sys.executable)
        assert words[at + 1 : at + 3] == ["-I", "-m"]
        assert not set("();|&<>") & set(command)


def test_unknown_is_not_explained_away() -> None:
    assert not compared(box(), SHORT, explain=(Explanation("*", "all of it"),)).trust


def test_what_follows_from_another_difference_is_folded_under_it() -> None:
    other = box(
        interpreter__in_venv=False,
        distributions=[dist(f"d{n}", "1", "/usr/lib") for n in range(40)],
    )
    text = FORMATS["text"](compared(box(), other))
    assert len(text.splitlines()) < 12
    assert "more that follow from it" in text


def test_groups_and_the_odd_one_out() -> None:
    odd = box(environment={"PYTHONPATH": "/x"})
    found = compared(box(), box(), odd, box(repo="/elsewhere"))
    assert found.groups == (("local.json", "remote.json", "box4.json"), ("box3.json",))
    assert found.odd_one_out == "box3.json"
    assert [(d.file, d.signal) for d in found.decisions] == [
        ("remote.json", "match"),
        ("box3.json", "remote-haunted"),
        ("box4.json", "match"),
    ]
    assert compared(odd, box(), box()).odd_one_out == "local.json"
    assert compared(box(), odd).odd_one_out is None


HOSTILE = "x\x1b[31m\u202e|<b>`[a](b)\n"


@pytest.mark.parametrize("form", ["text", "json", "markdown"])
def test_no_format_shows_untrusted_text_raw(form: str) -> None:
    text = FORMATS[form](compared(box(environment={"PYTHONPATH": f"/{HOSTILE}"}), box()))
    assert "\x1b" not in text
    assert "\u202e" not in text
    if form == "markdown":
        assert "<b>" not in text.replace("\\<", "")
        assert all(line.count("|") - line.count("\\|") in (0, 5) for line in text.splitlines())


WRONG: dict[str, tuple[object, str]] = {
    "not a list": ({"fact": "x"}, "not a list"),
    "no reason": ([{"fact": "x"}], "entry 1: reason is missing"),
    "an empty reason": ([{"fact": "x", "reason": " "}], "reason is missing"),
    "no fact": ([{"reason": "x"}], "fact is missing"),
    "an unknown key": ([{"fact": "x", "reason": "y", "why": 1}], "unknown key why"),
    "no table": ([1], "entry 1 is not a table"),
}


@pytest.mark.parametrize(("table", "words"), WRONG.values(), ids=WRONG)
def test_a_wrong_explanation_names_the_entry(table: object, words: str) -> None:
    with pytest.raises(UserError, match=words):
        explanations(table, "pyproject.toml")


class TestCommand:
    """The command itself."""

    def files(self, folder: Path, *boxes: Facts) -> list[str]:
        names = [f"{n}.json" for n in range(len(boxes))]
        for name, facts in zip(names, boxes, strict=True):
            (folder / name).write_text(json.dumps(facts))
        return names

    def test_codes(self, tmp_path: Path) -> None:
        same, other = box(), box(interpreter__version="3.9.0")
        names = self.files(tmp_path, same, deepcopy(same), other)
        env = environment(tmp_path)
        assert unhaunt("compare", *names[:2], cwd=tmp_path, env=env).code == 0
        assert unhaunt("compare", *names, cwd=tmp_path, env=env).code == 1
        for words in ([names[0]], [names[0], "missing.json"], []):
            assert unhaunt("compare", *words, cwd=tmp_path, env=env).code == 2

    @pytest.mark.parametrize(
        "text", ["", "{", "[]", "null", '{"schema": "other/1"}', "\x00" * 100, '{"a": ' * 5000]
    )
    def test_a_file_that_is_no_fingerprint(self, text: str, tmp_path: Path) -> None:
        (tmp_path / "x.json").write_text(text)
        done = unhaunt("compare", "x.json", "x.json", cwd=tmp_path, env=environment(tmp_path))
        assert (done.code, done.out) == (2, "")
        assert "x.json is not a fingerprint" in done.err

    @pytest.mark.parametrize("schema", ["unhaunt.fingerprint/2", "unhaunt.probe/14"])
    def test_a_file_that_a_later_unhaunt_wrote(self, schema: str, tmp_path: Path) -> None:
        (tmp_path / "x.json").write_text(f'{{"schema": "{schema}"}}')
        done = unhaunt("compare", "x.json", "x.json", cwd=tmp_path, env=environment(tmp_path))
        assert (done.code, done.out) == (2, "")
        assert f"x.json was written by a later unhaunt ({schema}; this one reads" in done.err

    def test_explanations_come_from_the_working_tree_or_config(self, tmp_path: Path) -> None:
        names = self.files(tmp_path, box(), box(interpreter__version="3.11.7"))
        (tmp_path / "pyproject.toml").write_text(
            '[[tool.unhaunt.explain]]\nfact = "interpreter.version"\nreason = "an old image"\n'
        )
        env = environment(tmp_path)
        done = unhaunt("compare", *names, cwd=tmp_path, env=env)
        assert (done.code, "an old image" in done.out) == (0, True)
        assert unhaunt("compare", *names, "--no-config", cwd=tmp_path, env=env).code == 1
        assert unhaunt("compare", *names, "--config", "no.toml", cwd=tmp_path, env=env).code == 2
        (tmp_path / "pyproject.toml").write_text("[tool.unhaunt\n")
        assert unhaunt("compare", *names, cwd=tmp_path, env=env).code == 2

    def test_a_reference_from_inside_a_build_is_warned_of(self, tmp_path: Path) -> None:
        build = module("/tmp/pip-build-env-ab12/site/sitecustomize.py")
        names = self.files(tmp_path, box(startup__modules=[build]), box())
        done = unhaunt("compare", *names, cwd=tmp_path, env=environment(tmp_path))
        assert "pip build isolation (expected, temporary)" in done.out
        assert "warning" in done.err

    def test_the_probe_alone_is_read_too(self, tmp_path: Path) -> None:
        for name in ("a.json", "b.json"):
            done = subprocess.run(
                [sys.executable, PROBE], capture_output=True, cwd=tmp_path, check=True
            )
            (tmp_path / name).write_bytes(b"noise before\n" + done.stdout)
        found = unhaunt(
            "compare",
            "a.json",
            "b.json",
            "--format",
            "json",
            cwd=tmp_path,
            env=environment(tmp_path),
        )
        assert (found.code, found.json["differences"]) == (1, [])  # it hashes no installed files
        assert [d["signal"] for d in found.json["decisions"]] == ["unknown"]


def mutants(value: Any) -> Iterator[Any]:
    """Yield the value with each of its parts replaced by something of another kind."""
    yield from (3, None, "x", [])
    parts = value.items() if isinstance(value, dict) else enumerate(value[:2])
    for key, part in parts if isinstance(value, dict | list) else ():
        for changed in mutants(part) if isinstance(part, dict | list) else (3, None, "x", []):
            made = dict(value) if isinstance(value, dict) else list(value)
            made[key] = changed
            yield made


def without(value: Any) -> Iterator[Any]:
    """Yield the value without each of its keys."""
    for key in list(value) if isinstance(value, dict) else ():
        yield {k: v for k, v in value.items() if k != key}
        yield from ({**value, key: made} for made in without(value[key]))


def reals(folder: Path) -> dict[str, Facts]:
    """Return a fingerprint that was really taken, the probe's alone, and the two made up."""
    words = ("fingerprint", "--quick", "--format", "json", "--python", sys.executable)
    taken = unhaunt(*words, cwd=folder, env=environment(folder, PYTHONPATH="/x")).json
    alone = subprocess.run([sys.executable, PROBE], capture_output=True, cwd=folder, check=True)
    full = box(
        startup__modules=[module("/x/sitecustomize.py", imports=[{"module": "h", "origin": "/h"}])],
        startup__pth=[pth("/v/x.pth", "import evil")],
        pytest={"import_mode": "prepend", "plugins": ["x"], "how": "pytest"},
        environment={"PYTHONPATH": "/a:/b", "PYTHONHASHSEED": "1"},
    )
    return {"taken": taken, "alone": json.loads(alone.stdout), "full": full, "short": SHORT}


@pytest.mark.parametrize("kind", ["taken", "alone", "full", "short"])
def test_a_malformed_fingerprint_is_refused_or_compared_and_never_a_traceback(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    real = reals(tmp_path)[kind]
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_text(json.dumps(real))
    codes = set()
    for changed in (*mutants(real), *without(real)):
        bad.write_text(json.dumps(changed))
        for files in ([good, bad], [bad, good])[: 2 if kind == "full" else 1]:
            codes.add(main(["compare", "--no-config", "--format", "json", *map(str, files)]))
            said = capsys.readouterr().err
            assert "bug in unhaunt" not in said, (changed, said)
    assert 2 in codes
    assert codes <= {0, 1, 2}


CHANGES: tuple[Callable[[int], Facts], ...] = (
    lambda n: box(),
    lambda n: box(environment={"PYTHONPATH": f"/x{n}"}),
    lambda n: box(distributions=[dist(f"d{k}", str(n), "/x") for k in range(5)]),
)


@pytest.mark.parametrize(
    "change", CHANGES, ids=["all alike", "each with its own path", "each with its own packages"]
)
def test_a_thousand_stay_quick_and_small(change: Callable[[int], Facts]) -> None:
    import time

    texts = [json.dumps(box()), *(json.dumps(change(n)) for n in range(1000))]
    parsed = time.process_time()
    for text in texts:
        json.loads(text)
    parsed = time.process_time() - parsed
    start = time.process_time()
    found = compare(side(read(text, f"{n}.json"), f"{n}.json") for n, text in enumerate(texts))
    assert (time.process_time() - start - parsed) / 1000 < 0.001
    tracemalloc.start()
    found = compare(side(read(text, f"{n}.json"), f"{n}.json") for n, text in enumerate(texts))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(found.sides) == 1001
    assert peak / 1000 < 2048
