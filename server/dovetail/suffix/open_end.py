"""The open end of a right context that anything may follow.

A run over such a text ends anywhere on the stack. So it may end on what the middle has pushed, and never touch the
left text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dovetail.suffix.automaton import Exposure, SuffixAutomaton


def open_states(automaton: SuffixAutomaton, pushed: Iterable[Exposure]) -> frozenset[int]:
    """Return the states over which the middle alone can push all that the right context takes off the stack.

    `pushed`: the exposures that pushed text can lead to. Empty for a whole text.
    """
    if automaton.seam.whole:
        return frozenset()
    sources = automaton.grammar.sources
    ends = {state for exposure in pushed if exposure.final for state in exposure.states}
    found = {source for state in ends for source in sources[state]}
    work = list(found)
    while work:
        fresh = set(sources[work.pop()]) - found
        found |= fresh
        work += fresh
    return frozenset(found)
