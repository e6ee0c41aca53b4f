"""A table's tree walked with the outline of a stack: which groups the parser takes.

The answer of a walk is about what can be pushed and reduced. Whether what is left can be completed, and the right
context be met, is asked elsewhere; here a yes means that the lexemes fit the stack, and a no is final.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dovetail.automata.dfa import START
from dovetail.lexing.lexer import LexerState, Line
from dovetail.lexing.modes import NOTHING
from dovetail.vocabulary.groups import FRESH_LINE, Beginning, line_after
from dovetail.vocabulary.spellings import UNREAD

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from dovetail.lexing.lexer import Emission, Lexer
    from dovetail.parsing.stack import Heads
    from dovetail.vocabulary.ending import Ending, Endings
    from dovetail.vocabulary.groups import End
    from dovetail.vocabulary.outline import Outlines
    from dovetail.vocabulary.table import Leaving, Table

NO, ASK, DEEPER, YES = range(4)
"""Verdicts, the weakest first: only the right context can tell; more of the stack has to be known."""


class Scene(NamedTuple):
    """What lies around a table's tokens, beside the parser's stack."""

    stack: int
    """The modes, all of them."""
    indents: int
    line: Line | None


@dataclass(slots=True)
class Found:
    """The groups that were decided, and what could not be."""

    taken: list[int] = field(default_factory=list)
    asked: list[int] = field(default_factory=list)
    """The groups that only the right context decides."""
    nodes: list[int] = field(default_factory=list)
    """The nodes whose own stack lies deeper."""
    ends: list[tuple[int, Ending, list[int]]] = field(default_factory=list)
    open: list[tuple[int, End, int]] = field(default_factory=list)
    left: list[tuple[int, Leaving, list[tuple[int, int]], Found]] = field(default_factory=list)
    """At a node whose stack is known, what lies deeper."""

    @property
    def complete(self) -> bool:
        """Whether everything was decided."""
        return not (self.nodes or self.ends or self.open or self.left)


class Walker:
    """Walks tables over outlines."""

    def __init__(
        self, lexer: Lexer, endings: Endings, outlines: Outlines, suffix_table: Callable[[Beginning], Table]
    ) -> None:
        self.lexer = lexer
        self.endings = endings
        self.outlines = outlines
        self.suffix_table = suffix_table
        self.terminal_count = lexer.language.productions.terminal_count
        self._verdicts: dict[tuple[Heads, Ending], int] = {}
        self._known_suffixes: dict[tuple[Beginning, Scene, Heads], tuple[Found, NDArray[np.int8]]] = {}

    def clear(self) -> None:
        """Forget what was found for all outlines."""
        self.outlines.clear()
        self._verdicts.clear()
        self._known_suffixes.clear()

    def begin(self, table: Table, scene: Scene, heads: Heads) -> Found:
        """Walk the whole tree."""
        found = Found()
        self._walk(table, scene, [(0, heads, scene.indents)], found)
        return found

    def go_on(self, table: Table, scene: Scene, heads: Heads, before: Found) -> Found:
        """Decide what was not decided before with a deeper outline of the same stack."""
        found = Found(list(before.taken), list(before.asked))
        reached: dict[int, tuple[Heads | None, int]] = {0: (heads, scene.indents)}
        for node, ending, groups in before.ends:
            self._end(node, self._reach(table, scene, node, reached)[0], ending, groups, found)
        for node, end, group in before.open:
            at, indents = self._reach(table, scene, node, reached)
            self._open(node, at, indents, scene, end, group, found)
        for node, key, pairs, suffixes in before.left:
            at, indents = self._reach(table, scene, node, reached)
            self._left(node, at, indents, scene, key, pairs, found, suffixes)
        work = []
        for node in before.nodes:
            at, indents = self._reach(table, scene, node, reached)
            if at is None:
                found.nodes.append(node)
            elif at:
                work.append((node, at, indents))
        self._walk(table, scene, work, found)
        return found

    def _reach(
        self, table: Table, scene: Scene, node: int, reached: dict[int, tuple[Heads | None, int]]
    ) -> tuple[Heads | None, int]:
        """Return the stack at a node and the blocks that are open there."""
        known = reached.get(node)
        if known is None:
            heads, indents = self._reach(table, scene, table.groups.parents[node], reached)
            if heads:
                heads, indents = self._step(table, scene, heads, indents, table.groups.symbols[node])
            known = reached[node] = heads, indents
        return known

    def _walk(self, table: Table, scene: Scene, work: list[tuple[int, Heads, int]], found: Found) -> None:
        shift = self.outlines.shift
        while work:
            node, heads, indents = work.pop()
            place = table.place(node)
            for ending, groups in place.fitting:
                self._end(node, heads, ending, groups, found)
            for end, group in place.open:
                self._open(node, heads, indents, scene, end, group, found)
            for key, pairs in place.left:
                self._left(node, heads, indents, scene, key, pairs, found)
            for symbol, child in place.children:
                if symbol < self.terminal_count:
                    after, inner = shift(heads, symbol), indents
                else:
                    after, inner = self._step(table, scene, heads, indents, symbol)
                if after is None:
                    found.nodes.append(child)
                elif after:
                    work.append((child, after, inner))

    def _step(self, table: Table, scene: Scene, heads: Heads, indents: int, symbol: int) -> tuple[Heads | None, int]:
        """Return the stack after a terminal, or after the indent or dedents of a line whose content begins."""
        if symbol < self.terminal_count:
            return self.outlines.shift(heads, symbol), indents
        line = self._line(scene, table.groups.layouts[symbol - self.terminal_count])
        emissions: list[Emission] = []
        opened = self.lexer.arrange(indents, line.width(), emissions)
        if opened is None:
            return (), indents
        return self._shift_all(heads, emissions), opened

    def _shift_all(self, heads: Heads, emissions: list[Emission]) -> Heads | None:
        after: Heads | None = heads
        for terminal, _ in emissions:
            if not after:
                break
            after = self.outlines.shift(after, terminal)
        return after

    def _line(self, scene: Scene, layout: str) -> Line:
        if FRESH_LINE in layout:
            return line_after(Line(), layout, self.lexer.tab)
        assert scene.line is not None, "a line has content, and more of it is read as if it had none"
        return line_after(scene.line, layout, self.lexer.tab)

    def _end(self, node: int, heads: Heads | None, ending: Ending, groups: list[int], found: Found) -> None:
        assert heads, "what was reached on a shallow outline is reached on a deeper one"
        verdict = self.verdict(heads, ending)
        if verdict == YES:
            found.taken += groups
        elif verdict == ASK:
            found.asked += groups
        elif verdict == DEEPER:
            found.ends.append((node, ending, groups))

    def verdict(self, heads: Heads, ending: Ending) -> int:
        """Return whether the stack takes what a pending lexeme may end as."""
        key = (heads, ending)
        known = self._verdicts.get(key)
        if known is None:
            known = self._verdicts[key] = self._judge(heads, ending)
        return known

    def _judge(self, heads: Heads, ending: Ending) -> int:
        if ending.free:
            return YES
        shift = self.outlines.shift
        weakest = NO
        for terminal in ending.plain:
            after = shift(heads, terminal)
            if after:
                return YES
            if after is None:
                weakest = DEEPER
        for terminal, following, beyond in ending.followed:
            after = heads if terminal < 0 else shift(heads, terminal)
            if after is None:
                weakest = DEEPER
            elif after:
                taken = [shift(after, other) for other in following]
                if any(taken):
                    return YES
                if None in taken:
                    weakest = DEEPER
                elif beyond is None:
                    weakest = max(weakest, ASK)
                else:
                    for other in beyond:
                        taken_beyond = shift(after, other)
                        if taken_beyond is None:
                            weakest = DEEPER
                        elif taken_beyond:
                            weakest = max(weakest, ASK)
        return weakest

    def _open(
        self, node: int, heads: Heads | None, indents: int, scene: Scene, end: End, group: int, found: Found
    ) -> None:
        assert heads, "what was reached on a shallow outline is reached on a deeper one"
        line = None if end.layout is None else self._line(scene, end.layout)
        stack = self._within(end.stack, scene.stack)
        verdict = self._state(heads, LexerState(stack, indents, line, end.at, end.accepted, end.rest))
        if verdict == YES:
            found.taken.append(group)
        elif verdict == ASK:
            found.asked.append(group)
        elif verdict == DEEPER:
            found.open.append((node, end, group))

    def _state(self, heads: Heads, state: LexerState) -> int:
        """Return whether a stack takes what is pending, or what that falls back to."""
        ending = self.endings.of(state.stack, state.at, blank=state.line is not None)
        verdict = self.verdict(heads, ending)
        if verdict == YES or not state.rest or state.accepted < 0:
            return verdict
        emissions: list[Emission] = []
        ended = self.lexer.end_lexeme(state, emissions)
        again = self.lexer.lex(ended, state.rest) if ended is not None else None
        if again is None:
            return verdict
        after = self._shift_all(heads, emissions + again[1])
        if after is None:
            return DEEPER
        return max(verdict, self._state(after, again[0])) if after else verdict

    def _within(self, relative: int, stack: int) -> int:
        """Return modes that were counted from the lowest one of a table, over what really lies around them."""
        modes = self.lexer.modes
        tops, below = modes.entries[relative]
        return modes.push(tops, modes.entries[stack][1] if below == NOTHING else self._within(below, stack))

    def _left(
        self,
        node: int,
        heads: Heads | None,
        indents: int,
        scene: Scene,
        key: Leaving,
        pairs: list[tuple[int, int]],
        found: Found,
        before: Found | None = None,
    ) -> None:
        """Read what is left of tokens whose mode was ended, in the mode around it."""
        assert heads, "what was reached on a shallow outline is reached on a deeper one"
        relative, terminal, layout = key
        ways = self.lexer.modes.passages(self._within(relative, scene.stack), terminal)
        if len(ways) != 1:
            return
        around = Scene(ways[0].stack, indents, None if layout is None else self._line(scene, layout))
        known, verdicts = self._suffixes(around, heads, before)
        deeper = []
        for suffix, group in pairs:
            verdict = verdicts[suffix] if suffix != UNREAD else ASK
            if verdict == YES:
                found.taken.append(group)
            elif verdict == ASK:
                found.asked.append(group)
            elif verdict == DEEPER:
                deeper.append((suffix, group))
        if deeper:
            found.left.append((node, key, deeper, known))

    def _suffixes(self, scene: Scene, heads: Heads, before: Found | None) -> tuple[Found, NDArray[np.int8]]:
        """Return what is known of all suffixes where no lexeme is pending, and the verdict on each.

        The verdicts have the shape [suffixes].
        """
        modes = self.lexer.modes
        relative = modes.push(modes.entries[scene.stack][0], NOTHING)
        table = self.suffix_table(Beginning(relative, START, -1, "", scene.line is not None))
        key = (table.beginning, self.seen(table, scene), heads)
        known = self._known_suffixes.get(key)
        if known is None:
            if before is None:
                found = self.begin(table, scene, heads)
            else:
                found = self.go_on(table, scene, heads, before)
            verdicts = np.zeros(table.group_count, np.int8)
            verdicts[found.taken] = YES
            verdicts[found.asked] = ASK
            for _, _, groups in found.ends:
                verdicts[groups] = DEEPER
            verdicts[[group for _, _, group in found.open]] = DEEPER
            verdicts[[group for _, _, pairs, _ in found.left for _, group in pairs]] = DEEPER
            below = list(found.nodes)
            while below:
                node = below.pop()
                verdicts[table.at(node)] = DEEPER
                below += table.children(node)
            known = self._known_suffixes[key] = found, verdicts[table.groups.of]
        return known

    def seen(self, table: Table, scene: Scene) -> Scene:
        """Return as much of a scene as makes a difference to a table's tokens."""
        arranges = table.arranges or (table.around and self.suffixes_arrange)
        return Scene(
            scene.stack if table.around else NOTHING,
            scene.indents if arranges else -1,
            scene.line if arranges else None,
        )

    @cached_property
    def suffixes_arrange(self) -> bool:
        """Whether content begins a line in what is left of a token after a mode."""
        layout = self.lexer.language.layout
        if layout is None:
            return False
        stack = self.lexer.modes.push((layout.mode,), NOTHING)
        return any(self.suffix_table(Beginning(stack, START, -1, "", blank)).arranges for blank in (False, True))
