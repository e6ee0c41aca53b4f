"""Mistakes with a model that the user can correct."""

from __future__ import annotations

import importlib.util

_NEEDED = ("numpy", "safetensors", "tokenizers", "torch", "transformers")


class ModelError(Exception):
    """A model that cannot be used; the message is one sentence with the place and the remedy."""


def require_extra() -> None:
    """Return if everything that a hosted model needs is installed; raise `ModelError` if not."""
    missing = [name for name in _NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        raise ModelError(
            f"A model needs {', '.join(missing)}, not installed here: pip install '/path/to/dovetail[model]'."
        )


def first_line(error: Exception) -> str:
    """Return the first line of what a library's exception says, to stand in a sentence; its kind if it says nothing."""
    return next((line.strip(" .:") for line in str(error).splitlines() if line.strip()), type(error).__name__)
