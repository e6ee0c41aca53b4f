"""The explanation of a place in a document: what may come there, without a model."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dovetail.engine.document import Document


_READING = 1.0
"""Seconds."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A part of a document that was left out because it fits nothing."""

    start: int
    """In characters, as all offsets here."""
    end: int
    instead: str
    """The text that was read in its place."""
    unread: bool = False
    """Whether it was not read in time, far away in a long document; nothing is known of it then."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """The texts that may come at a place, and the faults that stand in the way."""

    viable: bool
    """Whether anything fits."""
    accepting: bool
    """Whether the document, without the parts that were left out, is a program as it is."""
    closing: str | None
    """The shortest text that makes it one; None where nothing fits."""
    expected: tuple[tuple[str, str], ...]
    """Terminals that may come next, each with an example."""
    ignored: tuple[LeftOut, ...]
    fault: tuple[int, str] | None
    """Where nothing fits: the place before the cursor at which it stops being a program, and what is wrong there."""

    @property
    def message(self) -> str:
        """One sentence for the user."""
        if self.viable and self.accepting:
            return "The document is a program as it is; nothing need be inserted here."
        if self.viable:
            return f"The shortest text that fits here is {self.closing!r}."
        if self.fault is not None:
            return f"Nothing fits here: what stands before the cursor is no beginning of a program ({self.fault[1]})."
        return "Nothing fits here: what stands after the cursor does not go with what stands before it."


def explain(document: Document, offset: int) -> Explanation:
    """Return what is known of an offset of a document; a long one is read for a second at most."""
    quotient = document.quotient(offset)
    ends = time.monotonic() + _READING
    while any(span.unread for span in quotient.ignored) and time.monotonic() < ends:
        document.read_on(offset)
        quotient = document.quotient(offset)
    fault = None
    if not quotient.viable:
        found = document.fault_before(offset)
        # A left text that only lacks its end is no fault.
        if found is not None and found.offset < offset:
            fault = found.offset, str(found)
    expectations = quotient.expectations() if quotient.viable else ()
    return Explanation(
        quotient.viable,
        quotient.start.accepting,
        quotient.start.closing() if quotient.viable else None,
        tuple((expectation.name, expectation.text) for expectation in expectations),
        tuple(LeftOut(span.start, span.end, span.instead, span.unread) for span in quotient.ignored),
        fault,
    )
