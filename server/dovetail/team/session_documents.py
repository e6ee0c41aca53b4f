"""The documents of one session, as its client sent them: whole once, and as edits after that."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from typing import TYPE_CHECKING

from dovetail.completer.snapshot import Snapshot
from dovetail.completer.team.messages import MOST_KEPT
from dovetail.team.doors.window_request import BodyError

if TYPE_CHECKING:
    from collections.abc import Callable

    from dovetail.completer.team.messages import DocumentChange

MOST_CHARACTERS = 1_000_000
"""Characters of a document."""


class SessionDocuments:
    """The texts of one session; the document that was used longest ago makes room."""

    def __init__(self, drop: Callable[[str], None] = lambda _: None) -> None:
        """Make a session without documents; `drop` is called with the address of a document that makes room."""
        self._drop = drop
        # The text after the last request and the one before: a client that took a request back does not know which of
        # the two is here, and goes on from the last that was answered.
        self._texts: OrderedDict[str, dict[int, Snapshot]] = OrderedDict()  # address → number → document

    @property
    def characters(self) -> int:
        """The characters of all texts that are kept."""
        return sum(len(copy.text) for numbered in self._texts.values() for copy in numbered.values())

    @property
    def uris(self) -> list[str]:
        """The addresses of the documents."""
        return list(self._texts)

    def receive(self, change: DocumentChange) -> Snapshot | None:
        """Return a document after a change, or None if the text that it changes is not here.

        Raises BodyError for an edit outside of the text, and for a text that is too long.
        """
        if change.base is None:
            before = Snapshot(change.uri, "", 0, "")
        else:
            known = self._texts.get(change.uri, {}).get(change.base)
            if known is None:
                return None
            before = known
        after = replace(
            before.edited(_edited(before.text, change), change.edits),
            language_id=change.language,
            version=change.version,
        )
        self._texts[change.uri] = {change.number: after} if change.base is None else {
            change.base: before, change.number: after,
        }  # fmt: skip
        self._texts.move_to_end(change.uri)
        if len(self._texts) > MOST_KEPT:
            self._drop(self._texts.popitem(last=False)[0])
        return after

    def forget(self, uri: str) -> None:
        """Drop a document."""
        self._texts.pop(uri, None)


def _edited(text: str, change: DocumentChange) -> str:
    for start, end, put in change.edits:
        if not 0 <= start <= end <= len(text):
            raise BodyError("An edit lies outside of its text; send the document whole.")
        text = text[:start] + put + text[end:]
        if len(text) > MOST_CHARACTERS:
            raise BodyError(f"The document has more than {MOST_CHARACTERS:,} characters, the limit of the host.")
    return text
