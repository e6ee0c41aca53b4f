"""Records and setups as tests want them: everything has a value, and what matters is named."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.evaluation.record import Method, Outcome, Record
from dovetail.evaluation.setup import Setup

if TYPE_CHECKING:
    from collections.abc import Sequence


def outcome(text: str | None = "x", *, valid: bool | None = None, reason: str = "the model ended it") -> Outcome:
    """Return an outcome; without a verdict a text is valid."""
    return Outcome(
        text=text,
        valid=text is not None if valid is None else valid,
        exact=False,
        similarity=0.5 if text else 0.0,
        reason=reason,
        tokens=4,
        contexts=20.0,
        model=12.0,
        constraint=2.0,
    )


def record(
    case: int = 0,
    unconstrained: bool = True,
    checked: bool = True,
    constrained: bool = True,
    *,
    text: str = "x",
    disagreements: Sequence[str] = (),
    context: int = 1000,
) -> Record:
    """Return a record in which each method succeeded or not; where the constrained one fails it offers nothing."""
    return Record(
        case=case,
        file="package/file.py",
        offset=17,
        context=context,
        before="def f(a):\n    return ",
        removed="a",
        after="\n",
        prompt=50.0,
        compared=3,
        disagreements=tuple(disagreements),
        outcomes={
            Method.UNCONSTRAINED: outcome(text, valid=unconstrained),
            Method.CHECKED: outcome(text if checked else None),
            Method.CONSTRAINED: outcome(text if constrained else None),
        },
    )


def setup(
    name: str = "boundary",
    cases: int = 2,
    seed: int = 0,
    examples: int = 0,
    dataset: str = "boundary",
    *,
    counted: bool = True,
) -> Setup:
    """Return a setup."""
    return Setup(
        name=name,
        dataset=dataset,
        cases=cases,
        seed=seed,
        methods=tuple(Method),
        max_tokens=64,
        model="scripted",
        weights="",
        data="packages",
        files=9,
        digest="0123456789abcdef",
        engine="fedcba9876543210",
        numbers="none",
        python="3.11.7",
        dovetail="0.1.0",
        examples=examples,
        counted=counted,
    )
