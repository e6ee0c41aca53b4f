"""Trivia of a right context: the blanks, comments and empty lines between its terminals.

Trivia are passed over without positions. That is sound where every mode of a branch ignores them and none changes:
then one state of the branch stands before them and the same state after them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dovetail.suffix.lexemes import Lexemes

_STEPS = 32  # The first steps of a stretch are remembered, then every 32nd: see `past`.


class Trivia:
    """Finds where trivia end."""

    def __init__(self, lexemes: Lexemes) -> None:
        self.lexemes = lexemes
        self._known: dict[tuple[int, int, bool], int] = {}
        """(offset, mode stack, whether a line begins) → the end of the trivia there."""

    def past(self, offset: int, stack: int, *, begins: bool) -> int:
        """Return the end of the trivia at an offset: the offset itself where there are none.

        `begins`: a line begins at the offset, and whole lines without content are passed; otherwise a line end is no
        trivia. Every start of the text passes the same stretch, so its end is remembered at some of its steps. A
        million line ends are then read twice instead of a dozen times, and need few entries.
        """
        length, known = len(self.lexemes.text), self._known
        after = self._past_blank_line if begins else self._past_ignored
        passed: list[int] = []
        count = 0
        while offset < length:
            found = known.get((offset, stack, begins))
            if found is not None:
                offset = found
                break
            if count < _STEPS or count % _STEPS == 0:
                passed.append(offset)
            count += 1
            end = after(offset, stack)
            if end == offset:
                break
            offset = end
        known.update(dict.fromkeys([(start, stack, begins) for start in passed], offset))
        return offset

    def _past_ignored(self, offset: int, stack: int) -> int:
        """Return the end of an ignored lexeme, or the offset if a mode reads it otherwise or changes with it."""
        read = self.lexemes.at(stack, offset)
        # Modes that read differently have to become branches, and that is the lattice's part.
        if len(read) != 1 or read[0][0] != stack:
            return offset
        way = self.lexemes.lexer.modes.known_transition(stack, read[0][1])
        passed = way is not None and way.ignored and way.stack == stack and not way.continues_line
        return read[0][2] if passed else offset

    def _past_blank_line(self, offset: int, stack: int) -> int:
        """Return the end of a line without content, or the offset if it has content or changes the modes."""
        text, start, length = self.lexemes.text, offset, len(self.lexemes.text)
        modes, blanks = self.lexemes.lexer.modes, self.lexemes.lexer.blanks
        # A line end ends a line in one mode and is a blank in another.
        if len(modes.entries[stack][0]) != 1:
            return start
        while offset < length:
            if text[offset] in blanks:
                offset += 1
                continue
            if self.lexemes.begins_content(stack, offset):
                return start
            terminal, offset = self.lexemes.longest(modes.scanner_of[stack], offset)
            way = modes.known_transition(stack, terminal) if terminal >= 0 else None
            # A backslash fixes the column of the line that it continues, so the line is not without meaning.
            if way is None or way.stack != stack or way.continues_line:
                return start
            if way.ends_line:
                return offset
            if not way.ignored:
                return start
        return start
