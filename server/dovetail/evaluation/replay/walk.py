"""A walk over a tape: what a user sees and does with a threshold on the confidence.

A text is shown once while the user types on into it, as the editor and the decoder's memory keep it. The model is
asked only where none is shown.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dovetail.evaluation.replay.tape import END
from dovetail.evaluation.replay.user import READING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dovetail.evaluation.replay.tape import Look, TapeNode


@dataclass(frozen=True, slots=True)
class Shown:
    """A text that was shown, and what became of it."""

    node: TapeNode
    look: Look

    @property
    def wrong(self) -> bool:
        """True if it was read in vain: nothing of it was taken."""
        return self.look.taken is None


@dataclass(frozen=True, slots=True)
class Walk:
    """The keys and acceptances that wrote a stretch, or several."""

    keys: int
    """Keys that wrote text."""
    acceptances: int
    """Keys that accepted text."""
    typed: int
    inserted: int
    accepted: int
    """Characters that came from keys, the editor and completions; together all of the stretch."""
    asked: tuple[TapeNode, ...]
    """The places where the model was asked."""
    shown: tuple[Shown, ...]

    @property
    def characters(self) -> int:
        """The characters of the stretch."""
        return self.typed + self.inserted + self.accepted

    @property
    def effort(self) -> float:
        """All costs in keys, reading included."""
        return self.keys + self.acceptances + READING * sum(shown.wrong for shown in self.shown)


def walk(
    nodes: Sequence[TapeNode], threshold: float = 0.0, finished: float | None = None, *, speaking: bool = True
) -> Walk:
    """Return what happens if texts with a confidence below a threshold are not shown; one without any is shown.

    `finished` is the threshold where something is finished at the cursor, by default the same; the greater one of both
    counts there. Nothing is shown without `speaking`. A threshold above 0 needs a tape of all thresholds.
    """
    keys = acceptances = typed = inserted = accepted = 0
    asked: list[TapeNode] = []
    shown: list[Shown] = []
    last: TapeNode | None = None  # the node whose text is still shown
    number = 0
    while number != END:
        node = nodes[number]
        if last is not None and not last.still_shows(node.place, node.right):
            last = None
        if last is None and node.asked:
            asked.append(node)
            least = threshold if finished is None or not node.finished else max(threshold, finished)
            sure = node.confidence is None or node.confidence >= least
            if node.look is not None and sure and speaking:
                last = node
                shown.append(Shown(node, node.look))
                if node.look.taken is not None:
                    taken = node.look.taken
                    acceptances += taken.keys
                    accepted += taken.characters
                    number = taken.node
                    continue
        keys, typed, inserted = keys + node.keys, typed + node.typed, inserted + node.inserted
        number = node.next
    return Walk(keys, acceptances, typed, inserted, accepted, tuple(asked), tuple(shown))


def joined(walks: Sequence[Walk]) -> Walk:
    """Return several walks as one."""
    return Walk(
        sum(one.keys for one in walks),
        sum(one.acceptances for one in walks),
        sum(one.typed for one in walks),
        sum(one.inserted for one in walks),
        sum(one.accepted for one in walks),
        tuple(node for one in walks for node in one.asked),
        tuple(shown for one in walks for shown in one.shown),
    )
