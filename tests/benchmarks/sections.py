"""The parts of the benchmark; each returns its tables, and a part of its own file is one entry more below."""

from __future__ import annotations

import gc
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

from tests.benchmarks import (
    broken,
    candidates,
    checking,
    decoding,
    engine,
    hosting,
    languages,
    loading,
    masks,
    other_files,
    peers,
    proposals,
    stalls,
)
from tests.benchmarks.contexts import contexts, json_contexts
from tests.benchmarks.series import SUMMARY, Series
from tests.benchmarks.tables import Cell, Table, summaries
from tests.benchmarks.vocabularies import NAMES, vocabulary
from tests.evaluation.packages import cache, fetch

import dovetail

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from dovetail import Language

MILLISECONDS = "Milliseconds of processor time."
_WHOLE = 30_000  # characters; of larger contexts fewer are measured
_FEWEST = 3
_MET_SIZE = 1_000  # characters of the texts that a language has met before
_REMEMBERED = (1_000, 30_000, 1_000_000)  # characters of the texts whose memory is measured
_LEFT_ONLY = (
    "All but the first know what is to the left only; SynCode with its own grammar, which does all its work "
    "when the mask is asked for, the others with ours, flattened (six blocks deep, f-strings plain, keywords names)."
)
_BESIDE, _BESIDE_COUNT = 3_000, 12  # characters, and texts, on which engines are compared
_LARGEST_PROMPT = 10_000  # a model's window is full long before


@dataclass(frozen=True)
class Options:
    """The engine and the contexts to measure with."""

    target: str
    """Version of Python."""
    sizes: Sequence[int]
    """Characters of contexts."""
    count: int
    """Contexts of each size."""
    seed: int
    vocabularies: Sequence[str] = NAMES

    def number(self, size: int) -> int:
        """Return how many contexts of a size are measured."""
        return self.count if size <= _WHOLE else max(min(_FEWEST, self.count), self.count * _WHOLE // size)

    def language(self) -> Language:
        """Return Python as it is after some work: having met a few other texts, and taken for what stays.

        What the first texts of a process cost beyond that is in the table of fresh processes.
        """
        language = dovetail.load_language("python", target=self.target)
        for context in contexts(_MET_SIZE, self.count // 2, self.seed + 1):
            language.quotient(context.left, context.right).start.closing()
        gc.collect()
        gc.freeze()  # as the server does
        return language


def growth(options: Options) -> list[Table]:
    """Measure everything that is asked of an engine, over the size of the context."""
    language, other = options.language(), options.language()
    rows: list[tuple[Cell, ...]] = []
    for size in options.sizes:
        series = engine.measure(language, other, contexts(size, options.number(size), options.seed))
        found = {kind: series[kind].summary() for kind in engine.KINDS}
        rows += [(f"{size:,}", *row) for row in summaries(found, SUMMARY)]
    note = f"{MILLISECONDS} `advance` gets {engine.PIECE} characters at a time; cursors of all kinds."
    title = f"Python {options.target}, over the size of the context"
    return [Table(title, ("characters", "what", *SUMMARY), rows, note)]


def same_cursors(options: Options) -> list[Table]:
    """Measure `advance` at the same cursors of small texts alone and in the largest: what size alone makes of it."""
    smallest, largest = min(options.sizes), max(options.sizes)
    chosen = contexts(smallest, options.count, options.seed)
    series = engine.measure_same(options.language(), chosen, largest)
    alone, amid = (sum(series[kind].durations) for kind in (engine.ALONE, engine.AMID))
    ratio = f"all of `advance` in the larger takes {amid / alone:.2f} times as long as in the smaller"
    note = f"{MILLISECONDS} Texts of {smallest:,} characters; {ratio}."
    found = {kind: series[kind].summary() for kind in (engine.ALONE, engine.AMID)}
    title = f"The same cursors amid {largest:,} characters"
    return [Table(title, ("what", *SUMMARY), list(summaries(found, SUMMARY)), note)]


def tries(options: Options) -> list[Table]:
    """Measure `advance` along the tries of the embedded model."""
    model = proposals.embedded_model()
    if isinstance(model, str):
        return [Table("Tries of the embedded model", ("skipped",), [(model,)])]
    language = options.language()
    rows: list[tuple[Cell, ...]] = []
    for size in (size for size in options.sizes if size <= _LARGEST_PROMPT):
        series = proposals.measure(language, contexts(size, options.count, options.seed), model)
        found = {kind: series[kind].summary() for kind in proposals.KINDS}
        rows += [(f"{size:,}", *row) for row in summaries(found, SUMMARY)]
    return [Table("Tries of the embedded model", ("characters", "what", *SUMMARY), rows, MILLISECONDS)]


def whole_masks(options: Options) -> list[Table]:
    """Measure the mask of whole vocabularies; learning them takes minutes the first time."""
    language = options.language()
    chosen = contexts(min(options.sizes), 6 * options.count, options.seed)
    first, later = chosen[: 4 * options.count], chosen[4 * options.count :]
    rows: list[tuple[Cell, ...]] = []
    for name in options.vocabularies:
        series = masks.measure(language, name, first, later)
        found = {kind: series[kind].summary() for kind in masks.KINDS}
        rows += [(f"{len(vocabulary(name).pieces):,}", *row) for row in summaries(found, SUMMARY)]
    note = f"{MILLISECONDS} At each token of true middles: of {len(first)} texts, then of {len(later)} others."
    return [Table("The mask of a whole vocabulary", ("tokens", "what", *SUMMARY), rows, note)]


def starting(options: Options) -> list[Table]:
    """Measure loading in a fresh process, and memory."""
    (program,), (data,) = (made(min(options.sizes), 1, options.seed) for made in (contexts, json_contexts))
    found = loading.measure_loading({"json": data, "python": program})
    load = [(name, *row.values(), sum(row.values())) for name, row in found.items()]
    sizes = [size for size in options.sizes if size in _REMEMBERED]
    texts = {size: contexts(size, 1, options.seed)[0].text for size in sizes}
    memory: list[tuple[Cell, ...]] = [
        (f"{size:,}", *(used - row["interpreter"] for used in row.values()))
        for size, row in loading.measure_memory(texts, options.target).items()
    ]
    return [
        Table(
            "A fresh process loads a language",
            ("language", *loading.PARTS, "all"),
            load,
            f"{MILLISECONDS} The first quotient is of a text of {min(options.sizes):,} characters.",
        ),
        Table(
            "Memory",
            ("characters", "interpreter", "import", "load", "document and quotient", "closing, expected"),
            memory,
            "MiB at most so far, beyond the bare interpreter's; without torch.",
        ),
    ]


def real_files(options: Options) -> list[Table]:
    """Measure cold quotients in real files of JavaScript and TypeScript, and how long these languages take to load."""
    title = "Cold quotients in real files"
    if not languages.FILES.is_dir():
        return [Table(title, ("skipped",), [("no files at hand; `make javascript-parsers` fetches them",)])]
    columns = (*languages.SUMMARY, languages.ADVANCE, languages.CLOSING)
    measured = {name: languages.measure(name, options.count, options.seed) for name in languages.FOLDERS}
    texts = {name: next(languages.file_contexts(name, options.seed)) for name in languages.FOLDERS}
    load = loading.measure_loading(texts, repetitions=1)
    rows: list[tuple[str | float, ...]] = [
        (name, *(row[column] for column in columns)) for name, row in measured.items()
    ]
    loads = [(name, *row.values(), sum(row.values())) for name, row in load.items()]
    note = (
        f"{MILLISECONDS} Cuts anywhere in files of 1,000 to 15,000 characters; the bar is 25 ms and 8 µs a character."
    )
    return [
        Table(title, ("language", *columns), rows, note),
        Table("A fresh process loads them", ("language", *loading.PARTS, "all"), loads, MILLISECONDS),
    ]


def broken_files(options: Options) -> list[Table]:
    """Measure quotients and reports in files of JavaScript and TypeScript that have lost a bracket."""
    title = "Files that have lost a bracket"
    if not languages.FILES.is_dir():
        return [Table(title, ("skipped",), [("no files at hand; `make javascript-parsers` fetches them",)])]
    found = {
        f"{name}, {kind}": series.summary()
        for name in languages.FOLDERS
        for kind, series in broken.measure(name, options.count, options.seed).items()
    }
    note = f"{MILLISECONDS} Files of 1,000 to 15,000 characters; the cursor stands in another line."
    return [Table(title, ("what", *SUMMARY), summaries(found, SUMMARY), note)]


def checking_a_tree(options: Options) -> list[Table]:
    """Measure the check of the standard library beside its compilation."""
    count, seconds = checking.measure_checking(checking.standard_library(), options.count)
    (compiled, *_) = (median(row) for row in seconds.values())
    rows = [(name, median(row), max(row), median(row) / compiled) for name, row in seconds.items()]
    note = (
        f"Seconds by the clock, {options.count} times in turn. {count:,} files, the standard library without its tests."
    )
    return [Table("The check of a cold tree", ("command", "median", "largest", "ratio"), rows, note)]


def beside(options: Options) -> list[Table]:
    """Measure the engines that users would pick, on the same texts."""
    tokens = peers.Tokens()
    texts = {"json": json_contexts, "python": contexts}
    columns = ("language", "engine", "what", *SUMMARY, "followed")
    rows: list[tuple[Cell, ...]] = []
    load: list[tuple[Cell, ...]] = []
    notices: list[str] = []
    for name, language in peers.languages(options.target).items():
        chosen = texts[name](_BESIDE, min(options.count, _BESIDE_COUNT), options.seed)

        measured = {
            "Dovetail": peers.measure_ours(language, tokens, chosen, both=True),
            "Dovetail, left only": peers.measure_ours(language, tokens, chosen, both=False),
        }
        for peer in peers.PEERS:
            made = peers.load(peer, language, tokens)
            if isinstance(made, str):
                notices.append(made)
                continue
            load.append((name, peer, made[1]))
            measured[peer] = peers.measure_peer(made[0], tokens, chosen)
        for follower, (series, followed) in measured.items():
            found = {kind: of.summary() for kind, of in series.items()}
            share = f"{followed} of {len(chosen)}"
            rows += [(name, follower, *row, share) for row in summaries(found, SUMMARY)]
    note = f"{MILLISECONDS} Texts of {_BESIDE:,} characters, tokens of the embedded model. {_LEFT_ONLY}"
    tables = [Table("Beside other engines", columns, rows, " ".join([note, *dict.fromkeys(notices)]))]
    if load:
        tables.append(Table("Other engines make a language ready", ("language", "engine", "load"), load, MILLISECONDS))
    return tables


def tokens_a_second(options: Options) -> list[Table]:
    """Measure the embedded model with and without the constraint."""
    model = proposals.embedded_model()
    if isinstance(model, str):
        return [Table("Tokens a second", ("what",), [], model)]
    chosen = contexts(_BESIDE, options.count, options.seed)
    speeds = decoding.measure(options.language(), chosen, model)
    title = f"Tokens a second, the embedded model on one processor, texts of {_BESIDE:,} characters"
    return [decoding.table(speeds, title)]


def several_candidates(options: Options) -> list[Table]:
    """Measure several candidates of the embedded model beside one."""
    model = proposals.embedded_model()
    if isinstance(model, str):
        return [Table("Several candidates", ("what",), [], model)]
    seconds = candidates.measure(options.language(), contexts(_BESIDE, options.count, options.seed), model)
    return [candidates.table(seconds, f"Several candidates of the embedded model, texts of {_BESIDE:,} characters")]


def answering(options: Options) -> list[Table]:
    """Measure how long the server's event loop is kept from the next message, with the largest text that is wanted."""
    (context,) = contexts(max(options.sizes), 1, options.seed)
    about = f"the document has {len(context.text):,} characters"
    handling = {kind: series.summary() for kind, series in stalls.measure_handling(context.text).items()}
    pings = {phase: series.summary() for phase, series in stalls.measure_pings(context.text).items()}
    return [
        Table(
            "What the event loop does with a message", ("what", *SUMMARY), summaries(handling, SUMMARY),
            f"Milliseconds of processor time of its thread; {about}. The bar is 20.",
        ),
        Table(
            "How long the server takes to say that it is there", ("meanwhile", *SUMMARY), summaries(pings, SUMMARY),
            f"Milliseconds by the clock, there and back, the noise of the machine included; {about}.",
        ),
    ]  # fmt: skip


def other_files_beside(options: Options) -> list[Table]:
    """Measure what other files cost a request besides the model's passes."""
    if not cache().exists():
        fetch(cache())
    series = other_files.measure(cache(), options.count, options.seed)
    found = {f"{kind}, {way}": durations.summary() for (kind, way), durations in series.items()}
    for kind in (other_files.FIRST, other_files.KEY):
        ways = (series[kind, way].durations for way in (other_files.WITH, other_files.WITHOUT))
        grown = Series([one - other for one, other in zip(*ways, strict=True)])
        found[f"{kind}, growth"] = grown.summary()
    note = f"{MILLISECONDS} Without the model's forward passes, but for the rows that are of these."
    return [Table("Other files on the path of a request", ("what", *SUMMARY), summaries(found, SUMMARY), note)]


SECTIONS: dict[str, Callable[[Options], list[Table]]] = {
    "growth": growth,
    "same cursors": same_cursors,
    "tries": tries,
    "masks": whole_masks,
    "starting": starting,
    "languages": real_files,
    "broken": broken_files,
    "checking": checking_a_tree,
    "peers": beside,
    "other files": other_files_beside,
    "decoding": tokens_a_second,
    "candidates": several_candidates,
    "stalls": answering,
    "installation": hosting.from_nothing,
    "embedded": hosting.embedded_by_the_clock,
    "speeds": hosting.by_the_clock,
}
"""Name → what measures it."""
