"""Weights in eight bits: near what they were, exact in sixteen, and packed to little more than half."""

from __future__ import annotations

import zlib

import pytest
import torch

from dovetail.model.publication import rounded


@pytest.mark.parametrize("size", [1e-6, 0.03, 1.0, 300.0])
def test_numbers_are_near_and_exact_in_sixteen_bits(size: float) -> None:
    """Each is at most half a step from its own; a step is at most a 64th of the largest of its 32."""
    weights = torch.randn(50, 96, generator=torch.Generator().manual_seed(3)) * size
    found = rounded(weights)
    largest = weights.reshape(50, 3, 32).abs().amax(2, keepdim=True).clamp(min=64 * 2.0**-24)

    assert torch.equal(found.to(torch.float16).float(), found)
    assert ((found - weights).reshape(50, 3, 32).abs() <= largest / 127).all()
    assert torch.equal(rounded(found), found)


def test_they_are_packed_to_ten_bits() -> None:
    """So the wheel is two thirds as large as with all sixteen."""
    weights = rounded(torch.randn(500, 384, generator=torch.Generator().manual_seed(3)) * 0.05)

    assert len(zlib.compress(weights.to(torch.float16).numpy().tobytes())) * 8 < 10.5 * weights.numel()


def test_what_has_no_groups_stays() -> None:
    """Vectors, and rows that are not made of 32 numbers each; zeros are zeros."""
    vector, odd = torch.randn(64), torch.randn(4, 33)

    assert torch.equal(rounded(vector), vector)
    assert torch.equal(rounded(odd), odd)
    assert torch.equal(rounded(torch.zeros(2, 32)), torch.zeros(2, 32))
