"""Lost line below: a line that goes on in its own column, as a decorator does, above a line that is further left.

What stands further left is right by itself. Only the line between the two is lost.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import content_after, content_at, line_column, line_end, line_start
from dovetail.diagnostics.reach import fits
from dovetail.diagnostics.shortlist import shortlist
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.quotient.right_side import RightSide

_STATEMENT = "0\n"
"""The shortest statement."""
_WORD = re.compile(r"`\w+`")
_SIGN = re.compile(r"\w+|[^\w\s]")


def find_lost_line_below(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for the line above a fault where a line of the same column is lost below it; None for others.

    With the shortest such line, the word or sign at the fault fits. None where columns mean nothing.
    """
    compiled = right.lexer.compiled
    start = line_start(text, offset)
    content = content_at(text, start)
    end = len(text[:start].rstrip())
    begin = content_at(text, line_start(text, end))
    if compiled.layout is None or end == 0 or line_column(text, content) >= line_column(text, begin):
        return None
    sign = _SIGN.match(text, content)
    if sign is None or not content <= offset <= sign.end():
        return None
    blanks = text[line_start(text, begin) : begin]
    beginning = Configuration((right.stacks.bottom,), right.lexer.start)
    at = beginning.read(right.lexer, right.stacks, f"{text[:end]}\n{blanks}")
    if at is None or at.lexer.line is None:
        return None  # A bracket that is open, or a backslash, goes on with the line above.
    if fits(right, at, _STATEMENT) or not right.recognizer.viable(at):
        return None
    words = _words(right, at)
    lost = right.closings.closing(at)
    if not words or lost is None:
        return None
    # A definition that has lost its own blanks is there, with its block.
    if fits(right, at, f"{text[content : line_end(text, content_after(text, content))]}\n"):
        return None
    if not fits(right, at, f"{lost.rstrip()}{text[end:content]}{sign.group()} "):
        return None
    meant = Meant(end, end, f"\n{blanks}{lost.rstrip()}", is_sure=True)
    return Hint(begin, f"perhaps a line that begins with {words} is missing below this one", meant)


def _words(right: RightSide, at: Configuration) -> str:
    """Return the words that may stand at a configuration, for a message; nothing where not only a few may."""
    compiled = right.lexer.compiled
    names = [each.name for each in right.expecting.on_this_line(at) if compiled.literals[each.terminal] is not None]
    few = shortlist([name for name in names if _WORD.fullmatch(name)], compiled.mistakes.rare, ends_line=True)
    return f"{', '.join(few[:-1])} or {few[-1]}" if len(few) > 1 else "".join(few)
