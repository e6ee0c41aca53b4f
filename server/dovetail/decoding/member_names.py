"""A model chooses among the members that there are, where the text stands at a dot whose members are known.

A small model that was shown the members still invents others. So a part of its probability is dealt out anew among the
tokens with which a known member goes on, each by what the model gives it and by how often other files use such members
behind the same name. The rest stays as it was: the list may lack a member. Tokens may begin with the dot itself; then
only what begins with a dot is dealt out. Where a member may end, the uses say too how likely a longer one is.
"""

from __future__ import annotations

import math
import re
from copy import copy
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from dovetail.decoding.repository import Members
    from dovetail.vocabulary.prefix_index import PrefixIndex

WEIGHT = 0.9
"""The part of the probability that is dealt out anew where the definition is known that has the members."""

USED_WEIGHT = 0.5
"""That part where only uses are known: there are other members too."""

_LEAST = 1e-6
"""A model that gives all members together less than this part of the rest knows something else."""

_DAMPING = 0.35
"""The power of the uses that counts beside the model: it has read some of them, and what is around the cursor."""

_UNUSED = 0.5
"""Uses of what is not used at all."""

_LIKELY = 64
"""Tokens that the model holds for the likeliest which are looked at before a dot."""

_AT_DOT = re.compile(rb"(?<![\w.])(\w+)(\??\.\w*)?\Z")
_DOTTED = re.compile(rb"\.\w*\Z")


class _Known(NamedTuple):
    """The members of one receiver, each with the dot before it."""

    times: Mapping[bytes, int]
    """Member → how often other files use it."""
    weight: float
    """The part of the probability that is dealt out anew."""

    @classmethod
    def of(cls, members: Members) -> _Known:
        """Return the members in bytes."""
        named = zip_longest(members.names, members.times, fillvalue=0)
        return cls({f".{name}".encode(): times for name, times in named}, WEIGHT if members.is_whole else USED_WEIGHT)

    def tokens(self, begun: bytes, index: PrefixIndex) -> dict[int, float]:
        """Return the tokens that a member goes on with, and a number for how often it does; `begun` stands there."""
        counts: dict[int, int] = {}
        for name, times in self.times.items():
            if name.startswith(begun):
                for token, _ in index.within(name[len(begun) :]):
                    counts[token] = counts.get(token, 0) + times
        return {token: _damped(count) for token, count in counts.items()}

    def longer(self, begun: bytes) -> float | None:
        """Return how many times likelier the uses make a longer member; None where they say nothing."""
        ended = self.times[begun]
        longer = sum(times for name, times in self.times.items() if name.startswith(begun)) - ended
        return _damped(longer) / _damped(ended) if longer + ended else None


def _damped(times: int) -> float:
    return float((times + _UNUSED) ** _DAMPING)


class Dealt(NamedTuple):
    """Probabilities of a place that were dealt out anew."""

    risen: Mapping[int, float]
    """The members' tokens, with their natural log-probabilities after it."""
    paying: AbstractSet[int] | None
    """The tokens beside them that pay for it; None means all others."""
    fall: float
    """The natural logarithm of what is left of the probability of such a token."""

    def score(self, token: int, own: float) -> float:
        """Return the natural log-probability of a token after it; `own` is that before."""
        if token in self.risen:
            return self.risen[token]
        return own + self.fall if self.paying is None or token in self.paying else own


class MemberNames:
    """The members that are known around a cursor."""

    def __init__(self, pieces: Sequence[bytes | None], index: PrefixIndex) -> None:
        """Know no members yet; `pieces` are the bytes of all tokens, `index` finds them."""
        self._pieces = pieces
        self._index = index
        self._dotted = {token for token in index.beginning_with(b".") if _DOTTED.match(pieces[token] or b"")}
        self._members: dict[bytes, _Known] = {}
        self._found: dict[tuple[bytes, bytes], Mapping[int, float]] = {}

    def taking(self, members: Sequence[Members]) -> MemberNames:
        """Return the same for the members of some receivers."""
        other = copy(self)
        other._members = {one.receiver.encode(): _Known.of(one) for one in members}
        other._found = {}
        return other

    def deal(
        self,
        context: Sequence[int],
        scores: Callable[[Sequence[int]], Sequence[float]],
        ranked: Callable[[int], Sequence[tuple[int, float]]],
    ) -> Dealt | None:
        """Return what is dealt out anew after some tokens; None where nothing is known.

        `scores` and `ranked` are those of a `Generation`.
        """
        if not self._members:
            return None
        found = _AT_DOT.search(b"".join(self._pieces[token] or b"\n" for token in context))
        known = None if found is None else self._members.get(found[1])
        if found is None or known is None:
            return None
        begun = (found[2] or b"").lstrip(b"?")
        tokens = self._found.get((found[1], begun))
        if tokens is None:
            tokens = self._found[found[1], begun] = known.tokens(begun, self._index)
        if not tokens:
            return None
        own = scores(list(tokens))
        together = math.fsum(map(math.exp, own))
        if begun in known.times:
            return _dealt_at_end(dict(zip(tokens, own, strict=True)), together, known.longer(begun))
        whole, paying = 1.0, None
        if not begun:
            # Before the dot only a dot and the letters behind it are in question; those that are unlikely cost nothing.
            likely = {token: score for token, score in ranked(_LIKELY) if token in self._dotted}
            others = {token: score for token, score in likely.items() if token not in tokens}
            whole, paying = together + math.fsum(map(math.exp, others.values())), set(others)
        if together < _LEAST * whole:
            return None
        shares = [math.exp(score) * times for score, times in zip(own, tokens.values(), strict=True)]
        rise, stays = known.weight * whole / math.fsum(shares), 1 - known.weight
        risen = (math.log(stays * math.exp(score) + rise * share) for score, share in zip(own, shares, strict=True))
        return Dealt(dict(zip(tokens, risen, strict=True)), paying, math.log(stays))


def _dealt_at_end(own: Mapping[int, float], together: float, longer: float | None) -> Dealt | None:
    """Return what is dealt out where a member may end, and is `longer` times likelier to go on.

    `own` are the scores of the tokens with which it goes on, and `together` is the sum of their probabilities.
    """
    if longer is None:
        return None
    fall = -math.log(together * longer + 1 - together)
    rise = math.log(longer) + fall
    return Dealt({token: score + rise for token, score in own.items()}, None, fall)
