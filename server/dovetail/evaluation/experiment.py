"""An experiment: its set-up and its records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dovetail.evaluation.record import Record
    from dovetail.evaluation.setup import Setup


@dataclass(frozen=True, slots=True)
class Experiment:
    """A setup and the records of the cases that are done, in the order of the cases."""

    setup: Setup
    records: Sequence[Record]

    @property
    def finished(self) -> bool:
        """True if all cases are done."""
        return len(self.records) == self.setup.cases

    def to_json(self) -> dict[str, Any]:
        """Return the setup, and a mapping for each case and method."""
        return {"setup": self.setup.to_json(), "records": [row for record in self.records for row in record.rows()]}
