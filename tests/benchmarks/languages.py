"""Cold quotients at cuts of real files of JavaScript and TypeScript, with and without JSX, against their bar."""

from __future__ import annotations

import gc
from itertools import islice
from random import Random
from statistics import mean
from typing import TYPE_CHECKING

from tests.benchmarks.contexts import MIDDLE, Context
from tests.benchmarks.series import Series, quantile
from tests.oracles.javascript.parsers import FILES

import dovetail
from dovetail.completer.gc_pauses import Collector

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dovetail import Language

FOLDERS = {"javascript": "js", "javascriptreact": "jsx", "typescript": "ts", "typescriptreact": "tsx"}
"""Language → the folder of its files in the corpus."""
SUMMARY = ("mean", "median", "p95", "largest", "over the bar", "count")
ADVANCE = "advance, median"
CLOSING = "closing, median"

_SMALLEST, _LARGEST = 1_000, 15_000  # characters of a file
_WARMING = 24  # cuts of other files that a language has met before
_PIECE = 4  # characters that one `advance` gets


def bar(characters: int) -> float:
    """Return the milliseconds that a cold quotient may take in a file.

    >>> bar(1_000), bar(10_000)
    (33.0, 105.0)
    """
    return 25 + 0.008 * characters


def file_contexts(name: str, seed: int = 1) -> Iterator[Context]:
    """Yield cuts anywhere in files of a language, one for each file; the seed decides which come first."""
    random = Random(f"{seed}/{name}")
    paths = sorted(path for path in (FILES / FOLDERS[name]).rglob("*") if path.is_file())
    random.shuffle(paths)
    for path in paths:
        text = path.read_text("utf-8", errors="replace")
        if _SMALLEST <= len(text) <= _LARGEST:
            at = random.randrange(len(text) - MIDDLE)
            source = path.relative_to(FILES).as_posix()
            yield Context(source, "anywhere", text[:at], text[at : at + MIDDLE], text[at + MIDDLE :])


def measure(name: str, count: int, seed: int = 1) -> dict[str, float]:
    """Return the numbers of `SUMMARY` and the medians of `ADVANCE` and `CLOSING`.

    Cuts without a fitting middle are left out. A closing is the first one that is asked of a quotient.
    """
    language = dovetail.load_language(name)
    found = file_contexts(name, seed)
    for context in islice(found, _WARMING):
        language.quotient(context.left, context.right, tolerant=False).start.closing()
    collector = Collector()  # as the server has one
    cold, advance, closing = Series(), Series(), Series()
    bars: list[float] = []
    for context in found:
        before = len(cold.durations)
        if before == count:
            break
        if not cold.time(_is_viable, language, context):
            del cold.durations[before:]  # not a file of this language
            continue
        bars.append(bar(len(context.left) + len(context.right)))
        collector.rest(idle=False)  # as behind each answer
        state = language.quotient(context.left, context.right, tolerant=False).start
        found_closing = closing.time(state.closing)
        assert found_closing is not None, f"{context.source}: a viable place without a closing"
        for place in range(0, len(context.middle), _PIECE):
            following = advance.time(state.advance, context.middle[place : place + _PIECE])
            assert following is not None, f"{context.source}: the true middle is refused at {place}"
            state = following
        collector.rest(idle=False)
    gc.unfreeze()
    ordered = sorted(cold.durations)
    over = sum(took > most for took, most in zip(cold.durations, bars, strict=True))
    numbers = (mean(ordered), quantile(ordered, 0.5), quantile(ordered, 0.95), ordered[-1], over, len(ordered))
    medians = {ADVANCE: advance, CLOSING: closing}
    return dict(zip(SUMMARY, numbers, strict=True)) | {
        name: quantile(sorted(series.durations), 0.5) for name, series in medians.items()
    }


def _is_viable(language: Language, context: Context) -> bool:
    return language.quotient(context.left, context.right, tolerant=False).viable
