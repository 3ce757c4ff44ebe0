"""Which of the changed files are modules of the project, and under which names. Pure: no IO."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence, Set


def changed_modules(
    paths: Iterable[str], top: str, roots: Sequence[str], ours: Set[str]
) -> Iterator[tuple[str, str]]:
    """Yield (module, path) of the paths, given from `top`, that are modules of ours.

    The deepest import root that gives a file a name of the project decides.
    """
    deepest = sorted(roots, key=len, reverse=True)
    for path in dict.fromkeys(paths):
        file = os.path.join(top, path)
        inner = (file[len(root) + 1 :] for root in deepest if file.startswith(root + os.sep))
        names = (_dotted(one) for one in inner)
        found = next((name for name in names if name.partition(".")[0] in ours), None)
        if found:
            yield found, file


def _dotted(path: str) -> str:
    parts = path.removesuffix(".py").split(os.sep)
    parts = parts[:-1] if parts[-1] == "__init__" else parts
    return ".".join(parts) if parts and all(part.isidentifier() for part in parts) else ""
