"""Open attribute: one whose string lacks its last quote, so that it takes in the lines up to the next quote.

In a tag a string may have line ends. So what is in the next quotes is read as names, and stops fitting behind them.
"""

from __future__ import annotations

import re
from itertools import product
from typing import TYPE_CHECKING

from dovetail.diagnostics.broken_lexeme import shortened
from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import content_after, line_end
from dovetail.diagnostics.reach import fits
from dovetail.lexing.lexemes import lexemes
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dovetail.quotient.right_side import RightSide

_QUOTES = "\"'"
_BREAK = re.compile(r"[\r\n]")
_TAG_ENDS = ("", ">", " />")
"""The ends of a tag that may be lost with the quote."""
_ATTRIBUTE = re.compile(r"(?=\s+(?:[A-Za-z][\w:-]*=[\"'{]|\{\s*\.\.\.))")
_TAG_END = re.compile(r"(?=\s*/?>(?:\S.*</[\w$.:-]*>)?[;,)]*\s*\Z)")
"""The end of the tag, and perhaps its element, before the end of the line."""


def find_open_attribute(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for the last string of several lines above a fault in a tag, if the text fits with an end.

    It ends on its first line. None if there is no such string.
    """
    if not right.lexer.compiled.mistakes.elements:
        return None
    start = None
    for lexeme in lexemes(right.lexer, text):
        if lexeme.start > offset:
            break
        is_value = text[lexeme.start] in _QUOTES and text[: lexeme.start].rstrip().endswith("=")
        if is_value and _BREAK.search(text, lexeme.start, lexeme.end):
            start = lexeme.start
    if start is None:
        return None
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:start])
    stops = (line_end(text, content_after(text, offset)), line_end(text, offset))
    for tag_end, (value, end) in product(_TAG_ENDS, _values(text, start)) if at is not None else ():
        string = f"{text[start]}{value}{text[start]}{tag_end}"
        if tag_end and not _BREAK.match(text, end):
            continue  # The rest of the line ends the tag.
        if at is not None and any(fits(right, at, string + text[end:stop]) for stop in stops):
            words = f"`{text[start]}` is never closed"
            words += f"; write `={string}`" if shortened(string) == string and "`" not in string else ""
            return Hint(start, words, Meant(start, end, string, is_sure=True))
    return None


def _values(text: str, start: int) -> Iterator[tuple[str, int]]:
    """Yield what a string that begins at an offset may hold, and where it ends on its line, the likeliest first."""
    stop = line_end(text, start)
    line = text[start + 1 : stop]
    for found in (_ATTRIBUTE.search(line), _TAG_END.search(line)):
        if found is not None:
            yield line[: found.start()], start + 1 + found.start()
    value = line.rstrip()
    if value.endswith(tuple(_QUOTES)):
        yield value[:-1], start + 1 + len(value)  # The other kind of quotes.
    yield value, start + 1 + len(value)
