"""Quotients and reports in files of JavaScript and TypeScript that have lost one bracket."""

from __future__ import annotations

import gc
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from tests.benchmarks.languages import file_contexts
from tests.benchmarks.series import Series

import dovetail

if TYPE_CHECKING:
    from collections.abc import Iterator

QUOTIENT, REPORTS = "a quotient", "all reports"

_WARMING = 6
"""Broken files that a language has met before."""
_APART = 3
"""The fewest lines between the cursor and the bracket: near it, the broken line is the cursor's own."""


class Broken(NamedTuple):
    """A file around a cursor, of which one bracket is lost."""

    left: str
    right: str


def broken_files(name: str, seed: int = 1) -> Iterator[Broken]:
    """Yield files of a language without one of their brackets, each with a cursor at the end of another line."""
    language = dovetail.load_language(name)
    random = Random(f"{seed}/{name}/broken")
    for context in file_contexts(name, seed):
        text = context.text
        lines = text.split("\n")
        brackets = [place for place, character in enumerate(text) if character in "()[]{}"]
        if not brackets or not language.accepts(text):
            continue
        lost = random.choice(brackets)
        at = text.count("\n", 0, lost)
        cursors = [line for line, content in enumerate(lines) if content.strip() and abs(line - at) > _APART]
        if cursors:
            lines[at] = _without(lines[at], lost - (text.rfind("\n", 0, lost) + 1))
            cursor = random.choice(cursors)
            yield Broken("\n".join(lines[: cursor + 1]), "".join(f"\n{line}" for line in lines[cursor + 1 :]))


def _without(line: str, place: int) -> str:
    return line[:place] + line[place + 1 :]


def measure(name: str, count: int, seed: int = 1) -> dict[str, Series]:
    """Return how long the quotients, and all reports, of some broken files took."""
    language = dovetail.load_language(name)
    found = broken_files(name, seed)
    for left, right in islice(found, _WARMING):
        _ = language.quotient(left, right).viable
        language.errors(left + right)
    gc.collect()
    gc.freeze()  # as the server does
    quotients, reports = Series(), Series()
    for left, right in islice(found, count):
        quotients.time(lambda left=left, right=right: language.quotient(left, right).viable)
        reports.time(language.errors, left + right)
    gc.unfreeze()
    return {QUOTIENT: quotients, REPORTS: reports}
