"""The plot of a replay: acceptance over the ratio of completed code, a curve for each experiment."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

_WIDTH, _HEIGHT = 640, 420
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 24, 16, 48
_STYLES = ("constrained", "unconstrained", "checked")
_STEP = 0.1


class Curve(NamedTuple):
    """One experiment: (ratio of completed code, acceptance) for each threshold, the lowest threshold first."""

    label: str
    points: Sequence[tuple[float, float]]


class Anchor(NamedTuple):
    """A published value, as a line across the plot at `acceptance` or at `completed`."""

    label: str
    acceptance: float | None
    completed: float | None


ANCHORS = (
    Anchor("JetBrains, local 100M model: 0.35 to 0.38", 0.365, None),
    Anchor("JetBrains, cloud model: 0.39", None, 0.39),
)
"""Figures of arXiv 2405.08704 and 2510.05788, for Python: users of an editor, not a replay."""


def plot(title: str, note: str, curves: Sequence[Curve]) -> str:
    """Return the plot as a figure of the page."""
    points = [point for curve in curves for point in curve.points]
    across = _end([x for x, _ in points] + [anchor.completed for anchor in ANCHORS if anchor.completed is not None])
    up = _end([y for _, y in points] + [anchor.acceptance for anchor in ANCHORS if anchor.acceptance is not None])

    def place(x: float, y: float) -> tuple[float, float]:
        return (
            _LEFT + x / across * (_WIDTH - _LEFT - _RIGHT),
            _HEIGHT - _BOTTOM - y / up * (_HEIGHT - _TOP - _BOTTOM),
        )

    parts = [f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img"><title>{escape(title)}</title>']
    for tick in range(round(across / _STEP) + 1):
        x, y = place(tick * _STEP, 0)
        parts.append(f'<line class="grid" x1="{x:.1f}" y1="{_TOP}" x2="{x:.1f}" y2="{y:.1f}"/>')
        parts.append(_text(x, y + 18, f"{tick * _STEP:.1f}", "middle"))
    for tick in range(round(up / _STEP) + 1):
        x, y = place(0, tick * _STEP)
        parts.append(f'<line class="grid" x1="{x:.1f}" y1="{y:.1f}" x2="{_WIDTH - _RIGHT}" y2="{y:.1f}"/>')
        parts.append(_text(x - 8, y + 4, f"{tick * _STEP:.1f}", "end"))
    for anchor in ANCHORS:
        if anchor.acceptance is not None:
            ends = (place(0, anchor.acceptance), place(across, anchor.acceptance))
            parts.append(_text(ends[0][0] + 6, ends[0][1] - 6, anchor.label, "start"))
        else:
            assert anchor.completed is not None
            ends = (place(anchor.completed, 0), place(anchor.completed, up))
            parts.append(_text(ends[0][0] - 6, ends[0][1] - 8, anchor.label, "end"))
        parts.append(_line("theirs checked", ends))
    for number, curve in enumerate(curves):
        style = _STYLES[number % len(_STYLES)]
        found = [place(*point) for point in curve.points]
        if len(found) > 1:
            parts.append(_line(f"median {style}", found))
        parts += [f'<circle class="bar {style}" cx="{x:.1f}" cy="{y:.1f}" r="4"/>' for x, y in found]
    parts.append(_text((_LEFT + _WIDTH - _RIGHT) / 2, _HEIGHT - 8, "ratio of completed code", "middle"))
    parts.append(
        f'<text x="16" y="{(_TOP + _HEIGHT - _BOTTOM) / 2:.0f}" text-anchor="middle" '
        f'transform="rotate(-90 16 {(_TOP + _HEIGHT - _BOTTOM) / 2:.0f})">acceptance of shown texts</text></svg>'
    )
    legend = "".join(
        f'<span class="key {_STYLES[number % len(_STYLES)]}">{escape(curve.label)}</span>'
        for number, curve in enumerate(curves)
    )
    heading = f"<b>{escape(title)}</b> <small>{escape(note)}</small>"
    return f"<figure><figcaption>{heading}{legend}</figcaption>{''.join(parts)}</figure>"


def _end(values: Sequence[float]) -> float:
    """Return the end of an axis from 0: the next tick above all values."""
    return _STEP * (int(max(values, default=0.0) / _STEP + 1e-9) + 1)


def _line(style: str, places: Sequence[tuple[float, float]]) -> str:
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    return f'<polyline class="{style}" points="{path}"/>'


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'
