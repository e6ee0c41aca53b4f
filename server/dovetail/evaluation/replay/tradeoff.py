"""The trade-off of a threshold: the surer a text has to be, the more of those shown are accepted, and the fewer."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from dovetail.evaluation.replay.measures import MEASURES, walked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dovetail.evaluation.replay.record import ReplayRecord

_POINTS = 24


class Point(NamedTuple):
    """The measures with one threshold, by name."""

    threshold: float
    measures: dict[str, float]


def trade_off(records: Sequence[ReplayRecord]) -> list[Point]:
    """Return a point for each of a few thresholds, the lowest first, which shows everything.

    The thresholds divide the confidences on the tapes evenly. Without confidences there is one point. On tapes that are
    not of all thresholds, nobody asked under the texts that a threshold would hide, so the completed code is at least
    what is given.
    """
    confidences = sorted(
        node.confidence
        for record in records
        for typed in record.typed
        for node in typed.nodes
        if node.confidence is not None and node.look is not None
    )
    places = range(0, len(confidences), max(1, len(confidences) // _POINTS))
    thresholds = sorted({0.0, *(round(confidences[place], 4) for place in places)})
    points = []
    for threshold in thresholds:
        counts = walked(records, threshold).total
        if threshold and not counts.shown:  # a share of nothing is no point
            break
        points.append(Point(threshold, {name: of(counts) for name, of in MEASURES.items()}))
    return points
