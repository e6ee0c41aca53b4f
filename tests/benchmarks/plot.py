"""Growth as a picture: cost over context size, both on logarithmic axes, in one SVG file without anything else."""

from __future__ import annotations

from html import escape
from math import ceil, floor, log10
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Points = list[tuple[float, float]]
"""(characters, milliseconds), both above 0."""

WIDTH, HEIGHT = 860, 520
LEFT, RIGHT, TOP, BOTTOM = 70, 250, 50, 50
_COLORS = ("#0b6e99", "#d9480f", "#2b8a3e", "#9c36b5", "#c92a2a", "#5f3dc4", "#868e96", "#e67700", "#087f5b")


def growth(
    title: str,
    lines: Mapping[str, Points],
    bars: Sequence[tuple[str, float, float]] = (),
    axis: str = "characters of context",
) -> str:
    """Return an SVG with a line for each kind, and a mark for each bar (label, characters, milliseconds).

    `axis`: the words under the horizontal axis.
    """
    shown = {label: sorted(points) for label, points in lines.items() if points}
    everything = [point for points in shown.values() for point in points] + [(x, y) for _, x, y in bars]
    columns = _decades([x for x, _ in everything])
    rows = _decades([y for _, y in everything])

    def place(x: float, y: float) -> tuple[float, float]:
        across = (log10(x) - columns[0]) / (columns[-1] - columns[0])
        up = (log10(y) - rows[0]) / (rows[-1] - rows[0])
        return LEFT + across * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - up * (HEIGHT - TOP - BOTTOM)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">',
        '<g font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        f'<text x="{LEFT}" y="26" font-size="16">{escape(title)}</text>',
    ]
    for column in columns:
        x, _ = place(10**column, 10 ** rows[0])
        parts.append(_line(x, TOP, x, HEIGHT - BOTTOM, "#e9ecef"))
        parts.append(_text(x, HEIGHT - BOTTOM + 18, _count(column), "middle"))
    for row in rows:
        _, y = place(10 ** columns[0], 10**row)
        parts += [_line(LEFT, y, WIDTH - RIGHT, y, "#e9ecef"), _text(LEFT - 8, y + 4, f"{10.0**row:g} ms", "end")]
    parts.append(_text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, axis, "middle"))
    labels: list[tuple[float, str, str]] = []
    for (label, points), color in zip(shown.items(), _COLORS * len(shown), strict=False):
        spots = [place(*point) for point in points]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in spots)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="2"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{color}"/>' for x, y in spots]
        labels.append((spots[-1][1], label, color))
    above = 0.0
    for y, label, color in sorted(labels):  # none over another
        above = max(y, above + 15)
        parts.append(_text(WIDTH - RIGHT + 12, above + 4, label, "start", color))
    for label, x, y in bars:
        across, up = place(x, y)
        parts += [_line(across - 12, up, across + 12, up, "#212529"), _text(across, up - 5, label, "middle")]
    return "\n".join([*parts, "</g>", "</svg>", ""])


def _decades(values: Sequence[float]) -> list[int]:
    """Return the powers of ten around some numbers, at least two."""
    low, high = floor(log10(min(values))), ceil(log10(max(values)))
    return list(range(low, max(high, low + 1) + 1))


def _count(power: int) -> str:
    return f"{10**power:,}" if power < 6 else f"{10 ** (power - 6):,}M"


def _line(x1: float, y1: float, x2: float, y2: float, color: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{color}"/>'


def _text(x: float, y: float, text: str, anchor: str, color: str = "#343a40") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{color}">{escape(text)}</text>'
