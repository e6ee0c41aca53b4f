"""Merging of exposures that repeat an older one.

A step may expose again what an earlier step exposed: the same symbol and state over the same unknown stack. A list of
n elements would then hold n of each exposure, one for each comma. The merger finds repeats within one step and gives
their future to the older exposure.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.suffix.automaton import NOTHING_LATER, place_of
from dovetail.suffix.seam import EITHER

if TYPE_CHECKING:
    from dovetail.suffix.automaton import Exposure, Lookahead, SuffixNode


class ExposureMerger:
    """The edges between exposures that one step makes, and the repeats among them."""

    def __init__(self) -> None:
        self.sources: dict[Exposure, list[Exposure]] = {}
        """Exposure of this step → the exposures with an edge to it."""
        self.reduced: set[int] = set()
        """The states that this step's reductions into the unknown lead to."""
        self._repeats: dict[Exposure, None] = {}
        """Exposures of this step with an edge from an older one of the same state and line."""

    def lead(self, source: Exposure, target: Exposure) -> None:
        """Add an edge from an exposure to one of this step, over the same stack node."""
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
        # Two exposures of one lookahead differ in state or line, so this source belongs to an earlier step.
        if source.state == target.state and source.line == target.line:
            self._repeats[target] = None

    def merge(self, lookahead: Lookahead, made: dict[int, SuffixNode]) -> None:
        """Replace repeats by the older exposure, in the step's lookahead and in the nodes that it made.

        An exposure E' repeats E if it has E's symbol, state and line, and if every way to E' passes through E or
        through an exposure that leads to E as well. A stack that E' accepts is one that E accepts by E's future and
        that of E' together, and the other way round. So the two futures may be joined. A reduction into the unknown
        reaches E' without E; then the two stay apart.
        """
        merged: dict[Exposure, Exposure] = {}
        grew = bool(self._repeats)
        # When one exposure is merged, another may have lost the source that kept it apart.
        while grew:
            grew = False
            for target in self._repeats:
                if target in merged or (target.line == EITHER and target.state in self.reduced):
                    continue
                older = self._older(target, [merged.get(source, source) for source in self.sources[target]])
                if older is not None:
                    self._join(target, older, merged)
                    grew = True
        if not merged:
            return
        for target in merged:
            del lookahead.exposures[place_of(target.state, target.line)]
        for node in made.values():
            links = dict.fromkeys(node.links)
            if not merged.keys().isdisjoint(links):
                node.links = dict.fromkeys(merged.get(link, link) for link in links)  # type: ignore[arg-type]

    def _older(self, target: Exposure, sources: list[Exposure]) -> Exposure | None:
        """Return the older exposure that a target repeats, or None."""
        for older in sources:
            if (
                older.state == target.state
                and older.line == target.line
                and older.lookahead is not target.lookahead
                and older.states == target.states
                and all(source is older or older in source.edges for source in sources)
            ):
                return older
        return None

    def _join(self, target: Exposure, older: Exposure, merged: dict[Exposure, Exposure]) -> None:
        """Give the edges and reductions of a target to the older exposure."""
        merged[target] = older
        for source in self.sources[target]:
            if target in source.edges:
                source.edges = [edge for edge in source.edges if edge is not target]
        for edge in target.edges:
            self.sources[edge] = [older if source is target else source for source in self.sources[edge]]
            if edge is not older and edge not in older.edges:
                # A new list, since the old one may be the shared empty one.
                older.edges = [*older.edges, edge]
        if target.reductions:
            older.reductions = [*older.reductions, *target.reductions]
