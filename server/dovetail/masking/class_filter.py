"""A table's tree walked with the outline of a stack: which groups the parser takes.

The answer of a walk is about what can be pushed and reduced. Whether what is left can be completed, and the right
context be met, is asked elsewhere; here a yes means that the lexemes fit the stack, and a no is final.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dovetail.automata.dfa import START
from dovetail.lexing.lexer import LexerState, Line
from dovetail.lexing.modes import NOTHING
from dovetail.masking.requirement import Requirement
from dovetail.masking.stack_prefix import NONE_TAKES, UNDECIDED
from dovetail.masking.token_classes import FRESH_LINE, Beginning, End, line_after
from dovetail.masking.token_texts import UNREAD

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from dovetail.lexing.lexer import Emission, Lexer
    from dovetail.masking.class_table import ClassTable, Leaving
    from dovetail.masking.requirement import Requirements
    from dovetail.masking.stack_prefix import StackPrefixes

_MOST_ENDINGS = 1 << 20
_NO_GROUPS: list[int] = []
_MANY = 200_000  # bounds what is remembered; then all of it is let go
NO, ASK, DEEPER, YES = range(4)
"""Verdicts, the weakest first: only the right context can tell; more of the stack has to be known."""


class Scene(NamedTuple):
    """What lies around a table's tokens, beside the parser's stack."""

    stack: int
    """The modes, all of them."""
    indents: int
    line: Line | None


class Found:
    """The groups that were decided, and what could not be; never changed once it is remembered."""

    __slots__ = ("asked", "later", "taken")

    def __init__(self) -> None:
        self.taken: list[Found | list[int]] = []
        """The groups that fit; what shallower outlines and the nodes below have found is shared, not copied."""
        self.asked: tuple[int, ...] = ()
        """The groups that only the right context decides."""
        self.later: tuple[Later, ...] = ()
        """What lies deeper."""

    def add(self, below: Found) -> None:
        """Take over what was found under a node."""
        self.taken.append(below)
        self.asked += below.asked
        self.later += below.later

    def groups(self) -> list[int]:
        """Return the groups that fit."""
        groups: list[int] = []
        work: list[Found | list[int]] = [self]
        while work:
            found = work.pop()
            if isinstance(found, Found):
                work += found.taken
            else:
                groups += found
        return groups


class Later(NamedTuple):
    """Something at a node that a deeper outline will decide."""

    node: int
    what: Requirement | End | Leaving | None
    """None for the node itself, which was not reached."""
    groups: list[int]
    suffixes: list[int]
    """What is left of the tokens of each group, where `what` is how they leave their mode."""


class View:
    """A table in a scene; equal ones are one object."""

    __slots__ = ("arranges", "number", "scene", "table")

    def __init__(self, number: int, table: ClassTable, scene: Scene, arranges: bool) -> None:
        self.number = number
        self.table = table
        self.scene = scene
        self.arranges = arranges
        """Whether columns make a difference."""


class ClassFilter:
    """Walks tables over outlines."""

    def __init__(
        self,
        lexer: Lexer,
        endings: Requirements,
        outlines: StackPrefixes,
        suffix_table: Callable[[Beginning], ClassTable],
    ) -> None:
        self.lexer = lexer
        self.endings = endings
        self.outlines = outlines
        self.suffix_table = suffix_table
        self.terminal_count = lexer.compiled.productions.terminal_count
        self._verdicts: dict[int, int] = {}  # outline × endings + ending → verdict
        self._views: dict[tuple[Beginning, bool, Scene], View] = {}
        self._trees: dict[tuple[int, int, int, int], Found] = {}  # view, node, outline, blocks → what is known
        self._verdicts_of: dict[int, NDArray[np.int8]] = {}  # identity of what was found → verdicts

    @property
    def full(self) -> bool:
        """Whether so much is remembered that it is time to forget."""
        return self.outlines.full or len(self._trees) > _MANY

    def clear(self) -> None:
        """Forget what was found for all outlines."""
        self.outlines.clear()
        self._verdicts.clear()
        self._views.clear()
        self._trees.clear()
        self._verdicts_of.clear()

    def view(self, table: ClassTable, scene: Scene) -> View:
        """Return a table in as much of a scene as makes a difference to its tokens."""
        arranges = table.arranges or (table.around and self.suffixes_arrange)
        seen = Scene(
            scene.stack if table.around else NOTHING,
            scene.indents if arranges else -1,
            scene.line if arranges else None,
        )
        key = (table.beginning, table.suffixes, seen)
        view = self._views.get(key)
        if view is None:
            view = self._views[key] = View(len(self._views), table, scene, arranges)
        return view

    def tree(self, view: View, node: int, heads: int, indents: int) -> Found:
        """Return what is known of the groups at a node and under it, for the outline of the stack there.

        What a shallower outline decides is asked of that: it is the same in many more places.
        """
        key = (view.number, node, heads, indents if view.arranges else -1)
        found = self._trees.get(key)
        if found is None:
            shallower = self.outlines.shallower(heads)
            if shallower == NONE_TAKES:
                found = Found()
                self._visit(view, node, heads, indents, found)
            else:
                found = self.tree(view, node, shallower, indents)
                if found.later:
                    found = self._go_on(view, node, heads, indents, found)
            self._trees[key] = found
        return found

    def _go_on(self, view: View, top: int, heads: int, indents: int, before: Found) -> Found:
        """Decide what was not decided before with a deeper outline of the same stack."""
        found = Found()
        found.taken.append(before)
        found.asked = before.asked
        reached: dict[int, tuple[int, int]] = {top: (heads, indents)}
        for node, what, groups, suffixes in before.later:
            at, inner = self._reach(view, node, reached)
            if what is None:
                self._enter(view, node, at, inner, found)
            elif isinstance(what, Requirement):
                self._note(self.verdict(at, what), node, what, groups, found)
            elif isinstance(what, End):
                self._note(self._end(at, inner, view.scene, what), node, what, groups, found)
            else:
                self._leave(view, node, at, inner, what, groups, suffixes, found)
        return found

    def _reach(self, view: View, node: int, reached: dict[int, tuple[int, int]]) -> tuple[int, int]:
        """Return the stack at a node and the blocks that are open there."""
        known = reached.get(node)
        if known is None:
            heads, indents = self._reach(view, view.table.groups.parents[node], reached)
            if heads > NONE_TAKES:
                heads, indents = self._step(view, heads, indents, view.table.groups.symbols[node])
            known = reached[node] = heads, indents
        return known

    def _enter(self, view: View, node: int, heads: int, indents: int, found: Found) -> None:
        """Add what is known of a node, and of what is under it, once the stack there is known."""
        if heads == UNDECIDED:
            found.later += (Later(node, None, _NO_GROUPS, _NO_GROUPS),)
        elif heads != NONE_TAKES:
            if view.table.is_leaf(node):
                self._visit(view, node, heads, indents, found)
            else:
                found.add(self.tree(view, node, heads, indents))

    def _visit(self, view: View, node: int, heads: int, indents: int, found: Found) -> None:
        place = view.table.place(node)
        for ending, groups in place.fitting:
            self._note(self.verdict(heads, ending), node, ending, groups, found)
        for end, groups in place.open:
            self._note(self._end(heads, indents, view.scene, end), node, end, groups, found)
        for leaving, groups, suffixes in place.left:
            self._leave(view, node, heads, indents, leaving, groups, suffixes, found)
        for symbol, child in place.children:
            after, inner = self._step(view, heads, indents, symbol)
            self._enter(view, child, after, inner, found)

    def _note(self, verdict: int, node: int, what: Requirement | End, groups: list[int], found: Found) -> None:
        if verdict == YES:
            found.taken.append(groups)
        elif verdict == ASK:
            found.asked += tuple(groups)
        elif verdict == DEEPER:
            found.later += (Later(node, what, groups, _NO_GROUPS),)

    def _step(self, view: View, heads: int, indents: int, symbol: int) -> tuple[int, int]:
        """Return the stack after a terminal, or after the indent or dedents of a line whose content begins."""
        if symbol < self.terminal_count:
            return self.outlines.shift(heads, symbol), indents
        line = self._line(view.scene, view.table.groups.layouts[symbol - self.terminal_count])
        emissions: list[Emission] = []
        opened = self.lexer.arrange(indents, line.width(), emissions)
        if opened is None:
            return NONE_TAKES, indents
        return self._shift_all(heads, emissions), opened

    def _shift_all(self, heads: int, emissions: list[Emission]) -> int:
        for terminal, _ in emissions:
            if heads <= NONE_TAKES:
                break
            heads = self.outlines.shift(heads, terminal)
        return heads

    def _line(self, scene: Scene, layout: str) -> Line:
        if FRESH_LINE in layout:
            return line_after(Line(), layout, self.lexer.tab)
        assert scene.line is not None, "a line has content, and more of it is read as if it had none"
        return line_after(scene.line, layout, self.lexer.tab)

    def verdict(self, heads: int, ending: Requirement) -> int:
        """Return whether the stack takes what a pending lexeme may end as."""
        key = heads * _MOST_ENDINGS + ending.number
        known = self._verdicts.get(key)
        if known is None:
            shallower = self.outlines.shallower(heads)
            known = DEEPER if shallower == NONE_TAKES else self.verdict(shallower, ending)
            if known == DEEPER:
                known = self._judge(heads, ending)
            self._verdicts[key] = known
        return known

    def _judge(self, heads: int, ending: Requirement) -> int:
        if ending.free:
            return YES
        shift = self.outlines.shift
        weakest = NO
        for terminal in ending.plain:
            after = shift(heads, terminal)
            if after > NONE_TAKES:
                return YES
            if after == UNDECIDED:
                weakest = DEEPER
        for terminal, following, beyond in ending.followed:
            after = heads if terminal < 0 else shift(heads, terminal)
            if after == UNDECIDED:
                weakest = DEEPER
            if after <= NONE_TAKES:
                continue
            taken = [shift(after, other) for other in following]
            if max(taken, default=NONE_TAKES) > NONE_TAKES:
                return YES
            if UNDECIDED in taken:
                weakest = DEEPER
            elif beyond is None or any(shift(after, other) > NONE_TAKES for other in beyond):
                weakest = max(weakest, ASK)
            elif any(shift(after, other) == UNDECIDED for other in beyond):
                weakest = DEEPER
        return weakest

    def _end(self, heads: int, indents: int, scene: Scene, end: End) -> int:
        """Return whether the stack takes what is pending at an end that the surroundings decide."""
        line = None if end.layout is None else self._line(scene, end.layout)
        stack = self._within(end.stack, scene.stack)
        return self._state(heads, LexerState(stack, indents, line, end.at, end.accepted, end.rest))

    def _state(self, heads: int, state: LexerState) -> int:
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
        if after == UNDECIDED:
            return DEEPER
        return max(verdict, self._state(after, again[0])) if after else verdict

    def _within(self, relative: int, stack: int) -> int:
        """Return modes that were counted from the lowest one of a table, over what really lies around them."""
        modes = self.lexer.modes
        tops, below = modes.entries[relative]
        return modes.push(tops, modes.entries[stack][1] if below == NOTHING else self._within(below, stack))

    def _leave(
        self,
        view: View,
        node: int,
        heads: int,
        indents: int,
        leaving: Leaving,
        groups: list[int],
        suffixes: list[int],
        found: Found,
    ) -> None:
        """Read what is left of tokens whose mode was ended, in the mode around it."""
        relative, terminal, layout = leaving
        scene = view.scene
        ways = self.lexer.modes.transitions(self._within(relative, scene.stack), terminal)
        if len(ways) != 1:
            return
        line = None if layout is None else self._line(scene, layout)
        verdicts = self._suffixes(Scene(ways[0].stack, indents, line), heads)
        left = np.array(suffixes)
        of_groups = np.where(left <= UNREAD, ASK, verdicts[np.maximum(left, 0)] if len(verdicts) else ASK)
        numbers = np.array(groups)
        found.taken.append(numbers[of_groups == YES].tolist())
        found.asked += tuple(numbers[of_groups == ASK].tolist())
        deeper = of_groups == DEEPER
        if deeper.any():
            found.later += (Later(node, leaving, numbers[deeper].tolist(), left[deeper].tolist()),)

    def _suffixes(self, scene: Scene, heads: int) -> NDArray[np.int8]:
        """Return the verdict on each suffix where no lexeme is pending (shape [suffixes])."""
        modes = self.lexer.modes
        relative = modes.push(modes.entries[scene.stack][0], NOTHING)
        table = self.suffix_table(Beginning(relative, START, -1, "", scene.line is not None))
        found = self.tree(self.view(table, scene), 0, heads, scene.indents)
        known = self._verdicts_of.get(id(found))
        if known is None:
            verdicts = np.zeros(table.group_count, np.int8)
            verdicts[found.groups()] = YES
            verdicts[list(found.asked)] = ASK
            for node, what, groups, _ in found.later:
                verdicts[table.under(node) if what is None else groups] = DEEPER
            known = self._verdicts_of[id(found)] = verdicts[table.groups.of]
        return known

    @cached_property
    def suffixes_arrange(self) -> bool:
        """Whether content begins a line in what is left of a token after a mode."""
        layout = self.lexer.compiled.layout
        if layout is None:
            return False
        stack = self.lexer.modes.push((layout.mode,), NOTHING)
        return any(self.suffix_table(Beginning(stack, START, -1, "", blank)).arranges for blank in (False, True))
