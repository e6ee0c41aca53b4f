"""The automaton of a right context as plain values, for a person to look at."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from dovetail.quotient.run import explore, stack_under
from dovetail.quotient.stack_view import view_entries
from dovetail.quotient.symbols import Symbols

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dovetail.quotient.right_side import RightSide
    from dovetail.quotient.run import RunStep
    from dovetail.quotient.stack_view import StackEntry
    from dovetail.quotient.state import State
    from dovetail.suffix.automaton import Exposure


@dataclass(frozen=True, slots=True)
class DrawnState:
    """A state of the automaton: an exposure, where the unknown stack begins."""

    number: int
    symbol: str
    """The symbol right above the unknown stack."""
    state: int
    """The LR state that the symbol leads to."""
    offset: int
    """The place in the right text at which the parser stands when it comes here, in characters; 0 across the cursor."""
    end: int
    """The end of the lexeme there; the offset again if the next terminal has no text."""
    column: int
    """Places in the right text, numbered in their order; states at one place have one number."""
    terminal: str
    """The next terminal there."""
    entry: bool
    """True if the automaton is entered here from the text at the cursor."""
    final: bool
    """True if the text is accepted here if this is the bottom of the stack."""


@dataclass(frozen=True, slots=True)
class DrawnEdge:
    """A step from one state to another, both by number."""

    source: int
    target: int
    production: str
    """The production that is reduced; empty if the step takes nothing off the unknown stack."""
    taken: tuple[str, ...]
    """The symbols that are taken off the unknown stack, the top first."""


@dataclass(frozen=True, slots=True)
class AutomatonView:
    """States of an automaton with the steps between them, and an accepting run."""

    states: tuple[DrawnState, ...]
    edges: tuple[DrawnEdge, ...]
    reached: int
    """The number of states that were to be drawn, of which the nearest are `states`."""
    total: int
    """The number of states that are reached from any entry, on any stack."""
    run: tuple[tuple[int, int], ...]
    """The accepting run, as (number of a state, number of the stack node under it); the beginning of a long one."""
    run_length: int
    """The number of states of the whole run."""
    run_edges: tuple[DrawnEdge, ...]
    """The steps of the run, in their order."""
    run_stack: tuple[StackEntry, ...]
    """The stack that the run reads, its top last. The lexeme at the cursor has ended. It lacks what a long run reads
    after its beginning.
    """


def view_automaton(states: Iterable[State], most: int = 40, *, everywhere: bool = False) -> AutomatonView:
    """Return the automaton of the right context of some states, all of which have the same one.

    Its states are those that it comes to on the stacks of these texts. The run is that of the last one. If it comes to
    none, or with `everywhere`, they are those that it may come to on any stack. `most`: of a larger automaton, the
    states of the run and those nearest to the entries are returned; of a longer run, its beginning.
    """
    members = list(states)
    right, _, _ = members[-1].parts()
    explorations = [explore(state) for state in reversed(members)]
    whole_run = explorations[0].run()
    run = whole_run[:most]
    came = [point for exploration in explorations for point in exploration.came.items()]
    all_entries = dict.fromkeys(right.automaton.entry_exposures())
    entries = dict.fromkeys(exposure for (exposure, _), before in came if before is None and exposure is not None)
    near = dict.fromkeys(exposure for (exposure, _), _ in came if exposure is not None)
    if everywhere or not near:
        entries = all_entries
        near = _reached(all_entries)
    kept = dict.fromkeys((*(step.exposure for step in run), *near))
    shown = sorted(list(kept)[:most], key=_place)
    numbers = {exposure: number for number, exposure in enumerate(shown)}
    drawing = _Drawing(right, numbers)
    columns = {place: column for column, place in enumerate(sorted({_place(exposure)[:2] for exposure in shown}))}
    return AutomatonView(
        states=tuple(
            drawing.state(exposure, columns[_place(exposure)[:2]], entry=exposure in entries) for exposure in shown
        ),
        edges=tuple(edge for exposure in shown for edge in drawing.edges(exposure)),
        reached=len(near),
        total=len(_reached(all_entries)),
        run=tuple((numbers[step.exposure], step.node.number) for step in run),
        run_length=len(whole_run),
        run_edges=tuple(drawing.run_edge(step, after) for step, after in pairwise(run)),
        run_stack=view_entries(right.machine, stack_under(run)),
    )


class _Drawing:
    """The states that are drawn, with their numbers."""

    def __init__(self, right: RightSide, numbers: dict[Exposure, int]) -> None:
        self.symbols = Symbols(right.machine)
        self.rights = right.machine.compiled.productions.rights
        self.tables = right.machine.compiled.tables
        self.numbers = numbers

    def state(self, exposure: Exposure, column: int, *, entry: bool) -> DrawnState:
        lookahead = exposure.lookahead
        offset = max(lookahead.position.offset, 0)  # A lexeme across the cursor begins before the right text.
        return DrawnState(
            number=self.numbers[exposure],
            symbol=self.symbols.name(exposure.symbol),
            state=exposure.state,
            offset=offset,
            end=max(offset, lookahead.position.text_end),
            column=column,
            terminal=self.symbols.name(lookahead.terminal),
            entry=entry,
            final=exposure.final,
        )

    def edges(self, exposure: Exposure) -> list[DrawnEdge]:
        """Return the steps from a state to states that are drawn."""
        found = [self.edge(exposure, target) for target in exposure.edges if target in self.numbers]
        found += [
            self.edge(exposure, target, production, reduction.count)
            for reduction in exposure.reductions
            for production in reduction.productions
            for target in reduction.targets
            if target in self.numbers
        ]
        return list(dict.fromkeys(found))

    def run_edge(self, step: RunStep, after: RunStep) -> DrawnEdge:
        """Return the step between two places of a run, by the production that the stack has there."""
        reduction = step.reduction
        if reduction is None:
            return self.edge(step.exposure, after.exposure)
        state = self.tables.gotos[step.node.state][step.exposure.symbol]
        complete = {production for production, dot in self.tables.kernels[state] if dot == reduction.count + 1}
        production = next(each for each in reduction.productions if each in complete)
        return self.edge(step.exposure, after.exposure, production, reduction.count)

    def edge(self, source: Exposure, target: Exposure, production: int = -1, count: int = 0) -> DrawnEdge:
        taken = self.rights[production][:count]
        return DrawnEdge(
            source=self.numbers[source],
            target=self.numbers[target],
            production="" if production < 0 else self.symbols.production(production),
            taken=tuple(self.symbols.name(symbol) for symbol in reversed(taken)),
        )


def _reached(entries: Iterable[Exposure]) -> dict[Exposure, None]:
    """Return the exposures that are reached from some, those in fewer steps first."""
    seen = dict.fromkeys(entries)
    work = list(seen)
    for exposure in work:  # It grows.
        for target in (*exposure.edges, *(target for each in exposure.reductions for target in each.targets)):
            if target not in seen:
                seen[target] = None
                work.append(target)
    return seen


def _place(exposure: Exposure) -> tuple[tuple[int, int, int], int, int, int]:
    lookahead = exposure.lookahead
    return lookahead.position.order, lookahead.terminal, exposure.state, exposure.line
