"""Which names the standard library has, and which of them a file can never take. Data.

Each key is a range of minor versions of Python 3, as `FIRST-LAST`. Taken from CPython 3.8 to
3.15: `sys.stdlib_module_names` (3.8 and 3.9: the files of Lib) with the names of the other
systems and `test`; `sys.builtin_module_names` of the smallest build; `_imp.is_frozen`.
`tests/test_stdlib_names.py` compares it with the interpreters at hand.
"""

from __future__ import annotations

from typing import NamedTuple

FIRST, LAST = 8, 15

#: every top-level name
STANDARD = {
    "8-8": "_dummy_thread dummy_threading",
    "8-9": "_bootlocale formatter parser symbol",
    "8-10": "binhex",
    "8-11": "_sha256 _sha512 asynchat asyncore distutils imp smtpd",
    "8-12": (
        "_crypt _msi aifc audioop cgi cgitb chunk crypt imghdr lib2to3 mailcap msilib nis nntplib "
        "ossaudiodev pipes sndhdr spwd sunau telnetlib uu xdrlib"
    ),
    "8-13": "_compression",
    "8-14": "sre_compile sre_constants sre_parse",
    "8-15": (
        "__future__ _abc _ast _asyncio _bisect _blake2 _bz2 _codecs _codecs_cn _codecs_hk "
        "_codecs_iso2022 _codecs_jp _codecs_kr _codecs_tw _collections _collections_abc "
        "_compat_pickle _contextvars _csv _ctypes _curses _curses_panel _datetime _dbm _decimal "
        "_elementtree _functools _gdbm _hashlib _heapq _imp _io _json _locale _lsprof _lzma "
        "_markupbase _md5 _multibytecodec _multiprocessing _opcode _operator _osx_support "
        "_overlapped _pickle _posixshmem _posixsubprocess _py_abc _pydecimal _pyio _queue _random "
        "_scproxy _sha1 _sha3 _signal _sitebuiltins _socket _sqlite3 _sre _ssl _stat _statistics "
        "_string _strptime _struct _symtable _thread _threading_local _tkinter _tracemalloc _uuid "
        "_warnings _weakref _weakrefset _winapi abc antigravity argparse array ast asyncio atexit "
        "base64 bdb binascii bisect builtins bz2 cProfile calendar cmath cmd code codecs codeop "
        "collections colorsys compileall concurrent configparser contextlib contextvars copy "
        "copyreg csv ctypes curses dataclasses datetime dbm decimal difflib dis doctest email "
        "encodings ensurepip enum errno faulthandler fcntl filecmp fileinput fnmatch fractions "
        "ftplib functools gc genericpath getopt getpass gettext glob grp gzip hashlib heapq hmac "
        "html http idlelib imaplib importlib inspect io ipaddress itertools json keyword "
        "linecache locale logging lzma mailbox marshal math mimetypes mmap modulefinder msvcrt "
        "multiprocessing netrc nt ntpath nturl2path numbers opcode operator optparse os pathlib "
        "pdb pickle pickletools pkgutil platform plistlib poplib posix posixpath pprint profile "
        "pstats pty pwd py_compile pyclbr pydoc pydoc_data pyexpat queue quopri random re "
        "readline reprlib resource rlcompleter runpy sched secrets select selectors shelve shlex "
        "shutil signal site smtplib socket socketserver sqlite3 ssl stat statistics string "
        "stringprep struct subprocess symtable sys sysconfig syslog tabnanny tarfile tempfile "
        "termios test textwrap this threading time timeit tkinter token tokenize trace traceback "
        "tracemalloc tty turtle turtledemo types typing unicodedata unittest urllib uuid venv "
        "warnings wave weakref webbrowser winreg winsound wsgiref xml xmlrpc zipapp zipfile "
        "zipimport zlib"
    ),
    "9-9": "_peg_parser",
    "9-11": "_bootsubprocess",
    "9-15": "_aix_support _zoneinfo graphlib zoneinfo",
    "10-15": "_frozen_importlib _frozen_importlib_external",
    "11-15": "_tokenize _typing tomllib",
    "12-15": "_pydatetime _pylong _sha2",
    "13-15": (
        "_android_support _colorize _interpchannels _interpqueues _interpreters _ios_support "
        "_opcode_metadata _pyrepl _suggestions _sysconfig _wmi"
    ),
    "14-15": (
        "_apple_support _ast_unparse _hmac _py_warnings _remote_debugging _types _zstd "
        "annotationlib compression"
    ),
    "15-15": "_math_integer profiling",
}

#: compiled into the interpreter: always found before a file
BUILT_IN = {
    "8-15": (
        "_abc _ast _codecs _collections _functools _imp _io _locale _operator _signal _sre _stat "
        "_string _symtable _thread _tracemalloc _warnings _weakref _winapi atexit builtins errno "
        "faulthandler gc itertools marshal msvcrt nt posix pwd sys time winreg"
    ),
    "9-9": "_peg_parser",
    "11-15": "_tokenize",
    "12-15": "_typing",
    "13-15": "_suggestions _sysconfig",
    "14-15": "_types",
}

#: served by FrozenImporter before the path is looked at
FROZEN = {
    "8-15": "zipimport",
    "10-15": "_frozen_importlib _frozen_importlib_external",
    "11-15": (
        "_collections_abc _sitebuiltins abc codecs genericpath io ntpath os posixpath runpy site "
        "stat"
    ),
    "15-15": "linecache",
}

#: imported before the first line whatever the flags, -S included
LOADED = {
    "8-10": "abc codecs encodings io",
    "11-15": "encodings",
}


def names_of(minor: int) -> frozenset[str]:
    """Return the top-level names of the standard library of Python 3.`minor`."""
    spans = {span: tuple(map(int, span.split("-"))) for span in STANDARD}
    named = (STANDARD[span] for span, (first, last) in spans.items() if first <= minor <= last)
    return frozenset(name for names in named for name in names.split())


def minor_versions(name: str, table: dict[str, str]) -> frozenset[int]:
    """Return the minor versions of Python 3 for which `table` lists `name`."""
    found: set[int] = set()
    for span, names in table.items():
        if name in names.split():
            first, last = map(int, span.split("-"))
            found.update(range(first, last + 1))
    return frozenset(found)


class Standing(NamedTuple):
    """What the standard library does to a file of the same name, by minor version."""

    replaced: frozenset[int]  # the file is taken instead
    kept: frozenset[int]  # the file can never be imported under its name
    because: str  # of those: "built-in", "frozen", "already loaded"


def standing(name: str, allowed: frozenset[int]) -> Standing:
    """Say for each of the `allowed` minor versions whether a file `name` would be taken."""
    known = minor_versions(name, STANDARD) & allowed
    built_in = minor_versions(name, BUILT_IN) & known
    frozen = minor_versions(name, FROZEN) & known
    loaded = minor_versions(name, LOADED) & known
    kept = built_in | frozen | loaded
    because = "built-in" if built_in else "frozen" if frozen else "already loaded"
    return Standing(known - kept, kept, because)
