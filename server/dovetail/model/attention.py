"""Causal attention for training: in blocks of queries on a CPU, by torch's own kernel on a CUDA device.

A block of queries is multiplied with the keys up to its end only, one row of the batch at a time, so the scores
stay in the processor's cache and half of them are never computed. In bfloat16, with rows of 512 tokens, it takes
about a third of the time of torch's own attention on a CPU, most of it saved in the backward pass.

What transformers gives a device builds a mask while its kernels are compiled, with which the fastest kernel cannot
run; ours says that it is causal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch.nn import functional
from transformers import AttentionInterface

if TYPE_CHECKING:
    from torch import Tensor

BLOCKS = "dovetail-blocks"
KERNEL = "dovetail-kernel"
"""The names of these attentions in a configuration."""

_BLOCK = 256
"""Queries."""


class _Blocks(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, query: Tensor, key: Tensor, value: Tensor, scale: float) -> Tensor:
        """Return the attended values, (rows, heads, length, width), as the query's."""
        length = query.shape[2]
        hidden = torch.ones(_BLOCK, _BLOCK, dtype=torch.bool).triu(1)  # (block, block), True where a key is later
        attended = torch.empty_like(query)
        shares = []
        for row in range(len(query)):
            for start in range(0, length, _BLOCK):
                end = min(length, start + _BLOCK)
                scores = (query[row, :, start:end] * scale) @ key[row, :, :end].mT  # (heads, block, end)
                scores[:, :, start:].masked_fill_(hidden[: end - start, : end - start], -torch.inf)
                share = scores.softmax(-1)  # (heads, block, end)
                attended[row, :, start:end] = share @ value[row, :, :end]  # (heads, block, width)
                shares.append(share)
        ctx.save_for_backward(query, key, value, *shares)
        ctx.scale = scale
        return attended

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, Tensor, Tensor, None]:
        query, key, value, *shares = ctx.saved_tensors
        gradient = gradients[0].to(query.dtype)  # (rows, heads, length, width)
        of_query, of_key, of_value = torch.empty_like(query), torch.zeros_like(key), torch.zeros_like(value)
        remaining = iter(shares)
        for row in range(len(query)):
            for start in range(0, query.shape[2], _BLOCK):
                share = next(remaining)  # (heads, block, end)
                end = share.shape[2]
                above = gradient[row, :, start:end]  # (heads, block, width)
                of_value[row, :, :end] += share.mT @ above
                of_share = above @ value[row, :, :end].mT  # (heads, block, end)
                of_scores = share * (of_share - (of_share * share).sum(-1, keepdim=True))  # (heads, block, end)
                of_scores *= ctx.scale
                of_query[row, :, start:end] = of_scores @ key[row, :, :end]
                of_key[row, :, :end] += of_scores.mT @ query[row, :, start:end]
        return of_query, of_key, of_value, None


def _attend(
    module: torch.nn.Module,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: Tensor | None,
    scaling: float,
    **_: object,
) -> tuple[Tensor, None]:
    """Attend causally, (rows, heads, length, width) → (rows, length, heads, width); masks are not looked at."""
    shared = query.shape[1] // key.shape[1]
    if shared > 1:
        key, value = key.repeat_interleave(shared, 1), value.repeat_interleave(shared, 1)
    attended = _Blocks.apply(query, key, value, scaling)  # type: ignore[no-untyped-call]
    return attended.transpose(1, 2).contiguous(), None


def _attend_by_kernel(
    module: torch.nn.Module,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: Tensor | None,
    scaling: float,
    **_: object,
) -> tuple[Tensor, None]:
    """Attend as `_attend` does."""
    attended = functional.scaled_dot_product_attention(
        query, key, value, is_causal=True, scale=scaling, enable_gqa=True
    )
    return attended.transpose(1, 2).contiguous(), None


AttentionInterface.register(BLOCKS, _attend)
AttentionInterface.register(KERNEL, _attend_by_kernel)
