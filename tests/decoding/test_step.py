"""The step of decoding: a value is forked, kept and resumed, and no call waits for a model."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.decoding.finite_quotient import FiniteQuotient
from tests.decoding.scripted_proposer import ScriptedProposer, at_random, writes

from dovetail.decoding.completion import Cause, Stop
from dovetail.decoding.decoder import Decoder
from dovetail.decoding.finishing import finish
from dovetail.decoding.limits import Limits
from dovetail.decoding.plan import Planner
from dovetail.decoding.progress import begin
from dovetail.decoding.prompt import Prompts
from dovetail.decoding.proposer import Proposal
from dovetail.decoding.request import Request
from dovetail.decoding.step import Ended, More, Taken, exhaust, step
from dovetail.decoding.task import make_task

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dovetail.decoding.progress import Progress
    from dovetail.decoding.task import Task


def task_of(proposer: ScriptedProposer, middles: Iterable[str], limits: Limits | None = None) -> Task:
    """Return the task of completing between two empty texts."""
    limits = limits or Limits()
    quotient = FiniteQuotient(middles)
    request = Request("", "", lambda: quotient, limits)
    planner = Planner(proposer)
    closing = quotient.start.closing()
    assert closing is not None
    prompt = Prompts(proposer).build("", "", limits.max_tokens)
    return make_task(request, quotient, planner.plan(closing.encode()), prompt, proposer.vocabulary, planner)


def ranking(proposer: ScriptedProposer, text: bytes) -> list[Proposal]:
    """Return the script's order after a text."""
    return [Proposal(token, -float(place)) for place, token in enumerate(proposer.rank(text))]


def written(progress: Progress, proposer: ScriptedProposer, part: int) -> tuple[str | None, str, Stop]:
    """Return the outcome of a text whose rankings are given in parts of a size, with scores as the script has them."""
    stop = Stop.BUDGET
    while not progress.is_spent:
        if progress.tokens:
            progress = progress.marked(proposer.begin(()).scores([proposer.end])[0])
        proposals = ranking(proposer, progress.text)
        outcome: Taken | Ended | More = More(progress)
        while isinstance(outcome, More):
            now, proposals = proposals[:part], proposals[part:]
            outcome = step(outcome.progress, now) if now else exhaust(outcome.progress)
        progress = outcome.progress
        if isinstance(outcome, Ended):
            stop = outcome.stop
            break
    return finish(progress, stop)


MIDDLES = st.sets(st.text("ab(\n", min_size=1, max_size=10), min_size=1, max_size=8)
PIECES = [b"ab", b"(a", b"a\n", b"b\na", b"\n("]


@given(MIDDLES, st.integers(0, 1 << 32), st.integers(10, 24), st.sampled_from([1, 3, 64]))
def test_parts_of_a_ranking_decide_as_the_whole_does(middles: set[str], seed: int, tokens: int, part: int) -> None:
    """However a ranking is cut into parts, the text, its closing and the reason to stop are the same."""
    proposer = ScriptedProposer(PIECES, at_random(seed))
    task = task_of(proposer, middles, Limits(tokens))

    assert written(begin(task), proposer, part) == written(begin(task), proposer, 10_000)


@given(MIDDLES, st.integers(0, 1 << 32))
def test_the_decoder_drives_the_same_steps(middles: set[str], seed: int) -> None:
    """A loop of one's own around `step` offers what the decoder offers."""
    proposer = ScriptedProposer(PIECES, at_random(seed))
    limits = Limits(10)
    completion = Decoder(proposer).complete(Request("", "", lambda: FiniteQuotient(middles), limits))

    progress, stop = begin(task_of(proposer, middles, limits)), Stop.BUDGET
    generation = proposer.begin(())
    while not progress.is_spent:
        if progress.tokens:
            progress = progress.marked(generation.ending())
        outcome = step(progress, ranking(proposer, progress.text))
        if isinstance(outcome, More):
            outcome = exhaust(outcome.progress)
        progress = outcome.progress
        if isinstance(outcome, Ended):
            stop = outcome.stop
            break
        generation.feed(outcome.token)

    assert finish(progress, stop) == (completion.text, completion.closing, completion.stop)


def test_a_fork_leaves_the_other_as_it_is() -> None:
    """Two texts go on from one value in lockstep, as a batch or a beam does; each is what it would be by itself."""
    proposer = ScriptedProposer([b"if", b"while"], at_random(3))
    task = task_of(proposer, ["if(a)", "while(b)"])
    opened = [step(begin(task), [Proposal(proposer.token(piece), 0.0)]) for piece in (b"if", b"while")]
    texts = [outcome.progress for outcome in opened]

    for column in zip(b"(a)", b"(b)", strict=True):
        texts = [
            step(progress, [Proposal(proposer.token(bytes([byte])), 0.0)]).progress
            for progress, byte in zip(texts, column, strict=True)
        ]
    kept = opened[0].progress

    assert [progress.text for progress in texts] == [b"if(a)", b"while(b)"]
    assert (kept.text, kept.tokens, kept.budget.left) == (b"if", 1, task.prompt.room - 1)


def test_a_progress_is_a_value() -> None:
    """Nothing can be assigned to it, and a step from it can be made twice."""
    proposer = ScriptedProposer([b"ab"], writes(b"ab"))
    progress = begin(task_of(proposer, ["ab", "b"]))
    proposals = ranking(proposer, b"")

    with pytest.raises(AttributeError):
        progress.text = b"x"
    once, again = step(progress, proposals), step(progress, proposals)
    assert (once.progress.text, again.progress.text, progress.text) == (b"ab", b"ab", b"")


def test_more_of_the_ranking_is_asked_for_by_a_value() -> None:
    """The outcome says if all proposals are refused, keeps the refusals, and goes on where it stood."""
    proposer = ScriptedProposer([], writes(b"b"))
    progress = begin(task_of(proposer, ["b"]))

    refused = step(progress, [Proposal(proposer.token(piece), 0.0) for piece in (b"x", b"y")])

    assert isinstance(refused, More)
    assert refused.progress.open_step.rank == refused.progress.refused == 2
    assert [refusal.cause for refusal in refused.progress.named_refusals()] == [Cause.UNFIT] * 2
    taken = step(refused.progress, [Proposal(proposer.token(b"b"), 0.0)])
    assert isinstance(taken, Taken)
    assert (taken.progress.text, taken.progress.refused, taken.progress.open_step.rank) == (b"b", 2, 0)


def test_nothing_is_read_behind_the_proposal_that_decides() -> None:
    """A ranking may be given lazily: only as much of it is read as the step needs."""
    proposer = ScriptedProposer([], writes(b"b"))
    proposals = iter([Proposal(proposer.token(piece), 0.0) for piece in (b"x", b"b", b"y")])

    step(begin(task_of(proposer, ["b"])), proposals)

    assert [proposal.token for proposal in proposals] == [proposer.token(b"y")]


def test_a_ranking_that_ends_is_closed_or_given_up() -> None:
    """The text ends if a ranking has no more, for want of a token that fits or of tokens to close it."""
    proposer = ScriptedProposer([], writes(b"a"))
    progress = begin(task_of(proposer, ["ab"]))

    unfit = exhaust(step(progress, [Proposal(proposer.token(b"x"), 0.0)]).progress)

    assert isinstance(unfit, Ended)
    assert finish(unfit.progress, unfit.stop) == ("ab", "ab", Stop.UNFIT)
