"""One text of a model: the driver that asks the model for rankings and gives them to `step`, until the text ends."""

from __future__ import annotations

from itertools import chain, islice, starmap
from random import Random
from typing import TYPE_CHECKING

from dovetail.decoding.completion import Completion, Stop
from dovetail.decoding.finishing import finish
from dovetail.decoding.healing import spellings
from dovetail.decoding.proposer import Proposal
from dovetail.decoding.sampling import by_chance, by_rank, drawn, nucleus
from dovetail.decoding.step import RANKS, Ended, More, Taken, exhaust, step

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from dovetail.decoding.constraint import Mask
    from dovetail.decoding.progress import Progress
    from dovetail.decoding.proposer import Generation
    from dovetail.decoding.request import Request
    from dovetail.decoding.stopwatch import Stopwatch
    from dovetail.vocabulary.prefix_index import PrefixIndex

_SPELLINGS = 16
"""With a temperature above 0, one of so many spellings of the held text is drawn."""


class Attempt:
    """One text, from the first token to the outcome."""

    def __init__(
        self, request: Request, progress: Progress, generation: Generation, index: PrefixIndex, watch: Stopwatch,
        number: int = 0,
    ) -> None:  # fmt: skip
        """Begin with the progress of a text; `number` distinguishes the texts that are drawn for one request.

        The generation has read the prompt and the tokens of the progress. `index` holds the vocabulary's pieces.
        """
        self.progress = progress
        self.interrupted = False
        """Whether it was ended from outside: the request was cancelled, or its time is up."""
        self._request = request
        self._generation = generation
        self._index = index
        self._watch = watch
        self._random = Random(f"{request.limits.seed} {number}")

    def run(self) -> Completion:
        """Write to the end and return the outcome."""
        stop = self._next()
        while stop is None:
            stop = self._next()
        text, closing, stop = finish(self.progress, stop)
        self._watch.charge("constraint")
        progress = self.progress
        refusals = progress.named_refusals()
        return Completion(text, stop, closing, progress.tokens, progress.refused, self._watch.seconds, refusals)

    def _next(self) -> Stop | None:
        """Append one token; return why there is none, if there is none."""
        stop = self._interruption()
        if stop is None and self.progress.is_spent:
            stop = Stop.BUDGET
        if stop is not None:
            return stop
        outcome = self._outcome()
        self.progress = outcome.progress
        if isinstance(outcome, Taken):
            self._feed(outcome)
            return None
        return outcome.stop

    def _interruption(self) -> Stop | None:
        """Return why the writing must end now, if it must."""
        stop = None
        seconds = self._request.limits.seconds
        if self._request.cancellation.cancelled:
            stop = Stop.CANCELLED
        elif seconds is not None and self._watch.elapsed >= seconds:
            stop = Stop.TIME
        self.interrupted = stop is not None
        return stop

    def _outcome(self) -> Taken | Ended:
        """Return the outcome of one step.

        The time for an answer of the model is charged to the model, or to the prompt for the first token; all other
        time is charged to the constraint.
        """
        watch, progress = self._watch, self.progress
        account = "model" if progress.tokens else "prompt"
        watch.charge("constraint")
        if progress.tokens:
            progress = progress.marked(self._generation.ending())
        rankings = self._rankings(progress)
        while True:
            ranking = next(rankings, None)
            watch.charge(account)
            if ranking is None:
                return exhaust(progress)
            outcome = step(progress, ranking)
            if not isinstance(outcome, More):
                return outcome
            progress = outcome.progress
            if (stop := self._interruption()) is not None:
                return Ended(progress, stop)
            watch.charge("constraint")

    def _feed(self, taken: Taken) -> None:
        """Tell the model which token was taken."""
        generation = self._generation
        for token in taken.path:
            generation.feed(token)
        generation.feed(taken.token)
        if taken.progress.budget.left > 0:
            # A device works by itself from here on, while the questions of the next step are prepared.
            self._watch.charge("constraint")
            generation.start(taken.draft)
            self._watch.charge("model")

    def _rankings(self, progress: Progress) -> Iterator[Iterable[Proposal]]:
        """Yield the ranking of the next token in parts, each of which needs at most one answer of the model."""
        limits, generation, task = self._request.limits, self._generation, progress.task
        if not progress.tokens and task.prompt.held:
            # A further spelling may need a further answer.
            for proposal in self._spellings(progress):
                yield (proposal,)
            return

        def mask() -> Mask | None:
            open_masker = self._request.open_masker
            return None if open_masker is None else open_masker().mask(progress.state)

        vocabulary = task.vocabulary
        if limits.temperature > 0:
            batches = by_chance(generation, limits, self._random, vocabulary.ends, mask)
        else:
            batches = by_rank(generation, len(vocabulary.pieces), vocabulary.ends, mask)
        rank = 0
        for batch in batches:
            rest = iter(batch)
            # In parts that end where `step` looks for another way, so that an interruption is noticed there.
            while part := tuple(islice(rest, RANKS - rank % RANKS)):
                rank += len(part)
                yield starmap(Proposal, part)

    def _spellings(self, progress: Progress) -> Iterator[Proposal]:
        """Yield proposals for the first token: it has to spell the held text before it goes on."""
        prompt, limits = progress.task.prompt, self._request.limits
        found = spellings(self._generation, prompt.held, self._index, len(progress.task.vocabulary.pieces))
        likeliest = list(islice(found, _SPELLINGS)) if limits.temperature > 0 else []
        scores = [(place, spelling.score / limits.temperature) for place, spelling in enumerate(likeliest)]
        count = nucleus([score for _, score in scores], limits.top_p) if scores else 0
        order = (*drawn(scores[:count], self._random), *drawn(scores[count:], self._random))
        for spelling in chain((likeliest[place] for place, _ in order), found):
            if len(spelling.path) <= prompt.spare:
                yield spelling
