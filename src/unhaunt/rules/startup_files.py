"""UH101-UH105: files by which a repository would have its code run before the first line.

The shared part judges every candidate once for a run; each rule then takes what is its own.
"""

from __future__ import annotations

import functools
import posixpath
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from unhaunt import startup
from unhaunt.digest import sha256
from unhaunt.importing.importable import is_startup_module, module, startup_folder
from unhaunt.importing.liveness import Liveness, liveness
from unhaunt.inventory import Content, Entry, Flag, Inventory, Visibility
from unhaunt.rule import Finding, NotChecked, Rule, Severity
from unhaunt.text import printable, shortened
from unhaunt.versions import only_on

_SUFFIXES = (".pth", ".start", "._pth", "pyvenv.cfg")
_WORDS = ("sitecustomize", "usercustomize")
_INIT_SUFFIXES = (".py", ".pyc", ".so", ".abi3.so", ".pyd")


class Judged(NamedTuple):
    """What is to be said of one path, under one code."""

    code: str
    finding: Finding


def startup_module(inventory: Inventory) -> Iterator[Finding | NotChecked]:
    """Modules that Python imports by itself, before your program starts.

    What it finds: a file or a link by which `import sitecustomize` or `import usercustomize`
    would run code: `.py`, a package with an `__init__` in any form, an extension module, a `.pyc`
    without its source; tracked, staged, untracked, ignored or inside a nested repository. The
    message says whether it is live (a tracked env file, `.pth` or `._pth`, or an editable
    install, puts its folder on the path: named) or dormant.

    Why it matters: `site` imports these names in every Python that has their folder on its path.
    One such file changes what all later commands do, tests included, on the machines that have it
    and on no other. It can also end every Python program at its first instruction.

    What to do instead: import the code from the program that needs it. For coverage of child
    processes, coverage 7.10 and newer bring their own `.pth` (`[run] patch = subprocess`).

    What it does not find: modules that only a `.pth` or another startup file imports, a startup
    module inside a zip, what lies in an environment (`unhaunt check check-interpreter` looks
    there).
    """
    return _of("UH101", inventory)


def pth_code(inventory: Inventory) -> Iterator[Finding | NotChecked]:
    """`.pth` files with a line that Python executes.

    What it finds: a `.pth` with a line that Python 3.8 to 3.15 would execute, judged by the rules
    of each version; the message names the versions when not all of them would.

    Why it matters: such a line runs at every start of every Python that has the file in its
    site-packages, `-I` included. It is how hijacked packages ran without being imported.

    What to do instead: import the code where it is needed; to make a package importable,
    `python -m pip install -e .`.

    What it does not find: code behind the first byte that is not UTF-8 (no Python with a UTF-8
    locale gets past it), files of an environment.
    """
    return _of("UH102", inventory)


def pth_path(inventory: Inventory) -> Iterator[Finding | NotChecked]:
    """`.pth` files that put folders on the path.

    What it finds: a `.pth` with a line that names an existing folder or zip, is absolute, or climbs
    with `..`; it says when the place is outside the repository. Other text is information.

    Why it matters: installed into a site-packages, it puts that place on `sys.path` of every
    program.

    What to do instead: `python -m pip install -e .` writes a `.pth` into the environment, where it
    belongs.

    What it does not find: weights and other binary files with this ending, empty files, comments,
    Git LFS pointers: they do nothing.
    """
    return _of("UH103", inventory)


def start_entry_point(inventory: Inventory) -> Iterator[Finding | NotChecked]:
    """`.start` files that have Python 3.15 call a function at every start (PEP 829).

    What it finds: a `.start` file with a valid `module:function` line, or one that would silence
    the `.pth` of the same name beside it.

    Why it matters: Python 3.15 and newer call each entry point at start, `-I` included. Earlier
    ones ignore the file, so the Python that runs the tests today says nothing about tomorrow's.

    What to do instead: call the function from the program that needs it.

    What it does not find: scripts that happen to be called `.start`: no line of theirs is an entry
    point.
    """
    return _of("UH104", inventory)


def path_override(inventory: Inventory) -> Iterator[Finding | NotChecked]:
    """Files beside an interpreter that decide its whole path.

    What it finds: `python*._pth`, `NAME._pth` beside an executable NAME, and a `pyvenv.cfg` that is
    tracked: an environment that was committed.

    Why it matters: a `._pth` replaces `sys.path` and defeats `-I` and `-S`, on Linux too since
    3.11. A committed environment names folders of the machine that made it.

    What to do instead: keep environments and embedded interpreters out of the repository; download
    or create them in the build.

    What it does not find: an untracked environment (it is passed over and counted).
    """
    return _of("UH105", inventory)


RULES = (
    Rule(
        "UH101", "startup-module", Severity.ERROR,
        "a `sitecustomize` or `usercustomize` in any form that Python can load",
        "move the code to the program that needs it, then: {remove}", startup_module,
    ),
    Rule(
        "UH102", "pth-code", Severity.ERROR, "a `.pth` line that some Python would execute",
        "remove the line, or the file: {remove}", pth_code,
    ),
    Rule(
        "UH103", "pth-path", Severity.ERROR, "a `.pth` line that puts a folder on the path",
        "install the project instead (python -m pip install -e .), then: {remove}",
        pth_path,
    ),
    Rule(
        "UH104", "start-entry-point", Severity.ERROR,
        "a `.start` file (PEP 829) with an entry point, or that silences a `.pth`",
        "call the function from the program, and remove the file: {remove}", start_entry_point,
    ),
    Rule(
        "UH105", "path-override", Severity.ERROR,
        "a `._pth` file of an interpreter, or a committed environment",
        "keep interpreters and environments out of the repository: git rm --cached -f -- {path}",
        path_override,
    ),
)  # fmt: skip


def _of(code: str, inventory: Inventory) -> Iterator[Finding | NotChecked]:
    found, not_checked = judged(inventory)
    if code == "UH102":
        yield from not_checked
    for item in found:
        if item.code == code:
            yield item.finding


@functools.lru_cache(maxsize=1)
def judged(inventory: Inventory) -> tuple[tuple[Judged, ...], tuple[NotChecked, ...]]:
    """Judge every startup file of the repository: what is found, and what could not be read."""
    entries = inventory.select(_SUFFIXES, _WORDS)
    names = frozenset(entry.path for entry in entries)
    found: list[Judged] = []
    not_checked: list[NotChecked] = []
    for entry in entries:
        for item in _judge(inventory, entry, names):
            if isinstance(item, NotChecked):
                not_checked.append(item)
            else:
                found.append(item)
    return tuple(_completed(inventory, found)), tuple(not_checked)


def _judge(
    inventory: Inventory, entry: Entry, names: frozenset[str]
) -> Iterable[Judged | NotChecked]:
    if _is_startup_module(inventory, entry, names):
        return [Judged("UH101", Finding(entry, _module_words(inventory, entry)))]
    if entry.path.endswith("._pth"):
        return _judge_override(inventory, entry)
    if entry.path.endswith(".pth"):
        return _judge_pth(inventory, entry)
    if entry.path.endswith(".start"):
        return _judge_start(inventory, entry, names)
    if entry.name == "pyvenv.cfg" and entry.in_commit:
        words = "a committed virtual environment: it names folders of the machine that made it"
        return [Judged("UH105", Finding(entry, words))]
    return ()


def _is_startup_module(inventory: Inventory, entry: Entry, names: frozenset[str]) -> bool:
    if entry.name in _WORDS:  # a link to a package, which git and we see as one path
        inits = (f"{entry.path}/__init__{suffix}" for suffix in _INIT_SUFFIXES)
        return any(map(inventory.kind_on_disk, inits)) or not inventory.kind_on_disk(entry.path)
    if not is_startup_module(entry.path):
        return False
    if entry.path.endswith(".pyc"):
        source = entry.path[:-1]
        return source not in names or inventory.kind_on_disk(source) == "folder"
    # What the commit has is a file, whatever has taken its place on disk.
    return entry.mode in ("100644", "100755") or inventory.kind_on_disk(entry.path) != "folder"


def _module_words(inventory: Inventory, entry: Entry) -> str:
    found = module(entry.path)
    form = "a startup module"
    if found and found.is_package:
        form = "a startup package"
    elif found and found.is_extension:
        form = "a compiled startup module"
    elif entry.path.endswith(".pyc"):
        form = "a startup module as bytecode without a source"
    if entry.mode == "120000" or (entry.oid is None and not found):
        form += ", as a link"
    return f"{form}: Python imports it before the first line of any program"


def _judge_pth(inventory: Inventory, entry: Entry) -> Iterator[Judged | NotChecked]:
    """Judge each content; of several, the first one with something to say stands for all."""
    contents = inventory.contents(entry)
    if not contents:
        yield from _unread(inventory, entry)
    code = next(filter(None, (_pth_code(entry, content) for content in contents)), None)
    paths = list(filter(None, (_pth_paths(inventory, entry, content) for content in contents)))
    telling = [item for item in paths if item.finding.severity is None]
    if code:
        yield code
    if found := telling or (paths if not code else []):
        yield found[0]
    if not code and any(not c.complete and _is_text(c.data) for c in contents):
        yield NotChecked(entry.path, "text, and longer than the 4 MiB that are read of it")


def _unread(inventory: Inventory, entry: Entry) -> Iterator[NotChecked]:
    """Name a file outside the commit that somebody else could read: Python passes it over here."""
    if not entry.in_commit and inventory.kind_on_disk(entry.path) == "file":
        yield NotChecked(entry.path, "it cannot be read")


def _is_text(data: bytes) -> bool:
    try:
        data[: len(data) - 4].decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start >= len(data) - 8
    return True


def _pth_code(entry: Entry, content: Content) -> Judged | None:
    lines = startup.pth(content.data, entry.name).executed
    if not lines:
        return None
    first = lines[0]
    more = f" and {len(lines) - 1} more" if len(lines) > 1 else ""
    message = (
        f"an executable .pth line{more}, run at every start of Python{only_on(first.minors)}: "
        f"{shortened(first.text)} (sha256 {sha256(content.data)}{_place(content)})"
    )
    return Judged("UH102", Finding(entry, message, first.number))


def _place(content: Content) -> str:
    return ", in the index only" if content.where == "index" and not content.complete else ""


def _pth_paths(inventory: Inventory, entry: Entry, content: Content) -> Judged | None:
    lines = startup.pth(content.data, entry.name).paths
    if startup.is_lfs_pointer(content.data) or not _is_text(content.data) or not lines:
        return None
    lines = tuple(line._replace(text=line.text.strip()) for line in lines)  # as 3.15 has it
    telling = [line for line in lines if _leads_somewhere(inventory, entry, line.text)]
    if not telling:
        message = f"a .pth line that names nothing here: {shortened(lines[0].text)}"
        return Judged("UH103", Finding(entry, message, lines[0].number, Severity.INFO))
    more = f" and {len(telling) - 1} more" if len(telling) > 1 else ""
    outside = next((line for line in telling if _leaves(entry, line.text)), None)
    line = outside or telling[0]
    leaves = ", which is outside the repository" if outside else ""
    message = f"a .pth line{more} that puts {shortened(line.text)} on sys.path{leaves}"
    return Judged("UH103", Finding(entry, message, telling[0].number))


def _leads_somewhere(inventory: Inventory, entry: Entry, text: str) -> bool:
    if _leaves(entry, text) or ".." in re.split(r"[/\\]", text):
        return True
    kind = inventory.kind_on_disk(posixpath.join(entry.folder, text)) if "\0" not in text else None
    return kind == "folder" or (kind == "file" and text.endswith((".zip", ".egg", ".pyz", ".whl")))


def _leaves(entry: Entry, text: str) -> bool:
    if text.startswith("/") or re.match(r"[A-Za-z]:[/\\]|\\\\", text):
        return True
    return posixpath.normpath(posixpath.join(entry.folder, text)).split("/")[0] == ".."


def _judge_start(
    inventory: Inventory, entry: Entry, names: frozenset[str]
) -> Iterator[Judged | NotChecked]:
    sibling = entry.path[: -len(".start")] + ".pth"
    contents = inventory.contents(entry)
    if not contents:
        yield from _unread(inventory, entry)
    for content in contents:
        start = startup.start(content.data, entry.name)
        if start.entry_points:
            first = start.entry_points[0]
            more = f" and {len(start.entry_points) - 1} more" if len(start.entry_points) > 1 else ""
            message = (
                f"a start-up entry point{more} (Python >= 3.15 calls it at every start): "
                f"{shortened(first.text)} (sha256 {sha256(content.data)})"
            )
            yield Judged("UH104", Finding(entry, message, first.number))
            return
        if start.readable and sibling in names and _runs_code(inventory, sibling):
            message = f"silences the import lines of {printable(sibling)} on Python >= 3.15"
            yield Judged("UH104", Finding(entry, message, 1))
            return


def _runs_code(inventory: Inventory, path: str) -> bool:
    return any(
        startup.pth(content.data, path.rpartition("/")[2]).executed
        for entry in inventory.entries([path])
        for content in inventory.contents(entry)
    )


def _judge_override(inventory: Inventory, entry: Entry) -> Iterator[Judged]:
    stem = entry.path[: -len("._pth")]
    beside = inventory.kind_on_disk(stem) or inventory.kind_on_disk(stem + ".exe")
    if entry.name.startswith("python") or beside == "file":
        message = "decides the whole sys.path of the interpreter beside it, -I and -S included"
        if any(startup.imports_site(content.data) for content in inventory.contents(entry)):
            message += "; its `import site` line re-enables the user site"
        yield Judged("UH105", Finding(entry, message))


def _completed(inventory: Inventory, found: list[Judged]) -> Iterator[Judged]:
    """Add what is known only of findings: live or dormant, folded away, known patterns."""
    if not found:
        return
    folded = inventory.attributes(item.finding.entry.path for item in found)
    for item in found:
        finding = item.finding
        entry = _with_flag(finding.entry, folded.get(finding.entry.path, {}))
        state = _state(inventory, item.code, entry)
        finding = finding._replace(entry=entry, state=state.word if state else None)
        if state:
            finding = finding._replace(message=f"{finding.message}; {state.words}")
        excuse = _excuse(inventory, entry, state)
        if excuse:
            message = f"{finding.message}; {excuse}"
            finding = finding._replace(severity=Severity.INFO, message=message)
        yield item._replace(finding=finding._replace(hint=_hint(inventory, item.code, entry)))


def _excuse(inventory: Inventory, entry: Entry, state: Liveness | None) -> str | None:
    """Say why a finding is information only."""
    if entry.visibility is Visibility.SUBMODULE:
        return "it is in the submodule's own commit"
    dormant = state is not None and not state.live
    if entry.visibility is Visibility.IGNORED and dormant and inventory.is_installed(entry.path):
        return "equal to the RECORD of the package that it belongs to"
    return None


def _with_flag(entry: Entry, attributes: dict[str, str]) -> Entry:
    folds = attributes.get("diff") == "unset" or attributes.get("linguist-generated") in (
        "set",
        "true",
    )
    return entry._replace(flags=(*entry.flags, Flag.FOLDED_BY_ATTRIBUTE)) if folds else entry


def _state(inventory: Inventory, code: str, entry: Entry) -> Liveness | None:
    if code == "UH101":
        return liveness(inventory, startup_folder(entry.path))
    if code == "UH105":
        return None
    return Liveness(False, "dormant: it acts when it lies in a site-packages")


_COVERAGE = rb"process_startup\s*\("


def _hint(inventory: Inventory, code: str, entry: Entry) -> str | None:
    if code == "UH101" and any(re.search(_COVERAGE, c.data) for c in inventory.contents(entry)):
        return (
            "coverage 7.10 and newer measure child processes without it "
            "([run] patch = subprocess): {remove}"
        )
    if entry.visibility in (Visibility.UNTRACKED, Visibility.IGNORED):
        return "look at what put it there, then: {remove}"
    return None
