#!/usr/bin/env python3
"""Describe the Python that runs this file, as one line of JSON.

This file stands alone: copy it anywhere and run it with any CPython from 3.8 on,

    python probe.py > fp.json

It imports the standard library only, changes nothing, and imports nothing of what it describes.
It is written so that Python 2.7 can read it as well, far enough to be told that it is too old.

A caller may put one line in front, `REQUEST = '{json}'`. Its keys: `token` (printed before the
answer), `report` (a file for the answer), `derive` (do not look at this process; compute under
-I -S what site.main() would do: docs.python.org/3/library/site.html), `env`, `cwd`, `quick` (leave
out the hashes of installed files), `modules` (names to look up), `path0`, `argv`, `how` (of the
command that this process stands for) and `then` (the command line that replaces this process).
"""

import sys

if sys.version_info[:2] < (3, 8) or sys.implementation.name != "cpython":
    _name = getattr(getattr(sys, "implementation", None), "name", "python")
    sys.stderr.write(
        "probe: needs CPython 3.8 or newer, this is %s %d.%d\n" % ((_name,) + sys.version_info[:2])
    )
    raise SystemExit(2)

LOADED = dict(sys.modules)  # before anything is imported here
# The first entry is the folder of this file, or the current one: a json.py there is not ours.
HERE = not (sys.flags.isolated or getattr(sys.flags, "safe_path", 0) or globals().get("EARLY"))
PATH = sys.path[1:] if HERE else sys.path[:]
sys.path[:] = PATH
META_PATH = list(sys.meta_path)
PATH_HOOKS = list(sys.path_hooks)
import os

STDLIB = os.path.dirname(os.path.abspath(os.__file__))
# What is described may hold a json.py too: from here on only the standard library is looked at.
sys.path[:] = [
    p for p in PATH if p == STDLIB or os.path.basename(p) in ("lib-dynload", "DLLs")
] or PATH
import hashlib
import io
import json
import locale
import re
import site
import stat
import tokenize
import traceback  # for site.main(), which must find its own imports without looking for them
from importlib import machinery
from zipimport import ZipImportError, zipimporter

sys.path[:] = PATH
VERSION = sys.version_info[:2]
SUFFIXES = machinery.EXTENSION_SUFFIXES + machinery.SOURCE_SUFFIXES + machinery.BYTECODE_SUFFIXES
STARTUP_MODULES = ("sitecustomize", "usercustomize")
#: what may change a run; values of the last row are shown by presence only
SHOWN = re.compile(
    "PYTHON|__PYVENV_LAUNCHER__$|VIRTUAL_ENV|CONDA_|PIP_|UV_|LD_|DYLD_|PYTEST_|PYENV_|PIXI_|POETRY_ACTIVE$|COVERAGE_|COV_"
    "|AUTOWRAPT_|BETTER_EXCEPTIONS$|SETUPTOOLS_|DJANGO_SETTINGS_MODULE$|Py_|PY_|TZ$|LANG$|LC_|BROWSER$|DD_|OTEL_|NEW_RELIC_"
    "|TOX_|NOX_|HATCH_|CI$|PRE_COMMIT$|[A-Z]+_NUM_THREADS$"
)
SECRET = re.compile(
    "TOKEN|SECRET|PASSW|(^|_)PASS(_|$)|KEY|CREDENTIAL|AUTH|COOKIE|PRIVATE|SIGNATURE", re.I
)
USERINFO = re.compile(r"(?<=://)[^/@\s]+(?=@)")
ENTRY_POINT = re.compile(r"^(?!\d)\w+(\.(?!\d)\w+)*:(?!\d)\w+(\.(?!\d)\w+)*$")  # PEP 829
ADDSITEDIR = re.compile(r"""\bsite\.addsitedir\(\s*(?:r?(["'])([^"'\\]+)\1)\s*\)""")
MOST = 4 << 20  # bytes that are read of one file
unknown = []


def regular(path):
    """Tell whether `path` leads to a regular file: reading a FIFO would never end."""
    try:
        return stat.S_ISREG(os.stat(path).st_mode)
    except (OSError, ValueError):
        return False


def read(path):
    """Return the bytes of a file; an answer is never built on part of one."""
    if not regular(path) or os.path.getsize(path) > MOST:
        raise OSError("not a regular file, or too large")
    with io.open(path, "rb") as file:
        return file.read()


def sha256(path):
    """Return the hash of a file, or None when it cannot be read."""
    try:
        return hashlib.sha256(read(path)).hexdigest()
    except OSError:
        return None


def names_in(folder):
    """Return the names in a folder in the order of site.py: by code point."""
    try:
        return sorted(os.listdir(folder or "."))
    except OSError:
        return []


# --- the import system, read and not used (docs.python.org/3/reference/import.html) ---


def candidates(name, folder):
    """Yield (path, form) of every file that the last part of `name` could be in one folder or zip."""
    base = os.path.join(folder, name)
    listed = set(names_in(folder)) if os.path.isdir(folder or ".") else None
    if listed is None:
        for path in zipped(name, folder):
            yield path, "zip entry"
        return
    if name in listed and os.path.isdir(base):
        inside = set(names_in(base))
        for suffix in SUFFIXES:
            if "__init__" + suffix in inside and regular(os.path.join(base, "__init__" + suffix)):
                yield os.path.join(base, "__init__" + suffix), "package"
    for suffix in SUFFIXES:
        if name + suffix in listed and regular(base + suffix):
            yield base + suffix, form_of(suffix)
    if name in listed and os.path.isdir(base):
        yield base, "namespace"


def form_of(suffix):
    """Return the word for what a suffix makes of a module."""
    if suffix in machinery.SOURCE_SUFFIXES:
        return "module"
    return "bytecode" if suffix in machinery.BYTECODE_SUFFIXES else "extension module"


def zipped(name, entry):
    """Yield the members of a zip on the path that `name` could be, in the order of zipimport."""
    if not any(regular(part) for part in (entry, os.path.dirname(entry))):
        return
    try:
        archive = zipimporter(entry)
    except (ZipImportError, OSError, ValueError):
        return
    for end in (os.sep + "__init__.pyc", os.sep + "__init__.py", ".pyc", ".py"):
        if archive.prefix + name + end in archive._files:
            yield os.path.join(archive.archive, archive.prefix + name + end)


def find(name, path):
    """Return (file, form) of what `import name` takes from `path`, or None; no parent is executed."""
    found = None
    for part in name.split("."):
        real = [
            c for folder in path for c in list(candidates(part, folder))[:1] if c[1] != "namespace"
        ]
        spaces = [c for folder in path for c in candidates(part, folder) if c[1] == "namespace"]
        found = (real or spaces or [None])[0]
        if found is None or found[1] not in ("package", "namespace"):
            return found
        path = [c[0] for c in spaces] if found[1] == "namespace" else [os.path.dirname(found[0])]
    return found


def imported(source, path):
    """Return what a piece of startup code imports from outside the standard library, and from where."""
    try:
        tree = compile(source, "startup", "exec", 0x400, dont_inherit=True)  # ast.PyCF_ONLY_AST
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    names, nodes = set(), [tree]
    for node in nodes:
        kind = type(node).__name__
        if kind == "Import":
            names.update(alias.name for alias in node.names)
        elif kind == "ImportFrom" and node.module and not node.level:
            names.add(node.module)
        elif kind == "Constant" and isinstance(node.value, str) and "import " in node.value:
            names.update(m["module"] for m in imported(node.value, path))  # exec("import x")
        for field in getattr(node, "_fields", ()):
            value = getattr(node, field, None)
            nodes.extend(
                value if isinstance(value, list) else [value] if hasattr(value, "_fields") else []
            )
    return [m for m in (resolved(name, path) for name in sorted(names)) if m]


def resolved(name, path):
    """Return where `name` would come from; None for what belongs to the standard library."""
    top = name.split(".")[0]
    if top in sys.builtin_module_names or top in ("os", "site", "io", "abc", "codecs", "stat"):
        return None
    origin = (find(name, path) or find(top, path) or (None, None))[0]
    if origin and in_stdlib(origin):
        return None
    return {"module": name, "origin": origin, "sha256": sha256(origin) if origin else None}


def in_stdlib(path):
    """Tell whether a file is one of the standard library's own."""
    inside = os.path.abspath(path).startswith(STDLIB + os.sep)
    return inside and "site-packages" not in path and "dist-packages" not in path


# --- what site.py does (Lib/site.py of this very Python) ---


def dry_run(request, state):
    """Run site.main() with every execution stubbed: `state` gets the path, and what would have run."""
    env, nothing = request["env"], lambda *a, **k: None
    for name in "execsitecustomize execusercustomize enablerlcompleter setquit setcopyright sethelper _warn".split():
        if hasattr(site, name):
            setattr(site, name, nothing)
    if hasattr(site, "StartupState"):
        site.StartupState._exec_imports = lambda self: [
            follow(l, f, state)
            for f, ls in self._importexecs.items()
            for l in ls
            if f[:-4] + ".start" not in self._entrypoints
        ]
        site.StartupState._execute_start_entrypoints = site._print_error = nothing
        site._read_pthstart_file = guarded(site._read_pthstart_file, ((None, ""),), state)
    elif hasattr(site, "addpackage"):
        # A global of the module hides the builtin that addpackage() calls.
        setattr(
            site,
            "exec",
            lambda line, *a: follow(line, sys._getframe(1).f_locals.get("fullname"), state),
        )
        site.addpackage = guarded(site.addpackage, (), state)
    else:
        raise RuntimeError("this site module is not known")
    paths = env.get("PYTHONPATH") or ""
    sys.path[:0] = (
        [os.path.abspath(os.path.join(request["cwd"], p)) for p in paths.split(os.pathsep)]
        if paths
        else []
    )
    for name in ("HOME", "PYTHONUSERBASE", "APPDATA"):
        os.environ.pop(name, None)
        os.environ.update({name: env[name]} if name in env else {})
    site.check_enableusersite = lambda: user_site_allowed(env)
    site.main()


def user_site_allowed(env):
    """Answer as site.check_enableusersite() would without -I; the variable is read as a number."""
    if hasattr(os, "getuid") and (os.geteuid(), os.getegid()) != (os.getuid(), os.getgid()):
        return None
    value = env.get("PYTHONNOUSERSITE", "")
    return not (value and (not re.match(r"\s*[+-]?\d+$", value) or int(value)))


def guarded(function, refused, state):
    """Keep site.py from a file that would hang it or end it, and remember that it is there."""

    def inner(sitedir, name, *rest):
        path = os.path.join(sitedir, name)
        known = rest[0] if not refused else (None, path)
        try:
            if regular(path) or not os.path.exists(path) or os.path.isdir(path):
                return function(sitedir, name, *rest)
            state["fatal"].append([path, "is not a regular file: this Python hangs when it starts"])
        except UnicodeDecodeError:
            state["fatal"].append([path, "cannot be decoded: this Python does not start"])
        return known

    return inner


def follow(line, file, state):
    """Note an import line that would run; take the one path change that can be read from it."""
    state["executed"].append([file, line])
    for match in ADDSITEDIR.finditer(line):
        state["site_dirs"].append(os.path.abspath(match.group(2)))
        site.addsitedir(match.group(2))


def started(request):
    """Return the state of this Python's start: derived, or this process itself."""
    state = {"fatal": [], "executed": [], "site_dirs": []}
    if request.get("derive"):
        if not (sys.flags.no_site and sys.flags.isolated):
            raise RuntimeError("not isolated: a ._pth file beside the executable?")
        dry_run(request, state)
    state["path"], sys.path[:] = list(sys.path), PATH
    enabled = site.ENABLE_USER_SITE
    user = (
        site.getusersitepackages()
        if request.get("derive") or enabled is not None
        else site.USER_SITE
    )
    state["user_site"] = {
        "path": user,
        "enabled": bool(enabled),
        "exists": bool(user and os.path.isdir(user)),
    }
    if not sys.flags.no_site or request.get("derive"):
        folders = ([user] if enabled else []) + site.getsitepackages()
        state["site_dirs"] = [
            d for d in dict.fromkeys(folders + state["site_dirs"]) if d and os.path.isdir(d)
        ]
    return state


# --- the facts ---


def interpreter(request, state):
    """Return which Python this is (docs.python.org/3/library/sys.html)."""
    flags = {
        n: getattr(sys.flags, n)
        for n in dir(sys.flags)
        if n[0] != "_" and not n.startswith("n_") and n not in ("count", "index")
    }
    return {
        "executable": sys.executable, "realpath": os.path.realpath(sys.executable or ""),
        "version": "%d.%d.%d" % sys.version_info[:3] + {"final": ""}.get(sys.version_info[3], "%s%d" % tuple(sys.version_info[3:])),
        "build": sys.version, "implementation": sys.implementation.name, "cache_tag": sys.implementation.cache_tag,
        "abiflags": getattr(sys, "abiflags", ""), "platform": sys.platform, "machine": os.uname().machine if hasattr(os, "uname") else "",
        "prefix": sys.prefix, "base_prefix": sys.base_prefix, "in_venv": sys.prefix != sys.base_prefix, "stdlib": STDLIB,
        "flags": flags, "xoptions": {k: v for k, v in sorted(sys._xoptions.items())}, "warnoptions": list(sys.warnoptions),
        "suffixes": SUFFIXES, "gil": getattr(sys, "_is_gil_enabled", lambda: True)(), "debug": hasattr(sys, "gettotalrefcount"),
        "pycache_prefix": sys.pycache_prefix, "encoding": [sys.getfilesystemencoding(), locale.getpreferredencoding(False)],
    }  # fmt: skip


def environment(request, state):
    """Return the variables that may change a run; what may be secret only by its presence."""
    chosen = {k: v for k, v in request["env"].items() if SHOWN.match(k)}
    return {
        k: "<hidden>" if SECRET.search(k) else USERINFO.sub("<hidden>", v)
        for k, v in sorted(chosen.items())
    }


def process(request, state):
    """Return what this process is: where it stands, and how it was started."""
    flags = [
        name
        for name in ("isolated", "no_site", "ignore_environment", "optimize")
        if getattr(sys.flags, name)
    ]
    argv = request.get("argv", None if request.get("token") else sys.argv)
    return {
        "cwd": request["cwd"],
        "argv": argv,
        "how": request.get("how", "bare"),
        "started_with": flags,
    }


def path(request, state):
    """Return sys.path as line 1 of the program sees it."""
    first = [request["path0"]] if request.get("path0") is not None else []
    return [
        {"entry": e, "kind": kind_of(e, request["cwd"])}
        for e in first + state["path"]
        if isinstance(e, str)
    ]


def kind_of(entry, cwd):
    """Return the word for what is at an entry of sys.path."""
    full = os.path.join(cwd, entry)
    return "folder" if os.path.isdir(full) else "file" if os.path.exists(full) else "missing"


def startup(request, state):
    """Return the code that runs before line 1, in files, and who owns each."""
    records = owners(state)
    found = {
        "modules": startup_modules(state, records),
        "pth": [],
        "start": [],
        "user_site": dict(state["user_site"]),
    }
    found["user_site"]["on_path"] = state["user_site"]["path"] in state["path"]
    found.update(site_dirs=state["site_dirs"], fatal=state["fatal"], executed=state["executed"])
    for folder in state["site_dirs"]:
        names = [n for n in names_in(folder) if not (n.startswith(".") and skips_dots())]
        for name in names:
            kind = (
                "start"
                if name.endswith(".start") and VERSION >= (3, 15)
                else "pth"
                if name.endswith(".pth")
                else None
            )
            if kind and not os.path.isdir(os.path.join(folder, name)):
                muted = kind == "pth" and VERSION >= (3, 15) and name[:-4] + ".start" in names
                found[kind].append(
                    startup_file(os.path.join(folder, name), kind, muted, state, records)
                )
    return found


def skips_dots():
    """Tell whether this site.py passes over `.x.pth` (since 3.13, and in late patch releases)."""
    return (
        VERSION >= (3, 15)
        or "." in site.addsitedir.__code__.co_consts
        or "startswith" in site.addsitedir.__code__.co_names
    )


def startup_modules(state, records):
    """Return every file by which sitecustomize and usercustomize could be imported, in order."""
    rows = []
    for name in STARTUP_MODULES:
        off = name == "usercustomize" and not state["user_site"]["enabled"]
        found = [c for entry in state["path"] for c in candidates(name, entry)]
        real = [c for c in found if c[1] != "namespace"]
        for file, form in found:
            word = (
                "not loaded: the user site is off"
                if off
                else "loaded"
                if (file, form) == (real or found)[0]
                else "shadowed"
            )
            word = "no code: a folder without __init__" if form == "namespace" else word
            row = {
                "module": name,
                "path": file,
                "realpath": os.path.realpath(file),
                "form": form,
                "state": word,
            }
            row.update(sha256=sha256(file), owner=owner_of(file, records), imports=[])
            if form in ("module", "package") and row["sha256"]:
                row["imports"] = imported(read(file), state["path"])
            rows.append(row)
    return rows


def startup_file(file, kind, muted, state, records):
    """Return one .pth or .start file: its hash, its owner, and what each of its lines would do."""
    row = {"path": file, "sha256": sha256(file), "owner": owner_of(file, records), "lines": []}
    try:
        lines = split(read(file), kind)
    except (OSError, UnicodeDecodeError) as error:
        row["problem"] = str(error)
        return row
    for number, text in lines:
        row["lines"].append(classified(number, text, kind, muted, file, state))
    return row


def split(raw, kind):
    """Return the numbered lines that count, divided and stripped as this version's site.py does."""
    if VERSION < (3, 13):
        lines = re.split("\r\n|\r|\n", raw.decode(locale.getpreferredencoding(False)))
    else:
        try:
            lines = raw.decode("utf-8-sig").splitlines()
        except UnicodeDecodeError:
            lines = (
                []
                if kind == "start"
                else raw.decode(locale.getpreferredencoding(False)).splitlines()
            )
    lines = [line.strip() if VERSION >= (3, 15) else line for line in lines]
    return [
        (n, line) for n, line in enumerate(lines, 1) if line.strip() and not line.startswith("#")
    ]


def classified(number, text, kind, muted, file, state):
    """Return one line with its kind: exec, muted, path, call or invalid."""
    row = {"line": number, "kind": "path", "text": text.rstrip()}
    if kind == "start":
        row["kind"] = "call" if ENTRY_POINT.match(text) else "invalid"
        row["imports"] = [
            m for m in [resolved(text.split(":")[0], state["path"])] if m and row["kind"] == "call"
        ]
    elif text.startswith(("import ", "import\t")):
        row.update(kind="muted" if muted else "exec", imports=imported(text, state["path"]))
        row["followed"] = bool(ADDSITEDIR.search(text))
    else:
        row["target"] = os.path.abspath(os.path.join(os.path.dirname(file), text.rstrip()))
        row["exists"] = os.path.exists(row["target"])
    return row


def owners(state):
    """Return [(site folder, distribution, text of its RECORD)]: packaging.python.org, PEP 627."""
    found = []
    for folder in state["site_dirs"]:
        for name in names_in(folder):
            if name.endswith(".dist-info") and regular(os.path.join(folder, name, "RECORD")):
                try:
                    found.append(
                        (
                            folder,
                            name[:-10],
                            read(os.path.join(folder, name, "RECORD")).decode("utf-8", "replace"),
                        )
                    )
                except OSError:
                    pass
    return found


def owner_of(file, records):
    """Return {name, state} of the distribution whose RECORD lists a file; None when nobody owns it."""
    for folder, name, text in records:
        row = file.startswith(folder + os.sep) and os.path.relpath(file, folder).replace(
            os.sep, "/"
        )
        if row and ("\n" + text).find("\n" + row + ",") >= 0:
            line = ("\n" + text).split("\n" + row + ",", 1)[1].split("\n", 1)[0]
            return {"name": name, "state": recorded(file, line.split(",")[0].strip())}
    return None


def recorded(file, entry):
    """Compare a file with its hash in RECORD: unmodified, modified, missing or unverifiable."""
    if not os.path.lexists(file):
        return "missing"
    kind, _, value = entry.partition("=")
    if kind not in ("sha256", "sha384", "sha512"):
        return "unverifiable"
    try:
        digest = getattr(hashlib, kind)(read(file)).digest()
    except OSError:
        return "unverifiable"
    import base64

    return (
        "unmodified"
        if base64.urlsafe_b64encode(digest).decode().rstrip("=") == value.rstrip("=")
        else "modified"
    )


def distributions(request, state):
    """Return what is installed along the path, and whether its files are still what RECORD says."""
    rows, seen = [], set()
    for folder in dict.fromkeys(state["path"]):
        for info in names_in(folder) if folder and os.path.isdir(folder) else ():
            if info.endswith((".dist-info", ".egg-info")):
                name, version = named(folder, info)
                row = {
                    "name": name,
                    "version": version,
                    "location": folder,
                    "info": info,
                    "shadowed": name in seen,
                }
                row["editable"] = editable(os.path.join(folder, info, "direct_url.json"))
                row.update(
                    {"state": "not checked"} if request.get("quick") else verified(folder, info)
                )
                seen.add(name)
                rows.append(row)
    return sorted(rows, key=lambda row: (row["name"], row["shadowed"]))


def named(folder, info):
    """Return the normalised name and the version of a distribution (PEP 503)."""
    name, _, version = info.rpartition(".")[0].partition("-")
    if not version:
        try:
            text = read(os.path.join(folder, info, "PKG-INFO")).decode("utf-8", "replace")
            version = re.findall(r"(?m)^Version:\s*(\S+)", text)[0]
        except (OSError, IndexError):
            version = None
    return re.sub(r"[-_.]+", "-", name).lower(), version and re.sub(r"-py\d.*$", "", version)


def editable(file):
    """Return the folder of an editable installation, else None (PEP 610)."""
    try:
        url = json.loads(read(file).decode("utf-8"))
        return url["url"] if url.get("dir_info", {}).get("editable") else None
    except (OSError, ValueError, KeyError, AttributeError):
        return None


def verified(folder, info):
    """Hash the files of one distribution against its RECORD."""
    import csv

    try:
        text = read(os.path.join(folder, info, "RECORD")).decode("utf-8", "replace")
    except OSError:
        return {"state": "unverifiable"}
    states = [(row[0], recorded(os.path.normpath(os.path.join(folder, row[0])), row[1]))
              for row in csv.reader(io.StringIO(text, newline="")) if len(row) > 1 and row[1]]  # fmt: skip
    # A Linux distributor takes files of the .dist-info away; what is imported is what counts.
    changed = sorted(
        name
        for name, word in states
        if word in ("modified", "missing") and ".dist-info/" not in name
    )
    return {
        "state": "modified" if changed else "unmodified" if states else "unverifiable",
        "files": changed[:20],
    }


def hooks(request, state):
    """Return the import hooks in order, and builtins or hooks of sys that were replaced."""
    if request.get("derive"):
        return {"meta_path": None, "path_hooks": None}
    import builtins

    odd = [
        n
        for n in ("__import__", "open", "compile", "exec", "print")
        if not type(getattr(builtins, n)).__name__.startswith("builtin")
    ]
    odd += [
        n
        for n in ("excepthook", "displayhook", "breakpointhook")
        if getattr(sys, n) is not getattr(sys, "__%s__" % n)
    ]
    return {
        "meta_path": [dotted(h) for h in META_PATH],
        "path_hooks": [dotted(h) for h in PATH_HOOKS],
        "replaced": odd,
    }


def dotted(hook):
    """Return module.qualname of a hook, of its class when it is an instance."""
    named = hook if hasattr(hook, "__qualname__") else type(hook)
    return "%s.%s" % (named.__module__, named.__qualname__)


def loaded_before_main(request, state):
    """Return the modules that were there before line 1, with the file of each that is not standard."""
    if request.get("derive"):
        return None
    files = {n: getattr(getattr(m, "__spec__", None), "origin", None) for n, m in LOADED.items()}
    names = [n for n in sorted(files) if n not in ("__main__", "__mp_main__")]
    return [
        {"module": n, "origin": f if f and os.path.isabs(f) and not in_stdlib(f) else None}
        for n in names
        for f in [files[n]]
    ]


def pyvenv(request, state):
    """Return pyvenv.cfg as site.py reads it (docs.python.org/3/library/venv.html), or None."""
    for folder in (
        os.path.dirname(sys.executable or ""),
        os.path.dirname(os.path.dirname(sys.executable or "")),
    ):
        file = os.path.join(folder, "pyvenv.cfg")
        if sys.executable and regular(file):
            pairs = [
                line.partition("=")
                for line in read(file).decode("utf-8").splitlines()
                if "=" in line
            ]
            return {
                "path": file,
                "values": {k.strip().lower(): v.strip() for k, _, v in pairs},
                "keys": [k.strip().lower() for k, _, _ in pairs],
            }
    return None


def lookup(request, state):
    """Return what a caller needs to answer `where` for a few names."""
    import _imp

    tops = {name.split(".")[0] for name in request.get("modules", ())}
    names = getattr(sys, "stdlib_module_names", None) or {
        n.split(".")[0] for n in names_in(STDLIB) + names_in(os.path.join(STDLIB, "lib-dynload"))
    }
    return {"built-in": sorted(tops & set(sys.builtin_module_names)), "frozen": sorted(n for n in tops if _imp.is_frozen(n)),
            "stdlib": sorted(tops & set(names)), "loaded": sorted(tops & (set(LOADED) | {"site", "os"}))}  # fmt: skip


FACTS = (
    interpreter,
    environment,
    process,
    path,
    startup,
    distributions,
    hooks,
    loaded_before_main,
    pyvenv,
    lookup,
)


def collect(request):
    """Return the answer. Every key is always there; what could not be read is named in `unknown`."""
    facts = {
        "schema": "unhaunt.probe/1",
        "derived": bool(request.get("derive")),
        "unknown": unknown,
    }
    state = started(request)
    for fact in FACTS:
        try:
            facts[fact.__name__] = fact(request, state)
        except Exception as error:
            facts[fact.__name__] = None
            unknown.append(
                {"fact": fact.__name__, "reason": "%s: %s" % (type(error).__name__, error)}
            )
    return facts


def main(request):
    """Answer on stdout, or in the file that the caller named."""
    request.setdefault("env", dict(os.environ))
    request.setdefault("cwd", os.getcwd())
    line = json.dumps(collect(request), sort_keys=True) + "\n"
    if request.get("report"):
        with io.open(request["report"], "w", encoding="ascii") as file:
            file.write(line)
    else:
        sys.stdout.write((request.get("token", "") + " " + line).lstrip())
        sys.stdout.flush()
    if request.get("then"):
        os.execv(request["then"][0], request["then"][1:])


if __name__ == "__main__":
    main(json.loads(globals().get("REQUEST", "{}")))
