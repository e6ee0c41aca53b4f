"""Comments: those above a fault and on its line, and a text without them.

To the parser a comment is as good as blanks, but not to what looks at lines: how a line ends, whether a line is blank,
which line is the one above. So a fault is explained in a text that has blanks for its comments. All offsets stay.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from dovetail.diagnostics.line_places import line_end, line_start
from dovetail.diagnostics.reported import Reported, line_and_column
from dovetail.lexing.lexemes import lexemes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dovetail.lexing.lexer import Lexer

_CONTENT = re.compile(r"[^\r\n]")
_QUOTES = re.compile(r"[\"'`]")
_BACKTICK = re.compile("`")
_QUOTED = re.compile("`[^`]*`")
_BLANKS = re.compile("  +")
_BACKSLASH = "\\"
_AT_END, _BEFORE = "at the end of this line", "before the comment"


class Comment(NamedTuple):
    """The beginning and end of a comment, in characters from 0."""

    start: int
    end: int


def find_comments(lexer: Lexer, text: str, offset: int) -> list[Comment]:
    """Return the comments of a text before a fault at an offset, and those up to the end of the next line with content.

    What follows a fault may be read as something else than it was meant to be. So a comment there counts only if
    no quotes stand in it, or alone before it: a string may have lost the other ones. Where columns have a meaning, none
    counts there: what is lost before a comment is known from the comment.
    """
    found: list[Comment] = []
    has_layout = lexer.compiled.layout is not None
    end_of_line = line_end(text, offset)
    last = -1  # The end of the next line with content.
    for start, end, terminal, stack, _ in lexemes(lexer, text):
        way = None if terminal is None else lexer.modes.known_transition(stack, terminal)
        is_behind = end > offset
        is_lost = terminal is None and _QUOTES.match(text, start)
        if (is_behind and (has_layout or is_lost)) or start > last > 0:
            break
        if not text[start:end].strip():
            continue
        if way is None or not way.ignored or text[start] == _BACKSLASH:
            if start >= end_of_line and last < 0:
                last = line_end(text, end)
            continue
        quotes = _QUOTES if start < end_of_line or last > 0 else _BACKTICK
        if is_behind and quotes.search(text, start, end):
            break
        found.append(Comment(start, end))
    return found


def without(text: str, comments: Iterable[Comment]) -> str:
    r"""Return a text with blanks for some comments; their line ends stay.

    >>> without("a /* b\nc */ d", [Comment(2, 11)])
    'a     \n     d'
    """
    parts: list[str] = []
    last = 0
    for start, end in comments:
        parts += [text[last:start], _CONTENT.sub(" ", text[start:end])]
        last = end
    return "".join((*parts, text[last:]))


def before_comment(reported: Reported, text: str, bare: str) -> Reported:
    """Return a report about the end of a line as one about what stands before the comment there.

    `bare`: the text with blanks for its comments, whose width no message has. A report about another place than a line
    end stays there.
    """
    start, end = line_start(text, reported.offset), line_end(text, reported.offset)
    if text[start:end] != bare[start:end]:
        quotes = _QUOTED.sub(lambda quote: _BLANKS.sub(" ", quote.group()), reported.message)
        reported = replace(reported, message=quotes)
    place = start + len(bare[start:end].rstrip())
    if place == start or not text[place:end].strip():
        return reported
    told = replace(reported, message=reported.message.replace(_AT_END, _BEFORE))
    if reported.offset < place:
        return told
    line, column = line_and_column(text, place)
    return replace(told, offset=place, line=line, column=column)
