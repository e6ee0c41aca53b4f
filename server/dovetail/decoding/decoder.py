"""The decoder: a model's tokens and a quotient make a likely text that fits both sides.

1. The prompt is made (`prompt.py`) and read.
2. The model proposes tokens (`sampling.py`, and `healing.py` for the first one).
3. One step takes the first proposal that passes all rules (`step.py`, `rules.py`). The last rule keeps the promise
   below, by the budget of tokens (`token_budget.py`).
4. Steps follow one another (`attempt.py`) until a rule ends the text, the tokens or the time are used up, or nothing
   fits.
5. The text is closed or cut (`finishing.py`) and tidied (`ending.py`).

The promise: the outcome is a program or nothing, and it has at most as many tokens as were allowed, its closing
included. Texts are greedy or drawn; there is no beam search yet.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

from dovetail.decoding.attempt import Attempt
from dovetail.decoding.cancellation import Never
from dovetail.decoding.completion import Completion, Stop
from dovetail.decoding.limits import Limits
from dovetail.decoding.memory import Memory
from dovetail.decoding.plan import Planner
from dovetail.decoding.progress import begin
from dovetail.decoding.prompt import Prompts
from dovetail.decoding.request import Request
from dovetail.decoding.silence import reason_for_silence
from dovetail.decoding.stopwatch import Stopwatch
from dovetail.decoding.task import make_task

if TYPE_CHECKING:
    from collections.abc import Callable

    from dovetail.decoding.cancellation import Cancellation
    from dovetail.decoding.constraint import Quotient
    from dovetail.decoding.formats import Order
    from dovetail.decoding.prompt import Prompt
    from dovetail.decoding.proposer import Proposer

_PROMPTS = 16
"""Documents whose last prompt is remembered."""

_TRIES = 3
"""Attempts for each candidate that is asked for; some have the text of an earlier one."""


class Decoder:
    """Completes with one model, and remembers prompts and completions by document."""

    def __init__(
        self, proposer: Proposer, order: Order | None = None, clock: Callable[[], float] | None = None
    ) -> None:
        """Make a decoder.

        `order`: the order of the prompt, by default the one that suits the model best. `clock`: returns the seconds
        by which time is accounted for and limited, by default those of the wall clock.
        """
        self.proposer = proposer
        self._clock = clock
        self._planner = Planner(proposer)
        self._prompts = Prompts(proposer, order)
        self._last: OrderedDict[str, Prompt] = OrderedDict()  # document → its last prompt
        self._memory = Memory()

    def complete(self, request: Request) -> Completion:
        """Return the completion of a place, from memory if the user typed on into an earlier one."""
        known = self.recall(request)
        if known is not None:
            return known
        (completion,) = self.candidates(request, 1)
        self.remember(request, completion)
        return completion

    def remember(self, request: Request, completion: Completion) -> None:
        """Keep the answer to a request for when the user types on into it; `complete` does so by itself."""
        self._memory.keep(request, completion)

    def recall(self, request: Request) -> Completion | None:
        """Return the rest of a completion that the user typed on into, without the model; or None."""
        return self._memory.recall(request)

    def forget(self, document: str) -> None:
        """Release everything that is kept for a document, which was closed."""
        self._memory.forget(document)
        self._last.pop(document, None)
        self.proposer.forget(document)

    def candidates(self, request: Request, count: int) -> list[Completion]:
        """Return up to `count` completions with different texts, or a single one without a text, which says why.

        Greedy ones differ in their first token, and the first of them is the one that `complete` returns. They share
        one reading of both contexts. The time limit holds for each of them.
        """
        watch = Stopwatch(self._clock)
        if (reason := reason_for_silence(request)) is not None:
            return [Completion(None, reason, "", 0, 0, watch.seconds)]
        # A text that comments out the rest of the line may make a program, but it does not connect the two sides.
        quotient = request.open_quotient()
        if quotient.viable:
            quotient = quotient.keeping_rest_of_line
        closing = quotient.start.closing() if quotient.viable else None
        watch.charge("contexts")
        if closing is None:
            return [Completion(None, Stop.NOT_VIABLE, "", 0, 0, watch.seconds)]
        prompt = self._prompt(request)
        first = self._planner.plan(closing.encode(), prompt.room)
        watch.charge("prompt")
        if first.cost > prompt.room:
            return [Completion(None, Stop.TOO_LONG, "", 0, 0, watch.seconds)]

        # Attempts at one place share the reading of the prompt, as completions of one document do.
        document = request.document if count == 1 else request.document or ""
        found: list[Completion] = []
        empty: Completion | None = None
        greedy = request.limits.temperature == 0
        firsts: list[bytes | None] = []
        task = make_task(request, quotient, first, prompt, self.proposer.vocabulary, self._planner)
        for number in range(count if count == 1 else _TRIES * count):
            progress = begin(task, frozenset(firsts if greedy else ()))
            generation = self.proposer.begin(prompt.tokens, document)
            attempt = Attempt(request, progress, generation, self._prompts.index, watch, number)
            completion = attempt.run()
            if completion.text is None:
                empty = empty or completion
            if completion.text is not None and all(completion.text != other.text for other in found):
                found.append(completion)
            elif attempt.interrupted:  # another would take as long for as little
                break
            if len(found) == count:
                break
            if greedy and not attempt.interrupted and attempt.progress.first in (b"", *firsts):
                break  # there is nothing more to leave out, so the next would be this one again
            firsts.append(attempt.progress.first)
            watch = Stopwatch(self._clock)
        if found:
            return found
        assert empty is not None, "there was an attempt"
        return [empty]

    def _prompt(self, request: Request) -> Prompt:
        last = self._last.pop(request.document, None) if request.document is not None else None
        prompt = self._prompts.build(request.left, request.right, request.limits.max_tokens, last)
        if request.document is not None:
            self._last[request.document] = prompt
            if len(self._last) > _PROMPTS:
                self._last.popitem(last=False)
        return prompt


def complete(
    proposer: Proposer,
    open_quotient: Callable[[], Quotient],
    left: str,
    right: str,
    limits: Limits | None = None,
    cancellation: Cancellation | None = None,
) -> Completion:
    """Return one completion with a decoder of its own; see `Decoder.complete`."""
    request = Request(left, right, open_quotient, limits or Limits(), cancellation or Never())
    return Decoder(proposer).complete(request)
