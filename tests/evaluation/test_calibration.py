"""The calibration of a model is found from what is observed, and judged by the known measures."""

from __future__ import annotations

import math
from random import Random

import pytest
from tests.decoding.scripted_proposer import ScriptedProposer, writes
from tests.evaluation.calibration import Observation, brier, calibration_error, fit, loss, observe

import dovetail
from dovetail.decoding.acceptance import Calibration, read_calibration
from dovetail.model.hosting import CALIBRATION, EMBEDDED


def observed(true_slope: float, count: int = 4000) -> list[Observation]:
    """Return tokens of a model whose log-odds have to be multiplied by a slope to be right."""
    random = Random(7)
    found = []
    for _ in range(count):
        fitted = math.log(random.uniform(0.02, 0.98))
        share = math.exp(Calibration(true_slope).token(fitted))
        found.append(Observation(fitted, random.random() < share))
    return found


@pytest.mark.parametrize("slope", [0.5, 0.71, 1.0, 1.5])
def test_the_slope_is_found(slope: float) -> None:
    """The slope with which outcomes were drawn comes back, and is better than none by every measure."""
    observations = observed(slope)

    fitted = fit(observations)

    assert fitted.slope == pytest.approx(slope, abs=0.08)
    assert calibration_error(fitted, observations) < 0.03
    assert loss(fitted, observations) <= loss(Calibration(), observations)
    if abs(slope - 1) > 0.2:
        assert brier(fitted, observations) < brier(Calibration(), observations)
        assert calibration_error(fitted, observations) < calibration_error(Calibration(), observations)


def test_the_measures_of_a_known_case() -> None:
    """Two tokens at one half, one of them right: a Brier score of a quarter, and a loss of one bit."""
    observations = [Observation(math.log(0.5), True), Observation(math.log(0.5), False)]

    assert brier(Calibration(), observations) == pytest.approx(0.25)
    assert loss(Calibration(), observations) == pytest.approx(math.log(2))


def test_tokens_are_observed_up_to_the_first_wrong_one() -> None:
    """A token is right if the text with it begins the removed one; nothing is asked after a wrong one."""
    pieces = [b"a", b"+", b"b", b"+", b"c"]
    proposer = ScriptedProposer(sorted(set(pieces)), writes(*pieces))
    language = dovetail.load_language("python", target="3.12")

    found = observe(proposer, language, "x = f(", ")\n", "a+d")

    assert [one.right for one in found] == [True, True, False]


def test_the_embedded_model_is_calibrated() -> None:
    """The file beside the embedded model holds a calibration, and it was fitted."""
    assert read_calibration(EMBEDDED / CALIBRATION) != Calibration()
