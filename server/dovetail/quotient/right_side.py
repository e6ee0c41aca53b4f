"""The right side of a quotient: one right context, read once over the stacks of one text."""

from __future__ import annotations

from copy import copy
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from dovetail.closing.closings import Closings
from dovetail.grammar.collector import collector_paused
from dovetail.quotient.expectations import Expecting
from dovetail.quotient.recognizer import Recognizer
from dovetail.suffix.builder import SuffixBuilder
from dovetail.suffix.seam import Seam

if TYPE_CHECKING:
    from dovetail.lexing.lexer import LexerState
    from dovetail.parsing.brackets import Opened
    from dovetail.parsing.stack import Node, Stacks
    from dovetail.quotient.machine import Machine
    from dovetail.suffix.automaton import SuffixAutomaton
    from dovetail.suffix.lattice import Position


_SHARED = 64
"""Right contexts that are kept for whatever text stands before them."""

_SHORTENED = 3  # The number of ends tried. Readings that begin inside and outside a string differ in their ends.


def read_right(
    machine: Machine, stacks: Stacks, text: str, limit: int | None = None, *, whole: bool = True
) -> RightSide:
    """Return the right side of a text; `whole`: the program ends with it, otherwise anything may follow.

    `limit`: top-level statements beyond about this many characters are assumed to parse and are listed in `unread`.
    None reads all of the text.
    """
    with collector_paused():
        seam = Seam(machine.lexer, text, whole=whole)
        return RightSide(machine, stacks, SuffixBuilder(machine.suffix_grammar, seam, limit).build())


def read_shared_right(machine: Machine, stacks: Stacks, text: str) -> RightSide:
    """Return the right side of a short text that comes again and again, as that of closing brackets alone does."""
    return _read_once(machine, text).over(stacks)


@lru_cache(_SHARED)
def _read_once(machine: Machine, text: str) -> RightSide:
    return read_right(machine, machine.stacks(), text)


class RightSide:
    """A right context that was read once. Quotients with the same right text, over the same stacks, share it."""

    def __init__(
        self, machine: Machine, stacks: Stacks, automaton: SuffixAutomaton, alike: RightSide | None = None
    ) -> None:
        """Run the automaton of a right context on the stacks of a left text.

        `alike`: a right side with this automaton over other stacks, with which this one shares what is the same.
        """
        self.machine = machine
        self.lexer = machine.lexer
        self.stacks = stacks
        self.automaton = automaton
        self.text = automaton.seam.text
        self.unread = dict(automaton.unread)
        """(offset, LR state) → the unfinished reading from there on, None if not begun; empty once all is read."""
        self._unread_after: dict[tuple[Position, ...], set[tuple[int, int]]] = {}
        self.opened: dict[Node, Opened] = {}
        """Stack node → the brackets and blocks open there, as far as they were asked for (`parsing.brackets`)."""
        self.counts_blocks = machine.brackets.has_blocks
        self._alike = alike
        known: Recognizer | None = None if alike is None else alike.recognizer
        self.recognizer: Recognizer = Recognizer(machine.lexer, machine.adjacency, stacks, automaton, known)

    def over(self, stacks: Stacks) -> RightSide:
        """Return the same right context over the stacks of another text, with all that does not depend on them."""
        return RightSide(self.machine, stacks, self.automaton, self)

    def read_on(self) -> bool:
        """Read more of the unread text; return False if it does not parse, so that answers given so far were wrong."""
        automaton, top_level = self.automaton, self.machine.suffix_grammar.top_level
        for offset, state in sorted(self.unread):
            parses = top_level.parses(self.lexer, self.text, offset, state, automaton.limit, self.unread)
            if parses is None:
                break
            del self.unread[offset, state]
            if not parses:
                return False
        return True

    def unread_after(self, state: LexerState) -> int | None:
        """Return the first offset that is not read yet, for a left text after which the lexer is in a state; or None.

        Branches of other beginnings of the right context do not count. A text read as the inside of a string, say,
        has top-level lines where the program has none.
        """
        if not self.unread:
            return None
        positions = self.recognizer.entries_after(state)
        keys = self._unread_after.get(positions)
        if keys is None:
            # No key: the left text alone meets none of the branches, so any of them may be the one that counts.
            keys = self.automaton.unread_after(positions) or set(self.automaton.unread)
            self._unread_after[positions] = keys
        return min((offset for offset, at in keys if (offset, at) in self.unread), default=None)

    @cached_property
    def keeping_rest_of_line(self) -> RightSide:
        """The right side without the entries that swallow the rest of the line (`Seam.keeping_rest_of_line`).

        It is this right side itself if there are no such entries.
        """
        seam = self.automaton.seam.keeping_rest_of_line()
        if seam is self.automaton.seam:
            return self
        with collector_paused():
            return RightSide(self.machine, self.stacks, self.automaton.entered_by(seam))

    @cached_property
    def within_line(self) -> RightSide:
        """The right side whose closings end no line; all else is shared."""
        other = copy(self)
        machine = self.machine
        other.closings = Closings(machine.spelling, machine.yields, self.recognizer, within_line=True)
        return other

    @cached_property
    def shortened(self) -> list[RightSide]:
        """The right sides of this text without an end that does not parse, the longest text first."""
        ends = sorted(self.automaton.broken, reverse=True)[:_SHORTENED]
        return [read_right(self.machine, self.stacks, self.text[:end], self.automaton.limit) for end in ends]

    @property
    def known_shortened(self) -> list[RightSide]:
        """Those of `shortened` that were asked for already; none is read for this."""
        known: list[RightSide] = self.__dict__.get("shortened", [])
        return known

    @cached_property
    def closings(self) -> Closings:
        """The search for shortest closings."""
        alike = None if self._alike is None else self._alike.closings
        return Closings(self.machine.spelling, self.machine.yields, self.recognizer, alike=alike)

    @cached_property
    def expecting(self) -> Expecting:
        """The search for the terminals that may come next."""
        return Expecting(self.machine.spelling, self.recognizer)
