"""The words of a shell: quotes, expansions and substitutions, with nothing expanded. Pure: no IO.

Follows POSIX 2.2, 2.3 and 2.6, and what bash(1) and zsh(1) add: `$'…'`, arrays, `<( )`; and
`${{ … }}` and `{{ … }}`, which CI systems and templates replace before a shell sees them.
"""

from __future__ import annotations

import abc
import re
from typing import NamedTuple

from unhaunt.envfiles.assignment import Command, Part, Reference, Unparsable, Value, merged

#: deeper nesting than any real script has is refused rather than recursed into
_DEEPEST = 40
#: an arithmetic expression is short; what does not close by then is a subshell
_LONGEST_ARITHMETIC = 400
#: so many `((` that are none: what follows is not looked at again and again
_MOST_SUBSHELLS = 100
_BLANK = re.compile(r"(?:[ \t\r\v\f]|\\\n)+")
_PLAIN = re.compile(r"[^\s;&|()<>\"'`$\\~{]+")
_IN_DOUBLE = re.compile(r"[^\"`$\\]+")
_IN_BRACES = re.compile(r"[^\"'`$\\}]+")
_PARAMETER = re.compile(r"[#!]?(?:env\.)?(\w+|[@*#?$!-])(?:\[[^]\n]*\])?(:?[-=+?](?!\d))?")
_SIMPLE_PARAMETER = re.compile(r"[A-Za-z_]\w*|[0-9@*#?$!-]")
#: no shell's, but CMake puts its commands into strings
_CMAKE = re.compile(r"\$ENV\{(\w+)\}")
_TEMPLATE = re.compile(r"\{\{[^{}\n]*\}\}")
_ANSI_C = re.compile(r"\$'((?:[^'\\]|\\.)*)'", re.DOTALL)
_ARRAY = re.compile(r"\w+\+?=\Z")
_ESCAPES = {
    "n": "\n",
    "t": "\t",
    "r": "\r",
    "a": "\a",
    "b": "\b",
    "e": "\x1b",
    "f": "\f",
    "v": "\v",
}


class Word(NamedTuple):
    """One word: its parts, and the unquoted text that it begins with."""

    value: Value
    start: int  # offset of its first character
    lead: str
    end: int = 0  # offset behind its last character

    @property
    def text(self) -> str | None:
        """Return the word when it is literal text, else None."""
        return (
            "".join(map(str, self.value)) if all(isinstance(p, str) for p in self.value) else None
        )


class WordReader(abc.ABC):
    """Reads words at a place of a text. Commands in substitutions are the subclass's matter."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.depth = 0
        self.subshells = 0  # places where `((` was no arithmetic

    @abc.abstractmethod
    def substituted(self) -> None:
        """Read the commands up to the bracket that ends a substitution."""

    @abc.abstractmethod
    def nested(self, text: str, begin: int) -> None:
        """Read the commands of a text in backquotes that begins at offset `begin`."""

    def enter(self) -> None:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise Unparsable("nested too deeply")

    def blank(self) -> None:
        while True:
            if blank := _BLANK.match(self.text, self.at):
                self.at = blank.end()
            if not self.text.startswith("#", self.at):
                return
            end = self.text.find("\n", self.at)
            self.at = len(self.text) if end < 0 else end

    def arithmetic(self, at: int) -> bool:
        """Skip `(( … ))`; False, and nothing skipped, when it is two subshells."""
        open_ = 0
        if self.subshells > _MOST_SUBSHELLS:
            return False
        for i in range(at, min(len(self.text), at + _LONGEST_ARITHMETIC)):
            open_ += {"(": 1, ")": -1}.get(self.text[i], 0)
            if open_ == 0:
                if self.text[i - 1] != ")":
                    break
                self.at = i + 1
                return True
        self.subshells += 1
        return False

    def word(self) -> Word:
        start = self.at
        parts: list[Part] = []
        lead: str | None = None
        while self.at < len(self.text):
            if plain := _PLAIN.match(self.text, self.at):
                self.at = plain.end()
                parts.append(plain[0])
                continue
            before = self.at
            if lead is None and self.text[before] not in "~{":
                lead = "".join(p for p in parts if isinstance(p, str))
            if not self._piece(parts, start):
                break
        if lead is None:
            lead = "".join(p for p in parts if isinstance(p, str))
        return Word(merged(parts), start, lead, self.at)

    def _piece(self, parts: list[Part], start: int) -> bool:
        """Read one quoted or expanded piece of a word; False at the word's end."""
        char = self.text[self.at]
        if char == "~":
            self._tilde(parts, start)
        elif char == "{":
            self._brace(parts)
        elif char == "\\":
            self._escape(parts)
        elif char == "'":
            self._single(parts)
        elif char == '"':
            self._double(parts)
        elif char == "`":
            self._backtick(parts)
        elif char == "$":
            self._dollar(parts, quoted=False)
        elif char in "<>" and self.text.startswith("(", self.at + 1):
            self._substitution(parts, 2)
        else:
            return char == "(" and self._bracket(parts, start)
        return True

    def _tilde(self, parts: list[Part], start: int) -> None:
        expands = self.at == start or self.text[self.at - 1] in "=:"
        parts.append(Reference("~") if expands else "~")
        self.at += 1

    def _brace(self, parts: list[Part]) -> None:
        template = _TEMPLATE.match(self.text, self.at)
        parts.append(Reference(template[0]) if template else "{")
        self.at += len(template[0]) if template else 1

    def _escape(self, parts: list[Part]) -> None:
        char = self.text[self.at + 1 : self.at + 2]
        self.at += 2
        parts.append("" if char == "\n" else char or "\\")

    def _single(self, parts: list[Part]) -> None:
        end = self.text.find("'", self.at + 1)
        if end < 0:
            raise Unparsable("an unclosed quote")
        parts.append(self.text[self.at + 1 : end])
        self.at = end + 1

    def _double(self, parts: list[Part]) -> None:
        self.at += 1
        while not self.text.startswith('"', self.at):
            if self.at >= len(self.text):
                raise Unparsable("an unclosed quote")
            if plain := _IN_DOUBLE.match(self.text, self.at):
                parts.append(plain[0])
                self.at = plain.end()
            else:
                self._quoted_piece(parts)
        self.at += 1

    def _quoted_piece(self, parts: list[Part]) -> None:
        char = self.text[self.at]
        if char == "`":
            self._backtick(parts)
        elif char == "$":
            self._dollar(parts, quoted=True)
        elif self.text[self.at + 1 : self.at + 2] in tuple('$`"\\\n'):
            self._escape(parts)
        else:
            parts.append("\\")
            self.at += 1

    def _backtick(self, parts: list[Part]) -> None:
        end = self.at + 1
        while not self.text.startswith("`", end):
            if end >= len(self.text):
                raise Unparsable("an unclosed backquote")
            end += 2 if self.text[end] == "\\" else 1
        inner, begin = self.text[self.at + 1 : end], self.at + 1
        parts.append(Command(inner))
        self.at = end + 1
        self.nested(inner, begin)

    def _substitution(self, parts: list[Part], length: int) -> None:
        self.at += length
        begin = self.at
        self.substituted()
        parts.append(Command(self.text[begin : self.at - 1]))

    def _bracket(self, parts: list[Part], start: int) -> bool:
        """Skip an array's elements or a glob's group, both of which belong to the word."""
        before = self.text[start : self.at]
        if not _ARRAY.match(before) and before[-1:] not in tuple("?*+@!"):
            return False
        self.enter()
        self.at += 1
        while not self.text.startswith(")", self.at):
            if self.at >= len(self.text):
                raise Unparsable("an unclosed bracket")
            self.blank()
            word = self.word()
            self.at += self.at == word.start and not self.text.startswith(")", self.at)
        self.at += 1
        self.depth -= 1
        parts.append(Command("…"))
        return True

    def _dollar(self, parts: list[Part], *, quoted: bool) -> None:
        text, at = self.text, self.at
        if text.startswith("${", at):
            self._parameter(parts, quoted=quoted)
        elif cmake := _CMAKE.match(text, at):
            parts.append(Reference(cmake[1]))
            self.at = cmake.end()
        elif text.startswith("$((", at) and self.arithmetic(at + 1):
            parts.append(Command(text[at + 2 : self.at - 1]))
        elif text.startswith("$(", at):
            self._substitution(parts, 2)
        elif not quoted and (ansi := _ANSI_C.match(text, at)):
            parts.append(re.sub(r"\\(.)", lambda m: _ESCAPES.get(m[1], m[1]), ansi[1]))
            self.at = ansi.end()
        elif name := _SIMPLE_PARAMETER.match(text, at + 1):
            parts.append(Reference(name[0]))
            self.at = name.end()
        else:
            # `$"…"` is a translated string: the dollar is no part of it
            parts.append("" if text.startswith('$"', at) and not quoted else "$")
            self.at += 1

    def _parameter(self, parts: list[Part], *, quoted: bool) -> None:
        if template := _TEMPLATE.match(self.text, self.at + 1):
            name = "{{" + template[0][2:-2].strip() + "}}"
            parts.append(Reference(name))
            self.at = template.end()
            return
        match = _PARAMETER.match(self.text, self.at + 2)
        self.at = match.end() if match else self.at + 2
        word = self._braced_word(quoted=quoted)
        if match is None:
            parts.append(Reference("…"))
            return
        operator = match[2] or ("…" if word else "")
        parts.append(Reference(match[1], operator, word))

    def _braced_word(self, *, quoted: bool) -> Value:
        """Read what stands between an operator and its closing brace."""
        self.enter()
        parts: list[Part] = []
        while not self.text.startswith("}", self.at):
            if self.at >= len(self.text):
                raise Unparsable("an unclosed brace")
            if plain := _IN_BRACES.match(self.text, self.at):
                parts.append(plain[0])
                self.at = plain.end()
            elif quoted and self.text[self.at] == "'":
                parts.append("'")
                self.at += 1
            else:
                self._piece(parts, self.at)
        self.at += 1
        self.depth -= 1
        return merged(parts)
