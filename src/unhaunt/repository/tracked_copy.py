"""Edge: the tracked files of a checkout in a temporary copy, and a command led into it.

What git checks out, by `git checkout-index`, with nothing of the working tree; declared generated
files are copied as they are.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from unhaunt.errors import UserError
from unhaunt.importing.import_candidates import is_generated
from unhaunt.private_folder import private
from unhaunt.running.home import Home
from unhaunt.running.setting import Setting, Started


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
        yield _moved(started, top, copy), _led(setting, started, top, copy)


def _moved(started: Started, top: str, copy: str) -> Started:
    python, lead = started.python, _leading(started, top, copy)
    if python is not None:
        # A relative name would be looked for in the copy.
        argv0 = python.executable if os.sep in python.argv0 else python.argv0
        python = python._replace(run=tuple(map(lead, python.run)), argv0=argv0)
    cwd = _inside(os.path.realpath(started.cwd), top, copy)
    return started._replace(words=tuple(map(lead, started.words)), python=python, cwd=cwd)


def _leading(started: Started, top: str, copy: str) -> Callable[[str], str]:
    """Return what leads a path into the copy, unless it is in the command's own environment."""
    executable = started.python.executable if started.python else ""
    own = os.path.dirname(os.path.dirname(executable)) + os.sep
    return lambda word: word if word.startswith(own) else _inside(word, top, copy)


def _led(setting: Setting, started: Started, top: str, copy: str) -> Setting:
    request, lead = dict(setting.request), _leading(started, top, copy)
    for name in ("argv", "roots"):
        value = request.get(name)
        request[name] = [lead(str(word)) for word in value] if isinstance(value, list) else value
    for name in ("path0", "run"):
        value = request.get(name)
        request[name] = lead(value) if isinstance(value, str) else value
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
