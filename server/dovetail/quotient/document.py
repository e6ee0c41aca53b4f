"""A text under edit, and its quotients."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.quotient.checkpoints import Checkpoints
from dovetail.quotient.right_side import RightSide
from dovetail.quotient.tolerance import Meeting

if TYPE_CHECKING:
    from dovetail.quotient.language import Language
    from dovetail.quotient.quotient import Quotient


class Document:
    """A text that changes; each quotient is that of the text as it was when it was asked for.

    Kept between edits: the left side at every line start, and the right side as long as it is the same text. So
    what is typed at the cursor costs its own line.
    """

    def __init__(self, language: Language, text: str) -> None:
        self.language = language
        self.text = text
        self._checkpoints = Checkpoints(language)
        self._meeting: Meeting | None = None

    def edit(self, start: int, end: int, text: str) -> None:
        """Put a text in the place of the characters from `start` to `end` (offsets; raises ValueError outside)."""
        if not 0 <= start <= end <= len(self.text):
            raise ValueError(f"no range {start} to {end} in a text of {len(self.text)} characters")
        self.text = self.text[:start] + text + self.text[end:]
        self._checkpoints.forget(start)

    def quotient(self, offset: int, *, tolerant: bool = True) -> Quotient:
        """Return what fits at an offset (in characters; raises ValueError outside), as `Language.quotient` does."""
        if not 0 <= offset <= len(self.text):
            raise ValueError(f"no offset {offset} in a text of {len(self.text)} characters")
        right, stacks = self.text[offset:], self._checkpoints.stacks
        if self._meeting is None or self._meeting.right.text != right or self._meeting.right.stacks is not stacks:
            self._meeting = Meeting(RightSide(self.language, stacks, right))
        return self._meeting.quotient(self._checkpoints.read(self.text, offset), self.text, offset, tolerant=tolerant)
