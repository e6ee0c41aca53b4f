"""A model's tokens against the quotient: a likely text that fits both sides.

The way of a completion: the prompt is made (`prompt.py`) and read; the model proposes tokens (`choosing.py`, and
`healing.py` for the first one); each is tried against the constraint and the budget (`budget.py`); the text stops
where its extent ends, where the model ends it, or where it can go no further (`bounds.py`); what is left is looked
at once more (`ending.py`). Greedy, or drawn; left out on purpose: beams.

The promise: the outcome is a program or nothing, and it has at most as many tokens as were allowed, its closing
included.
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
"""Documents of which the last prompt is known."""

_TRIES = 3
"""Attempts for each candidate that is asked for: some come out like one before."""


class Decoder:
    """Completes with one model; what was read and shown is remembered by document."""

    def __init__(
        self, proposer: Proposer, order: Order | None = None, clock: Callable[[], float] | None = None
    ) -> None:
        """Make a decoder; `order` is that of the prompt, None for what suits the model best.

        `clock` gives the seconds by which time is accounted for and limited, those of the wall without one.
        """
        self.proposer = proposer
        self._clock = clock
        self._planner = Planner(proposer)
        self._prompts = Prompts(proposer, order)
        self._last: OrderedDict[str, Prompt] = OrderedDict()  # document → its last prompt
        self._memory = Memory()

    def complete(self, request: Request) -> Completion:
        """Return the completion of a place, from memory if the user typed into the last one."""
        known = self.recall(request)
        if known is not None:
            return known
        (completion,) = self.candidates(request, 1)
        self.remember(request, completion)
        return completion

    def remember(self, request: Request, completion: Completion) -> None:
        """Keep what a request was answered with, for whoever types on into it; `complete` does so by itself."""
        self._memory.keep(request, completion)

    def recall(self, request: Request) -> Completion | None:
        """Return the rest of a completion that the user typed into, for which the model is not asked; or None."""
        return self._memory.recall(request)

    def forget(self, document: str) -> None:
        """Let go of what was read and shown in a document, which is closed."""
        self._memory.forget(document)
        self._last.pop(document, None)
        self.proposer.forget(document)

    def candidates(self, request: Request, count: int) -> list[Completion]:
        """Return up to `count` completions with different texts; or a single one without, which says why.

        Greedy ones differ in their first token; the first of them is what `complete` returns, where that is a text.
        They share one reading of both contexts, and the time limit is that of each.
        """
        watch = Stopwatch(self._clock)
        # A text that comments the rest of the line out would make a program, and connect nothing.
        quotient = request.open_quotient()
        start = quotient.keeping_rest_of_line.start if quotient.viable else quotient.start
        closing = start.closing() if quotient.viable else None
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
        task = make_task(request, start, first, prompt, self.proposer.vocabulary, self._planner)
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
    """Return one completion with a decoder that knows of no other; see `Decoder.complete`."""
    request = Request(left, right, open_quotient, limits or Limits(), cancellation or Never())
    return Decoder(proposer).complete(request)
