"""A model's distribution over the next token: rankings and scores of it, each worked out when it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from dovetail.model.failure import NoNumbersError

if TYPE_CHECKING:
    from collections.abc import Sequence

_FEW = 64
"""So much of a ranking is worked out in one go: more is seldom asked for."""


class Distribution:
    """The natural log-probabilities of all next tokens; minus infinity for ids that mean nothing."""

    __slots__ = ("_best", "_ends", "_left_out", "_logits", "_scores")

    def __init__(self, logits: torch.Tensor, left_out: torch.Tensor, ends: torch.Tensor) -> None:
        """Take logits, shape (vocabulary or more), whether ids mean nothing, (vocabulary), and the ends, (ends)."""
        # Most of what is read of a wrong draft is never asked for.
        self._logits = logits
        self._left_out = left_out
        self._ends = ends
        self._scores: torch.Tensor | None = None
        self._best: tuple[list[tuple[int, float]], float] | None = None
        """The first few of the ranking and the score of an end, where the two were asked for already."""

    def ranked(self, count: int) -> list[tuple[int, float]]:
        """Return the `count` likeliest tokens with their log-probabilities, likeliest first.

        Padding and holes of the vocabulary are left out, so there may be fewer than `count`.
        """
        if count <= _FEW:
            return self._few()[0][:count]
        row = self._row
        values, tokens = torch.topk(row, min(count, len(row)))
        return _pairs(tokens, values)

    def nucleus(self, temperature: float, top_p: float) -> list[tuple[int, float]]:
        """Return the fewest likeliest tokens that have the probability `top_p`, with log-probabilities at it."""
        scores = torch.log_softmax(self._row / temperature, dim=-1)  # (vocabulary)
        values, tokens = torch.sort(scores, descending=True, stable=True)
        before = values.exp().cumsum(0) - values.exp()  # (vocabulary), the probability of all likelier tokens
        # If one token is nearly certain, rounding makes the sum 1 before all tokens are counted.
        kept = len(values) if top_p >= 1 else max(1, int((before < top_p).sum()))
        return _numbered(_pairs(tokens[:kept], values[:kept]))

    def scores(self, tokens: Sequence[int]) -> list[float]:
        """Return the log-probabilities of some tokens; minus infinity for what means nothing."""
        if not tokens:
            return []
        found: list[float] = self._row[torch.tensor(tokens, device=self._left_out.device)].tolist()
        return found

    def ending(self) -> float:
        """Return the log-probability that the text ends here."""
        return self._few()[1]

    @property
    def _row(self) -> torch.Tensor:
        """The log-probabilities, shape (vocabulary)."""
        if self._scores is None:
            self._scores = _log_probabilities(self._logits, self._left_out)
        return self._scores

    def _few(self) -> tuple[list[tuple[int, float]], float]:
        if self._best is None:
            row = self._row
            values, tokens = torch.topk(row, min(_FEW, len(row)))
            end = torch.logsumexp(row[self._ends], dim=0, keepdim=True) if len(self._ends) else values[:1] - torch.inf
            # One transfer instead of three: each transfer from a device waits for all work before it.
            # Numbers of tokens are exact in float32 up to 16 million.
            *numbers, ending = torch.cat([tokens.float(), values, end]).tolist()
            half = len(numbers) // 2
            pairs = zip(map(int, numbers[:half]), numbers[half:], strict=True)
            self._best = _numbered([(token, value) for token, value in pairs if value != -torch.inf]), ending
        return self._best


@torch.inference_mode()
def _log_probabilities(logits: torch.Tensor, left_out: torch.Tensor) -> torch.Tensor:
    # Half precision may overflow: a token whose score is no number is not proposed.
    logits = logits[: len(left_out)].float()
    scores = torch.log_softmax(logits.masked_fill(left_out | ~logits.isfinite(), -torch.inf), dim=-1)
    # If no token has a score, softmax gives no number for any of them.
    return scores.masked_fill(scores.isnan(), -torch.inf)


def _pairs(tokens: torch.Tensor, values: torch.Tensor) -> list[tuple[int, float]]:
    """Return tokens and scores of a ranking without those that have none."""
    pairs = zip(tokens.tolist(), values.tolist(), strict=True)
    return [(token, value) for token, value in pairs if value != -torch.inf]


def _numbered(pairs: list[tuple[int, float]]) -> list[tuple[int, float]]:
    """Return the ranking; raise NoNumbersError if no score of it is a number."""
    if not pairs or pairs[0][1] != pairs[0][1]:
        raise NoNumbersError("no score of any token is a number")
    return pairs
