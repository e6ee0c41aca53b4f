"""The tokens that a completion may still have, and a known way to finish within them.

The promise: a text that was let through can be made a program with the tokens that are left. It rests on the *plan*
(`plan.py`), a way to finish that was found at some point of the text, and on one invariant: where a plan was made, its
cost was at most the budget that was left there. So the text up to that point with the plan's text after it is always
a possible outcome.
"""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING, NamedTuple

from dovetail.decoding.placeholder_names import begins_with_name, is_placeholder

if TYPE_CHECKING:
    from dovetail.decoding.constraint import ConstraintState
    from dovetail.decoding.plan import Plan, Planner

# A search for the closing after every token would cost more than all other questions together. So it is made only
# when the cost may have come near to the tokens left: with each token the budget shrinks by one, and the cost is
# taken to grow by one for each bracket that was opened, and by at most `_GROWTH` for all else. Should it grow faster,
# no program is lost, only some text: then the completion is finished by the last plan, from where that was made.
_GROWTH = 0.5
_RESERVE = 2
_OPENERS, _CLOSERS = b"([{", b")]}"
_BRACKETS = _OPENERS + _CLOSERS

_new = tuple.__new__  # A NamedTuple's own constructor is a Python function: twice the time, for each token.

_OPERAND = b"x"
_MIRRORED = {ord("("): ord(")"), ord("["): ord("]"), ord("{"): ord("}"), ord("'"): ord("'"), ord('"'): ord('"')}
"""Brackets and quotes of nearly every language: tried before the shortest closing is searched for."""

_DROPPED = 2
"""Lexemes at the beginning of a plan that may have been written in other words."""

_LEXEME = re.compile(rb"\s*(\w+|\W)")
"""The first lexeme of a plan, roughly. Where it is wrong a known way to finish is missed, and the search finds it."""


class Finished(NamedTuple):
    """A text that its closing makes a program."""

    start: bytes
    """The written text, as far as it is kept."""
    closing: bytes
    state: ConstraintState
    """The state before the closing."""


class TokenBudget(NamedTuple):
    """The tokens left at one point of a text; a value."""

    left: int
    """Tokens that may still be written, those of the closing included."""
    plan: Plan
    """The last known way to finish."""
    state: ConstraintState
    """The state where the plan was made."""
    planner: Planner
    text: bytes = b""
    """The text where the plan was made."""
    unplanned: int = 0
    """Tokens written since the plan was made."""
    opened: int = 0
    """Brackets opened since then, less those that were closed."""

    @property
    def is_forced(self) -> bool:
        """True if the tokens just suffice for a closing without a name, so that a model has little to choose."""
        plan = self.plan
        if self.unplanned or plan.cost < self.left or plan.tokens is None:
            return False
        try:
            return not is_placeholder(self.state, plan.text.decode())
        except UnicodeDecodeError:  # only a name or a string goes on inside a character
            return False

    def spend(
        self, token: int, piece: bytes, text: bytes, state: ConstraintState, *, search: bool = True
    ) -> TokenBudget | None:
        """Return the budget after a token, or None if the text could not be closed any more.

        `text` and `state` are those after the token, which adds `piece`. Without `search` only the ways to close it
        that are known already are tried.
        """
        left, plan, planned_state, planner, planned_text, unplanned, opened = self
        left -= 1
        opened += _net_opened(piece)
        opened = opened if opened > 0 else 0
        if plan.cost + _RESERVE + opened + _GROWTH * (unplanned + 1) > left:
            found = None if unplanned else plan.follow(token, piece, planner)
            if found is None or found.cost > left:
                found = self._known_way(text, state, left)
                if found is None and search:
                    found = self._searched(state)
                # Inside a character there is no closing yet. Should the budget not suffice to finish the character,
                # it is lost: the last plan was made before it.
                if found is None and not _inside_character(text):
                    return None
            if found is not None:
                return TokenBudget(left, found, state, planner, text) if found.cost <= left else None
        return _new(TokenBudget, (left, plan, planned_state, planner, planned_text, unplanned + 1, opened))

    def replanned(self, text: bytes, state: ConstraintState) -> TokenBudget:
        """Return the budget with the shortest way to finish from here, if it is not known and short enough."""
        if self.unplanned:
            plan = self._searched(state)
            if plan is not None and plan.cost <= self.left:
                return TokenBudget(self.left, plan, state, self.planner, text)
        return self

    def planned_token(self, state: ConstraintState) -> tuple[int, bytes] | None:
        """Return the next token of the plan with its piece; None where that is a name, or the plan was not made here.

        Nobody chose the names of a closing; everything else in it has to come, whatever the model prefers.
        """
        if self.unplanned or not self.plan.tokens or begins_with_name(state, self.plan.text):
            return None
        token = self.plan.tokens[0]
        piece = self.planner.pieces[token]
        assert piece, "a plan is spelt by tokens with bytes"
        return token, piece

    def finish(self, text: bytes, state: ConstraintState) -> Finished:
        """Return the text with its shortest closing, or, where that is too long, with the last plan after its text."""
        last = self.replanned(text, state)
        return Finished(last.text, last.plan.text, last.state)

    def _known_way(self, text: bytes, state: ConstraintState, left: int) -> Plan | None:
        """Return a way to finish that is at hand and leads to a program in time, or None.

        The text may be finished now. Or the last plan may still do: without its beginning, which was written in other
        words; after the closers of the brackets opened since; or after an operand that has become necessary. One of
        them nearly always does, and to look costs a small part of a search for the shortest.
        """
        rests = [self.plan.text, self.plan.text.lstrip()]
        for _ in range(_DROPPED):
            rests.append(_LEXEME.sub(b"", rests[-1], count=1))
        closers = _closers(text[len(self.text) :])
        closed = [closers + rest for rest in rests]
        ways = (b"", *rests, *closed, _OPERAND + closed[0], b" " + _OPERAND + closed[0], _OPERAND + closed[2])
        for way in dict.fromkeys(ways):
            if state.accepts(way):
                plan = self.planner.plan(way)
                if plan.cost <= left:
                    return plan
        return None

    def _searched(self, state: ConstraintState) -> Plan | None:
        closing = state.closing()
        return None if closing is None else self.planner.plan(closing.encode())


def _net_opened(piece: bytes) -> int:
    """Return the number of brackets that a piece opens, less those that it closes."""
    if len(piece.translate(None, _BRACKETS)) == len(piece):  # nearly all pieces
        return 0
    return len(piece.translate(None, _CLOSERS)) - len(piece.translate(None, _OPENERS))


def _closers(written: bytes) -> bytes:
    """Return the closers of the brackets and quotes that a text leaves open, roughly: strings are not told apart."""
    open_ones = bytearray()
    for byte in written:
        if open_ones and byte == open_ones[-1]:
            open_ones.pop()
        elif byte in _MIRRORED:
            open_ones.append(_MIRRORED[byte])
    return bytes(reversed(open_ones))


def _inside_character(text: bytes) -> bool:
    """Return whether a text ends inside a character."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    decoder.decode(text)
    return decoder.getstate()[0] != b""
