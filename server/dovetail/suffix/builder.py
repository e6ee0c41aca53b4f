"""The right side: a right context to an automaton over stacks.

The right context is parsed once, forwards, from an unknown stack. A reduction that runs out of known nodes pops
into the unknown, and the parser records which state it must have found there. The automaton accepts exactly the
stacks from which the right context parses to acceptance (suffix parsing: Bates and Lavie 1994, Nederhof and
Bertsch 1996; regular sets of stacks: Büchi 1964, Bouajjani, Esparza and Maler 1997).

Its first symbol is always the right context's first terminal, shifted: reductions before that are done on the real
stack, or are completions of what is open. So nothing is unknown but what lies under a known state, and the
closure over "wholly unknown stack, this terminal in view" is never needed.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from copy import copy
from typing import TYPE_CHECKING

from dovetail.lexing.indentation import MARGIN, exactly
from dovetail.lexing.lexer import Line
from dovetail.suffix.automaton import NO_POPS, NOTHING_LATER, Exposure, Lookahead, SuffixNode
from dovetail.suffix.depth_limit import DepthLimit
from dovetail.suffix.known_lines import KnownLines
from dovetail.suffix.lattice import ARRANGING, CONTENT, DEDENTING, UNKNOWN
from dovetail.suffix.seam import EITHER
from dovetail.suffix.single_path import SinglePath
from dovetail.suffix.stacks import Arrivals, Shifted, SuffixStacks, Tops

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dovetail.lexing.indentation import Column, ColumnSet
    from dovetail.lexing.lexer import Emission
    from dovetail.suffix.grammar import SuffixGrammar
    from dovetail.suffix.lattice import Move, Position
    from dovetail.suffix.seam import Seam
    from dovetail.suffix.top_level import TopLevelReading

_AT_MARGIN = exactly(MARGIN)


class SuffixAutomaton:
    """The stacks from which a right context parses to acceptance."""

    def __init__(self, grammar: SuffixGrammar, seam: Seam, limit: int | None = None) -> None:
        """Read the right context of a seam.

        With a `limit`, a rest that stands by itself and is about as many characters long, or longer, is taken to
        parse until it is read.
        """
        self.grammar = grammar
        self.limit = limit
        self.broken: set[int] = set()
        """The offsets of lines at which the rest of the text stands by itself, and does not parse."""
        self.unread: set[tuple[int, int]] = set()
        """Offsets, with the state over the bottom of the stack, at which it has not been read to its end."""
        self._begun: dict[tuple[int, int], TopLevelReading] = {}
        """The readings of those rests."""
        self.seam = seam
        self.views: dict[tuple[Position, int], Lookahead] = {}
        self._frontier = SuffixStacks(grammar)
        self._stride = SinglePath(seam.lattice)
        self._lines = KnownLines(seam.lattice)
        self._line_by_line: dict[tuple[int, ColumnSet], int] = {}
        """(known, around) → up to where whole lines have been tried in vain."""
        self._tops: dict[Position, Tops] = {}
        self._closed = DepthLimit(seam.lexer)
        self._queued: set[Position] = set()
        self._agenda: list[tuple[tuple[int, int, int], int, Position]] = []
        for position in seam.entries:
            self._queue(position)
        while self._agenda:
            self._meet(heapq.heappop(self._agenda)[2])
        del self._frontier, self._stride, self._lines, self._closed
        self._trim()

    def entered_by(self, seam: Seam) -> SuffixAutomaton:
        """Return the same automaton for a seam with fewer entries into the same text."""
        automaton = copy(self)
        automaton.seam = seam
        return automaton

    def _queue(self, position: Position) -> None:
        if position not in self._queued:
            self._queued.add(position)
            heapq.heappush(self._agenda, (position.order, position.number, position))

    def _arrive(self, targets: Iterable[Position], tops: Tops) -> None:
        """Let stacks go on at positions, together with those that are already there."""
        for target in targets:
            others = self._tops.get(target)
            self._tops[target] = tops if others is None else self._frontier.united(others, tops)
            self._closed.arrive(target, first=others is None)
            self._queue(target)

    def _meet(self, position: Position) -> None:
        """Shift everything that may come at a position onto its stacks."""
        lattice = self.seam.lattice
        lines = self.seam.entries.get(position, ())
        tops = self._tops.pop(position, ())
        self._closed.meet(position, entered=bool(lines))
        self._queued.discard(position)
        lattice.forget(position)
        if not tops and not lines:
            return
        if position.kind == CONTENT and not lines:
            self._read_on(position, tops)
        elif position.kind == DEDENTING:
            for move in lattice.moves(position):
                self._dedent(position, move, tops)
        elif position.kind == ARRANGING:
            for move in lattice.moves(position):
                after = self._after(tops, position, move.terminal, lines, move.block)
                if after and (move.block is None or self._closed.allows_block()):
                    self._arrive(move.targets, after)
        else:
            after = self._after(tops, position, position.terminal, lines)
            allowed = self._closed.allows(position.stack, position.terminal)
            if after and allowed and position.terminal != self.grammar.end:
                self._arrive(lattice.after_terminal(position), after)

    def _after(
        self, tops: Tops, position: Position, terminal: int, lines: Iterable[int] = (), block: ColumnSet | None = None
    ) -> Tops:
        """Return the stacks after a terminal; what it exposes is the automaton's."""
        view = Lookahead(position, terminal)
        shifted = self._frontier.step(tops, view, lines)
        if terminal == self.grammar.end:
            self._finish(shifted)
        if view.exposures:
            self.views[position, terminal] = view
        return self._frontier.tops(shifted, block)

    def _read_on(self, position: Position, tops: Tops) -> None:
        """Read the text from a position on, as far as it is read in one way and may meet no other branch.

        Branches of known blocks meet where a line begins, or they began as one; the others may meet anywhere.
        """
        lattice, frontier, stride = self.seam.lattice, self._frontier, self._stride
        limit = self._agenda[0][0][0] if self._agenda else len(lattice.text)
        if self._read_lines(position, tops, limit):
            return
        at: Position | None = position
        offset, stack, terminal, end = position.offset, position.stack, position.terminal, position.text_end
        known, around = position.known, position.around
        if known != UNKNOWN or around == exactly(around.low):
            limit = len(lattice.text)
        while True:
            after = frontier.after(tops, terminal)
            if after is None:
                at = at or lattice.content(offset, stack, terminal, end, known, around)
                lattice.forget(at)
                after = self._after(tops, at, terminal)
                if known == UNKNOWN and around == _AT_MARGIN and self._is_settled(at, after):
                    return
            if not after or not self._closed.allows(stack, terminal):
                return
            further = stride.after(stack, terminal, end, known, around)
            if further is None:
                at = at or lattice.content(offset, stack, terminal, end, known, around)
                lattice.forget(at)
                self._arrive(lattice.after_terminal(at), after)
                return
            tops, at = after, None
            line_ended = self.grammar.ends_line[terminal]
            offset, stack, terminal, end = further
            if offset >= limit or line_ended:
                self._arrive([lattice.content(offset, stack, terminal, end, known, around)], tops)
                return

    def _read_lines(self, position: Position, tops: Tops, limit: int) -> bool:
        """Read whole lines inside a known block, and arrive where they end; False if not even one is read.

        A line is given back where its terminals expose something: then it matters where each of them stands. One line
        is read even if another branch is not as far: inside the block the two do not meet before its end.
        """
        if not self.grammar.has_margin or position.stack != self.seam.lexer.modes.bottom:
            return False
        is_known = position.around == exactly(position.around.low)
        if not (is_known or position.known != UNKNOWN) or position.offset < self._line_by_line.get((position.known, position.around), 0):
            return False
        lines = self._lines
        blocks = lines.blocks(position.known, position.around.low if is_known else None)
        offset = position.offset
        limit = self._meeting_point(position, is_known)
        in_vain = False
        while offset < limit or offset == position.offset:
            read = lines.read(offset, blocks, begins=offset > position.offset)
            if read is None:
                in_vain = True
                break
            if read[0] > limit and offset > position.offset:
                break
            reached = self._after_all(tops, read[2])
            if reached is None:
                in_vain = True
                break
            if not reached:
                return True  # no stack goes on so
            tops = reached
            offset, blocks, _ = read
        known = lines.known(blocks, inside=is_known)
        if in_vain:
            self._line_by_line[known, position.around] = self.seam.text.find("\n", offset) + 1 or len(self.seam.text)
        if offset == position.offset:
            return False
        self._arrive(self.seam.lattice.settle(offset, position.stack, Line(), known, position.around), tops)
        return True

    def _base(self, position: Position) -> Column | None:
        known, entries = position.known, self.seam.lexer.blocks.entries
        base = None
        while known != UNKNOWN:
            base, known = entries[known]
        return base

    def _meeting_point(self, position: Position, is_known: bool) -> int:
        base = self._base(position)
        limit = len(self.seam.text)
        for (offset, _, _), _, other in self._agenda:
            if offset < limit and ((other.known == UNKNOWN and other.around != exactly(other.around.low)) or (other.around == position.around and self._base(other) == base)):
                limit = offset
        return limit

    def _after_all(self, tops: Tops, terminals: list[Emission]) -> Tops | None:
        """Return the stacks after terminals, or None if one of them exposes something."""
        after = self._frontier.after
        for terminal, _ in terminals:
            reached = after(tops, terminal)
            if not reached:
                return reached
            tops = reached
        return tops

    def _is_settled(self, position: Position, tops: Tops) -> bool:
        """Return whether nothing is open below the first terminal of a line at the margin; then the rest is judged.

        All blocks have ended there, so what lies in one is no stack that can be accepted.
        """
        grammar = self.grammar
        in_lines = grammar.has_margin and position.stack == self.seam.lexer.modes.bottom
        if not in_lines or grammar.ends_line[position.terminal]:
            return False
        ground = grammar.remainders.ground
        exposures: list[Exposure] = []
        for top in tops:
            for link in top.links:
                if link.state not in grammar.outside:
                    continue
                if link.state not in ground or not all(isinstance(under, Exposure) for under in link.links):
                    return False
                exposures += link.links  # type: ignore[arg-type]
        if not exposures:
            return False
        for exposure in exposures:
            at_once = self.limit is None or len(self.seam.text) - position.offset <= self.limit
            parses = self.rest_parses(position.offset, exposure.state, self.limit if at_once else 0)
            if parses is None:
                self.unread.add((position.offset, exposure.state))
            if parses is False:
                self.broken.add(position.offset)
            else:
                exposure.final = True
        return True

    def rest_parses(self, offset: int, state: int, limit: int | None) -> bool | None:
        """Return whether the text from a line on parses over a state of the ground; None if it is not read yet.

        No more than about `limit` characters more are read.
        """
        seam = self.seam
        return self.grammar.remainders.parses(seam.lexer, seam.text, offset, state, limit, self._begun)

    def _dedent(self, position: Position, move: Move, tops: Tops) -> None:
        """Take any number of dedents of unknown blocks: the position leads to itself, until nothing is new."""
        view = self.views[position, move.terminal] = Lookahead(position, move.terminal)
        made: dict[int, SuffixNode] = {}
        looping = {(top.state, top.block): SuffixNode(top.state, dict.fromkeys(top.links), top.block) for top in tops}
        emerging: Shifted = {}
        grew = True
        while grew:
            grew = False
            for state, below in self._frontier.reduced(looping.values(), view, made, Arrivals()).items():
                top = looping.setdefault((state, move.block), SuffixNode(state, {}, move.block))
                assert isinstance(top.links, dict)
                before = len(top.links)
                top.links.update(below)
                grew |= len(top.links) > before
                emerging.setdefault(state, {}).update(below)
        if emerging:
            after = self._frontier.tops(emerging, move.block)
            self._arrive([target for target in move.targets if target is not position], after)

    def _finish(self, shifted: Shifted) -> None:
        """Mark where the whole text is on the stack: over nothing but the bottom."""
        for state, below in shifted.items():
            if not self._is_whole(state):
                continue
            for link in below:
                if isinstance(link, Exposure):
                    link.final = link.state == state  # END itself, shifted onto the bottom
                else:
                    for under in link.links:
                        if isinstance(under, Exposure):
                            under.final = True

    def _is_whole(self, state: int) -> bool:
        """Return whether a production of the whole text is complete in a state."""
        whole = self.grammar.lefts[0]
        return any(
            self.grammar.lefts[number] == whole and dot == len(self.grammar.rights[number])
            for number, dot in self.grammar.kernels[state]
        )

    def _trim(self) -> None:
        """Keep only what leads to acceptance."""
        exposures = [exposure for view in self.views.values() for exposure in view.exposures.values()]
        lefts = self.grammar.lefts
        good: set[Exposure] = set()
        whole: dict[Lookahead, set[int]] = {view: set() for view in self.views.values()}
        """View → the left sides of which a reduction into the unknown exposes something good."""
        waiting: dict[Exposure | tuple[Lookahead, int], list[Exposure]] = defaultdict(list)
        # Nearly everything leads to what was exposed later, so going backwards little has to wait.
        for exposure in reversed(exposures):
            leads_on = exposure.final or (exposure.edges and not good.isdisjoint(exposure.edges))
            if not leads_on:
                for pop in exposure.pops:
                    if lefts[pop.production] in whole[pop.view]:
                        leads_on = True
                        break
            if not leads_on:
                for target in exposure.edges:
                    waiting[target].append(exposure)
                for pop in exposure.pops:
                    waiting[pop.view, lefts[pop.production]].append(exposure)
                continue
            found = [exposure]
            while found:
                exposure = found.pop()
                if exposure in good:
                    continue
                good.add(exposure)
                if exposure in waiting:
                    found += waiting.pop(exposure)
                if exposure.line == EITHER and exposure.symbol not in whole[exposure.view]:
                    whole[exposure.view].add(exposure.symbol)
                    found += waiting.pop((exposure.view, exposure.symbol), ())
        for view in self.views.values():
            view.exposures = {place: exposure for place, exposure in view.exposures.items() if exposure in good}
        for exposure in good:
            if exposure.edges:
                exposure.edges = [target for target in exposure.edges if target in good] or NOTHING_LATER
            if exposure.pops:
                exposure.pops = [pop for pop in exposure.pops if lefts[pop.production] in whole[pop.view]] or NO_POPS
        self.views_at: dict[Position, list[Lookahead]] = defaultdict(list)
        for (position, _), view in self.views.items():
            self.views_at[position].append(view)
        self.exposures: list[Exposure] = [exposure for exposure in exposures if exposure in good]
