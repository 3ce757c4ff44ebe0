#!/usr/bin/env python3
"""Describe the Python that runs this file, as one line of JSON.

This file stands alone: copy it anywhere and run it with any CPython from 3.8 on,

    python probe.py > fp.json

It imports the standard library only, changes nothing, and imports nothing of what it describes.
Python 2.7 can read it as well, far enough to be told that it is too old.

A caller may put one line in front, `REQUEST = '{json}'`, with `token` (printed before the answer),
`report` (a file for the answer), `derive` (work out under -I -S what site.main() would do:
docs.python.org/3/library/site.html), `env` and `cwd` (of the start that is meant), `modules` (names
to look up), `without` (facts to leave out), `path0`, `argv`, `words` and `how` (of the command that
this process stands for), `restore` (variables that Python itself removed) and `then` (the command
that replaces this process).
"""

import sys

if sys.version_info[:2] < (3, 8) or sys.implementation.name != "cpython":
    _name = getattr(getattr(sys, "implementation", None), "name", "python")
    _text = "probe: needs CPython 3.8 or newer, this is %s %d.%d\n"
    sys.stderr.write(_text % ((_name,) + sys.version_info[:2]))
    raise SystemExit(2)

LOADED = dict(sys.modules)  # before anything is imported here
# The first entry is the folder of this file, or the current one: a json.py there is not ours.
_SAFE = sys.flags.isolated or getattr(sys.flags, "safe_path", 0) or globals().get("EARLY")
PATH = sys.path[:] if _SAFE else sys.path[1:]
META_PATH, PATH_HOOKS = list(sys.meta_path), list(sys.path_hooks)
sys.path[:] = PATH
import os

STDLIB = os.path.dirname(os.path.abspath(os.__file__))
# What is described may hold a json.py too: only the standard library is searched from here on.
_ZIP = not os.path.isdir(os.path.join(STDLIB, "json")) and "python%d%d.zip" % sys.version_info[:2]
_OWN = [p for p in PATH if p == STDLIB or os.path.basename(p) in ("lib-dynload", "DLLs", _ZIP)]
sys.path[:] = _OWN or PATH
import io
import json
import re
import site
import stat
import zipimport
from importlib import machinery

for _name in ("_sha2", "_sha256", "hashlib"):  # hashlib loads all of OpenSSL for one function
    try:
        _sha256 = __import__(_name).sha256
        break
    except ImportError:
        pass

sys.path[:] = PATH
VERSION = sys.version_info[:2]
SUFFIXES = machinery.EXTENSION_SUFFIXES + machinery.SOURCE_SUFFIXES + machinery.BYTECODE_SUFFIXES
#: variables that may change a run, and those that must not be written
SHOWN = re.compile(
    "PYTHON|__PYVENV_LAUNCHER__$|VIRTUAL_ENV|CONDA_|PIP_|UV_|LD_|DYLD_|PYTEST_|PYENV_|PIXI_|PY_"
    "|COVERAGE_|COV_|AUTOWRAPT_|BETTER_EXCEPTIONS$|SETUPTOOLS_|DJANGO_SETTINGS_MODULE$|TZ$|LANG$"
    "|LC_|BROWSER$|DD_|OTEL_|NEW_RELIC_|TOX_|NOX_|HATCH_|CI$|PRE_COMMIT$|[A-Z]+_NUM_THREADS$"
)
SECRET = re.compile(
    "TOKEN|SECRET|PASS(W|P|$|[_-])|PWD|KEY|CREDENTIAL|AUTH|COOKIE|PRIVATE|SIG(N|$|[_-])|HEADER|DSN",
    re.I,
)
#: what is secret within a text: credentials of an address, conda's token, the value of a query or
#: of a name that says so, what an Authorization header holds, and the shapes of well-known tokens
INSIDE = re.compile(
    r"(?<=://)[^/\s]+(?=@)|(?<=/t/)\w\w-[\w-]+|([?&][^=&\s]+=)[^&#\s]+"
    r"|((?:TOKEN|SECRET|PASS(?:W(?:OR)?D|PHRASE|WD)?|PWD|KEY|CREDENTIALS?|AUTH(?:ORIZATION)?|COOKIE"
    r"|SIG(?:NATURE)?|DSN)[\"']?(?:\s*=\s*|:(?!:)\s*)[\"']?)(?:(?:bearer|basic|token)\s+)?[^\s\"'&,;]+"
    r"|(\b(?:bearer|basic)\s+)[\w.~+/=-]{6,}"
    r"|\b(?:gh[a-z]_|github_pat_|glpat-|xox[a-z]-|npm_|hf_|AIza|pypi-|AKIA|ASIA|eyJ)[\w-]{6,}[\w.-]*"
    r"|\bsk-[\w-]{12,}",
    re.I,
)
ENTRY_POINT = re.compile(r"^(?!\d)\w+(\.(?!\d)\w+)*:(?!\d)\w+(\.(?!\d)\w+)*$")  # PEP 829
ADDSITEDIR = re.compile(r"""\bsite\.addsitedir\(\s*(?:\S+decode\(b|r)?(["'])([^"'\\]+)\1\s*\)""")
MOST = 4 << 20  # bytes that are read of one file


def regular(path):
    """Tell whether `path` leads to a regular file: reading a FIFO would never end."""
    try:
        return stat.S_ISREG(os.stat(path).st_mode)
    except (OSError, ValueError):
        return False


def read(path):
    """Return the bytes of a file; no answer is built on a part of one."""
    if not regular(path) or os.path.getsize(path) > MOST:
        raise OSError("not a regular file, or too large")
    with io.open(path, "rb") as file:
        return file.read()


def sha256(path):
    """Return the hash of a file, or None when it cannot be read."""
    try:
        return _sha256(read(path)).hexdigest()
    except OSError:
        return None


def names_in(folder):
    """Return the names in a folder in the order of site.py: by code point."""
    try:
        return sorted(os.listdir(folder or "."))
    except OSError:
        return []


def candidates(name, folder):
    """Yield (path, form) of each file that `import name` could take from one folder or zip.

    In the order of docs.python.org/3/library/importlib.html#importlib.machinery.FileFinder.
    """
    base, listed = os.path.join(folder, name), names_in(folder)
    if not listed:
        for path in zipped(name, folder):
            yield path, "zip entry"
    inside = ["__init__" + s for s in SUFFIXES if regular(os.path.join(base, "__init__" + s))]
    for init in inside if name in listed else ():
        yield os.path.join(base, init), "package"
    for suffix in SUFFIXES:
        if name + suffix in listed and regular(base + suffix):
            words = {".py": "module", ".pyc": "bytecode"}
            yield base + suffix, words.get(suffix, "extension module")
    if name in listed and os.path.isdir(base) and not inside:
        yield base, "namespace"


def zipped(name, entry):
    """Yield the members of a zip on the path that `name` could be, in the order of zipimport."""
    try:
        near = regular(entry) or regular(os.path.dirname(entry))
        archive = zipimport.zipimporter(entry) if near else None
    except (zipimport.ZipImportError, OSError, ValueError):
        archive = None
    members = zipimport._zip_directory_cache.get(archive.archive, ()) if archive else ()
    for end in (os.sep + "__init__.pyc", os.sep + "__init__.py", ".pyc", ".py"):
        if archive and archive.prefix + name + end in members:
            yield os.path.join(archive.archive, archive.prefix + name + end)


# --- what site.py does: Lib/site.py of this very Python ---


def dry_run(request, state):
    """Run site.main() with every execution stubbed; note in `state` what would have run."""
    paths = request["env"].get("PYTHONPATH") or ""
    elements = paths.split(os.pathsep) if paths else []
    sys.path[:0] = [os.path.abspath(os.path.join(request["cwd"], e)) for e in elements]
    for name in ("HOME", "PYTHONUSERBASE", "APPDATA"):
        os.environ.pop(name, None)
        os.environ.update({name: request["env"][name]} if name in request["env"] else {})
    stub(state)
    site.check_enableusersite = lambda: user_site_allowed(request["env"])
    site.main()


def stub(state):
    """Replace what site.main() would run by recorders."""
    names = "execsitecustomize execusercustomize enablerlcompleter setquit setcopyright sethelper"
    for name in (names + " _warn _print_error").split():
        if hasattr(site, name):
            setattr(site, name, lambda *args, **kwargs: None)
    if hasattr(site, "StartupState"):  # 3.15

        def exec_imports(self):
            for file, lines in self._importexecs.items():
                if file[:-4] + ".start" not in self._entrypoints:
                    for line in lines:
                        follow(line, file, state)

        site.StartupState._exec_imports = exec_imports
        site.StartupState._execute_start_entrypoints = lambda self: None
        site._read_pthstart_file = guarded(site._read_pthstart_file, state)
    elif hasattr(site, "addpackage"):
        # A global of the module hides the builtin that addpackage() calls; its frame has the file.
        own = lambda line, *a: follow(line, sys._getframe(1).f_locals.get("fullname"), state)
        setattr(site, "exec", own)
        site.addpackage = guarded(site.addpackage, state)
    else:
        raise RuntimeError("this site module is not known")


def user_site_allowed(env):
    """Answer as site.check_enableusersite() would without -I; the variable is read as a number."""
    if hasattr(os, "getuid") and (os.geteuid(), os.getegid()) != (os.getuid(), os.getgid()):
        return None
    value = env.get("PYTHONNOUSERSITE", "")
    return not value or bool(re.match(r"\s*[+-]?0+$", value))


def guarded(function, state):
    """Keep site.py from a file that would hang it or end it, and remember that it is there."""

    def inner(sitedir, name, third):
        path = os.path.join(sitedir, name)
        try:
            if regular(path) or os.path.isdir(path) or not os.path.exists(path):
                if os.access(path, os.R_OK):  # else site.py passes it over
                    expect_trouble(path)
                return function(sitedir, name, third)
            state["fatal"].append([path, "is not a regular file: this Python hangs at its start"])
        except UnicodeDecodeError:
            state["fatal"].append([path, "cannot be decoded: this Python does not start"])
        return (None, path) if isinstance(third, str) else third

    return inner


def expect_trouble(path):
    """Import what site.py imports for an odd file: it must not find it on the path it makes."""
    if regular(path) and (os.path.getsize(path) > MOST or re.search(b"[^\t\n\r -~]", read(path))):
        made, sys.path[:] = list(sys.path), _OWN
        import locale
        import traceback

        sys.path[:] = made


def locale_encoding():
    """Return the encoding in which open() reads, without importing the locale module."""
    return io.TextIOWrapper(io.BytesIO()).encoding


def follow(line, file, state):
    """Note an import line that would run; take the one path change that can be read from it."""
    state["executed"].append([file, line])
    for match in ADDSITEDIR.finditer(line):
        state["site_dirs"].append(os.path.abspath(match.group(2)))
        site.addsitedir(match.group(2))


def started(request):
    """Return the state of a start: derived, or of this process itself."""
    state = {"fatal": [], "executed": [], "site_dirs": []}
    derive = bool(request.get("derive"))
    if derive and not (sys.flags.no_site and sys.flags.isolated):
        raise RuntimeError("not isolated: a ._pth file beside the executable?")
    try:
        if derive:
            dry_run(request, state)
    finally:
        state["path"], sys.path[:] = [p for p in sys.path if isinstance(p, str)], PATH
    user, enabled = site.getusersitepackages(), bool(site.ENABLE_USER_SITE)
    state["user_site"] = {"path": user, "enabled": enabled, "on_path": user in state["path"]}
    state["user_site"]["exists"] = os.path.isdir(user)
    folders = ([user] if enabled else []) + site.getsitepackages() + state["site_dirs"]
    used = derive or not sys.flags.no_site
    state["site_dirs"] = [d for d in dict.fromkeys(folders) if used and os.path.isdir(d)]
    return state


# --- the facts ---


def interpreter(request, state):
    """Return which Python this is: docs.python.org/3/library/sys.html."""
    flags = [n for n in dir(sys.flags) if isinstance(getattr(sys.flags, n), (bool, int))]
    names = "executable prefix base_prefix exec_prefix abiflags platform pycache_prefix"
    found = {name: getattr(sys, name, None) for name in names.split()}
    found.update(
        realpath=os.path.realpath(sys.executable or ""),
        version=sys.version.split()[0],
        build=sys.version,
        implementation=sys.implementation.name,
        cache_tag=sys.implementation.cache_tag,
        machine=os.uname().machine if hasattr(os, "uname") else "",
        in_venv=sys.prefix != sys.base_prefix,
        stdlib=STDLIB,
        flags={n: getattr(sys.flags, n) for n in flags if n[:2] not in ("n_", "__")},
        xoptions=dict(sys._xoptions),
        warnoptions=list(sys.warnoptions),
        suffixes=SUFFIXES,
        gil=getattr(sys, "_is_gil_enabled", lambda: True)(),
        debug=hasattr(sys, "gettotalrefcount"),
        encoding=[sys.getfilesystemencoding(), locale_encoding()],
    )
    return found


def environment(request, state):
    """Return the variables that may change a run; what may be secret only by its presence."""
    shown = sorted(item for item in request["env"].items() if SHOWN.match(item[0]))
    return {k: v if k[-4:] == "PATH" else masked(v, SECRET.search(k)) for k, v in shown}


def masked(text, whole=False):
    """Return a text without what may be secret in it."""
    kept = lambda match: "".join(filter(None, match.groups())) + "<hidden>"
    return "<hidden>" if whole else INSIDE.sub(kept, text)


def masked_words(words):
    """Return a command line without secrets: `--password X`, `--token=Y`, `https://u:Z@host`."""
    before = [""] + list(words)
    follows = [w[:1] == "-" and "=" not in w and SECRET.search(w) for w in before]
    return [masked(w, after and w[:1] != "-") for after, w in zip(follows, words)]  # noqa: B905


def process(request, state):
    """Return what this process is: where it stands, and how it was started."""
    argv = request.get("argv", None if request.get("token") else sys.argv)
    words = request.get("words", getattr(sys, "orig_argv", None) if argv else None)
    top = request["cwd"]
    while top and not os.path.lexists(os.path.join(top, ".git")):
        top = os.path.dirname(top) if os.path.dirname(top) != top else None
    how = request.get("how", "bare")
    argv, words = (given and masked_words(given) for given in (argv, words))
    return {"cwd": request["cwd"], "argv": argv, "words": words, "how": how, "toplevel": top}


def path(request, state):
    """Return sys.path as line 1 of the program sees it."""
    first = request.get("path0")
    if request.get("how") == "folder" and VERSION >= (3, 9):  # Modules/main.c: made absolute
        alone = first == "." and VERSION >= (3, 11)
        first = request["cwd"] if alone else os.path.join(request["cwd"], first)
    rows = []
    for entry in ([] if first is None else [first]) + state["path"]:
        full = os.path.join(request["cwd"], entry)
        kind = "folder" if os.path.isdir(full) else "file" if os.path.exists(full) else "missing"
        rows.append({"entry": entry, "kind": kind})
    return rows


def startup(request, state):
    """Return the files whose code runs before line 1, with their hashes."""
    found = {"modules": [], "pth": [], "start": []}
    for name in ("fatal", "executed", "site_dirs", "user_site"):
        found[name] = state[name]
    for name in ("sitecustomize", "usercustomize"):
        found["modules"] += startup_module(name, state)
    for folder in state["site_dirs"]:
        names = names_in(folder)
        for name in names:
            kind = "start" if name.endswith(".start") and VERSION >= (3, 15) else name[-3:]
            visible = not (name.startswith(".") and skips_dots())
            file = os.path.join(folder, name)
            if kind in found and visible and (kind == "start" or name[-4:] == ".pth"):
                muted = VERSION >= (3, 15) and name[:-4] + ".start" in names
                found[kind] += [] if os.path.isdir(file) else [startup_file(file, kind, muted)]
    return found


def skips_dots():
    """Tell whether this site.py passes over `.x.pth`: 3.13, and late patch releases before."""
    return VERSION >= (3, 15) or "startswith" in site.addsitedir.__code__.co_names


def startup_module(name, state):
    """Return every file by which one of the two could be imported, the first being the winner."""
    found = [c for entry in state["path"] for c in candidates(name, entry)]
    found.sort(key=lambda c: c[1] == "namespace")  # a later regular module wins over a folder
    rows = []
    for file, form in found:
        word = "shadowed" if rows else "loaded"
        if form == "namespace":
            word = "no code: a folder without __init__"
        elif name == "usercustomize" and not state["user_site"]["enabled"]:
            word = "not loaded: the user site is off"
        row = {"module": name, "path": file, "realpath": os.path.realpath(file), "form": form}
        rows.append(dict(row, state=word, sha256=sha256(file)))
    return rows


def startup_file(file, kind, muted):
    """Return one .pth or .start file: its hash, and what each of its lines would do."""
    row = {"path": file, "sha256": sha256(file), "lines": []}
    try:
        lines = divided(read(file), kind)
    except (OSError, UnicodeDecodeError) as error:
        return dict(row, problem=str(error))
    for number, text in enumerate(lines, 1):
        text = text.strip() if VERSION >= (3, 15) else text
        if text.strip() and not text.startswith("#"):
            row["lines"].append(classified(number, text, kind, muted, file))
    return row


def divided(raw, kind):
    """Return the lines of a file, decoded and divided as this version's site.py does."""
    if VERSION < (3, 13):
        return re.split("\r\n|\r|\n", raw.decode(locale_encoding()))
    try:
        return raw.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        again = kind == "pth" and raw.decode(locale_encoding())
        return again.splitlines() if again else []


def classified(number, text, kind, muted, file):
    """Return one line with its kind: exec, muted, path, call or invalid."""
    row = {"line": number, "text": text.rstrip()}
    if kind == "start":
        return dict(row, kind="call" if ENTRY_POINT.match(text) else "invalid")
    if text.startswith(("import ", "import\t")):
        followed = [os.path.abspath(match.group(2)) for match in ADDSITEDIR.finditer(text)]
        return dict(row, kind="muted" if muted else "exec", adds=followed)
    target = os.path.abspath(os.path.join(os.path.dirname(file), text.rstrip()))
    return dict(row, kind="path", target=target, exists=os.path.exists(target))


def distributions(request, state):
    """Return what is installed along the path: packaging.python.org, PEP 376, PEP 610."""
    rows, seen = [], set()
    for folder in dict.fromkeys(state["path"]):
        for info in names_in(folder):
            if info.endswith((".dist-info", ".egg-info")):
                name, version = named(folder, info)
                row = {"name": name, "version": version, "location": folder, "info": info}
                url = editable(os.path.join(folder, info, "direct_url.json"))
                rows.append(dict(row, shadowed=name in seen, editable=url, state="not checked"))
                seen.add(name)
    return sorted(rows, key=lambda row: (row["name"], row["shadowed"]))


def named(folder, info):
    """Return the normalised name (PEP 503) and the version of a distribution."""
    name, _, version = info.rpartition(".")[0].partition("-")
    if not version and regular(os.path.join(folder, info, "PKG-INFO")):
        text = read(os.path.join(folder, info, "PKG-INFO")).decode("utf-8", "replace")
        version = (re.findall(r"(?m)^Version:\s*(\S+)", text) or [""])[0]
    return re.sub(r"[-_.]+", "-", name).lower(), re.sub(r"-py\d.*$", "", version) or None


def editable(file):
    """Return the folder of an editable installation, else None."""
    try:
        url = json.loads(read(file).decode("utf-8"))
        return url["url"] if url.get("dir_info", {}).get("editable") else None
    except (OSError, ValueError, KeyError, AttributeError):
        return None


def hooks(request, state):
    """Return the import hooks in order, and what of builtins and sys was replaced."""
    if request.get("derive"):
        return {"meta_path": None, "path_hooks": None}
    import builtins

    names = ("__import__", "open", "compile", "exec")
    odd = [n for n in names if not type(getattr(builtins, n)).__name__.startswith("builtin")]
    for name in ("excepthook", "displayhook", "breakpointhook"):
        odd += [name] if getattr(sys, name) is not getattr(sys, "__%s__" % name) else []
    return {"meta_path": dotted(META_PATH), "path_hooks": dotted(PATH_HOOKS), "replaced": odd}


def dotted(found):
    """Return module.qualname of each hook, or of its class when it is an instance."""
    named = [hook if hasattr(hook, "__qualname__") else type(hook) for hook in found]
    return ["%s.%s" % (hook.__module__, hook.__qualname__) for hook in named]


def loaded_before_main(request, state):
    """Return the modules that were there before line 1; the file of each that is not standard."""
    rows = []
    for name in sorted(() if request.get("derive") else LOADED):
        origin = getattr(getattr(LOADED[name], "__spec__", None), "origin", None) or ""
        standard = origin.startswith(STDLIB + os.sep) and "-packages" not in origin
        foreign = os.path.isabs(origin) and not standard
        rows.append({"module": name, "origin": origin if foreign else None})
    return rows or None


def lookup(request, state):
    """Return what the import system itself knows of the top-level names that were asked for."""
    import _imp

    tops = {name.split(".")[0] for name in request.get("modules", ())}
    files = names_in(STDLIB) + names_in(os.path.join(STDLIB, "lib-dynload"))
    standard = getattr(sys, "stdlib_module_names", {name.split(".")[0] for name in files})
    return {
        "built-in": sorted(tops & set(sys.builtin_module_names)),
        "frozen": sorted(name for name in tops if _imp.is_frozen(name)),
        "stdlib": sorted(tops & set(standard)),
        "loaded": sorted(tops & (set(LOADED) | {"site", "os"})),
    }


FACTS = [interpreter, environment, process, path, startup, distributions]
FACTS += [hooks, loaded_before_main, lookup]


def collect(request):
    """Return the answer. Every key is always there; what could not be read is in `unknown`."""
    facts = {"schema": "unhaunt.probe/1", "derived": bool(request.get("derive")), "unknown": []}
    state = started(request)
    for fact in FACTS:
        try:
            wanted = fact.__name__ not in request.get("without", ())
            facts[fact.__name__] = fact(request, state) if wanted else None
        except Exception as error:
            facts[fact.__name__] = None
            reason = "%s: %s" % (type(error).__name__, error)
            facts["unknown"].append({"fact": fact.__name__, "reason": reason})
    return facts


def main(request):
    """Answer on stdout, or in the file that the caller named."""
    os.environ.update(request.get("restore", {}))  # what Python obeyed, and took away
    request.setdefault("env", dict(os.environ))
    request.setdefault("cwd", os.getcwd())
    line = json.dumps(collect(request), sort_keys=True) + "\n"
    if request.get("report"):
        with io.open(request["report"], "w", encoding="ascii") as file:
            file.write(line)
    else:
        getattr(sys.stdout, "flush", int)()
        with io.open(1, "wb", closefd=False) as file:  # whatever stands for stdout
            file.write((request.get("token", "") + " " + line).lstrip().encode("ascii"))
    if request.get("then"):
        os.execv(request["then"][0], request["then"][1:])


if __name__ == "__main__":
    main(json.loads(globals().get("REQUEST", "{}")))
