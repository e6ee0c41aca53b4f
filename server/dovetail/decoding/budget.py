"""The tokens that a completion may still have, and a known way to finish within them.

The promise: a text that was let through can be made a program with the tokens that are left. It rests on the
*plan* (`plan.py`), a way to finish that was found at some point of the text, and on one invariant: where a plan
was made, its cost was at most what was left of the budget there. So the text up to that point with the plan's
text behind it is always a possible outcome.
"""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING, NamedTuple

from dovetail.decoding.placeholder_names import begins_with_name, is_placeholder

if TYPE_CHECKING:
    from dovetail.decoding.constraint import State
    from dovetail.decoding.plan import Plan, Planner

# Asking for the closing after every token would cost more than all other questions together. So it is asked only
# when the cost may have come near to what is left: with each token the budget shrinks by one, and the cost is taken
# to grow by one for each bracket that was opened, and by `_GROWTH` at most for all else. Should it grow faster, no
# program is lost, only some text: then the completion is finished by the last plan, from where that was made.
_GROWTH = 0.5
_RESERVE = 2
_OPENERS, _CLOSERS = b"([{", b")]}"

_OPERAND = b"x"
_MIRRORED = {ord("("): ord(")"), ord("["): ord("]"), ord("{"): ord("}"), ord("'"): ord("'"), ord('"'): ord('"')}
"""What nearly every language takes: tried before the shortest closing is searched for."""

_DROPPED = 2
"""Lexemes at the beginning of a plan that may have been written in other words."""

_LEXEME = re.compile(rb"\s*(\w+|\W)")
"""What a plan begins with, roughly; where it is wrong a known way to finish is missed, and the search finds it."""


class Finished(NamedTuple):
    """A text that is a program by its closing."""

    start: bytes
    """What was written of it."""
    closing: bytes
    state: State
    """The state before the closing."""


class Budget:
    """What is left, while a completion is written."""

    def __init__(self, state: State, first: Plan, tokens: int, planner: Planner) -> None:
        """Begin with a plan for the empty text that costs at most `tokens`."""
        self.left = tokens
        self._planner = planner
        self._plan = first
        self._text = b""  # where the plan was made
        self._state = state
        self._unplanned = 0  # tokens since then
        self._opened = 0  # brackets since then, less those that were closed

    @property
    def spare(self) -> int:
        """How many tokens the last known way to finish leaves over."""
        return self.left - self._plan.cost

    @property
    def is_forced(self) -> bool:
        """Whether the tokens are just enough for a closing without a name, so that a model has little to choose."""
        known = self._plan
        if self._unplanned or known.cost < self.left or known.tokens is None:
            return False
        try:
            return not is_placeholder(self._state, known.text.decode())
        except UnicodeDecodeError:  # only a name or a string goes on inside a character
            return False

    def take(self, token: int, piece: bytes, text: bytes, state: State, *, search: bool = True) -> bool:
        """Spend a token, which brings `piece` and leads to `text`, unless that could not be closed any more.

        Without `search` only the ways to close it are tried that are known already.
        """
        left = self.left - 1
        made = None
        opened = max(0, self._opened + _count(piece, _OPENERS) - _count(piece, _CLOSERS))
        loose = self._plan.cost + _RESERVE + opened + _GROWTH * (self._unplanned + 1) <= left
        if not loose:
            made = None if self._unplanned else self._plan.follow(token, piece, self._planner)
            if made is None or made.cost > left:
                made = self._kept(text, state, left)
                if made is None and search:
                    made = self._closed(state)
                # Inside a character there is no closing yet. Should the budget not suffice to finish the
                # character, it is lost: the last plan was made before it.
                if made is None and not _inside_character(text):
                    return False
            if made is not None and made.cost > left:
                return False
        self.left = left
        self._unplanned += 1
        self._opened = opened
        if made is not None:
            self._replan(made, text, state)
        return True

    def planned(self, text: bytes, state: State) -> tuple[int, bytes] | None:
        """Return the next token of the way to finish from here, with its piece; None where that is a name.

        Nobody chose the names of a closing; everything else in it has to come, whatever the model thinks.
        """
        if self._unplanned:
            made = self._closed(state)
            if made is None or made.cost > self.left:
                return None
            self._replan(made, text, state)
        if not self._plan.tokens or begins_with_name(state, self._plan.text):
            return None
        token = self._plan.tokens[0]
        piece = self._planner.pieces[token]
        assert piece, "a plan is spelt by tokens with bytes"
        return token, piece

    def finish(self, text: bytes, state: State) -> Finished:
        """Return the text with its shortest closing, cut back to where one was last known if it is too long."""
        if self._unplanned:
            made = self._closed(state)
            if made is not None and made.cost <= self.left:
                self._replan(made, text, state)
        return Finished(self._text, self._plan.text, self._state)

    def _kept(self, text: bytes, state: State, left: int) -> Plan | None:
        """Return a way to finish that is at hand, where one still leads to a program in time.

        It may be finished now; the last plan may still do, without its beginning, which was written in other words,
        behind what closes the brackets opened since, or behind an operand that has become necessary. One of them
        nearly always does, and to look costs a small part of a search for the shortest.
        """
        rests = [self._plan.text, self._plan.text.lstrip()]
        for _ in range(_DROPPED):
            rests.append(_LEXEME.sub(b"", rests[-1], count=1))
        closers = _closers(text[len(self._text) :])
        closed = [closers + rest for rest in rests]
        ways = (b"", *rests, *closed, _OPERAND + closed[0], b" " + _OPERAND + closed[0], _OPERAND + closed[2])
        for way in dict.fromkeys(ways):
            if state.accepts(way):
                known = self._planner.plan(way)
                if known.cost <= left:
                    return known
        return None

    def _closed(self, state: State) -> Plan | None:
        closing = state.closing()
        return None if closing is None else self._planner.plan(closing.encode())

    def _replan(self, made: Plan, text: bytes, state: State) -> None:
        self._plan = made
        self._text = text
        self._state = state
        self._unplanned = self._opened = 0


def _count(piece: bytes, some: bytes) -> int:
    return len(piece) - len(piece.translate(None, some))


def _closers(written: bytes) -> bytes:
    """Return what closes the brackets and quotes that a text leaves open, roughly: no language is known here."""
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
