"""The draft that is followed: tokens that the model may write next, with the states after them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dovetail.decoding.constraint import ConstraintState
    from dovetail.decoding.drafting import Drafts


_new = tuple.__new__  # A NamedTuple's own constructor is a Python function: twice the time, for each token.


class DraftFollower(NamedTuple):
    """The tokens drafted beyond a text, all of which fit; a value."""

    drafts: Drafts
    pieces: Sequence[bytes | None]
    """Token → the bytes it adds."""
    drafting: bool
    """True if drafts are made at all."""
    tokens: tuple[tuple[int, ConstraintState], ...] = ()
    """The rest of the present draft, with the state after each token."""
    copied: int = 0
    """Tokens of the present draft that were right so far."""

    def state(self, token: int) -> ConstraintState | None:
        """Return the state after a token if it is the next one of the draft; it was computed there."""
        return self.tokens[0][1] if self.tokens and self.tokens[0][0] == token else None

    def follow(
        self, path: Sequence[int], token: int, state: ConstraintState, room: int
    ) -> tuple[DraftFollower, tuple[int, ...]]:
        """Return the follower after a token was written, and a new draft if the last one is used up.

        `path`: tokens written just before it, which spell held text. `state`: that after the token. `room`: the most
        tokens of a new draft.
        """
        drafts, pieces, drafting, tokens, copied = self
        if path:
            drafts = drafts.append(*path)
        if tokens:
            wrong = tokens[0][0] != token
            copied += not wrong
            tokens = () if wrong else tokens[1:]
            if not tokens:
                drafts = drafts.judge(copied, wrong)
                copied = 0
        draft: tuple[int, ...] = ()
        if drafting and not tokens and (guess := drafts.draft(token)):
            tokens = self._fitting(guess[: max(0, room)], state)
            draft = tuple([drafted for drafted, _ in tokens])
        return _new(DraftFollower, (drafts.append(token), pieces, drafting, tokens, copied)), draft

    def _fitting(self, draft: Sequence[int], state: ConstraintState) -> tuple[tuple[int, ConstraintState], ...]:
        """Return the tokens of a draft up to the first that does not fit, with the state after each."""
        found: list[tuple[int, ConstraintState]] = []
        following: ConstraintState | None = state
        for drafted in draft:
            piece = self.pieces[drafted]
            following = following.advance(piece) if piece and following is not None else None
            if following is None:
                break
            found.append((drafted, following))
        return tuple(found)
