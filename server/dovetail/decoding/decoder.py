"""The decoder: a model's tokens and a quotient make a likely text that fits both sides.

1. The prompt is made (`prompt.py`) and read.
2. The model proposes tokens (`sampling.py`, and `healing.py` for the first one).
3. One step takes the first proposal that passes all rules (`step.py`, `rules.py`). The last rule keeps the promise
   below, by the budget of tokens (`token_budget.py`).
4. Steps follow one another (`attempt.py`; for several texts at once `texts.py`) until a rule ends the text, the tokens
   or the time are used up, or nothing fits.
5. The text is closed, or cut where a user is expected to gain most (`finishing.py`, `gain.py`), and tidied
   (`ending.py`). While the user types it is kept back if it is unlikely to be accepted (`silence.py`).

The promise: the outcome is a program or nothing, and it has at most as many tokens as were allowed, its closing
included. Texts are greedy or drawn, or the likeliest that a beam search finds (`beams.py`).
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

from dovetail.decoding.acceptance import DEFAULT
from dovetail.decoding.attempt import Attempt
from dovetail.decoding.beams import BeamSearch
from dovetail.decoding.cancellation import Never
from dovetail.decoding.completion import Completion, Stop
from dovetail.decoding.limits import Limits
from dovetail.decoding.memory import Memory
from dovetail.decoding.named_elements import name_elements
from dovetail.decoding.plan import Planner
from dovetail.decoding.progress import begin
from dovetail.decoding.prompt import Prompts
from dovetail.decoding.proposer import NearbyReader
from dovetail.decoding.rankings import Spellings
from dovetail.decoding.request import Request
from dovetail.decoding.rest_of_line import keep_rest_of_line
from dovetail.decoding.rows import begin_rows
from dovetail.decoding.silence import reason_for_silence
from dovetail.decoding.stopwatch import Stopwatch
from dovetail.decoding.task import make_task
from dovetail.decoding.texts import Texts

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from dovetail.decoding.cancellation import Cancellation
    from dovetail.decoding.constraint import Constraint
    from dovetail.decoding.formats import Order
    from dovetail.decoding.prompt import Prompt
    from dovetail.decoding.proposer import Proposer
    from dovetail.decoding.repository import ShownPart

_PROMPTS = 16
"""Documents whose last prompt is remembered."""


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

    @property
    def sees_right(self) -> bool:
        """True if the model is shown the text after the cursor; the quotient sees it always."""
        return self._prompts.form.sees_right

    def shown_parts(self, document: str) -> tuple[ShownPart, ...]:
        """Return the parts of other files in the last prompt of a document."""
        last = self._last.get(document)
        return () if last is None else last.parts

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

        Greedy ones differ in their first token, and the first of them is the one that `complete` returns. With beams
        they are the likeliest texts, the best first. They share one reading of both contexts. The time limit holds for
        each of them.
        """
        return list(self.ready_candidates(request, count))

    def ready_candidates(self, request: Request, count: int) -> Generator[Completion, None, None]:
        """Yield what `candidates` returns, each as soon as it and those before it are ready; see `texts.py`."""
        watch = Stopwatch(self._clock)
        if (reason := reason_for_silence(request)) is not None:
            yield Completion(None, reason, "", 0, 0, watch.seconds)
            return
        quotient = request.open_quotient()
        stop = Stop.NOT_VIABLE
        if quotient.viable:
            quotient, stop = keep_rest_of_line(quotient, request), Stop.WRONG_LINE
        if quotient.block_is_due:
            yield Completion(None, Stop.BLOCK_DUE, "", 0, 0, watch.seconds)
            return
        start = name_elements(quotient, request.left)
        closing = start.closing() if quotient.viable else None
        watch.charge("contexts")
        if closing is None:
            yield Completion(None, stop, "", 0, 0, watch.seconds)
            return
        prompt = self._prompt(request)
        first = self._planner.plan(closing.encode(), prompt.room)
        watch.charge("prompt")
        if first.cost > prompt.room:
            yield Completion(None, Stop.TOO_LONG, "", 0, 0, watch.seconds)
            return

        # Few models were measured, so not every proposer has a calibration.
        calibration = getattr(self.proposer, "calibration", None) or DEFAULT
        task = make_task(request, quotient, first, prompt, self.proposer.vocabulary, self._planner, calibration, start)
        if isinstance(self.proposer, NearbyReader):
            self.proposer.read_nearby(request.document, request.project)
        beams = request.limits.beams
        if count == 1 and beams == 1:
            generation = self.proposer.begin(prompt.tokens, request.document)
            opening = Spellings(task, generation, self._prompts.index)
            yield Attempt(request, begin(task), generation, opening, watch).run()
            return
        rows = begin_rows(self.proposer, prompt.tokens, request.document)
        opening = Spellings(task, rows.first, self._prompts.index)
        try:
            if beams > 1:
                yield from BeamSearch(request, task, opening, count, watch).run(rows.first)
            else:
                yield from Texts(request, task, rows, opening, count, watch, self._clock).write()
        finally:
            rows.first.drop()

    def _prompt(self, request: Request) -> Prompt:
        last = self._last.pop(request.document, None) if request.document is not None else None
        prompt = self._prompts.build(request.left, request.right, request.limits.max_tokens, last, request.project)
        if request.document is not None:
            self._last[request.document] = prompt
            if len(self._last) > _PROMPTS:
                self._last.popitem(last=False)
        return prompt


def complete(
    proposer: Proposer,
    open_quotient: Callable[[], Constraint],
    left: str,
    right: str,
    limits: Limits | None = None,
    cancellation: Cancellation | None = None,
) -> Completion:
    """Return one completion with a decoder of its own; see `Decoder.complete`."""
    request = Request(left, right, open_quotient, limits or Limits(), cancellation or Never())
    return Decoder(proposer).complete(request)
