"""Counts of completions by day, language, stop reason and model."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable

Event = Literal["shown", "partly", "accepted", "completed", "kept", "changed"]
"""An event of one completion. `partly`: a first part was accepted; `completed`: all the rest after a part. `kept` and
`changed`: what was accepted stood there unchanged half a minute later, or did not."""

MOST_DAYS = 400
"""Days that are kept, the day of writing included."""

MOST_ROWS = 4000
"""Rows that are kept, those of the newest days."""

_LONGEST = 80
"""Characters of a language's or model's name that are kept."""


class Subject(NamedTuple):
    """The names under which a completion is counted."""

    day: str
    """The day on which it was offered, as `2026-01-31`."""
    language: str
    reason: str
    """The clause that says why the text ended."""
    model: str
    """The model's name; of a folder its last part, because the path may tell more than the user wants to keep."""


class Counts(NamedTuple):
    """The completions of one subject."""

    shown: int = 0
    accepted: int = 0
    """Those that were accepted to their end."""
    partly: int = 0
    """Those of which only a part was accepted."""
    measured: int = 0
    """Accepted ones, in part or to the end, whose document was still open half a minute later."""
    kept: int = 0
    """Those among them that stood there unchanged."""


CountTable: TypeAlias = dict[Subject, Counts]

_CHANGES: dict[Event, Counts] = {
    "shown": Counts(shown=1),
    "partly": Counts(partly=1),
    "accepted": Counts(accepted=1),
    "completed": Counts(accepted=1, partly=-1),
    "kept": Counts(measured=1, kept=1),
    "changed": Counts(measured=1),
}


def subject(day: date, language: str, reason: str, model: str | None) -> Subject:
    """Return the subject of a completion; names are cut to a length that the file can hold.

    >>> subject(date(2026, 1, 31), "python", "the statement ended", "/home/ann/models/small").model
    'small'
    """
    name = (model or "").replace("\\", "/").rstrip("/").rpartition("/")[2]
    return Subject(day.isoformat(), language[:_LONGEST], reason[:_LONGEST], name[:_LONGEST])


def count(table: CountTable, about: Subject, event: Event) -> None:
    """Add an event to a table."""
    table[about] = total([table.get(about, Counts()), _CHANGES[event]])


def total(counts: Iterable[Counts]) -> Counts:
    """Return the sum of counts."""
    return Counts(*(sum(column) for column in zip(Counts(), *counts, strict=True)))


def merged(tables: Iterable[CountTable]) -> CountTable:
    """Return the sum of tables."""
    found: CountTable = {}
    for table in tables:
        for about, counts in table.items():
            found[about] = total([found.get(about, Counts()), counts])
    return found


def grouped(table: CountTable, field: str) -> list[tuple[str, Counts]]:
    """Return the sums of a table by one field of its subjects, the most shown first."""
    groups: dict[str, list[Counts]] = {}
    for about, counts in table.items():
        groups.setdefault(getattr(about, field), []).append(counts)
    sums = [(name, total(counts)) for name, counts in groups.items()]
    return sorted(sums, key=lambda group: (-group[1].shown, group[0]))


def bounded(table: CountTable, today: date) -> CountTable:
    """Return the newest part of a table: at most `MOST_DAYS` days and `MOST_ROWS` rows."""
    first = (today - timedelta(days=MOST_DAYS - 1)).isoformat()
    newest = sorted((about for about in table if about.day >= first), reverse=True)[:MOST_ROWS]
    return {about: table[about] for about in reversed(newest)}


def to_plain(table: CountTable) -> list[dict[str, Any]]:
    """Return a table as plain values, a mapping for each row."""
    return [{**about._asdict(), **counts._asdict()} for about, counts in sorted(table.items())]


def from_plain(rows: object) -> CountTable:
    """Return the table of plain values; raises ValueError if they are no table."""
    if not isinstance(rows, list):
        raise ValueError("the rows are no list")
    return merged([_row(row) for row in rows])


def _row(row: object) -> CountTable:
    if not isinstance(row, dict):
        raise ValueError("a row is no mapping")
    names = [row.get(field) for field in Subject._fields]
    numbers = [row.get(field, 0) for field in Counts._fields]
    if not all(isinstance(name, str) for name in names) or not all(type(number) is int for number in numbers):
        raise ValueError("a row has values of other types")
    date.fromisoformat(str(names[0]))
    return {Subject(*map(str, names)): Counts(*numbers)}
