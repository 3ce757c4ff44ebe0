"""Which Python is the project's. Reads the environment and files, starts nothing."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping

from unhaunt.errors import UserError
from unhaunt.interpreters.preflight import Target, contents, locate, on_path

#: parts of a path that tell a tool's own environment
TOOL_FOLDERS = ("/pre-commit/", "/prek/", "/pipx/venvs/", "/uv/tools/", "/uv/archive-v0/")


def project_python(
    env: Mapping[str, str], cwd: str, *, asked: str | None = None, configured: str | None = None
) -> Target | None:
    """Return the project's interpreter and why it is that one; None when no candidate is left.

    Raises `UserError` when the one that was asked for, or configured, is not there.
    """
    if asked:
        return locate(asked, env, cwd)._replace(because="--python")
    if configured:
        return locate(configured, env, cwd)._replace(because="[tool.unhaunt] python")
    for name, because in _candidates(env, cwd):
        try:
            found = locate(name, env, cwd)
        except UserError:
            continue
        if not is_tool(found.executable, env):
            is_shim = "shim" in found.because
            return Target(found.executable, found.because if is_shim else because)
    return None


def is_tool(executable: str, env: Mapping[str, str]) -> bool:
    """Tell whether an interpreter belongs to a tool's environment and not to a project's."""
    folder = executable.replace(os.sep, "/")
    if any(part in folder for part in TOOL_FOLDERS):
        return True
    caches = [
        env.get(name) for name in ("PRE_COMMIT_HOME", "PREK_HOME", "PIPX_HOME", "UV_TOOL_DIR")
    ]
    folders = (cache.replace(os.sep, "/").rstrip("/") for cache in caches if cache)
    return any(folder.startswith(f"{cache}/") for cache in folders)


def _candidates(env: Mapping[str, str], cwd: str) -> Iterator[tuple[str, str]]:
    """Yield (folder or name, reason), the nearest to the project first."""
    if env.get("VIRTUAL_ENV") and not env.get("PRE_COMMIT"):
        yield env["VIRTUAL_ENV"], "VIRTUAL_ENV"
    if env.get("CONDA_PREFIX"):
        yield env["CONDA_PREFIX"], "CONDA_PREFIX"
    folder = cwd
    while True:
        for name in (".venv", "venv"):
            if os.path.exists(os.path.join(folder, name, "pyvenv.cfg")):
                yield os.path.join(folder, name), f"{name} of the project"
        if os.path.lexists(os.path.join(folder, ".git")) or os.path.dirname(folder) == folder:
            break
        folder = os.path.dirname(folder)
    yield from _kept_elsewhere(env, folder)
    for name in ("python", "python3"):
        # The first may be a tool's own: the runner of a hook puts its environment in front.
        yield from ((path, f"{name} on PATH") for path in on_path(name, env, cwd))


def _kept_elsewhere(env: Mapping[str, str], project: str) -> Iterator[tuple[str, str]]:
    """Yield the environments that uv, pdm, hatch and poetry keep for a project outside of it."""
    if env.get("UV_PROJECT_ENVIRONMENT"):
        yield os.path.join(project, env["UV_PROJECT_ENVIRONMENT"]), "UV_PROJECT_ENVIRONMENT"
    with contextlib.suppress(OSError, UnicodeDecodeError):
        yield contents(os.path.join(project, ".pdm-python")).decode().strip(), ".pdm-python"
    home, name = env.get("HOME", ""), os.path.basename(project)
    data = env.get("XDG_DATA_HOME") or os.path.join(home, ".local", "share")
    cache = env.get("XDG_CACHE_HOME") or os.path.join(home, ".cache")
    for found in _children(os.path.join(data, "hatch", "env", "virtual", name)):
        for inside in (found, *_children(found)):
            yield inside, "the environment that hatch keeps for the project"
    poetry = env.get("POETRY_VIRTUALENVS_PATH") or os.path.join(cache, "pypoetry", "virtualenvs")
    for found in _children(poetry):
        if f"-{_poetry_hash(project)}-py" in os.path.basename(found):
            yield found, "the environment that poetry keeps for the project"


def _children(folder: str) -> list[str]:
    try:
        return [os.path.join(folder, name) for name in sorted(os.listdir(folder))]
    except OSError:
        return []


def _poetry_hash(project: str) -> str:
    """Return the part of an environment's name that poetry makes from the project's folder."""
    import base64
    import hashlib

    digest = hashlib.sha256(os.path.normcase(os.path.realpath(project)).encode()).digest()
    return base64.urlsafe_b64encode(digest).decode()[:8]
