"""What we read is what make, python-dotenv, PyYAML, tomllib, json, configparser and tox read."""

from __future__ import annotations

import configparser
import io
import json
import random
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

import dotenv
import pytest
import yaml
from dotenv.parser import parse_stream
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.envfiles.evaluate import evaluated, final, program
from unhaunt.envfiles.assignment import Assignment, Dialect
from unhaunt.envfiles.grammars import dotenv as our_dotenv
from unhaunt.envfiles.grammars import ini, jsonc, makefile, toml_text, yaml_text

SETTINGS = settings(
    max_examples=400, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
MANY = settings(SETTINGS, max_examples=4000)

Path_ = tuple[str | int, ...]
TEXT = st.text("ab:/. #'\"-{}[],&*!|>%@`=\n\té", max_size=8)
KEY = st.text("abAZ_-. 0", min_size=1, max_size=4) | st.just("PYTHONPATH")
TREE = st.recursive(
    TEXT | st.none() | st.booleans() | st.integers(-5, 5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEY, inner, max_size=3),
    max_leaves=8,
)


def strings(tree: object, path: Path_ = ()) -> Iterator[tuple[Path_, str]]:
    """Yield the path and text of each string in a tree."""
    if isinstance(tree, dict):
        for key, value in tree.items():
            yield from strings(value, (*path, str(key)))
    elif isinstance(tree, list):
        for number, value in enumerate(tree):
            yield from strings(value, (*path, number))
    elif isinstance(tree, str):
        yield path, tree


def json_agrees(tree: object, indent: int | None) -> None:
    text = json.dumps(tree, indent=indent, ensure_ascii=False)
    expected = dict(strings(tree))
    found = {leaf.path: leaf.text for leaf in jsonc.leaves(text)}
    assert {path: found[path] for path in found if path in expected} == expected


@SETTINGS
@given(tree=TREE, indent=st.sampled_from([None, 2]))
def test_json(tree: object, indent: int | None) -> None:
    json_agrees(tree, indent)


def yaml_agrees(tree: object, style: str | None, flow: bool) -> None:
    text = yaml.safe_dump(tree, default_style=style, default_flow_style=flow, allow_unicode=True)
    if yaml.safe_load(text) != tree:
        return  # PyYAML does not read what it wrote
    expected = {path: " ".join(value.split()) for path, value in strings(tree)}
    (found,) = yaml_text.documents(text) or ((),)
    ours = {x.path: " ".join((x.text or "").replace(" \\\n", " ").split()) for x in found}
    assert {path: ours.get(path) for path in expected} == expected


@SETTINGS
@given(tree=TREE, style=st.sampled_from([None, '"', "'", "|", ">"]), flow=st.booleans())
def test_yaml(tree: object, style: str | None, flow: bool) -> None:
    yaml_agrees(tree, style, flow)


BASIC = st.text("ab:/#[]{}=,.é'", max_size=5).map(lambda t: f'"{t}"')
TOML_STRING = st.one_of(
    BASIC,
    st.sampled_from(
        ['"a\\"b"', '"\\u0041\\t"', "'a\\b'", "''", '""', "'''a\nb'''", "'''\na''b'''"]
    ),
    st.sampled_from(['"""\na "quoted" b"""', '"""a\\\n   b"""', '""""a"""', '"""a""""', "'#'"]),
)
TOML_VALUE = st.recursive(
    TOML_STRING
    | st.sampled_from(["1", "-1.5e3", "true", "1979-05-27T07:32:00Z", "07:32:00", "inf"]),
    lambda inner: (
        st.lists(inner, max_size=3).map(lambda v: f"[{', '.join(v)}]")
        | st.lists(inner, max_size=2).map(
            lambda v: "[\n  # c ]\n" + "".join(f"  {x},\n" for x in v) + "]"
        )
        | st.lists(inner, max_size=2).map(
            lambda v: "{" + ", ".join(f"k{n} = {x}" for n, x in enumerate(v) if "\n" not in x) + "}"
        )
    ),
    max_leaves=5,
)
TOML_KEY = st.sampled_from(["a", "b.c", '"d.e"', "'f'", "PYTHONPATH", "g . h", "1-2", "i"])
TOML_HEAD = st.sampled_from(["[t]", "[[u]]", "[v.'w'.x]", "[ y . z ] # c", "[[u]]", ""])
TOML = st.lists(
    st.tuples(TOML_HEAD, st.lists(st.tuples(TOML_KEY, TOML_VALUE), max_size=3)), max_size=3
).map(
    lambda tables: "".join(
        f"{head}\n" + "".join(f"{key} = {value} # c\n" for key, value in pairs)
        for head, pairs in tables
    )
)


def toml_agrees(text: str) -> None:
    try:
        tree = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    expected = sorted(value for _, value in strings(tree))
    kinds = ('"', "'")
    found = [leaf for leaf in toml_text.leaves(text) if leaf.text is not None]
    ours = sorted(str(leaf.text) for leaf in found)
    plain = {"1", "-1.5e3", "true", "1979-05-27T07:32:00Z", "07:32:00", "inf"}
    assert [t for t in ours if t not in plain] == [t for t in expected if t not in plain], kinds


@SETTINGS
@given(text=TOML)
def test_toml(text: str) -> None:
    toml_agrees(text)


DOTENV_VALUE = st.one_of(
    st.text("ab:/. #'\"\\=,-", max_size=8),
    st.text("ab:/. #\n=", max_size=6).map(lambda t: f"'{t}'"),
    st.text("ab:/. #\n='", max_size=6).map(lambda t: f'"{t}"'),
    st.sampled_from(
        ['"a\\"b"', "'a\\'b'", '"a\\nb"', "${A}:b", "${A:-x}", "a # c", "a#c", '"a" # c']
    ),
)
DOTENV_LINE = st.one_of(
    st.tuples(
        st.sampled_from(["", "export ", "  "]),
        st.sampled_from(["PYTHONPATH", "'PYTHONPATH'", "A", "MY_PYTHONPATH", "PYTHONPATH "]),
        st.sampled_from(["=", " = ", "= "]),
        DOTENV_VALUE,
    ).map("".join),
    st.sampled_from(["# PYTHONPATH=c", "", "A", "=x", "B=c", "PYTHONPATHS=x", "a b=c"]),
)


def dotenv_agrees(lines: list[str]) -> None:
    text = "\n".join(lines)
    if any(binding.error for binding in parse_stream(io.StringIO(text))):
        return
    values = dotenv.dotenv_values(stream=io.StringIO(text))
    if "A" in values and not values["A"] and ":-" in text:
        return  # python-dotenv takes `:-` for `-`, of a bare name too
    ours: dict[str, str] = {}
    for name, _, _, value in our_dotenv.bindings(text):
        ours[name] = evaluated(value, ours)
    assert ours.get("PYTHONPATH", "") == (values.get("PYTHONPATH") or ""), text


@SETTINGS
@given(lines=st.lists(DOTENV_LINE, max_size=4))
def test_dotenv(lines: list[str]) -> None:
    dotenv_agrees(lines)


MAKE_VALUE = st.lists(
    st.text("ab:/.,-'\"", min_size=1, max_size=4)
    | st.sampled_from(["$(A)", "${A}", "$(NONE)", "\\#", " ", " \\\n  ", "#c", "$(A)/b"]),
    max_size=4,
).map("".join)


def make_agrees(name: str, operator: str, value: str) -> None:
    text = f"{name} {operator} {value}\n"
    script = f"A = aval\n{text}\n$(info <$(PYTHONPATH)>)\nall: ;\n"
    done = subprocess.run(
        [program("make"), "-s", "-f", "-"], input=script, capture_output=True, text=True, env={}
    )
    said = done.stdout.partition("<")[2].rpartition(">")[0]
    ours = final(makefile.read(text), {"A": "aval"}) or ""
    assert ours.strip() == said.strip(), script


MAKE = st.tuples(
    st.sampled_from(["PYTHONPATH", "export PYTHONPATH", "override PYTHONPATH"]),
    st.sampled_from(["=", ":=", "::=", "?=", "+="]),
    MAKE_VALUE,
)


@settings(SETTINGS, max_examples=40)
@given(parts=MAKE)
def test_a_few_makefiles(parts: tuple[str, str, str]) -> None:
    make_agrees(*parts)


INI_LINE = st.one_of(
    st.sampled_from(["[a]", "[b c]", "# c", "; c", "", "  more = x", "    y:z", "k2: v"]),
    st.tuples(
        st.sampled_from(["PYTHONPATH", "key", "k.l", "k m"]),
        st.sampled_from(["=", " = ", ":", " : "]),
        st.text("ab:/.=#;,{}", max_size=6),
    ).map("".join),
)


def ini_agrees(lines: list[str]) -> None:
    text = "\n".join(["[first]", *lines])
    parser = configparser.RawConfigParser(strict=False)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    try:
        parser.read_string(text)
    except configparser.Error:
        return
    expected = {(s, k): v.split() for s in parser.sections() for k, v in parser.items(s)}
    found = {(k.section, k.name): " ".join(v for _, v in k.lines).split() for k in ini.keys(text)}
    assert {key: found.get(key) for key in expected} == expected, text


@SETTINGS
@given(lines=st.lists(INI_LINE, max_size=6))
def test_ini(lines: list[str]) -> None:
    ini_agrees(lines)


@pytest.mark.full
class TestThousands:
    """The same comparisons, thousands of times."""

    @MANY
    @given(tree=TREE, indent=st.sampled_from([None, 2]))
    def test_json(self, tree: object, indent: int | None) -> None:
        json_agrees(tree, indent)

    @MANY
    @given(tree=TREE, style=st.sampled_from([None, '"', "'", "|", ">"]), flow=st.booleans())
    def test_yaml(self, tree: object, style: str | None, flow: bool) -> None:
        yaml_agrees(tree, style, flow)

    @MANY
    @given(text=TOML)
    def test_toml(self, text: str) -> None:
        toml_agrees(text)

    @MANY
    @given(lines=st.lists(DOTENV_LINE, max_size=4))
    def test_dotenv(self, lines: list[str]) -> None:
        dotenv_agrees(lines)

    @settings(MANY, max_examples=2000)
    @given(parts=MAKE)
    def test_make(self, parts: tuple[str, str, str]) -> None:
        make_agrees(*parts)

    @MANY
    @given(lines=st.lists(INI_LINE, max_size=6))
    def test_ini(self, lines: list[str]) -> None:
        ini_agrees(lines)


@pytest.mark.full
def test_tox(tmp_path: Path) -> None:
    """One tox.ini with many environments, read by `tox config`."""
    rng = random.Random(5)
    pieces = ("src", "a", "{toxinidir}", "{env:A}", "{env:NONE:d}", "/b", ":", ".", "x y", "'q'")
    values = {f"e{n}": "".join(rng.choices(pieces, k=rng.randint(1, 4))) for n in range(300)}
    sections = (
        f"[testenv:{e}]\nset_env =\n    B = 1\n    PYTHONPATH = {v}\n" for e, v in values.items()
    )
    text = f"[tox]\nskipsdist = true\nenv_list = {','.join(values)}\n" + "".join(sections)
    (tmp_path / "tox.ini").write_text(text)
    command = [program("tox", "tox"), "config", "-c", str(tmp_path / "tox.ini"), "-k", "set_env"]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={"A": "av", "PATH": "/usr/bin:/bin"},
    )
    said = [x.strip() for x in done.stdout.split("\n") if x.strip().startswith("PYTHONPATH=")]
    env = {"A": "av", "{toxinidir}": str(tmp_path)}
    items = [i for i in ini.read(text, Dialect(walled=True)) if isinstance(i, Assignment)]
    ours = [f"PYTHONPATH={evaluated(i.value, env)}" for i in items if i.variable == "PYTHONPATH"]
    assert len(said) == len(values)
    assert sorted(ours) == sorted(said)
