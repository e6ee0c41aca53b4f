"""The ranking of the next token, in parts: what the model is asked for, step by step, until a token is taken."""

from __future__ import annotations

from itertools import chain, islice, starmap
from typing import TYPE_CHECKING

from dovetail.decoding.healing import spellings
from dovetail.decoding.named_elements import NamedState, name_tokens
from dovetail.decoding.proposer import Proposal
from dovetail.decoding.sampling import by_chance, by_rank, drawn, nucleus
from dovetail.decoding.step import RANKS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from random import Random

    from dovetail.decoding.constraint import Mask
    from dovetail.decoding.progress import Progress
    from dovetail.decoding.proposer import Generation
    from dovetail.decoding.request import Request
    from dovetail.decoding.task import Task
    from dovetail.vocabulary.prefix_index import PrefixIndex

_SPELLINGS = 16
"""With a temperature above 0, one of so many spellings of the held text is drawn."""


class Spellings:
    """The first tokens of a text after held text, likeliest first; found once for all texts of one place."""

    def __init__(self, task: Task, generation: Generation, index: PrefixIndex) -> None:
        """Search with a generation that has read the prompt; nothing else may be fed to it while they are wanted."""
        vocabulary = task.vocabulary
        found = spellings(generation, task.prompt.held, index, len(vocabulary.pieces))
        self._source = (spelling for spelling in found if len(spelling.path) <= task.prompt.spare)
        self._found: list[Proposal] = []

    def __iter__(self) -> Iterator[Proposal]:
        """Yield all spellings from the likeliest on; those that were found for another text are not searched again."""
        for place in range(1 << 62):
            if place == len(self._found):
                spelling = next(self._source, None)
                if spelling is None:
                    return
                self._found.append(spelling)
            yield self._found[place]


def rankings(
    request: Request, progress: Progress, generation: Generation, opening: Iterable[Proposal], random: Random
) -> Iterator[Iterable[Proposal]]:
    """Yield the ranking of the next token in parts, each of which needs at most one answer of the model.

    `opening`: the proposals for the first token if there is held text.
    """
    limits, task = request.limits, progress.task
    if not progress.tokens and task.prompt.held:
        # A further spelling may need a further answer.
        for proposal in _opening(request, opening, random):
            yield (proposal,)
        return

    def mask() -> Mask | None:
        open_masker, state = request.open_masker, progress.state
        state = state.plain if isinstance(state, NamedState) else state
        return None if open_masker is None else open_masker().mask(state)

    vocabulary = task.vocabulary
    if isinstance(progress.state, NamedState) and (due := progress.state.due):
        yield starmap(Proposal, name_tokens(generation, vocabulary.pieces, due))
        return
    if limits.temperature > 0:
        batches = by_chance(generation, limits, random, vocabulary.ends, mask)
    else:
        batches = by_rank(generation, len(vocabulary.pieces), vocabulary.ends, mask)
    rank = 0
    for batch in batches:
        rest = iter(batch)
        # In parts that end where `step` looks for another way, so that an interruption is noticed there.
        while part := tuple(islice(rest, RANKS - rank % RANKS)):
            rank += len(part)
            yield starmap(Proposal, part)


def _opening(request: Request, opening: Iterable[Proposal], random: Random) -> Iterator[Proposal]:
    """Yield proposals for the first token: it has to spell the held text before it goes on."""
    limits = request.limits
    if limits.temperature == 0:
        yield from opening
        return
    found = iter(opening)
    likeliest = list(islice(found, _SPELLINGS))
    scores = [(place, spelling.score / limits.temperature) for place, spelling in enumerate(likeliest)]
    count = nucleus([score for _, score in scores], limits.top_p) if scores else 0
    order = (*drawn(scores[:count], random), *drawn(scores[count:], random))
    yield from chain((likeliest[place] for place, _ in order), found)
