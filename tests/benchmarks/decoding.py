"""Tokens a second of a model alone, and of the same model under the constraint, in one run."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.benchmarks.tables import Table

from dovetail.decoding import stopwatch
from dovetail.decoding.completion import Stop
from dovetail.decoding.decoder import Decoder
from dovetail.decoding.limits import Limits, Shape
from dovetail.decoding.prompt import Prompts
from dovetail.decoding.request import Request
from dovetail.masking.mask import Masker

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tests.benchmarks.contexts import Context

    from dovetail import Language
    from dovetail.decoding.proposer import Proposer

TOKENS = 48

ALONE, CONSTRAINED, DRAFTED = "the model alone", "with the constraint", "with the constraint, and drafts"


@dataclass
class Speed:
    """Tokens and the seconds that they took, those for prompts and contexts left out.

    What ended a text counts as one of them: it takes as long.
    """

    tokens: int = 0
    seconds: float = 0.0
    constraint: float = 0.0
    """The part of it that the constraint's questions took."""
    shares: list[float] = field(default_factory=list)
    """That part against the rest, for each text."""

    def row(self, name: str, alone: Speed) -> tuple[str, float, float, float, float]:
        """Return tokens a second, and milliseconds a token in all, for the constraint, and beyond the model alone."""
        each = 1000 * self.seconds / self.tokens
        beyond = each - 1000 * alone.seconds / alone.tokens
        return name, self.tokens / self.seconds, each, 1000 * self.constraint / self.tokens, beyond


def measure(
    language: Language, contexts: Sequence[Context], model: Proposer, clock: Callable[[], float] = time.process_time
) -> dict[str, Speed]:
    """Return the speeds over some places; each text is written alone first, then twice in its place.

    `clock`: in seconds; the processor's own time where a model runs on it, the time of day where a device works.
    """
    masker = Masker(language, model.vocabulary)
    prompts, decoder = Prompts(model), Decoder(model)
    speeds = {ALONE: Speed(), CONSTRAINED: Speed(), DRAFTED: Speed()}
    timed: Any = stopwatch
    before, timed.perf_counter = timed.perf_counter, clock
    try:
        for context in contexts:
            left, right = context.left, context.right
            alone = speeds[ALONE]
            generation = model.begin(prompts.build(left, right, TOKENS).tokens)
            token = generation.ranked(1)[0][0]
            started = clock()
            for _ in range(TOKENS):
                generation.feed(token)
                generation.start()
                token = generation.ranked(8)[0][0]
            alone.seconds += clock() - started
            alone.tokens += TOKENS
            for name in (CONSTRAINED, DRAFTED):
                quotient = language.quotient(left, right)
                # What a right context takes once, whatever is written before it, is no matter of tokens.
                _ = quotient.right.closings.closer
                limits = Limits(TOKENS, shape=Shape.FREE, drafting=name == DRAFTED)
                request = Request(left, right, lambda quotient=quotient: quotient, limits, open_masker=lambda: masker)
                completion = decoder.complete(request)
                if completion.tokens < 2:
                    continue
                speed, seconds = speeds[name], completion.seconds
                # The first one's time is the prompt's; what ended the text was proposed like the others.
                speed.tokens += completion.tokens - (completion.stop is Stop.BUDGET)
                speed.seconds += seconds.model + seconds.constraint
                speed.constraint += seconds.constraint
                speed.shares.append(seconds.constraint / seconds.model)
    finally:
        timed.perf_counter = before
    return speeds


def table(speeds: dict[str, Speed], title: str) -> Table:
    """Return the speeds, and what the constraint costs against the model."""
    columns = ("what", "tokens a second", "ms a token", "of it constraint", "beyond the model alone")
    ordered = sorted(speeds[CONSTRAINED].shares)
    note = (
        f"Up to {TOKENS} tokens a text, greedy; prompts and contexts are left out. The constraint takes "
        f"{100 * ordered[len(ordered) // 2]:.1f} % of the model's time in the median text, "
        f"{100 * ordered[int(0.95 * len(ordered))]:.1f} % in the 95th percentile."
        if ordered
        else "Nothing was written."
    )
    rows = [speed.row(name, speeds[ALONE]) for name, speed in speeds.items() if speed.tokens]
    return Table(title, columns, rows, note)
