"""What lies between the terminals of a right context: blanks, comments, lines without content."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dovetail.suffix.lexemes import Lexemes

_STEPS = 32  # of a stretch of blank lines, or the like, the first so many are remembered, then one in so many


class Trivia:
    """Passes over what is ignored in all modes that a text may be read in."""

    def __init__(self, lexemes: Lexemes) -> None:
        self.lexemes = lexemes
        self._known: dict[tuple[int, int, bool], int] = {}
        """(offset, modes, whether a line begins) → where what is empty from there on ends; now and then one."""

    def past(self, offset: int, stack: int, *, begins: bool) -> int:
        """Return the next offset, from one on, where something other than ignored lexemes comes in all modes.

        `begins`: a line begins at the offset, and lines without content are passed; otherwise nothing ends a line
        here. Every start of the text comes by, so the way is remembered, at steps of it: a million line ends are
        passed twice and not a dozen times, and take no million entries.
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
        """Return where the lexeme at an offset ends if all modes ignore it and none changes, else the offset."""
        read = self.lexemes.at(stack, offset)
        if len(read) != 1 or read[0][0] != stack:
            return offset
        way = self.lexemes.lexer.modes.known_transition(stack, read[0][1])
        passed = way is not None and way.ignored and way.stack == stack and not way.continues_line
        return read[0][2] if passed else offset

    def _past_blank_line(self, offset: int, stack: int) -> int:
        """Return where the line at an offset ends if it has no content and leaves the modes alone, else the offset."""
        text, start, length = self.lexemes.text, offset, len(self.lexemes.text)
        modes, blanks = self.lexemes.lexer.modes, self.lexemes.lexer.blanks
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
            if way is None or way.stack != stack or way.continues_line:
                return start
            if way.ends_line:
                return offset
            if not way.ignored:
                return start
        return start
