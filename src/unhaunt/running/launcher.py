"""Runs a program in this process as `python PROGRAM` would, with parts of the start left out.

An island like the probe: any CPython from 3.8 on executes this text in a namespace of its own that
holds CONFIG (see `legs`). It imports nothing that a poisoned path could replace before the program
itself would have: what is built in, and what every start has loaded already. Under -S the target's
own `site.main()` is replayed with the named lines and modules left out
(docs.python.org/3/library/site.html); otherwise the start was a normal one.

As `sitecustomize`, first on PYTHONPATH, it stands in for the user's in Pythons that another program
starts: it undoes itself, records, and leaves the user's out when that is asked for. As `encodings`
(which every start imports before `site`, and none has frozen) it leaves out lines of startup files
there, and is the real one from then on.
"""

import sys

try:
    import posix
except ImportError:
    import nt as posix  # type: ignore[no-redef]

CONFIG = globals().get("CONFIG", {})  # a line in front of this text
HOME = CONFIG.get("folder")  # of this text: as a script, or on PYTHONPATH, it is on the path


def undo():
    """Take this text's own folder off the path."""
    while HOME in sys.path:
        sys.path.remove(HOME)
    sys.path_importer_cache.pop(HOME, None)


def without_lines(io):
    """Return `io.open_code` for site.py: some lines of some files are comments there."""
    open_code = getattr(io.open_code, "unhaunted", io.open_code)

    def opened(path):
        file = open_code(path)
        numbers = CONFIG["lines"].get(path)
        if not numbers:
            return file
        with file:
            return io.BytesIO(commented(file.read(), numbers))

    opened.unhaunted = open_code
    return opened


def restore():
    """Give `io` and `_io` back what the stand-in for `encodings` has replaced."""
    for module in map(sys.modules.get, ("_io", "io")):
        open_code = getattr(getattr(module, "open_code", None), "unhaunted", None)
        if open_code:
            module.open_code = open_code


def commented(raw, numbers):
    """Return the bytes of a file with these lines, counted from 1, made comments."""
    decoded = raw.decode("utf-8-sig")
    if sys.version_info < (3, 13):
        decoded = decoded.replace("\r\n", "\n").replace("\r", "\n")
        lines = decoded.split("\n")
    else:
        lines = decoded.splitlines()
    kept = ["#" if n in numbers else line for n, line in enumerate(lines, 1)]
    return "\n".join(kept).encode("utf-8")


def found(name):
    """Return the file that `import name` would load, importing nothing."""
    for finder in sys.meta_path:
        find_spec = getattr(finder, "find_spec", None)
        spec = find_spec(name, None) if find_spec else None
        if spec is not None:
            return spec.origin
    return None


def unless_left_out(name, execute):
    """Return `execute` for a startup module that is not to be left out."""

    def run():
        if found(name) not in CONFIG["modules"]:
            execute()

    return run


def replay_site():
    """Do what `import site` did not do under -S, but for what is to be left out."""
    import site

    site.io.open_code = without_lines(site.io)
    site.execsitecustomize = unless_left_out("sitecustomize", site.execsitecustomize)
    site.execusercustomize = unless_left_out("usercustomize", site.execusercustomize)
    site.main()
    restore()
    sys.flags = with_site(sys.flags)


def with_site(flags):
    """Return flags that do not say -S: subprocess and multiprocessing hand them on to children."""

    class Flags(tuple):
        no_site = 0

        def __getattr__(self, name):
            return getattr(flags, name)

    return Flags(flags)


def hide(files):
    """Make the import system pass over some files."""
    import _frozen_importlib_external as external

    original = external.FileFinder.find_spec

    def find_spec(self, fullname, target=None):
        spec = original(self, fullname, target)
        return None if spec is not None and spec.origin in files else spec

    external.FileFinder.find_spec = find_spec


def record_at_exit(report):
    """Write where every module came from when the program ends, as Python literals."""
    import atexit

    parent = posix.getpid()

    def write():
        if posix.getpid() != parent:  # a forked child that ends like its parent
            return
        told = {
            "executable": sys.executable,
            "prefix": sys.prefix,
            "base_prefix": sys.base_prefix,
            "argv": CONFIG.get("words") or list(getattr(sys, "orig_argv", sys.argv)),
            "modules": dict(origins()),
            "unfiled": list(unfiled()),
        }
        data = ascii(told).encode("ascii")
        file = posix.open(report, posix.O_WRONLY | posix.O_CREAT | posix.O_TRUNC, 0o600)
        while data:
            data = data[posix.write(file, data) :]
        posix.close(file)

    atexit.register(write)


def origins():
    """Yield (name, file) of each module that has one."""
    for name, module in list(sys.modules.items()):
        space = vars_of(module)
        spec = space.get("__spec__")
        origin = getattr(spec, "origin", None) or space.get("__file__")
        if isinstance(name, str) and isinstance(origin, str) and "/" in origin:
            yield name, origin


def unfiled():
    """Yield the names of top-level modules that somebody put into sys.modules without a file.

    An object of another type is what a module puts there in its own place.
    """
    filed = dict(origins())
    for name, module in list(sys.modules.items()):
        spec = vars_of(module).get("__spec__")
        own = getattr(spec, "origin", None) in ("built-in", "frozen")
        if isinstance(name, str) and "." not in name and type(module) is type(sys):
            if name not in filed and not own:
                yield name


def vars_of(module):
    """Return a module's namespace without calling anything of its own."""
    try:
        return type(sys).__getattribute__(module, "__dict__")
    except TypeError:
        return {}


# --- the program: Modules/main.c, pymain_run_python ---

KEPT = ("__name__", "__builtins__", "__doc__", "__package__", "__loader__", "__annotations__")


def main_space():
    """Return the namespace of `__main__`, empty of what this text has put there."""
    space = sys.modules["__main__"].__dict__
    for name in list(space):
        if name not in KEPT:
            del space[name]
    space.update(__name__="__main__", __doc__=None, __package__=None, __spec__=None)
    return space


def program(config):
    """Return what runs the program."""
    how, argv = config["how"], config["argv"]
    sys.argv[:] = argv
    if how == "found":  # by its name, once the runner has set PATH
        path = on_path(argv[0])
        if b"python" not in source("script", path)[:256].split(b"\n")[0]:
            posix.execv(path, argv)
        how, sys.argv[0] = "script", path
        config = dict(config, path0=real_folder(path) if config["path0"] else None)
    enter(config)
    space = main_space()
    if how in ("module", "folder"):
        import runpy

        if how == "folder":
            sys.argv[0] = config["run"]
            return lambda: runpy._run_module_as_main("__main__", False)
        return lambda: runpy._run_module_as_main(config["run"], True)
    name = {"command": "<string>", "stdin": "<stdin>"}.get(how) or whole(sys.argv[0])
    if how == "command":
        code = compile(config["run"], name, "exec", dont_inherit=True)
    else:
        code = compile(source(how, name), name, "exec", dont_inherit=True)
    return lambda: execute(code, space, how, name)


def whole(path):
    """Return the path of a script as `__file__` and tracebacks have it."""
    if sys.version_info < (3, 9) or path.startswith("/"):
        return path
    return posix.getcwd() + "/" + path


def enter(config):
    """Put first on the path what belongs there."""
    safe = sys.flags.isolated or getattr(sys.flags, "safe_path", 0)
    first = config["path0"]
    if first is not None and config["how"] == "folder":
        alone = first == "." and sys.version_info >= (3, 11)
        sys.path.insert(0, posix.getcwd() if alone else whole(first))
    elif first is not None and not safe:
        sys.path.insert(0, first)
    sys.path[:0] = config["roots"]


def source(how, name):
    """Return the bytes of a program."""
    if how == "stdin":
        return sys.stdin.buffer.read()
    import io

    try:
        with io.open_code(name) as file:
            return file.read()
    except OSError as error:  # as Modules/main.c says it
        print(
            "%s: can't open file %r: [Errno %d] %s"
            % (sys.executable, name, error.errno, error.strerror),
            file=sys.stderr,
        )
        sys.exit(2)


def on_path(name):
    """Return the script that a shell would start."""
    import os

    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        path = os.path.join(folder, name)
        if os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    sys.exit("unhaunt: no program called %s" % name)


def real_folder(path):
    """Return the folder of a script, its links followed."""
    import os

    return os.path.dirname(os.path.realpath(path))


def execute(code, space, how, name):
    """Run code as `__main__`."""
    import _frozen_importlib as frozen
    import _frozen_importlib_external as external

    is_script = how == "script"
    space["__loader__"] = (
        external.SourceFileLoader("__main__", name) if is_script else frozen.BuiltinImporter
    )
    if how != "command":
        space["__file__"] = name
        if sys.version_info < (3, 15):
            space["__cached__"] = None
    exec(code, space)


def moved(old, new):
    """Lead what points into the checkout into its copy: the path, and editable finders."""
    own = sys.prefix + "/"  # an environment may lie in the checkout
    for number, entry in enumerate(sys.path):
        inside = isinstance(entry, str) and (entry + "/").startswith(old + "/")
        if inside and not entry.startswith(own):
            sys.path[number] = new + entry[len(old) :]
    for name, module in list(sys.modules.items()):
        mapping = vars_of(module).get("MAPPING") if name.startswith("__editable__") else None
        for key, place in list((mapping or {}).items()):
            if (place + "/").startswith(old + "/"):
                mapping[key] = new + place[len(old) :]


def start():
    """Do everything in the order in which Python does it."""
    undo()
    restore()
    if CONFIG["replay"]:
        replay_site()
    if CONFIG["hide"]:
        hide(frozenset(CONFIG["hide"]))
    if CONFIG["moved"]:
        moved(*CONFIG["moved"])
    if CONFIG["report"]:
        record_at_exit(CONFIG["report"])
    return program(CONFIG)


def early():
    """Be `encodings`, for as long as its import takes; the stand-in is still to be found."""
    place = sys.path.index(HOME)
    undo()
    del sys.modules["encodings"]
    import _io
    import encodings  # noqa: F401

    if sys.version_info >= (3, 8):  # `io` takes it from there
        _io.open_code = without_lines(_io)
    sys.path.insert(place, HOME)


def stand_in():
    """Be `sitecustomize`, once: record, and import the user's own unless it is left out."""
    undo()
    restore()
    sys.modules.pop("sitecustomize", None)
    name = sys.argv[0] if getattr(sys, "argv", None) else ""
    if CONFIG["report"]:
        record_at_exit("%s-%d" % (CONFIG["report"], posix.getpid()))
    if name.rpartition("/")[2] not in CONFIG["runners"]:
        forget()
    if CONFIG["hide"]:
        hide(frozenset(CONFIG["hide"]))
    site = sys.modules.get("site")
    if site:
        site.execusercustomize = unless_left_out("usercustomize", site.execusercustomize)
    if found("sitecustomize") in CONFIG["modules"]:
        # site.py passes over exactly this error.
        raise ImportError("left out", name="sitecustomize")
    import sitecustomize  # type: ignore[import-not-found]  # noqa: F401


def forget():
    """Give the program the PYTHONPATH that it would have had."""
    import os

    rest = [e for e in os.environ.get("PYTHONPATH", "").split(os.pathsep) if e != HOME]
    os.environ.pop("PYTHONPATH", None)
    os.environ.update({"PYTHONPATH": os.pathsep.join(rest)} if any(rest) or len(rest) > 1 else {})


if __name__ == "__unhaunt__":
    start()()
elif __name__ == "__unhaunt_early__":
    early()
elif __name__ == "__unhaunt_site__":
    stand_in()
