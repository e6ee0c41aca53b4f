"""Cut header: the line of a header that ends before its block, as `if err !=` above a statement.

Where a line end may stand in a condition, or ends the first part of a header, the statements below are read as the
rest of it. The text stops fitting behind them, perhaps only at the brace that ends the block around.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.closing_parts import beginnings
from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import content_after, line_column, line_end, line_start, line_start_above
from dovetail.diagnostics.mistakes.unfinished_line import within_block, words_of_end
from dovetail.diagnostics.reach import fits
from dovetail.lexing.lexemes import last_lexeme
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from dovetail.quotient.machine import Machine
    from dovetail.quotient.right_side import RightSide

_BRACE, _CLOSER = "{", "}"
_LINE = re.compile(
    r"[ \t]*(?:\}?[ \t]*else[ \t]+)?(?P<word>[^\W\d]\w*)\b[^{}\r\n]*(?<![,;{}\s])(?=[ \t]*(?:[\r\n]|\Z))"
)
"""A line without braces, but for one that ends the block above it, that begins with a word."""
_LINE_WITH_BRACES = re.compile(r"[ \t]*(?P<word>[^\W\d]\w*)\b[^\r\n]*(?<!\s)(?=[ \t]*(?:[\r\n]|\Z))")
"""A line that begins with a word, where blocks end with words."""
_BEFORE_CLOSER = re.compile(r"([^\W\d]\w*)[ ]+(\w+)\Z")
"""The word that begins a block, and the one that ends it."""
_FIRST = re.compile(r"\w+|\S")
_NO_CODE = ")]} ))"
"""Signs that fit in a string alone."""
_VAGUE = "expected more"
"""The beginning of a message that does not say what is expected."""
_MOST_ABOVE = 20
"""The most lines above a fault on which the header may stand."""


def find_cut_header(machine: Machine, right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for a header above a fault at an offset, or on its line, which ends before its brace.

    With the least that may follow it, and a block, the line of the fault fits, and the next one. None otherwise.
    """
    mistakes = machine.compiled.mistakes
    if not (machine.brackets.has_blocks or mistakes.goes_on):
        return None
    for begin, end, word, at in _headers(right, text, offset):
        following = content_after(text, end)
        if text.startswith(_BRACE, following):
            continue
        is_deeper = line_column(text, following) > line_column(text, begin)
        closer = mistakes.closed_by.get(word, "") if mistakes.goes_on else _CLOSER
        blocks = _blocks(right, at, text[begin:end], closer)
        begun = [each[: -len(closer)] for each in blocks]
        tried = begun + blocks if is_deeper else blocks + begun
        for stop in (line_end(text, content_after(text, offset)), line_end(text, offset)):
            found = next((each for each in tried if fits(right, at, f"{each}{text[end:stop]}\n")), None)
            last = None if found is None else last_lexeme(right.lexer, text[:end])
            if found is not None and last is not None:
                told = words_of_end(machine, right, at, text[:end], text[last.start : end].strip())
                lost = _BRACE if closer == _CLOSER else _first(found)
                # Behind a word alone a value may be lost as well.
                is_brace = found.strip() == _BRACE and text[begin:end].strip() != word
                is_word = lost.isalpha() and lost in machine.compiled.literals
                if told is None or told.startswith(_VAGUE) or is_brace or is_word:
                    told = f"expected `{lost}` at the end of this line"
                return Hint(end, told, Meant(end, end, found, is_sure=True))
    return None


def _first(closing: str) -> str:
    """Return the first word or sign of a closing.

    >>> _first(" in{}do end")
    'in'
    """
    found = _FIRST.search(closing)
    assert found is not None, "a closing of a header has words"
    return found.group()


def _headers(right: RightSide, text: str, offset: int) -> Iterator[tuple[int, int, str, Configuration]]:
    """Yield the headers without a block above an offset, the nearest first, with their word and what is behind it.

    That is the configuration at the end of the line.
    """
    compiled = right.lexer.compiled
    openers = {word for words in compiled.mistakes.goes_on.values() for word in words}
    words = openers or {word for word in compiled.literals if word is not None and word.isalpha()}
    lines = list(_lines(words, _LINE_WITH_BRACES if openers else _LINE, text, offset))[::-1]
    at: Configuration | None = Configuration((right.stacks.bottom,), right.lexer.start)
    read, found = 0, []
    for begin, end, word in lines:
        before = None if at is None else at.read(right.lexer, right.stacks, text[read:begin])
        at = None if before is None else before.read(right.lexer, right.stacks, text[begin:end])
        read = end
        if before is None or at is None:
            break
        found.append((begin, end, word, before, at))
    for begin, end, word, before, behind in reversed(found):
        if openers or _is_header(right, before, word):
            yield begin, end, word, behind


def _lines(words: Collection[str], line: re.Pattern[str], text: str, offset: int) -> Iterator[tuple[int, int, str]]:
    """Yield where the lines at or above an offset begin and end that begin with a word, with it, the nearest first.

    Only those that end with no sign which begins or ends something.
    """
    start = line_start(text, offset)
    for _ in range(_MOST_ABOVE):
        found = line.match(text, start)
        if found is not None and found["word"] in words:
            yield found.start("word"), found.end(), found["word"]
        if start == 0:
            return
        start = line_start_above(text, start)


def _blocks(right: RightSide, at: Configuration, line: str, closer: str) -> list[str]:
    """Return the least that may follow the begun line of a header, with a block and its closer."""
    ended = at.ended_as(right.lexer, right.stacks, at.lexer.accepted)
    closings = [right.closings.closing(each) for each in (ended, at) if each is not None]
    if closer == _CLOSER:
        blocks = [next(beginnings(closing), "") for closing in closings if closing is not None]
        return [f" {block}" for block in dict.fromkeys(blocks) if _BRACE in block]
    literals = {*right.lexer.compiled.literals}
    blocks = [within_block(right, line, f" {closing}").strip() for closing in closings[:1] if closing is not None]
    return [
        f" {block}"
        for block in blocks
        if (last := _BEFORE_CLOSER.search(block)) and last[2] == closer and last[1] in literals - {closer}
    ]


def _is_header(right: RightSide, at: Configuration, word: str) -> bool:
    """Return whether a word begins the header of a block at a configuration, without parentheses."""
    if fits(right, at, _NO_CODE):
        return False
    return fits(right, at, f"{word} x {{\n{word} x {{\n") or fits(right, at, f"{word} {{\n}}\n{word} {{\n")
