"""The rungs of `unhaunt run`: named sets of what is left out. Pure: no IO."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from unhaunt.ingredients import Ingredient, Kind, removed_with


class Rung(Enum):
    """How far a run is taken away from the environment; the value is its name in every output."""

    AS_IS = "as-is"
    SCRUBBED = "scrubbed"
    ISOLATED = "isolated"
    STRICT = "strict"
    OWNED_ONLY = "owned-only"
    TRACKED_ONLY = "tracked-only"

    @property
    def is_isolated(self) -> bool:
        """Tell whether Python gets `-I`."""
        return self not in (Rung.AS_IS, Rung.SCRUBBED)


SCRUBBED = frozenset({Kind.VARIABLE, Kind.ELEMENT, Kind.USER_SITE, Kind.VENV})
STARTUP = frozenset({Kind.MODULE, Kind.LINE, Kind.ENTRY_POINT})
REMOVED = {
    Rung.AS_IS: frozenset[Kind](),
    Rung.SCRUBBED: SCRUBBED,
    Rung.ISOLATED: SCRUBBED | {Kind.FIRST},
    Rung.STRICT: SCRUBBED | {Kind.FIRST},
    Rung.OWNED_ONLY: SCRUBBED | STARTUP | {Kind.FIRST},
    Rung.TRACKED_ONLY: SCRUBBED | {Kind.FIRST},
}
#: what some rungs change besides
BESIDES = {
    Rung.ISOLATED: ("python -I, with the tracked import root put back",),
    Rung.STRICT: ("python -I: the current directory or the script's folder is not on the path",),
    Rung.OWNED_ONLY: ("python -I, with the tracked import root put back",),
    Rung.TRACKED_ONLY: ("python -I, in a copy of the tracked files",),
}
DEFAULT = (Rung.AS_IS, Rung.ISOLATED)


def gone(rung: Rung, everything: Sequence[Ingredient]) -> frozenset[int]:
    """Return the positions of what a rung leaves out; what an installed package owns stays."""
    kinds = REMOVED[rung]
    chosen = {n for n, one in enumerate(everything) if one.kind in kinds and not one.usual}
    return removed_with(frozenset(chosen), everything)


def foreign(everything: Sequence[Ingredient]) -> frozenset[int]:
    """Return everything that a clean start would not have: the other end of a bisection."""
    chosen = {n for n, one in enumerate(everything) if not one.usual}
    return removed_with(frozenset(chosen), everything)
