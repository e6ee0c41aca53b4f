"""One text while it is written: what it is so far, what was refused, and where it could have stopped."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from dovetail.decoding.completion import Cause, Refusal

if TYPE_CHECKING:
    from dovetail.decoding.constraint import State
    from dovetail.vocabulary.vocabulary import Vocabulary

_KEPT = 1000
"""Refusals of which more than their number is kept; at a hard place a whole vocabulary may be refused."""


class Mark(NamedTuple):
    """A place where the text might stop."""

    length: int
    """Bytes of the text up to there."""
    state: State
    ending: float | None
    """The log-probability by which the model would have ended it there; None where the model was not asked."""


class Writing:
    """A text that grows at its end."""

    def __init__(self, start: State, vocabulary: Vocabulary) -> None:
        self.start = start
        self.state = start
        self.text = b""
        self.first: bytes | None = b""
        """What came first, be it cut off again; None for an ending before any text, nothing while none was taken."""
        self.tokens = 0
        self.refused = 0
        self._vocabulary = vocabulary
        self._marks: list[Mark] = []
        self._refusals: list[tuple[int, int, Cause]] = []  # bytes of the text before it, token, cause

    def begin(self, piece: bytes | None) -> None:
        """Remember what comes first, if this does: None is an ending."""
        if not self.tokens:
            self.first = piece

    def append(self, piece: bytes, state: State) -> None:
        """Go on with what a token brings."""
        self.begin(piece)
        self.text += piece
        self.state = state
        self.tokens += 1

    def mark(self, ending: float | None, length: int | None = None, state: State | None = None) -> None:
        """Note that the text might stop here, or at a place inside of the last token."""
        self._marks.append(Mark(len(self.text) if length is None else length, state or self.state, ending))

    def cut(self, mark: Mark, more: bytes = b"") -> None:
        """Make the text what it is at a mark; `more` is the part of the present token that belongs to it."""
        self.text = (self.text + more)[: mark.length]
        self.state = mark.state

    def refuse(self, token: int, cause: Cause) -> None:
        """Note that the model would have had another token here."""
        self.refused += 1
        if len(self._refusals) < _KEPT:
            self._refusals.append((len(self.text), token, cause))

    def last_stop(self) -> Mark | None:
        """Return the last place where the text may stop, the present one included."""
        here = Mark(len(self.text), self.state, None)
        return next((mark for mark in (here, *reversed(self._marks)) if mark.state.accepting), None)

    def best_stop(self, before: int | None = None) -> Mark | None:
        """Return the place where the text may stop that the model liked best, the longer ones more.

        The places are weighed by the probability that the text ends there times its length: each of two texts
        that are as likely ends saves as much typing as it has characters. Places with nothing but blanks before
        them are none; where the model was not asked, only if no other is. `before`: at most so many bytes.
        """
        limit = len(self.text) if before is None else before
        marks = [mark for mark in (*self._marks, Mark(len(self.text), self.state, None)) if mark.length <= limit]
        asked = [mark for mark in marks if mark.ending is not None and mark.length]
        asked.sort(key=lambda mark: (mark.ending or 0.0) + math.log(mark.length), reverse=True)
        others = [mark for mark in reversed(marks) if mark.ending is None]
        for mark in (*asked, *others):
            if self.text[: mark.length].strip() and mark.state.accepting:
                return mark
        return None

    def refusals(self) -> tuple[Refusal, ...]:
        """Return what was refused first."""
        names = {token: name for name, token in self._vocabulary.specials.items()}
        found = []
        for length, token, cause in self._refusals:
            piece = self._vocabulary.pieces[token] if token < len(self._vocabulary.pieces) else None
            shown = names.get(token, f"<{token}>") if piece is None else piece.decode(errors="replace")
            found.append(Refusal(self.text[:length].decode(errors="replace"), shown, cause))
        return tuple(found)
