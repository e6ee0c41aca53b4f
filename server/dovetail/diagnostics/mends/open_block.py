"""Open block: a word such as `if` whose `end` is missing, or an `end` that closes nothing.

A word that is never closed makes the parser stop at the end of the text, or at the first statement that may not stand
in the block. Columns show where the block was meant to end: at the first line that is no deeper than the line that
opened it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from dovetail.diagnostics.change import Change, Mend, best_change, mended, named
from dovetail.lexing.lexemes import lexemes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dovetail.diagnostics.fault import Fault
    from dovetail.grammar.mistakes import Mistakes
    from dovetail.quotient.machine import Machine

_TAB = 8
_TWO_WORDS = re.compile(r"\b([^\W\d]\w*)([ \t]+)([^\W\d]\w*)\b")
_MOST_TRIED = 20
"""The most lines before which a block may have been closed."""


class Word(NamedTuple):
    """A word that opens or closes a block, and the line that it is in."""

    offset: int
    text: str
    line: int
    """The offset of the line."""
    blanks: str
    """The blanks before the line's first content."""

    def column(self) -> int:
        """Return the width of the blanks."""
        return len(self.blanks.expandtabs(_TAB))

    def is_first(self) -> bool:
        """Return whether the word is the first of its line."""
        return self.offset == self.line + len(self.blanks)


class OpenBlock(NamedTuple):
    """A block that may lack the word that closes it."""

    opener: Word
    end: int
    """The offset of a line before which it may have been closed."""


def mend_block(machine: Machine, text: str, fault: Fault) -> Mend | None:
    """Return the mend for a block that lacks its end, or for an end that closes nothing; None for neither."""
    if not machine.compiled.mistakes.closed_by:
        return None
    found, strays = find_open_blocks(machine, text)
    for stray in strays:
        # A mistake above a stray word is another one.
        blanks = " " * len(stray.text)
        changes = [Change(stray.offset, stray.offset + len(blanks), blanks)] if stray.offset <= fault.offset else []
        best = best_change(machine, text, changes, fault.offset)
        if best is not None:
            told = "closes nothing" if stray == strays[-1] else "is one too many"
            return mended(named(fault, text, stray.offset, f"`{stray.text}` {told}"), text, best)
    best_mend: Mend | None = None
    # At the end of the text several blocks may be open, of which one closer closes one.
    least = fault.offset - (fault.offset == len(text))
    is_balanced = not found or found[-1].end < len(text)
    for block in found:
        if is_balanced and block.end > fault.offset:
            break
        mend = _closed(machine, text, fault, block, least)
        if mend is not None and (best_mend is None or mend.reach > best_mend.reach):
            best_mend = mend
    return best_mend


def find_open_blocks(machine: Machine, text: str) -> tuple[list[OpenBlock], list[Word]]:
    """Return the blocks that may lack their end, and the closers that may be too many; both are mostly empty.

    Those come first that columns name first.
    """
    mistakes = machine.compiled.mistakes
    closers = frozenset(mistakes.closed_by.values())
    within = {*closers, *(mistakes.goes_on.keys() - mistakes.closed_by.keys())}
    by_words, by_columns = OpenWords(mistakes), OpenWords(mistakes)
    found: list[OpenBlock] = []
    before: Word | None = None
    deeper: list[Word] = []  # Closers in another column than what they close.
    stray: list[Word] = []
    for word in words_of_blocks(machine, text):
        while word.is_first() and by_columns.words and (top := by_columns.words[-1]).line < word.line:
            if word.column() > top.column() or (word.column() == top.column() and word.text in within):
                break
            found.append(OpenBlock(top, word.line))
            by_columns.words.pop()
        by_columns.read(word)
        last = by_words.words[-1] if by_words.words else None
        if not by_words.read(word):
            stray.append(word)
        elif last is not None and word.column() != last.column() and last not in by_words.words[-1:]:
            is_doubled = before is not None and before.line == word.line and before.text == word.text
            deeper += [word] if word.text in closers and (word.is_first() or is_doubled) else []
        before = word
    if stray:
        return [], [*deeper[:_MOST_TRIED], stray[0]]
    if not by_words.words:
        return found[:_MOST_TRIED], []  # A word that is misspelt below one that is too many makes up for it.
    return [*found[:_MOST_TRIED], OpenBlock(by_words.words[-1], len(text))], []


class OpenWords:
    """The words that are open after a part of a text."""

    def __init__(self, mistakes: Mistakes) -> None:
        self.words: list[Word] = []
        self._header: Word | None = None  # The innermost word if its header goes on, as that of a loop up to `do`.
        self._mistakes = mistakes

    def read(self, word: Word) -> bool:
        """Open or close a block by a word; return False for a closer where nothing is open."""
        closed_by, goes_on = self._mistakes.closed_by, self._mistakes.goes_on
        header = self._header
        if header is not None and self.words[-1:] == [header] and header.text in goes_on.get(word.text, ()):
            self._header = None
        elif word.text in closed_by:
            self.words.append(word)
            if any(word.text in openers for ending, openers in goes_on.items() if ending in closed_by):
                self._header = word
        elif word.text in closed_by.values():
            if not self.words:
                return False
            if closed_by[self.words[-1].text] == word.text:
                self.words.pop()
        return True


def find_open_words(machine: Machine, text: str) -> list[Word]:
    """Return the words that open blocks that are open at the end of a text, the innermost last."""
    opened = OpenWords(machine.compiled.mistakes)
    for word in words_of_blocks(machine, text):
        opened.read(word)
    return opened.words


def words_of_blocks(machine: Machine, text: str) -> Iterator[Word]:
    """Yield the first lexeme of each line that the parser sees, and all words that open or close blocks."""
    lexer, mistakes = machine.lexer, machine.compiled.mistakes
    known = {*mistakes.closed_by, *mistakes.closed_by.values(), *mistakes.goes_on}
    line = -1
    for start, end, terminal, stack, _ in lexemes(lexer, text):
        way = None if terminal is None else lexer.modes.known_transition(stack, terminal)
        if way is not None and not way.is_seen(blank=True):
            continue
        begins = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
        word = text[start:end]
        if begins == line and word not in known:
            continue
        content = text[begins : start + 1]
        blanks = content[: len(content) - len(content.lstrip())]
        line = begins
        yield Word(start, word, begins, blanks)


def _closed(machine: Machine, text: str, fault: Fault, block: OpenBlock, least: int) -> Mend | None:
    """Return the mend that closes a block, or that makes one of two words of a header that opened one too many."""
    opener, closer = block.opener, machine.compiled.mistakes.closed_by[block.opener.text]
    line_end = "" if block.end == 0 or text[block.end - 1 : block.end] in ("\n", "\r") else "\n"
    added = f"{line_end}{opener.blanks}{closer}"
    # After some closers an expression follows, as after `until`, and after those of values a comma.
    changes = [Change(block.end, block.end, f"{added}{value}\n") for value in ("", " 0", ",")]
    best = best_change(machine, text, changes, least)
    if best is None:
        return None
    known = machine.compiled.literals
    joined = [
        Change(*pair.span(2), "")
        for pair in _TWO_WORDS.finditer(text, opener.offset, block.end)
        if pair[1] in known and pair[3] in machine.compiled.mistakes.closed_by and pair[1] + pair[3] in known
    ]
    one = best_change(machine, text, joined, best.reach - 1)
    if one is None:
        return mended(named(fault, text, opener.offset, f"`{opener.text}` is never closed by `{closer}`"), text, best)
    words = _words_around(text, one.change)
    message = f"`{words}` opens a further block; perhaps it should be `{''.join(words.split())}`"
    return mended(named(fault, text, one.change.start - len(words.split()[0]), message), text, one)


def _words_around(text: str, gap: Change) -> str:
    """Return the two words around a gap."""
    start, end = gap.start, gap.end
    while start > 0 and (text[start - 1].isalnum() or text[start - 1] == "_"):
        start -= 1
    while end < len(text) and (text[end].isalnum() or text[end] == "_"):
        end += 1
    return text[start:end]
