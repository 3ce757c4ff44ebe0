"""The rungs of `unhaunt run`: named sets of what is left out. Pure: no IO."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from unhaunt.running.ingredients import Ingredient, Kind, removed_with


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
_PUT_BACK = ", with {} that it takes away put back"
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


def besides(rung: Rung, root: str | None, *, tracked: bool = True) -> tuple[str, ...]:
    """Return what a rung changes for a Python command besides leaving something out.

    `root` is the import root that `-I` takes away, None when it takes none away; outside of a
    repository it is not `tracked`.
    """
    if not rung.is_isolated:
        return ()
    if rung is Rung.STRICT:
        return (f"{root} on the path: plain python -I",) if root else ("python -I",)
    where = ", in a copy of the tracked files" if rung is Rung.TRACKED_ONLY else ""
    back = _PUT_BACK.format("the tracked import root" if tracked else f"sys.path[0] ({root})")
    return (f"python -I{back if root else ''}{where}",)
