"""The form in which an engine is asked: for a run of tokens ahead, and for the log-probabilities of a few tokens.

TokenRun     what an engine answers: the tokens that it wrote, and the likeliest ones at the place of each
EngineForm   one kind of engine: the questions that it takes, and how its answers are read
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from dovetail.model.failure import EngineError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dovetail.model.engines.connection import Question

Row = tuple[tuple[int, float], ...]
"""The likeliest tokens at one place with their natural log-probabilities, likeliest first."""

_ROUNDING = 1e-3
"""A log-probability may be so much above 0, since engines compute with few bits."""


class TokenRun(NamedTuple):
    """Tokens that an engine wrote, the likeliest at each place."""

    tokens: tuple[int, ...]
    rows: tuple[Row, ...]
    """For each token the likeliest ones at its place."""
    text: str
    """The text of the tokens as the engine tells it; special ones may be left out."""


class AskedText(NamedTuple):
    """The text after which an engine is asked, and who asks."""

    tokens: Sequence[int]
    document: str | None
    """The document of the text; an engine with slots keeps what it read by it."""


class EngineForm(Protocol):
    """One kind of engine."""

    title: str
    """The kind, for people to read."""
    most_scored: int
    """The most tokens of one question for scores; 0 if the engine cannot be asked for any."""

    def run(self, asked: AskedText, count: int, best: int) -> Question:
        """Return the question for `count` likeliest tokens in a row, with the `best` likeliest at each place."""

    def read_run(self, answer: Any) -> TokenRun:
        """Return the run of an answer; raises an exception of any kind for an answer of another form."""

    def scores(self, asked: AskedText, tokens: Sequence[int], best: tuple[int, float]) -> Question:
        """Return the question for the log-probabilities of some next tokens; `best`: the likeliest, with its own."""

    def read_scores(self, answer: Any, tokens: Sequence[int], best: tuple[int, float]) -> Mapping[int, float]:
        """Return the log-probabilities of an answer; raises as `read_run` does."""


def read_run(form: EngineForm, answer: Any, url: str) -> TokenRun:
    """Return the run of an answer that makes sense; raises EngineError for all others."""
    try:
        run = form.read_run(answer)
        rows = tuple(tuple(sorted(row, key=_by_rank)) for row in run.rows)
        sound = len(run.tokens) == len(rows) > 0 and all(rows) and all(map(_is_sound, rows))
    except Exception as error:  # an answer may have any form
        raise _nonsense(url) from error
    if not sound or not all(isinstance(token, int) and token >= 0 for token in run.tokens):
        raise _nonsense(url)
    return run._replace(rows=rows)


def read_scores(
    form: EngineForm, answer: Any, tokens: Sequence[int], best: tuple[int, float], url: str
) -> dict[int, float]:
    """Return the log-probabilities of an answer that makes sense; raises EngineError for all others."""
    try:
        found = dict(form.read_scores(answer, tokens, best))
        sound = _is_sound(tuple(found.items()))
    except Exception as error:  # an answer may have any form
        raise _nonsense(url) from error
    if not sound:
        raise _nonsense(url)
    return found


def _by_rank(pair: tuple[int, float]) -> tuple[float, int]:
    return -pair[1], pair[0]


def _is_sound(row: Sequence[tuple[int, float]]) -> bool:
    """Return whether a row holds tokens, each once, with what may be log-probabilities."""
    if not all(isinstance(token, int) and token >= 0 for token, _ in row):
        return False
    if not all(isinstance(score, float | int) and score <= _ROUNDING for _, score in row):
        return False  # NaN is not below anything
    return len({token for token, _ in row}) == len(row)


def _nonsense(url: str) -> EngineError:
    return EngineError(f"{url} answers what is no row of tokens with their log-probabilities")
