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

MOST = 1 << 20  # bytes of one source that are parsed
DEPTH = 4  # of code in strings in code

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
# fmt: on
_STARTS = re.compile(
    r"(subprocess|pty|multiprocessing)\.|os\.(system|popen|exec|spawn|posix_spawn|fork)"
)
_ENCODED = re.compile(r"[A-Za-z0-9+/=_\-]{200,}|(?:\\x[0-9a-f]{2}){60,}")
_WHOLE = frozenset(("dict", "dumps", "list", "sorted", "str", "repr", "urlencode", "encode"))


def signs(source: bytes) -> tuple[str, ...]:
    """Return what a piece of code has of a payload, in words, in the order of the alphabet."""
    return tuple(sorted(set(_signs(source[:MOST].decode("utf-8", "replace"), 0))))


def _signs(text: str, depth: int) -> Iterator[str]:
    if _ENCODED.search(text):
        yield "a long encoded text"
    tree = _parsed(text)
    if tree is None:
        yield from _in_words(text) if depth == 0 else ()
        return
    nodes = list(ast.walk(tree))
    decodes = any(_name(node) in _DECODES for node in nodes)
    for node in nodes:
        yield from _of_node(node, decodes=decodes)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and depth < DEPTH:
            yield from _signs(node.value, depth + 1) if _is_code(node.value) else ()
    yield from _harvesting(nodes)


def _parsed(text: str) -> ast.Module | None:
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
        yield "it runs decoded text"
    if _STARTS.search(text):
        yield "it starts a process"


def _of_node(node: ast.AST, *, decodes: bool) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from ("it uses the network" for a in node.names if a.name in _NETWORK)
    elif isinstance(node, ast.ImportFrom):
        names = {node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)}
        yield from ("it uses the network" for _ in names & _NETWORK)
    elif isinstance(node, ast.Call):
        yield from _of_call(node, decodes=decodes)


def _of_call(node: ast.Call, *, decodes: bool) -> Iterator[str]:
    name = _name(node.func)
    computed = bool(node.args) and not isinstance(node.args[0], ast.Constant)
    if name in _RUNS and computed and decodes:
        yield "it runs decoded text"
    if _STARTS.match(_dotted(node.func)):
        yield "it starts a process"
    if name in ("__import__", "import_module") and _text_of(node) in _NETWORK:
        yield "it uses the network"
    if name in ("__import__", "import_module") and _text_of(node) == "subprocess":
        yield "it starts a process"


def _text_of(node: ast.Call) -> object:
    first = node.args[0] if node.args else None
    return first.value if isinstance(first, ast.Constant) else None


def _harvesting(nodes: list[ast.AST]) -> Iterator[str]:
    """Yield a sign when all of `os.environ` is taken; some of it, filtered by name, is not all."""
    filtered = {
        id(comprehension.iter.func)
        for comprehension in nodes
        if isinstance(comprehension, ast.comprehension) and comprehension.ifs
        if isinstance(comprehension.iter, ast.Call)
    }
    for node in nodes:
        if isinstance(node, ast.Call) and _name(node.func) in _WHOLE:
            yield from (TAKES for argument in node.args if _dotted(argument) == "os.environ")
        elif _dotted(node) in _COPIES and id(node) not in filtered:
            yield TAKES


_COPIES = ("os.environ.items", "os.environ.copy", "os.environ.values")
TAKES = "it takes the whole environment"


def _name(node: ast.AST) -> str:
    """Return the last part of a name."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _dotted(node: ast.AST) -> str:
    if isinstance(node, ast.Attribute):
        return f"{_dotted(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""
