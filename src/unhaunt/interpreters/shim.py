"""Put in front of PYTHONPATH as `sitecustomize` for one command: reports, and undoes itself.

An island like the probe: it runs in other Pythons, imports nothing of ours, nothing but `os`.
The report is written by a forked child, so that the process itself imports nothing more than it
would have. FOLDER and PROBE are put in front of this text.
"""

import os
import sys

FOLDER = globals().get("FOLDER", "")  # this file's own, private to one command
PROBE = globals().get("PROBE", "")


def undo():
    """Take every trace of this module back."""
    while FOLDER in sys.path:
        sys.path.remove(FOLDER)
    sys.path_importer_cache.pop(FOLDER, None)
    sys.modules.pop("sitecustomize", None)


def words():
    """Return the command line of this process, its interpreter included."""
    if hasattr(sys, "orig_argv"):
        return list(sys.orig_argv)
    try:
        with open("/proc/self/cmdline", "rb") as file:
            return [os.fsdecode(word) for word in file.read().split(b"\0")[:-1]]
    except OSError:
        return [sys.executable] + list(sys.argv)


def zipped(path):
    """Tell whether a program is a zip, which goes on the path itself."""
    if not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        return b"PK\x03\x04" in file.read(4096)


def first_entry(argv):
    """Return (how, sys.path[0]) of the program that is about to run."""
    if argv[:1] == ["-c"]:
        return "command", ""
    if argv[:1] == ["-m"]:
        return "module", os.getcwd()
    if not argv or argv[0] in ("", "-"):
        return "stdin", ""
    if os.path.isdir(argv[0]) or zipped(argv[0]):
        return "folder", argv[0]
    return "script", os.path.dirname(os.path.realpath(argv[0]))


def report():
    """Describe this process from a child that has its state and ends at once."""
    how, first = first_entry(list(sys.argv))
    if sys.flags.isolated or getattr(sys.flags, "safe_path", 0):
        first = None
    rest = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    env = dict(
        os.environ,
        PYTHONPATH=os.pathsep.join(rest[1:]) if rest[:1] == [FOLDER] else os.pathsep.join(rest),
    )
    if not env["PYTHONPATH"]:
        del env["PYTHONPATH"]
    name = os.path.join(FOLDER, "report-%d" % os.getpid())
    request = {
        "env": env,
        "cwd": os.getcwd(),
        "how": how,
        "words": words(),
        "argv": list(sys.argv),
        "path0": first,
        "report": name,
    }
    space = {"__name__": "probe", "EARLY": True}
    with open(PROBE) as file:
        code = compile(file.read(), PROBE, "exec")
    exec(code, space)
    space["main"](request)


undo()
try:
    import sitecustomize  # type: ignore[import-not-found]  # the user's own, if there is one
except ImportError as error:
    if error.name != "sitecustomize":
        raise
    MISSING = True
else:
    MISSING = False
finally:
    if hasattr(os, "fork"):
        CHILD = os.fork()
        if CHILD == 0:
            try:
                report()
            finally:
                os._exit(0)
        os.waitpid(CHILD, 0)
if MISSING:
    # site.py passes over exactly this error: the process is as if this file had never been.
    raise ImportError("no sitecustomize", name="sitecustomize")
