"""Drafting by copying: source code repeats itself, so what followed the last tokens before may follow them again.

Prompt lookup decoding (Saxena 2023; Yang et al. 2023, *Inference with Reference*): no second model. A draft only
saves forward passes; which token is taken is decided from the model's own ranking as without it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_MATCH = 3
"""How many tokens have to be the same; fewer say too little about what follows."""

_SHORTEST = 3
_LONGEST = 12
"""How many tokens are drafted: more after a draft that was right, fewer after one that was not."""


class Drafts:
    """What may be copied: the texts of the prompt, and what was written behind the left one."""

    def __init__(self, left: Sequence[int], right: Iterable[int]) -> None:
        # One list, so that a place is one number; -1, which is no token, keeps the texts apart.
        self._tokens = [*right, -1, *left]
        self._last: dict[tuple[int, ...], int] = {}  # some tokens → the place behind them where they stood last
        self._indexed = 0
        self._length = _SHORTEST

    def append(self, token: int) -> None:
        """Take a token that was written."""
        self._tokens.append(token)

    def draft(self, token: int) -> Sequence[int]:
        """Return what followed where the last tokens and then this one stood before; empty if they never did."""
        tokens = self._tokens
        while self._indexed + _MATCH <= len(tokens):
            place = self._indexed
            self._last[tuple(tokens[place : place + _MATCH])] = place + _MATCH
            self._indexed += 1
        place = self._last.get((*tokens[1 - _MATCH :], token), 0)
        following = tokens[place : place + self._length] if place else []
        return following[: following.index(-1)] if -1 in following else following

    def judge(self, right: int, wrong: bool) -> None:
        """Learn how many tokens of a draft were right, and whether one was wrong."""
        if wrong:
            self._length = max(_SHORTEST, min(right + 1, self._length // 2))
        elif right:
            self._length = min(_LONGEST, 2 * self._length)
