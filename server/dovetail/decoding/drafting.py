"""Drafting by copying: source code repeats itself, so tokens that followed the last ones before may follow again.

Prompt lookup decoding (Saxena 2023; Yang et al. 2023, *Inference with Reference*) without a second model. A draft
saves forward passes and nothing else: the model's own ranking decides each token, with a draft as without.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_new = tuple.__new__  # A NamedTuple's own constructor is a Python function: twice the time, for each token.

_MATCH = 3
"""Tokens that have to be equal before a draft is copied; fewer say too little about the next ones."""

_SHORTEST = 2
_LONGEST = 12
"""Tokens of a draft: more after a draft that was right, fewer after one that was wrong. Most texts are so short that a
longer first draft goes beyond their ends."""


class PromptIndex:
    """The tokens of a prompt's two texts, and the place after each three of them; all texts of a request share it."""

    def __init__(self, left: Sequence[int], right: Iterable[int]) -> None:
        """Take the tokens; the index is built when the first draft is asked for."""
        # One list, so that a place is one number; -1, which is no token, keeps the texts apart.
        self.tokens = [*right, -1, *left]
        self._places: dict[tuple[int, ...], int] | None = None

    def place_behind(self, tokens: tuple[int, ...]) -> int:
        """Return the place after the last occurrence of three tokens; 0 if they never occur."""
        if self._places is None:
            known = self.tokens
            # A later occurrence overwrites an earlier one.
            self._places = {tuple(known[at : at + _MATCH]): at + _MATCH for at in range(len(known) - _MATCH + 1)}
        return self._places.get(tokens, 0)


class Drafts(NamedTuple):
    """The texts that drafts are copied from: those of the prompt, and the tokens written after the left one.

    >>> drafts = Drafts(PromptIndex([1, 2, 3, 4, 5, 6, 1, 2], []))
    >>> drafts.draft(3)
    [4, 5]
    """

    prompt: PromptIndex
    written: tuple[int, ...] = ()
    length: int = _SHORTEST
    """Tokens of the next draft."""

    def append(self, *tokens: int) -> Drafts:
        """Return the texts with more tokens written."""
        return _new(Drafts, (self.prompt, self.written + tokens, self.length))

    def draft(self, token: int) -> Sequence[int]:
        """Return the tokens that followed the last occurrence of the last two tokens and `token`; empty without one."""
        known, written = self.prompt.tokens, self.written
        last = written[1 - _MATCH :]
        if len(last) < _MATCH - 1:
            # The last tokens of the prompt belong to the text, because three equal tokens may begin there.
            last = (*known[1 - _MATCH :], *last)[1 - _MATCH :]
        place = 0
        if token in written:
            # The text that is written is short: a search from its end is cheap, and unlike an index it needs no copy
            # for each fork.
            backwards = [*known[1 - _MATCH :], *written][::-1]
            before, at = list(last[::-1]), -1
            for _ in range(written.count(token)):
                at = backwards.index(token, at + 1)
                if backwards[at + 1 : at + _MATCH] == before:
                    place = len(known) + len(written) - at
                    break
        place = place or self.prompt.place_behind((*last, token))
        if not place:
            return []
        end = place + self.length
        following = [*known[place:end], *written[max(0, place - len(known)) : max(0, end - len(known))]]
        return following[: following.index(-1)] if -1 in following else following

    def judge(self, right: int, wrong: bool) -> Drafts:
        """Return the texts with another length of drafts, after `right` tokens were right and maybe one was wrong."""
        if wrong:
            return self._replace(length=max(_SHORTEST, min(right + 1, self.length // 2)))
        return self._replace(length=min(_LONGEST, 2 * self.length)) if right else self
