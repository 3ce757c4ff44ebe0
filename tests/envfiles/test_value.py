"""What a value means: its elements, and where each of them points."""

from __future__ import annotations

import pytest

from unhaunt.envfiles.reference import value
from unhaunt.envfiles.value import Place, elements, nothing

ELEMENTS = [
    ("src", ":", ["relative"]),
    ("src:lib", ":", ["relative", "relative"]),
    (".", ":", ["current directory"]),
    ("./", ":", ["current directory"]),
    ("./src", ":", ["relative"]),
    ("src:", ":", ["relative", "empty"]),
    (":src", ":", ["empty", "relative"]),
    ("/opt/x", ":", ["absolute"]),
    ("C:\\x:D:/y", ":", ["absolute", "absolute"]),
    ("C:\\x;src", ";", ["absolute", "relative"]),
    ("\\\\host\\share", ";", ["absolute"]),
    ("src;lib", "", ["relative", "relative"]),
    ("src:lib", "", ["relative", "relative"]),
    ("$HOME/x", ":", ["home"]),
    ("${HOME}/x", ":", ["home"]),
    ("%USERPROFILE%\\x", ";", ["home"]),
    ("~/x", ":", ["literal tilde"]),
    ("../x", ":", ["outside"]),
    ("a/../../x", ":", ["outside"]),
    ("a/../x", ":", ["relative"]),
    ("$PWD", ":", ["in the repository"]),
    ("$PWD/..", ":", ["outside"]),
    ("$(pwd)/src", ":", ["in the repository"]),
    ("`pwd`/src", ":", ["in the repository"]),
    ("$(git rev-parse --show-toplevel)/src", ":", ["in the repository"]),
    ("${workspaceFolder}/src", ":", ["in the repository"]),
    ("$CI_PROJECT_DIR", ":", ["in the repository"]),
    ("${{ github.workspace }}/src", ":", ["in the repository"]),
    ("{toxinidir}/src", ":", ["in the repository"]),
    ("{{config_root}}/src", ":", ["in the repository"]),
    ("{{.ROOT_DIR}}/src", ":", ["in the repository"]),
    ("$PROJECT_DIR$/src", ":", ["in the repository"]),
    ("%cd%\\src", ";", ["in the repository"]),
    ("%~dp0\\src", ";", ["in the repository"]),
    ("$(CURDIR)/src", ":", ["in the repository"]),
    ("$PYTHONPATH", ":", ["empty when unset"]),
    ("src:$PYTHONPATH", ":", ["relative", "empty when unset"]),
    ("src:${PYTHONPATH}", ":", ["relative", "empty when unset"]),
    ("src:${PYTHONPATH:-}", ":", ["relative", "empty"]),
    ("src:${PYTHONPATH:-lib}", ":", ["relative", "relative"]),
    ("src${PYTHONPATH:+:$PYTHONPATH}", ":", ["relative"]),
    ("%PYTHONPATH%;src", ";", ["empty when unset", "relative"]),
    ("${env:PYTHONPATH}:src", ":", ["empty when unset", "relative"]),
    ("{env:PYTHONPATH:}:src", ":", ["empty", "relative"]),
    ("{env:PYTHONPATH}:src", ":", ["empty when unset", "relative"]),
    ("$(env PYTHONPATH):src", ":", ["empty when unset", "relative"]),
    ("%(ENV_PYTHONPATH)s:src", ":", ["empty when unset", "relative"]),
    ("${{ env.PYTHONPATH }}:src", ":", ["empty when unset", "relative"]),
    ("{{ lookup('env', 'PYTHONPATH') }}:src", ":", ["empty when unset", "relative"]),
    ("src{:}lib", ":", ["relative", "relative"]),
    ("$ROOT/x", ":", ["unknown"]),
    ("$(python x)", ":", ["unknown"]),
    ("a$$b", ":", ["relative"]),
]


@pytest.mark.parametrize(("text", "separator", "places"), ELEMENTS, ids=[e[0] for e in ELEMENTS])
def test_elements(text: str, separator: str, places: list[str]) -> None:
    found = elements(value(text, separator=separator or ":"), separator)
    assert [element.place for element in found] == [Place(place) for place in places]


@pytest.mark.parametrize(
    "text", ["", "$PYTHONPATH", "${PYTHONPATH:-}", "%PYTHONPATH%", "$OLD_PYTHONPATH", " "]
)
def test_what_changes_nothing(text: str) -> None:
    assert nothing(value(text))


@pytest.mark.parametrize("text", ["src", ":", ".", "${PYTHONPATH:-src}", "$X", "$MY_PYTHONPATH"])
def test_what_changes_something(text: str) -> None:
    assert not nothing(value(text))
