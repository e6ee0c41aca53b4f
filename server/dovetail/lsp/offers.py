"""The offered texts, from the offer until the user accepts them: shown, accepted in part, accepted."""

from __future__ import annotations

import time
import uuid
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from dovetail.lsp.meter import Meter
    from dovetail.statistics.counts import Event, Subject

_KEPT = 256
"""Offers that are remembered; users accept the newest, or one of the few before it."""


class Offered(NamedTuple):
    """A text that is sent to the editor."""

    about: Subject
    text: str
    uri: str
    """The document for which it was asked."""
    serial: int
    """The number of the document's text (`Snapshot.serial`); the text itself is not held for so long."""
    start: int
    """The offset in it at which the text would begin."""
    skipped: str = ""
    """The beginning of the text that the document holds already."""


class LastAccepted(NamedTuple):
    """The text of a document that was accepted to its end last."""

    when: float
    """The time, by `time.perf_counter`."""
    end: int
    """The offset at which the text ends, in characters."""
    reason: str
    """The reason for which it ended there."""


class Listener(Protocol):
    """Hears of the offers of a session."""

    def note(self, about: Subject, event: Event) -> None:
        """Take note of an event."""

    def accepted(self, name: str, offered: Offered, text: str) -> None:
        """Take note that a beginning of a text, or all of it, is accepted."""


@dataclass(slots=True)
class _Offer:
    """One text that was sent to the editor; lengths are UTF-16 code units, as editors send them."""

    offered: Offered
    length: int
    accepted: int
    """The length that the user has accepted so far, the skipped beginning included."""
    reason: str
    """The reason for which the text ended."""
    shown: bool = False
    partly: bool = False
    """True if a part was accepted."""


class Offers:
    """Offers by their names; unknown names are ignored."""

    def __init__(self, meter: Meter, listener: Listener) -> None:
        self.last: dict[str, LastAccepted] = {}
        """Address of a document → the text that was accepted last."""
        self._meter = meter
        self._listener = listener
        self._offers: OrderedDict[str, _Offer] = OrderedDict()  # name → offer, the newest last

    def add(self, offered: Offered, reason: str = "") -> str:
        """Remember an offered text and return its name, the same for a text that is offered again at its place.

        `reason`: why the text ends where it does.
        """
        for known, offer in self._offers.items():
            if offer.offered[1:] == offered[1:]:  # its subject may differ: by hand it may end for another reason
                return known
        name = str(uuid.uuid4())
        self._offers[name] = _Offer(offered, _units(offered.text), _units(offered.skipped), reason)
        if len(self._offers) > _KEPT:
            self._offers.popitem(last=False)
        return name

    def show(self, name: str) -> bool:
        """Note that an editor shows a text, and count it the first time; return whether the name is known."""
        offer = self._offers.get(name)
        if offer is None:
            return False
        if not offer.shown:
            offer.shown = True
            self._meter.show()
            self._listener.note(offer.offered.about, "shown")
        return True

    def accept_part(self, name: str, length: int) -> bool:
        """Note that the user accepted the first `length` UTF-16 code units of a text; return whether it is known.

        Each length counts from the beginning of the text. A text that is accepted to its end is forgotten.
        """
        offer = self._offers.get(name)
        if offer is None:
            return False
        taken = min(length, offer.length)
        if taken == offer.length:
            return self.accept(name)
        if taken > offer.accepted:
            self.show(name)
            self._meter.accept("part", taken - offer.accepted)
            offer.accepted = taken
            if not offer.partly:
                offer.partly = True
                self._listener.note(offer.offered.about, "partly")
            self._listener.accepted(name, offer.offered, _beginning(offer.offered.text, taken))
        return True

    def accept(self, name: str) -> bool:
        """Note that the user accepted a text to its end, and forget it; return whether it is known."""
        if not self.show(name):  # an accepted text was shown, even if the editor did not say so
            return False
        offer = self._offers.pop(name)
        offered = offer.offered
        self.last[offered.uri] = LastAccepted(time.perf_counter(), offered.start + len(offered.text), offer.reason)
        self._meter.accept("all", offer.length - offer.accepted)
        self._listener.note(offered.about, "completed" if offer.partly else "accepted")
        self._listener.accepted(name, offered, offered.text)
        return True


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _beginning(text: str, units: int) -> str:
    """Return the first UTF-16 code units of a text, without half a character at the end."""
    return text.encode("utf-16-le", "surrogatepass")[: 2 * units].decode("utf-16-le", "ignore")
