"""The model's tokens that were refused, and the reasons."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.text import Text

from dovetail.commands.excerpt import visible
from dovetail.decoding.completion import Cause

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dovetail import Language
    from dovetail.decoding.completion import Refusal

_SHOWN = 40
"""The refused tokens that are printed; a hard place has thousands."""

_LONGEST = 30
"""The characters before a token that are printed."""

BY_LEFT = "no program begins like this"
BY_RIGHT = "what follows the cursor does not go with it"


@dataclass(frozen=True, slots=True)
class ExplainedRefusal:
    """A token that was refused."""

    text: str
    """The completion before the token."""
    piece: str
    """The text of the token."""
    by: str
    """The reason, as a clause."""


def explain_refusals(refusals: Sequence[Refusal], language: Language, left: str) -> list[ExplainedRefusal]:
    """Return the reason for each refusal: the text before the cursor, the text after it, or a rule."""
    start = language.quotient(left, "").start if refusals else None
    found = []
    for refusal in refusals:
        by = refusal.cause.value
        # Bytes that are no characters by themselves were replaced for reading.
        if start is not None and refusal.cause is Cause.UNFIT and "\ufffd" not in refusal.text + refusal.piece:
            before = start.advance(refusal.text)
            by = BY_LEFT if before is None or before.advance(refusal.piece) is None else BY_RIGHT
        found.append(ExplainedRefusal(refusal.text, refusal.piece, by))
    return found


def refusal_lines(refusals: Sequence[ExplainedRefusal], count: int) -> Iterator[Text]:
    """Yield a line for each refused token that is printed, and one with the number of the others."""
    if not refusals:
        yield Text("No token of the model was refused.")
        return
    yield Text("Tokens that the model would rather have had:")
    for refusal in refusals[:_SHOWN]:
        before = refusal.text if len(refusal.text) <= _LONGEST else f"…{refusal.text[-_LONGEST:]}"
        yield Text.assemble(
            "  ", (visible(repr(before)), "dim"), " ", (visible(repr(refusal.piece)), "red"), f": {refusal.by}"
        )
    if count > _SHOWN:
        yield Text(f"  and {count - min(_SHOWN, len(refusals)):,} more")
