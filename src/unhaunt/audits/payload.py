"""Signs of a payload in a piece of startup code. Pure: it is parsed, never run.

The signs are those of startup code that really was hostile (MITRE ATT&CK T1546.018; the wheels
that carried a `.pth` with encoded text): they make a finding worse, and their absence proves
nothing.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator

MOST = 1 << 18  # bytes of one source that are parsed
IN_ALL = 1 << 21  # bytes of all pieces that one rule judges
EACH = 1 << 8  # what a piece costs that has hardly a byte
DEPTH = 4  # of code in strings in code
PARTS = 16  # of a dotted name

_RUNS = frozenset(("exec", "eval", "compile"))
# fmt: off
_DECODES = frozenset((
    "b16decode", "b32decode", "b64decode", "b85decode", "a85decode", "urlsafe_b64decode",
    "standard_b64decode", "decodebytes", "unhexlify", "a2b_base64", "a2b_hex", "fromhex",
    "decompress", "loads", "rot13",
))
_NETWORK = frozenset((
    "socket", "urllib.request", "http.client", "ftplib", "smtplib", "telnetlib", "xmlrpc.client",
    "requests", "httpx", "aiohttp", "urllib3", "pycurl",
))
_READERS = frozenset(("open", "urlopen", "read", "read_text", "read_bytes", "recv"))
# fmt: on
_STARTS = re.compile(
    r"(subprocess|pty|multiprocessing)\.|os\.(system|popen|exec|spawn|posix_spawn|fork)"
)
_ENCODED = re.compile(r"[A-Za-z0-9+/=_\-]{200,}|(?:\\x[0-9a-f]{2}){60,}")
_WHOLE = frozenset(("dict", "dumps", "list", "sorted", "str", "repr", "urlencode", "encode"))


def signs(source: bytes) -> tuple[str, ...]:
    """Return what a piece of code has of a payload, in words, in the order of the alphabet."""
    found = set(_signs(source[:MOST].decode("utf-8", "replace"), 0))
    beyond = len(source) > MOST or is_overlong(source)
    return tuple(sorted(found | ({BEYOND} if beyond else set())))


class Judge:
    """Looks for signs in many pieces of code, each text once, and stops when it was enough."""

    def __init__(self, most: int = IN_ALL) -> None:
        self._left = most
        self._known: dict[bytes, tuple[str, ...]] = {}

    def signs(self, source: bytes) -> tuple[str, ...]:
        """Return the signs in a piece of code; beyond the bound, that it was not judged."""
        if source not in self._known:
            self._left -= min(len(source), MOST) + EACH
            if self._left < 0:
                return (BEYOND,)
            self._known[source] = signs(source)
        return self._known[source]


def _signs(text: str, depth: int) -> Iterator[str]:
    if _ENCODED.search(text):
        yield "a long encoded text"
    tree = _parsed(text)
    if tree is None:
        yield from _in_words(text) if depth == 0 else ()
        return
    nodes = list(ast.walk(tree))
    known = _aliases(nodes)
    decodes = any(_last(node) in _DECODES for node in nodes)
    for node in nodes:
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from (NETWORK for name in _imported(node) if name in _NETWORK)
        elif isinstance(node, ast.Call):
            yield from _of_call(node, known, decodes=decodes)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and depth < DEPTH:
            yield from _signs(node.value, depth + 1) if _is_code(node.value) else ()
    yield from _harvesting(nodes, known)


NETWORK = "it uses the network"
PROCESS = "it starts a process"
DECODED = "it runs decoded text"
ELSEWHERE = "it runs text from elsewhere"
TAKES = "it takes the whole environment"
BEYOND = "too large to be judged to its end"


#: each stretch of a text belongs to one run, and each dot to one part, so all is read once
_RUN = re.compile(rb"(?:[\w. \t\f\x80-\xff]|\\\r?\n)+")
_PART = re.compile(rb"[\w\x80-\xff](?:[ \t\f]|\\\r?\n)*\.")
_PARTS = 100


def is_overlong(source: bytes) -> bool:
    """Tell whether a name has so many parts that parsing it is slow: it takes their square."""
    runs = (run[0] for run in _RUN.finditer(source))
    return any(len(_PART.findall(run)) > _PARTS for run in runs if run.count(b".") > _PARTS)


def _parsed(text: str) -> ast.Module | None:
    if is_overlong(text.encode("utf-8", "replace")):
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text.strip())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _is_code(text: str) -> bool:
    return "(" in text or "import " in text


def _in_words(text: str) -> Iterator[str]:
    """Yield the signs in what this Python cannot parse."""
    words = set(re.findall(r"\w+", text))
    if words & _RUNS and words & _DECODES:
        yield DECODED
    if _STARTS.search(text):
        yield PROCESS


def _imported(node: ast.Import | ast.ImportFrom) -> list[str]:
    names = [alias.name for alias in node.names]
    if isinstance(node, ast.Import):
        return names
    return [node.module or "", *(f"{node.module}.{name}" for name in names)]


def _aliases(nodes: list[ast.AST]) -> dict[str, str]:
    """Return what each name that an import binds stands for."""
    found: dict[str, str] = {}
    for node in nodes:
        if isinstance(node, ast.Import):
            found |= {alias.asname: alias.name for alias in node.names if alias.asname}
        elif isinstance(node, ast.ImportFrom):
            found |= {a.asname or a.name: f"{node.module}.{a.name}" for a in node.names}
    return found


def _of_call(node: ast.Call, known: dict[str, str], *, decodes: bool) -> Iterator[str]:
    name, dotted = _last(node.func), _dotted(node.func, known)
    if name in _RUNS and node.args and not isinstance(node.args[0], ast.Constant):
        yield from [DECODED] if decodes else ()
        inside = {_last(inner) for inner in ast.walk(node.args[0])}
        yield from [ELSEWHERE] if inside & _READERS else ()
    if _STARTS.match(dotted):
        yield PROCESS
    if dotted in ("runpy.run_path", "codecs.decode"):
        yield ELSEWHERE if dotted.startswith("runpy") else DECODED
    module = _text_of(node) if name in ("__import__", "import_module") else None
    if name in ("urlopen", "urlretrieve") or module in _NETWORK:
        yield NETWORK
    if module == "subprocess":
        yield PROCESS


def _text_of(node: ast.Call, index: int = 0) -> str:
    """Return an argument that is a literal string."""
    argument = node.args[index] if len(node.args) > index else None
    is_text = isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    return str(argument.value) if is_text and isinstance(argument, ast.Constant) else ""


def _harvesting(nodes: list[ast.AST], known: dict[str, str]) -> Iterator[str]:
    """Yield a sign when all of `os.environ` is taken; some of it, filtered by name, is not all."""
    filtered = {
        id(node.iter.func)
        for node in nodes
        if isinstance(node, ast.comprehension) and node.ifs and isinstance(node.iter, ast.Call)
    }
    for node in nodes:
        if isinstance(node, ast.Call) and _last(node.func) in _WHOLE:
            whole = [argument for argument in node.args if _dotted(argument, known) == _ENVIRON]
            yield from (TAKES for _ in whole)
        elif _dotted(node, known) in _COPIES and id(node) not in filtered:
            yield TAKES


_ENVIRON = "os.environ"
_COPIES = ("os.environ.items", "os.environ.copy", "os.environ.values")


def _last(node: ast.AST) -> str:
    """Return the last part of a name."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _dotted(node: ast.AST, known: dict[str, str], left: int = PARTS) -> str:
    """Return a name in full: through `import as`, `__import__("os")` and `getattr(os, "x")`."""
    if not left:
        return ""
    if isinstance(node, ast.Attribute):
        return f"{_dotted(node.value, known, left - 1)}.{node.attr}"
    if isinstance(node, ast.Name):
        return known.get(node.id, node.id)
    if isinstance(node, ast.Call) and _last(node.func) == "__import__":
        return _text_of(node)
    if isinstance(node, ast.Call) and _last(node.func) == "getattr" and node.args:
        return f"{_dotted(node.args[0], known, left - 1)}.{_text_of(node, 1)}"
    return ""
