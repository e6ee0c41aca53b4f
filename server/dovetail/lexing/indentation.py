"""Columns of lines as CPython compares them, and sets of columns where the line is not known.

A column is a pair: tabs to 8 and tabs to 1; the second is also the number of blanks.
A `ColumnSet` is a set of columns: both parts within bounds, and, at the seam, the blanks that the right text has put
last. It is what is known of a block that begins to the left of the right context.

A backslash in the blanks fixes the column: what counts is the width before the first of them, in both parts, unless
it is 0. In an ending the character stands for just that.
"""

from __future__ import annotations

from typing import NamedTuple

Column = tuple[int, int]
MARGIN: Column = (0, 0)
FAR = 1 << 30
FIXED = "\\"


class ColumnSet(NamedTuple):
    """The columns (x, y) with low[0] ≤ x ≤ high[0], low[1] ≤ y ≤ high[1] that blanks ending in `ending` realise."""

    low: Column = MARGIN
    high: Column = (FAR, FAR)
    ending: str = ""


ANY = ColumnSet()


def widen(column: Column, character: str, tab: int) -> Column:
    """Return the column after one more blank."""
    if character == " ":
        return column[0] + 1, column[1] + 1
    if character == "\t":
        return (column[0] // tab + 1) * tab, column[1] + 1
    return MARGIN  # a form feed begins the line anew


def is_realisable(column: Column, tab: int) -> bool:
    """Return whether some blanks have this column: each tab stop takes between 1 and `tab` of them."""
    wide, count = column
    return 0 <= wide // tab + wide % tab <= count <= wide


def contains(box: ColumnSet, column: Column, tab: int) -> bool:
    """Return whether a column is in the box."""
    (low, low_count), (high, high_count), ending = box
    wide, count = column
    if not (low <= wide <= high and low_count <= count <= high_count):
        return False
    if not ending:
        return True
    if ending.endswith(FIXED):
        return 0 < wide == count and bool(widths_before(wide, ending[:-1], tab))
    before = count - len(ending)
    return any(is_realisable((start, before), tab) for start in widths_before(wide, ending, tab))


def widths_before(wide: int, blanks: str, tab: int) -> list[int]:
    """Return the widths from which blanks (no form feed among them) lead to a width."""
    spaces, first_tab, rest = blanks.partition("\t")
    if not first_tab:
        return [wide - len(spaces)] if len(spaces) <= wide else []
    # The first tab leads to a tab stop, whatever lies before it; from there on the width is a sum.
    stop = wide - after_blanks(MARGIN, rest, tab)[0]
    if stop <= 0 or stop % tab:
        return []
    return list(range(max(0, stop - tab - len(spaces)), stop - len(spaces)))


def after_blanks(column: Column, blanks: str, tab: int) -> Column:
    """Return the column after some more blanks."""
    for character in blanks:
        column = widen(column, character, tab)
    return column


def ending_in(blanks: str, tab: int) -> ColumnSet:
    """Return the columns of lines whose last blanks are these and whose other blanks are free."""
    if blanks.endswith(FIXED):
        width = max(after_blanks(MARGIN, blanks[:-1], tab)[0], 1)
        return exactly((width, width)) if "\f" in blanks else ColumnSet((width, width), (FAR, FAR), blanks)
    if "\f" in blanks:
        return exactly(after_blanks(MARGIN, blanks, tab))
    return ColumnSet(after_blanks(MARGIN, blanks, tab), (FAR, FAR), blanks) if blanks else ANY


def continued(blanks: str, tab: int) -> list[str]:
    """Return what the last blanks of a line are after a backslash: it fixes the column, but for one that is 0."""
    if blanks.endswith(FIXED):
        return [blanks]
    found = [] if "\f" in blanks and after_blanks(MARGIN, blanks, tab) == MARGIN else [blanks + FIXED]
    return found if blanks and after_blanks(MARGIN, blanks, tab) != MARGIN else [*found, "\f"]


def exactly(column: Column) -> ColumnSet:
    """Return the box of one column."""
    return ColumnSet(column, column)


def below(box: ColumnSet, column: Column, tab: int) -> ColumnSet | None:
    """Return the columns of a box from which a line of this column is indented, or None if there are none."""
    high = min(box.high[0], column[0] - 1), min(box.high[1], column[1] - 1)
    return checked(ColumnSet(box.low, high, box.ending), tab)


def above(box: ColumnSet, column: Column, tab: int) -> ColumnSet | None:
    """Return the columns of a box from which a line of this column dedents, or None if there are none."""
    low = max(box.low[0], column[0] + 1), box.low[1]  # CPython compares only tabs to 8 here
    return checked(ColumnSet(low, box.high, box.ending), tab)


def checked(box: ColumnSet, tab: int) -> ColumnSet | None:
    """Return the box, or None if it is empty."""
    return box if least(box, tab) is not None else None


def least(box: ColumnSet, tab: int, beyond: Column | None = None) -> Column | None:
    """Return the narrowest column of a box (fewest blanks) that is deeper than `beyond`, or None.

    With free blanks before `ending` the search is over how many; tab stops repeat, so it ends soon.
    """
    low = box.low
    if beyond is not None:
        low = max(low[0], beyond[0] + 1), max(low[1], beyond[1] + 1)
    (high, high_count) = box.high
    for count in range(low[1], min(high_count, max(low[1], low[0]) + tab) + 1):
        for wide in range(max(low[0], count), min(high, count * tab) + 1):
            column = (wide, count)
            if is_realisable(column, tab) and contains(box, column, tab):
                return column
            if wide > max(low[0], count) + 2 * tab:
                break
    return None


def greatest(box: ColumnSet, under: Column, tab: int) -> Column | None:
    """Return the deepest column of a box that is less deep than `under` in both parts, or None.

    There is one that is deepest in both parts: of the widest that so many blanks realise, the one with the most.
    """
    wide, most = min(box.high[0], under[0] - 1), min(box.high[1], under[1] - 1)
    if wide >= FAR - 1 and most >= FAR - 1:
        return wide, most  # nothing bounds it; a column is chosen when text is made
    for candidate in range(min(wide, most * tab), box.low[0] - 1, -1):
        count = _most_blanks(candidate, most, box.ending, tab)
        if count is not None and count >= box.low[1]:
            return candidate, count
    return None


def _most_blanks(wide: int, most: int, ending: str, tab: int) -> int | None:
    """Return the greatest number, at most `most`, of blanks with an ending that realise a width."""
    if ending.endswith(FIXED):
        return wide if 0 < wide <= most and widths_before(wide, ending[:-1], tab) else None
    starts = widths_before(wide, ending, tab) if ending else [wide]
    return max(
        (
            min(start, most - len(ending)) + len(ending)
            for start in starts
            if start // tab + start % tab <= most - len(ending)
        ),
        default=None,
    )


def blanks_between(at: Column, column: Column, tab: int) -> str | None:
    """Return the blanks that lead from one column to another, or None if none do.

    Where as many characters as columns are left they are spaces; otherwise a tab where it leaves enough of both.
    """
    text = ""
    while at != column:
        if at[0] >= column[0] or at[1] >= column[1]:
            return None
        if column[0] - at[0] == column[1] - at[1]:
            return text + " " * (column[0] - at[0])
        following = widen(at, "\t", tab)
        left_over = column[1] - following[1]
        if following[0] > column[0] or not _fewest(following, column, tab) <= left_over <= column[0] - following[0]:
            following = widen(at, " ", tab)
            text += " "
        else:
            text += "\t"
        at = following
    return text


def _fewest(at: Column, column: Column, tab: int) -> int:
    """Return how many blanks it takes at least to get to a width."""
    stops = column[0] // tab - at[0] // tab
    return stops + column[0] % tab if stops else column[0] - at[0]


def starts_for(column: Column, ending: str, tab: int) -> list[Column]:
    """Return the columns from which these blanks (no form feed among them) lead to a column."""
    count = column[1] - len(ending)
    return [(wide, count) for wide in widths_before(column[0], ending, tab) if is_realisable((wide, count), tab)]
