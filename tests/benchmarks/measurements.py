"""What is measured, and the numbers that are kept."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import tempfile
import time
import warnings
from dataclasses import dataclass, field
from statistics import median
from typing import TYPE_CHECKING, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.benchmarks.contexts import Context

    from dovetail import Language, State
    from dovetail.quotient.document import Document

P = ParamSpec("P")
T = TypeVar("T")
PIECE = 4
"""Characters that one `advance` gets, about a model's token."""


@dataclass
class Series:
    """Durations of one kind, in milliseconds."""

    wall: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)

    def time(self, work: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """Do the work, keep how long it took, and return its result."""
        processor, wall = time.process_time_ns(), time.perf_counter_ns()
        result = work(*arguments, **named)
        self.wall.append((time.perf_counter_ns() - wall) / 1e6)
        self.processor.append((time.process_time_ns() - processor) / 1e6)
        return result

    def summary(self) -> dict[str, float]:
        """Return median, 95th percentile, largest and processor median, in milliseconds, and the count."""
        ordered = sorted(self.wall)
        return {
            "median": median(ordered),
            "p95": ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))],
            "largest": ordered[-1],
            "processor median": median(self.processor),
            "count": len(ordered),
        }


KINDS = ["cold quotient", "one typed character", "advance", "ast.parse"]


def measure(language: Language, contexts: list[Context]) -> dict[str, Series]:
    """Return the durations of each kind over some contexts; every true middle must pass."""
    series = {kind: Series() for kind in KINDS}
    for context in contexts:
        state = series["cold quotient"].time(_cold, language, context.left, context.right)
        for place in range(0, len(context.middle), PIECE):
            following = series["advance"].time(state.advance, context.middle[place : place + PIECE])
            assert following is not None, f"{context.source}: the true middle is refused at {place}"
            state = following
        series["ast.parse"].time(_parse, context.text)
        document = language.document(context.text)
        offset = len(context.left)
        document.quotient(offset)
        series["one typed character"].time(_typed, document, offset)
    return series


def _cold(language: Language, left: str, right: str) -> State:
    quotient = language.quotient(left, right)
    assert quotient.viable
    return quotient.start


def _typed(document: Document, offset: int) -> bool:
    document.edit(offset, offset, " ")
    return document.quotient(offset + 1).viable


def _parse(text: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ast.parse(text)


LOAD = """
import sys, time
begin, processor = time.perf_counter_ns(), time.process_time_ns()
import dovetail
imported = time.perf_counter_ns()
dovetail.load_language(sys.argv[1])
print(imported - begin, time.perf_counter_ns() - imported, time.process_time_ns() - processor)
"""


def measure_loading(names: list[str]) -> dict[str, dict[str, float]]:
    """Return how long a fresh process takes to load each language, without and with tables on disk."""
    found: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        surroundings = {**os.environ, "XDG_CACHE_HOME": folder}
        for name in names:
            for kind in ("cold", "cached"):
                printed = subprocess.run(
                    [sys.executable, "-c", LOAD, name],
                    env=surroundings,
                    capture_output=True,
                    text=True,
                    check=True,
                ).stdout.split()
                imported, loaded, processor = (int(number) / 1e6 for number in printed)
                found[f"{name}, {kind}"] = {
                    "import": imported,
                    "load": loaded,
                    "processor": processor,
                }
    return found
