"""The places where a statement may end by a sign, as `;` in JavaScript, and was not ended by one yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dovetail.decoding.constraint import ConstraintState
    from dovetail.grammar.habits import Terminator

_PROSE = " § ) the"
"""Fits in a comment, and in no code."""


def is_due(terminator: Terminator, state: ConstraintState) -> bool:
    """Return whether a statement that was not ended by a sign may end here by one."""
    if state.enclosure.inner or state.advance(f" {terminator.statement}{terminator.sign}") is not None:
        return False
    return state.advance(terminator.sign) is not None


def begins_other(terminator: Terminator, state: ConstraintState, content: bytes) -> bool:
    """Return whether the content of a line goes on with nothing that ended with the line above.

    It begins another statement or a comment, or it closes the block.
    """
    if not is_due(terminator, state):
        return False
    after = state.advance(b" " + content)
    if after is None or after.advance(_PROSE) is not None:
        return True
    around, now = state.enclosure, after.enclosure
    return now.depth < around.depth or now.column < around.column
