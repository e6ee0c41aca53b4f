"""The hardware: memory, processors, the graphics cards that llama.cpp can use, and whether a model has room."""

from __future__ import annotations

import ctypes
import os
import sys
from ctypes import POINTER, c_char_p, c_int, c_size_t, c_void_p
from enum import Enum
from typing import NamedTuple

from dovetail.model.llama_library import LibraryMissingError, load_library

_GRAPHICS = (1, 2)
"""Kinds of devices of llama.cpp: a card with memory of its own, and one that shares the processor's."""


_BESIDE = 800 * 10**6
"""Bytes that keys, values and the server take beside a model."""

_COMFORTABLE, _MOST = 0.5, 0.8
"""Parts of the memory that a model may take: beside an editor and a browser, and nearly alone."""


class GraphicsCard(NamedTuple):
    """A device that computes faster than the processor."""

    name: str
    memory: int
    """Bytes, shared with the processor or its own."""


class Hardware(NamedTuple):
    """The parts of a machine that decide which models can run."""

    memory: int | None
    """Bytes; None if the system does not say."""
    processors: int
    graphics: tuple[GraphicsCard, ...]


class Fit(Enum):
    """The room that a machine has for a model; the value is for people."""

    GRAPHICS = "fits the graphics card"
    MEMORY = "fits"
    TIGHT = "fits if little else runs"
    TOO_LARGE = "too large"
    UNKNOWN = "unknown"


def fit(hardware: Hardware, size: int) -> Fit:
    """Return whether a machine has room for a model whose file has so many bytes."""
    needed = size + _BESIDE
    if any(needed <= _MOST * card.memory for card in hardware.graphics):
        return Fit.GRAPHICS
    if hardware.memory is None:
        return Fit.UNKNOWN
    if needed <= _COMFORTABLE * hardware.memory:
        return Fit.MEMORY
    return Fit.TIGHT if needed <= _MOST * hardware.memory else Fit.TOO_LARGE


def this_hardware() -> Hardware:
    """Return what this process may use."""
    return Hardware(_memory(), _processors(), _graphics())


def _processors() -> int:
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


if sys.platform == "win32":

    class _MemoryStatus(ctypes.Structure):
        """`MEMORYSTATUSEX`."""

        _fields_ = (
            ("length", ctypes.c_uint32),
            ("load", ctypes.c_uint32),
            ("total", ctypes.c_uint64),
            ("rest", ctypes.c_uint64 * 6),
        )

    def _memory() -> int | None:
        status = _MemoryStatus(length=ctypes.sizeof(_MemoryStatus))
        if not ctypes.windll.kernel32.GlobalMemoryStatusEx(ctypes.byref(status)):
            return None
        return int(status.total)

else:

    def _memory() -> int | None:
        try:
            return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        except (OSError, ValueError):
            return None


def _graphics() -> tuple[GraphicsCard, ...]:
    """Ask llama.cpp; without it, or in a version that does not say, there are none."""
    try:
        library = load_library()
        count, get, kind, describe, memory = (
            getattr(library, f"ggml_backend_dev_{name}") for name in ("count", "get", "type", "description", "memory")
        )
    except (LibraryMissingError, AttributeError):
        return ()
    count.restype, count.argtypes = c_size_t, ()
    get.restype, get.argtypes = c_void_p, (c_size_t,)
    kind.restype, kind.argtypes = c_int, (c_void_p,)
    describe.restype, describe.argtypes = c_char_p, (c_void_p,)
    memory.restype, memory.argtypes = None, (c_void_p, POINTER(c_size_t), POINTER(c_size_t))
    found = []
    for place in range(count()):
        device = get(place)
        if kind(device) in _GRAPHICS:
            free, total = c_size_t(), c_size_t()
            memory(device, ctypes.byref(free), ctypes.byref(total))
            found.append(GraphicsCard(describe(device).decode(errors="replace"), total.value))
    return tuple(found)
