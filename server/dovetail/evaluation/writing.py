"""What a model writes by itself, token by token, with nobody to refuse any."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from dovetail.decoding.completion import Stop
from dovetail.decoding.draft_follower import DraftFollower
from dovetail.decoding.healing import spellings
from dovetail.decoding.limits import Shape

if TYPE_CHECKING:
    from collections.abc import Callable

    from dovetail.decoding.constraint import State
    from dovetail.decoding.prompt import Prompt
    from dovetail.decoding.proposer import Generation, Proposer
    from dovetail.vocabulary.prefix_index import PrefixIndex

ENDED = Stop.END.value
LINE = Stop.LINE.value
BUDGET = Stop.BUDGET.value

_LINE_END = re.compile(rb"\S[ \t\f]*(\r|\n)")


@dataclass(frozen=True, slots=True)
class Written:
    """A text of the model's own."""

    pieces: tuple[bytes, ...]
    """What each token brought to the text."""
    reason: str
    """Why it ended."""
    seconds: float
    """What its tokens took, after the prompt was read."""

    @property
    def text(self) -> str:
        """All of it; what the last token left unfinished of a character is lost, as it is to everybody who shows it."""
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
    """The state of a text of which nothing is asked."""

    def advance(self, piece: str | bytes) -> _Anything:
        """Return the same: every text goes on with every piece."""
        return self


_ANYTHING = cast("State", _Anything())


def write(
    generation: Generation,
    prompt: Prompt,
    proposer: Proposer,
    index: PrefixIndex,
    shape: Shape,
    clock: Callable[[], float],
) -> Written:
    """Return what the model writes behind a prompt, its likeliest token each time, until its end token.

    At most as many tokens as the prompt has room for; of `Shape.LINE` one line. What the prompt held back of the left
    text is spelt first, as constrained generation does it.
    """
    started = clock()
    vocabulary = proposer.vocabulary
    ahead = DraftFollower(prompt, vocabulary.pieces, drafting=True)
    pieces: list[bytes] = []
    reason = BUDGET
    while len(pieces) < prompt.room:
        skipped = 0
        if not pieces and prompt.held:
            first = next(spellings(generation, prompt.held, index, len(vocabulary.pieces)), None)
            if first is None:
                reason = ENDED
                break
            for spelt in first.path:
                generation.feed(spelt)
            ahead.spell(first.path)
            token, skipped = first.token, first.skipped
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
        draft = ahead.follow(token, _ANYTHING, prompt.room - len(pieces) - 1)
        generation.feed(token)
        if len(pieces) < prompt.room:
            generation.start(draft)
    return Written(tuple(pieces), reason, clock() - started)
