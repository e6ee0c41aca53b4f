"""Columns and sets of columns, beside enumeration of the blanks themselves."""

from __future__ import annotations

from collections import defaultdict
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dovetail.lexing import indentation as columns
from dovetail.lexing.indentation import ANY, MARGIN, Column, ColumnSet

TAB = 4
"""Narrow, so that a few blanks meet several tab stops."""
WIDE = 7
"""The widest column that is tried with blanks that are all spaces."""

BLANKS = ["".join(letters) for count in range(8) for letters in product(" \t", repeat=count)]
COLUMNS = st.tuples(st.integers(0, 14), st.integers(0, 7))
BOXES = st.builds(
    lambda low, extra, ending: ColumnSet(low, (low[0] + extra[0], low[1] + extra[1]), ending),
    COLUMNS,
    st.tuples(st.integers(0, 12), st.integers(0, 6)),
    st.sampled_from(["", " ", "   ", "\t", " \t", "\t ", "\t\t", "\\", "  \\", "\t\\", " \t \\"]),
)


def column_of(blanks: str, start: Column = MARGIN) -> Column:
    """Return the column after blanks."""
    for character in blanks:
        start = columns.widen(start, character, TAB)
    return start


def members(box: ColumnSet) -> set[Column]:
    """Return the columns of a box that few blanks realise, by trying all of those."""
    if box.ending.endswith("\\"):
        widths = {column_of(blanks)[0] for blanks in BLANKS if blanks.endswith(box.ending[:-1])} - {0}
        found = {(width, width) for width in widths}
    else:
        found = {column_of(blanks) for blanks in BLANKS if blanks.endswith(box.ending)}
    return {c for c in found if box.low[0] <= c[0] <= box.high[0] and box.low[1] <= c[1] <= box.high[1]}


REALISED = {column_of(blanks) for blanks in BLANKS}


@pytest.mark.parametrize("column", list(product(range(12), range(8))))
def test_a_column_is_realisable_if_some_blanks_have_it(column: Column) -> None:
    """The formula says what enumeration finds, where enumeration reaches."""
    assert columns.is_realisable(column, TAB) == (column in REALISED)


@given(BOXES, COLUMNS)
def test_a_box_contains_what_its_blanks_realise(box: ColumnSet, column: Column) -> None:
    """A realisable column is in the box exactly if some blanks with the box's ending have it."""
    if column in REALISED and column[0] <= WIDE:
        assert columns.contains(box, column, TAB) == (column in members(box))


@given(BOXES, COLUMNS)
def test_below_and_above_are_what_layout_compares(box: ColumnSet, column: Column) -> None:
    """An indent needs both parts deeper, a dedent only the first, as CPython has it."""
    under = {c for c in members(box) if c[0] < column[0] and c[1] < column[1]}
    over = {c for c in members(box) if c[0] > column[0]}
    below, above = columns.below(box, column, TAB), columns.above(box, column, TAB)

    assert (members(below) if below else set()) == under
    assert (members(above) if above else set()) >= over
    assert over or above is None or not members(above)


@given(BOXES, COLUMNS)
def test_the_narrowest_column_is_in_the_box(box: ColumnSet, beyond: Column) -> None:
    """It has the fewest blanks of all that are deeper, and there is none only if none is."""
    deeper = {c for c in members(box) if c[0] > beyond[0] and c[1] > beyond[1]}
    narrowest = columns.least(box, TAB, beyond=beyond)

    if narrowest is None:
        assert not deeper
    else:
        assert columns.contains(box, narrowest, TAB)
        assert narrowest[0] > beyond[0]
        assert narrowest[1] > beyond[1]
        assert all(narrowest[1] <= c[1] for c in deeper)


@given(BOXES, COLUMNS)
def test_the_deepest_column_is_deepest_in_both_parts(box: ColumnSet, under: Column) -> None:
    """No column of a box that lies under another is deeper in either part."""
    under = min(under[0], WIDE + 1), under[1]
    less = {c for c in members(box) if c[0] < under[0] and c[1] < under[1]}
    deepest = columns.greatest(box, under, TAB)

    assert (deepest is None) == (not less)
    assert all(c[0] <= deepest[0] and c[1] <= deepest[1] for c in less if deepest)
    assert deepest is None or deepest in less


@given(st.sampled_from(BLANKS), st.sampled_from(BLANKS))
def test_blanks_lead_from_one_column_to_another(before: str, more: str) -> None:
    """The blanks that are written lead where any blanks lead, and are as many."""
    start, end = column_of(before), column_of(before + more)
    written = columns.blanks_between(start, end, TAB)

    assert written is not None
    assert column_of(written, start) == end
    assert len(written) == len(more)


@given(st.sampled_from(BLANKS), st.sampled_from(["", " ", "\t", "  ", " \t "]))
def test_where_blanks_can_have_come_from(before: str, ending: str) -> None:
    """The column before a line's last blanks is among those from which they lead to its column."""
    assert column_of(before) in columns.starts_for(column_of(before + ending), ending, TAB)


@pytest.mark.parametrize(
    ("blanks", "after"),
    [("", ["\\", "\f"]), ("  ", ["  \\"]), ("\f", ["\f"]), ("\f ", ["\f \\"]), (" \\", [" \\"])],
)
def test_a_backslash_fixes_the_column_unless_it_is_zero(blanks: str, after: list[str]) -> None:
    """The ending of a line after a backslash is the same, whatever was before these blanks."""
    assert columns.continued(blanks, TAB) == after


def test_a_form_feed_begins_the_line_anew() -> None:
    """Blanks before it do not count, so the column is known."""
    assert columns.ending_in("  \f ", TAB) == columns.exactly((1, 1))
    assert columns.ending_in("  \f \\", TAB) == columns.exactly((1, 1))
    assert columns.ending_in("", TAB) == ANY


@pytest.mark.parametrize("tab", [1, 4, 8])
def test_the_widths_before_blanks_are_all_that_lead_to_a_width(tab: int) -> None:
    """Each width is tried by going over the blanks one by one."""
    for length in range(6):
        for blanks in map("".join, product(" \t", repeat=length)):
            after: defaultdict[int, list[int]] = defaultdict(list)
            for start in range(40):
                column = (start, start)
                for blank in blanks:
                    column = columns.widen(column, blank, tab)
                after[column[0]].append(start)
            for wide in range(40):
                assert columns.widths_before(wide, blanks, tab) == after[wide]
