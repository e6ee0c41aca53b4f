"""The draft that is being followed: tokens that the model may write next, with the states after them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.decoding.drafting import Drafts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dovetail.decoding.constraint import State
    from dovetail.decoding.prompt import Prompt


class DraftFollower:
    """What is drafted beyond a text; every token of it fits."""

    def __init__(self, prompt: Prompt, pieces: Sequence[bytes | None], *, drafting: bool) -> None:
        """Begin with no draft; without `drafting` there will be none."""
        self._pieces = pieces
        self._drafting = drafting
        self._drafts = Drafts(prompt.left_tokens, prompt.right_tokens)
        self._tokens: list[tuple[int, State]] = []
        self._copied = 0  # how many of this draft were right so far

    def state(self, token: int) -> State | None:
        """Return the state after a token if it is the next one of the draft: it was asked for there."""
        return self._tokens[0][1] if self._tokens and self._tokens[0][0] == token else None

    def spell(self, path: Sequence[int]) -> None:
        """Take the tokens that spell what was held back."""
        for token in path:
            self._drafts.append(token)

    def follow(self, token: int, state: State, room: int) -> list[int]:
        """Take a token that was written and the state after it; return a new draft where there is none any more.

        Of at most `room` tokens, all of which fit.
        """
        if self._tokens:
            wrong = self._tokens[0][0] != token
            self._copied += not wrong
            self._tokens = [] if wrong else self._tokens[1:]
            if wrong or not self._tokens:
                self._drafts.judge(self._copied, wrong)
                self._copied = 0
        fresh = not self._tokens and self._drafting
        if fresh:
            following: State | None = state
            for drafted in self._drafts.draft(token)[: max(0, room)]:
                piece = self._pieces[drafted]
                following = following.advance(piece) if piece and following is not None else None
                if following is None:
                    break
                self._tokens.append((drafted, following))
        self._drafts.append(token)
        return [drafted for drafted, _ in self._tokens] if fresh else []
