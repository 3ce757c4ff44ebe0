"""The shell's lexer: text to commands, words and redirections, with nothing expanded.

Pure: no IO. Follows POSIX 2.3, 2.7, 2.9 and 2.10, and what bash(1) and zsh(1) add: `<<<`,
`[[ ]]`, `(( ))`. Reserved words are words: what matters is where a command begins.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from unhaunt.envfiles.assignment import Part, Unparsable, merged
from unhaunt.envfiles.grammars.shell_pieces import Word, WordReader


class Redirect(NamedTuple):
    """A redirection; a here-document has its body, and the offset at which that begins."""

    operator: str
    target: Word
    body: str = ""
    start: int = 0


class Simple(NamedTuple):
    """A simple command, and the operator that ends it (`|`, `;`, newline, `)` …)."""

    words: tuple[Word, ...]
    redirects: tuple[Redirect, ...]
    end: str
    since: int = -1  # the first command of the compound one that this one closes


class _Here(NamedTuple):
    """A here-document whose body has not come yet, and where its redirection is kept."""

    redirects: list[Redirect]
    position: int
    delimiter: str


_OPENS = frozenset({"{", "if", "while", "until", "for", "select"})
_CLOSES = frozenset({"}", "fi", "done", "esac"})
_BETWEEN = frozenset({"then", "else", "elif", "do", "!", "time"})
_BEFORE_CASE = _BETWEEN | {"{", "if", "while", "until"}
_OPERATOR = re.compile(r"\|\||&&|\|&|;;&|;;|;&|[;&|()\n]")
_REDIRECT = re.compile(r"(?:\d+|\{\w+\})?(&>>|&>|<<<|<<-|<<|<>|<&|>&|>>|>\||[<>](?!\())")


def commands(text: str) -> tuple[Simple, ...]:
    """Return every simple command of `text`, those inside substitutions too.

    Raises `Unparsable` for an unclosed quote or bracket, and for absurd nesting.
    """
    lexer = _Lexer(text)
    lexer.list_until("")
    return tuple(Simple(tuple(w), tuple(r), end, since) for w, r, end, since in lexer.found)


class _Lexer(WordReader):
    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.found: list[tuple[list[Word], list[Redirect], str, int]] = []
        self.heres: list[_Here] = []

    def substituted(self) -> None:
        heres, self.heres = self.heres, []
        self.list_until(")")
        self.heres = heres + self.heres

    def nested(self, text: str, begin: int) -> None:
        self.enter()
        lexer = _Lexer(text)
        lexer.depth = self.depth
        lexer.list_until("")
        before = len(self.found)
        for words, redirects, end, since in lexer.found:
            moved = [w._replace(start=w.start + begin, end=w.end + begin) for w in words]
            self.found.append((moved, redirects, end, since + before if since >= 0 else -1))
        self.depth -= 1

    def list_until(self, stop: str) -> None:
        """Read commands up to `stop`, which is ")", or "" for the end of the text."""
        self.enter()
        words: list[Word] = []
        redirects: list[Redirect] = []
        opened: list[int] = []
        closed = -1
        parens = cases = 0
        while True:
            self.blank()
            end = self._operator()
            if end is None:
                if self._redirection(redirects):
                    continue
                words.append(self._command_word(words))
                if _is_case(words):
                    cases += 1
                    _nest(words[:-3], opened, len(self.found))
                    opened.append(len(self.found))
                    words.clear()
                    self._patterns()
                elif cases and len(words) == 1 and words[0].lead == "esac":
                    cases -= 1
                continue
            if end == "\n" and len(words) == 2 and words[0].lead == "case":
                continue
            if words or redirects or (closed >= 0 and end in ("|", "|&")):
                since = _nest(words, opened, len(self.found)) if words else closed
                self.found.append((words, redirects, end, since))
                words, redirects = [], []
            closed = -1
            if end == "":
                break
            if end == ")" and not parens and stop:
                self.depth -= 1
                return
            if end == "(":
                opened.append(len(self.found))
            elif end == ")" and parens and opened:
                closed = opened.pop()
            parens += (end == "(") - (end == ")" and parens > 0)
            if cases and end in (";;", ";&", ";;&"):
                self._patterns()
        if stop:
            raise Unparsable("an unclosed bracket")
        self.depth -= 1

    def _operator(self) -> str | None:
        """Return the operator here, "" at the end of the text, None before a word."""
        if self.at >= len(self.text):
            self._bodies()
            return ""
        if self.text.startswith("((", self.at) and self.arithmetic(self.at):
            return ";"
        if self.text.startswith("&>", self.at):
            return None
        operator = _OPERATOR.match(self.text, self.at)
        if operator is None:
            return None
        self.at = operator.end()
        if operator[0] == "\n":
            self._bodies()
        return operator[0]

    def _patterns(self) -> None:
        """Skip `(pattern | pattern)` of a case, up to the commands behind it, or to `esac`."""
        while True:
            self.blank()
            if self.text.startswith("esac", self.at):
                return
            end = self._operator()
            if end is None:
                word = self.word()
                self.at += self.at == word.start
            elif end in (")", ""):
                return

    def _command_word(self, words: list[Word]) -> Word:
        word = self.word()
        if self.at == word.start:
            raise Unparsable("a stray character")
        if word.lead == "[[" and not words:
            return self._test(word)
        return word

    def _test(self, opening: Word) -> Word:
        """Read `[[ … ]]` as one word, since its operators are not the shell's."""
        parts: list[Part] = []
        while True:
            self.blank()
            if self.at >= len(self.text):
                raise Unparsable("an unclosed [[")
            word = self.word()
            if word.lead == "]]":
                return Word(merged(("[[", *parts)), opening.start, "[[")
            parts.extend(word.value)
            self.at += self.at == word.start

    def _redirection(self, redirects: list[Redirect]) -> bool:
        match = _REDIRECT.match(self.text, self.at)
        if match is None:
            return False
        self.at = match.end()
        self.blank()
        redirects.append(Redirect(match[1], self.word()))
        if match[1] in ("<<", "<<-"):
            target = redirects[-1].target
            self.heres.append(_Here(redirects, len(redirects) - 1, target.text or ""))
        return True

    def _bodies(self) -> None:
        """Read the here-documents that were announced on the line that ends here."""
        pending, self.heres = self.heres, []
        for here in pending:
            redirect = here.redirects[here.position]
            start, stop = self.at, self._body_end(here.delimiter, redirect.operator == "<<-")
            here.redirects[here.position] = redirect._replace(
                body=self.text[start:stop], start=start
            )

    def _body_end(self, delimiter: str, dash: bool) -> int:
        while self.at < len(self.text):
            end = self.text.find("\n", self.at)
            end = len(self.text) if end < 0 else end
            line = self.text[self.at : end]
            begin, self.at = self.at, min(end + 1, len(self.text))
            if (line.lstrip("\t") if dash else line) == delimiter:
                return begin
        return self.at


def _nest(words: list[Word], opened: list[int], number: int) -> int:
    """Note what the command opens; return where what it closes began, or -1."""
    since = -1
    if words and words[0].text == "function":
        words = words[2:]
    for word in words:
        if word.text in _OPENS:
            opened.append(number)
        elif word.text in _CLOSES:
            since = opened.pop() if opened else -1
        elif word.text not in _BETWEEN:
            break
    return since


def _is_case(words: list[Word]) -> bool:
    if len(words) < 3 or words[-1].lead != "in" or words[-3].lead != "case":
        return False
    return all(word.text in _BEFORE_CASE for word in words[:-3])
