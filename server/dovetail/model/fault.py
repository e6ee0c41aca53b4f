"""Faults of a working model, told apart by their remedies."""

from __future__ import annotations

import re
from enum import Enum

import torch


class Fault(Enum):
    """A kind of fault; the value is a clause for people to read."""

    MEMORY = "the model ran out of memory"
    DEVICE = "the device of the model failed"
    NUMBERS = "what the model computed are no numbers"


class NoNumbersError(ArithmeticError):
    """A model proposes nothing at all, because none of its scores is a number."""


_MEMORY = re.compile(r"out of memory|can't allocate memory|cannot allocate memory|not enough memory", re.IGNORECASE)

_DEVICE = re.compile(
    r"\b(CUDA|HIP|cuDNN|MIOpen|MPS|XPU|NCCL)\b.*(error|fail)|cu(BLAS|SOLVER|SPARSE|DNN)_STATUS|device-side assert"
    r"|no (CUDA|HIP|XPU) GPUs are available|driver shutting down",
    re.IGNORECASE | re.DOTALL,
)
"""Words of torch's older exceptions, plain RuntimeErrors, about a lost device."""


def fault_of(error: BaseException) -> Fault | None:
    """Return what kind of fault an exception tells of, or None if it is a defect of ours.

    What it was raised from counts as well: the transformers library wraps what it meets while it loads.
    """
    seen: BaseException | None = error
    while seen is not None:
        kind = _kind(seen)
        if kind is not None:
            return kind
        seen = seen.__cause__ or seen.__context__
    return None


def _kind(error: BaseException) -> Fault | None:
    if isinstance(error, NoNumbersError):
        return Fault.NUMBERS
    if isinstance(error, MemoryError | torch.OutOfMemoryError):
        return Fault.MEMORY
    if isinstance(error, RuntimeError | OSError):
        # A device that is out of memory says both.
        if _MEMORY.search(str(error)):
            return Fault.MEMORY
        if isinstance(error, _accelerator_error()) or _DEVICE.search(str(error)):
            return Fault.DEVICE
    return None


def _accelerator_error() -> type[BaseException] | tuple[()]:
    """Return the exception of a device that failed, which torch has since 2.8."""
    found: type[BaseException] | tuple[()] = getattr(torch, "AcceleratorError", ())
    return found
