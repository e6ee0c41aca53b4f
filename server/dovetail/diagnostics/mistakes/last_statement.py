"""Last statement: a statement behind one that has to be the last of its block, such as `return` in Lua."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.flaw import find_flaw
from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import line_end, line_start, line_start_above
from dovetail.diagnostics.reach import find_reach, fits
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.quotient.right_side import RightSide

_LEXEME = re.compile(r"[^\W\d]\w*|[^\w\s]")
_FIRST = re.compile(r"([ \t]*)(\w*)")
_COMMA = ","
"""The sign behind a block that is an entry of a table."""
_CONTENT = re.compile(r"[^\r\n]")


def find_last_statement(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for the first lexeme of a line, at an offset, above which a last statement stands; else None.

    Both stand in one column: a statement further to the left may be outside of a block that lacks its end, unless all
    blocks have one.
    """
    mistakes = right.lexer.compiled.mistakes
    lexeme = _LEXEME.match(text, offset)
    start = line_start(text, offset)
    if not mistakes.last or lexeme is None or text[start:offset].strip():
        return None
    above = _statement_above(text, start, text[start:offset], frozenset(mistakes.closed_by.values()))
    is_in_column = above is not None and above[1] in mistakes.last
    above = above if is_in_column else _line_above(text, start)
    if above is None or above[1] not in mistakes.last:
        return None
    begin, word = above
    opened = find_flaw(right.lexer, text[:start])
    if opened is not None and opened.is_open and opened.offset >= begin:
        return None  # It is not finished.
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:begin])
    if at is None or not fits(right, at, f" {text[offset : line_end(text, offset)]}\n"):
        return None
    if not is_in_column and not _goes_further(right, at, text, begin, start):
        return None
    half = text[begin:start].strip()
    if text.startswith(half, offset):
        words = f"`{half}` does not fit here; `{word}` has to be the last statement of its block"
        return Hint(begin, words, Meant(begin, start, _CONTENT.sub(" ", text[begin:start]), is_sure=True))
    words = f"`{lexeme.group()}` does not fit here; `{word}` has to be the last statement of its block"
    return Hint(offset, words, Meant(begin, start, _CONTENT.sub(" ", text[begin:start]), is_sure=True))


def _statement_above(text: str, start: int, blanks: str, closers: frozenset[str]) -> tuple[int, str] | None:
    """Return the offset and first word of the statement above a line that begins with the same blanks.

    `closers`: words that end a block, so that the statement began further above. None if the block began between.
    """
    while start > 0:
        start = line_start_above(text, start)
        found = _FIRST.match(text, start)
        assert found is not None, "the pattern matches the empty text"
        if not text[found.end(1) : line_end(text, start)].strip() or len(found[1]) > len(blanks):
            continue
        if found[1] != blanks:
            return None
        if found[2] and found[2] not in closers:
            return found.end(1), found[2]
    return None


def _goes_further(right: RightSide, at: Configuration, text: str, begin: int, start: int) -> bool:
    """Return whether more of a text fits without a statement above a line than with the end of a block above the line.

    `at`: the configuration where the statement begins.
    """
    without = find_reach(right, at, f" {text[start:]}") + start - 1
    above = text[begin:start]
    words = right.lexer.compiled.mistakes.closed_by.values()
    closers = {f"{above}{closer}{sign}\n" for closer in words for sign in ("", _COMMA)}
    return all(find_reach(right, at, closed + text[start:]) + start - len(closed) < without for closed in closers)


def _line_above(text: str, start: int) -> tuple[int, str] | None:
    """Return the offset and first word of the line with content above a line; None if a sign begins it."""
    begin = line_start(text, len(text[:start].rstrip()))
    found = _FIRST.match(text, begin)
    assert found is not None, "the pattern matches the empty text"
    return (found.end(1), found[2]) if found[2] and begin < start else None
