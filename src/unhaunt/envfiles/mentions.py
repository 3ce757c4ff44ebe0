"""Which files are worth reading: the words to look for, and files that others name as env files.

Pure: no IO. Sources: Compose specification, `env_file`; VS Code, `python.envFile` and `envFile`;
systemd.exec(5), `EnvironmentFile=`; direnv-stdlib(1), `dotenv`; just, `set dotenv-path`;
docker-run(1), `--env-file`.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from unhaunt.envfiles.assignment import VARIABLES

_SPELLINGS = (*VARIABLES, "pythonpath", "PythonPath", "Pythonpath", "PythonHome", "pythonhome")
_GLOBS = ("PY*", "PYTHON*", "PYTHONP*", "PYTHONPA*", "PYTHONPATH*")
_NAMING = re.compile(
    r"""(?:env_?files?|EnvironmentFile|dotenv(?:_if_exists|-path|-filename)?|--env-file)["']?
        [\s:=\[\-"'{]*+ (?:path\s*:\s*["']?)? ([\w./{}$@%+~-]+)""",
    re.VERBOSE | re.IGNORECASE,
)
_LISTED = re.compile(r"[ \t]*-[ \t]+(?:path:[ \t]*)?[\"']?([\w./{}$@%+~-]+)")
#: words that stand in every file that names another one as env file
NAMING = (b"env_file", b"envFile", b"env-file", b"EnvironmentFile", b"dotenv")


def words_to_look_for() -> tuple[bytes, ...]:
    """Return the byte strings of which one is in every file that matters, UTF-16 included."""
    plain = [name.encode() for name in (*_SPELLINGS, *_GLOBS)]
    wide = [n.encode(e) for n in ("PYTHONPATH", "PYTHONHOME") for e in ("utf-16-le", "utf-16-be")]
    return (*plain, *wide, b"ADD_CONTENT_ROOTS", b"ADD_SOURCE_ROOTS")


def named_env_files(path: str, text: str) -> Iterator[str]:
    """Yield the paths that `path` names as env files, relative to the repository's root."""
    folder = posixpath.dirname(path)
    for name in _names(text):
        bare = re.sub(r"^(?:\$\{?\w+\}?|%\w)?/+|^-", "", name)
        for base in dict.fromkeys((folder, "", posixpath.dirname(folder))):
            yield posixpath.normpath(posixpath.join(base, bare))


def _names(text: str) -> Iterator[str]:
    for match in _NAMING.finditer(text):
        yield match[1]
        at = text.find("\n", match.end())
        while at >= 0 and (item := _LISTED.match(text, at + 1)):
            yield item[1]
            at = text.find("\n", item.end())
