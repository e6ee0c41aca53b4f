"""The stacks of the suffix parse: the nodes that a right context has put over the unknown stack.

Nodes are immutable and shared, as on the left: equal nodes are one object. A text that repeats itself, as long lists
and blocks do, comes back to the same stacks, and the step after them is looked up.

A step is made in one of three ways, with the same result:

- remembered: the same heads took the same terminal before, and nothing was exposed;
- deterministic: one head, with one action at a time, and no reduction reaches the unknown stack. After the first line
  nearly every step is like this;
- generalised LR: several heads or actions, or reductions into the unknown stack.

A step that exposes something is never remembered: its exposures belong to one position.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from dovetail.suffix.automaton import LINES, NO_REDUCTIONS, NOTHING_LATER, Exposure, PartialReduction, SuffixNode
from dovetail.suffix.exposing import pop_unknown, reduce_unknown
from dovetail.suffix.merging import ExposureMerger
from dovetail.suffix.seam import EITHER, ON_BLANK

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dovetail.lexing.indentation import ColumnSet
    from dovetail.lexing.lexer import Emission
    from dovetail.suffix.automaton import Lookahead
    from dovetail.suffix.grammar import SuffixGrammar
    from dovetail.suffix.outlook import Outlook

SuffixHeads = tuple[SuffixNode, ...]
"""The tops of all stacks of a branch, each of another state or block."""
Shifted = dict[int, dict[SuffixNode | Exposure, None]]
"""State after a shift → the nodes and exposures that it lies on."""


class SuffixStacks:
    """The nodes of one right context, and the steps between them, remembered."""

    def __init__(self, grammar: SuffixGrammar) -> None:
        self.grammar = grammar
        self._nodes: dict[tuple[int, tuple[SuffixNode | Exposure, ...], ColumnSet | None], SuffixNode] = {}
        self._after: dict[tuple[SuffixHeads, int], SuffixHeads] = {}
        self._left_out = False
        """True if reductions into the unknown stack were left out of the last step because of what follows."""

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
        """Return the heads of two branches that have come to the same position."""
        if heads == others:
            return heads
        tops: dict[tuple[int, ColumnSet | None], SuffixNode] = {}
        for top in heads + others:
            # Tops with other columns stay apart: each is tested against the INDENT that its dedent ends.
            key = (top.state, top.block)
            known = tops.get(key)
            if known is None or known is top:
                tops[key] = top
            else:
                tops[key] = self.node(top.state, tuple(dict.fromkeys((*known.links, *top.links))), top.block)
        return tuple(tops.values())

    def after(self, heads: SuffixHeads, terminal: int) -> SuffixHeads | None:
        """Return the heads after a terminal: empty if it is refused, and None if `step` has to find them."""
        key = (heads, terminal)
        # Equal nodes are one object, so the key is hashed and compared by identity.
        found = self._after.get(key)
        if found is None and len(heads) == 1:
            found = self._shift_one(heads[0], terminal)
            # A step that `step` has to make is not remembered here: it may expose something, which belongs to one
            # position.
            if found is not None:
                self._after[key] = found
        return found

    def after_all(self, heads: SuffixHeads, terminals: list[Emission]) -> SuffixHeads | None:
        """Return the heads after terminals, as `after` does."""
        after = self.after
        for terminal, _ in terminals:
            reached = after(heads, terminal)
            if not reached:
                return reached
            heads = reached
        return heads

    def step(
        self,
        heads: SuffixHeads,
        lookahead: Lookahead,
        lines: Iterable[int] = (),
        following: Iterable[int] | None = None,
    ) -> Shifted:
        """Shift a lookahead's terminal; add the exposures to the lookahead.

        `lines`: the values of `Exposure.line` with which the text may be entered at this terminal. `following`: the
        terminals of which one comes next, or None. States that none of them fits may be left out.
        """
        merger = ExposureMerger()
        made: dict[int, SuffixNode] = {}
        outlook = self.grammar.outlook(lookahead.terminal, following)
        self._left_out = False
        grown = self.reduced(heads, lookahead, made, merger, outlook)
        # Nodes are interned last: until all reductions are done, their links still grow.
        merger.merge(lookahead, made)
        # Only nodes under a shift can be met again. Most nodes that reductions make are reduced further, and dropped.
        shifted: Shifted = {
            state: dict.fromkeys(
                [self.node(node.state, tuple(node.links)) if made.get(node.state) is node else node for node in below]
            )
            for state, below in grown.items()
        }
        for line in lines:
            # The text begins here over an unknown stack, so each state that the terminal enters may be the one.
            for state in outlook.entered:
                shifted.setdefault(state, {})[lookahead.exposure(lookahead.terminal, state, line)] = None
        # A step that exposes nothing because of what follows may expose something before another terminal.
        if not (lookahead.exposures or self._left_out or lines):
            self._after[heads, lookahead.terminal] = self.heads(shifted)
        return shifted

    def _shift_one(self, top: SuffixNode, terminal: int) -> SuffixHeads | None:
        """Shift a terminal onto one stack by single actions; None if several apply, or if the stack is not known."""
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
                # Only a shift makes nodes. The states between reductions are dropped again.
                return (self.node(action, (node or self.node(state, links),)),)
            node = None
            if len(links) != 1:
                return None
            base = links[0]
            length = lengths[~action]
            if length == 1:
                # An exposure. Its `state` lies over the unknown node, so the goto from that node is not known.
                if not base.links:
                    return None
                chain = (base.state, state, terminal)
                target = chains[chain] if chain in chains else chain_end(chain)
                if target == state:
                    return ()  # A cycle of unit reductions: no shift follows.
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
        self,
        heads: Iterable[SuffixNode],
        lookahead: Lookahead,
        made: dict[int, SuffixNode],
        merger: ExposureMerger,
        outlook: Outlook,
    ) -> Shifted:
        """Do all reductions with the lookahead's terminal; return the shifts after them.

        `made`: state → the node that reductions have made with this lookahead; more are added.
        """
        grammar = self.grammar
        actions, gotos, lefts, lengths = grammar.actions, grammar.gotos, grammar.lefts, grammar.chains.lengths
        terminal = lookahead.terminal
        shifted: Shifted = defaultdict(dict)
        plans = outlook.plans
        exposures, entering, sources = lookahead.exposures, grammar.entering, merger.sources
        chains, chain_end = grammar.chains.ends, grammar.chains.end
        work: list[tuple[SuffixNode, SuffixNode | Exposure]] = []
        reduced_to: set[int] = set()

        def expose(agenda: list[Exposure]) -> None:
            """Reduce and shift over new exposures. Each state is planned once per grammar: see `Outlook`.

            Each exposure comes here once, right after it is made. So nothing leads on from it yet, and what its plan
            says need not be compared with what is there already, as `reduce_unknown` has to.
            """
            while agenda:
                exposure = agenda.pop()
                state, line = exposure.state, exposure.line
                plan = plans.get(state)
                if plan is None:
                    plan = outlook.plan(state)
                shifts, units, reductions = plan
                if shifts:
                    node = made.get(state)
                    if node is None:
                        node = made[state] = SuffixNode(state, {})
                    node.links[exposure] = None  # type: ignore[index]
                    for action in shifts:
                        shifted[action][node] = None
                if units:
                    edges: list[Exposure] = []
                    for state in units:
                        place = LINES * state + line
                        target = exposures.get(place)
                        if target is None:
                            target = exposures[place] = Exposure(entering[state], state, line, lookahead)
                            agenda.append(target)
                        elif target is exposure:
                            continue  # A cycle of unit reductions.
                        edges.append(target)
                        if target in sources:
                            sources[target].append(exposure)
                        else:
                            sources[target] = [exposure]
                    exposure.edges = edges or NOTHING_LATER
                if reductions:
                    pops: list[PartialReduction] = []
                    for productions, count, block, begins_line, states in reductions:
                        if line != EITHER and begins_line != (line == ON_BLANK):
                            continue
                        pops.append(PartialReduction(productions, count, block, states, lookahead))
                        # Many reductions lead to the same states, which are one object.
                        if id(states) in reduced_to:
                            continue
                        reduced_to.add(id(states))
                        merger.reduced.update(states)
                        for state in states:
                            place = LINES * state
                            if place not in exposures:
                                target = exposures[place] = Exposure(entering[state], state, EITHER, lookahead)
                                agenda.append(target)
                    exposure.reductions = pops or NO_REDUCTIONS

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
                # A new link alone is followed, so no path is reduced twice. No deeper link is new: without empty
                # productions nothing lies over a node that still grows.
                work.append((node, link))

        for top in heads:
            for action in actions[top.state].get(terminal, ()):
                if action >= 0:
                    shifted[action][top] = None
            work += [(top, link) for link in top.links]
        while work:
            node, link = work.pop()
            if isinstance(link, Exposure) and node.block is None:
                # The state lies right over the unknown stack, so all its reductions are those of the plan.
                plan = plans.get(link.state) or outlook.plan(link.state)
                if plan.units or plan.reductions:
                    expose(reduce_unknown(link, plan, lookahead, merger, entering))
                else:
                    self._left_out |= outlook.leaves_out(link.state)
                continue
            for action in actions[node.state].get(terminal, ()):
                if action >= 0:
                    continue
                production = ~action
                left, length, popped = lefts[production], lengths[production], 1
                # One node lies below each, nearly always: no paths have to be told apart.
                # A dedent of an unknown block is tested where the path reaches the INDENT, so its columns go along.
                under, block = link, node.block
                while popped < length and len(under.links) == 1:
                    block = under.block or block
                    (under,) = under.links
                    popped += 1
                if popped == length and under.links:
                    add(gotos[under.state][left], under)  # type: ignore[arg-type]
                    continue
                paths = {(under, block): None}
                for taken in range(popped, length):
                    further: dict[tuple[SuffixNode | Exposure, ColumnSet | None], None] = {}
                    for below, block in paths:
                        if isinstance(below, SuffixNode):
                            for under in below.links:
                                further[under, below.block or block] = None
                        else:
                            reduction = outlook.reduction(production, length - taken, below.state)
                            if reduction is not None:
                                expose(pop_unknown(below, reduction, block, lookahead, merger, entering))
                            elif outlook.following is not None:
                                self._left_out = True
                    paths = further
                for below, _ in paths:
                    if isinstance(below, SuffixNode):
                        add(gotos[below.state][left], below)
                        continue
                    # All symbols were known, but not the node under them: each goto that it may have is exposed.
                    again = outlook.exposed_again(below.state, left)
                    self._left_out |= not again and outlook.following is not None
                    for state in again:
                        place = LINES * state + below.line
                        exposure = exposures.get(place)
                        fresh = exposure is None
                        if exposure is None:
                            exposure = exposures[place] = Exposure(entering[state], state, below.line, lookahead)
                        if exposure is not below:
                            merger.lead(below, exposure)
                        if fresh:
                            expose([exposure])
        return shifted
