"""What a right context has put on the unknown stack so far, and what the next terminal makes of it.

Nodes are immutable and shared, as on the left: equal ones are one object. So a text that repeats itself, as long
lists and blocks do, comes back to the very same stacks, and what a terminal makes of them is looked up. Only a
step that exposes something new is worked out in full.

Three ways, each as exact as the next: a step that was made before; a step of one stack with one action at a time
(nearly always, once the first line has been read); a step of generalised LR, which may pop into the unknown.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from dovetail.suffix.automaton import LINES, NO_POPS, NOTHING_LATER, Exposure, PartialReduction, SuffixNode, place_of
from dovetail.suffix.seam import EITHER, ON_BLANK

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dovetail.lexing.indentation import ColumnSet
    from dovetail.suffix.automaton import Lookahead
    from dovetail.suffix.grammar import Reduction, ReductionPlan, SuffixGrammar

Tops = tuple[SuffixNode, ...]
"""The tops of all stacks, each of another state or block."""
Shifted = dict[int, dict[SuffixNode | Exposure, None]]
"""A state that a terminal leads to → what it lies on."""


class SuffixStacks:
    """The nodes of one right context, and the steps that were made between them."""

    def __init__(self, grammar: SuffixGrammar) -> None:
        self.grammar = grammar
        self._nodes: dict[tuple[int, tuple[SuffixNode | Exposure, ...], ColumnSet | None], SuffixNode] = {}
        self._after: dict[tuple[Tops, int], Tops] = {}

    def node(self, state: int, links: tuple[SuffixNode | Exposure, ...], block: ColumnSet | None = None) -> SuffixNode:
        """Return the node of a state over these links."""
        key = (state, links, block)
        found = self._nodes.get(key)
        if found is None:
            found = self._nodes[key] = SuffixNode(state, links, block)
        return found

    def tops(self, shifted: Shifted, block: ColumnSet | None = None) -> Tops:
        """Return the nodes of shifted states."""
        return tuple([self.node(state, tuple(below), block) for state, below in shifted.items()])

    def united(self, tops: Tops, others: Tops) -> Tops:
        """Return the tops of two branches that go on as one."""
        if tops == others:
            return tops
        links: dict[tuple[int, ColumnSet | None], dict[SuffixNode | Exposure, None]] = {}
        for top in tops + others:
            links.setdefault((top.state, top.block), {}).update(dict.fromkeys(top.links))
        return tuple([self.node(state, tuple(below), block) for (state, block), below in links.items()])

    def after(self, tops: Tops, terminal: int) -> Tops | None:
        """Return the tops after a terminal, or None if `step` has to work them out."""
        key = (tops, terminal)
        found = self._after.get(key)
        if found is None and len(tops) == 1:
            found = self._shift_one(tops[0], terminal)
            if found is not None:
                self._after[key] = found
        return found

    def step(self, tops: Tops, view: Lookahead, lines: Iterable[int] = ()) -> Shifted:
        """Shift a view's terminal, with what it exposes recorded in the view.

        `lines` is what the line may have before the cursor where the text may begin with this terminal.
        """
        arrivals = Arrivals()
        made: dict[int, SuffixNode] = {}
        grown = self.reduced(tops, view, made, arrivals)
        arrivals.join(view, made)
        whole = {node: self.node(node.state, tuple(node.links)) for node in made.values()}
        shifted: Shifted = {
            state: dict.fromkeys(whole.get(node, node) for node in below)  # type: ignore[arg-type]
            for state, below in grown.items()
        }
        for line in lines:
            for state in self.grammar.entered_by[view.terminal]:
                shifted.setdefault(state, {})[view.exposure(view.terminal, state, line)] = None
        if not view.exposures:
            self._after[tops, view.terminal] = self.tops(shifted)
        return shifted

    def _shift_one(self, top: SuffixNode, terminal: int) -> Tops | None:
        """Shift a terminal onto one stack by single actions; None where there are several, or the unknown is met."""
        grammar = self.grammar
        actions, gotos, lefts, lengths = grammar.actions, grammar.gotos, grammar.lefts, grammar.chains.lengths
        chains, chain_end = grammar.chains.ends, grammar.chains.end
        node: SuffixNode | None = top
        state = top.state
        links: tuple[SuffixNode | Exposure, ...] = tuple(top.links)
        while True:
            choices = actions[state].get(terminal)
            if choices is None:
                return ()
            if len(choices) != 1:
                return None
            action = choices[0]
            if action >= 0:
                return (self.node(action, (node or self.node(state, links),)),)
            node = None
            if len(links) != 1:
                return None
            base = links[0]
            length = lengths[~action]
            if length == 1:
                if not base.links:
                    return None
                chain = (base.state, state, terminal)
                target = chains[chain] if chain in chains else chain_end(chain)
                if target == state:
                    return ()  # a cycle of unit reductions that leads nowhere
                state = target
                continue
            for _ in range(length - 1):
                if len(base.links) != 1:
                    return None
                (base,) = base.links
            if not base.links:
                return None
            state = gotos[base.state][lefts[~action]]
            links = (base,)

    def reduced(
        self, tops: Iterable[SuffixNode], view: Lookahead, made: dict[int, SuffixNode], arrivals: Arrivals
    ) -> Shifted:
        """Do all reductions with the view's terminal; return shifted state → what it lies on.

        `made` holds the nodes that reductions have made in this view, and gets more of them.
        """
        grammar = self.grammar
        actions, gotos, lefts, rights = grammar.actions, grammar.gotos, grammar.lefts, grammar.rights
        terminal = view.terminal
        shifted: Shifted = defaultdict(dict)
        plans = grammar.plans(terminal)
        exposure_of = view.exposure
        chains, chain_end = grammar.chains.ends, grammar.chains.end
        work: list[tuple[SuffixNode, SuffixNode | Exposure]] = []

        def expose(agenda: list[Exposure]) -> None:
            """Go on with what exposures allow; it is the same wherever the exposure's state is met."""
            while agenda:
                exposure = agenda.pop()
                state = exposure.state
                node = made.get(state)
                if node is None:
                    node = made[state] = SuffixNode(state, {})
                links = node.links
                assert isinstance(links, dict)
                if exposure in links:
                    continue
                links[exposure] = None
                plan = plans.get(state) or grammar.plan(state, terminal)
                for action in plan.shifts:
                    shifted[action][node] = None
                if plan.units or plan.reductions:
                    self._reduce(exposure, plan, view, arrivals, agenda)

        def add(state: int, link: SuffixNode) -> None:
            chain = (link.state, state, terminal)
            state = chains[chain] if chain in chains else chain_end(chain)
            choices = actions[state].get(terminal)
            if choices is None:
                return
            node = made.get(state)
            if node is None:
                node = made[state] = SuffixNode(state, {})
            for action in choices:
                if action >= 0:
                    shifted[action][node] = None
            assert isinstance(node.links, dict)
            if link not in node.links:
                node.links[link] = None
                work.append((node, link))

        for top in tops:
            for action in actions[top.state].get(terminal, ()):
                if action >= 0:
                    shifted[action][top] = None
            work += [(top, link) for link in top.links]
        while work:
            node, link = work.pop()
            if isinstance(link, Exposure) and node.block is None:
                plan = plans.get(link.state) or grammar.plan(link.state, terminal)
                exposed: list[Exposure] = []
                self._reduce(link, plan, view, arrivals, exposed)
                expose(exposed)
                continue
            for action in actions[node.state].get(terminal, ()):
                if action >= 0:
                    continue
                production = ~action
                length = len(rights[production])
                paths = {(link, node.block): None}
                for popped in range(1, length):
                    further: dict[tuple[SuffixNode | Exposure, ColumnSet | None], None] = {}
                    for below, block in paths:
                        if isinstance(below, SuffixNode):
                            for under in below.links:
                                further[under, below.block or block] = None
                        else:
                            reduction = grammar.reduction(production, length - popped, below.state, terminal)
                            if reduction is not None:
                                expose(self._pop(below, reduction, block, view, arrivals))
                    paths = further
                left = lefts[production]
                for below, _ in paths:
                    if isinstance(below, SuffixNode):
                        add(gotos[below.state][left], below)
                        continue
                    for state in grammar.exposed_again(below.state, left):
                        if terminal in actions[state]:
                            exposure = exposure_of(left, state, below.line)
                            if exposure is not below:
                                arrivals.lead(below, exposure)
                            expose([exposure])
        return shifted

    def _reduce(
        self, exposure: Exposure, plan: ReductionPlan, view: Lookahead, arrivals: Arrivals, exposed: list[Exposure]
    ) -> None:
        """Record what reductions make of a state right over the unknown; append what they expose."""
        exposures, entering, line = view.exposures, self.grammar.entering, exposure.line
        for state in plan.units:
            place = LINES * state + line
            target = exposures.get(place)
            if target is None:
                target = exposures[place] = Exposure(entering[state], state, line, view)
            if target is not exposure:
                arrivals.lead(exposure, target)
            exposed.append(target)
        for reduction in plan.reductions:
            exposed += self._pop(exposure, reduction, None, view, arrivals)

    def _pop(
        self, exposure: Exposure, reduction: Reduction, block: ColumnSet | None, view: Lookahead, arrivals: Arrivals
    ) -> list[Exposure]:
        """Record a reduction into the unknown; return what it may expose."""
        production, count, least, begins_line, states = reduction
        if exposure.line != EITHER and begins_line != (exposure.line == ON_BLANK):
            return []
        if least is None or block is None:
            block = least
        left = self.grammar.lefts[production]
        arrivals.popped.add(left)
        if exposure.pops is NO_POPS:
            exposure.pops = [PartialReduction(production, count, block, view)]
        elif not any(
            pop.view is view and pop.production == production and pop.count == count and pop.block == block
            for pop in exposure.pops
        ):
            exposure.pops.append(PartialReduction(production, count, block, view))
        exposures = view.exposures
        found: list[Exposure] = []
        for state in states:
            place = LINES * state + EITHER
            target = exposures.get(place)
            if target is None:
                target = exposures[place] = Exposure(left, state, EITHER, view)
            found.append(target)
        return found


class Arrivals:
    """What leads to the exposures of a view while its step is made."""

    def __init__(self) -> None:
        self.sources: dict[Exposure, list[Exposure]] = {}
        """Exposure → those whose stack top it exposes again."""
        self.popped: set[int] = set()
        """The left sides of reductions into the unknown."""

    def lead(self, source: Exposure, target: Exposure) -> None:
        """Record that what is exposed by one is exposed again by another."""
        if source.edges is NOTHING_LATER:
            source.edges = [target]
        elif target in source.edges:
            return
        else:
            source.edges.append(target)
        sources = self.sources.get(target)
        if sources is None:
            self.sources[target] = [source]
        else:
            sources.append(source)

    def join(self, view: Lookahead, made: dict[int, SuffixNode]) -> None:
        """Take exposures that only repeat an older one for that one, in the view and in the nodes made in it.

        An exposure E' that is reached from nowhere but from E, whose symbol, state and line it shares, adds nothing
        to E but its future; so that future becomes E's own. What leads to E as well need not lead to E'. Without
        this a list of n elements would hold n of each exposure, one for each comma.
        """
        joined: dict[Exposure, Exposure] = {}
        grew = True
        while grew:
            grew = False
            for target, sources in self.sources.items():
                if target in joined or (target.line == EITHER and target.symbol in self.popped):
                    continue
                older = self._older(target, [joined.get(source, source) for source in sources])
                if older is not None:
                    self._join(target, older, joined)
                    grew = True
        if not joined:
            return
        for target in joined:
            del view.exposures[place_of(target.state, target.line)]
        for node in made.values():
            links = dict.fromkeys(node.links)
            if not joined.keys().isdisjoint(links):
                node.links = dict.fromkeys(joined.get(link, link) for link in links)  # type: ignore[arg-type]

    def _older(self, target: Exposure, sources: list[Exposure]) -> Exposure | None:
        """Return the exposure of an earlier view that a target repeats, or None."""
        for older in sources:
            if (
                older.state == target.state
                and older.line == target.line
                and older.view is not target.view
                and all(source is older or older in source.edges for source in sources)
            ):
                return older
        return None

    def _join(self, target: Exposure, older: Exposure, joined: dict[Exposure, Exposure]) -> None:
        joined[target] = older
        for source in self.sources[target]:
            if target in source.edges:
                source.edges = [edge for edge in source.edges if edge is not target]
        for edge in target.edges:
            self.sources[edge] = [older if source is target else source for source in self.sources[edge]]
            if edge is not older and edge not in older.edges:
                older.edges = [*older.edges, edge]
        if target.pops:
            older.pops = [*older.pops, *target.pops]
