"""The way out of each verdict, in the words of the form that it was found in. Pure: no IO."""

from __future__ import annotations

import re

from unhaunt.envfiles.table import Format
from unhaunt.envfiles.value import Element, Place

_HINT_INHERIT = 'write "{own}${{PYTHONPATH:+:$PYTHONPATH}}", which adds no empty element'
#: the same in the words of each form; what is not here has no condition to offer
_INHERIT = {
    **dict.fromkeys(("shell", "shell_sections", "dockerfile"), _HINT_INHERIT),
    "recipe": 'write "{own}$${{PYTHONPATH:+:$$PYTHONPATH}}", which adds no empty element',
    "fish": "write `set -gx PYTHONPATH {own} $PYTHONPATH`: a list adds no empty element",
    "batch": (
        'write `if defined PYTHONPATH (set "PYTHONPATH={own};%PYTHONPATH%") else'
        ' set "PYTHONPATH={own}"`, which adds no empty element'
    ),
    "powershell": (
        "write `$env:PYTHONPATH = (@('{own}', $env:PYTHONPATH) | Where-Object {{ $_ }}) -join ';'`,"
        " which adds no empty element"
    ),
    "makefile": ("write `{own}$(if $(PYTHONPATH),:$(PYTHONPATH))`, which adds no empty element"),
}
_HINT_DROP = (
    'drop the inherited value and write "{own}": this form has no way to leave out a separator'
)
_HINT_TOX = "use `package = editable`, or `changedir`, and drop PYTHONPATH from set_env"
PASSED = "drop PYTHONPATH from the list, or run the command with `env -u PYTHONPATH`"
OPTION = 'keep the code in this repository (`pythonpath = ["src"]`), or install it'
_HINT_IMAGE = "`RUN python -m pip install -e .` in the image, or set WORKDIR and run `python -m`"
_HINT_TREES = (
    "`python -m pip install -e .`, one environment a worktree: an editable install follows one"
    " checkout, where PYTHONPATH follows each"
)


def hint(code: str, found: tuple[Element, ...], row: Format, form: str) -> str:
    places = {e.place for e in found}
    if row.scope == "the tox environment":
        return _HINT_TOX
    if code == "UH302" and Place.UNSET in places:
        form = "recipe" if (row.grammar, form) == ("makefile", "shell") else form
        return _INHERIT.get(form, _HINT_DROP).format(own=_own(found, row, form))
    if row.container:
        return _HINT_IMAGE
    return _HINT_TREES if Place.REPOSITORY in places else ""


def _own(found: tuple[Element, ...], row: Format, form: str) -> str:
    """Return the elements that a hint keeps, or an example when they are long or computed."""
    separator = ";" if form in ("batch", "powershell") else row.separator or ":"
    texts = [e.text for e in found if e.place not in (Place.UNSET, Place.EMPTY, Place.HERE)]
    if form == "fish":
        separator = " "
    own = separator.join(texts)
    plain = re.fullmatch(r"[\w./\\:; ~-]{1,40}", own)
    return own if plain else "/app" if row.container else "src"
