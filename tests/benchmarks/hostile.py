"""Texts that nobody writes, by time over size: `python -m tests.benchmarks.hostile`.

That work grows no faster than the text is tested by counting (`tests/hostile`); here is what it costs in processor
time, also in what C does in one step. Written to `tests/benchmarks/hostile.svg`.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from tests.benchmarks import plot
from tests.hostile.texts import JSON, PYTHON
from tests.oracles.cpython import TARGET

import dovetail

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.hostile.texts import Maker

    from dovetail import Language

SIZES = (1_000, 3_000, 10_000, 30_000)
"""Characters, about."""
PATIENCE = 4_000
"""Milliseconds; a kind of text that took longer is not tried ten times as long."""
DRAWN: Mapping[str, tuple[str, Maker]] = {
    "newlines before": ("python", PYTHON["newlines before"]),
    "newlines after": ("python", PYTHON["newlines after"]),
    "one line before": ("python", PYTHON["one line before"]),
    "one line after": ("python", PYTHON["one line after"]),
    "a long string around": ("python", PYTHON["a long string around"]),
    "brackets within": ("python", PYTHON["brackets within"]),
    "functions around": ("python", PYTHON["functions around"]),
    "JSON, lists open": ("json", JSON["lists open"]),
    "JSON, one closer missing": ("json", JSON["lists with one closer missing"]),
}


def measure(language: Language, make: Maker) -> plot.Points:
    """Return characters and milliseconds of processor time of an answer, up to its closing, at each size."""
    points: plot.Points = []
    each = sum(map(len, make(100))) / 100
    for size in SIZES:
        left, right = make(max(1, int(size / each)))
        begin = time.process_time_ns()
        quotient = language.quotient(left, right)
        assert quotient.start.closing() is not None
        points.append((len(left) + len(right), (time.process_time_ns() - begin) / 1e6))
        if points[-1][1] > PATIENCE:
            break
    return points


def main() -> int:
    """Measure, print the figures, and draw them."""
    languages = {"python": dovetail.load_language("python", target=TARGET), "json": dovetail.load_language("json")}
    lines = {}
    for label, (name, make) in DRAWN.items():
        left, right = make(10)
        languages[name].quotient(left, right).start.closing()  # what is made once for a language
        lines[label] = measure(languages[name], make)
        shown = ", ".join(f"{size:,.0f}: {milliseconds:,.1f} ms" for size, milliseconds in lines[label])
        sys.stdout.write(f"{label}: {shown}\n")
    picture = plot.growth("Texts that nobody writes: processor time over characters", lines)
    Path(__file__).with_name("hostile.svg").write_text(picture, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
