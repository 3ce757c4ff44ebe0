"""The one file: the same bytes from the same members, on any machine. Pure: no IO.

Nothing is compressed, because zlib's output differs between its builds; names are sorted, and
date, mode and system are constants (PKWARE's APPNOTE, 4.3.7 and 4.3.12).
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

VERSIONS = "VERSIONS"  # "name version" lines, unhaunt first
COMPILER = "BYTECODE"  # which Python made the bytecode
#: it has to get as far as the gate in a Python that is too old
START = """\
import sys

if sys.version_info < (3, 11):
    found = "%d.%d" % sys.version_info[:2]
    sys.stderr.write("error: unhaunt needs Python 3.11 or newer, this is " + found + "\\n")
    sys.stderr.write("hint: only its probe runs here: unhaunt fingerprint --print-probe\\n")
    sys.exit(2)

import os

sys.path[0] = os.path.abspath(sys.path[0])  # the zip: also after a change of folder

from unhaunt.cli import console

sys.exit(console())
"""
_MADE = ("__main__.py", COMPILER)  # not from what is installed


def build(members: Mapping[str, bytes], bytecode: Mapping[str, bytes]) -> bytes:
    """Return a zip that `python -I FILE` runs."""
    data = io.BytesIO()
    content = {**members, **bytecode, "__main__.py": START.encode()}
    with zipfile.ZipFile(data, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(content):
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.create_system, info.external_attr = 3, 0o100644 << 16
            archive.writestr(info, content[name])
    return data.getvalue()


def contents(data: bytes) -> dict[str, bytes]:
    """Return what is in a zip. Raises `ValueError` when it is none that `build` could make."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if any(info.compress_type for info in archive.infolist()):
                raise ValueError("it is compressed")
            if sum(info.file_size for info in archive.infolist()) > len(data):
                raise ValueError("its members overlap")
            return {name: archive.read(name) for name in archive.namelist()}
    except (zipfile.BadZipFile, NotImplementedError, EOFError, OSError, RuntimeError) as error:
        raise ValueError(str(error)) from None


def is_bytecode(name: str) -> bool:
    """Tell whether a member is bytecode, or says whose it is."""
    return name.endswith(".pyc") or name == COMPILER


def members_of(data: bytes) -> dict[str, bytes]:
    """Return what `build` was given as members. Raises `ValueError` for what is no zip."""
    found = contents(data)
    return {n: found[n] for n in found if n not in _MADE and not n.endswith(".pyc")}
