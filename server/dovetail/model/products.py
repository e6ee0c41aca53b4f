"""Products of a few rows with a large matrix, faster than a library makes them that is built for many rows."""

from __future__ import annotations

import os
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

import torch

if TYPE_CHECKING:
    from collections.abc import Iterator

    from transformers import PreTrainedModel

_FEW = range(2, 9)
"""Rows for which the other order is faster: of a draft, or of a batch. For one row both are the same."""

_GROUPED = "TRANSFORMERS_SDPA_FORCE_GQA"


def quicken_output(model: PreTrainedModel) -> None:
    """Have a model on a CPU compute its logits of a few tokens by the faster product.

    On a CPU, in float32, the usual product of two to eight rows with the output matrix takes two to three times as
    long as that of one row, though both read the matrix once. With the factors exchanged it takes about as long as
    that of one row. The numbers are the same but for rounding.
    """
    output: Any = model.get_output_embeddings()  # type: ignore[no-untyped-call]
    if type(output) is torch.nn.Linear and output.bias is None and model.device.type == "cpu":
        output.forward = partial(few_rows, output.weight)


@contextmanager
def grouped_attention(model: PreTrainedModel) -> Iterator[None]:
    """Have a model on a CPU attend with its few heads of keys and values as they are.

    With a mask the library copies them for each head of queries, with every pass, unless this variable forbids it.
    """
    before = os.environ.get(_GROUPED)
    if model.device.type != "cpu" or before is not None:
        yield
        return
    os.environ[_GROUPED] = "1"
    try:
        yield
    finally:
        del os.environ[_GROUPED]


def few_rows(matrix: torch.Tensor, inputs: torch.Tensor) -> torch.Tensor:
    """Return the product of inputs, shape (…, width), with a matrix of shape (height, width): shape (…, height)."""
    if inputs.dtype is not torch.float32 or inputs.numel() // inputs.shape[-1] not in _FEW or inputs.requires_grad:
        return torch.nn.functional.linear(inputs, matrix)
    flat = inputs.reshape(-1, inputs.shape[-1])
    return torch.mm(matrix, flat.t()).t().contiguous().view(*inputs.shape[:-1], matrix.shape[0])
