"""The end of a right context: the exposures at which it has been read.

Of a whole text these are the exposures at the bottom of the stack, once END is shifted. Of a text that anything may
follow they are all exposures under the heads at its end: every symbol is productive, so any stack can be completed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.suffix.automaton import Exposure

if TYPE_CHECKING:
    from dovetail.suffix.automaton import SuffixNode
    from dovetail.suffix.grammar import SuffixGrammar
    from dovetail.suffix.lattice import Position
    from dovetail.suffix.stacks import Shifted, SuffixHeads


def finish_whole(grammar: SuffixGrammar, shifted: Shifted) -> None:
    """Mark the exposures that are final: the whole text lies over nothing but the bottom of the stack."""
    for state, below in shifted.items():
        if not grammar.is_whole(state):
            continue
        for link in below:
            if isinstance(link, Exposure):
                link.final = link.state == state  # END is the right context's first terminal.
            else:
                for under in link.links:
                    if isinstance(under, Exposure):
                        under.final = True


def finish_beyond(position: Position, heads: SuffixHeads) -> None:
    """Mark the exposures under heads at the end of a text that anything may follow."""
    work: list[SuffixNode | Exposure] = list(heads)
    seen = set(work)
    while work:
        at = work.pop()
        if isinstance(at, Exposure):
            at.final = True
            at.around = [*(at.around or ()), position.around]
            continue
        for under in at.links:
            if under not in seen:
                seen.add(under)
                work.append(under)
