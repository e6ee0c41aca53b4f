"""Counts of completions: sums, bounds, and the form in the file."""

from __future__ import annotations

import json
from datetime import date, timedelta
from typing import TYPE_CHECKING, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dovetail.statistics.counts import (
    MOST_DAYS,
    MOST_ROWS,
    Counts,
    Event,
    Subject,
    bounded,
    count,
    from_plain,
    grouped,
    merged,
    subject,
    to_plain,
    total,
)

if TYPE_CHECKING:
    from dovetail.statistics.counts import CountTable

TODAY = date(2026, 1, 31)

SUBJECTS = st.builds(
    Subject,
    st.dates(date(2020, 1, 1), date(2026, 1, 31)).map(date.isoformat),
    st.sampled_from(["python", "json", ""]),
    st.text(max_size=8),
    st.sampled_from(["embedded", "größer"]),
)
TABLES = st.dictionaries(SUBJECTS, st.builds(Counts, *[st.integers(-1, 1000)] * len(Counts._fields)), max_size=8)


@given(TABLES)
def test_a_table_comes_back_from_its_form_in_the_file(table: CountTable) -> None:
    """A table that is written as JSON is read as the same table."""
    assert from_plain(json.loads(json.dumps(to_plain(table)))) == table


@given(TABLES, TABLES)
def test_merging_keeps_every_count(first: CountTable, second: CountTable) -> None:
    """The sum of two tables holds the sum of their counts, however they are grouped."""
    both = merged([first, second])

    assert total(both.values()) == total([*first.values(), *second.values()])
    for field in Subject._fields:
        assert total(counts for _, counts in grouped(both, field)) == total(both.values())


def test_a_text_counts_once_as_accepted_or_in_part() -> None:
    """A text that is accepted in part and then to its end is counted as accepted alone."""
    about = subject(TODAY, "python", "the statement ended", "embedded")
    table: CountTable = {}
    events: tuple[Event, ...] = (
        "shown",
        "partly",
        "completed",
        "kept",
        "shown",
        "partly",
        "changed",
        "shown",
        "accepted",
    )
    for event in events:
        count(table, about, event)

    assert table == {about: Counts(shown=3, accepted=2, partly=1, measured=2, kept=1)}


@pytest.mark.parametrize("event", get_args(Event))
def test_every_event_changes_something(event: Event) -> None:
    """No event passes uncounted."""
    table: CountTable = {}
    count(table, Subject("2026-01-31", "", "", ""), event)

    assert total(table.values()) != Counts()


def test_a_table_keeps_its_newest_rows() -> None:
    """Old days are dropped, and of too many rows those of the oldest days."""
    days = {Subject((TODAY - timedelta(days=age)).isoformat(), "", "", ""): Counts(1) for age in range(2 * MOST_DAYS)}
    many = {Subject(TODAY.isoformat(), str(number), "", ""): Counts(1) for number in range(MOST_ROWS)}

    assert len(bounded(days, TODAY)) == MOST_DAYS
    assert min(about.day for about in bounded(days, TODAY)) == (TODAY - timedelta(days=MOST_DAYS - 1)).isoformat()
    assert set(bounded({**days, **many}, TODAY)) >= set(sorted(many)[1:])
    assert len(bounded({**days, **many}, TODAY)) == MOST_ROWS


@pytest.mark.parametrize(
    ("model", "kept"),
    [
        ("embedded", "embedded"),
        ("org/name", "name"),
        ("/home/ann/secret/small/", "small"),
        ("C:\\a\\b", "b"),
        (None, ""),
    ],
)
def test_a_model_is_named_without_its_folder(model: str | None, kept: str) -> None:
    """Only the last part of a model's name or folder is kept."""
    assert subject(TODAY, "python", "the block ended", model).model == kept


def test_long_names_are_cut() -> None:
    """A client that sends a language's name of a megabyte makes no row of that size."""
    assert max(map(len, subject(TODAY, "x" * 10**6, "y" * 10**6, "z" * 10**6))) == 80


@pytest.mark.parametrize(
    "rows",
    [None, {}, [1], [{}], [{"day": "x", "language": "", "reason": "", "model": ""}],
     [{"day": "2026-01-31", "language": 1, "reason": "", "model": ""}],
     [{"day": "2026-01-31", "language": "", "reason": "", "model": "", "shown": True}]],
)  # fmt: skip
def test_another_form_is_refused(rows: object) -> None:
    """Rows of another form are a ValueError, not a table."""
    with pytest.raises(ValueError, match=r"row|Invalid isoformat"):
        from_plain(rows)
