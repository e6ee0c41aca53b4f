"""A model chooses among the members that there are, where the text stands at a dot whose members are known.

A small model that was shown the members still invents others. So a part of its probability is dealt out anew among the
tokens with which a known member goes on, each by what the model gives it. The rest stays as it was: the list may lack a
member. Tokens may begin with the dot itself; then only what begins with a dot is dealt out.
"""

from __future__ import annotations

import math
import re
from copy import copy
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from dovetail.decoding.repository import Members
    from dovetail.vocabulary.prefix_index import PrefixIndex

WEIGHT = 0.9
"""The part of the probability that is dealt out anew."""

_LEAST = 1e-6
"""A model that gives all members together less than this part of the rest knows something else."""

_FALL = math.log(1 - WEIGHT)

_LIKELY = 64
"""Tokens that the model holds for the likeliest which are looked at before a dot."""

_AT_DOT = re.compile(rb"(?<![\w.])(\w+)(\??\.\w*)?\Z")
_DOTTED = re.compile(rb"\.\w*\Z")


class Dealt(NamedTuple):
    """Probabilities of a place that were dealt out anew."""

    risen: Mapping[int, float]
    """The members' tokens, with their natural log-probabilities after it."""
    paying: AbstractSet[int] | None
    """The tokens beside them that pay for it; None means all others."""

    def score(self, token: int, own: float) -> float:
        """Return the natural log-probability of a token after it; `own` is that before."""
        if token in self.risen:
            return self.risen[token]
        return own + _FALL if self.paying is None or token in self.paying else own


class MemberNames:
    """The members that are known around a cursor."""

    def __init__(self, pieces: Sequence[bytes | None], index: PrefixIndex) -> None:
        """Know no members yet; `pieces` are the bytes of all tokens, `index` finds them."""
        self._pieces = pieces
        self._index = index
        self._dotted = {token for token in index.beginning_with(b".") if _DOTTED.match(pieces[token] or b"")}
        self._members: dict[bytes, list[bytes]] = {}
        self._found: dict[tuple[bytes, bytes], list[int]] = {}

    def taking(self, members: Sequence[Members]) -> MemberNames:
        """Return the same for the members of some receivers."""
        other = copy(self)
        other._members = {one.receiver.encode(): [f".{name}".encode() for name in one.names] for one in members}
        other._found = {}
        return other

    def deal(
        self,
        context: Sequence[int],
        scores: Callable[[Sequence[int]], Sequence[float]],
        ranked: Callable[[int], Sequence[tuple[int, float]]],
    ) -> Dealt | None:
        """Return what is dealt out anew after some tokens; None where nothing is known, or where a member may end.

        `scores` and `ranked` are those of a `Generation`.
        """
        if not self._members:
            return None
        found = _AT_DOT.search(b"".join(self._pieces[token] or b"\n" for token in context))
        if found is None or found[1] not in self._members:
            return None
        begun = (found[2] or b"").lstrip(b"?")
        tokens = self._tokens(found[1], begun)
        if not tokens:
            return None
        own = scores(tokens)
        together = whole = math.fsum(map(math.exp, own))
        paying: set[int] | None = None
        if begun:
            whole = 1.0
        else:
            # Before the dot only a dot and the letters behind it are in question; those that are unlikely cost nothing.
            chosen = set(tokens)
            likely = {token: score for token, score in ranked(_LIKELY) if token in self._dotted}
            others = {token: score for token, score in likely.items() if token not in chosen}
            whole += math.fsum(map(math.exp, others.values()))
            paying = set(others)
        if together < _LEAST * whole:
            return None
        rise = math.log(1 - WEIGHT + WEIGHT * whole / together)
        return Dealt({token: score + rise for token, score in zip(tokens, own, strict=True)}, paying)

    def _tokens(self, receiver: bytes, begun: bytes) -> Sequence[int]:
        """Return the tokens with which a member goes on, of which some bytes stand there; none where one may end."""
        known = self._found.get((receiver, begun))
        if known is None:
            names = self._members[receiver]
            rests = [name[len(begun) :] for name in names if name.startswith(begun)]
            if b"" in rests:
                rests = []  # the name may end here, which is the model's to say
            known = list(dict.fromkeys(token for rest in rests for token, _ in self._index.within(rest)))
            self._found[receiver, begun] = known
        return known
