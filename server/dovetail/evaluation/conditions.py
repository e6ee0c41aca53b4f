"""The conditions of an experiment, in every kind of experiment."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, ClassVar, Self


# Without slots: with them the class is made twice, and `super()` in a subclass does not find the second.
@dataclass(frozen=True, kw_only=True)
class Conditions:
    """Everything that the texts of an experiment depend on: two runs with equal conditions have equal texts.

    A kind of experiment is a subclass, which adds its own conditions.
    """

    KIND: ClassVar[str]
    """The value of `experiment` in `to_json`."""

    name: str
    """The experiment's name in the folder of results."""
    cases: int
    digest: str
    """A digest of what the cases are taken from."""
    model: str
    weights: str
    """A digest of the model's files; empty for a model of the hub."""
    engine: str
    """A digest of everything of Dovetail that a text depends on."""
    numbers: str
    """Conditions of the model's numbers besides its weights: their type, the device, the library."""
    dovetail: str

    def to_json(self) -> dict[str, Any]:
        """Return plain values that `from_json` makes the same conditions of."""
        plain = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        return {"experiment": self.KIND, **plain}

    @classmethod
    def from_json(cls, plain: dict[str, Any]) -> Self:
        """Return the conditions; raises KeyError, TypeError or ValueError for other values."""
        return cls(**{name: value for name, value in plain.items() if name != "experiment"})

    def difference(self, other: Self) -> str:
        """Return the first difference from other conditions, for people to read; empty if they are equal."""
        mine, others = self.to_json(), other.to_json()
        return next((f"{key} {others.get(key)}, now {mine[key]}" for key in mine if mine[key] != others.get(key)), "")
