"""The limit of open blocks where a left stack meets the automaton of a right context.

A language may limit how many blocks are open at a time (Python: 100). Near that limit a header such as `if x:` cannot
get its block any more, and a right context with blocks of its own does not fit.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from dovetail.parsing.unknown_stack import UnknownNode

if TYPE_CHECKING:
    from dovetail.parsing.stack import Node
    from dovetail.suffix.automaton import Exposure, SuffixAutomaton
    from dovetail.suffix.entry_point import EntryPoint


class BlockDepths:
    """The blocks open at stack nodes, and those that the middle and the right context add."""

    def __init__(self, automaton: SuffixAutomaton) -> None:
        self.automaton = automaton
        self.grammar = automaton.grammar
        self.most = max((exposure.lookahead.blocks for exposure in automaton.exposures), default=0)
        """The greatest number of blocks that the right context has open at a time."""
        self._depths: dict[Node, int] = {}
        """Stack node → the number of blocks that are open there; filled as needed."""

    def may_exceed(self, node: Node, more: int) -> bool:
        """Return False if `more` blocks are surely allowed over a node: the answer for nearly every node.

        Each block is at least one blank wider than the block around it, so a column is no less than the number of
        blocks.
        """
        return 0 < self.grammar.deepest < node.column[1] + more

    def fits(self, node: Node, more: int) -> bool:
        """Return whether `more` blocks may be open over a node, beside its own."""
        depth = self._depths.get(node)
        if depth is None:
            depth, under = 0, node
            # One lexer decides the blocks of all stacks, so one way down the graph stands for all.
            # Of an unknown stack, the part that a text has added is counted alone.
            while under.below and not isinstance(under, UnknownNode):
                depth += self.grammar.entering[under.state] == self.grammar.indent
                under = under.below[0]
            self._depths[node] = depth
        return depth + more <= self.grammar.deepest

    def fits_completion(self, node: Node, production: int, dot: int) -> bool:
        """Return whether an open item of a node can be completed within the limit."""
        grammar = self.grammar
        return self.fits(node, grammar.blocks_needed_by(grammar.rights[production][dot:], grammar.blocks_needed))

    def fits_pushed(self, node: Node, entry_point: EntryPoint) -> bool:
        """Return whether the blocks that the middle opens on its way to an entry point may be open over a node."""
        blocks = self._pushed[entry_point.owner]
        if entry_point.count:
            reduction = entry_point.reader
            indent = self.grammar.indent_at[reduction.production]  # type: ignore[union-attr]
            blocks += entry_point.count <= indent < reduction.count  # type: ignore[union-attr]
        return self.fits(node, blocks)

    @cached_property
    def _pushed(self) -> dict[Exposure, int]:
        """Exposure → the number of blocks that the middle opens below the right context to get there, at the least."""
        found: dict[Exposure, int] = {}
        level, blocks = self.automaton.entry_exposures(), 0
        while level:
            deeper: list[Exposure] = []
            while level:
                exposure = level.pop()
                # Level by level, so the first way to an exposure is one that opens the fewest blocks.
                if exposure in found:
                    continue
                found[exposure] = blocks
                level += exposure.edges
                for reduction in exposure.reductions:
                    # Where the middle pushes the whole reduction, it pushes the indent too: one block more.
                    opens = 0 <= self.grammar.indent_at[reduction.production] < reduction.count
                    (deeper if opens else level).extend(reduction.targets)
            level, blocks = deeper, blocks + 1
        return found
