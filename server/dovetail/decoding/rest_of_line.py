r"""The rest of the cursor's line: what stands to the right of the cursor stays where it is.

A completion is never to move that text to another line, to indent it anew, or to take it into a comment or a long
string. This holds for all text, a single closing bracket included:

- `print(f"{cart.|}")`: the completion stays on the line, and the closers stay where the editor has put them.
- `x = | y = 1`: with a line end before `y`, a statement of the user would move below one that the user did not write.
- `|x = 1` in a function: no statement comes before it on a line of its own. A user who wants one opens a line for it,
  and then there is nothing to the right.
- `f(|)` and `{|}`: no line ends in the bracket. A user who wants one element a line types a line end. The editor then
  puts the closer on a line of its own, and the completion may have any number of lines.
- `|x = 1`: a text does not end with `return`, which would make `returnx` of it.
- `|x = 1` at column 0 below `if a:` gets no blanks: they would indent `x = 1` anew.

So a completion has no line end where the rest of the line is not blank; and where only blanks stand before the cursor
it does not begin with a blank. Both are refused token by token (`rules.keeps_rest_of_line`), and the closing of a text
is searched among those without a line end (`Quotient.within_line`). The comment and the long string are ruled out by
the quotient (`Quotient.keeping_rest_of_line`). `Shape.FREE` is exempt: an experiment cuts a text at any two places.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from dovetail.decoding.limits import Shape

if TYPE_CHECKING:
    from dovetail.decoding.constraint import Constraint
    from dovetail.decoding.request import Request

# Not `str.splitlines`: it also breaks at form feeds and U+2028, where no line of a program ends.
_TO_LINE_END = re.compile(r"[^\r\n]*")
_BLANKS_ON_LINE = re.compile(r"(?:\A|[\r\n])[ \t\f]*\Z")
_BLANKS = b" \t\f"
_WORD = re.compile(r"\w")
_ENDS_IN_WORD = re.compile(rb"[\w\x80-\xff]\Z")


class RestOfLine(NamedTuple):
    """A rest of the cursor's line that is not blank."""

    begins_line: bool
    """True if only blanks stand before the cursor on its line, so that blanks at the cursor would indent the rest."""

    begins_word: bool = False
    """True if it begins with a word that no text before the cursor is a part of."""

    def is_joined_by(self, text: bytes) -> bool:
        """Return whether the first word of the rest would become the end of another word, the last one of a text.

        >>> rest = RestOfLine(begins_line=False, begins_word=True)
        >>> rest.is_joined_by(b"return"), rest.is_joined_by(b"return "), rest.is_joined_by(b"")
        (True, False, False)
        """
        return self.begins_word and _ENDS_IN_WORD.search(text) is not None

    def is_moved_by(self, text: bytes, piece: bytes) -> bool:
        """Return whether a piece that is appended to a text moves the rest of the line.

        >>> RestOfLine(begins_line=True).is_moved_by(b"", b"  y"), RestOfLine(begins_line=False).is_moved_by(b"x", b"y")
        (True, False)
        """
        return b"\n" in piece or b"\r" in piece or (self.begins_line and not text and piece[0] in _BLANKS)


def to_line_end(text: str) -> str:
    r"""Return the beginning of a text up to its first line end.

    >>> to_line_end("a b\r\nc")
    'a b'
    """
    match = _TO_LINE_END.match(text)
    assert match is not None, "the rest of a line may be empty"
    return match[0]


def find_rest_of_line(request: Request) -> RestOfLine | None:
    """Return the rest of the cursor's line that a completion has to keep in its place; None if it is blank."""
    if request.limits.shape is Shape.FREE or not to_line_end(request.right).strip():
        return None
    return RestOfLine(
        begins_line=_BLANKS_ON_LINE.search(request.left) is not None,
        begins_word=bool(_WORD.match(request.right)) and not _WORD.match(request.left[-1:]),
    )


def keep_rest_of_line(quotient: Constraint, request: Request) -> Constraint:
    """Return a quotient without the middles that take the rest of the line into a comment or a long string.

    Its states close within the line, if the rest is not blank.
    """
    kept = quotient.keeping_rest_of_line
    if request.limits.shape is Shape.FREE:
        return kept if kept.viable else quotient
    return kept if find_rest_of_line(request) is None else kept.within_line
