"""XML: `name`/`value` attributes, elements of a variable's name, property lists. Pure: no IO.

Sources: PyCharm run configurations, roslaunch `<env>` and launch_xml `<set_env>`, launchd.plist(5),
Maven and MSBuild environment elements, Ant `<env key= value=>`. Tags are read one after the other,
so that fragments and broken documents are read too.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from unhaunt.envfiles.assignment import PLAIN, Assignment, Dialect, Effect, Item, variable
from unhaunt.envfiles.reference import value

_TOKEN = re.compile(
    r"""
      <!--(?:[^-]++|-(?!->))*(?:-->|\Z)
    | <!\[CDATA\[(?P<cdata>(?:[^\]]++|\](?!\]>))*)(?:\]\]>|\Z)
    | <(?P<end>/?)(?P<tag>[A-Za-z_][\w:.\-]*+)(?P<attributes>(?:[^<>"']++|"[^"]*+"|'[^']*+')*)>
    | (?P<text>[^<]++)
    | <
    """,
    re.VERBOSE,
)
_ATTRIBUTE = re.compile(r"""([\w:.\-]++)\s*+=\s*+(?:"([^"]*+)"|'([^']*+)')""")
_ROOTS = {"ADD_CONTENT_ROOTS": "content roots", "ADD_SOURCE_ROOTS": "source roots"}


def read(text: str, dialect: Dialect = PLAIN) -> Iterator[Item]:
    """Yield what tags and property lists set."""
    line, waiting, waiting_line, tag = 1, "", 0, ""
    for match in _TOKEN.finditer(text):
        content = match["text"] or match["cdata"]
        if match["tag"]:
            tag = "" if match["end"] else match["tag"]
            yield from _tag(tag, match["attributes"], line)
            if variable(tag):
                waiting, waiting_line = tag, line
        elif content and content.strip() and tag:
            plain = html.unescape(content.strip())
            if tag == "key":
                waiting, waiting_line = variable(plain) or "", line
            elif waiting and tag in ("string", waiting):
                yield Assignment(waiting, waiting_line, value(plain))
                waiting = ""
        line += match[0].count("\n")


def _tag(tag: str, text: str, line: int) -> Iterator[Item]:
    pairs = {m[1]: html.unescape(m[2] or m[3] or "") for m in _ATTRIBUTE.finditer(text)}
    named = pairs.get("name") or pairs.get("key") or pairs.get("Name") or ""
    content = pairs.get("value") or pairs.get("Value") or pairs.get("path") or ""
    name = variable(named)
    if name and content:
        extends = tag.startswith(("append", "prepend"))
        yield Assignment(name, line, value(content), Effect.EXTENDS if extends else Effect.SETS)
    elif named in _ROOTS and content == "true":
        remark = f"the editor puts the {_ROOTS[named]} on PYTHONPATH"
        yield Assignment("PYTHONPATH", line, (), Effect.NOTHING, remark=remark)
