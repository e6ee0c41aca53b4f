"""The place of a cursor, as far as it matters for what is shown: code or prose, and whether something is finished.

Prose is what stands in comments and strings. The test needs no facts about the language: words and signs that no code
holds fit there, and nowhere else.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from dovetail.decoding.completion import Stop
from dovetail.decoding.ending import PROSE

if TYPE_CHECKING:
    from dovetail.decoding.constraint import ConstraintState

_BLANK_LINE = re.compile(r"[ \t]*(?![^\r\n])")

_WORD = re.compile(r"\w")

_BEGINNINGS = """,.;=+abcdefghijklmnopqrstuvwxyz0"'{[(<@)]}"""
"""Characters one of which begins whatever may follow in a language, comments apart."""


class CursorPlace(NamedTuple):
    """The place of a cursor; a value."""

    prose: bool = False
    """True if it is inside a comment or a string."""
    finished: Stop | None = None
    """The reason to be silent there unless the model is sure: what ends at the cursor; None if nothing does."""
    word: bool = False
    """True if the character to the left belongs to a word."""
    over: bool = False
    """True if nothing but comments may follow: the text is whole, as behind the last brace of JSON."""

    def is_finished(self, text: str) -> Stop | None:
        """Return what was finished before a text, if it does not go on with the last word."""
        if self.finished is Stop.FINISHED and self.word and _WORD.match(text):
            return None
        return self.finished


def find_place(start: ConstraintState, left: str, right: str) -> CursorPlace:
    r"""Return the place between two texts; `start` is the empty text there.

    >>> import dovetail
    >>> language = dovetail.load_language("python")
    >>> def place(left, right="\n"):
    ...     return find_place(language.quotient(left, right).start, left, right)
    >>> place("x = f(a) ").finished.name, place("x = f(a)  # why").finished.name, place("x = 'a", "'\n")
    ('FINISHED', 'PROSE', CursorPlace(prose=True, finished=None, word=True, over=False))
    >>> json = dovetail.load_language("jsonc").quotient("{}", "\n").start
    >>> find_place(json, "{}", "\n").over, place("x = f(a)").over
    (True, False)
    """
    prose = start.advance(PROSE) is not None
    word = _WORD.match(left[-1:]) is not None
    finished = None
    if _BLANK_LINE.match(right):
        around = start.enclosure
        if prose:
            finished = Stop.PROSE
        elif around.blank is None and start.accepting:
            finished = Stop.FINISHED
    is_end = start.accepting and not prose and not right.strip()
    over = is_end and not any(start.advance(f"\n{sign}") for sign in _BEGINNINGS)
    return CursorPlace(prose, finished, word, over)
