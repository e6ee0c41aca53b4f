"""One text of a model: the driver that asks the model for rankings and gives them to `step`, until the text ends."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from dovetail.decoding.completion import Completion, Stop
from dovetail.decoding.finishing import estimate, finish
from dovetail.decoding.proposer import NotWaitedForError, WaitingGeneration
from dovetail.decoding.rankings import rankings
from dovetail.decoding.silence import reason_to_withhold
from dovetail.decoding.step import Ended, More, Taken, exhaust, step

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dovetail.decoding.progress import Progress
    from dovetail.decoding.proposer import Generation, Proposal
    from dovetail.decoding.request import Request
    from dovetail.decoding.stopwatch import Stopwatch


class Attempt:
    """One text, from the first token to the outcome."""

    def __init__(
        self, request: Request, progress: Progress, generation: Generation, opening: Iterable[Proposal],
        watch: Stopwatch, number: int = 0,
    ) -> None:  # fmt: skip
        """Begin with the progress of a text; `number` distinguishes the texts that are drawn for one request.

        The generation has read the prompt and the tokens of the progress. `opening`: the proposals for the first
        token if there is held text.
        """
        self.progress = progress
        self.interrupted = False
        """True if it was ended from outside: the request was cancelled, its time is up, or others wait."""
        self._request = request
        self._generation = generation
        self._opening = opening
        self._watch = watch
        self._random = Random(f"{request.limits.seed} {number}")
        if isinstance(generation, WaitingGeneration):
            generation.wait_while(lambda: interruption(request, watch) is None)

    def run(self) -> Completion:
        """Write to the end and return the outcome."""
        while (completion := self.advance()) is None:
            pass
        return completion

    def advance(self) -> Completion | None:
        """Append one token; return the outcome if the text has ended."""
        stop = self._next()
        if stop is None:
            return None
        return completed(self.progress, stop, self._watch)

    def end(self, stop: Stop) -> Completion:
        """End the text where it is, for a reason from outside, and return the outcome."""
        self.interrupted = True
        return completed(self.progress, stop, self._watch)

    def _next(self) -> Stop | None:
        """Append one token; return why there is none, if there is none."""
        stop = self._interruption()
        if stop is None and self.progress.is_spent:
            stop = Stop.BUDGET
        if stop is not None:
            return stop
        try:
            outcome = self._outcome()
        except NotWaitedForError:
            return self._interruption() or Stop.CANCELLED
        self.progress = outcome.progress
        if isinstance(outcome, Taken):
            self._feed(outcome)
            return None
        return outcome.stop

    def _interruption(self) -> Stop | None:
        """Return why the writing must end now, if it must."""
        stop = interruption(self._request, self._watch)
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
        parts = rankings(self._request, progress, self._generation, self._opening, self._random)
        while True:
            ranking = next(parts, None)
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


def completed(progress: Progress, stop: Stop, watch: Stopwatch) -> Completion:
    """Return the completion of a text that has ended."""
    text, closing, stop = finish(progress, stop)
    watch.charge("constraint")
    sure, finished = None, None
    if text is not None:
        sure = estimate(progress, text, closing)
        task = progress.task
        finished = task.place.is_finished(text)
        # A comment behind the end of everything is none of the texts that the probability was measured on.
        acceptance = 0.0 if task.place.over else sure
        if (reason := reason_to_withhold(finished, task.threshold, acceptance)) is not None:
            text, closing, stop = None, "", reason
    refusals = progress.named_refusals()
    return Completion(
        text, stop, closing, progress.tokens, progress.refused, watch.seconds, refusals, sure, finished is not None
    )


def interruption(request: Request, watch: Stopwatch) -> Stop | None:
    """Return why all writing for a request must end now: it was cancelled, or its time is up; None if it need not."""
    if request.cancellation.cancelled:
        return Stop.CANCELLED
    seconds = request.limits.seconds
    return Stop.TIME if seconds is not None and watch.elapsed >= seconds else None
