"""The grammar of a language as the suffix parse needs it: reductions into the unknown stack, planned once."""

from __future__ import annotations

from collections import defaultdict
from functools import cache, cached_property
from typing import TYPE_CHECKING

from dovetail.lexing.indentation import ANY
from dovetail.suffix.outlook import Outlook
from dovetail.suffix.reductions import Reduction, ReductionPlan, together
from dovetail.suffix.state_classes import Shapes, StateClasses
from dovetail.suffix.successors import Successors, terminals_of
from dovetail.suffix.top_level import TopLevelSuffixes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from dovetail.grammar.compiled import Compiled
    from dovetail.parsing.stack import UnitChains
    from dovetail.suffix.state_classes import Shape
    from dovetail.suffix.successors import Terminals


class SuffixGrammar:
    """The tables of a language, indexed for the suffix parse."""

    def __init__(self, compiled: Compiled, chains: UnitChains) -> None:
        self.chains = chains
        tables, productions = compiled.tables, compiled.productions
        self.actions = tables.actions
        self.gotos = tables.gotos
        self.kernels = tables.kernels
        self.lefts = productions.lefts
        self.rights = productions.rights
        self.end = compiled.end
        self.symbol_count = len(productions.names)
        self.entered_by: dict[int, list[int]] = defaultdict(list)  # symbol → states
        for state, symbol in enumerate(tables.entering):
            self.entered_by[symbol].append(state)
        # Reductions into the unknown stack go through the LR automaton backwards.
        self.sources = tables.sources
        self.entering = tables.entering
        layout = compiled.layout
        self.has_layout = layout is not None
        self.indent = indent = layout.indent if layout else -1
        self.dedent = layout.dedent if layout else -1
        self.deepest = layout.deepest if layout else 0
        """The number of blocks that may be open at a time; 0 for any number."""
        self.terminal_count = productions.terminal_count
        self.indent_at = (
            [right.index(indent) if indent in right else -1 for right in self.rights]
            if self.has_layout
            else [-1] * len(self.rights)
        )
        self.ends_line = self._line_ends(compiled)
        """Symbol → whether a line ends with it."""
        self.openers = self._openers(compiled)
        """The terminals that open a bracket or another mode."""
        self.top_level = TopLevelSuffixes(compiled, chains)
        self._shapes = Shapes(self._shape)
        self.classes = StateClasses(self.actions, self.entering, self.entered_by, self._shapes)
        """The states over an unknown stack that one exposure may stand for."""
        self._tuples: dict[tuple[int, ...], tuple[int, ...]] = {}
        self._plans: dict[int, dict[int, ReductionPlan]] = defaultdict(dict)
        self._outlooks: dict[tuple[int, tuple[int, ...] | None], Outlook] = {}
        self._successors: dict[int, Successors] = {}
        self._shiftable: dict[int, Terminals] = {}
        self.has_top_level = self._has_top_level(compiled)
        """True if a line at column zero, in the mode of layout, is at the top level: no block is around it."""
        # On the instance: a cache of the class would keep every language that was ever loaded.
        self.reduction: Callable[[int, int, int, int], Reduction | None] = cache(self._reduction)
        self.exposed_again: Callable[[int, int, int], tuple[int, ...]] = cache(self._exposed_again)
        self._over = cache(self._states_over)
        # Productions of one rule meet the same states, at many terminals.
        self._targets = cache(self._states_after)
        self._ends = cache(self._chain_ends)
        self._below = cache(self._states_below)

    @cached_property
    def blocks_needed(self) -> list[int]:
        """Symbol → the number of blocks that have to be open at a time in its text, at the least."""
        # All symbols are productive, so no symbol keeps this number.
        unknown = 1 << 30
        needed = [0 if symbol < self.terminal_count else unknown for symbol in range(self.symbol_count)]
        grew = True
        while grew:
            grew = False
            for left, right in zip(self.lefts, self.rights, strict=True):
                count = self.blocks_needed_by(right, needed)
                if count < needed[left]:
                    needed[left] = count
                    grew = True
        return needed

    def blocks_needed_by(self, symbols: tuple[int, ...], needed: list[int]) -> int:
        """Return the number of blocks that have to be open at a time in the text of some symbols, at the least."""
        depth = most = 0
        for symbol in symbols:
            depth += (symbol == self.indent) - (symbol == self.dedent)
            most = max(most, depth + needed[symbol])
        return most

    def _line_ends(self, compiled: Compiled) -> list[bool]:
        ends = [False] * self.symbol_count
        layout = compiled.layout
        if layout is None:
            return ends
        for terminal in (layout.newline, layout.indent, layout.dedent):
            ends[terminal] = True
        grew = True
        while grew:
            grew = False
            for left, right in zip(self.lefts, self.rights, strict=True):
                # There are no empty productions, so the last symbol of each is the end of its text.
                if ends[right[-1]] and not ends[left]:
                    ends[left] = grew = True
        return ends

    def _openers(self, compiled: Compiled) -> frozenset[int]:
        """Return the terminals that open a mode; without modes, the first of productions between two terminals."""
        pushed = frozenset(terminal for mode in compiled.modes for terminal in mode.push)
        count = compiled.productions.terminal_count
        return pushed or frozenset(
            right[0] for right in self.rights if len(right) > 2 and right[0] < count and right[-1] < count
        )

    @staticmethod
    def _has_top_level(compiled: Compiled) -> bool:
        layout = compiled.layout
        if layout is None or layout.mode != 0:
            return False
        for right in compiled.productions.rights:
            depth = 0
            for symbol in right:
                depth += (symbol == layout.indent) - (symbol == layout.dedent)
                # A dedent without its indent: the block would be opened by another production, and column zero would
                # not end it.
                if depth < 0:
                    return False
            if depth:
                return False
        # If another mode led back to that of layout, a line at column zero might stand inside a bracket.
        return not any(
            0 in (*mode.push.values(), *mode.switch.values(), *mode.back.values()) for mode in compiled.modes
        )

    @cached_property
    def outside(self) -> frozenset[int]:
        """The states that occur on stacks without an indent."""
        if not self.has_layout:
            return frozenset(range(len(self.entering)))
        seen = {0}
        work = [0]
        while work:
            for symbol, target in self.gotos[work.pop()].items():
                # A state that only ways over an INDENT lead to has a block below it.
                if symbol != self.indent and target not in seen:
                    seen.add(target)
                    work.append(target)
        return frozenset(seen)

    def begins_line(self, state: int) -> bool:
        """Return whether a line begins after a state's symbol."""
        symbol = self.entering[state]
        return symbol < 0 or self.ends_line[symbol]

    def is_whole(self, state: int) -> bool:
        """Return whether a production of the whole text is complete in a state."""
        whole = self.lefts[0]
        return any(
            self.lefts[number] == whole and dot == len(self.rights[number]) for number, dot in self.kernels[state]
        )

    def outlook(self, terminal: int, following: Iterable[int] | None) -> Outlook:
        """Return the outlook of a terminal, after which one of some terminals follows; None for any."""
        key = terminal, None if following is None else tuple(sorted(set(following)))
        found = self._outlooks.get(key)
        if found is None:
            successors = self._successors.get(terminal)
            if successors is None:
                successors = self._successors[terminal] = Successors(self, terminal)
            found = self._outlooks[key] = Outlook(self, *key, successors)
        return found

    def shiftable(self, state: int) -> Terminals:
        """Return the terminals for which a state has an action."""
        found = self._shiftable.get(state)
        if found is None:
            found = self._shiftable[state] = terminals_of(self.actions[state])
        return found

    def one_object(self, states: tuple[int, ...]) -> tuple[int, ...]:
        """Return equal states as one object, so that loops may compare them by identity."""
        return self._tuples.setdefault(states, states)

    def plan(self, state: int, terminal: int) -> ReductionPlan:
        """Return the plan for a terminal in a state right over the unknown stack, or in all states of its class."""
        found = self._plans[terminal].get(state)
        if found is None:
            units: dict[int, None] = {}
            alike: dict[int, list[Reduction]] = defaultdict(list)
            for member in self.classes.members(terminal).get(state, (state,)):
                for action in self.actions[member].get(terminal, ()):
                    if action >= 0:
                        continue
                    production = ~action
                    count = len(self.rights[production]) - 1
                    if count == 0:
                        units.update(dict.fromkeys(self.exposed_again(member, self.lefts[production], terminal)))
                    elif reduction := self.reduction(production, count, member, terminal):
                        alike[self._shapes[production]].append(reduction)
            shifts = tuple(action for action in self.actions[state].get(terminal, ()) if action >= 0)
            reductions = [together(reductions) for reductions in alike.values()]
            reductions = [each._replace(states=self.one_object(each.states)) for each in reductions]
            found = ReductionPlan(shifts, tuple(units), tuple(reductions))
            self._plans[terminal][state] = found
        return found

    def _shape(self, production: int) -> Shape:
        """Return all that a reduction by a production does to a stack, and that is asked of it."""
        right = self.rights[production]
        openers = tuple(symbol in self.openers for symbol in right[:-1])
        return (
            self.lefts[production],
            len(right),
            self.indent_at[production],
            openers,
            len(right) > 1 and self.ends_line[right[-2]],
        )

    def _reduction(self, production: int, count: int, state: int, terminal: int) -> Reduction | None:
        """Return the reduction that takes a production's first `count` symbols from the unknown stack, or None.

        `state` is the exposed state: it is reached after `count` + 1 symbols and lies over the unknown ones. None if
        no stack has these symbols below it, or if the terminal is refused after the reduction.
        """
        states = self._bases(production, count, state, terminal)
        if not states:
            return None
        block = ANY if 0 <= self.indent_at[production] < count else None
        begins_line = self.ends_line[self.rights[production][count - 1]]
        return Reduction((production,), count, block, begins_line, self.one_object(states))

    def _bases(self, production: int, count: int, state: int, terminal: int) -> tuple[int, ...]:
        """Return goto(q, left) for each q from which a production's first symbols lead to a state.

        Chains of unit reductions are followed to states with another action for the terminal.
        """
        return self._ends(self._below(production, count, state), terminal)

    def _states_below(self, production: int, count: int, state: int) -> tuple[int, ...]:
        """Return goto(q, left) for each q from which a production's first symbols lead to a state."""
        left, right = self.lefts[production], self.rights[production]
        states = [state]
        # Backwards from the exposed state: each step keeps the states from which the symbol leads on.
        for symbol in reversed(right[: count + 1]):
            states = list(
                dict.fromkeys(
                    source for target in states if self.entering[target] == symbol for source in self.sources[target]
                )
            )
        # Sorted, so that the order of the way back does not decide the order of exposures.
        return self._targets(tuple(sorted(states)), left)

    def _exposed_again(self, state: int, left: int, terminal: int) -> tuple[int, ...]:
        """Return the states after a reduction to `left` over the unknown node below a state, at the ends of chains."""
        return self._ends(self._over(state, left), terminal)

    def _chain_ends(self, states: tuple[int, ...], terminal: int) -> tuple[int, ...]:
        """Return the states where chains of unit reductions end that begin at states over an unknown node.

        An expression is reduced some fifteen times before its operator or its end is met, and an exposure for each
        time would only pass on to the next. It is left out. That is sound since the grammar alone decides it: where
        the node below is known, the chain has one end (`chain_end`), which is among these; and a chain to an end that
        fits the node is a derivation there, whatever lies between. Ends without an action for the terminal and
        circles lead nowhere.
        """
        seen = dict.fromkeys(states)
        work = list(seen)
        found: dict[int, None] = {}
        for state in work:  # It grows meanwhile.
            if terminal not in self.actions[state]:
                continue
            if not self.passes_on(state, terminal):
                # One exposure stands for all states of a class.
                found[self.classes.representative(state, terminal)] = None
                continue
            for target in self._over(state, self.lefts[~self.actions[state][terminal][0]]):
                if target not in seen:
                    seen[target] = None
                    work.append(target)
        return tuple(found)

    def passes_on(self, state: int, terminal: int) -> bool:
        """Return whether a state's only action for a terminal is a reduction of one symbol."""
        choices = self.actions[state][terminal]
        return len(choices) == 1 and choices[0] < 0 and len(self.rights[~choices[0]]) == 1

    def chain_end(self, base: int, state: int, terminal: int) -> int:
        """Return the state at the end of a chain of unit reductions that begins at a state over a known one."""
        key = (base, state, terminal)
        ends = self.chains.ends
        return ends[key] if key in ends else self.chains.end(key)

    def _states_over(self, state: int, left: int) -> tuple[int, ...]:
        """Return goto(q, left) for each q from which a state is entered."""
        return self._states_after(self.sources[state], left)

    def _states_after(self, sources: Sequence[int], left: int) -> tuple[int, ...]:
        """Return goto(q, left) for each q of some states, without those that have none."""
        targets = (self.gotos[source].get(left) for source in sources)
        return tuple(dict.fromkeys(target for target in targets if target is not None))
