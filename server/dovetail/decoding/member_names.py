"""A model chooses among the members that there are, where the text stands at a dot whose members are known.

A small model that was shown the members still invents others. So a part of its probability is dealt out anew among the
tokens with which a known member goes on, each by what the model gives it, by how often other files use such members
behind the same name, and by how like it is to its place (`likeness.py`). The rest stays as it was: the list may
lack a member. Tokens may begin with the dot itself; then only what begins with a dot is dealt out. Where a member may
end, the uses say too how likely a longer one is, and its definition says how it is called (`call_arguments.py`).
"""

from __future__ import annotations

import math
import re
from copy import copy
from functools import cached_property
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from dovetail.decoding.call_arguments import BehindName, CallArguments
from dovetail.decoding.dealt import LEAST, Dealt
from dovetail.decoding.likeness import UNLIKE, likeness, words_of_names

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from dovetail.decoding.left_text import LeftText
    from dovetail.decoding.likeness import LineWords
    from dovetail.decoding.repository import Members
    from dovetail.vocabulary.prefix_index import PrefixIndex

WEIGHT = 0.9
"""The part of the probability that is dealt out anew where the definition is known that has the members."""

USED_WEIGHT = 0.5
"""That part where only uses are known: there are other members too."""

_DAMPING = 0.35
"""The power of the uses that counts beside the model: it has read some of them, and what is around the cursor."""

_UNUSED = 0.5
"""Uses of what is not used at all."""

_LIKELY = 64
"""Tokens that the model holds for the likeliest which are looked at before a dot."""

_AT_DOT = re.compile(rb"(?<![\w.])(\w+)(\??\.\w*)?\Z")
_DOTTED = re.compile(rb"\.\w*\Z")


class _Begun(NamedTuple):
    """The members that begin with a text, and the tokens with which they go on."""

    members: Mapping[bytes, Sequence[int]]
    damped: Mapping[int, float]
    """Token → a number for how often it goes on."""
    uses: Mapping[int, float]
    """Token → the uses of the members that it goes on with, those that are never used included,"""
    unlike: Mapping[int, float]
    """and these as far as their words stand nowhere near (`likeness.py`)."""


class KnownMembers:
    """The members of one receiver, each with the dot before it."""

    def __init__(self, members: Members) -> None:
        """Take the members, and how often other files use each."""
        named = zip_longest(members.names, members.times, fillvalue=0)
        self.times = {f".{name}".encode(): times for name, times in named}
        self.weight = WEIGHT if members.is_whole else USED_WEIGHT
        """The part of the probability that is dealt out anew."""
        self._begun: dict[bytes, _Begun] = {}

    @cached_property
    def _with_words(self) -> Mapping[bytes, Sequence[bytes]]:
        """Word → the members that have it."""
        found: dict[bytes, list[bytes]] = {}
        for name in self.times:
            for word in words_of_names(name):
                found.setdefault(word, []).append(name)
        return found

    def tokens(self, begun: bytes, zones: LineWords, index: PrefixIndex) -> Mapping[int, float]:
        """Return the tokens that a member goes on with, and a number for how likely each is; `begun` stands there.

        `zones` are the words before the receiver (`likeness.py`).
        """
        part = self._begun.get(begun)
        if part is None:
            part = self._begun[begun] = self._beginning(begun, index)
        if not zones.above:
            return part.damped
        alike = dict(part.unlike)
        # Few members have a word of the place, and they are gone through at every key.
        near = {name for word in zones.above for name in self._with_words.get(word, ()) if name in part.members}
        for name in sorted(near):
            more = (likeness(name, zones) - UNLIKE) * (self.times[name] + _UNUSED)
            for token in part.members[name]:
                alike[token] += more
        return {token: damped * alike[token] / part.uses[token] for token, damped in part.damped.items()}

    def _beginning(self, begun: bytes, index: PrefixIndex) -> _Begun:
        members = {
            name: [token for token, _ in index.within(name[len(begun) :])]
            for name in self.times
            if name.startswith(begun)
        }
        counts, uses, unlike = dict[int, int](), dict[int, float](), dict[int, float]()
        for name, tokens in members.items():
            times = self.times[name]
            own = (times + _UNUSED) * (UNLIKE if words_of_names(name) else 1)
            for token in tokens:
                counts[token] = counts.get(token, 0) + times
                uses[token] = uses.get(token, 0.0) + times + _UNUSED
                unlike[token] = unlike.get(token, 0.0) + own
        return _Begun(members, {token: _damped(count) for token, count in counts.items()}, uses, unlike)

    def longer(self, begun: bytes) -> float | None:
        """Return how many times likelier the uses make a longer member; None where they say nothing."""
        ended = self.times[begun]
        longer = sum(times for name, times in self.times.items() if name.startswith(begun)) - ended
        return _damped(longer) / _damped(ended) if longer + ended else None


def _damped(times: int) -> float:
    return float((times + _UNUSED) ** _DAMPING)


class MemberNames:
    """The members that are known around a cursor."""

    def __init__(self, pieces: Sequence[bytes | None], index: PrefixIndex) -> None:
        """Know no members yet; `pieces` are the bytes of all tokens, `index` finds them."""
        self._pieces = pieces
        self._index = index
        self._dotted = {token for token in index.beginning_with(b".") if _DOTTED.match(pieces[token] or b"")}
        self._members: dict[bytes, KnownMembers] = {}
        self._calls = CallArguments(pieces, index)

    def taking(self, members: Sequence[Members]) -> MemberNames:
        """Return the same for the members of some receivers."""
        other = copy(self)
        other._members = {one.receiver.encode(): KnownMembers(one) for one in members}
        other._calls = self._calls.taking(members)
        return other

    def deal(
        self,
        context: Sequence[int],
        left: LeftText,
        scores: Callable[[Sequence[int]], Sequence[float]],
        ranked: Callable[[int], Sequence[tuple[int, float]]],
    ) -> Dealt | None:
        """Return what is dealt out anew after some tokens; None where nothing is known.

        `left` is the text before the cursor; `scores` and `ranked` are those of a `Generation`.
        """
        if not self._members:
            return None
        text = b"".join(self._pieces[token] or b"\n" for token in context)
        found = _AT_DOT.search(text)
        known = None if found is None else self._members.get(found[1])
        if found is None or known is None:
            return self._calls.deal(text, left, scores, lambda: ranked(_LIKELY))
        begun = (found[2] or b"").lstrip(b"?")
        tokens = known.tokens(begun, left.words(text[: found.start()].rpartition(b"\n")[2]), self._index)
        if not tokens and begun not in known.times:
            return None
        own = scores(list(tokens))
        together = math.fsum(map(math.exp, own))
        if begun in known.times:
            likely = {token: score for token, score in ranked(_LIKELY) if token not in tokens}
            behind = self._calls.behind(found[1], begun[1:], likely, 1 - together)
            return _dealt_at_end(dict(zip(tokens, own, strict=True)), likely, known.longer(begun), behind)
        whole, paying = 1.0, None
        if not begun:
            # Before the dot only a dot and the letters behind it are in question; those that are unlikely cost nothing.
            likely = {token: score for token, score in ranked(_LIKELY) if token in self._dotted}
            others = {token: score for token, score in likely.items() if token not in tokens}
            whole, paying = together + math.fsum(map(math.exp, others.values())), set(others)
        if together < LEAST * whole:
            return None
        shares = [math.exp(score) * times for score, times in zip(own, tokens.values(), strict=True)]
        rise, stays = known.weight * whole / math.fsum(shares), 1 - known.weight
        risen = (math.log(stays * math.exp(score) + rise * share) for score, share in zip(own, shares, strict=True))
        return Dealt(dict(zip(tokens, risen, strict=True)), paying, math.log(stays))


def _dealt_at_end(
    own: Mapping[int, float], likely: Mapping[int, float], longer: float | None, behind: BehindName | None
) -> Dealt | None:
    """Return what is dealt out where a member may end, and is `longer` times likelier to go on.

    `own` are the scores of the tokens with which it goes on, `likely` those of the likeliest ones.
    """
    if longer is None and behind is None:
        return None
    longer = 1.0 if longer is None else longer
    together = math.fsum(map(math.exp, own.values()))
    fall = -math.log(together * longer + 1 - together)
    rise = math.log(longer) + fall
    risen = {token: score + rise for token, score in own.items()}
    if behind is not None:
        risen |= {token: likely[token] + math.log(part) + fall for token, part in behind.factors.items()}
        fall += math.log(behind.others)
    return Dealt(risen, None, fall)
