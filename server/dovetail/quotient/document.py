"""A text under edit, and its quotients."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dovetail.quotient.language import Language
    from dovetail.quotient.quotient import Quotient


class Document:
    """A text that changes; each quotient is that of the text as it was when it was asked for.

    What is kept between edits is the last quotient only; a new place or a new text starts afresh.
    """

    def __init__(self, language: Language, text: str) -> None:
        self.language = language
        self.text = text
        self._last: tuple[int, bool, Quotient] | None = None

    def edit(self, start: int, end: int, text: str) -> None:
        """Put a text in the place of the characters from `start` to `end` (offsets; raises ValueError outside)."""
        if not 0 <= start <= end <= len(self.text):
            raise ValueError(f"no range {start} to {end} in a text of {len(self.text)} characters")
        self.text = self.text[:start] + text + self.text[end:]
        self._last = None

    def quotient(self, offset: int, *, tolerant: bool = True) -> Quotient:
        """Return what fits at an offset (in characters; raises ValueError outside)."""
        if not 0 <= offset <= len(self.text):
            raise ValueError(f"no offset {offset} in a text of {len(self.text)} characters")
        if self._last is None or self._last[:2] != (offset, tolerant):
            quotient = self.language.quotient(self.text[:offset], self.text[offset:], tolerant=tolerant)
            self._last = (offset, tolerant, quotient)
        return self._last[2]
