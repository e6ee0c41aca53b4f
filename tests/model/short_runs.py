"""Short runs of a tiny model."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from dovetail.model.recipe import PRESETS, Recipe
from dovetail.model.run import prepare
from dovetail.model.training import Budget, TrainedModel, train

TINY = PRESETS["tiny"]
RECIPE = replace(TINY, length=64, step_tokens=192, lengths=((0.5, 32),))


class KillError(Exception):
    """The signal that stops a run from outside."""


def steps(count: int) -> Budget:
    return Budget(minutes=1, steps=count)


def finished(folder: Path, sources: Path, budget: Budget, recipe: Recipe = RECIPE, **options: Any) -> TrainedModel:
    """Train to the end."""
    trained = train(prepare(folder, recipe, [sources]), budget, bfloat16=False, **options)
    assert trained is not None
    return trained


def same(one: Any, other: Any) -> bool:
    """Return whether two models have the same weights, bit for bit."""
    expected, actual = one.state_dict(), other.state_dict()
    return all(torch.equal(expected[name], actual[name]) for name in expected)


NEEDS_FULL = pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
