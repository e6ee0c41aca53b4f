"""The comparison of masks with asking token by token finds a mask that is wrong."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.fuzz.masks import compare, summary
from tests.masking.hostile import hostile

import dovetail
from dovetail.masking.mask import Masker

CORPUS = sorted((Path(__file__).parents[1] / "cases" / "go" / "valid").iterdir())


@pytest.fixture(name="masker")
def _masker(tmp_path: Path) -> Masker:
    """Return masks for Go over the hostile vocabulary."""
    return Masker(dovetail.load_language("go"), hostile(), tmp_path)


def test_masks_of_go_are_right(masker: Masker) -> None:
    """Masks at random places of the cases hold the tokens that a state can be advanced by."""
    counts, costs = compare(masker, CORPUS, 5, seed=1)

    assert (counts["masks"], counts["wrong tokens"]) == (5, 0)
    assert counts["tokens asked for by themselves"] > 0
    assert "wrong tokens: 0" in summary(counts, costs)


def test_a_wrong_mask_is_found(masker: Masker, monkeypatch: pytest.MonkeyPatch) -> None:
    """A mask without any token differs from the tokens that are possible."""
    monkeypatch.setattr(masker, "mask", lambda state: np.zeros_like(Masker.mask(masker, state)))
    counts, _ = compare(masker, CORPUS, 3, seed=1)

    assert counts["wrong tokens"] > 0
