"""What is asked of the decoder."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dovetail.decoding.cancellation import Never
from dovetail.decoding.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Callable

    from dovetail.decoding.cancellation import Cancellation
    from dovetail.decoding.constraint import Masker, Quotient


@dataclass(frozen=True, slots=True)
class Request:
    """One place to complete."""

    left: str
    right: str
    """The texts before and after the cursor."""
    open_quotient: Callable[[], Quotient]
    """Called when it is needed, so that its time is counted: `lambda: language.quotient(left, right)`."""
    limits: Limits = field(default_factory=Limits)
    cancellation: Cancellation = field(default_factory=Never)
    document: str | None = None
    """What the texts are of; completions of one document share what was read and shown before."""
    open_masker: Callable[[], Masker] | None = None
    """Gives what answers for the whole vocabulary; called only where the best tokens were all refused."""
