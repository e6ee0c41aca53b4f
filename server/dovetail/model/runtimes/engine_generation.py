"""One text that an engine over HTTP writes.

The engine is asked for runs: it writes some tokens by itself, and tells the likeliest ones at each place. As long as
the decoder takes what was written, nothing more is asked. The next run is asked for while the decoder checks this one;
where the decoder takes another token, that question is called off, and the engine is asked anew from there.
"""

from __future__ import annotations

import math
from itertools import accumulate
from typing import TYPE_CHECKING, Protocol

from dovetail.model.failure import NoNumbersError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from dovetail.model.engines.connection import PendingAnswer
    from dovetail.model.engines.form import AskedText, Row, TokenRun
    from dovetail.vocabulary.vocabulary import Vocabulary

AHEAD = 8
"""Tokens of a run: with more the engine writes much that is refused, with fewer it is asked too often."""


class Engine(Protocol):
    """The engine, as its texts see it."""

    vocabulary: Vocabulary
    best: int
    """The likeliest tokens at each place of a run that it tells."""
    most_best: int
    """The most that it tells at one place."""
    most_scored: int
    """The most tokens of which it can be asked for the scores at once."""
    meaningful: int
    """The number of tokens that mean something."""

    def ask_run(self, asked: AskedText, count: int, best: int) -> PendingAnswer:
        """Ask for a run, and return at once."""

    def read_run(self, answer: object) -> TokenRun:
        """Return the run of an answer, without tokens that mean nothing; raises EngineError."""

    def score(
        self, asked: AskedText, tokens: Sequence[int], best: tuple[int, float], wanted: Callable[[], bool] | None
    ) -> dict[int, float]:
        """Return the log-probabilities of some next tokens, of as many as the engine can be asked for."""


class _Waiting:
    """A run that is on its way."""

    def __init__(self, tokens: list[int], answer: PendingAnswer) -> None:
        self.tokens = tokens
        """The text that it follows."""
        self.answer = answer

    def __del__(self) -> None:
        # Whoever dropped the text does not want the run.
        self.answer.call_off()


class EngineGeneration:
    """One text; also a row of a batch, because an engine reads what several texts ask for together by itself."""

    def __init__(self, engine: Engine, asked: AskedText, before: EngineGeneration | None = None) -> None:
        """Begin after the tokens that are asked; what is known `before` of the same text is taken over."""
        assert asked.tokens, "a model cannot be asked with nothing"
        self._engine = engine
        self._asked = asked
        self._tokens = list(asked.tokens)
        self._written: list[int] = []
        """A text as the engine would go on; the rows are known after beginnings of it."""
        self._rows: dict[int, Row] = {}  # length of the beginning → the likeliest tokens after it
        self._scores: dict[int, float] = {}
        """The log-probabilities at the present place that were asked for one by one."""
        self._waiting: _Waiting | None = None
        self._wanted: Callable[[], bool] | None = None
        if before is not None:
            self._written, self._rows, self._waiting = before._written, before._rows, before._waiting
            before._waiting = None
            self._drop_what_differs()

    @property
    def known(self) -> bool:
        """True if the proposals for the next token are known."""
        return self._row_here() is not None

    def wait_while(self, wanted: Callable[[], bool]) -> None:
        """Wait for answers only as long as `wanted` returns True; then what waits raises NotWaitedForError."""
        self._wanted = wanted

    def ranked(self, count: int) -> list[tuple[int, float]]:
        """Return the `count` likeliest next tokens with their natural log-probabilities, likeliest first.

        An engine tells no more than its best ones, so there may be fewer than `count`.
        """
        row = self._row()
        if count > len(row):
            row = self._wide_row()
        if not row:
            raise NoNumbersError("no score of any token is a number")
        return list(row[:count])

    def nucleus(self, temperature: float, top_p: float) -> list[tuple[int, float]]:
        """Return the fewest likeliest tokens that have the probability `top_p`, with log-probabilities at it.

        Tokens that the engine does not tell count for the sum of all probabilities and are not returned.
        """
        found = self._heated(self._row(), temperature)
        if math.fsum(math.exp(score) for _, score in found) < top_p:
            found = self._heated(self._wide_row(), temperature)
        shares = [math.exp(score) for _, score in found]
        before = (total - share for total, share in zip(accumulate(shares), shares, strict=True))
        kept = sum(share < top_p for share in before) if top_p < 1 else len(found)
        return found[: max(1, kept)]

    def scores(self, tokens: Sequence[int]) -> list[float]:
        """Return the natural log-probabilities of some next tokens.

        The engine is asked for those that are not among the likeliest; where these are more than it can be asked for,
        the others get an equal share of the probability that is left.
        """
        if not tokens:
            return []
        known = self._scores | dict(self._row())
        missing = [token for token in tokens if token not in known]
        if len(missing) > self._engine.most_scored:
            known |= dict(self._wide_row())
            missing = [token for token in missing if token not in known]
        if missing:
            found = self._engine.score(self._asked_here(), missing, self._row()[0], self._wanted)
            self._scores |= found
            known |= found
        left = self._share_of_the_rest(known)
        return [known.get(token, left) for token in tokens]

    def ending(self) -> float:
        """Return the natural log-probability that the text ends here; the highest possible one where it is not told."""
        row = self._row()
        known = self._scores | dict(row)
        told = [known[end] for end in self._engine.vocabulary.ends if end in known]
        if told:
            return math.log(math.fsum(map(math.exp, told))) if max(told) > -math.inf else -math.inf
        return min(row[-1][1], _log(1 - math.fsum(math.exp(score) for _, score in row)))

    def feed(self, token: int) -> None:
        """Append a token to the text."""
        assert 0 <= token < len(self._engine.vocabulary.pieces), token
        self._tokens.append(token)
        self._scores = {}

    def rewind(self, count: int) -> None:
        """Take back the last `count` tokens that were fed."""
        if count:
            del self._tokens[-count:]
            self._scores = {}

    def start(self, draft: Sequence[int] = ()) -> None:
        """Ask for the run that is needed next, if it is not on its way: this one, or the one after the known one.

        The draft is of no use: the engine has a guess of its own, which comes with the probabilities.
        """
        self._drop_what_differs()
        if self._waiting is None:
            known = self._row_here() is not None
            self._begin(list(self._written) if known else list(self._tokens))

    def fork(self) -> EngineGeneration:
        """Return another text with the same tokens, and what is known of them."""
        other = EngineGeneration(self._engine, self._asked._replace(tokens=tuple(self._tokens)))
        other._written, other._rows = list(self._written), dict(self._rows)
        if self._wanted is not None:
            other.wait_while(self._wanted)
        return other

    def drop(self) -> None:
        """End the text: what is on its way is called off."""
        self._waiting = None

    def _asked_here(self) -> AskedText:
        return self._asked._replace(tokens=self._tokens)

    def _row_here(self) -> Row | None:
        """Return the likeliest next tokens where they are known."""
        place = len(self._tokens)
        row = self._rows.get(place)
        return row if row is not None and self._written[:place] == self._tokens else None

    def _row(self) -> Row:
        """Return the likeliest next tokens."""
        row = self._row_here()
        if row is not None:
            return row
        self._drop_what_differs()
        if self._waiting is None or self._waiting.tokens != self._tokens:
            self._begin(list(self._tokens))
        waiting = self._waiting
        assert waiting is not None, "a run was asked for"
        self._waiting = None
        run = self._engine.read_run(waiting.answer.wait(self._wanted))
        self._take_in(waiting.tokens, run)
        row = self._row_here()
        assert row is not None, "the run begins here"
        return row

    def _wide_row(self) -> Row:
        """Return as many of the likeliest next tokens as the engine tells at one place."""
        row = self._row()
        most = min(self._engine.most_best, self._engine.meaningful)
        if len(row) >= most or len(row) > self._engine.best:
            return row
        answer = self._engine.ask_run(self._asked_here(), 1, self._engine.most_best)
        wide = self._engine.read_run(answer.wait(self._wanted)).rows[0]
        self._rows[len(self._tokens)] = wide
        return wide

    def _begin(self, tokens: list[int]) -> None:
        """Ask for the run after a text."""
        asked = self._asked._replace(tokens=tokens)
        self._waiting = _Waiting(tokens, self._engine.ask_run(asked, AHEAD, self._engine.best))

    def _take_in(self, tokens: list[int], run: TokenRun) -> None:
        """Take note of a run after a text."""
        if self._written != tokens:
            self._rows = {
                length: row for length, row in self._rows.items() if self._written[:length] == tokens[:length]
            }
        self._written = [*tokens, *run.tokens]
        for place, row in enumerate(run.rows, len(tokens)):
            self._rows.setdefault(place, row)

    def _drop_what_differs(self) -> None:
        """Call off the run that is on its way if it does not follow the text, or what it may become."""
        waiting = self._waiting
        if waiting is not None and waiting.tokens[: len(self._tokens)] != self._tokens:
            self._waiting = None

    def _heated(self, row: Row, temperature: float) -> list[tuple[int, float]]:
        """Return a row with log-probabilities at a temperature, of a distribution that has the other tokens too."""
        heated = [score / temperature for _, score in row]
        others = self._engine.meaningful - len(row)
        rest = others * math.exp(self._share_of_the_rest(dict(row)) / temperature) if others > 0 else 0.0
        total = math.log(math.fsum(map(math.exp, heated)) + rest)
        return [(token, score - total) for (token, _), score in zip(row, heated, strict=True)]

    def _share_of_the_rest(self, known: dict[int, float]) -> float:
        """Return the log-probability of each token that is not known, if all of them are equally likely."""
        others = self._engine.meaningful - len(known)
        if others <= 0:
            return -math.inf
        rest = 1 - math.fsum(map(math.exp, known.values()))
        return min(self._row()[-1][1], _log(rest / others))


def _log(share: float) -> float:
    """Return the logarithm of a share of probability that may be rounded to nothing."""
    return math.log(max(share, 1e-30))
