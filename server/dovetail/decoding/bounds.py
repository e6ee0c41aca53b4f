"""Where a text ends before the model ends it: with its statement, its block or its bracket, or where it repeats."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.decoding.completion import Stop
from dovetail.decoding.writing import Mark

if TYPE_CHECKING:
    from dovetail.decoding.constraint import State
    from dovetail.decoding.extent import Extent
    from dovetail.decoding.writing import Writing

_REPEATED = 4
"""Characters that a line has at least which is recognised as the first one of the right context."""

_LINE_END = re.compile(rb"\r\n|\r|\n")


class Bounds:
    """Looks at each token that fits before it is taken; cuts the text where that is to end."""

    def __init__(self, writing: Writing, extent: Extent, right: str) -> None:
        """Watch over a text in its extent, before a right context."""
        self._writing = writing
        self._extent = extent
        self._right = right.lstrip()
        self._following = next((line.strip() for line in right.splitlines() if line.strip()), "")
        self._passed = self._passing = False        # whether a line with content has ended, so far and with a token

    def take(self) -> None:
        """Go on with the token that was looked at last."""
        self._passed = self._passing

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
        writing, extent = self._writing, self._extent
        self._passing = self._passed
        line_end = _LINE_END.search(piece)
        if line_end is not None:
            line = piece[: line_end.start()]
            above = writing.state.advance(line) if line else writing.state
            # A line with nothing but a comment is no statement.
            written = above is not None and bool((writing.text + line).strip())
            content = written and above is not None and extent.is_statement(above.enclosure)
            self._passing = self._passed or content
            if written and above is not None and above.accepting:
                mark = Mark(len(writing.text) + len(line), above, None)
                below = above.advance(line_end.group())
                if content and below is not None and extent.ends_with_line(below.enclosure):
                    writing.cut(mark, line)
                    return extent.stop
                if (repeated := self._repeated_line(writing.text + line)) is not None:
                    writing.cut(repeated)
                    return Stop.FOLLOWING
                writing.mark(None, mark.length, above)
        now = state.enclosure
        if extent.is_left(now, lines=self._passing):
            last = writing.last_stop()
            if last is not None:
                writing.cut(last)
                return extent.stop
            extent.leave(now)
        return None

    def _repeated_line(self, text: bytes) -> Mark | None:
        """Return where to cut a text whose last line is the first of the right context, if it may stop before."""
        start = max(text.rfind(b"\n"), text.rfind(b"\r"))
        last = text[start + 1 :].strip().decode(errors="replace")
        if start < 0 or len(last) < _REPEATED or last != self._following:
            return None
        kept = text[:start]
        state = self._writing.start.advance(kept)
        return Mark(start, state, None) if state is not None and state.accepting else None
