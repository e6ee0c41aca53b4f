"""`python -m tests.soak --minutes 60`: a long session; prints what it found and fails if anything was wrong."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from tests.soak.record import growth, percentiles
from tests.soak.session import soak

if TYPE_CHECKING:
    from tests.soak.record import Record


_ROUNDS = 400
"""Requests by which the server is compared with a new one."""


def main() -> int:
    """Run the session and write its summary."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--windows", type=int, default=1, help="so many sessions at once, which share one host")
    parser.add_argument("--summary", type=Path, help="write the figures there")
    parsed = parser.parse_args()
    console = Console(highlight=False, markup=False, soft_wrap=True)
    ends: float = time.monotonic() + 60 * parsed.minutes
    told = time.monotonic()

    def goes_on(record: Record) -> bool:
        nonlocal told
        if record.seed == parsed.seed and time.monotonic() > told + 60:
            told += 60
            sample = record.samples[-1]
            console.print(
                f"{sample.at / 60:5.1f} min: {len(record.requests)} answers, {record.offered} suggestions, "
                f"{len(record.faults)} faults, server {sample.server / 1e6:.0f} MB, model {sample.model / 1e6:.0f} MB"
            )
            for fault in record.faults[-3:]:
                console.print(f"  {fault}")
        return time.monotonic() < ends

    record = asyncio.run(soak(goes_on, seed=parsed.seed, rounds=_ROUNDS, windows=parsed.windows, max_tokens=12))
    text = summary(record, parsed.windows)
    console.print(text)
    if parsed.summary is not None:
        parsed.summary.write_text(text, "utf-8")
    if record.places:
        kept = Path(tempfile.mkdtemp(prefix="dovetail-soak-")) / "places.json"
        kept.write_text(json.dumps(record.places, indent=1), "utf-8")
        console.print(f"What was suggested wrongly, with all of both sides: {kept}")
    return 1 if record.complaints() else 0


def summary(record: Record, windows: int = 1) -> str:
    """Return the figures of a session as Markdown; several windows ran at once."""
    command = f"python -m tests.soak --minutes {record.minutes:.0f} --seed {record.seed}"
    together = [f"{windows} windows share one host; times are those of the first.", ""] if windows > 1 else []
    lines = [
        "# A long session",
        "",
        f"`{command}{f' --windows {windows}' if windows > 1 else ''}`, on two cores that other work",
        "shared; suggestions of at most 12 tokens, so that there are many.",
        "",
        *together,
        "| | |",
        "| --- | --- |",
        f"| minutes | {record.minutes:.0f} |",
        f"| steps | {sum(record.steps.values()):,}: "
        + ", ".join(f"{count:,} × {kind}" for kind, count in sorted(record.steps.items(), key=lambda item: -item[1]))
        + " |",
        f"| requests, all answered once | {record.asked:,} |",
        f"| suggestions | {record.offered:,} |",
        *(f"| of which {judged} | {count:,} |" for judged, count in sorted(record.checked.items())),
        f"| faults | {len(record.faults)} |",
        "",
        "| | first quarter | last quarter |",
        "| --- | --- | --- |",
    ]
    quarters = record.quarters()
    for place, name in enumerate(("median", "95th percentile", "99th percentile")):
        cells = [f"{1000 * percentiles([request.seconds for request in part])[place]:.0f} ms" for part in quarters]
        lines.append(f"| waiting for an answer, {name} | {' | '.join(cells)} |")
    cells = [f"{1000 * sum(request.processor for request in part) / len(part):.0f} ms" for part in quarters]
    lines.append(f"| processor time of an answer, mean | {' | '.join(cells)} |")
    if record.ages:
        lines += ["", f"The last {len(record.ages)} requests were asked of this server and, in turn, of a new one:",
                  f"they took {record.aged():.2f} times as much processor time of this one."]  # fmt: skip
    lines += ["", "| resident memory | at the start | in the middle | at the end | rise over the second half | noise |"]
    lines.append("| --- | --- | --- | --- | --- | --- |")
    for name in ("server", "model"):
        values = [getattr(sample, name) / 1e6 for sample in record.samples]
        rise, noise = growth([(sample.at, getattr(sample, name)) for sample in record.samples])
        lines.append(
            f"| {name} | {values[0]:.0f} MB | {values[len(values) // 2]:.0f} MB | {values[-1]:.0f} MB "
            f"| {rise / 1e6:+.1f} MB | {noise / 1e6:.1f} MB |"
        )
    wrong = record.complaints()
    lines += ["", *(["What is wrong:", "", *(f"- {line}" for line in wrong)] if wrong else ["Nothing was wrong."]), ""]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
