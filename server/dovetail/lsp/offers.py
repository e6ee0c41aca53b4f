"""The offered texts, from the offer until the user accepts them: shown, accepted in part, accepted."""

from __future__ import annotations

import uuid
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dovetail.lsp.meter import Meter

_KEPT = 256
"""Offers that are remembered; users accept the newest, or one of the few before it."""


@dataclass(slots=True)
class _Offer:
    """One text that was sent to the editor; lengths are UTF-16 code units, as editors send them."""

    skipped: int
    """The length of the beginning that the document held already."""
    length: int
    shown: bool = False
    accepted: int = 0
    """The length that the user has accepted so far, the skipped beginning included."""


class Offers:
    """Offers by their names; unknown names are ignored."""

    def __init__(self, meter: Meter) -> None:
        self._meter = meter
        self._offers: OrderedDict[str, _Offer] = OrderedDict()  # name → offer, the newest last

    def add(self, text: str, skipped: str = "") -> str:
        """Remember an offered text and return its name; the document holds its beginning `skipped` already."""
        name = str(uuid.uuid4())
        self._offers[name] = _Offer(_units(skipped), _units(text), accepted=_units(skipped))
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
        return True

    def accept(self, name: str) -> bool:
        """Note that the user accepted a text to its end, and forget it; return whether it is known."""
        if not self.show(name):  # an accepted text was shown, even if the editor did not say so
            return False
        offer = self._offers.pop(name)
        self._meter.accept("all", offer.length - offer.accepted)
        return True


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
