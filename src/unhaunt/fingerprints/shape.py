"""What a fingerprint looks like, as far as it is compared: a file may hold anything. Pure: no IO.

A key that is missing is a fact that is not known; one that is there has the type that is written
here. Names with a `!` must be there; `*` is any name; a list has one kind of items.
"""

from __future__ import annotations

from typing import Any

NOTHING = type(None)
TEXT = (str,)
MAYBE = (str, NOTHING)
FLAG = (bool, int, str, NOTHING)
YES_NO = (bool, NOTHING)


class Optional:
    """A shape, or null."""

    def __init__(self, shape: Any) -> None:
        self.shape = shape


IMPORTS = [{"!module": TEXT, "origin": MAYBE, "sha256": MAYBE}]
LINES = [{"!kind": TEXT, "!text": TEXT, "imports": IMPORTS}]
STARTUP_FILES = Optional([{"!path": TEXT, "sha256": MAYBE, "!lines": LINES}])
STARTUP_MODULES = Optional(
    [
        {
            "!module": TEXT,
            "!path": TEXT,
            "form": MAYBE,
            "sha256": MAYBE,
            "state": TEXT,
            "imports": IMPORTS,
        }
    ]
)
FINGERPRINT = {
    "short": (bool,),
    "!interpreter": {
        **dict.fromkeys(
            ("executable", "version", "implementation", "prefix", "base_prefix", "platform"), MAYBE
        ),
        **dict.fromkeys(("machine", "stdlib"), MAYBE),
        **dict.fromkeys(("in_venv", "gil", "debug"), YES_NO),
        "flags": {"*": FLAG},
    },
    "environment": Optional({"*": TEXT}),
    "process": {"cwd": MAYBE},
    "path": Optional([{"!entry": TEXT, "exists": (bool,), "because": MAYBE}]),
    "startup": {
        "modules": STARTUP_MODULES,
        "pth": STARTUP_FILES,
        "start": STARTUP_FILES,
        "user_site": Optional({"path": MAYBE, "enabled": FLAG}),
    },
    "distributions": Optional(
        [
            {
                "!name": TEXT,
                "!version": MAYBE,
                "state": MAYBE,
                "files": [TEXT],
                "location": MAYBE,
                "shadowed": YES_NO,
            }
        ]
    ),
    "modules": Optional([{"!entry": TEXT, "!kind": TEXT, "!hashes": {"*": MAYBE}}]),
    "repository": Optional(
        {"toplevel": MAYBE, "head": MAYBE, "branch": MAYBE, "dirty": YES_NO, "changed": [TEXT]}
    ),
    "pytest": {"import_mode": MAYBE, "how": MAYBE, "plugins": [TEXT]},
    "sides": [TEXT],
    "unknown": [{"!fact": TEXT, "!reason": TEXT}],
}


def fits(value: Any, shape: Any = FINGERPRINT) -> bool:
    """Tell whether a value has a shape."""
    if isinstance(shape, Optional):
        return value is None or fits(value, shape.shape)
    if isinstance(shape, list):
        return isinstance(value, list) and all(fits(item, shape[0]) for item in value)
    if isinstance(shape, dict):
        return isinstance(value, dict) and all(_has(value, *row) for row in shape.items())
    return isinstance(value, shape)


def _has(value: dict[str, Any], name: str, shape: Any) -> bool:
    if name == "*":
        return all(fits(item, shape) for item in value.values())
    key = name.removeprefix("!")
    return fits(value[key], shape) if key in value else key == name
