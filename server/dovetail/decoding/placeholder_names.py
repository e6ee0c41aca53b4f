"""Placeholder names: parts of a closing that nobody chose, and that stand there only because something has to.

An operator, a key, an empty string or an empty comment is a made-up name like any other. What closes is not: a bracket
or a quote that ends what is open. Nor is what has to come there, whoever writes it: the colon of a header.

The test needs no facts about the language. A part that something else can replace was chosen by nobody; a keyword or a
sign that has to be there cannot be replaced.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dovetail.decoding.constraint import ConstraintState

_PART = re.compile(r"</[\w$.:-]*>|\w+|\(\)|\[\]|\{\}|([^\w\s])\1*")
"""The end of an element, a word, an empty pair of brackets, or a run of one sign, as the quotes of an empty string are.
"""

_NAME = re.compile(r"[\w$.:-]+")

_WORD = re.compile(r"\w")

_OTHER = "arbitrary_"
_NUMBER = "73"
_TEXT = f'"{_OTHER}"'
_SIGNS = "+-*/%.,;:=<>&|!?@^~"


def is_placeholder(start: ConstraintState, closing: str) -> bool:
    r"""Return whether a closing holds a placeholder.

    >>> import dovetail
    >>> language = dovetail.load_language("python")
    >>> is_placeholder(language.quotient("x = ", "\n").start, "A")
    True
    >>> is_placeholder(language.quotient("x = [a, b", " c]\n").start, "-")
    True
    >>> is_placeholder(language.quotient("f(x", "\n").start, ")")
    False
    >>> is_placeholder(dovetail.load_language("json").quotient('{"size": ', "}").start, "0")
    True
    """
    return any(
        _is_made_up(start, closing, part) or _begins_line(start, closing, part) for part in _PART.finditer(closing)
    )


def begins_with_name(start: ConstraintState, closing: bytes) -> bool:
    """Return whether a closing begins with a placeholder, or inside a character."""
    try:
        text = closing.decode()
    except UnicodeDecodeError:
        return True
    part = _PART.match(text, len(text) - len(text.lstrip()))
    return part is not None and _is_made_up(start, text, part)


def _is_made_up(start: ConstraintState, closing: str, part: re.Match[str]) -> bool:
    """Return whether something else might stand in the place of a part, or more after it."""
    before, after = closing[: part.start()], closing[part.end() :]
    if part[0].isdecimal() and start.accepts(before + _NUMBER + after):
        return True  # Where no name may stand, as in JSON.
    if _WORD.match(part[0]) or (part[0].startswith("</") and _WORD.search(part[0])):
        return start.accepts(before + _NAME.sub(_OTHER, part[0]) + after)
    if _closes(start, closing, part):
        return False
    return any(start.accepts(before + text + after) for text in _instead(start, before, part[0]))


def _instead(start: ConstraintState, before: str, signs: str) -> Iterator[str]:
    """Yield texts that would fit in the place of signs if somebody had the choice."""
    here = start.advance(before)
    assert here is not None, "a closing fits"
    # A blank keeps a word apart from the one before; at the beginning of a line it would move it.
    blank = "" if here.enclosure.blank is not None else " "
    yield from (blank + _OTHER, blank + _TEXT)
    yield from (sign for sign in _SIGNS if sign != signs)
    inside = here.advance(signs)
    if inside is not None and inside.enclosure.depth > here.enclosure.depth:
        yield blank + _OTHER + signs  # A call, or a group: a bracket that nobody asked to open.
    else:
        yield signs + _OTHER  # A comment goes on with any word.


def _begins_line(start: ConstraintState, closing: str, part: re.Match[str]) -> bool:
    """Return whether a part is the first content of a line: then it begins what somebody has to want."""
    here = start.advance(closing[: part.start()])
    return here is not None and here.enclosure.blank is not None and not _closes(start, closing, part)


def _closes(start: ConstraintState, closing: str, part: re.Match[str]) -> bool:
    """Return whether a part ends something that is open before it."""
    here = start.advance(closing[: part.start()])
    there = None if here is None else here.advance(part[0])
    if here is None or there is None:
        return False
    around, now = here.enclosure, there.enclosure
    # A bracket that ends a block. Where columns make blocks, none ends with text in the column of its lines.
    ends_block = now.column < around.column and around.blank in (None, around.column)
    return now.depth < around.depth or ends_block
