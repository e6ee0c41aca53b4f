"""The offered texts, until they are accepted: shown, accepted in part, accepted."""

from __future__ import annotations

import uuid
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dovetail.lsp.meter import Meter

_KEPT = 256
"""Offers that are remembered; an editor takes the newest, or one of the few before it."""


@dataclass(slots=True)
class _Offer:
    """One text that an editor got."""

    skipped: int
    """Its first characters, which stood in the document before; lengths are UTF-16 code units, as editors send them."""
    length: int
    shown: bool = False
    accepted: int = 0
    """How many of its characters the user has taken so far, the skipped ones included."""


class Offers:
    """Offers by the names under which editors speak of them; what nobody offered is passed over."""

    def __init__(self, meter: Meter) -> None:
        self._meter = meter
        self._offers: OrderedDict[str, _Offer] = OrderedDict()  # name → offer, the newest last

    def add(self, text: str, skipped: str = "") -> str:
        """Remember a text that is offered, of which `skipped` is there already, and return its name."""
        name = str(uuid.uuid4())
        self._offers[name] = _Offer(_units(skipped), _units(text), accepted=_units(skipped))
        if len(self._offers) > _KEPT:
            self._offers.popitem(last=False)
        return name

    def show(self, name: str) -> bool:
        """Take note that an editor shows a text; return whether it is known. Shown again it counts once."""
        offer = self._offers.get(name)
        if offer is None:
            return False
        if not offer.shown:
            offer.shown = True
            self._meter.show()
        return True

    def accept_part(self, name: str, length: int) -> bool:
        """Take note that the first `length` UTF-16 code units of a text were accepted; return whether it is known.

        Lengths are counted from the beginning of the text each time. A text that is accepted to its end is done with.
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
        """Take note that a text was accepted to its end; return whether it is known. It is done with."""
        if not self.show(name):  # whoever accepts a text has seen it
            return False
        offer = self._offers.pop(name)
        self._meter.accept("all", offer.length - offer.accepted)
        return True


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
