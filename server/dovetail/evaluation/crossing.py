"""Methods against each other on the same cases, in the form of tables I and II of Melcer et al. 2024."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dovetail.evaluation.record import Method

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dovetail.evaluation.record import Record


@dataclass(frozen=True, slots=True)
class Crossing:
    """Numbers of cases; each row is a pair: constrained generation succeeded, or failed."""

    unconstrained: tuple[int, int]
    """Unconstrained generation succeeded."""
    checked: tuple[int, int]
    """It failed, and one of its beginnings would have done."""
    neither: tuple[int, int]

    @property
    def rows(self) -> tuple[tuple[int, int], ...]:
        """The three rows."""
        return self.unconstrained, self.checked, self.neither

    @property
    def constrained(self) -> tuple[int, int]:
        """The numbers of cases that succeeded and failed with the constraint."""
        return sum(row[0] for row in self.rows), sum(row[1] for row in self.rows)

    @property
    def total(self) -> int:
        """All cases."""
        return sum(self.constrained)


def cross(records: Sequence[Record]) -> Crossing | None:
    """Return the table, or None where not all three methods were tried."""
    counts = {(row, column): 0 for row in range(3) for column in range(2)}
    for record in records:
        if set(record.outcomes) != set(Method):
            return None
        row = 2
        if record.outcomes[Method.UNCONSTRAINED].valid:
            row = 0
        elif record.outcomes[Method.CHECKED].valid:
            row = 1
        counts[row, 0 if record.outcomes[Method.CONSTRAINED].valid else 1] += 1
    pairs = [(counts[row, 0], counts[row, 1]) for row in range(3)]
    return Crossing(*pairs)
