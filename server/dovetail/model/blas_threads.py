"""The threads of the library that multiplies matrices for numpy.

A pass divides its work itself, also what is no product of matrices. Threads of the library beside them would wait for
one another.
"""

from __future__ import annotations

import ctypes
from contextlib import suppress
from functools import cache
from pathlib import Path

import numpy as np

_FOLDERS = ("../numpy.libs", ".dylibs")
"""The folders in which numpy's wheels keep it, seen from numpy."""

_SETTERS = ("scipy_openblas_set_num_threads64_", "scipy_openblas_set_num_threads", "openblas_set_num_threads64_")
"""The name of the function in numpy 2 and before."""


@cache
def has_one_thread() -> bool:
    """Have OpenBLAS multiply with the calling thread alone; return whether numpy has one that could be told so.

    With another library, or a distribution's own numpy, the library decides.
    """
    folder = Path(np.__file__).parent
    for path in (path for place in _FOLDERS for path in sorted((folder / place).glob("*openblas*"))):
        with suppress(OSError):
            library = ctypes.CDLL(str(path))  # the one that numpy has loaded
            for name in _SETTERS:
                with suppress(AttributeError):
                    setter = getattr(library, name)
                    setter.argtypes, setter.restype = (ctypes.c_int,), None
                    setter(1)
                    return True
    return False
