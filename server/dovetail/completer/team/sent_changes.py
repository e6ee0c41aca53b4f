"""The documents that a team's host has, as far as it has answered."""

from __future__ import annotations

from collections import OrderedDict
from itertools import count
from typing import TYPE_CHECKING

from dovetail.completer.difference import difference
from dovetail.completer.team.messages import MOST_KEPT, DocumentChange

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dovetail.completer.snapshot import Edit, Snapshot


class SentChanges:
    """The texts of one session. A request that was taken back changes nothing here, whether it arrived or not."""

    def __init__(self) -> None:
        self._numbers = count(1)
        self._answered: OrderedDict[str, tuple[Snapshot, int]] = OrderedDict()  # address → document, its number

    def change(self, document: Snapshot) -> DocumentChange:
        """Return what brings the host's text up to date: edits of the last text that it has answered about."""
        before, base = self._answered.get(document.uri, (None, None))
        number = next(self._numbers)
        if before is None:
            edits: Sequence[Edit] = ((0, 0, document.text),)
        else:
            edits = _edits(before, document)
            if before.text == document.text and base is not None:
                number = base  # it is the same text
        return DocumentChange(document.uri, document.language_id, document.version, base, number, tuple(edits))

    def answered(self, document: Snapshot, change: DocumentChange) -> None:
        """Note that the host has a document after a change."""
        self._answered[document.uri] = document, change.number
        self._answered.move_to_end(document.uri)
        if len(self._answered) > MOST_KEPT:
            self._answered.popitem(last=False)

    def forget(self, uri: str) -> bool:
        """Forget that a document was sent; return whether it was."""
        return self._answered.pop(uri, None) is not None

    def clear(self) -> None:
        """Forget everything: the host has lost the session."""
        self._answered.clear()


def _edits(before: Snapshot, after: Snapshot) -> Sequence[Edit]:
    """Return the client's edits between two snapshots, or the shortest edit if those are not known.

    An edit with half of a character, which only a later edit makes whole, is not sent: JSON that others read has none.
    """
    known = after.edits_since(before.serial)
    if known is None or not all(_is_whole(text) for _, _, text in known):
        return [difference(before.text, after.text)] if before.text != after.text else []
    return known


def _is_whole(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
