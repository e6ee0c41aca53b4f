"""The request to the decoder."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dovetail.decoding.cancellation import Never
from dovetail.decoding.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Callable

    from dovetail.decoding.cancellation import Cancellation
    from dovetail.decoding.constraint import Constraint, TokenMasker
    from dovetail.decoding.repository import ProjectContext


@dataclass(frozen=True, slots=True)
class Request:
    """One place to complete."""

    left: str
    right: str
    """The texts before and after the cursor."""
    open_quotient: Callable[[], Constraint]
    """Returns the quotient, as `lambda: language.quotient(left, right)` does. The decoder counts its time."""
    limits: Limits = field(default_factory=Limits)
    cancellation: Cancellation = field(default_factory=Never)
    document: str | None = None
    """The name of the document of both texts. Completions of one document share prompts and memory."""
    open_masker: Callable[[], TokenMasker] | None = None
    """Returns the masker for the model's vocabulary; called only when all of the best tokens were refused."""
    project: ProjectContext | None = None
    """The file's place and parts of other files, for models that were trained to see them; None if not known."""
    typing: bool = False
    """True if the user types and has not asked by hand; then nothing is offered in some places (`silence.py`)."""
    eager: bool = False
    """True if, while the user types, texts are offered too that are unlikely to be accepted."""
