"""Failures of a working model, told apart by their remedies."""

from __future__ import annotations

import re
import sys
from enum import Enum


class Failure(Enum):
    """A kind of failure; the value is a clause for people to read."""

    MEMORY = "the model ran out of memory"
    DEVICE = "the device of the model failed"
    NUMBERS = "what the model computed are no numbers"
    ENGINE = "the engine of the model does not work"


class DeviceFailureError(RuntimeError):
    """A runtime could not compute, for no fault of the text that it was given."""


class EngineError(RuntimeError):
    """An engine over HTTP failed; the message is a clause with its address, and holds no text of a document."""

    status: int | None = None
    """The status of its answer; None if it gave none, or gave one that cannot be read."""


class EngineLostError(EngineError):
    """An engine has not answered in time, or cannot be reached; the same request may be answered later."""


class EngineRefusalError(EngineError):
    """An engine takes a request for a mistake, and will take the same one for a mistake again."""

    def __init__(self, clause: str, said: str = "") -> None:
        super().__init__(clause)
        self.said = said
        """The engine's words about it; they may repeat the text of a document, so they are shown for a probe alone."""


class NoNumbersError(ArithmeticError):
    """A model proposes nothing at all, because none of its scores is a number."""


_MEMORY = re.compile(r"out of memory|can't allocate memory|cannot allocate memory|not enough memory", re.IGNORECASE)

_DEVICE = re.compile(
    r"\b(CUDA|HIP|cuDNN|MIOpen|MPS|XPU|NCCL)\b.*(error|fail)|cu(BLAS|SOLVER|SPARSE|DNN)_STATUS|device-side assert"
    r"|no (CUDA|HIP|XPU) GPUs are available|driver shutting down",
    re.IGNORECASE | re.DOTALL,
)
"""Words of torch's older exceptions, plain RuntimeErrors, about a lost device."""


def failure_of(error: BaseException) -> Failure | None:
    """Return what kind of failure an exception tells of, or None if it is a defect of ours.

    What it was raised from counts as well: the transformers library wraps what it meets while it loads.
    """
    seen: BaseException | None = error
    while seen is not None:
        kind = _kind(seen)
        if kind is not None:
            return kind
        seen = seen.__cause__ or seen.__context__
    return None


def _kind(error: BaseException) -> Failure | None:
    if isinstance(error, NoNumbersError):
        return Failure.NUMBERS
    if isinstance(error, EngineError):
        return Failure.ENGINE
    if isinstance(error, DeviceFailureError):
        return Failure.DEVICE
    if isinstance(error, (MemoryError, *_of_torch("OutOfMemoryError"))):
        return Failure.MEMORY
    if isinstance(error, RuntimeError | OSError):
        # The message of a device without memory matches both patterns.
        if _MEMORY.search(str(error)):
            return Failure.MEMORY
        if isinstance(error, _of_torch("AcceleratorError")) or _DEVICE.search(str(error)):
            return Failure.DEVICE
    return None


def _of_torch(name: str) -> tuple[type[BaseException], ...]:
    """Return torch's exception of a name; none if torch is not in use, or of a version that lacks it."""
    torch = sys.modules.get("torch")
    found: type[BaseException] | None = getattr(torch, name, None)
    return () if found is None else (found,)
