"""The run of a right context's automaton over a stack: the proof that a text is accepted."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from dovetail.quotient.recognizer import Recognizer
from dovetail.suffix.automaton import LINES, place_of

if TYPE_CHECKING:
    from dovetail.parsing.stack import Heads, Node
    from dovetail.quotient.right_side import RightSide
    from dovetail.quotient.state import State
    from dovetail.suffix.automaton import Exposure, Lookahead, PartialReduction
    from dovetail.suffix.intersection import Intersection, Point
    from dovetail.suffix.lattice import Position


class RunStep(NamedTuple):
    """A place of the automaton on a stack, and how the run goes on from there."""

    exposure: Exposure
    node: Node
    """The stack node under the exposure: the top of what is left of the stack."""
    reduction: PartialReduction | None
    """The reduction that leads to the next step; None for a plain edge, and for the last step."""


class _EnteringRecognizer(Recognizer):
    """A recognizer that notes where it would enter the automaton, and enters nowhere."""

    def __init__(self, right: RightSide) -> None:
        super().__init__(right.lexer, right.machine.adjacency, right.stacks, right.automaton)
        self.entered: list[tuple[Lookahead, Heads]] = []

    def enters(self, position: Position, heads: Heads) -> bool:
        """Note the lookaheads of a position that the stacks take; return False, so that the search goes on."""
        for lookahead in self.automaton.lookaheads.get(position, ()):
            after = self.stacks.shift(heads, lookahead.terminal)
            if after:
                self.entered.append((lookahead, after))
        return False


class Exploration(NamedTuple):
    """The places of the automaton that are reached on the stacks of one text."""

    came: dict[Point, tuple[Point, PartialReduction | None] | None]
    """Place → the place before it, with the reduction between the two; None for an entry. Nearest places first."""
    goal: Point | None
    """The place where the text is accepted; None if it is not, or if the automaton does not decide it."""

    def run(self) -> tuple[RunStep, ...]:
        """Return the steps from an entry to the goal, as few as possible; empty without a goal."""
        steps: list[RunStep] = []
        at, onward = self.goal, None
        while at is not None:
            exposure, node = at
            assert exposure is not None, "the automaton is never left"
            steps.append(RunStep(exposure, node, onward))
            before = self.came[at]
            at, onward = (None, None) if before is None else before
        return tuple(reversed(steps))


def find_run(state: State) -> tuple[RunStep, ...]:
    """Return the steps of an accepting run from the cursor to the bottom of a stack.

    Empty if the state is not accepting. Empty too if nothing with content stands to the right of a blank line, or
    nothing at all: then the parser itself decides.
    """
    return explore(state).run()


def explore(state: State, most: int = 1_000) -> Exploration:
    """Return the places that the automaton comes to on the stacks of a state if nothing more is inserted.

    `most`: about so many places are returned; the search goes on beyond them only to find the goal of an accepting
    state.
    """
    right, configuration, _ = state.parts()
    recognizer = _EnteringRecognizer(right)
    recognizer.accepting(configuration)
    intersection = right.recognizer.intersection
    came: dict[Point, tuple[Point, PartialReduction | None] | None] = {}
    for lookahead, heads in recognizer.entered:
        for head in heads:
            for line in range(LINES):
                exposure = lookahead.exposures.get(place_of(head.state, line))
                if exposure is not None:
                    fitting = (node for node in head.below if intersection.fits(exposure, node))
                    came.update(dict.fromkeys((exposure, node) for node in fitting))
    accepting = state.accepting
    goal: Point | None = None
    work: list[Point] = list(came)
    for point in work:  # It grows; breadth first, so the first way to the goal is a shortest one.
        if len(came) > most and (goal is not None or not accepting):
            break
        exposure, node = point
        assert exposure is not None, "the automaton is never left"
        if exposure.final and goal is None:
            goal = point
        reductions = _reductions(intersection, exposure, node)
        for after in intersection.after_exposure(exposure, node):
            if after not in came and after[0] is not None and intersection.fits(after[0], after[1]):
                came[after] = point, reductions.get(after)
                work.append(after)
    return Exploration(came, goal)


def stack_under(run: tuple[RunStep, ...]) -> list[Node]:
    """Return the nodes of the stack that a run reads, the top first; empty for an empty run."""
    stack = [run[0].node] if run else []
    for step, after in pairwise(run):
        # Of several ways down, one of as many nodes as the reduction takes leads to where the run goes on.
        ways = [[step.node]]
        for _ in range(0 if step.reduction is None else step.reduction.count):
            ways = list({below: [*way, below] for way in ways for below in way[-1].below}.values())
        stack += next(way for way in ways if way[-1] is after.node)[1:]
    return stack


def _reductions(intersection: Intersection, exposure: Exposure, node: Node) -> dict[Point, PartialReduction]:
    """Return the points after an exposure that a reduction leads to, with that reduction."""
    return {
        after: reduction
        for reduction in exposure.reductions
        for after in intersection.after_reduction(reduction, reduction.count, node)
    }
