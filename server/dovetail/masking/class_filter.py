"""The filter of token classes: a table's tree of terminals walked with a prefix of the stack.

A class passes if the stack takes the terminals that its texts complete, and then the lexeme that is pending. Whether
the right context still fits is asked elsewhere.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from dovetail.automata.dfa import START
from dovetail.lexing.modes import NOTHING
from dovetail.masking.filter_result import ASK, DEEPER, YES, Deferred, FilterResult, PlacedTable, Surroundings
from dovetail.masking.requirement import Requirement
from dovetail.masking.stack_prefix import NONE_TAKES, UNDECIDED
from dovetail.masking.token_classes import EndState, StartState
from dovetail.masking.token_texts import UNREAD
from dovetail.masking.verdicts import Verdicts

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from dovetail.lexing.lexer import Emission, Lexer
    from dovetail.masking.class_table import ClassTable, ModeExit
    from dovetail.masking.requirement import Requirements
    from dovetail.masking.stack_prefix import StackPrefixes

_NO_CLASSES: list[int] = []
_MANY = 200_000  # With more results than this all of them are forgotten.


class ClassFilter:
    """Walks tables of classes over prefixes of stacks, and remembers the results."""

    def __init__(
        self,
        lexer: Lexer,
        requirements: Requirements,
        prefixes: StackPrefixes,
        suffix_table: Callable[[StartState], ClassTable],
    ) -> None:
        self.lexer = lexer
        self.prefixes = prefixes
        self.verdicts = Verdicts(lexer, requirements, prefixes)
        self.suffix_table = suffix_table
        self.terminal_count = lexer.compiled.productions.terminal_count
        self._placed: dict[tuple[StartState, bool, Surroundings], PlacedTable] = {}
        self._results: dict[tuple[int, int, int, int], FilterResult] = {}  # placed table, node, prefix, blocks
        self._of_suffixes: dict[int, NDArray[np.int8]] = {}  # identity of a result → suffix → verdict

    @property
    def full(self) -> bool:
        """True if so much is remembered that it is time to forget."""
        return self.prefixes.full or len(self._results) > _MANY

    def clear(self) -> None:
        """Forget the results of all prefixes."""
        self.prefixes.clear()
        self.verdicts.clear()
        self._placed.clear()
        self._results.clear()
        self._of_suffixes.clear()

    def placed(self, table: ClassTable, surroundings: Surroundings) -> PlacedTable:
        """Return a table with as much of its surroundings as makes a difference to its texts."""
        arranges = table.arranges or (table.contextual and self.suffixes_arrange)
        # Places that differ only in what the table never asks for share its results: other columns, other modes around.
        seen = Surroundings(
            surroundings.stack if table.contextual else NOTHING,
            surroundings.indents if arranges else -1,
            surroundings.line if arranges else None,
        )
        key = (table.start, table.suffixes, seen)
        placed = self._placed.get(key)
        if placed is None:
            placed = self._placed[key] = PlacedTable(len(self._placed), table, surroundings, arranges)
        return placed

    def result(self, placed: PlacedTable, node: int, prefix: int, indents: int) -> FilterResult:
        """Return the result for the classes at a node and below it, for the prefix of the stack there.

        The classes that a shallower prefix decides are decided with that one: it is the prefix of many more stacks.
        """
        key = (placed.number, node, prefix, indents if placed.arranges else -1)
        found = self._results.get(key)
        if found is None:
            shallower = self.prefixes.shallower(prefix)
            if shallower == NONE_TAKES:
                found = FilterResult()
                self._visit(placed, node, prefix, indents, found)
            else:
                found = self.result(placed, node, shallower, indents)
                if found.deferred:
                    found = self._go_on(placed, node, prefix, indents, found)
            self._results[key] = found
        return found

    def _go_on(self, placed: PlacedTable, top: int, prefix: int, indents: int, before: FilterResult) -> FilterResult:
        """Decide the deferred classes with a deeper prefix of the same stack."""
        found = FilterResult()
        found.fitting.append(before)
        # Only the right context decides these, so a deeper prefix is not asked again.
        found.asked = before.asked
        # Many questions stand at one node and below it. The way down to each node is shifted once.
        reached: dict[int, tuple[int, int]] = {top: (prefix, indents)}
        for node, question, classes, suffixes in before.deferred:
            at, inner = self._reach(placed, node, reached)
            if question is None:
                self._enter(placed, node, at, inner, found)
            elif isinstance(question, Requirement):
                self._note(self.verdicts.of(at, question), node, question, classes, found)
            elif isinstance(question, EndState):
                verdict = self.verdicts.at_end(at, inner, placed.surroundings, question)
                self._note(verdict, node, question, classes, found)
            else:
                self._leave(placed, node, at, inner, question, classes, suffixes, found)
        return found

    def _reach(self, placed: PlacedTable, node: int, reached: dict[int, tuple[int, int]]) -> tuple[int, int]:
        """Return the prefix at a node and the blocks that are open there."""
        known = reached.get(node)
        if known is None:
            prefix, indents = self._reach(placed, placed.table.classes.parents[node], reached)
            # No terminal leads on from a stack that has refused one, or from an undecided one.
            if prefix > NONE_TAKES:
                prefix, indents = self._step(placed, prefix, indents, placed.table.classes.symbols[node])
            known = reached[node] = prefix, indents
        return known

    def _enter(self, placed: PlacedTable, node: int, prefix: int, indents: int, found: FilterResult) -> None:
        """Add the result of a node and of the nodes below it, once the prefix there is known."""
        if prefix == UNDECIDED:
            found.deferred += (Deferred(node, None, _NO_CLASSES, _NO_CLASSES),)
        elif prefix != NONE_TAKES:
            # A result for a leaf would be remembered more often than it is used.
            if placed.table.is_leaf(node):
                self._visit(placed, node, prefix, indents, found)
            else:
                found.add(self.result(placed, node, prefix, indents))

    def _visit(self, placed: PlacedTable, node: int, prefix: int, indents: int, found: FilterResult) -> None:
        verdicts, classes_at = self.verdicts, placed.table.node(node)
        for requirement, classes in classes_at.required:
            self._note(verdicts.of(prefix, requirement), node, requirement, classes, found)
        for end, classes in classes_at.contextual:
            self._note(verdicts.at_end(prefix, indents, placed.surroundings, end), node, end, classes, found)
        for mode_exit, classes, suffixes in classes_at.exits:
            self._leave(placed, node, prefix, indents, mode_exit, classes, suffixes, found)
        for symbol, child in classes_at.children:
            after, inner = self._step(placed, prefix, indents, symbol)
            self._enter(placed, child, after, inner, found)

    def _note(
        self, verdict: int, node: int, question: Requirement | EndState, classes: list[int], found: FilterResult
    ) -> None:
        if verdict == YES:
            found.fitting.append(classes)
        elif verdict == ASK:
            found.asked += tuple(classes)
        elif verdict == DEEPER:
            found.deferred += (Deferred(node, question, classes, _NO_CLASSES),)

    def _step(self, placed: PlacedTable, prefix: int, indents: int, symbol: int) -> tuple[int, int]:
        """Return the prefix after a terminal, or after the indent or dedents of a line whose content begins."""
        if symbol < self.terminal_count:
            return self.prefixes.shift(prefix, symbol), indents
        layout = placed.table.classes.layouts[symbol - self.terminal_count]
        line = self.verdicts.line(placed.surroundings, layout)
        emissions: list[Emission] = []
        # The same rule as on the left, so a token that begins a line is read as `Lexer.lex` reads it.
        opened = self.lexer.arrange(indents, line.width(), emissions)
        if opened is None:
            return NONE_TAKES, indents
        return self.verdicts.shift_all(prefix, emissions), opened

    def _leave(
        self,
        placed: PlacedTable,
        node: int,
        prefix: int,
        indents: int,
        mode_exit: ModeExit,
        classes: list[int],
        suffixes: list[int],
        found: FilterResult,
    ) -> None:
        """Read the rest of texts whose mode was ended, in the mode around it."""
        relative, terminal, layout = mode_exit
        surroundings = placed.surroundings
        way = self.lexer.modes.known_transition(self.verdicts.within(relative, surroundings.stack), terminal)
        if way is None:
            return
        line = None if layout is None else self.verdicts.line(surroundings, layout)
        of_suffixes = self._suffixes(Surroundings(way.stack, indents, line), prefix)
        left = np.array(suffixes)
        # An unread suffix has a negative number. The index of 0 only fills its place: the verdict on it is ASK.
        verdicts = np.where(left <= UNREAD, ASK, of_suffixes[np.maximum(left, 0)] if len(of_suffixes) else ASK)
        numbers = np.array(classes)
        found.fitting.append(numbers[verdicts == YES].tolist())
        found.asked += tuple(numbers[verdicts == ASK].tolist())
        deeper = verdicts == DEEPER
        if deeper.any():
            found.deferred += (Deferred(node, mode_exit, numbers[deeper].tolist(), left[deeper].tolist()),)

    def _suffixes(self, surroundings: Surroundings, prefix: int) -> NDArray[np.int8]:
        """Return the verdict on each suffix where no lexeme is pending (shape [suffixes])."""
        modes = self.lexer.modes
        relative = modes.push(modes.entries[surroundings.stack][0], NOTHING)
        table = self.suffix_table(StartState(relative, START, -1, "", surroundings.line is not None))
        found = self.result(self.placed(table, surroundings), 0, prefix, surroundings.indents)
        # Results are remembered until all is forgotten, so no other object has this identity meanwhile.
        known = self._of_suffixes.get(id(found))
        if known is None:
            # NO is 0: a class that the result does not name does not fit.
            verdicts = np.zeros(table.class_count, np.int8)
            verdicts[found.classes()] = YES
            verdicts[list(found.asked)] = ASK
            for node, question, classes, _ in found.deferred:
                verdicts[table.under(node) if question is None else classes] = DEEPER
            known = self._of_suffixes[id(found)] = verdicts[table.classes.class_of]
        return known

    @cached_property
    def suffixes_arrange(self) -> bool:
        """True if the content of a line begins in one of the suffixes."""
        layout = self.lexer.compiled.layout
        if layout is None:
            return False
        stack = self.lexer.modes.push((layout.mode,), NOTHING)
        return any(self.suffix_table(StartState(stack, START, -1, "", blank)).arranges for blank in (False, True))
