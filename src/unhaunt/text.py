"""The one way in which an untrusted string is shown. Pure: no IO."""

from __future__ import annotations


def printable(text: str) -> str:
    """Escape what a terminal or a log could act on: controls, bidi marks, bytes that are not UTF-8.

    Letters of every script stay as they are; `str.isprintable` says what a letter is. The logs of
    CI services act on `##[name …]`, `##vso[…]`, `##teamcity[…]` anywhere in a line.
    """
    if "##" in text:
        import re

        text = re.sub(r"##(?=\w*\[)", r"#\\x23", text)
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else _escaped(c) for c in text)


def _escaped(char: str) -> str:
    # os.fsdecode keeps an undecodable byte 0xNN as U+DCNN (PEP 383): show the byte.
    if "\udc80" <= char <= "\udcff":
        return f"\\x{ord(char) - 0xDC00:02x}"
    return char.encode("unicode_escape", "surrogatepass").decode("ascii")


def shortened(text: str, most: int = 80) -> str:
    """Return `text` printable and at most `most` characters long."""
    shown = printable(text[: most + 1])  # what is escaped gets no shorter
    return shown if len(shown) <= most else shown[: most - 1] + "…"
