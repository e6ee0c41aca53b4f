"""Retention: whether an accepted text still stands in its document after thirty seconds.

The place of the text is not known exactly. An editor may tell of an acceptance before or after the change that inserts
the text, and the user may type right before it. So the beginning of the text is followed as a range of offsets.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from dovetail.completer.snapshot import Edit
    from dovetail.lsp.documents import Documents
    from dovetail.lsp.offers import Offered
    from dovetail.statistics.counts import Event, Subject

SECONDS = 30.0
"""The time after an acceptance."""

_REMEMBERED = 256
"""Names of measured offers; a part that is accepted later does not make one count again."""


@dataclass(slots=True)
class _Accepted:
    """An accepted text. It is only held in memory, until it is measured."""

    about: Subject
    uri: str
    text: str
    low: int
    high: int
    """The least and the greatest offset at which the text may begin."""
    serial: int
    """The number of the document's text in which the offsets are valid."""


class Retention:
    """The accepted texts that were not measured yet; all methods belong to the event loop."""

    def __init__(
        self,
        documents: Documents,
        tell: Callable[[Subject, Event], None],
        later: Callable[[float, Callable[[], None]], None],
    ) -> None:
        """Watch documents; `tell` takes what was found, `later` calls a function after some seconds."""
        self._documents = documents
        self._tell = tell
        self.later = later
        self._accepted: dict[str, _Accepted] = {}  # name of the offer → text
        self._measured: deque[str] = deque(maxlen=_REMEMBERED)

    def watch(self, name: str, offered: Offered, text: str) -> None:
        """Measure an offer after thirty seconds; `text` is the accepted part.

        A later part of the same offer takes the place of this one. Nothing is measured if the document was closed, or
        if too many edits came since.
        """
        start = offered.start
        accepted = _Accepted(offered.about, offered.uri, text, start, start, offered.serial)
        if name in self._measured or not text or not self._follow(accepted):
            return
        self._accepted[name] = accepted
        self.later(SECONDS, lambda: self._measure(name, accepted))

    def change(self, uri: str) -> None:
        """Follow the places in a document that has changed."""
        if self._accepted:
            lost = [name for name, text in self._accepted.items() if text.uri == uri and not self._follow(text)]
            for name in lost:
                del self._accepted[name]

    def _follow(self, accepted: _Accepted) -> bool:
        """Bring a place up to date; return False if that cannot be."""
        document = self._documents.snapshot(accepted.uri)
        edits = None if document is None else document.edits_since(accepted.serial)
        if document is None or edits is None:
            return False
        accepted.low, accepted.high = followed(accepted.low, accepted.high, edits)
        accepted.serial = document.serial
        return True

    def _measure(self, name: str, accepted: _Accepted) -> None:
        if self._accepted.get(name) is not accepted:
            return  # a later part has taken its place, or its document was closed
        del self._accepted[name]
        if not self._follow(accepted):
            return
        document = self._documents.snapshot(accepted.uri)
        assert document is not None, "it was followed"
        self._measured.append(name)
        self._tell(accepted.about, "kept" if _stands(accepted, document.text) else "changed")


def followed(low: int, high: int, edits: Iterable[Edit]) -> tuple[int, int]:
    """Return where a text may begin after some edits, as least and greatest offset.

    Text that is inserted at the place may be the text itself or stand before it, so the range grows by it.

    >>> followed(4, 4, [(4, 4, "abc"), (0, 1, "")])
    (3, 6)
    """
    for start, end, text in edits:
        grown = len(text) - (end - start)
        if low > start:
            low = low + grown if low >= end else start
        if high >= start:
            high = high + grown if high >= end else start + len(text)
    return low, high


def _stands(accepted: _Accepted, text: str) -> bool:
    """Return whether an accepted text begins within its range; the file may have other line ends than the text."""
    lines = accepted.text.count("\n")
    around = text[accepted.low : accepted.high + len(accepted.text) + lines]
    return accepted.text in around.replace("\r\n", "\n")
