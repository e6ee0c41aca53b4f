"""Gradients of a batch; on a CPU by several threads that each go through the model alone.

Threads that share every product wait for one another thousands of times a step, and where other programs want the
processors too, most of the time goes into waiting: on two busy cores two threads with half of the rows each were
six times as fast as one model on two threads.
"""

from __future__ import annotations

import copy
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Self

import torch

from dovetail.model.loss import weighted_loss
from dovetail.model.samples import IGNORED

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import TracebackType

    from torch import Tensor
    from transformers import LlamaForCausalLM

    from dovetail.model.samples import SampleRow

_AT_ONCE = 32_768
"""Tokens that go through a model in one pass."""


class Gradients:
    """Works out a model's gradients, on copies of it whose numbers may be narrower."""

    def __init__(self, model: LlamaForCausalLM, middle_weight: float, dtype: torch.dtype, workers: int) -> None:
        """Share the rows out to so many threads, of which each has a copy of the model.

        With more than one of them torch uses no threads of its own, until the end of a `with` statement.
        """
        self._model = model
        self._middle_weight = middle_weight
        copies: list[Any] = [copy.deepcopy(model) for _ in range(workers)]
        self._copies = [one.to(dtype).train() for one in copies]
        self._threads = torch.get_num_threads()

    def __enter__(self) -> Self:
        """Start the threads."""
        if len(self._copies) > 1:
            torch.set_num_threads(1)
        self._pool = ThreadPoolExecutor(
            len(self._copies), "gradients", torch.set_num_threads, (torch.get_num_threads(),)
        )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the threads and give torch its own back."""
        self._pool.shutdown()
        torch.set_num_threads(self._threads)

    def of(self, rows: Sequence[SampleRow]) -> Tensor:
        """Set the model's gradients to those of the rows' mean loss, and return that, in nats a token, ().

        Both are the same at every call with the same weights and rows, however the threads run.
        """
        inputs, targets, weights = self._tensors(rows)
        weights /= weights.sum().clamp(min=1)
        count = len(self._copies)
        shares = [slice(len(rows) * place // count, len(rows) * (place + 1) // count) for place in range(count)]
        losses = list(
            self._pool.map(
                lambda one, share: self._part(one, inputs[share], targets[share], weights[share]),
                self._copies,
                shares,
            )
        )
        parameters = [one.parameters() for one in self._copies]
        for mine, *theirs in zip(self._model.parameters(), *parameters, strict=True):
            found = [one.grad.float() for one in theirs if one.grad is not None]  # none where there were no rows
            mine.grad = torch.stack(found).sum(0)
            for one in theirs:
                one.grad = None
        return torch.stack(losses).sum()

    def _tensors(self, rows: Sequence[SampleRow]) -> tuple[Tensor, Tensor, Tensor]:
        """Return inputs, targets and how much each target counts, each (rows, length)."""
        inputs = torch.tensor([row.inputs for row in rows])
        targets = torch.tensor([row.targets for row in rows])
        in_middle = torch.tensor([row.in_middle for row in rows])
        weights = (1 + (self._middle_weight - 1) * in_middle) * (targets != IGNORED)
        return inputs, targets.clamp(min=0), weights  # a target of weight 0 does not count

    def _part(self, model: Any, inputs: Tensor, targets: Tensor, weights: Tensor) -> Tensor:
        """Leave the gradients of some rows with a copy of the model; return their part of the loss, ()."""
        device = self._model.device
        total = torch.zeros((), device=device)
        with torch.no_grad():
            for mine, theirs in zip(model.parameters(), self._model.parameters(), strict=True):
                mine.copy_(theirs)
        step = max(1, _AT_ONCE // inputs.shape[1])
        for first in range(0, len(inputs), step):
            some = slice(first, first + step)
            hidden = model.model(input_ids=inputs[some].to(device), use_cache=False).last_hidden_state
            loss = weighted_loss(
                hidden.flatten(0, 1),  # (rows * length, width)
                model.lm_head.weight,
                targets[some].to(device).flatten(),
                weights[some].to(device).flatten(),
            )
            loss.backward()  # type: ignore[no-untyped-call]
            total += loss.detach()
        return total
