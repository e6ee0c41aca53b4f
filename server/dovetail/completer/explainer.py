"""The explanation of a place in a document: the terminals that may come there, found without a model."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dovetail.decoding.completion import Stop
from dovetail.quotient.quoted import without_variants

if TYPE_CHECKING:
    from dovetail.engine.document import Document


_READING = 1.0
"""Seconds for which the unread parts of a long document are read."""


_NAMED = 24
"""The things that may come which a sentence names at most."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A part of a document that was left out because it fits nothing."""

    start: int
    """In characters, like all offsets here."""
    end: int
    instead: str
    """The text that was read in its place."""
    unread: bool = False
    """True if there was no time to read it, because it is far away in a long document."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """The texts that may come at a place, and the faults that stand in the way."""

    viable: bool
    """True if anything fits."""
    accepting: bool
    """True if the document is a program already, without the parts that were left out."""
    closing: str | None
    """The shortest text that makes it a program; None if nothing fits."""
    expected: tuple[tuple[str, str], ...]
    """Terminals that may come next, each with an example."""
    ignored: tuple[LeftOut, ...]
    fault: tuple[int, str] | None
    """Offset and description of the first error before the cursor; None if there is no error."""
    is_line_wrong: bool = False
    """True if all that fits would take the rest of the cursor's line into a comment or a long string."""

    @property
    def _may_come(self) -> str:
        """One sentence that lists what may come, as far as it stays short."""
        names = without_variants(name for name, _ in self.expected)
        more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
        return f"Here may come: {', '.join(names[:_NAMED])}{more}." if names else "Nothing else may come here."

    @property
    def message(self) -> str:
        """One sentence for the user."""
        if self.viable and self.accepting:
            whole = "What is kept of the document" if any(not part.unread for part in self.ignored) else "The document"
            return f"{whole} is a program already. {self._may_come}"
        if self.viable:
            return f"The shortest text that fits here is {self.closing!r}. {self._may_come}"
        if self.is_line_wrong:
            return f"Nothing fits here: {Stop.WRONG_LINE.value}."
        if self.fault is not None:
            return f"Nothing fits here: no program begins with the text before the cursor ({self.fault[1]})."
        return "Nothing fits here: the text after the cursor does not go with the text before it."


def explain(document: Document, offset: int) -> Explanation:
    """Return the explanation of an offset, in characters; it reads a long document for a second at most."""
    quotient = document.quotient(offset, ends_headers=True)
    ends = time.monotonic() + _READING
    while any(span.unread for span in quotient.ignored) and time.monotonic() < ends:
        document.read_on(offset)
        quotient = document.quotient(offset, ends_headers=True)
    # A text that comments the rest of the line out is none that a person wants.
    kept = quotient.keeping_rest_of_line
    fault = None
    if not quotient.viable:
        found = document.fault_before(offset)
        if found is not None:
            fault = found.offset, str(found)
    expectations = kept.expectations() if kept.viable else ()
    return Explanation(
        kept.viable,
        kept.start.accepting,
        kept.closing(document.text[:offset]) if kept.viable else None,
        tuple((expectation.name, expectation.text) for expectation in expectations),
        tuple(LeftOut(span.start, span.end, span.instead, span.unread) for span in quotient.ignored),
        fault,
        is_line_wrong=quotient.viable and not kept.viable,
    )
