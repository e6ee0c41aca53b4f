"""Columns of lines as CPython compares them, and sets of columns for lines that are not known.

CPython measures the blanks of a line twice, with tab stops every 8 columns and with tabs of width 1. Two lines compare
only if both widths agree on the order. A column is therefore a pair of widths.

A `ColumnSet` describes a block that begins to the left of the right context. Both widths have bounds. At the seam it
also holds the last blanks of the line, which the right text begins with.

A backslash in the blanks fixes the column: both widths are then the width before the first backslash, unless that is
0. In `ColumnSet.ending` the backslash stands for this rule.
"""

from __future__ import annotations

from typing import NamedTuple

Column = tuple[int, int]
"""(width with tab stops, width with tabs of 1, which is the number of blanks).

A plain tuple: the lexer makes one for each blank, and a NamedTuple takes several times as long to make.
"""
MARGIN: Column = (0, 0)
FAR = 1 << 30
"""A width beyond all lines, for no bound."""
FIXED = "\\"


class ColumnSet(NamedTuple):
    """The columns (x, y) with low[0] ≤ x ≤ high[0] and low[1] ≤ y ≤ high[1] that some blanks with this ending have."""

    low: Column = MARGIN
    high: Column = (FAR, FAR)
    ending: str = ""


ANY = ColumnSet()


def widen(column: Column, character: str, tab: int) -> Column:
    r"""Return the column after one more blank.

    >>> widen((3, 3), "\t", 8)
    (8, 4)
    """
    if character == " ":
        return column[0] + 1, column[1] + 1
    if character == "\t":
        return (column[0] // tab + 1) * tab, column[1] + 1
    return MARGIN  # A form feed begins the line anew.


def is_realisable(column: Column, tab: int) -> bool:
    """Return whether some blanks have this column: to each tab stop lead between 1 and `tab` blanks."""
    wide, count = column
    return 0 <= wide // tab + wide % tab <= count <= wide


def contains(columns: ColumnSet, column: Column, tab: int) -> bool:
    """Return whether a column is in the set."""
    (low, low_count), (high, high_count), ending = columns
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
    """Return the columns of the lines that end in these blanks and may have any others before them."""
    if blanks.endswith(FIXED):
        width = max(after_blanks(MARGIN, blanks[:-1], tab)[0], 1)
        return exactly((width, width)) if "\f" in blanks else ColumnSet((width, width), (FAR, FAR), blanks)
    if "\f" in blanks:
        return exactly(after_blanks(MARGIN, blanks, tab))
    return ColumnSet(after_blanks(MARGIN, blanks, tab), (FAR, FAR), blanks) if blanks else ANY


def continued(blanks: str, tab: int) -> list[str]:
    """Return the endings that the blanks of a line may have after a backslash.

    The backslash fixes the column, unless the column is 0. Where that is not known there are two endings.
    """
    if blanks.endswith(FIXED):
        return [blanks]
    found = [] if "\f" in blanks and after_blanks(MARGIN, blanks, tab) == MARGIN else [blanks + FIXED]
    return found if blanks and after_blanks(MARGIN, blanks, tab) != MARGIN else [*found, "\f"]


def exactly(column: Column) -> ColumnSet:
    """Return the set of one column."""
    return ColumnSet(column, column)


def below(columns: ColumnSet, column: Column, tab: int) -> ColumnSet | None:
    """Return the columns of a set from which a line of this column is indented, or None if the result is empty."""
    high = min(columns.high[0], column[0] - 1), min(columns.high[1], column[1] - 1)
    return checked(ColumnSet(columns.low, high, columns.ending), tab)


def above(columns: ColumnSet, column: Column, tab: int) -> ColumnSet | None:
    """Return the columns of a set from which a line of this column dedents, or None if the result is empty."""
    low = max(columns.low[0], column[0] + 1), columns.low[1]  # CPython compares only the width with tab stops here.
    return checked(ColumnSet(low, columns.high, columns.ending), tab)


def common(columns: ColumnSet, others: ColumnSet, tab: int) -> ColumnSet | None:
    """Return the columns that are in both sets, or None if there are none."""
    low = max(columns.low[0], others.low[0]), max(columns.low[1], others.low[1])
    high = min(columns.high[0], others.high[0]), min(columns.high[1], others.high[1])
    # Of two endings the longer one holds, if they agree: blanks that end in it end in the shorter one too.
    shorter, longer = sorted((columns.ending, others.ending), key=len)
    return checked(ColumnSet(low, high, longer), tab) if longer.endswith(shorter) else None


def checked(columns: ColumnSet, tab: int) -> ColumnSet | None:
    """Return the set, or None if it is empty."""
    return columns if least(columns, tab) is not None else None


def least(columns: ColumnSet, tab: int, beyond: Column | None = None) -> Column | None:
    """Return the column of a set with the fewest blanks that is deeper than `beyond` in both parts, or None."""
    low = columns.low
    if beyond is not None:
        low = max(low[0], beyond[0] + 1), max(low[1], beyond[1] + 1)
    (high, high_count) = columns.high
    # Tab stops repeat, so a set with free blanks has a column within one tab of its lower bounds, or has none.
    for count in range(low[1], min(high_count, max(low[1], low[0]) + tab) + 1):
        for wide in range(max(low[0], count), min(high, count * tab) + 1):
            column = (wide, count)
            if is_realisable(column, tab) and contains(columns, column, tab):
                return column
            if wide > max(low[0], count) + 2 * tab:
                break
    return None


def greatest(columns: ColumnSet, under: Column, tab: int) -> Column | None:
    """Return the deepest column of a set that is less deep than `under` in both parts, or None.

    One column is deepest in both parts: the one with the most blanks among those of the greatest width.
    """
    wide, most = min(columns.high[0], under[0] - 1), min(columns.high[1], under[1] - 1)
    if wide >= FAR - 1 and most >= FAR - 1:
        return wide, most  # Nothing bounds it. A column is chosen when text is made.
    for candidate in range(min(wide, most * tab), columns.low[0] - 1, -1):
        count = _most_blanks(candidate, most, columns.ending, tab)
        if count is not None and count >= columns.low[1]:
            return candidate, count
    return None


def _most_blanks(wide: int, most: int, ending: str, tab: int) -> int | None:
    """Return the greatest number of blanks, at most `most`, that have this ending and this width, or None."""
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
    r"""Return blanks that lead from one column to another, or None if no blanks do.

    Tabs are used only where spaces alone do not reach the column.

    >>> blanks_between((0, 0), (12, 5), 8)
    '\t    '
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
    """Return the least number of blanks that lead to a width."""
    stops = column[0] // tab - at[0] // tab
    return stops + column[0] % tab if stops else column[0] - at[0]


def starts_for(column: Column, ending: str, tab: int) -> list[Column]:
    """Return the columns from which these blanks (no form feed among them) lead to a column."""
    count = column[1] - len(ending)
    return [(wide, count) for wide in widths_before(column[0], ending, tab) if is_realisable((wide, count), tab)]
