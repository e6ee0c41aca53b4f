"""The model's own probabilities are kept with a text, and make the estimate that it is right."""

from __future__ import annotations

import math
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.decoding.finite_quotient import FiniteQuotient
from tests.decoding.scripted_proposer import ScriptedProposer, writes
from tests.decoding.test_step import task_of

from dovetail.decoding.acceptance import PARTS, WORTH, Calibration, Choice, acceptance, probability
from dovetail.decoding.completion import Cause, Stop
from dovetail.decoding.decoder import complete
from dovetail.decoding.limits import Limits, Shape
from dovetail.decoding.progress import Progress, begin
from dovetail.decoding.proposer import Proposal
from dovetail.decoding.step import More, Taken, step

FITTED = st.floats(-12, 0)
CALIBRATIONS = st.builds(Calibration, st.floats(0.1, 3), st.floats(-3, 3), st.floats(0, 1))


def taken(progress: Progress, proposer: ScriptedProposer, *parts: list[tuple[bytes, float]]) -> Progress:
    """Return the text after a step whose ranking, of pieces and probabilities, is given in parts."""
    for part in parts:
        outcome = step(progress, [Proposal(proposer.token(piece), math.log(share)) for piece, share in part])
        progress = outcome.progress
        if isinstance(outcome, Taken):
            return progress
        assert isinstance(outcome, More)
    raise AssertionError("no token was taken")


@pytest.mark.parametrize("cut", [0, 1, 2])
def test_both_probabilities_of_a_token_are_kept(cut: int) -> None:
    """A token has the model's probability, and that among what was not refused, in however many parts it is ranked."""
    proposer = ScriptedProposer([b"ab"])
    ranking = [(b"x", 0.5), (b"y", 0.25), (b"ab", 0.125), (b"a", 0.125)]

    progress = taken(begin(task_of(proposer, ["ab"])), proposer, ranking[:cut], ranking[cut:])

    (choice,) = progress.choices
    assert [refusal.cause for refusal in progress.named_refusals()] == [Cause.UNFIT] * 2
    assert choice[:3] == pytest.approx((2, math.log(0.125), math.log(0.5)))


def test_the_tokens_of_a_text_lie_side_by_side() -> None:
    """One choice for each token, at its end."""
    proposer = ScriptedProposer([b"ab", b"cde"])
    progress = begin(task_of(proposer, ["abcdef"]))
    for piece in (b"ab", b"cde", b"f"):
        progress = taken(progress, proposer, [(piece, 0.5)])

    assert [choice.length for choice in progress.choices] == [2, 5, 6]
    assert len(progress.choices) == progress.tokens


def test_held_text_is_not_held_against_a_token() -> None:
    """A token that also spells the end of the left text is judged after that text."""
    pieces = [b"re", b"return", b"retry", b" x"]
    proposer = ScriptedProposer(pieces, writes(b"return", b" x"))
    quotient = FiniteQuotient(["turn x", "try x"])

    completion = complete(proposer, lambda: quotient, "re", "")

    # Scores are 0, -1, -2 and so on, so that the first choice takes more than all probability that there is.
    assert completion.text == "turn x"
    assert completion.acceptance == pytest.approx(1.0, abs=1e-3)


@given(CALIBRATIONS, FITTED, st.booleans())
def test_a_token_lies_on_its_line(calibration: Calibration, fitted: float, prose: bool) -> None:
    """Log-odds are calibrated by a line; nothing is certain or impossible."""
    share = min(max(math.exp(fitted), 1e-6), 1 - 1e-4)
    factor = math.exp(calibration.offset + (calibration.prose if prose else 0.0))
    odds = (share / (1 - share)) ** calibration.slope * factor

    assert math.exp(calibration.token(fitted, prose)) == pytest.approx(odds / (1 + odds), rel=1e-6)


def chosen(shares: list[float]) -> list[Choice]:
    """Return tokens of two bytes each, with the probability that each is right after right ones."""
    totals = accumulate(map(math.log, shares))
    return [Choice(2 * place, -20.0, -20.0, total) for place, total in enumerate(totals, 1)]


SHARES = st.lists(st.floats(0.01, 1), min_size=1, max_size=8)


@given(SHARES, st.integers(0, 20))
def test_the_probability_is_the_product_of_its_tokens(shares: list[float], length: int) -> None:
    """The tokens count that begin within the length."""
    assert probability(chosen(shares), length) == pytest.approx(math.prod(shares[: math.ceil(length / 2)]))


@given(SHARES, st.floats(0, 1))
def test_a_text_is_accepted_as_a_whole_or_by_its_beginning(shares: list[float], closed: float) -> None:
    """Some users take the first few characters where they are right, the others only a whole text."""
    text = b" a" + b"bc" * (len(shares) - 1)
    length = len(text)
    # The blank does not count, so two tokens have the three characters that are worth it.
    assert WORTH == 3
    whole = closed * math.prod(shares)
    part = math.prod(shares[:2]) if length > 4 else whole

    found = acceptance(chosen(shares), text, length, closed)

    assert found == pytest.approx(PARTS * part + (1 - PARTS) * whole)


@given(SHARES, st.integers(0, 14))
def test_more_text_is_never_likelier(shares: list[float], length: int) -> None:
    """The estimate is a probability and falls with the length."""
    text = b"ab" * len(shares)

    shorter, longer = (acceptance(chosen(shares), text, size) for size in (length, length + 2))

    assert 0 <= longer <= shorter * (1 + 1e-9) <= 1 + 1e-9


def test_a_token_counts_that_ends_the_text_inside() -> None:
    """The token within which a text ends is part of what has to be right."""
    pieces = [b"x", b"=1\ny"]
    proposer = ScriptedProposer(pieces, writes(*pieces, b"=2"), chances={1: 0.6})
    middles = ["x=1", "x=1\ny=2"]

    completion = complete(proposer, lambda: FiniteQuotient(middles), "", "", Limits(shape=Shape.LINE))

    assert (completion.text, completion.stop) == ("x=1", Stop.LINE)
    assert completion.acceptance == pytest.approx(0.6, rel=0.01)
