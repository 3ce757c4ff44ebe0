"""Notebooks: magics and shell escapes that set a variable in the kernel. Pure: no IO.

Source: IPython, `%env` and `%set_env`. Only info: a kernel's own sys.path is built by then.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from unhaunt.envfiles.assignment import PLAIN, VARIABLES, Assignment, Dialect, Effect, Item
from unhaunt.envfiles.grammars.jsonc import leaves

_MAGIC = re.compile(rf"\s*(%(?:set_)?env|!\s*export)\s+({'|'.join(VARIABLES)})[\s=]+\S")


def read(text: str, dialect: Dialect = PLAIN) -> Iterator[Item]:
    """Yield the magics of the cells."""
    for leaf in leaves(text):
        match = _MAGIC.match(leaf.text or "") if "source" in leaf.path else None
        if match:
            remark = f"{match[1]} sets {match[2]} for what the notebook starts"
            yield Assignment(match[2], leaf.line, (), Effect.NOTHING, remark=remark)
