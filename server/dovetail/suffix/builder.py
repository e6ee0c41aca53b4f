"""The suffix parse: a right context is read once, forwards, and becomes a suffix automaton.

The parse starts from an unknown stack. A reduction that needs more symbols than are known takes the others off the
unknown stack, and the parser records the state that it must have found there (suffix parsing: Bates and Lavie 1994,
Nederhof and Bertsch 1996; `automaton.py` has an example).

The automaton's first step is always the shift of the right context's first terminal. Reductions before that shift
happen on the real stack. So an exposure always lies under a known state, and the parser never needs the closure over
a wholly unknown stack.

A right context is read in five ways. The lattice alone would do; the others give the same automaton sooner. Each is
sound under a condition, which the code tests:

| way          | reads                              | sound if                                                        |
| ------------ | ---------------------------------- | --------------------------------------------------------------- |
| lattice      | one terminal, to every position    | always: it enumerates all lexings                               |
|              | that may follow it                 |                                                                 |
| trivia       | blanks, comments and empty lines   | every mode of the branch ignores them and stays as it is        |
| single path  | terminals, as long as there is one | the modes read one lexeme, it has one transition, and no column |
|              | position after each                | is decided: the line begins at the column of the open block     |
| known lines  | whole lines, by the lexer of the   | the line stands inside a block of known column, and shifting    |
|              | left side                          | its terminals exposes nothing: then no position matters but the |
|              |                                    | last one                                                        |
| top level    | the rest of the text, by the stack | the line begins at column zero, and the stack below its first   |
|              | of the left side, as a verdict     | terminal is the bottom with at most the statements before it    |

`_by_known_lines`, `_by_single_path` and `_by_top_level` take a position and the heads there. `_targets` asks the
lattice for the positions after one. Trivia are passed inside the lattice, between two positions.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from typing import TYPE_CHECKING

from dovetail.lexing.indentation import MARGIN, exactly
from dovetail.lexing.lexer import Line
from dovetail.suffix.automaton import Exposure, Lookahead, SuffixAutomaton, SuffixNode
from dovetail.suffix.depth_limit import DepthLimit
from dovetail.suffix.finishing import finish_beyond, finish_whole
from dovetail.suffix.known_lines import KnownLines
from dovetail.suffix.lattice import ARRANGING, BEYOND, CONTENT, DEDENTING, UNKNOWN
from dovetail.suffix.merging import ExposureMerger
from dovetail.suffix.single_path import SinglePath
from dovetail.suffix.stacks import Shifted, SuffixHeads, SuffixStacks
from dovetail.suffix.trimming import trim

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from dovetail.lexing.indentation import ColumnSet
    from dovetail.suffix.grammar import SuffixGrammar
    from dovetail.suffix.lattice import Move, Position
    from dovetail.suffix.seam import Seam
    from dovetail.suffix.top_level import TopLevelReading

_AT_COLUMN_ZERO = exactly(MARGIN)


class SuffixBuilder:
    """One parse of one right context; use it once."""

    def __init__(self, grammar: SuffixGrammar, seam: Seam, limit: int | None = None) -> None:
        """Prepare to read the text of a seam.

        `limit`: top-level statements beyond about this many characters are assumed to parse and are listed in
        `SuffixAutomaton.unread`; None reads them all.
        """
        self.grammar = grammar
        self.seam = seam
        self.limit = limit
        self._broken: set[int] = set()
        self._unread: dict[tuple[int, int], TopLevelReading | None] = {}
        self._lookaheads: dict[tuple[Position, int], Lookahead] = {}
        """(position, terminal) → the lookahead; a position may have an indent and a dedent."""
        self._stacks = SuffixStacks(grammar)
        self._single_path = SinglePath(seam.lattice)
        self._known_lines = KnownLines(seam.lattice)
        self._not_whole: dict[tuple[int, ColumnSet], int] = {}
        """(known blocks, the block around them) → the end of the last line there that cannot be read as a whole."""
        self._depth_limit = DepthLimit(seam.lexer)
        self._heads: dict[Position, SuffixHeads] = {}
        """Position to come → the heads that arrived there."""
        self._queued: set[Position] = set()
        self._agenda: list[tuple[tuple[int, int, int], int, Position]] = []
        """A heap of the positions to come, in the order of the text."""

    def build(self) -> SuffixAutomaton:
        """Return the automaton of the right context."""
        for position in self.seam.entries:
            self._queue(position)
        while self._agenda:
            self._meet(heapq.heappop(self._agenda)[2])
        exposures = trim(list(self._lookaheads.values()))
        lookaheads: dict[Position, list[Lookahead]] = defaultdict(list)
        for (position, _), lookahead in self._lookaheads.items():
            lookaheads[position].append(lookahead)
        return SuffixAutomaton(
            self.grammar, self.seam, exposures, dict(lookaheads), self.limit, frozenset(self._broken), self._unread
        )

    def _queue(self, position: Position) -> None:
        if position not in self._queued:
            self._queued.add(position)
            # The number comes before the position: positions of equal order are never compared themselves.
            heapq.heappush(self._agenda, (position.order, position.number, position))

    def _arrive(self, targets: Iterable[Position], heads: SuffixHeads) -> None:
        """Let heads go on at positions, united with the heads that are already there."""
        for target in targets:
            others = self._heads.get(target)
            self._heads[target] = heads if others is None else self._stacks.united(others, heads)
            self._depth_limit.arrive(target, first=others is None)
            self._queue(target)

    def _meet(self, position: Position) -> None:
        """Read on from a position, with all heads that arrive there."""
        lattice = self.seam.lattice
        lines = self.seam.entries.get(position, ())
        heads = self._heads.pop(position, ())
        self._depth_limit.meet(position, entered=bool(lines))
        self._queued.discard(position)
        # All that lead here come before it in the order of the text.
        lattice.forget(position)
        if not heads and not lines:
            return
        if position.kind == CONTENT and not lines:
            if not self._by_known_lines(position, heads):
                self._by_single_path(position, heads)
        elif position.terminal == BEYOND:
            finish_beyond(position, heads)
        elif position.kind == DEDENTING:
            for move in lattice.moves(position):
                self._dedent(position, move, heads)
        elif position.kind == ARRANGING:
            for move in lattice.moves(position):
                after = self._step(heads, position, move.terminal, lines, move.block)
                if after and (move.block is None or self._depth_limit.allows_block()):
                    self._arrive(move.targets, after)
        else:
            targets = self._targets(position)
            if targets is None:
                return
            after = self._step(heads, position, position.terminal, lines, following=_terminals(targets))
            if after and self._depth_limit.allows(position.stack, position.terminal):
                self._arrive(targets, after)

    def _step(
        self,
        heads: SuffixHeads,
        position: Position,
        terminal: int,
        lines: Iterable[int] = (),
        block: ColumnSet | None = None,
        following: Iterable[int] | None = None,
    ) -> SuffixHeads:
        """Return the heads after a terminal; add what it exposes to the automaton.

        `lines`: the values of `Exposure.line` with which the text may be entered here. `block`: the columns of the
        unknown block that a dedent ends. `following`: the terminals of which one comes next; None if that is not known.
        """
        lookahead = self._lookahead(position, terminal)
        shifted = self._stacks.step(heads, lookahead, lines, following)
        if terminal == self.grammar.end:
            finish_whole(self.grammar, shifted)
        # Most steps expose nothing. Their lookaheads are let go, so memory grows with the exposures and not with the
        # text.
        if lookahead.exposures:
            self._lookaheads[position, terminal] = lookahead
        return self._stacks.heads(shifted, block)

    def _lookahead(self, position: Position, terminal: int) -> Lookahead:
        return Lookahead(position, terminal, self.grammar.classes.members(terminal), self._depth_limit.deepest)

    def _targets(self, position: Position) -> list[Position] | None:
        """Return the positions that may follow a position's terminal; None if the text cannot be read on there.

        Then the step need not be made: what it exposes is far from the end of the text, so it would be trimmed. Of the
        modes of strings most end so, where the line has no quote of theirs. To read the text is cheaper than to step.
        """
        if position.terminal == self.grammar.end:
            return []
        return self.seam.lattice.after_terminal(position) or None

    def _by_single_path(self, position: Position, heads: SuffixHeads) -> bool:
        """Read terminals as long as one position follows, and no other branch may meet this one in between."""
        lattice, stacks, single_path = self.seam.lattice, self._stacks, self._single_path
        at: Position | None = position
        targets: list[Position] | None
        offset, stack, terminal, end = position.offset, position.stack, position.terminal, position.text_end
        known, around = position.known, position.around
        if known != UNKNOWN or around == exactly(around.low):
            # Branches in a block of known column meet where a line begins, and there this loop ends.
            limit = len(lattice.text)
        else:
            limit = self._agenda[0][0][0] if self._agenda else len(lattice.text)
        while True:
            after = stacks.after(heads, terminal)
            further = single_path.after(stack, terminal, end, known, around)
            targets = None
            if after is None:
                # Only a step that exposes something needs a position: the automaton keeps it.
                at = at or lattice.content(offset, stack, terminal, end, known, around)
                lattice.forget(at)
                at_zero = known == UNKNOWN and around == _AT_COLUMN_ZERO
                following: Sequence[int] | None = None
                if further is None and not at_zero:
                    targets = self._targets(at)
                    if targets is None:
                        return True
                    following = _terminals(targets)
                elif further is not None and not at_zero:
                    following = (further[2],)
                # A rest of the text that does not parse from column zero on is noted, so nothing is left out there.
                after = self._step(heads, at, terminal, following=following)
                if at_zero and self._by_top_level(at, after):
                    return True
            if not after or not self._depth_limit.allows(stack, terminal):
                return True
            if further is None:
                if targets is None:
                    at = at or lattice.content(offset, stack, terminal, end, known, around)
                    lattice.forget(at)
                    targets = lattice.after_terminal(at)
                self._arrive(targets, after)
                return True
            heads, at = after, None
            line_ended = self.grammar.ends_line[terminal]
            offset, stack, terminal, end = further
            if offset >= limit or line_ended:
                self._arrive([lattice.content(offset, stack, terminal, end, known, around)], heads)
                return True

    def _by_known_lines(self, position: Position, heads: SuffixHeads) -> bool:
        """Read whole lines inside a block of known column, and arrive where they end; False if not even one is read.

        A line is given back where one of its terminals exposes something: the automaton needs the position of that
        terminal. Branches of different blocks do not meet as long as they stay inside their blocks, so one may be
        read to the end of its block before another is read at all.
        """
        known, around = position.known, position.around
        is_known = around == exactly(around.low)
        # Only in the layout mode do lines begin, and the lexer of the left side has to know all modes.
        if not self.grammar.has_top_level or position.stack != self.seam.lexer.modes.bottom:
            return False
        if not (is_known or known != UNKNOWN) or position.offset < self._not_whole.get((known, around), 0):
            return False
        lines, text = self._known_lines, self.seam.text
        blocks = lines.blocks(known, around.low if is_known else None)
        others = [other for _, _, other in self._agenda]
        offset, limit = position.offset, lines.meeting_offset(position, others)
        while True:
            begins = offset > position.offset
            # A line that begins before the other branch is read even if it ends after it: they meet at its end.
            if begins and offset >= limit:
                break
            read = lines.read(offset, blocks, begins=begins)
            after = None if read is None else self._stacks.after_all(heads, read[2])
            if read is None or after is None:
                self._not_whole[lines.known(blocks, inside=is_known), around] = text.find("\n", offset) + 1 or len(text)
                break
            if not after:
                return True  # No stack goes on so.
            heads = after
            offset, blocks, _ = read
            self._depth_limit.open_blocks(lines.depth(blocks, inside=is_known))
        if offset == position.offset:
            return False
        known = lines.known(blocks, inside=is_known)
        self._arrive(self.seam.lattice.settle(offset, position.stack, Line(), known, around), heads)
        return True

    def _by_top_level(self, position: Position, heads: SuffixHeads) -> bool:
        """Judge the rest of the text if nothing is open below the first terminal of a line at column zero.

        `heads` are those after that terminal. All blocks have ended there, so no stack with a block is accepted, and
        states over an indent are left out. Each other state has to lie right over the bottom of the stack: then the
        stack is known, and the rest of the text needs no suffix parse. False if one of them does not, as below a
        decorator or an `if` that waits for its `else`.
        """
        grammar = self.grammar
        # Its verdict is on whole texts.
        in_lines = self.seam.whole and grammar.has_top_level and position.stack == self.seam.lexer.modes.bottom
        # A line end, an indent or a dedent is not the first terminal of a statement.
        if not in_lines or grammar.ends_line[position.terminal]:
            return False
        states = grammar.top_level.states
        exposures: list[Exposure] = []
        for head in heads:
            for link in head.links:
                if link.state not in grammar.outside:
                    continue
                if link.state not in states or not all(isinstance(under, Exposure) for under in link.links):
                    return False
                exposures += link.links  # type: ignore[arg-type]
        for exposure in exposures:
            if self._rest_parses(position.offset, exposure.state):
                exposure.final = True
            else:
                self._broken.add(position.offset)
        return bool(exposures)

    def _rest_parses(self, offset: int, state: int) -> bool:
        """Return whether the text from a top-level line on parses over a state; True if it is not read yet."""
        text, limit = self.seam.text, self.limit
        if limit is not None and len(text) - offset > limit:
            # Too far: a verdict that is remembered is taken, but nothing is read.
            limit = 0
        parses = self.grammar.top_level.parses(self.seam.lexer, text, offset, state, limit, self._unread)
        if parses is None:
            self._unread.setdefault((offset, state), None)
        return parses is not False

    def _dedent(self, position: Position, move: Move, heads: SuffixHeads) -> None:
        """Take any number of dedents of unknown blocks: the position leads to itself, until nothing is new."""
        lookahead = self._lookaheads[position, move.terminal] = self._lookahead(position, move.terminal)
        made: dict[int, SuffixNode] = {}
        looping = {
            (head.state, head.block): SuffixNode(head.state, dict.fromkeys(head.links), head.block) for head in heads
        }
        emerging: Shifted = {}
        outlook = self.grammar.outlook(move.terminal, None)
        grew = True
        while grew:
            grew = False
            # States and links are finite and only added, so this ends. Repeats are not merged: all rounds have one
            # lookahead.
            grown = self._stacks.reduced(looping.values(), lookahead, made, ExposureMerger(), outlook)
            for state, below in grown.items():
                head = looping.setdefault((state, move.block), SuffixNode(state, {}, move.block))
                assert isinstance(head.links, dict)
                before = len(head.links)
                head.links.update(below)
                grew |= len(head.links) > before
                emerging.setdefault(state, {}).update(below)
        if emerging:
            after = self._stacks.heads(emerging, move.block)
            self._arrive([target for target in move.targets if target is not position], after)


def _terminals(positions: Sequence[Position]) -> list[int] | None:
    """Return the terminals of positions; None if one of them has none yet, or if anything may follow there."""
    found = [position.terminal for position in positions]
    return None if not found or min(found) < 0 else found
