"""The line that a token ends: a place inside of the token where the text may stop."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from dovetail.decoding.due_sign import is_due
from dovetail.decoding.extent import Kind

if TYPE_CHECKING:
    from dovetail.decoding.constraint import ConstraintState
    from dovetail.decoding.extent import Extent
    from dovetail.grammar.habits import Terminator

_LINE_END = re.compile(rb"\r\n|\r|\n")


class EndedLine(NamedTuple):
    """The end of a line inside of a token."""

    added: bytes
    """The token's bytes before the line end."""
    separator: bytes
    length: int
    """Bytes of the whole text up to the line end."""
    state: ConstraintState
    """The state before the line end."""
    has_content: bool
    """True if the line holds more than blanks and a comment, ends outside of the brackets opened in the text, and ends
    a statement for certain."""

    @property
    def may_stop(self) -> bool:
        """True if the text up to there is a program in its place."""
        return self.state.accepting


def ended_line(
    text: bytes, state: ConstraintState, extent: Extent, piece: bytes, terminator: Terminator | None = None
) -> EndedLine | None:
    """Return the first line that a token ends when it follows a text; None if it ends none, or only blank lines.

    `terminator`: the sign that ends statements in the language where a line end may do so as well.
    """
    found = _LINE_END.search(piece)
    if found is None:
        return None
    added = piece[: found.start()]
    there = state.advance(added) if added else state
    if there is None or not (text + added).strip():
        return None
    # A line with nothing but a comment is no statement. One whose statement a sign may still end is none yet: the next
    # line may go on with it.
    content = extent.is_statement(there.enclosure)
    if content and terminator is not None and extent.kind is Kind.STATEMENT and is_due(terminator, there):
        content = False
    return EndedLine(added, found.group(), len(text) + len(added), there, content)
