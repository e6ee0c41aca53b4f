"""A tape: every place of a stretch where a text may be shown, with the text that the model has there.

The state of a document depends on the place alone, not on how its text came there: typed or accepted, it is the text
of the file. (Where they differ, in closers that the editor inserted, they are different states.) So the model is asked
at each place where the user looks, and never more than once. What happens is found on the tape afterwards (`walk.py`),
without the model.

A tape of all thresholds holds the answers at every place where the user rests, and at every place to which an
acceptance would lead. So it also tells what a user would see if some of the texts were not shown. Other tapes hold
only the answers that a user sees if all are shown; they need about half as many requests.
"""

from __future__ import annotations

import dataclasses
import heapq
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple

from dovetail.evaluation.replay.editor import Cursor, Editor
from dovetail.evaluation.replay.user import matching, take

if TYPE_CHECKING:
    from collections.abc import Callable

    from dovetail.evaluation.replay.stretch import Stretch

END = -1
"""The node after the end of the stretch."""


class Suggestion(NamedTuple):
    """The answer at one place."""

    text: str
    """Empty if nothing is offered."""
    confidence: float | None
    """The estimated probability that the text is accepted; None without an estimate."""
    stop: str
    """The reason for which the text ended, or for which there is none."""
    tokens: int
    milliseconds: float
    finished: bool = False
    """True if something was finished at the cursor, and the text begins something new."""


@dataclass(frozen=True, slots=True)
class TakenText:
    """The part of a text that the user takes."""

    node: int
    """The place where that leads."""
    keys: int
    characters: int
    """Characters of the stretch."""
    whole: bool


@dataclass(frozen=True, slots=True)
class Look:
    """A text that could be shown, beside the text to come."""

    text: str
    expected: str
    """The text to come, as many characters as the text has."""
    matched: int
    """Characters at the beginning of both that are equal."""
    until: int
    """The last place of the stretch where the text is still shown, if the user types on into it."""
    taken: TakenText | None


@dataclass(frozen=True, slots=True)
class TapeNode:
    """A state of the document in which the user looks."""

    place: int
    """Characters of the stretch to the left of the cursor."""
    right: int
    """A number for the text to the right of the cursor: equal numbers, equal texts."""
    kind: str
    """The kind of place."""
    asked: bool
    """True if the model was asked. It was not where the user does not look, or still sees an earlier text."""
    confidence: float | None
    stop: str
    tokens: int
    milliseconds: float
    look: Look | None
    """None if nothing is offered."""
    next: int
    """The next node, if the user types on."""
    keys: int
    typed: int
    inserted: int
    """The keys, and the characters that they and the editor write, up to that node."""
    finished: bool = False
    """True if something was finished at the cursor, and the text begins something new."""

    def still_shows(self, place: int, right: int) -> bool:
        """Return whether the text of this node is still shown at a later place of the walk."""
        return self.look is not None and place <= self.look.until and right == self.right

    def to_json(self) -> dict[str, Any]:
        """Return plain values that `from_json` makes the same node of."""
        return dataclasses.asdict(self)

    @classmethod
    def from_json(cls, plain: dict[str, Any]) -> TapeNode:
        """Return the node; raises KeyError or TypeError for other values."""
        look = plain["look"]
        if look is not None:
            taken = look["taken"]
            look = Look(**{**look, "taken": TakenText(**taken) if taken is not None else None})
        return cls(**{**plain, "look": look})


def record(
    text: str,
    stretch: Stretch,
    ask: Callable[[str, str], Suggestion],
    kind: Callable[[str, str, int], str],
    least: int,
    *,
    all_thresholds: bool,
) -> tuple[TapeNode, ...]:
    """Return the nodes of a stretch of a file, the start first.

    `ask` returns the answer between a left and a right text. `kind` names the kind of place by both texts and the
    offset in the file. `least`: a text of which fewer characters are left, blanks not counted, is no longer shown.
    """
    return _Recorder(text, stretch, ask, kind, least).record(all_thresholds=all_thresholds)


class _Recorder:
    def __init__(
        self,
        text: str,
        stretch: Stretch,
        ask: Callable[[str, str], Suggestion],
        kind: Callable[[str, str, int], str],
        least: int,
    ) -> None:
        self._editor = Editor(text, stretch)
        self._rests = frozenset(stretch.pauses)
        self._ask = ask
        self._kind = kind
        self._least = max(least, 1)
        self._rights: dict[str, int] = {}
        self._numbers: dict[Cursor, int] = {}
        self._waiting: list[tuple[int, int, int, Cursor]] = []
        self._order = count()

    def record(self, *, all_thresholds: bool) -> tuple[TapeNode, ...]:
        ahead = self._number(Cursor())  # the node to which the user comes next, if all texts are shown
        last: TapeNode | None = None  # the node whose text is still shown there
        nodes: dict[int, TapeNode] = {}
        while self._waiting:
            # In the order of the text, so that the user's way is met in its order, and a model that keeps what it has
            # read has little to read anew.
            *_, cursor = heapq.heappop(self._waiting)
            number, right = self._numbers[cursor], self._right(cursor)
            if last is not None and number == ahead and not last.still_shows(cursor.done, right):
                last = None
            looks = cursor != Cursor() or 0 in self._rests
            node = self._node(cursor, right, asked=looks and (all_thresholds or (number == ahead and last is None)))
            if number == ahead:
                ahead = node.next
                if last is None and node.look is not None:
                    last = node
                    ahead = node.look.taken.node if node.look.taken is not None else ahead
            nodes[number] = node
        return tuple(nodes[number] for number in range(len(nodes)))

    def _number(self, cursor: Cursor) -> int:
        if self._editor.finished(cursor):
            return END
        if cursor not in self._numbers:
            self._numbers[cursor] = len(self._numbers)
            heapq.heappush(self._waiting, (cursor.done, -len(cursor.extra), next(self._order), cursor))
        return self._numbers[cursor]

    def _right(self, cursor: Cursor) -> int:
        return self._rights.setdefault(self._editor.document(cursor)[1], len(self._rights))

    def _node(self, cursor: Cursor, number: int, *, asked: bool) -> TapeNode:
        left, right = self._editor.document(cursor)
        answer = self._ask(left, right) if asked else Suggestion("", None, "", 0, 0.0)
        look = self._look(cursor, answer.text) if answer.text else None
        keys = typed = inserted = 0
        ahead = cursor
        while True:
            ahead, more, written, given = self._editor.act(ahead)
            keys, typed, inserted = keys + more, typed + written, inserted + given
            if self._editor.finished(ahead) or ahead.done in self._rests:
                break
        return TapeNode(
            place=cursor.done,
            right=number,
            kind=self._kind(left, right, self._editor.stretch.begin + cursor.done),
            asked=asked,
            confidence=answer.confidence,
            stop=answer.stop,
            tokens=answer.tokens,
            milliseconds=answer.milliseconds,
            look=look,
            next=self._number(ahead),
            keys=keys,
            typed=typed,
            inserted=inserted,
            finished=answer.finished,
        )

    def _look(self, cursor: Cursor, text: str) -> Look:
        to_come = self._editor.to_come(cursor, len(text))
        matched = matching(text, to_come)
        last = matched
        while last and len("".join(text[last:].split())) < self._least:
            last -= 1
        taking = take(text, to_come)
        taken = None
        if taking is not None:
            after = self._editor.accept(cursor, taking.length)
            taken = TakenText(self._number(after), taking.keys, after.done - cursor.done, taking.whole)
        # Blanks that the user takes back change the text to the left, so the text goes with them.
        until = cursor.done - 1 if cursor.extra else cursor.done + last
        return Look(text, to_come, matched, until, taken)
