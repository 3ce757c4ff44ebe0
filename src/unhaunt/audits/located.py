"""Where a module of the project really comes from: the words for it. Pure: no IO."""

from __future__ import annotations

from typing import NamedTuple


class Located(NamedTuple):
    """One top-level name, the checkout's own file for it, and the file that an import takes."""

    name: str
    own: str | None  # absolute; None when this checkout has none
    origin: str | None  # absolute; None when nothing supplies it
    form: str | None
    inside: bool  # the origin belongs to this checkout
    because: str  # why its entry is on the path; for no origin: why there is none
    owner: str | None  # the distribution that installed it
    other: str | None = None  # the root of another checkout of this project
    copy: str | None = None  # how an installed copy differs from the checkout
    stale: bool = False  # it does differ
    elsewise: str | None = None  # the installed copy that is taken when started another way
    importer: str | None = None  # path:line, for a name that only a changed file told
    real: str | None = None  # the package that a folder without __init__ hides


class Origins(NamedTuple):
    """All of them."""

    top: str
    located: tuple[Located, ...]
    elsewhere: tuple[str, ...] = ()  # folders of projects, when the one looked at has no module
    unfollowed: tuple[str, ...] = ()  # startup files that may change the path
