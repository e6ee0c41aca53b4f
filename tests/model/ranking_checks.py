"""Checks of the numbers of models."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dovetail.model.hosted import HostedModel
    from dovetail.model.runtimes.engine import EngineModel
    from dovetail.model.runtimes.sequence_model import SequenceModel

    Model = HostedModel | SequenceModel | EngineModel


def greedy(hosted: Model, tokens: list[int], count: int) -> list[int]:
    """Write with one generation, which keeps its keys and values."""
    generation = hosted.begin(tokens)
    written = []
    for _ in range(count):
        written.append(generation.ranked(1)[0][0])
        generation.feed(written[-1])
    return written


def assert_ranked_alike(found: Sequence[tuple[int, float]], expected: Sequence[tuple[int, float]]) -> None:
    """Compare rankings: the scores agree; tokens may change places where their scores are nearly the same."""
    known = dict(expected)
    assert [score for _, score in found] == pytest.approx([score for _, score in expected], abs=1e-3)
    assert all(known.get(token, score) == pytest.approx(score, abs=1e-3) for token, score in found)
