"""What we say a script sets is what bash, dash, zsh and fish set."""

from __future__ import annotations

import subprocess

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.envfiles.evaluate import final, program
from unhaunt.envfiles.grammars import fish, shell

ENV = {"A": "aval", "EMPTY": "", "HOME": "/h", "PATH": "/usr/bin:/bin"}

PLAIN = st.text("abXY01./_@,+-", min_size=1, max_size=4)
INNER = st.sampled_from(
    [
        "$A",
        "${A}",
        "${A:-x}",
        "${NONE:-y}",
        "${NONE-y/z}",
        "${EMPTY:-e}",
        "${EMPTY-e}",
        "${A:+:$A}",
        "${PYTHONPATH:+:$PYTHONPATH}",
        "${PYTHONPATH-d}",
        "$PYTHONPATH",
        "${PYTHONPATH:-${A}q}",
        "$(echo hi)",
        "$NONE",
    ]
)
SINGLE = st.text('ab $"#;&|()<>\\`~: \n', max_size=5).map(lambda t: f"'{t}'")
DOUBLE = st.lists(
    INNER | st.text("ab #;&|()<>~:'", max_size=4) | st.sampled_from(['\\"', "\\$", "\\\\", "\\a"]),
    max_size=3,
).map(lambda parts: '"' + "".join(parts) + '"')
ESCAPED = st.sampled_from(["\\ ", "\\;", "\\$", "\\'", '\\"', "\\#", "\\~", "\\\n", "\\a", "\\:"])
WORD = st.lists(PLAIN | INNER | SINGLE | DOUBLE | ESCAPED | st.just(":"), max_size=5).map("".join)
TILDE = st.tuples(st.sampled_from(["~/a", "~", "a:~/b", ""]), st.just(":"), WORD).map("".join)
VALUE = WORD | TILDE
NOISE = st.sampled_from(
    [
        "# PYTHONPATH=comment",
        "echo PYTHONPATH=x >/dev/null",
        "PYTHONPATH=one true",
        "env PYTHONPATH=two true",
        "cat <<E >/dev/null\nPYTHONPATH=heredoc\nexport PYTHONPATH=x\nE",
        "cat <<-'E F' >/dev/null\n\tPYTHONPATH='\n\tE F",
        'case "$A" in PYTHONPATH=*) ;; (b|c) true ;; *) : ;; esac',
        '[ "PYTHONPATH=x" = y ] || true',
        "f() { true; }",
        ": $(echo 'PYTHONPATH=q')",
        ': "`echo a`" # it\'s',
        "if true; then :; fi; for i in a b; do :; done",
        "x=$((1 + (2 * 3)))",
        "printf '%s' 'PYTHONPATH=x' | grep PYTHONPATH=x >/dev/null || :",
        "true && { true; } ; ( true )",
        "MY_PYTHONPATH=x; PYTHONPATHS=y",
        "export OTHER",
    ]
)
BASH_NOISE = NOISE | st.sampled_from(
    [
        '[[ $A == PYTHONPATH=* && ( -z "" ) ]] || true',
        "(( 1 < 2 )) && true",
        "arr=(PYTHONPATH=x 'b c')",
        "y=$'PYTHONPATH=\\'q'",
        "cat <<<'PYTHONPATH=x' >/dev/null",
        "export -n OTHER 2>/dev/null || true",
    ]
)
FORMS = ("PYTHONPATH={}", "PYTHONPATH={};", "export PYTHONPATH={}", "A=aval PYTHONPATH={}")
SETTINGS = settings(
    max_examples=2500, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
FEW = settings(
    max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)


def said_by(command: list[str], script: str, show: str) -> str:
    """Run a script and return what it has in PYTHONPATH at its end."""
    done = subprocess.run(
        [*command, f"{script}\n{show}"], env=ENV, capture_output=True, text=True, timeout=20
    )
    return (
        done.stdout.rpartition("\2")[2].partition("\3")[0] if not done.stderr else "!" + done.stderr
    )


SHOW = 'printf "\\002%s\\003" "${PYTHONPATH-}" | tr "\\n" "\\1"'


def compare(name: str, noise: list[str], form: str, word: str, after: list[str]) -> None:
    """Hold our answer against the shell's."""
    script = "\n".join([*noise, form.format(word), *after])
    command = [program(name), "-f", "-c"] if name == "zsh" else [program(name), "-c"]
    said = said_by(command, script, SHOW)
    if said.startswith("!"):
        return  # the shell itself takes it for an error
    ours = final(shell.read(script), ENV) or ""
    assert ours.replace("\n", "\1") == said, script


def scripts(
    noise: st.SearchStrategy[str],
) -> st.SearchStrategy[tuple[list[str], str, str, list[str]]]:
    """Return noise, a setting, noise."""
    some = st.lists(noise, max_size=2)
    return st.tuples(some, st.sampled_from(FORMS), VALUE, some)


@FEW
@given(parts=scripts(NOISE))
def test_a_few_scripts_in_dash(parts: tuple[list[str], str, str, list[str]]) -> None:
    # a word after `export` is split and globbed there: POSIX leaves that open
    noise, form, word, after = parts
    compare("dash", noise, form, word, after)


@FEW
@given(parts=scripts(BASH_NOISE))
def test_a_few_scripts_in_bash(parts: tuple[list[str], str, str, list[str]]) -> None:
    compare("bash", *parts)


@pytest.mark.full
@SETTINGS
@given(parts=scripts(BASH_NOISE))
def test_bash(parts: tuple[list[str], str, str, list[str]]) -> None:
    compare("bash", *parts)


@pytest.mark.full
@SETTINGS
@given(parts=scripts(NOISE))
def test_dash(parts: tuple[list[str], str, str, list[str]]) -> None:
    compare("dash", *parts)


@pytest.mark.full
@SETTINGS
@given(parts=scripts(NOISE))
def test_zsh(parts: tuple[list[str], str, str, list[str]]) -> None:
    compare("zsh", *parts)


FISH_PIECE = (
    PLAIN
    | st.sampled_from(["$A/", "'it\\'s $A'", '"a $A b"', '"\\$A"', "\\ ", "\\$", "''", '"x\\"y"'])
    | st.sampled_from(["(echo hi)", '"$PYTHONPATH"', "'#'", "'\\\\'"])
)
FISH_WORD = st.lists(FISH_PIECE, min_size=1, max_size=3).map("".join)
FISH_FORMS = (
    "set -gx PYTHONPATH {}",
    "set -x PYTHONPATH {}",
    "set --export --global PYTHONPATH {}",
    "export PYTHONPATH={}",
)
FISH_NOISE = st.sampled_from(
    [
        "# set -gx PYTHONPATH x",
        "echo 'set -gx PYTHONPATH x' >/dev/null",
        "set -q PYTHONPATH; or true",
        "PYTHONPATH=x true",
        'if test -n "$A"; true; end',
        "set -l MY_PYTHONPATH x",
        "function f; true; end",
    ]
)


def compare_fish(noise: list[str], form: str, words: list[str], after: list[str]) -> None:
    """Hold our answer against fish's."""
    text = words[0] if "export" in form else " ".join(words)
    script = "\n".join([*noise, form.format(text), *after])
    show = 'printf "\\002%s\\003" (string join : -- $PYTHONPATH)'
    said = said_by([program("fish"), "--no-config", "-c"], script, show)
    if not said.startswith("!"):
        assert (final(fish.read(script), ENV) or "") == said, script


@pytest.mark.full
@settings(SETTINGS, max_examples=1500)
@given(
    noise=st.lists(FISH_NOISE, max_size=2),
    form=st.sampled_from(FISH_FORMS),
    words=st.lists(FISH_WORD | st.just("$PYTHONPATH"), min_size=1, max_size=3),
    after=st.lists(FISH_NOISE, max_size=2),
)
def test_fish(noise: list[str], form: str, words: list[str], after: list[str]) -> None:
    compare_fish(noise, form, words, after)
