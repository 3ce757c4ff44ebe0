"""Edge: the tracked files of a checkout in a temporary copy, and a command led into it.

What git checks out, by `git checkout-index`, with nothing of the working tree; declared generated
files are copied as they are.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from unhaunt.errors import UserError
from unhaunt.home import Home
from unhaunt.import_candidates import is_generated
from unhaunt.launch import private
from unhaunt.setting import Setting, Started


@contextmanager
def tracked_copy(
    home: Home, started: Started, setting: Setting
) -> Iterator[tuple[Started, Setting]]:
    """Make the copy, and return the command and its setting as they are within it.

    Raises `UserError` outside of a repository, and when git cannot check its files out.
    """
    tree, top = home.tree, home.top
    if tree is None or top is None:
        raise UserError("not in a repository: no tracked files", hint="leave out --all-rungs")
    with private() as folder:
        copy = os.path.join(folder, os.path.basename(top))
        os.mkdir(copy)
        tree.repository.output("checkout-index", "-a", "-f", f"--prefix={copy}/")
        for path in tree.outside:
            if is_generated(tree, path) and os.path.isfile(os.path.join(top, path)):
                os.makedirs(os.path.dirname(os.path.join(copy, path)), exist_ok=True)
                shutil.copyfile(os.path.join(top, path), os.path.join(copy, path))
        yield _moved(started, top, copy), _led(setting, top, copy)


def _moved(started: Started, top: str, copy: str) -> Started:
    python = started.python
    if python is not None:
        python = python._replace(run=tuple(_inside(word, top, copy) for word in python.run))
    words = tuple(_inside(word, top, copy) for word in started.words)
    cwd = _inside(os.path.realpath(started.cwd), top, copy)
    return started._replace(words=words, python=python, cwd=cwd)


def _led(setting: Setting, top: str, copy: str) -> Setting:
    request = dict(setting.request)
    for name in ("argv", "roots"):
        if isinstance(request.get(name), list):
            request[name] = [_inside(word, top, copy) for word in request[name]]  # type: ignore[attr-defined]
    for name in ("path0", "run"):
        value = request.get(name)
        request[name] = _inside(value, top, copy) if isinstance(value, str) else value
    return setting._replace(request={**request, "moved": [top, copy]})


def _inside(word: str, top: str, copy: str) -> str:
    return copy + word[len(top) :] if (word + os.sep).startswith(top + os.sep) else word


def led_back(report: Mapping[str, Any] | None, setting: Setting) -> Mapping[str, Any] | None:
    """Return a report with the checkout's own paths in place of the copy's."""
    moved = setting.request["moved"]
    if report is None or not isinstance(moved, list):
        return report
    top, copy = moved
    modules = {name: _inside(file, copy, top) for name, file in report["modules"].items()}
    return {**report, "modules": modules}
