"""Fuzzing with an eye on the code that is reached: `python -m tests.fuzz.coverage quotient --seconds 600`.

Atheris (libFuzzer) changes the seeds, keeps what reaches new code, and stops at what breaks a target; that input is
written to `tests/cases/crashes/TARGET`, where every test run tries it from then on. What else is found goes to a
folder outside the repository.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs

if TYPE_CHECKING:
    from collections.abc import Sequence

NAMES = ("grammar", "lexer", "quotient", "documents", "protocol")
SEEDS = Path(__file__).parent / "seeds"
CRASHES = Path(__file__).resolve().parents[1] / "cases" / "crashes"
ENGINE = ["dovetail.automata", "dovetail.grammar", "dovetail.lexing", "dovetail.parsing", "dovetail.quotient"]
SERVER = ["dovetail.completer", "dovetail.lsp"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Fuzz a target; the exit status is libFuzzer's, 77 if something was found, or 2 without Atheris."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.coverage", description=__doc__)
    parser.add_argument("target", choices=NAMES)
    parser.add_argument("--seconds", type=int, default=0, help="for so long; 0 for ever")
    parser.add_argument("--runs", type=int, default=-1, help="or for so many inputs")
    parser.add_argument("--corpus", type=Path, help="where what reaches new code is kept")
    options = parser.parse_args(arguments)
    try:
        import atheris
    except ImportError:
        sys.stderr.write("Atheris has no wheel for this Python; `pip install atheris` says more.\n")
        return 2
    with atheris.instrument_imports(include=[*ENGINE, *SERVER], enable_loader_override=False):
        from tests.fuzz.targets import TARGETS
    corpus = options.corpus or platformdirs.user_cache_path("dovetail-tests") / "corpus" / options.target
    crashes = CRASHES / options.target
    for folder in (corpus, crashes):
        folder.mkdir(parents=True, exist_ok=True)
    flags = [f"-max_total_time={options.seconds}", f"-runs={options.runs}", f"-artifact_prefix={crashes}/"]
    flags += ["-max_len=2000", "-timeout=300", "-rss_limit_mb=4096"]
    flags += ["-report_slow_units=900", "-seed=1", "-print_final_stats=1"]
    atheris.Setup([sys.argv[0], *flags, str(corpus), str(SEEDS / options.target)], TARGETS[options.target])
    atheris.Fuzz()
    return 0


if __name__ == "__main__":
    sys.exit(main())
