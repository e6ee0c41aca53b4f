"""Where a text ends before the model ends it: with its statement, its block or its bracket, or where it repeats."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from dovetail.decoding.completion import Stop
from dovetail.decoding.writing import Mark

if TYPE_CHECKING:
    from dovetail.decoding.constraint import State
    from dovetail.decoding.extent import Extent
    from dovetail.decoding.writing import Writing

_REPEATED = 4
"""Characters that a line has at least which is recognised as the first one of the right context."""

_LINE_END = re.compile(rb"\r\n|\r|\n")


class _Line(NamedTuple):
    """The end of a line inside of a token."""

    text: bytes
    """What the token brings of the line."""
    separator: bytes
    end: int
    """Bytes of the whole text up to the end of the line."""
    state: State
    """The state there."""
    has_content: bool

    @property
    def may_stop(self) -> bool:
        """Whether the text is a program that far."""
        return self.state.accepting

    @property
    def mark(self) -> Mark:
        """The place where the text might stop."""
        return Mark(self.end, self.state, None)


class StopRules:
    """Looks at each token that fits before it is taken; cuts the text where that is to end."""

    def __init__(self, writing: Writing, extent: Extent, right: str) -> None:
        """Watch over a text in its extent, before a right context."""
        self._writing = writing
        self._extent = extent
        self._right = right.lstrip()
        self._following = next((line.strip() for line in right.splitlines() if line.strip()), "")
        self._passed = False  # whether a line with content has ended

    def take(self, piece: bytes, state: State) -> None:
        """Take note of what a token brings, before the text has it; what was only looked at leaves no trace."""
        line = self._line(piece)
        if line is not None:
            self._passed = self._passed or line.has_content
            if line.may_stop:
                self._writing.mark(None, line.end, line.state)
        if self._extent.is_left(state.enclosure, lines=self._passed):
            self._extent.leave(state.enclosure)

    def comes_anyway(self, piece: bytes) -> bool:
        """Return whether a piece that does not fit is what the right context begins with, blanks apart."""
        wanted = piece.strip().decode(errors="replace")
        return wanted != "" and self._right.startswith(wanted)

    def escapes(self, state: State) -> bool:
        """Return whether the text would leave the bracket around the cursor and could still be finished inside it."""
        writing, extent = self._writing, self._extent
        if not extent.leaves_bracket(state.enclosure) or writing.last_stop() is not None:
            return False
        inside: State | None = writing.state
        for character in writing.state.closing() or "":
            inside = inside.advance(character) if inside is not None else None
            if inside is None or extent.leaves_bracket(inside.enclosure):
                return False
        return True

    def reached(self, piece: bytes, state: State) -> Stop | None:
        """Return why the text ends before or within a token that fits; it is cut there."""
        stop = self._stop(piece, state)
        if stop is not None:
            self._writing.begin(piece)
        return stop

    def _stop(self, piece: bytes, state: State) -> Stop | None:
        writing, extent = self._writing, self._extent
        line = self._line(piece)
        if line is not None and line.may_stop:
            below = line.state.advance(line.separator)
            if line.has_content and below is not None and extent.ends_with_line(below.enclosure):
                writing.cut(line.mark, line.text)
                return extent.stop
            if (repeated := self._repeated_line(writing.text + line.text)) is not None:
                writing.cut(repeated)
                return Stop.FOLLOWING
        if extent.is_left(state.enclosure, lines=self._passed or (line is not None and line.has_content)):
            if line is not None and line.may_stop and not writing.state.accepting:
                writing.cut(line.mark, line.text)
                return extent.stop
            last = writing.last_stop()
            if last is not None:
                writing.cut(last)
                return extent.stop
        return None

    def _line(self, piece: bytes) -> _Line | None:
        """Return the line that a piece ends, the first of them; None where it ends none, or one that fits nothing."""
        found = _LINE_END.search(piece)
        if found is None:
            return None
        writing = self._writing
        text = piece[: found.start()]
        state = writing.state.advance(text) if text else writing.state
        if state is None or not (writing.text + text).strip():
            return None
        # A line with nothing but a comment is no statement.
        content = self._extent.is_statement(state.enclosure)
        return _Line(text, found.group(), len(writing.text) + len(text), state, content)

    def _repeated_line(self, text: bytes) -> Mark | None:
        """Return where to cut a text whose last line is the first of the right context, if it may stop before."""
        start = max(text.rfind(b"\n"), text.rfind(b"\r"))
        last = text[start + 1 :].strip().decode(errors="replace")
        if start < 0 or len(last) < _REPEATED or last != self._following:
            return None
        kept = text[:start]
        state = self._writing.start.advance(kept)
        return Mark(start, state, None) if state is not None and state.accepting else None
