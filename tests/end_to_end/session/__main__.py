"""`python -m tests.end_to_end.session LOG`: says how much was offered in a session, and what nobody must see of it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from tests.end_to_end.session.checks import problems
from tests.end_to_end.session.record import read_record


def main(path: str) -> int:
    """Write the counts and the problems of a log as JSON."""
    offers = read_record(Path(path)).offers
    shown = sum(offer.shown for offer in offers)
    sys.stdout.write(json.dumps({"offers": len(offers), "shown": shown, "problems": problems(offers)}) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
