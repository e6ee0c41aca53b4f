"""The intersection of the left stacks with the automaton of a right context: is it accepted, and is it viable.

Both questions are reachability in one graph. Its points are

- a stack node alone: text may be pushed on it, or an open item of it completed;
- an exposure at a stack node: the automaton reads on from this node downwards.

The goal is a final exposure at the bottom of the stack. A search that does not reach the goal has refuted every point
that it saw. A search that reaches it has proved the points on its path. Both answers are remembered, so each point is
decided once, and `advance` costs in proportion to the nodes that it adds.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from dovetail.lexing.indentation import ANY
from dovetail.suffix.automaton import LINES, place_of
from dovetail.suffix.block_columns import BlockColumns
from dovetail.suffix.block_depths import BlockDepths
from dovetail.suffix.column_bounds import UNBOUNDED, column_bounds, under_block
from dovetail.suffix.entry_point import EntryPoint
from dovetail.suffix.open_end import open_states
from dovetail.suffix.opener_bounds import OpenerBounds
from dovetail.suffix.seam import EITHER, ON_BLANK

if TYPE_CHECKING:
    from dovetail.lexing.indentation import Column
    from dovetail.parsing.stack import Heads, Node, Stacks
    from dovetail.suffix.automaton import Exposure, Lookahead, PartialReduction, SuffixAutomaton
    from dovetail.suffix.opener_bounds import OpenerCounts

Point = tuple["Exposure | None", "Node"]


class Intersection:
    """One automaton run on the stacks of one text, with answers remembered."""

    def __init__(self, automaton: SuffixAutomaton, stacks: Stacks, tab: int, alike: Intersection | None = None) -> None:
        """Run an automaton; `alike`: one that runs it on other stacks, whose index is the same."""
        self.automaton = automaton
        self.grammar = automaton.grammar
        self.stacks = stacks
        self.tab = tab
        self.block_columns = BlockColumns(automaton.grammar.entering, automaton.grammar.indent, tab)
        self.block_depths = BlockDepths(automaton)
        self._known: dict[Point, bool] = {}
        self._entry_points: dict[int, list[EntryPoint]] = {}
        self.opener_bounds = OpenerBounds(automaton)
        self._deciding: dict[int, dict[OpenerCounts, list[EntryPoint]]] = {}
        self._exposure_entry_points: dict[int, list[EntryPoint]] = {}
        self._reduction_entry_points: dict[tuple[int, int], list[EntryPoint]] = {}
        self.ends_anywhere = not automaton.seam.whole and bool(automaton.open_entries())
        """True if the right context is trivia that anything may follow: every stack is viable."""
        self._index: _Index = _Index(automaton, tab) if alike is None else alike._index
        index = self._index
        self.bounds, self._exposed, self._reductions = index.bounds, index.exposed, index.reductions
        self.open_states = index.open_states
        """The states from which text can be pushed that a right context which is not whole ends on, above them."""

    def accepts(self, lookahead: Lookahead, heads: Heads) -> bool:
        """Return whether stacks, whose heads a lookahead's terminal has just entered, are accepted."""
        exposures = lookahead.exposures
        return any(
            exposure is not None and any(self._reaches((exposure, node)) for node in head.below)
            for head in heads
            for line in range(LINES)
            if (exposure := exposures.get(place_of(head.state, line))) is not None
        )

    def viable(self, heads: Heads) -> bool:
        """Return whether something can be pushed on one of the stacks so that the right context fits."""
        return bool(heads) if self.ends_anywhere else any(self._reaches((None, head)) for head in heads)

    def _reaches(self, start: Point) -> bool:
        known = self._known
        answer = known.get(start)
        if answer is not None:
            return answer
        came: dict[Point, Point | None] = {start: None}
        work = [start]
        bound = self.stacks.bound
        while work:
            if bound is not None:
                bound.spend()
            # Depth first: any way to the goal will do, and answers lie at the bottom of the stack.
            point = work.pop()
            exposure, node = point
            if exposure is None:
                if node.state in self.open_states:
                    return self._proved(point, came)
            elif exposure.final and self.ends_at(exposure, node):
                return self._proved(point, came)
            for after in self.after_node(node) if exposure is None else self.after_exposure(exposure, node):
                if after not in came:
                    came[after] = point
                    answer = known.get(after)
                    if answer:
                        return self._proved(after, came)
                    if answer is None:
                        work.append(after)
            if self.opener_bounds.searched():
                self._forget_entry_points()
                work = [later for later in work if self.opener_bounds.fits(*later)]
        # Sound only here, after the whole search: until then a point may wait for another one that is still on the
        # agenda.
        for point in came:
            known[point] = False
        return False

    def _proved(self, point: Point, came: dict[Point, Point | None]) -> bool:
        """Remember that the goal is reached from a point and from all points on the way to it."""
        at: Point | None = point
        while at is not None:
            self._known[at] = True
            at = came[at]
        return True

    def ends_at(self, exposure: Exposure, node: Node) -> bool:
        """Return whether a final exposure may lie on a node."""
        if not self.fits(exposure, node):
            return False
        # The real block around the place where a text ends that is not whole has to be one that its lines allow.
        return exposure.around is None or any(
            around == ANY or self.block_columns.may_stand_in(node, around) for around in exposure.around
        )

    def fits(self, exposure: Exposure, node: Node) -> bool:
        """Return whether an exposure may lie on a node."""
        # The real node decides: it has to lead to an exposed state, and to no other of the symbol's.
        state = self.grammar.gotos[node.state].get(exposure.symbol)
        if state != exposure.state and state not in exposure.lookahead.classes.get(exposure.state, ()):
            return False
        return exposure.line == EITHER or self.grammar.begins_line(node.state) == (exposure.line == ON_BLANK)

    def after_exposure(self, exposure: Exposure, node: Node) -> list[Point]:
        """Return the points after an exposure at a node."""
        if not self.fits(exposure, node):
            return []
        edges, depths = exposure.edges, self.block_depths
        if edges and depths.may_exceed(node, depths.most):
            edges = [target for target in edges if depths.fits(node, target.lookahead.blocks)]
        found: list[Point] = [(target, node) for target in edges]
        for reduction in exposure.reductions:
            found += self.after_reduction(reduction, reduction.count, node)
        return found

    def after_reduction(self, reduction: PartialReduction, count: int, node: Node) -> list[Point]:
        """Return the points after the first `count` symbols of a reduction are taken off the stack."""
        indent = self.grammar.indent_at[reduction.production]
        depths = self.block_depths
        if depths.may_exceed(node, depths.most) and not depths.fits(node, reduction.lookahead.blocks):
            return []
        nodes: tuple[Node, ...] = (node,)
        for index in range(count - 1, -1, -1):
            # The columns of the right context's dedent meet the real column of the block, which is kept at its INDENT.
            if index == indent and reduction.block is not None:
                nodes = tuple(top for top in nodes if self.block_columns.is_block(top, reduction.block))
            nodes = self.stacks.popped(nodes, 1)
        left, gotos, chain_end = self.grammar.lefts[reduction.production], self.grammar.gotos, self.grammar.chain_end
        exposures, terminal = reduction.lookahead.exposures, reduction.lookahead.terminal
        representatives = self.grammar.classes.representatives(terminal)
        found: list[Point] = []
        for base in nodes:
            state = chain_end(base.state, gotos[base.state][left], terminal)
            exposure = exposures.get(place_of(representatives.get(state, state)))
            if exposure is not None:
                found.append((exposure, base))
        return found

    def after_node(self, node: Node) -> list[Point]:
        """Return the points after text is pushed on a node, or after an open item of it is completed."""
        found: list[Point] = []
        for left, base in self.completions(node):
            found.append((None, self.stacks.node(self.grammar.gotos[base.state][left], (base,))))
        low, high = self.opener_bounds.under(node)
        for (least, greatest), entry_points in self.entry_points(node.state).items():
            # The bounds overlap, or no run from here can take as many openers as the stack has.
            if least <= high and low <= greatest:
                for entry_point in entry_points:
                    found += self.after_entry_point(entry_point, node)
        return found

    def after_entry_point(self, entry_point: EntryPoint, node: Node) -> list[Point]:
        """Return the points after pushed text has led to an entry point over a node."""
        bound, column = entry_point.bound, node.column
        # By identity: nearly all bounds are this object, and the comparison of columns is skipped.
        if bound is not UNBOUNDED and not (column[0] <= bound[0] and column[1] <= bound[1]):
            return []
        depths = self.block_depths
        if depths.may_exceed(node, self.grammar.deepest // 2) and not depths.fits_pushed(node, entry_point):
            return []
        if entry_point.count:
            return self.after_reduction(entry_point.reader, entry_point.count, node)  # type: ignore[arg-type]
        return [(entry_point.owner, node)]

    def reaches_entry_point(self, entry_point: EntryPoint, node: Node) -> bool:
        """Return whether the right context fits after pushed text has led to an entry point over a node."""
        if self.stacks.bound is not None:
            self.stacks.bound.spend()
        low, high = self.opener_bounds.under(node)
        if entry_point.openers[0] > high or low > entry_point.openers[1]:
            return False
        return any(self._reaches(point) for point in self.after_entry_point(entry_point, node))

    def completions(self, node: Node) -> list[tuple[int, Node]]:
        """Return (left side, node under it) for each item of a node that can be completed.

        All symbols are productive, so only the limit of open blocks can prevent it.
        """
        grammar = self.grammar
        whole = grammar.lefts[0]
        depths = self.block_depths if self.block_depths.may_exceed(node, 1) else None
        found: dict[tuple[int, Node], None] = {}
        for production, dot in grammar.kernels[node.state]:
            left = grammar.lefts[production]
            if depths is not None and not depths.fits_completion(node, production, dot):
                continue
            if left != whole:
                for base in self.stacks.popped((node,), dot):
                    found[left, base] = None
            elif dot == 0 and len(grammar.rights[production]) > 1:
                # All of the text may be pushed before an END that is the right context's first terminal.
                found[grammar.rights[production][0], node] = None
        return list(found)

    def every_entry_point(self, state: int) -> list[EntryPoint]:
        """Return the entry points that text pushed on a state can lead to."""
        found = self._entry_points.get(state)
        if found is None:
            found = self._entry_points[state] = []
            for target in self.grammar.gotos[state].values():
                if target in self._exposed:
                    found += self._of_exposures(target)
            for item in self.grammar.kernels[state]:
                if item[0] in self._reductions:
                    found += self._of_reductions(item)
        return found

    def _of_exposures(self, state: int) -> list[EntryPoint]:
        found = self._exposure_entry_points.get(state)
        if found is None:
            found = self._exposure_entry_points[state] = [
                EntryPoint(exposure, 0, self.bounds[exposure], exposure, self.opener_bounds.of_exposure(exposure))
                for exposure in self._exposed[state]
            ]
        return found

    def _of_reductions(self, item: tuple[int, int]) -> list[EntryPoint]:
        """Return the entry points of reductions that take an item's symbols before the dot off the stack."""
        found = self._reduction_entry_points.get(item)
        if found is None:
            found = self._reduction_entry_points[item] = []
            production, count = item
            indent = self.grammar.indent_at[production]
            for reduction, exposure in self._reductions[production]:
                if not 1 <= count <= reduction.count:
                    continue
                bound: Column | None = self.bounds[exposure]
                # The middle pushes the INDENT, so its column is chosen later. It has to fit between the block around
                # and the dedent.
                if count <= indent < reduction.count:
                    bound = under_block(reduction, self.bounds[exposure], self.tab)
                if bound is not None:
                    openers = self.opener_bounds.of_reduction(reduction, count)
                    found.append(EntryPoint(reduction, count, bound, exposure, openers, production))
        return found

    def entry_points(self, state: int) -> dict[OpenerCounts, list[EntryPoint]]:
        """Return the entry points of a state that decide whether text can be pushed on it, by their opener bounds.

        An exposure that an earlier exposure of the same state and line leads to is left out: the earlier one reaches
        everything that it reaches, and is among these itself.
        """
        found = self._deciding.get(state)
        if found is None:
            found = self._deciding[state] = {}
            for entry_point in self.every_entry_point(state):
                # A text may expose the same state at each of its lines. One of those exposures decides for all.
                if entry_point.count or entry_point.owner not in self._index.led:
                    found.setdefault(entry_point.openers, []).append(entry_point)
        return found

    def _forget_entry_points(self) -> None:
        for kept in (self._entry_points, self._exposure_entry_points, self._reduction_entry_points, self._deciding):
            kept.clear()


class _Index:
    """The exposures of an automaton by what they wait for. It is the same over all stacks."""

    def __init__(self, automaton: SuffixAutomaton, tab: int) -> None:
        self.bounds = column_bounds(automaton, tab)
        self.exposed: dict[int, list[Exposure]] = defaultdict(list)
        """State → its exposures."""
        self.reductions: dict[int, list[tuple[PartialReduction, Exposure]]] = defaultdict(list)
        """Production → its reductions, each with the exposure that it belongs to."""
        self.led: set[Exposure] = set()
        """The exposures that another one leaves out."""
        self.open_states = open_states(automaton, self.bounds)
        bounds = self.bounds
        for exposure, bound in bounds.items():
            state = exposure.state
            states = exposure.lookahead.classes.get(state)
            for member in states or (state,):
                self.exposed[member].append(exposure)
            for reduction in exposure.reductions:
                for production in reduction.productions:
                    self.reductions[production].append((reduction, exposure))
            for target in exposure.edges:
                # Edges lead on in the text, and two exposures of one lookahead differ in state or line. So two
                # exposures never leave each other out. With an equal bound the earlier one takes the same stacks.
                if (
                    target.state == state
                    and target.line == exposure.line
                    and target.lookahead.classes.get(state) == states
                    and bounds[target] == bound
                ):
                    self.led.add(target)
