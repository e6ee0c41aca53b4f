"""The loss of a linear layer's predictions, without ever holding all of them.

The logits of a batch are by far its largest tensor. Here they are made for a group of positions and turned into
their gradient a few rows at a time, so the passes over them stay in the processor's cache; the products are taken
over the whole group, since each of them adds to the gradient of the whole matrix.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch.nn import functional

if TYPE_CHECKING:
    from torch import Tensor

_GROUP = {"cpu": 512, "cuda": 8192}
"""Kind of device → positions whose logits are held at once."""

_ROWS = {"cpu": 16, "cuda": 8192}
"""Kind of device → positions whose logits are worked on at once: a megabyte of them for 16,384 tokens."""


class _WeightedLoss(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, hidden: Tensor, matrix: Tensor, targets: Tensor, weights: Tensor) -> Tensor:
        """Return the sum of the weighted losses, (); the gradients are worked out on the way."""
        of_hidden = torch.empty_like(hidden)  # (positions, width)
        of_matrix = torch.zeros(matrix.shape, dtype=torch.float32, device=matrix.device)  # (vocabulary, width)
        total = torch.zeros((), dtype=torch.float32, device=hidden.device)
        group, rows = _GROUP[hidden.device.type], _ROWS[hidden.device.type]
        for start in range(0, len(hidden), group):
            part = slice(start, start + group)
            scores = functional.linear(hidden[part], matrix)  # (group, vocabulary); their gradient at the end
            for first in range(0, len(scores), rows):
                some = slice(start + first, start + min(first + rows, len(scores)))
                weight, target = weights[some, None], targets[some, None]  # (rows, 1)
                exact = scores[first : first + rows].float()  # (rows, vocabulary)
                torch.log_softmax(exact, -1, out=exact)
                total -= (exact.gather(1, target) * weight).sum()
                exact.exp_().scatter_add_(1, target, torch.full_like(weight, -1.0))
                scores[first : first + rows] = exact.mul_(weight)
            of_hidden[part] = scores @ matrix
            of_matrix += scores.mT @ hidden[part]
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
