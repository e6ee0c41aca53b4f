"""How a text would be finished from where it stands, and what that costs in tokens.

A plan is a closing together with tokens that spell it. Costs are counted in tokens because the budget is, and
the tokens are kept, not counted anew from the shrinking rest: the canonical tokens of a rest may be more than
the rest of the canonical tokens, and the decoder's promise needs a cost that falls by one with each token of
the plan. Words have tokens of their own: nobody chose the names of a closing, and when one is due there has to be
room for a token with another name before what follows it. Where the model's tokens do not spell a closing exactly
(a vocabulary that puts a blank before every text, or that lacks a character), its bytes are counted: a token that
follows the plan covers one of them at least.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from dovetail.decoding.proposer import Proposer

_WORDS = re.compile(r" ?\w+|\W+?(?= ?\w|\Z)", re.DOTALL)

_REMEMBERED = 4096
"""Closings."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A text that makes the present one a program."""

    text: bytes
    tokens: tuple[int, ...] | None
    """Tokens whose pieces make up `text`; None where none are known."""

    @property
    def cost(self) -> int:
        """The most tokens that it takes to follow the plan to its end."""
        return len(self.text) if self.tokens is None else len(self.tokens)

    def follow(self, token: int, piece: bytes, planner: Planner) -> Plan | None:
        """Return what is left of the plan after a token, or None where the token departs from it."""
        if not self.text.startswith(piece):
            return None
        rest = self.text[len(piece) :]
        # What a token brings may be less than its piece: the first one also spells what was held back.
        if self.tokens is not None and self.tokens[0] == token and planner.pieces[token] == piece:
            return Plan(rest, self.tokens[1:])
        return planner.plan(rest)


class Planner:
    """Spells closings in the tokens of one model; the same few come again and again, and are remembered."""

    def __init__(self, proposer: Proposer) -> None:
        self._proposer = proposer
        self.pieces = proposer.vocabulary.pieces
        """Token → what it brings, None for one that brings no text."""
        self._known: dict[bytes, Plan] = {}

    def plan(self, closing: bytes, most: int | None = None) -> Plan:
        """Return the plan that spells a closing; it costs nothing if the closing is empty.

        If it costs more than `most`, words share their tokens with what is around them.
        """
        known = self._known.get(closing)
        if known is None:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            known = self._known[closing] = self._spelt(closing, _WORDS.findall)
        if most is not None and known.cost > most:
            return self._spelt(closing, lambda text: [text])
        return known

    def _spelt(self, closing: bytes, parts: Callable[[str], Iterable[str]]) -> Plan:
        try:
            text = closing.decode()
        except UnicodeDecodeError:  # the rest of a plan may begin inside a character
            return Plan(closing, None)
        tokens = tuple(token for part in parts(text) for token in self._proposer.encode(part))
        spelt = [self.pieces[token] or b"" for token in tokens]
        exact = all(spelt) and b"".join(spelt) == closing
        return Plan(closing, tokens if exact else None)
