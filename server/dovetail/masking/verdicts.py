"""Verdicts of a prefix of the stack on a pending lexeme: whether it may end as a terminal that the stack takes.

A verdict is about what can be pushed and reduced. YES means that the lexeme fits the stack, NO is final; whether the
constructs that are then open can be completed so that the right context fits is asked elsewhere (`always_viable`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.lexing.lexer import LexerState, Line
from dovetail.lexing.modes import NOTHING
from dovetail.masking.filter_result import ASK, DEEPER, NO, YES
from dovetail.masking.stack_prefix import NONE_TAKES, UNDECIDED
from dovetail.masking.token_classes import FRESH_LINE, line_after

if TYPE_CHECKING:
    from dovetail.lexing.lexer import Emission, Lexer
    from dovetail.masking.filter_result import Surroundings
    from dovetail.masking.requirement import Requirement, Requirements
    from dovetail.masking.stack_prefix import StackPrefixes
    from dovetail.masking.token_classes import EndState

_MOST_REQUIREMENTS = 1 << 20


class Verdicts:
    """The verdicts of one language, remembered."""

    def __init__(self, lexer: Lexer, requirements: Requirements, prefixes: StackPrefixes) -> None:
        self.lexer = lexer
        self.requirements = requirements
        self.prefixes = prefixes
        self._known: dict[int, int] = {}  # prefix × _MOST_REQUIREMENTS + requirement → verdict

    def clear(self) -> None:
        """Forget all verdicts."""
        self._known.clear()

    def of(self, prefix: int, requirement: Requirement) -> int:
        """Return whether a stack with a prefix meets a requirement."""
        # One number and no tuple: Python's garbage collector would visit each of hundreds of thousands.
        key = prefix * _MOST_REQUIREMENTS + requirement.number
        known = self._known.get(key)
        if known is None:
            # A shallower prefix is that of many more stacks. Where it decides, its verdict is this one's.
            shallower = self.prefixes.shallower(prefix)
            known = DEEPER if shallower == NONE_TAKES else self.of(shallower, requirement)
            if known == DEEPER:
                known = self._decide(prefix, requirement)
            self._known[key] = known
        return known

    def at_end(self, prefix: int, indents: int, surroundings: Surroundings, end: EndState) -> int:
        """Return whether a stack takes the pending lexeme of an end state that its surroundings decide."""
        line = None if end.layout is None else self.line(surroundings, end.layout)
        stack = self.within(end.stack, surroundings.stack)
        return self._of_state(prefix, LexerState(stack, indents, line, end.at, end.accepted, end.overrun))

    def shift_all(self, prefix: int, emissions: list[Emission]) -> int:
        """Return the prefix after some terminals, or NONE_TAKES, or UNDECIDED."""
        for terminal, _ in emissions:
            if prefix <= NONE_TAKES:
                break
            prefix = self.prefixes.shift(prefix, terminal)
        return prefix

    def line(self, surroundings: Surroundings, layout: str) -> Line:
        """Return the line after the characters of a layout."""
        if FRESH_LINE in layout:
            return line_after(Line(), layout, self.lexer.tab)
        assert surroundings.line is not None, "a layout without a line end goes on with a line that has no content"
        return line_after(surroundings.line, layout, self.lexer.tab)

    def within(self, relative: int, stack: int) -> int:
        """Return modes that were counted from the lowest one of a start state, over the real modes around it."""
        modes = self.lexer.modes
        tops, below = modes.entries[relative]
        return modes.push(tops, modes.entries[stack][1] if below == NOTHING else self.within(below, stack))

    def _decide(self, prefix: int, requirement: Requirement) -> int:
        # The lexeme may be blanks, which no stack refuses.
        if requirement.free:
            return YES
        shift = self.prefixes.shift
        verdict = NO
        for terminal in requirement.plain:
            after = shift(prefix, terminal)
            # One terminal that the stack takes is enough, so the others are not asked.
            if after > NONE_TAKES:
                return YES
            if after == UNDECIDED:
                verdict = DEEPER
        for terminal, following, beyond in requirement.followed:
            after = prefix if terminal < 0 else shift(prefix, terminal)
            if after == UNDECIDED:
                verdict = DEEPER
            if after <= NONE_TAKES:
                continue
            # After a comment only a line end may follow, so the stack has to take that one too.
            taken = [shift(after, other) for other in following]
            if max(taken, default=NONE_TAKES) > NONE_TAKES:
                return YES
            if UNDECIDED in taken:
                verdict = DEEPER
            # The middle alone has no way on. The right context may go on with the lexeme, as with a comment that ends
            # in it.
            elif beyond is None or any(shift(after, other) > NONE_TAKES for other in beyond):
                verdict = max(verdict, ASK)
            elif any(shift(after, other) == UNDECIDED for other in beyond):
                verdict = DEEPER
        return verdict

    def _of_state(self, prefix: int, state: LexerState) -> int:
        """Return whether a stack takes the pending lexeme, or the lexemes that it falls back to."""
        requirement = self.requirements.of(state.stack, state.at, blank=state.line is not None)
        verdict = self.of(prefix, requirement)
        if verdict == YES or not state.rest or state.accepted < 0:
            return verdict
        # Each fallback has fewer characters to read again, so this ends.
        again = self.lexer.fallen_back(state)
        if again is None:
            return verdict
        after = self.shift_all(prefix, again[1])
        if after == UNDECIDED:
            return DEEPER
        return max(verdict, self._of_state(after, again[0])) if after else verdict
