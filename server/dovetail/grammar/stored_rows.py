"""The rows of a table, each kept as bytes until it is first asked for."""

from __future__ import annotations

import marshal
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Row = TypeVar("Row")

_FORMAT = 2  # of marshal: plain values and nothing else, the same bytes for the same values


class StoredRows(dict[int, Row]):
    """State → row, for all states from 0 on; IndexError for a number without a row.

    The tables of TypeScript have 14,000 states, of which a file of some pages meets a tenth. To decode all rows took
    half of the time of loading the language. A dict answers for a row that was decoded as fast as a list would.

    >>> rows = rows_of([{1: 2}, {}])
    >>> rows[0], len(rows)
    ({1: 2}, 2)
    """

    __slots__ = ("texts",)

    def __init__(self, texts: list[bytes]) -> None:
        super().__init__()
        self.texts = texts
        """State → the row as bytes; rows that were decoded stay there, too."""

    def __missing__(self, number: int) -> Row:
        row: Row = marshal.loads(self.texts[number])
        # Two threads may both decode a row: the rows are equal, and nobody changes one.
        self[number] = row
        return row

    def __len__(self) -> int:
        return len(self.texts)

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self.texts)))

    def __eq__(self, other: object) -> bool:
        return self.texts == other.texts if isinstance(other, StoredRows) else NotImplemented

    def __ne__(self, other: object) -> bool:
        return self.texts != other.texts if isinstance(other, StoredRows) else NotImplemented

    __hash__ = None

    def every(self) -> list[Row]:
        """Return all rows in the order of their numbers; all are decoded."""
        return [self[number] for number in self]


def rows_of(rows: Iterable[Row]) -> StoredRows[Row]:
    """Return rows of plain values as a table keeps them."""
    plain: Iterable[Any] = rows
    return StoredRows([marshal.dumps(row, _FORMAT) for row in plain])
