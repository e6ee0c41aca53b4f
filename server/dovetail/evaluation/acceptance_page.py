"""The counts of `dovetail stats` as one page with plots that opens without a server."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from dovetail.evaluation.plots import Bar, bars
from dovetail.statistics.counts import grouped, total

if TYPE_CHECKING:
    from dovetail.statistics.counts import Counts, CountTable

_STYLE = Path(__file__).with_name("page.css")

_TITLE = "Completions on this machine"

_DAYS = 30
"""Days that are plotted, the newest."""

_LONGEST = 34
"""Characters that fit beside a bar."""


def make_page(table: CountTable) -> str:
    """Return the page as HTML: shares of accepted and kept texts by language, reason, model and day."""
    sections = [
        bars(f"By {title}", [("", _bars(name or "unknown", counts)) for name, counts in groups])
        for title, groups in (
            ("language", grouped(table, "language")),
            ("the end of the text", grouped(table, "reason")),
            ("model", grouped(table, "model")),
            ("day", sorted(grouped(table, "day"))[-_DAYS:]),
        )
    ]
    days = sorted({about.day for about in table})
    when = f"{days[0]} to {days[-1]}: " if days else ""
    said = f"{when}{total(table.values()).shown:,} were shown. The counts hold no text, and nothing leaves the machine."
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{_TITLE}</title><style>{_STYLE.read_text(encoding='utf-8')}</style></head><body><main>"
        f"<h1>{_TITLE}</h1><p>{escape(said)}</p>{''.join(sections)}</main></body></html>\n"
    )


def _bars(name: str, counts: Counts) -> list[Bar]:
    """Return three bars: of the shown texts those that were accepted, and in part; of these the kept ones."""
    return [
        _bar(_shortened(name, f" ({counts.shown:,})"), "constrained", counts.accepted, counts.shown),
        _bar("in part", "checked", counts.partly, counts.shown),
        _bar("kept after 30 s", "unconstrained", counts.kept, counts.measured),
    ]


def _bar(label: str, style: str, part: int, whole: int) -> Bar:
    share = min(max(part / whole, 0.0), 1.0) if whole else 0.0
    return Bar(label, style, share, f"{share:.0%}")


def _shortened(name: str, more: str) -> str:
    """Return a name with an addition, cut to what fits beside its bars."""
    room = _LONGEST - len(more)
    return (name if len(name) <= room else f"{name[: room - 1]}…") + more
