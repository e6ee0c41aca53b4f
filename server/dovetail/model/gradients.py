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
from torch.nn import functional

from dovetail.model.loss import weighted_loss
from dovetail.model.samples import IGNORED

if TYPE_CHECKING:
    from types import TracebackType

    from torch import Tensor
    from transformers import LlamaForCausalLM

    from dovetail.model.row_stream import RowBatch

_AT_ONCE = 32_768
"""Tokens that go through a model in one pass."""
_AT_ONCE_COMPILED = 65_536
"""Tokens that do on a device with compiled kernels."""


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

    def of(self, rows: RowBatch) -> Tensor:
        """Set the model's gradients to those of the rows' mean loss, and return that, in nats a token, ().

        Both are the same at every call with the same weights and rows, however the threads run.
        """
        inputs, targets, weights = _tensors(rows, self._middle_weight)
        weights /= weights.sum().clamp(min=1)
        count, total = len(self._copies), len(inputs)
        shares = [slice(total * place // count, total * (place + 1) // count) for place in range(count)]
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


def _tensors(rows: RowBatch, middle_weight: float) -> tuple[Tensor, Tensor, Tensor]:
    """Return inputs, targets and how much each target counts, each (rows, length)."""
    inputs, targets, in_middle = (torch.from_numpy(part) for part in rows)
    weights = (1 + (middle_weight - 1) * in_middle) * (targets != IGNORED)
    return inputs.long(), targets.long().clamp(min=0), weights  # a target of weight 0 does not count


class DeviceGradients:
    """Works out a model's gradients on a CUDA device, by kernels that are compiled for the shape of the rows."""

    def __init__(self, model: LlamaForCausalLM, middle_weight: float, dtype: torch.dtype, *, compiled: bool) -> None:
        """Work on a copy of the model in such numbers; gradients are summed in the model's own.

        Without `compiled` the kernels are those that torch has: slower, but at once.
        """
        self._model = model
        self._middle_weight = middle_weight
        one: Any = copy.deepcopy(model)
        self._copy: Any = one.to(dtype).train()
        self._pass: Any = torch.compile(self._loss, dynamic=False) if compiled else self._loss

    def __enter__(self) -> Self:
        """Return itself: there is nothing to start."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End nothing."""

    def prepare(self, rows: RowBatch) -> None:
        """Compile the kernels for rows like these, which takes a minute; without a compiler torch's own are used."""
        try:
            self.of(rows)
        except Exception:  # the compiler's exceptions are of many kinds
            if self._pass == self._loss:
                raise
            self._pass = self._loss
            self.of(rows)

    def of(self, rows: RowBatch) -> Tensor:
        """Set the model's gradients to those of the rows' mean loss, and return that, in nats a token, ()."""
        device = self._model.device
        inputs, targets, weights = (part.to(device) for part in _tensors(rows, self._middle_weight))
        weights /= weights.sum().clamp(min=1)
        theirs: list[Tensor] = list(self._copy.parameters())
        mine: list[Tensor] = list(self._model.parameters())
        with torch.no_grad():
            torch._foreach_copy_(theirs, mine)
        for one in mine:
            one.grad = None
        total = torch.zeros((), device=device)
        parts = -(-inputs.numel() // _AT_ONCE_COMPILED)
        while len(inputs) % parts:  # all of one shape, so that there is one set of kernels
            parts += 1
        for some in zip(inputs.chunk(parts), targets.chunk(parts), weights.chunk(parts), strict=True):
            loss = self._pass(*some)
            loss.backward()
            total += loss.detach()
            for own, other in zip(mine, theirs, strict=True):
                assert other.grad is not None, "every parameter has a part in the loss"
                own.grad = other.grad.float() if own.grad is None else own.grad.add_(other.grad)
                other.grad = None
        return total

    def _loss(self, inputs: Tensor, targets: Tensor, weights: Tensor) -> Tensor:
        """Return the sum of the weighted losses of some rows, ()."""
        hidden = self._copy.model(input_ids=inputs, use_cache=False).last_hidden_state
        logits = functional.linear(hidden, self._copy.lm_head.weight).flatten(0, 1)  # (rows * length, vocabulary)
        losses = functional.cross_entropy(logits.float(), targets.flatten(), reduction="none")
        return (losses * weights.flatten()).sum()
