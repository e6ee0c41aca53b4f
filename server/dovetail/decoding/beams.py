"""Beam search: the likeliest texts of one place, found by following several beginnings at once.

A text's log-probability is the plain sum of those of its tokens, the one that ends it included. Without a
normalisation by length sums only fall, so the search ends as soon as no beginning can become likelier than the texts
that are found (Huang, Zhao and Ma 2017, *When to Finish?*), and with a beam wide enough it is exact. Such a search
prefers short texts (Stahlberg and Byrne 2019); here the syntax says where a text may end.

A plain beam may lose the greedy text on its way to worse ones. This one always follows it, as one of its beginnings.
So the best text is at least as likely as the greedy one, and a beam of width one is greedy decoding.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, islice
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from dovetail.decoding.attempt import completed, interruption
from dovetail.decoding.completion import Seconds, Stop
from dovetail.decoding.progress import OpenStep, begin
from dovetail.decoding.rankings import rankings
from dovetail.decoding.step import Ended, More, Taken, exhaust, step

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from dovetail.decoding.completion import Completion
    from dovetail.decoding.progress import Progress
    from dovetail.decoding.proposer import Proposal, Row
    from dovetail.decoding.request import Request
    from dovetail.decoding.stopwatch import Stopwatch
    from dovetail.decoding.task import Task

_FURTHER = 64
"""Proposals that are looked at for further ways to go on from one beginning; for the first way all may be."""


class _Beam(NamedTuple):
    """One beginning."""

    progress: Progress
    row: Row
    score: float
    """Its log-probability."""
    is_greedy: bool


class _Expansion(NamedTuple):
    """One token behind a beginning, or its end."""

    beam: _Beam
    outcome: Taken | Ended
    score: float
    """The log-probability of the text with it."""
    is_greedy: bool


class _Proposals:
    """A ranking that is read one by one and remembers the last proposal."""

    def __init__(self, parts: Iterable[Iterable[Proposal]]) -> None:
        self._source = chain.from_iterable(parts)
        self.read = 0
        self.last: Proposal | None = None

    def __iter__(self) -> Iterator[Proposal]:
        return self

    def __next__(self) -> Proposal:
        self.last = next(self._source)
        self.read += 1
        return self.last


class BeamSearch:
    """One beam search."""

    def __init__(
        self, request: Request, task: Task, opening: Iterable[Proposal], count: int, watch: Stopwatch
    ) -> None:  # fmt: skip
        """Prepare to find `count` texts with the width of the request's limits, or with `count` if that is more.

        `opening`: the proposals for the first token if there is held text.
        """
        assert request.limits.temperature == 0, "a beam search draws nothing"
        self._request = request
        self._task = task
        self._opening = opening
        self._count = count
        self._width = max(request.limits.beams, count)
        self._watch = watch
        self._found: dict[str, tuple[float, Completion]] = {}  # text → the best log-probability, and the outcome
        self._empty: Completion | None = None
        """The first outcome without a text."""

    def run(self, first: Row) -> list[Completion]:
        """Return the likeliest completions with different texts, or a single one without a text, which says why.

        `first`: a row that has read the prompt; the search forks it.
        """
        beams = [_Beam(begin(self._task), first.fork(), 0.0, is_greedy=True)]
        while beams:
            if (stop := interruption(self._request, self._watch)) is not None:
                for beam in beams:
                    self._enter(Ended(beam.progress, stop), beam.score)
                break
            beams = self._next(beams)
            if self._is_decided(beams):
                break
        for beam in beams:
            beam.row.drop()
        return self._completions()

    def _next(self, beams: list[_Beam]) -> list[_Beam]:
        """Return the likeliest beginnings with one more token; texts that end are entered."""
        longer = []
        for beam in beams:
            for expansion in self._expansions(beam):
                if isinstance(expansion.outcome, Ended):
                    self._enter(expansion.outcome, expansion.score)
                else:
                    longer.append(expansion)
        # The greedy text first, then the likeliest; texts that are as likely stay in the order of the ranking.
        longer.sort(key=lambda expansion: (not expansion.is_greedy, -expansion.score))
        chosen = [_fed(expansion) for expansion in longer[: self._width]]
        for beam in beams:
            beam.row.drop()
        return chosen

    def _expansions(self, beam: _Beam) -> Iterator[_Expansion]:
        """Yield the likeliest ways to go on that pass all rules; the first is the one that greedy decoding takes."""
        progress, row, before, is_greedy = beam
        if progress.is_spent:
            yield _Expansion(beam, Ended(progress, Stop.BUDGET), before, is_greedy)
            return
        watch = self._watch
        account = "model" if progress.tokens else "prompt"
        watch.charge("constraint")
        ending = row.ending()
        watch.charge(account)
        if progress.tokens:
            progress = progress.marked(ending)
        proposals = _Proposals(rankings(self._request, progress, row, self._opening, Random(0)))
        outcome: Taken | Ended | More = step(progress, proposals)
        if isinstance(outcome, More):
            outcome = exhaust(outcome.progress)
        known = set()
        for _ in range(self._width):
            token, score = _decided(outcome, proposals.last)
            if token not in known:
                known.add(token)
                yield _Expansion(beam, outcome, before + score, is_greedy)
                is_greedy = False
            # A further way is a free choice of the model: it does not begin anew to look for one that fits.
            further = islice(proposals, max(0, max(_FURTHER, self._width) - proposals.read))
            again = step(progress._replace(open_step=OpenStep(rank=proposals.read)), further)
            if isinstance(again, More):
                return
            outcome = again

    def _enter(self, ended: Ended, score: float) -> None:
        """Enter a text that has ended; of texts that are the same in the end the likeliest counts."""
        completion = completed(ended.progress, ended.stop, self._watch)
        if completion.text is None:
            self._empty = self._empty or completion
        elif completion.text not in self._found or self._found[completion.text][0] < score:
            self._found[completion.text] = score, completion

    def _is_decided(self, beams: list[_Beam]) -> bool:
        """Return whether no beginning can become likelier than the texts that are found: sums only fall."""
        if len(self._found) < self._count:
            return False
        scores = sorted((score for score, _ in self._found.values()), reverse=True)
        return all(beam.score <= scores[self._count - 1] for beam in beams)

    def _completions(self) -> list[Completion]:
        """Return the likeliest texts, the best first; it has the time of the whole search, and the others have none."""
        found = sorted(self._found.values(), key=lambda pair: -pair[0])
        completions = [completion for _, completion in found[: self._count]]
        if not completions:
            assert self._empty is not None, "some text has ended"
            completions = [self._empty]
        nothing = Seconds(0.0, 0.0, 0.0, 0.0)
        return [
            replace(completion, seconds=nothing if place else self._watch.seconds)
            for place, completion in enumerate(completions)
        ]


def _fed(expansion: _Expansion) -> _Beam:
    """Return the beginning of an expansion, whose row is told the token."""
    beam, taken, score, is_greedy = expansion
    assert isinstance(taken, Taken), "a text that has ended does not go on"
    row = beam.row.fork()
    for token in (*taken.path, taken.token):
        row.feed(token)
    return _Beam(taken.progress, row, score, is_greedy)


def _decided(outcome: Taken | Ended, last: Proposal | None) -> tuple[tuple[int, ...], float]:
    """Return the tokens of an outcome with their log-probability; `last`: the proposal that was read last."""
    if isinstance(outcome, Taken) and (last is None or (outcome.path, outcome.token) != (last.path, last.token)):
        # Not the last proposal: the known way to finish, or one that was put off.
        return (*outcome.path, outcome.token), outcome.progress.choices[-1].score
    if last is None:
        return (), 0.0
    return (*last.path, last.token), last.score
