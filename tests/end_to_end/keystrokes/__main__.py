"""The command line: `python -m tests.end_to_end.keystrokes --results FOLDER`."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.markdown import Markdown
from tests.end_to_end.keystrokes.replay import replay, table


def main() -> int:
    """Replay, print the figures, and keep them where that is asked for; 1 if something happened that must not."""
    parser = argparse.ArgumentParser(prog="python -m tests.end_to_end.keystrokes", description=__doc__)
    parser.add_argument("--keys", type=int, default=2000, help="how many keys are pressed")
    parser.add_argument("--seed", type=int, default=1, help="another seed writes other passages")
    parser.add_argument("--results", type=Path, help="write RECORD.md and record.json to this folder")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(replay(chosen.keys, Path(folder), seed=chosen.seed))
    figures = {
        **found.figures(),
        "ghost texts that do not fit": len(found.misfits()),
        "load of the machine while it ran (15 minutes)": round(os.getloadavg()[2], 1),
    }
    heading = [
        "# A replayed typing trace",
        "",
        (
            "`make trace`: passages of three files of Python's library written again at human speed, two documents in "
            f"turn, through the real protocol, with the embedded model; {os.cpu_count()} shared cores "
            f"({platform.machine()}), CPython {platform.python_version()}, seed {chosen.seed}. Times are by the "
            "clock, so "
            "what else the machine did is in them; the pause between keys (50 ms) is in them as well."
        ),
    ]
    written = table(figures, heading)
    Console().print(Markdown(written))
    for fault in [*found.faults, *found.misfits()]:
        sys.stderr.write(f"{fault}\n")
    if chosen.results:
        (chosen.results / "record.json").write_text(json.dumps(figures, indent=2) + "\n", "utf-8")
        (chosen.results / "RECORD.md").write_text(written, "utf-8")
    return int(bool(found.faults or found.misfits()))


if __name__ == "__main__":
    sys.exit(main())
