"""The type of number that suits a model on this processor: `python -m tests.benchmarks.precision --model FOLDER`.

For each type: how long a first completion takes (a prompt of 1,000 tokens and 16 tokens after it), in processor time
of one thread and by the clock of two, which tells nothing unless both cores are idle; and what the middles of a text
cost in bits, so that speed is not bought with quality unseen.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from typing import TYPE_CHECKING, Any

import torch
from tests.benchmarks.quality import choose, judge
from tests.benchmarks.tables import Table
from tests.hosted import hosted_model

from dovetail.model.sources import SourceFile, standard_library

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from dovetail.model.hosted import HostedModel

TYPES = ("float32", "bfloat16", "float16", "dynamic int8")
_WRITTEN = 16
_FILES = ("argparse.py", "tarfile.py", "typing.py", "inspect.py")


def load(name: str | None, kind: str) -> HostedModel:
    """Return a model that computes in a type of number."""
    hosted = hosted_model(name)
    if kind == "dynamic int8":
        quantize: Any = torch.ao.quantization.quantize_dynamic
        hosted._model = quantize(hosted._model.float(), {torch.nn.Linear}, dtype=torch.qint8)
    else:
        hosted._model = hosted._model.to(getattr(torch, kind))
    return hosted


def first_completion(hosted: HostedModel, length: int, seed: int, clock: Callable[[], float]) -> float:
    """Return the seconds from a prompt of so many tokens to the sixteenth token after it."""
    choice = random.Random(seed)
    pieces = hosted.vocabulary.pieces
    known = [token for token, piece in enumerate(pieces) if piece is not None]
    started = clock()
    generation = hosted.begin(choice.choices(known, k=length))
    for _ in range(_WRITTEN):
        generation.feed(generation.ranked(1)[0][0])
    return clock() - started


def milliseconds(
    models: dict[str, HostedModel], count: int, length: int, threads: int, clock: Callable[[], float]
) -> dict[str, list[float]]:
    """Return what completions took by each model, the shortest first."""
    torch.set_num_threads(threads)
    times: dict[str, list[float]] = {kind: [] for kind in models}
    for number in range(count + 1):  # by turns, so that all meet the same load; the first warms up
        for kind, hosted in models.items():
            times[kind].append(1000 * first_completion(hosted, length, number, clock))
    return {kind: sorted(taken[1:]) for kind, taken in times.items()}


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print a table in Markdown."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.precision", description=__doc__)
    parser.add_argument("--model", help="a folder or name (default: the embedded model)")
    parser.add_argument("--types", nargs="+", choices=TYPES, default=TYPES)
    parser.add_argument("--count", type=int, default=9, help="completions of each type")
    parser.add_argument("--prompt", type=int, default=1000, help="tokens before a completion")
    parser.add_argument("--cases", type=int, default=20, help="middles of each kind")
    chosen = parser.parse_args(arguments)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    texts = [(name, (standard_library() / name).read_text(encoding="utf-8")) for name in _FILES]
    cases = choose([SourceFile(name, name, text, 1.0) for name, text in texts], chosen.cases, 1)
    models = {kind: load(chosen.model, kind) for kind in chosen.types}
    both = milliseconds(models, chosen.count, chosen.prompt, 2, time.perf_counter)
    single = milliseconds(models, chosen.count, chosen.prompt, 1, time.process_time)
    rows = []
    for kind, hosted in models.items():
        bits = sum(judge(hosted, hosted.encode, case)[1] for case in cases) / sum(len(case.middle) for case in cases)
        taken = (statistics.median(single[kind]), single[kind][0], statistics.median(both[kind]), both[kind][0])
        rows.append((kind, *(f"{number:.0f}" for number in taken), f"{bits:.4f}"))
    torch.set_num_threads(threads)
    columns = ("numbers", "one thread, median ms", "least", "two by the clock, median ms", "least", "bits a character")
    title = f"{_WRITTEN} tokens after {chosen.prompt:,}"
    sys.stdout.write(Table(title, columns, rows).written())
    return 0


if __name__ == "__main__":
    sys.exit(main())
