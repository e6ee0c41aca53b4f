"""The engine over contexts of growing size: reading them, moving about in them, and writing between them."""

from __future__ import annotations

import ast
import warnings
from typing import TYPE_CHECKING

from tests.benchmarks.contexts import amid
from tests.benchmarks.series import Series

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.benchmarks.contexts import Context

    from dovetail import Language, State
    from dovetail.engine.document import Document

PIECE = 4
"""Characters that one `advance` gets, about a model's token."""

SCREEN = 40
"""Lines."""

COLD, FIRST = "cold quotient", "first answer in a document"
TYPED, BY_LINE, BY_SCREEN = "one typed character", "cursor a line on", "cursor a screen on"
ADVANCE, CLOSING, PARSE = "advance, true middle", "closing", "ast.parse"
ALONE, AMID = "advance, in the context alone", "advance, the same amid other code"
KINDS = (COLD, FIRST, TYPED, BY_LINE, BY_SCREEN, ADVANCE, CLOSING, PARSE)

_CLOSING_EVERY = 5  # pieces


def measure(language: Language, other: Language, contexts: Sequence[Context]) -> dict[str, Series]:
    """Return the durations of each kind over some contexts; every true middle must pass.

    `other` is the same language, and remembers nothing of what the first one reads.
    """
    series = {kind: Series() for kind in KINDS}
    for context in contexts:
        opened = other.document(context.text)
        series[FIRST].time(opened.quotient, len(context.left))
        state = series[COLD].time(_cold, language, context.left, context.right)
        for number, place in enumerate(range(0, len(context.middle), PIECE)):
            following = series[ADVANCE].time(state.advance, context.middle[place : place + PIECE])
            assert following is not None, f"{context.source}: the true middle is refused at {place}"
            state = following
            if number % _CLOSING_EVERY == 0:
                series[CLOSING].time(state.closing)
        series[PARSE].time(_parse, context.text)
        document = language.document(context.text)
        offset = len(context.left)
        document.quotient(offset)
        series[BY_LINE].time(document.quotient, _lines_on(context.text, offset, 1))
        document.quotient(offset)
        series[BY_SCREEN].time(document.quotient, _lines_on(context.text, offset, SCREEN))
        document.quotient(offset)
        series[TYPED].time(_typed, document, offset)
    return series


def measure_same(language: Language, contexts: Sequence[Context], size: int) -> dict[str, Series]:
    """Return the durations of `advance` at cursors, and at the same ones amid programs of about `size` characters."""
    series = {ALONE: Series(), AMID: Series()}
    for context in contexts:
        around = amid(context, size)
        _write(language, context, Series())  # what a language learns of a text by reading it is no matter of sizes
        _write(language, context, series[ALONE])
        _write(language, around, series[AMID])
    return series


def _write(language: Language, context: Context, series: Series) -> None:
    state = language.quotient(context.left, context.right).start
    for place in range(0, len(context.middle), PIECE):
        following = series.time(state.advance, context.middle[place : place + PIECE])
        assert following is not None, f"{context.source}: the true middle is refused at {place}"
        state = following


def _cold(language: Language, left: str, right: str) -> State:
    quotient = language.quotient(left, right)
    assert quotient.viable
    return quotient.start


def _typed(document: Document, offset: int) -> bool:
    document.edit(offset, offset, " ")
    return document.quotient(offset + 1).viable


def _lines_on(text: str, offset: int, count: int) -> int:
    """Return the same column some lines on, as the arrow keys would, or the end of the text."""
    line = text.rfind("\n", 0, offset) + 1
    column, offset = offset - line, line
    for _ in range(count):
        offset = text.find("\n", offset) + 1 or len(text)
    end = text.find("\n", offset)
    return min(offset + column, len(text) if end < 0 else end)


def _parse(text: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ast.parse(text)
