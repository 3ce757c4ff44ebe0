"""Tell which bytecode is not of its source, in the Python that would load it.

This file runs in the interpreter under audit, under -I -S -B, fed through stdin with REQUEST in
front: {"token", "sources", "prefix", "optimize"}. It stands alone, for CPython 3.8 and newer. The
bytecode is read as data (marshal makes objects of it and runs none), its source is compiled and
not run. Header and tags: docs.python.org/3/reference/import.html, "Cached bytecode invalidation".
"""

import sys

if not (sys.flags.isolated and sys.flags.no_site):
    raise SystemExit("not isolated: a ._pth file beside the executable?")

import importlib.util
import json
import marshal
import os
import stat
import warnings

UNCHECKED, CHECKED = 1, 3


def read(path):
    """Return the bytes of a regular file, or None."""
    try:
        if stat.S_ISREG(os.stat(path).st_mode):
            with open(path, "rb") as file:
                return file.read(16 << 20)
    except (OSError, ValueError):
        pass
    return None


def caches(source):
    """Yield (file, optimization) of what the import system could load instead of a source."""
    for level, tag in ((0, ""), (1, "1"), (2, "2")):
        yield importlib.util.cache_from_source(source, optimization=tag), level


def would_load(data, source, text):
    """Tell whether the import system takes this bytecode and does not compile the source."""
    if data[:4] != importlib.util.MAGIC_NUMBER or len(data) < 16:
        return False
    flags = int.from_bytes(data[4:8], "little")
    if flags == UNCHECKED:
        return True
    if flags == CHECKED:
        return data[8:16] == importlib.util.source_hash(text)
    found = os.stat(source)
    return data[8:16] == (int(found.st_mtime) & 0xFFFFFFFF).to_bytes(4, "little") + (
        found.st_size & 0xFFFFFFFF
    ).to_bytes(4, "little")


def judged(source, cache, level):
    """Return a reason to reject a cache, or None."""
    data, text = read(cache), read(source)
    if data is None or text is None or not would_load(data, source, text):
        return None
    try:
        expected = compile(text, source, "exec", dont_inherit=True, optimize=level)
    except Exception as error:
        if isinstance(error, SyntaxError) and "encoding" in str(error):
            return None
        return "its source does not compile"
    try:
        same = marshal.loads(data[16:]) == expected
    except Exception:
        return "it cannot be read"
    return None if same else "it is not what its source compiles to"


def main(request):
    """Print a line before each file, because the next one may end this process; then the reason."""
    sys.pycache_prefix = request["prefix"]
    warnings.simplefilter("ignore")
    for source in request["sources"]:
        for cache, level in caches(source):
            for word in ("at", judged(source, cache, level)):
                row = [cache, word]
                sys.stdout.write(request["token"] + " " + json.dumps(row) + "\n")
                sys.stdout.flush()


if __name__ == "__main__":
    main(json.loads(globals()["REQUEST"]))
