"""Plots as SVG to stand within a page, whose style sheet gives them their colours, light or dark."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dovetail.evaluation.fitting import LinearFit

_WIDTH, _HEIGHT = 560, 360
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 28, 14, 46

_BINS_A_DECADE = 5
_FEWEST = 5
"""Points in a bin whose median means something."""

_BAR, _GAP, _GROUP = 14, 4, 36
_WIDE, _LABELS, _VALUES = 960, 225, 70


@dataclass(frozen=True, slots=True)
class Series:
    """Points of one kind; both numbers are above 0."""

    label: str
    style: str
    """A class of the page's style sheet."""
    points: Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Theirs:
    """A line that others have published."""

    label: str
    style: str
    line: LinearFit


@dataclass(frozen=True, slots=True)
class Bar:
    """A share of something."""

    label: str
    style: str
    share: float
    """0 to 1."""
    value: str
    """The label of the value."""


def scatter(title: str, series: Sequence[Series], theirs: Sequence[Theirs], x_axis: str, note: str) -> str:
    """Return milliseconds over some count on logarithmic axes, the medians of ours and the lines of others."""
    points = [point for kind in series for point in kind.points]
    if not points:
        return ""
    columns = _decades([x for x, _ in points])
    drawn = {other.label: _sampled(other.line, columns) for other in theirs}
    rows = _decades([y for _, y in points] + [y for sampled in drawn.values() for _, y in sampled])

    def place(x: float, y: float) -> tuple[float, float]:
        across = (log10(x) - columns[0]) / (columns[-1] - columns[0])
        up = (log10(y) - rows[0]) / (rows[-1] - rows[0])
        return _LEFT + across * (_WIDTH - _LEFT - _RIGHT), _HEIGHT - _BOTTOM - up * (_HEIGHT - _TOP - _BOTTOM)

    parts = [f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img"><title>{escape(title)}</title>']
    for column in columns:
        x, y = place(10**column, 10 ** rows[0])
        parts.append(f'<line class="grid" x1="{x:.0f}" y1="{_TOP}" x2="{x:.0f}" y2="{y:.0f}"/>')
        parts.append(_text(x, y + 18, f"{10**column:,}", "middle"))
    for row in rows:
        x, y = place(10 ** columns[0], 10**row)
        parts.append(f'<line class="grid" x1="{x:.0f}" y1="{y:.0f}" x2="{_WIDTH - _RIGHT}" y2="{y:.0f}"/>')
        parts.append(_text(x - 8, y + 4, _duration(row), "end"))
    parts.append(_text((_LEFT + _WIDTH - _RIGHT) / 2, _HEIGHT - 8, x_axis, "middle"))
    for kind in series:
        # A subpath of no length with round caps is a dot, and takes a quarter of what a circle takes.
        dots = "".join(f"M{x:.0f} {y:.1f}h0" for x, y in (place(*point) for point in kind.points))
        parts.append(f'<path class="dots {kind.style}" d="{dots}"/>')
    for other in theirs:
        path = _path(place(*point) for point in drawn[other.label])
        parts.append(f'<polyline class="theirs {other.style}" points="{path}"/>')
    for kind in series:
        medians = list(_medians(kind.points))
        if len(medians) > 1:
            path = _path(place(*point) for point in medians)
            parts.append(f'<polyline class="halo" points="{path}"/>')
            parts.append(f'<polyline class="median {kind.style}" points="{path}"/>')
    parts.append("</svg>")
    legend = [f'<span class="key {kind.style}">{escape(kind.label)}</span>' for kind in series]
    legend += [f'<span class="key dashed {other.style}">{escape(other.label)}</span>' for other in theirs]
    heading = f"<b>{escape(title)}</b> <small>{escape(note)}</small>"
    return f"<figure><figcaption>{heading}{''.join(legend)}</figcaption>{''.join(parts)}</figure>"


def bars(title: str, groups: Sequence[tuple[str, Sequence[Bar]]]) -> str:
    """Return shares as bars, a group for each name."""
    if not groups:
        return ""
    reach = _WIDE - _LABELS - _VALUES
    parts: list[str] = []
    y = 8
    for name, group in groups:
        parts.append(_text(0, y + 11, name, "start", "strong"))
        for bar in group:
            width = reach * bar.share
            parts.append(_text(_LABELS - 8, y + 11, bar.label, "end"))
            parts.append(f'<rect class="track" x="{_LABELS}" y="{y}" width="{reach}" height="{_BAR}" rx="3"/>')
            parts.append(
                f'<rect class="bar {bar.style}" x="{_LABELS}" y="{y}" width="{width:.1f}" height="{_BAR}" rx="3"/>'
            )
            parts.append(_text(_LABELS + reach + 8, y + 11, bar.value, "start"))
            y += _BAR + _GAP
        y += _GROUP - _BAR - _GAP
    height = y - _GROUP + _BAR + _GAP
    svg = f'<svg viewBox="0 0 {_WIDE} {height}" role="img"><title>{escape(title)}</title>{"".join(parts)}</svg>'
    return f"<figure><figcaption><b>{escape(title)}</b></figcaption>{svg}</figure>"


def _decades(values: Sequence[float]) -> list[int]:
    """Return the powers of ten around some numbers, at least two."""
    low, high = floor(log10(min(values))), ceil(log10(max(values)))
    return list(range(low, max(high, low + 1) + 1))


def _duration(power: int) -> str:
    """Return a power of ten of milliseconds as it is read."""
    return f"{10.0**power:g} ms" if power < 3 else f"{10 ** (power - 3):,} s"


def _sampled(line: LinearFit, columns: Sequence[int]) -> list[tuple[float, float]]:
    """Return points of a straight line where it is above 0; on logarithmic axes it is curved."""
    steps = 12 * (columns[-1] - columns[0])
    xs = [10 ** (columns[0] + step / 12) for step in range(steps + 1)]
    return [(x, line.at(x)) for x in xs if line.at(x) > 10**-2]


def _medians(points: Sequence[tuple[float, float]]) -> Iterator[tuple[float, float]]:
    """Yield the median point of each bin that has enough of them."""
    bins: dict[int, list[tuple[float, float]]] = {}
    for x, y in points:
        bins.setdefault(floor(log10(x) * _BINS_A_DECADE), []).append((x, y))
    for _, inside in sorted(bins.items()):
        if len(inside) >= _FEWEST:
            yield statistics.median(x for x, _ in inside), statistics.median(y for _, y in inside)


def _path(places: Iterator[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in places)


def _text(x: float, y: float, text: str, anchor: str, style: str = "") -> str:
    kind = f' class="{style}"' if style else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{kind}>{escape(text)}</text>'
