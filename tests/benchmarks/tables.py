"""Tables of numbers: for people, for a document, and for another program."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.table import Table as Drawn

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Cell = str | float


@dataclass(frozen=True)
class Table:
    """Rows under columns; `note` says what has to be known to read them."""

    title: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[Cell, ...]]
    note: str = ""

    def drawn(self) -> Drawn:
        """Return the table for a terminal."""
        table = Drawn(*self.columns, title=self.title, caption=self.note or None)
        for row in self.rows:
            table.add_row(*map(shown, row))
        return table

    def written(self) -> str:
        """Return the table as Markdown."""
        lines = [f"## {self.title}", ""]
        if self.note:
            lines += [self.note, ""]
        lines.append(f"| {' | '.join(self.columns)} |")
        lines.append(f"|{' --- |' * len(self.columns)}")
        lines += [f"| {' | '.join(map(shown, row))} |" for row in self.rows]
        return "\n".join(lines) + "\n"

    def kept(self) -> list[dict[str, Cell]]:
        """Return the rows, column → cell, as JSON holds them."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


def shown(cell: Cell) -> str:
    """Return a cell as it is read: three digits that mean something.

    >>> shown(0.01234), shown(12.3456), shown(1234.5), shown(24)
    ('0.0123', '12.3', '1,234', '24')
    """
    if isinstance(cell, str):
        return cell
    if isinstance(cell, int) or cell >= 1000:
        return f"{cell:,.0f}"
    if cell == 0:
        return "0"
    digits = 2
    while cell < 10 ** (2 - digits) and digits < 5:
        digits += 1
    return f"{cell:.{digits}f}" if cell < 1 else f"{cell:.3g}"


def summaries(found: Mapping[str, Mapping[str, float]], columns: Sequence[str]) -> list[tuple[Cell, ...]]:
    """Return a row for each kind of which something was measured."""
    return [(kind, *(numbers[column] for column in columns)) for kind, numbers in found.items() if numbers]
