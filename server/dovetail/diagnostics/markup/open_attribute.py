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
from dovetail.diagnostics.markup.tags import is_in_tag
from dovetail.diagnostics.reach import fits
from dovetail.lexing.lexemes import lexemes
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from dovetail.quotient.right_side import RightSide

_QUOTES = "\"'"
_BREAK = re.compile(r"[\r\n]")
_TAG_ENDS = ("", ">", " />")
"""The ends of a tag that may be lost with the quote."""
_ATTRIBUTE = re.compile(r"(?=\s+(?:[A-Za-z][\w:-]*=[\"'{]|\{\s*\.\.\.))")
_TAG_END = re.compile(r"(?=\s*/?>(?:\S.*</[\w$.:-]*>)?[;,)]*\s*\Z)")
"""The end of the tag, and perhaps its element, before the end of the line."""
_FIRST_TAG_END = re.compile(r"(?=\s*/?(?<![=-])>)")
"""The first end of a tag on a line; `=>` and `->` are none."""
_CODE = re.compile(r"\s[A-Za-z][\w:-]*=\{")
"""The beginning of another attribute's braces, which hold quotes of their own."""
_BEHIND_VALUE = re.compile(r"[\s/>]|\Z")
"""A sign that may stand behind the value of an attribute."""


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
    return _closed(right, text, start, _values(text, start), line_end(text, offset))


def find_open_quote(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for the string in a tag before a fault at an offset that nothing closes; None if there is none.

    A quote in the braces of the next attribute, which was not meant for it, may close it as well.
    """
    start = _opened(right, text, offset) if right.lexer.compiled.mistakes.elements else None
    if start is None:
        return None
    stop = line_end(text, start)
    last = _FIRST_TAG_END.search(text, start + 1, stop)
    values = list(_values(text, start))
    if last is not None:
        # More likely than all of the line.
        values.insert(-1, (text[start + 1 : last.start()], last.start()))
    # All that follows was in the string, so the next line may have a mistake of its own.
    hint = _closed(right, text, start, values, line_end(text, content_after(text, start)))
    return hint or _closed(right, text, start, values, stop)


def _opened(right: RightSide, text: str, offset: int) -> int | None:
    """Return where the string begins that `find_open_quote` is about; None if there is none."""
    start = None
    for lexeme in lexemes(right.lexer, text):
        if lexeme.start >= offset:
            break
        if text[lexeme.start] not in _QUOTES or not text[: lexeme.start].rstrip().endswith("="):
            continue
        is_early = _CODE.search(text, lexeme.start, lexeme.end) and not _BEHIND_VALUE.match(text, lexeme.end)
        if lexeme.terminal is None or (is_early and offset <= line_end(text, lexeme.end)):
            start = lexeme.start
            break
    if start is None:
        return None
    # Behind the sign a value begins, which may have a mode of its own.
    sign = text.rindex("=", 0, start)
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:sign])
    return start if at is not None and is_in_tag(right, at) else None


def _closed(right: RightSide, text: str, start: int, values: Iterable[tuple[str, int]], stop: int) -> Hint | None:
    """Return the hint for the string at an offset if the text fits up to `stop` with one of some values in it."""
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:start])
    for tag_end, (value, end) in product(_TAG_ENDS, values) if at is not None else ():
        string = f"{text[start]}{value}{text[start]}{tag_end}"
        if tag_end and not _BREAK.match(text, end):
            continue  # The rest of the line ends the tag.
        if at is not None and fits(right, at, string + text[end:stop]):
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
