"""A line through points, and how much of their spread it explains."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")

Points = list[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class LinearFit:
    """y = slope · x + intercept."""

    slope: float
    intercept: float
    explained: float
    """R²."""

    def at(self, x: float) -> float:
        """Return y."""
        return self.slope * x + self.intercept

    def __str__(self) -> str:
        sign = "−" if self.intercept < 0 else "+"
        return f"y = {_number(self.slope)} x {sign} {_number(abs(self.intercept))} (R² = {_number(self.explained)})"


def fit(points: Sequence[tuple[float, float]]) -> LinearFit | None:
    """Return the line of least squares; None where the points do not make one.

    >>> str(fit([(0, 1), (1, 3), (2, 5)]))
    'y = 2 x + 1 (R² = 1)'
    >>> str(LinearFit(9.54e-6, 4.53, 4.22e-3))
    'y = 9.54·10⁻⁶ x + 4.53 (R² = 0.00422)'
    """
    xs, ys = [x for x, _ in points], [y for _, y in points]
    if len(set(xs)) < 2:
        return None
    slope, intercept = statistics.linear_regression(xs, ys)
    explained = statistics.correlation(xs, ys) ** 2 if len(set(ys)) > 1 else 1.0
    return LinearFit(slope, intercept, explained)


def _number(value: float) -> str:
    """Return three digits that mean something; very small numbers with a power of ten."""
    if value and abs(value) < 1e-3:
        mantissa, _, exponent = f"{value:.2e}".partition("e")
        return f"{mantissa}·10{str(int(exponent)).translate(_RAISED)}"
    return f"{value:.3g}"
