"""Modules that tracked code imports and nothing owns: `run` and `verify` say what `where` says."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commandline import Done, unhaunt
from tests.planted import Plant, Planted, planted, words

USES = {"check.py": "import extra\n"}
INFO = "{site}/extra-1.dist-info"
RECORDED = {f"{INFO}/RECORD": "extra.py,,\nextra-1.dist-info/RECORD,,\n"}
ELSEWHERE = {"{tmp}/old/extra.py": "", "{site}/a.pth": "{tmp}/old\n"}
URL = '{"url": "file://ELSEWHERE", "dir_info": {"editable": true}}'
MAKES = (
    "import pathlib, sys, tempfile\n"
    "with tempfile.TemporaryDirectory() as folder:\n"
    "    pathlib.Path(folder, 'extra.py').write_text('')\n"
    "    sys.path.insert(0, folder)\n"
    "    import extra\n"
)

GHOSTS = {
    "loose in site-packages": Plant("", USES, ("{site}/extra.py",), present={"{site}/extra.py": ""}),
    "a package, loose": Plant(
        "", USES, ("{site}/extra/__init__.py",), present={"{site}/extra/__init__.py": ""}
    ),
    "by a .pth": Plant("", USES, ("{tmp}/old/extra.py",), present=ELSEWHERE),
    "beside a RECORD of others": Plant(
        "", USES, ("{site}/extra.py",),
        present={"{site}/extra.py": "", "{site}/x-1.dist-info/RECORD": "x.py,,\n"},
    ),
    "a part of a namespace that the checkout has parts of": Plant(
        "", {"space/part.py": "", "check.py": "import space.part, space.other\n"},
        ("{tmp}/old/space/other.py",),
        present={"{tmp}/old/space/other.py": "", "{site}/a.pth": "{tmp}/old\n"},
    ),
}  # fmt: skip

FINE = {
    "what a RECORD lists": Plant("", USES, present={"{site}/extra.py": "", **RECORDED}),
    "a part of a namespace that a RECORD lists": Plant(
        "", {"check.py": "from space import other\n"},
        present={"{site}/space/other.py": "", "{site}/o-1.dist-info/RECORD": "space/other.py,,\n"},
    ),
    "an editable install of another project": Plant(
        "", USES, present={**ELSEWHERE, f"{INFO}/direct_url.json": URL, f"{INFO}/RECORD": "x,,\n"}
    ),
    "an egg-info beside it": Plant(
        "", USES, present={**ELSEWHERE, "{tmp}/old/extra.egg-info/top_level.txt": "extra\n"}
    ),
    "a distribution whose RECORD the packager took away": Plant(
        "", USES, present={"{site}/extra.py": "", f"{INFO}/METADATA": "Name: extra\n"}
    ),
    "what only untracked code imports": Plant(
        "", {"check.py": "import json\n"}, present={"{site}/extra.py": "", "other.py": USES["check.py"]}
    ),
    "a loose module that a dependency imports": Plant(
        "", {"check.py": "import dependency\n"},
        present={
            "{site}/dependency.py": "import extra\n", "{site}/extra.py": "",
            "{site}/d-1.dist-info/RECORD": "dependency.py,,\n",
        },
    ),
    "the standard library": Plant("", {"check.py": "import json, ctypes, xml.dom, sqlite3\n"}),
    "a helper of the checkout": Plant(
        "", {"check.py": "import sys\nsys.path.insert(0, 'tests/lib')\nimport extra\n",
             "tests/lib/extra.py": ""},
    ),
    "what the command itself makes": Plant("", {"check.py": MAKES}),
}  # fmt: skip


def built_of(row: Plant, folder: Path) -> Planted:
    built = planted(row._replace(command="{python} check.py"), folder)
    for file in built.site.glob("*/direct_url.json"):
        file.write_text(file.read_text().replace("ELSEWHERE", str(folder / "old")))
    return built


def asked(command: str, built: Planted) -> Done:
    words_ = words(Plant("{python} check.py", {}), built)
    return unhaunt(command, "--format", "json", "--", *words_, cwd=built.root, env=built.env)


@pytest.mark.parametrize("name", GHOSTS)
def test_green_on_what_nothing_owns_is_no_green(name: str, tmp_path: Path) -> None:
    built = built_of(GHOSTS[name], tmp_path)
    file = GHOSTS[name].expected[0].format(site=built.site, tmp=tmp_path)
    done = asked("run", built)
    assert {leg["exit_code"] for leg in done.json["legs"]} == {0}, done.out
    assert (done.code, done.json["verdict"]) == (1, "do-not-trust")
    assert [one["signal"] for one in done.json["decisions"]] == ["origins-outside"]
    assert all([one["path"] for one in leg["outside"]] == [file] for leg in done.json["legs"])
    module = done.json["legs"][0]["outside"][0]["module"]
    where = unhaunt("where", "--python", built.python, module, cwd=built.root, env=built.env)
    assert where.code == 1, where.out


@pytest.mark.parametrize("name", FINE)
def test_what_is_owned_or_made_is_no_ghost(name: str, tmp_path: Path) -> None:
    built = built_of(FINE[name], tmp_path)
    done = asked("run", built)
    assert (done.code, done.json["verdict"]) == (0, "trust"), done.out


@pytest.mark.parametrize("name", [*GHOSTS, *FINE])
def test_an_import_that_the_command_does_not_reach(name: str, tmp_path: Path) -> None:
    built = built_of((GHOSTS | FINE)[name], tmp_path)
    source = (built.root / "check.py").read_text().replace("\n", "\n    ").rstrip()
    built.repository.commit({"late.py": f"def late():\n    {source}\n", "check.py": "pass\n"})
    check = _origins(unhaunt(
        "verify", "--base", "HEAD~1", "--format", "json", "--", built.python, "check.py",
        cwd=built.root, env=built.env,
    ))  # fmt: skip
    expected = {**GHOSTS, **FINE}[name].expected
    assert check["passed"] is not bool(expected), check
    if expected:
        file = expected[0].format(site=built.site, tmp=tmp_path)
        assert str(check["because"]).endswith(f" comes from {file}")


def _origins(done: Done) -> dict[str, object]:
    return next(check for check in done.json["checks"] if check["name"] == "origins")
