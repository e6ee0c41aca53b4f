"""Lost receiver: the word `this` before a member that begins a line, below a statement that is ended.

Without the semicolon above, the line would go on with that one's value. What the file says of the member elsewhere
tells which it is; where nothing does, both are named.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import content_after, content_at, line_column, line_end, line_start, rest_of_line
from dovetail.diagnostics.reach import fits
from dovetail.diagnostics.word_pattern import one_of
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.quotient.right_side import RightSide

_MEMBER = re.compile(r"\.([^\W\d][\w$]*)")
_METHOD = r"^[ \t]+(?:\w+[ \t]+)*%s[ \t]*\([^()]*\)[^;\r\n]*\{"
"""The first line of a method with a name."""
_SEMICOLON = ";"


def find_lost_receiver(right: RightSide, text: str, start: int) -> Hint | None:
    """Return the hint for a member at an offset that lacks the word before it; None if it goes on with a value above.

    In a chain, the line above or the one below begins with a dot, too.
    """
    member = _MEMBER.match(text, start)
    end = len(text[:start].rstrip())
    words = right.lexer.compiled.mistakes.receivers
    # Outside of all functions the word is nothing.
    if member is None or not words or line_column(text, start) == 0 or text[line_start(text, start) : start].strip():
        return None
    neighbours = (content_at(text, line_start(text, end)), content_after(text, line_end(text, start)))
    if text[end - 1 : end] != _SEMICOLON or any(text.startswith(".", each) for each in neighbours):
        return None
    word = next((each for each in words if re.search(rf"(?<![\w$.]){each}\.", text)), "")
    name = re.escape(member[1])
    is_own = re.search(rf"(?<![\w$.]){one_of(words)}\.{name}(?![\w$])", text) is not None
    is_own = is_own or re.search(_METHOD % name, text, re.MULTILINE) is not None
    word = word or (words[0] if is_own else "")
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:start])
    if not word or at is None or not fits(right, at, f"{word}{rest_of_line(text, start)}\n"):
        return None
    message = f"`.` does not fit here; perhaps `{word}` is missing before it"
    message = message if is_own else f"{message}, or the `{_SEMICOLON}` above is one too many"
    return Hint(start, message, Meant(start, start, word, is_sure=True))
