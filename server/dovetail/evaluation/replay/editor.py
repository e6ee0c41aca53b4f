"""The editor of the simulated user: automatic closing of brackets and quotes, and automatic indentation.

One action of the user is a key, or a few keys of one purpose. It leads towards the text of the stretch:

- An opener of a pair is inserted with its closer, if the character to the right is one before which editors close.
  The closer's own key steps over it later.
- Enter copies the indentation of the line, one level more after a colon or an opener and one less after a statement
  that leaves the block. Backspace removes what is too much, and Tab inserts what is missing.
- Enter between a bracket and its closer puts the closer on a line of its own where the file has it there. One key
  (such as End) leads to it later.
- A blank line keeps no indentation.

Every character of the stretch is typed, inserted by the editor, or accepted, so the three counts sum to its length.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from dovetail.evaluation.replay.stretch import StretchKind

if TYPE_CHECKING:
    from dovetail.evaluation.replay.stretch import Stretch

_CLOSES_BEFORE = frozenset(" \t\r\n)]}'\",:;.=")
"""Characters to the right of the cursor before which editors insert a closer."""

_INDENTS = re.compile(r"[:(\[{]\s*(#.*)?$")
_LEAVES = re.compile(r"\s*(return|raise|pass|break|continue)\b")
_BLANKS = re.compile(r"[ \t]*")


class Pending(NamedTuple):
    """A closer to the right of the cursor that the editor inserted."""

    place: int
    """Its place in the stretch."""
    gap: str
    """The line end and blanks between the cursor and the closer; empty if the closer is next to the cursor."""


class Cursor(NamedTuple):
    """A state of the document while a stretch is typed."""

    done: int = 0
    """The characters of the stretch to the left of the cursor."""
    extra: str = ""
    """Blanks to the left of the cursor that the editor inserted and the file does not have."""
    pending: tuple[Pending, ...] = ()
    """The inserted closers, from the cursor to the right."""


class Action(NamedTuple):
    """The next action of the user: what it costs, and where it leads."""

    cursor: Cursor
    keys: int
    typed: int
    """Characters of the stretch that keys wrote."""
    inserted: int
    """Characters of the stretch that the editor wrote."""


class Editor:
    """A file with one stretch that is being typed."""

    def __init__(self, text: str, stretch: Stretch) -> None:
        self.stretch = stretch
        self.target = text[stretch.begin : stretch.end]
        """The text to type."""
        self._left = text[: stretch.begin]
        self._behind = text[stretch.end :]
        self._right = "" if stretch.kind is StretchKind.APPEND else self._behind
        self._closers = dict(stretch.pairs)

    def finished(self, cursor: Cursor) -> bool:
        """Return whether the stretch is typed to its end."""
        return cursor.done >= len(self.target)

    def document(self, cursor: Cursor) -> tuple[str, str]:
        """Return the texts before and after the cursor."""
        closers = "".join(gap + self.target[place] for place, gap in cursor.pending)
        return self._left + self.target[: cursor.done] + cursor.extra, closers + self._right

    def to_come(self, cursor: Cursor, length: int) -> str:
        """Return up to `length` characters that the user will write at the cursor before moving over any other text.

        At the end of an appended stretch the file's own text goes on.
        """
        if cursor.extra:
            return ""
        if cursor.pending:
            place, gap = cursor.pending[0]
            return self.target[cursor.done : min(place - len(gap), cursor.done + length)]
        coming = self.target[cursor.done : cursor.done + length]
        if self.stretch.kind is StretchKind.APPEND:
            coming += self._behind[: length - len(coming)]
        return coming

    def accept(self, cursor: Cursor, length: int) -> Cursor:
        """Return the state after the next `length` characters of the text to come were accepted."""
        assert not cursor.extra
        assert not cursor.pending or cursor.done + length <= cursor.pending[0].place - len(cursor.pending[0].gap)
        return cursor._replace(done=min(cursor.done + length, len(self.target)))

    def act(self, cursor: Cursor) -> Action:
        """Return the user's next action; the stretch is not finished."""
        done, extra, pending = cursor
        character = self.target[done]
        if extra and character != "\n":
            return Action(Cursor(done, "", pending), self._levels(extra), 0, 0)
        if pending and done == pending[0].place - len(pending[0].gap):
            place, gap = pending[0]
            return Action(Cursor(place + 1, "", pending[1:]), 1, 1, len(gap))
        if character == "\n":
            return self._enter(cursor)
        if character in " \t" and not self._line(done).strip():
            blanks = _run(self.target, done)
            return Action(Cursor(done + len(blanks), "", pending), self._levels(blanks), 0, len(blanks))
        closer = self._closers.get(done)
        if closer is not None and self._closes(cursor):
            pending = (Pending(closer, ""), *pending)
        return Action(Cursor(done + 1, "", pending), 1, 1, 0)

    def _enter(self, cursor: Cursor) -> Action:
        done, extra, pending = cursor
        line = self._line(done)
        if pending and not pending[0].gap and self._closers.get(done - 1) == pending[0].place:
            pending = (Pending(pending[0].place, self._gap(pending[0].place)), *pending[1:])
        wanted = _run(self.target, done + 1)
        given = extra if not line.strip() else self._indentation(line)
        if given.startswith(wanted):
            written, extra = wanted, given[len(wanted) :]
        else:
            written, extra = (given if wanted.startswith(given) else ""), ""
        return Action(Cursor(done + 1 + len(written), extra, pending), 1, 1, len(written))

    def _indentation(self, line: str) -> str:
        """Return the indentation that the editor gives the line after this one, which is not blank."""
        blanks = _run(line, 0)
        if _INDENTS.search(line):
            return blanks + self.stretch.unit
        if _LEAVES.match(line):
            return blanks.removesuffix(self.stretch.unit)
        return blanks

    def _gap(self, closer: int) -> str:
        """Return the line end and blanks before a closer that is the first of its line; else nothing."""
        end = self.target.rfind("\n", 0, closer)
        gap = self.target[end:closer] if end >= 0 else ""
        return gap if not gap.strip() else ""

    def _line(self, done: int) -> str:
        """Return the cursor's line to the left of the cursor."""
        typed = self.target[:done]
        end = typed.rfind("\n")
        if end >= 0:
            return typed[end + 1 :]
        return self._left[self._left.rfind("\n") + 1 :] + typed

    def _closes(self, cursor: Cursor) -> bool:
        right = self.document(cursor)[1]
        return not right or right[0] in _CLOSES_BEFORE

    def _levels(self, blanks: str) -> int:
        return -(-len(blanks) // len(self.stretch.unit))


def _run(text: str, start: int) -> str:
    """Return the blanks of a line from a place on."""
    found = _BLANKS.match(text, start)
    assert found is not None, "the run of blanks may be empty"
    return found[0]
