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
    from collections.abc import Callable, Sequence
    from collections.abc import Set as AbstractSet

    from dovetail.decoding.repository import Members
    from dovetail.vocabulary.prefix_index import PrefixIndex

WEIGHT = 0.9
"""The part of the probability that is dealt out anew."""

_LEAST = 1e-6
"""A model that gives all members together less than this part of the rest knows something else."""

_FALL = math.log(1 - WEIGHT)

_AT_DOT = re.compile(rb"(?<![\w.])(\w+)(\??\.\w*)?\Z")
_DOTTED = re.compile(rb"\.\w*\Z")


class Dealt(NamedTuple):
    """What is dealt out anew at a place."""

    rise: float
    """What is added to the natural log-probabilities of the members' tokens."""
    risen: AbstractSet[int]
    """These tokens."""
    others: AbstractSet[int] | None
    """The tokens beside them that pay for it; None means all."""

    def change(self, token: int) -> float:
        """Return what is added to the natural log-probability of a token."""
        if token in self.risen:
            return self.rise
        return _FALL if self.others is None or token in self.others else 0.0


class MemberNames:
    """The members that are known around a cursor."""

    def __init__(self, pieces: Sequence[bytes | None], index: PrefixIndex) -> None:
        """Know no members yet; `pieces` are the bytes of all tokens, `index` finds them."""
        self._pieces = pieces
        self._index = index
        self._dotted = {token for token in index.beginning_with(b".") if _DOTTED.match(pieces[token] or b"")}
        self._members: dict[bytes, list[bytes]] = {}

    def taking(self, members: Sequence[Members]) -> MemberNames:
        """Return the same for the members of some receivers."""
        other = copy(self)
        other._members = {one.receiver.encode(): [f".{name}".encode() for name in one.names] for one in members}
        return other

    def deal(self, context: Sequence[int], scores: Callable[[Sequence[int]], Sequence[float]]) -> Dealt | None:
        """Return what is dealt out anew after some tokens; None where nothing is known, or where a member may end.

        `scores` returns the natural log-probabilities of next tokens.
        """
        if not self._members:
            return None
        found = _AT_DOT.search(b"".join(self._pieces[token] or b"\n" for token in context))
        names = None if found is None else self._members.get(found[1])
        if found is None or names is None:
            return None
        begun = (found[2] or b"").lstrip(b"?")
        rests = [name[len(begun) :] for name in names if name.startswith(begun)]
        if b"" in rests:
            return None  # the name may end here, which is the model's to say
        risen = {token for rest in rests for token, _ in self._index.within(rest)}
        together = math.fsum(map(math.exp, scores([*risen])))
        # Before the dot only a dot and a member's letters behind it are in question.
        others = None if begun else self._dotted - risen
        whole = 1.0 if others is None else together + math.fsum(map(math.exp, scores([*others])))
        if together < _LEAST * whole or not risen:
            return None
        return Dealt(math.log(1 - WEIGHT + WEIGHT * whole / together), risen, others)
