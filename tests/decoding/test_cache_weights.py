"""The network that weighs n-grams: its probabilities sum to 1, and only weights are read as weights."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dovetail.decoding.cache_weights import CacheWeights, read_weights, written
from dovetail.decoding.ngram_evidence import COUNT, GENERAL, LEVELS, OF_LEVEL, Evidence

if TYPE_CHECKING:
    from pathlib import Path

NONE = CacheWeights(np.zeros((COUNT, 1)), np.zeros(1), np.zeros(1), np.zeros(COUNT), np.zeros(1))
"""Weights that leave the model as it is."""


def believing(*levels: str) -> CacheWeights:
    """Return weights with which the first of some levels is believed, in place of the model, and the others add."""
    direct = np.zeros(COUNT)
    for level in levels:
        direct[GENERAL + OF_LEVEL * LEVELS.index(level)] = 5.0
    return NONE._replace(direct=direct)


@given(
    st.lists(st.floats(0.01, 0.2), min_size=1, max_size=4),
    st.integers(0, 2**32 - 1),
)
def test_probabilities_sum_to_1(shares: list[float], seed: int) -> None:
    """The candidates and all other tokens share the whole, and the others keep their proportions."""
    draw = np.random.default_rng(seed)
    weights = CacheWeights(
        draw.normal(size=(COUNT, 3)),
        draw.normal(size=3),
        draw.normal(size=3),
        draw.normal(size=COUNT),
        draw.normal(size=1),
    )
    evidence = Evidence(list(range(len(shares))), np.log(shares), draw.normal(size=(len(shares), COUNT)))
    left, candidates = weights.mix(evidence)
    others = math.exp(left) * (1 - sum(shares))
    assert list(candidates) == evidence.tokens
    assert math.fsum(map(math.exp, candidates.values())) + others == pytest.approx(1)


def test_without_weights_the_model_is_alone() -> None:
    """Nothing changes where nothing is weighed."""
    evidence = Evidence([3, 5], np.log([0.25, 0.5]), np.ones((2, COUNT)))
    left, candidates = NONE.mix(evidence)
    assert left == pytest.approx(0)
    assert candidates == pytest.approx({3: math.log(0.25), 5: math.log(0.5)})


def test_weights_are_read_as_they_were_written(tmp_path: Path) -> None:
    """The result of `written` is read as the same weights."""
    path = tmp_path / "cache.json"
    path.write_text(json.dumps(written(believing("left"))))
    for one, other in zip(read_weights(path), believing("left"), strict=True):
        assert one.tolist() == other.tolist()


GOOD = written(NONE)


@pytest.mark.parametrize(
    "data",
    [
        *({}, [], 1, None, {**GOOD, "levels": ["file"]}, {name: GOOD[name] for name in GOOD if name != "outer"}),
        *({**GOOD, "direct": [0.0]}, {**GOOD, "outer": [0.0, 0.0]}, {**GOOD, "constant": [1e9]}),
        *({**GOOD, "constant": ["a"]}, {**GOOD, "constant": [math.nan]}, {**GOOD, "inner": [[0.0], [0.0, 1.0]]}),
    ],
)
def test_other_files_are_no_weights(tmp_path: Path, data: Any) -> None:
    """A file of another form is refused."""
    (tmp_path / "cache.json").write_text(json.dumps(data))
    with pytest.raises(ValueError, match="no weights"):
        read_weights(tmp_path / "cache.json")
