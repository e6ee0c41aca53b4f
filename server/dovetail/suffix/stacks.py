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

from dovetail.suffix.automaton import LINES, NO_REDUCTIONS, Exposure, PartialReduction, SuffixNode
from dovetail.suffix.merging import ExposureMerger
from dovetail.suffix.seam import EITHER, ON_BLANK

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dovetail.lexing.indentation import ColumnSet
    from dovetail.lexing.lexer import Emission
    from dovetail.suffix.automaton import Lookahead
    from dovetail.suffix.grammar import Reduction, ReductionPlan, SuffixGrammar

SuffixHeads = tuple[SuffixNode, ...]
"""The heads of all stacks, each of another state or block."""
Shifted = dict[int, dict[SuffixNode | Exposure, None]]
"""A state that a terminal leads to → what it lies on."""


class SuffixStacks:
    """The nodes of one right context, and the steps that were made between them."""

    def __init__(self, grammar: SuffixGrammar) -> None:
        self.grammar = grammar
        self._nodes: dict[tuple[int, tuple[SuffixNode | Exposure, ...], ColumnSet | None], SuffixNode] = {}
        self._after: dict[tuple[SuffixHeads, int], SuffixHeads] = {}

    def node(self, state: int, links: tuple[SuffixNode | Exposure, ...], block: ColumnSet | None = None) -> SuffixNode:
        """Return the node of a state over these links."""
        key = (state, links, block)
        found = self._nodes.get(key)
        if found is None:
            found = self._nodes[key] = SuffixNode(state, links, block)
        return found

    def heads(self, shifted: Shifted, block: ColumnSet | None = None) -> SuffixHeads:
        """Return the nodes of shifted states."""
        return tuple([self.node(state, tuple(below), block) for state, below in shifted.items()])

    def united(self, heads: SuffixHeads, others: SuffixHeads) -> SuffixHeads:
        """Return the heads of two branches that go on as one."""
        if heads == others:
            return heads
        links: dict[tuple[int, ColumnSet | None], dict[SuffixNode | Exposure, None]] = {}
        for top in heads + others:
            links.setdefault((top.state, top.block), {}).update(dict.fromkeys(top.links))
        return tuple([self.node(state, tuple(below), block) for (state, block), below in links.items()])

    def after(self, heads: SuffixHeads, terminal: int) -> SuffixHeads | None:
        """Return the heads after a terminal, or None if `step` has to work them out."""
        key = (heads, terminal)
        found = self._after.get(key)
        if found is None and len(heads) == 1:
            found = self._shift_one(heads[0], terminal)
            if found is not None:
                self._after[key] = found
        return found

    def after_all(self, heads: SuffixHeads, terminals: list[Emission]) -> SuffixHeads | None:
        """Return the heads after terminals, or None if `step` has to work one of them out."""
        after = self.after
        for terminal, _ in terminals:
            reached = after(heads, terminal)
            if not reached:
                return reached
            heads = reached
        return heads

    def step(self, heads: SuffixHeads, lookahead: Lookahead, lines: Iterable[int] = ()) -> Shifted:
        """Shift a lookahead's terminal, with what it exposes recorded in the lookahead.

        `lines` is what the line may have before the cursor where the text may begin with this terminal.
        """
        merger = ExposureMerger()
        made: dict[int, SuffixNode] = {}
        grown = self.reduced(heads, lookahead, made, merger)
        merger.merge(lookahead, made)
        whole = {node: self.node(node.state, tuple(node.links)) for node in made.values()}
        shifted: Shifted = {
            state: dict.fromkeys(whole.get(node, node) for node in below)  # type: ignore[arg-type]
            for state, below in grown.items()
        }
        for line in lines:
            for state in self.grammar.entered_by[lookahead.terminal]:
                shifted.setdefault(state, {})[lookahead.exposure(lookahead.terminal, state, line)] = None
        if not lookahead.exposures:
            self._after[heads, lookahead.terminal] = self.heads(shifted)
        return shifted

    def _shift_one(self, top: SuffixNode, terminal: int) -> SuffixHeads | None:
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
        self, heads: Iterable[SuffixNode], lookahead: Lookahead, made: dict[int, SuffixNode], merger: ExposureMerger
    ) -> Shifted:
        """Do all reductions with the lookahead's terminal; return shifted state → what it lies on.

        `made` holds the nodes that reductions have made in this lookahead, and gets more of them.
        """
        grammar = self.grammar
        actions, gotos, lefts, rights = grammar.actions, grammar.gotos, grammar.lefts, grammar.rights
        terminal = lookahead.terminal
        shifted: Shifted = defaultdict(dict)
        plans = grammar.plans(terminal)
        exposure_of = lookahead.exposure
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
                    self._reduce(exposure, plan, lookahead, merger, agenda)

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

        for top in heads:
            for action in actions[top.state].get(terminal, ()):
                if action >= 0:
                    shifted[action][top] = None
            work += [(top, link) for link in top.links]
        while work:
            node, link = work.pop()
            if isinstance(link, Exposure) and node.block is None:
                plan = plans.get(link.state) or grammar.plan(link.state, terminal)
                exposed: list[Exposure] = []
                self._reduce(link, plan, lookahead, merger, exposed)
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
                                expose(self._pop(below, reduction, block, lookahead, merger))
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
                                merger.lead(below, exposure)
                            expose([exposure])
        return shifted

    def _reduce(
        self,
        exposure: Exposure,
        plan: ReductionPlan,
        lookahead: Lookahead,
        merger: ExposureMerger,
        exposed: list[Exposure],
    ) -> None:
        """Record what reductions make of a state right over the unknown; append what they expose."""
        exposures, entering, line = lookahead.exposures, self.grammar.entering, exposure.line
        for state in plan.units:
            place = LINES * state + line
            target = exposures.get(place)
            if target is None:
                target = exposures[place] = Exposure(entering[state], state, line, lookahead)
            if target is not exposure:
                merger.lead(exposure, target)
            exposed.append(target)
        for reduction in plan.reductions:
            exposed += self._pop(exposure, reduction, None, lookahead, merger)

    def _pop(
        self,
        exposure: Exposure,
        reduction: Reduction,
        block: ColumnSet | None,
        lookahead: Lookahead,
        merger: ExposureMerger,
    ) -> list[Exposure]:
        """Record a reduction into the unknown; return what it may expose."""
        production, count, least, begins_line, states = reduction
        if exposure.line != EITHER and begins_line != (exposure.line == ON_BLANK):
            return []
        if least is None or block is None:
            block = least
        left = self.grammar.lefts[production]
        merger.reduced.add(left)
        if exposure.reductions is NO_REDUCTIONS:
            exposure.reductions = [PartialReduction(production, count, block, lookahead)]
        elif not any(
            pop.lookahead is lookahead and pop.production == production and pop.count == count and pop.block == block
            for pop in exposure.reductions
        ):
            exposure.reductions.append(PartialReduction(production, count, block, lookahead))
        exposures = lookahead.exposures
        found: list[Exposure] = []
        for state in states:
            place = LINES * state + EITHER
            target = exposures.get(place)
            if target is None:
                target = exposures[place] = Exposure(left, state, EITHER, lookahead)
            found.append(target)
        return found
