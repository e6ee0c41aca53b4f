"""The loss of a linear layer's predictions, without ever holding all of them.

The logits of a batch are by far its largest tensor. Here they are made, turned into their gradient and used up
chunk by chunk, so they stay in the processor's cache.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch.nn import functional

if TYPE_CHECKING:
    from torch import Tensor

_CHUNK = {"cpu": 128, "cuda": 8192}
"""Kind of device → positions."""


class _WeightedLoss(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, hidden: Tensor, matrix: Tensor, targets: Tensor, weights: Tensor) -> Tensor:
        """Return the sum of the weighted losses, (); the gradients are worked out on the way."""
        of_hidden = torch.empty_like(hidden)  # (positions, width)
        of_matrix = torch.zeros(matrix.shape, dtype=torch.float32, device=matrix.device)  # (vocabulary, width)
        total = torch.zeros((), dtype=torch.float32, device=hidden.device)
        chunk = _CHUNK[hidden.device.type]
        for start in range(0, len(hidden), chunk):
            part = slice(start, start + chunk)
            weight, target = weights[part, None], targets[part, None]  # (chunk, 1)
            scores = functional.linear(hidden[part], matrix).float()  # (chunk, vocabulary)
            torch.log_softmax(scores, -1, out=scores)
            total -= (scores.gather(1, target) * weight).sum()
            of_scores = scores.exp_()  # (chunk, vocabulary)
            of_scores.scatter_add_(1, target, torch.full_like(weight, -1.0))
            narrow = (of_scores * weight).to(hidden.dtype)  # (chunk, vocabulary)
            of_hidden[part] = narrow @ matrix
            of_matrix += narrow.mT @ hidden[part]
        ctx.save_for_backward(of_hidden, of_matrix)
        ctx.dtype = matrix.dtype
        return total

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, Tensor, None, None]:
        of_hidden, of_matrix = ctx.saved_tensors
        return of_hidden * gradients[0], (of_matrix * gradients[0]).to(ctx.dtype), None, None


def weighted_loss(hidden: Tensor, matrix: Tensor, targets: Tensor, weights: Tensor) -> Tensor:
    """Return the sum of cross-entropies in nats, each times its weight, ().

    `hidden`: (positions, width). `matrix`: (vocabulary, width), of the same type. `targets`: (positions), ids of
    the vocabulary everywhere. `weights`: (positions), float32.
    """
    total: Tensor = _WeightedLoss.apply(hidden, matrix, targets, weights)  # type: ignore[no-untyped-call]
    return total
