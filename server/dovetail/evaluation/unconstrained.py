"""Unconstrained generation: the text that a model writes by itself."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from dovetail.decoding.completion import Stop
from dovetail.decoding.draft_follower import DraftFollower
from dovetail.decoding.drafting import Drafts, PromptIndex
from dovetail.decoding.healing import spellings
from dovetail.decoding.limits import Shape

if TYPE_CHECKING:
    from collections.abc import Callable

    from dovetail.decoding.constraint import ConstraintState
    from dovetail.decoding.prompt import Prompt
    from dovetail.decoding.proposer import Generation, Proposer
    from dovetail.vocabulary.prefix_index import PrefixIndex

ENDED = Stop.END.value
LINE = Stop.LINE.value
BUDGET = Stop.BUDGET.value

_LINE_END = re.compile(rb"\S[ \t\f]*(\r|\n)")


@dataclass(frozen=True, slots=True)
class Written:
    """A text that a model wrote."""

    pieces: tuple[bytes, ...]
    """The bytes that each token added."""
    reason: str
    """The reason why it ended, as a clause."""
    seconds: float
    """The time that its tokens took, after the prompt was read."""

    @property
    def text(self) -> str:
        """The whole text. An unfinished character at its end becomes U+FFFD, as in every program that shows it."""
        return b"".join(self.pieces).decode(errors="replace")

    def prefixes(self) -> list[str | None]:
        """Return the text before and after each token; None inside a character."""
        prefixes: list[str | None] = []
        for count in range(len(self.pieces) + 1):
            try:
                prefixes.append(b"".join(self.pieces[:count]).decode())
            except UnicodeDecodeError:
                prefixes.append(None)
        return prefixes


class _Anything:
    """The state of a text without a constraint."""

    def advance(self, piece: str | bytes) -> _Anything:
        """Return the same state: every piece fits."""
        return self


_ANYTHING = cast("ConstraintState", _Anything())


def write(
    generation: Generation,
    prompt: Prompt,
    proposer: Proposer,
    index: PrefixIndex,
    shape: Shape,
    clock: Callable[[], float],
) -> Written:
    """Return the text that a model writes after a prompt, its likeliest token each time, until its end token.

    The text has at most as many tokens as the prompt has room for, and with `Shape.LINE` one line. Its first token
    also spells the held text of the prompt, as in constrained generation. `clock` returns seconds.
    """
    started = clock()
    vocabulary = proposer.vocabulary
    drafts = Drafts(PromptIndex(prompt.left_tokens, prompt.right_tokens))
    follower = DraftFollower(drafts, vocabulary.pieces, drafting=True)
    pieces: list[bytes] = []
    reason = BUDGET
    while len(pieces) < prompt.room:
        skipped = 0
        path: tuple[int, ...] = ()
        if not pieces and prompt.held:
            first = next(spellings(generation, prompt.held, index, len(vocabulary.pieces)), None)
            if first is None:
                reason = ENDED
                break
            token, _, path, skipped, _ = first
            for spelt in path:
                generation.feed(spelt)
        else:
            [(token, _)] = generation.ranked(1)
        if token in vocabulary.ends:
            reason = ENDED
            break
        # Special tokens stand for no text.
        pieces.append(((vocabulary.pieces[token] if token < len(vocabulary.pieces) else None) or b"")[skipped:])
        if shape is Shape.LINE and (line := _LINE_END.search(b"".join(pieces))) is not None:
            beyond = sum(map(len, pieces)) - line.start(1)
            pieces[-1] = pieces[-1][: len(pieces[-1]) - beyond]
            reason = LINE
            break
        follower, draft = follower.follow(path, token, _ANYTHING, prompt.room - len(pieces) - 1)
        generation.feed(token)
        if len(pieces) < prompt.room:
            generation.start(draft)
    return Written(tuple(pieces), reason, clock() - started)
