"""The parameters of a function, as its definition in another file tells them, in a form for other processes.

A signature has brackets around the parameters, `=` behind those that may be left out, and `*` at the end where more may
come, by their place or by name: `(item, count=, *)`.
"""

from __future__ import annotations

from typing import NamedTuple

UNKNOWN = ""
"""Stands for the signature of what may be a function or anything else."""

CLASS = "new"
"""Stands before the signature of a class, which is that of its constructor: a class is often named without a call."""

PROPERTY = "-"
"""Stands for the signature of what is written like a function and used without a call."""


class Signature(NamedTuple):
    """The parameters of a function that a call gives by their place."""

    names: tuple[str, ...]
    """Their names in their order; an empty one has none that a call could share."""
    required: int
    """The number of those, from the first on, that a call has to give."""
    is_open: bool
    """True if a call may give more."""

    @property
    def text(self) -> str:
        """The signature in brackets."""
        parts = [name if place < self.required else f"{name}=" for place, name in enumerate(self.names)]
        return f"({', '.join([*parts, '*'] if self.is_open else parts)})"


def read_signature(text: str) -> Signature:
    """Return the signature that has a text; that of a class is its constructor's.

    >>> read_signature("(item, count=, *)")
    Signature(names=('item', 'count'), required=1, is_open=True)
    >>> read_signature("()").text, read_signature("(, b)").text
    ('()', '(, b)')
    """
    text = text.removeprefix(CLASS)
    parts = [part.strip() for part in text[1:-1].split(",")] if text != "()" else []
    is_open = parts[-1:] == ["*"]
    if is_open:
        parts.pop()
    required = next((place for place, part in enumerate(parts) if part.endswith("=")), len(parts))
    return Signature(tuple(part.rstrip("=") for part in parts), required, is_open)
