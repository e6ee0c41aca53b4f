"""The costs of a fresh process: importing, loading a language, the first quotient and closing, and the memory of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.benchmarks.contexts import Context

PARTS = ("import", "load", "first quotient", "first closing")
"""The measured parts of a fresh process."""

_LOAD = """
import json, sys, time
begin = time.process_time_ns()
import dovetail
imported = time.process_time_ns()
language = dovetail.load_language(sys.argv[1])
loaded = time.process_time_ns()
left, right = json.loads(sys.stdin.read())
read = time.process_time_ns()
start = language.quotient(left, right).start
answered = time.process_time_ns()
start.closing()
closed = time.process_time_ns()
spent = {"import": imported - begin, "load": loaded - imported, "first quotient": answered - read}
spent["first closing"] = closed - answered
print(json.dumps({part: duration / 1e6 for part, duration in spent.items()}))
"""

_MEMORY = """
import json, sys
def peak():
    try:
        with open("/proc/self/status") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmHWM")) / 1024
    except OSError:
        import resource      # says too much on Linux, where a process inherits what its parent had
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << (20 if sys.platform == "darwin" else 10))
used = {"interpreter": peak()}
import dovetail
used["import"] = peak()
language = dovetail.load_language("python", target=sys.argv[1])
used["load"] = peak()
text = sys.stdin.read()
document = language.document(text)
document.quotient(len(text) // 2)
used["quotient"] = peak()
state = language.quotient(text[: len(text) // 2], text[len(text) // 2 :]).start
state.closing(), state.expected()
used["closing"] = peak()
print(json.dumps(used))
"""


def measure_loading(texts: Mapping[str, Context], repetitions: int = 3) -> dict[str, dict[str, float]]:
    """Return milliseconds of processor time for each language, `cold` (nothing on disk) and `cached`; the least.

    `texts` has for each language the one that the first quotient is of.
    """
    found: dict[str, dict[str, float]] = {}
    for name, context in texts.items():
        sides = json.dumps([context.left + context.middle, context.right])
        runs: dict[str, list[dict[str, float]]] = {"cold": [], "cached": []}
        for _ in range(repetitions):
            with tempfile.TemporaryDirectory() as folder:
                for kept in runs.values():  # cold first: it leaves what the other reads
                    kept.append(_run(_LOAD, name, text=sides, surroundings={"XDG_CACHE_HOME": folder}))
        for kind, kept in runs.items():
            found[f"{name}, {kind}"] = {part: min(run[part] for run in kept) for part in kept[0]}
    return found


def measure_memory(texts: Mapping[int, str], target: str) -> dict[int, dict[str, float]]:
    """Return for texts, by their size, the largest resident memory of a process in MiB after each of its steps."""
    return {size: _run(_MEMORY, target, text=text) for size, text in texts.items()}


def _run(
    script: str, argument: str, *, text: str = "", surroundings: Mapping[str, str] | None = None
) -> dict[str, float]:
    printed = subprocess.run(
        [sys.executable, "-c", script, argument],
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **(surroundings or {})},
        input=text,
        encoding="utf-8",
        capture_output=True,
        check=True,
    ).stdout
    numbers: dict[str, float] = json.loads(printed)
    return numbers
