"""Mistakes with a model that the user can correct."""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING

from dovetail.model.remedies import installation

if TYPE_CHECKING:
    from collections.abc import Iterable

_LIGHT = ("numpy", "safetensors", "tokenizers")
_NEEDED = (*_LIGHT, "torch", "transformers")


class ModelError(Exception):
    """A model that cannot be used; the message is one sentence with the place and the remedy."""


def require_light() -> None:
    """Return if everything that a model without transformers needs is installed; raise `ModelError` if not."""
    require(_LIGHT, "The model")


def require_extra() -> None:
    """Return if everything that a model of transformers needs is installed; raise `ModelError` if not."""
    require(_NEEDED, "The model")


def require(names: Iterable[str], what: str) -> None:
    """Return if all packages are installed; raise `ModelError` if not. `what` is the thing that needs them."""
    missing = [name for name in names if importlib.util.find_spec(name) is None]
    if missing:
        raise ModelError(f"{what} needs {', '.join(missing)}, not installed here: run {installation(*missing)}.")


def first_line(error: Exception) -> str:
    """Return the first line of what a library's exception says, to stand in a sentence; its kind if it says nothing."""
    return next((line.strip(" .:") for line in str(error).splitlines() if line.strip()), type(error).__name__)
