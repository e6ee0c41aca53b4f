"""The device of a model, and its type of number."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from collections.abc import Sequence

_SMALL = 50_000_000
"""Parameters up to which a model stays in float32 on a CPU: fast enough, and the same on every machine."""

_GAIN = 0.8
"""bfloat16 has to take less than this part of float32's time to be worth its coarser numbers."""

_COMPLETION = (128, *(1 for _ in range(16)))
"""Tokens of each pass: a completion reads its prompt once and then token after token."""


def choose_device() -> torch.device:
    """Return the fastest kind of device that the machine has."""
    if torch.cuda.is_available():
        return torch.device("cuda")
    if torch.backends.mps.is_available():
        return torch.device("mps")
    return torch.device("cpu")


def use_one_thread() -> None:
    """Have this process compute with one thread, so that its numbers do not depend on how many cores are free."""
    use_threads(1)


def use_threads(count: int) -> None:
    """Have this process compute with so many threads, in torch and in what is loaded later."""
    os.environ["OMP_NUM_THREADS"] = str(count)
    torch.set_num_threads(count)


def choose_dtype(device: torch.device, parameters: int, width: int) -> torch.dtype:
    """Return the type of number for a model of so many parameters and such a hidden size."""
    if device.type == "cuda":
        return torch.bfloat16 if torch.cuda.is_bf16_supported(including_emulation=False) else torch.float16
    if device.type == "mps":
        return torch.float16
    if parameters <= _SMALL:
        return torch.float32
    return torch.bfloat16 if is_faster_in_bfloat16(device, width, _COMPLETION) else torch.float32


def is_faster_in_bfloat16(device: torch.device, width: int, passes: Sequence[int]) -> bool:
    """Return whether products of such a width take less time in bfloat16 than in float32.

    `passes`: how many tokens go through the model at once, one pass after the other. Of two types one may be the
    faster for a batch and the other for a token.
    """
    if device.type == "cuda":
        return bool(torch.cuda.is_bf16_supported(including_emulation=False))
    return _seconds(torch.bfloat16, width, passes) < _GAIN * _seconds(torch.float32, width, passes)


@torch.inference_mode()
def _seconds(dtype: torch.dtype, width: int, passes: Sequence[int]) -> float:
    """Return what the products of one layer take."""
    matrix = torch.ones(4 * width, width, dtype=dtype)
    inputs = [torch.ones(tokens, width, dtype=dtype) for tokens in passes]
    best = float("inf")
    for _ in range(4):  # the first is a warm-up
        started = time.perf_counter()
        for tokens in inputs:
            torch.nn.functional.linear(tokens, matrix)
        best = min(best, time.perf_counter() - started)
    return best
