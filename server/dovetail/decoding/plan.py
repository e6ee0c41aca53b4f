"""Plans: a closing for a text, with tokens that spell it and so the cost of it.

Costs are counted in tokens because the budget is. The tokens are kept, not counted anew from the shrinking rest: the
canonical tokens of a rest may be more than the rest of the canonical tokens, and the decoder's promise needs a cost
that falls by one with each token of the plan.

Words have tokens of their own. Nobody chose the names of a closing, so when one is due there has to be room for a
token with another name before the text that follows it.

If the model's tokens do not spell a closing exactly (a vocabulary that puts a blank before every text, or that lacks a
character), its bytes are counted: a token that follows the plan covers at least one of them.
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
    """Tokens whose pieces make up `text`; None if none are known."""

    @property
    def cost(self) -> int:
        """The most tokens that are needed to follow the plan to its end."""
        return len(self.text) if self.tokens is None else len(self.tokens)

    def follow(self, token: int, piece: bytes, planner: Planner) -> Plan | None:
        """Return the rest of the plan after a token, or None if the token departs from it."""
        if not self.text.startswith(piece):
            return None
        rest = self.text[len(piece) :]
        # The first token may add less than its piece: it also spells held text.
        if self.tokens is not None and self.tokens[0] == token and planner.pieces[token] == piece:
            return Plan(rest, self.tokens[1:])
        return planner.plan(rest)


class Planner:
    """Spells closings in the tokens of one model, and remembers them: the same few come again and again."""

    def __init__(self, proposer: Proposer) -> None:
        self._proposer = proposer
        self.pieces = proposer.vocabulary.pieces
        """Token → the bytes it adds; None for one that stands for no text."""
        self._known: dict[bytes, Plan] = {}

    def plan(self, closing: bytes, most: int | None = None) -> Plan:
        """Return the plan that spells a closing; the empty closing costs nothing.

        If it costs more than `most`, words share tokens with the characters around them.
        """
        known = self._known.get(closing)
        if known is None:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            known = self._known[closing] = self._spelt(closing, _WORDS.findall)
        if most is not None and known.cost > most:
            return self._spelt(closing, lambda text: [text])
        return known

    def first_token(self, text: bytes) -> int | None:
        """Return the first token of a text as the model would spell it; None if it does not spell just that."""
        try:
            tokens = self._proposer.encode(text.decode())
        except UnicodeDecodeError:
            return None
        piece = self.pieces[tokens[0]] if tokens else None
        return tokens[0] if piece and text.startswith(piece) else None

    def _spelt(self, closing: bytes, parts: Callable[[str], Iterable[str]]) -> Plan:
        try:
            text = closing.decode()
        except UnicodeDecodeError:  # the rest of a plan may begin inside a character
            return Plan(closing, None)
        tokens = tuple(token for part in parts(text) for token in self._proposer.encode(part))
        spelt = [self.pieces[token] or b"" for token in tokens]
        exact = all(spelt) and b"".join(spelt) == closing
        return Plan(closing, tokens if exact else None)
