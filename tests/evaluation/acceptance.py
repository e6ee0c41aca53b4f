"""Tables and plot of the thresholds, `python -m tests.evaluation.acceptance --replay FOLDER`.

The folder is the output of `dovetail eval --experiment typing --all-thresholds --setting trigger=eager`; the model is
not asked again. The tables go to the standard output, for `acceptance.md`; `--plot FILE` writes the plot
(`acceptance.svg`), with the measures of other replays as squares: `--beside FOLDER` has those of the part `report`.
"""

from __future__ import annotations

import argparse
import sys
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tests.benchmarks.tables import Table

from dovetail.decoding.silence import LEAST, LEAST_FINISHED
from dovetail.evaluation.journal import read_all
from dovetail.evaluation.replay.measures import MEASURES, walked
from dovetail.evaluation.replay.record import ReplaySetup

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dovetail.evaluation.replay.record import ReplayRecord

THRESHOLDS = (0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6)
FINISHED = (None, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
"""Thresholds for places where something is finished; None: the same as elsewhere."""

SHOWN = {
    "acceptance": "acceptance",
    "accepted as a whole": "accepted as a whole",
    "ratio of completed code": "ratio of completed code",
    "effort saved": "effort saved",
    "wrong characters shown per 100 characters": "wrong characters shown per 100",
}
"""The measures of the tables, and their columns."""

_WIDTH, _HEIGHT = 640, 420
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 24, 16, 56
_ACROSS, _UP = 0.05, 0.1
"""The steps of the axes."""

_COLOURS = ("#aa3322", "#228833", "#aa7711", "#663399")


class Measures(NamedTuple):
    """The measures with one pair of thresholds."""

    threshold: float
    finished: float | None
    values: Mapping[str, float]

    @property
    def place(self) -> tuple[float, float]:
        """The ratio of completed code and the acceptance."""
        return self.values["ratio of completed code"], self.values["acceptance"]


def measured(records: Sequence[ReplayRecord], threshold: float, finished: float | None) -> Measures:
    """Return the measures of a replay with two thresholds."""
    counts = walked(records, threshold, finished=finished).total
    return Measures(threshold, finished, {name: of(counts) for name, of in MEASURES.items()})


def by_threshold(records: Sequence[ReplayRecord]) -> list[Measures]:
    """Return the measures by the threshold, that for finished places being the one in use."""
    return [measured(records, threshold, LEAST_FINISHED) for threshold in THRESHOLDS]


def by_finished(records: Sequence[ReplayRecord]) -> list[Measures]:
    """Return the measures by the threshold for finished places, the other being the one in use."""
    return [measured(records, LEAST, finished) for finished in FINISHED]


def table(title: str, column: str, heads: Sequence[str], rows: Sequence[Measures]) -> Table:
    """Return measures as a table, with a head for each row."""
    cells = [
        (head, *(f"{row.values[name]:.{0 if name.startswith('wrong') else 3}f}" for name in SHOWN))
        for head, row in zip(heads, rows, strict=True)
    ]
    return Table(title, (column, *SHOWN.values()), cells)


def plot(curve: Sequence[Measures], others: Mapping[str, tuple[float, float]]) -> str:
    """Return the plot as an SVG: acceptance over the ratio of completed code, and other replays beside the curve."""
    places = [*(one.place for one in curve), *others.values()]
    across, up = (_steps([place[axis] for place in places], step) for axis, step in ((0, _ACROSS), (1, _UP)))

    def at(ratio: float, acceptance: float) -> tuple[float, float]:
        x = _LEFT + ratio / (across * _ACROSS) * (_WIDTH - _LEFT - _RIGHT)
        return x, _HEIGHT - _BOTTOM - acceptance / (up * _UP) * (_HEIGHT - _TOP - _BOTTOM)

    title = "Acceptance over the ratio of completed code"
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="sans-serif" '
            f'font-size="12"><title>{title}</title><rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>'
        )
    ]
    for tick in range(across + 1):
        x, y = at(tick * _ACROSS, 0)
        parts.append(f'<line x1="{x:.1f}" y1="{_TOP}" x2="{x:.1f}" y2="{y:.1f}" stroke="#ddd"/>')
        parts.append(_text(x, y + 18, f"{tick * _ACROSS:.2f}", "middle"))
    for tick in range(up + 1):
        x, y = at(0, tick * _UP)
        parts.append(f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{_WIDTH - _RIGHT}" y2="{y:.1f}" stroke="#ddd"/>')
        parts.append(_text(x - 8, y + 4, f"{tick * _UP:.1f}", "end"))
    line = " ".join("{:.1f},{:.1f}".format(*at(*one.place)) for one in curve)
    parts.append(f'<polyline fill="none" stroke="#2266aa" stroke-width="2" points="{line}"/>')
    for one in curve:
        x, y = at(*one.place)
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="#2266aa"/>')
        parts.append(_text(x + 7, y - 5, f"{one.threshold:g}", "start", "#2266aa"))
    for number, (name, place) in enumerate(others.items()):
        (x, y), colour = at(*place), _COLOURS[number % len(_COLOURS)]
        parts.append(f'<rect x="{x - 5:.1f}" y="{y - 5:.1f}" width="10" height="10" fill="{colour}"/>')
        parts.append(_text(x - 9, y + 16, name, "end", colour))
    parts.append(
        _text(_WIDTH / 2, _HEIGHT - 12, "ratio of completed code (numbers at the curve: thresholds)", "middle")
    )
    middle = (_TOP + _HEIGHT - _BOTTOM) / 2
    parts.append(
        f'<text x="18" y="{middle:.0f}" text-anchor="middle" transform="rotate(-90 18 {middle:.0f})">'
        "acceptance of shown texts</text></svg>"
    )
    return "\n".join(parts) + "\n"


def _steps(values: Sequence[float], step: float) -> int:
    """Return the number of steps of an axis from 0 that holds all values."""
    return int(max(values, default=0.0) / step + 1e-9) + 1


def _text(x: float, y: float, text: str, anchor: str, colour: str = "black") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}">{escape(text)}</text>'


def main(arguments: Sequence[str] | None = None) -> int:
    """Print both tables, and write the plot if that is asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.evaluation.acceptance", description=__doc__)
    parser.add_argument("--replay", type=Path, required=True, help="the folder with the journals of the replay")
    parser.add_argument("--name", help="the replay's name, where the folder has several")
    parser.add_argument("--beside", type=Path, help="a folder with replays that are put beside the curve")
    parser.add_argument("--plot", type=Path, help="the file of the plot")
    chosen = parser.parse_args(arguments)
    found = read_all(chosen.replay, ReplaySetup)
    name = chosen.name or next(iter(found), None)
    if name not in found or (chosen.name is None and len(found) > 1):
        parser.error(f"{chosen.replay} has the replays {', '.join(found) or 'none'}: name one of them with --name.")
    setup, records = found[name]
    if not setup.all_thresholds or setup.settings.get("trigger") != "eager":
        parser.error(f"{name} does not hold what a threshold would hide: run it with --all-thresholds and eagerly.")
    curve, finished = by_threshold(records), by_finished(records)
    first = table("By threshold", "threshold", [f"{one:.2f}" for one in THRESHOLDS], curve)
    heads = ["the same as elsewhere" if one is None else f"{one:.2f}" for one in FINISHED]
    second = table("By threshold for finished places", "threshold where something is finished", heads, finished)
    sys.stdout.write(f"{len(records)} files of the part `{setup.part.value}`.\n\n{first.written()}\n{second.written()}")
    if chosen.plot is not None:
        beside = {} if chosen.beside is None else read_all(chosen.beside, ReplaySetup)
        others = {
            f"{other}, {one.part.value}": measured(tapes, 0.0, None).place for other, (one, tapes) in beside.items()
        }
        chosen.plot.write_text(plot(curve, others), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
