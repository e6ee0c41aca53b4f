"""OpenAI's `/v1/completions` with token ids, as vLLM answers it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dovetail.model.engines.connection import Question
from dovetail.model.engines.form import TokenRun

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dovetail.model.engines.form import AskedText

_MARK = "token_id:"
"""Stands before the id where a token would be spelt, which is not always possible."""

_MOST_SCORED = 128
"""The most ids of `logprob_token_ids`."""


class OpenAiForm:
    """Asks vLLM, and whatever else answers with token ids in vLLM's way."""

    title = "OpenAI's form with token ids"
    most_scored = _MOST_SCORED

    def __init__(self, model: str) -> None:
        self._model = model

    def run(self, asked: AskedText, count: int, best: int) -> Question:
        """Return the question for a run of tokens."""
        return Question("/v1/completions", self._body(asked, count, best))

    def read_run(self, answer: Any) -> TokenRun:
        """Return the run of an answer."""
        [choice] = answer["choices"]
        told = choice["logprobs"]
        tokens = choice.get("token_ids")
        if tokens is None:
            tokens = [_id(text) for text in told["tokens"]]
        rows = tuple(tuple((_id(text), score) for text, score in row.items()) for row in told["top_logprobs"])
        return TokenRun(tuple(tokens[: len(rows)]), rows, choice["text"])

    def scores(self, asked: AskedText, tokens: Sequence[int], best: tuple[int, float]) -> Question:
        """Return the question for the scores of some tokens."""
        return Question("/v1/completions", {**self._body(asked, 1, 1), "logprob_token_ids": list(tokens)})

    def read_scores(self, answer: Any, tokens: Sequence[int], best: tuple[int, float]) -> Mapping[int, float]:
        """Return the scores of an answer."""
        [row] = self.read_run(answer).rows
        wanted = set(tokens)
        return {token: score for token, score in row if token in wanted}

    def _body(self, asked: AskedText, count: int, best: int) -> dict[str, Any]:
        return {
            "model": self._model,
            "prompt": list(asked.tokens),
            "max_tokens": count,
            "temperature": 0,
            "logprobs": best,
            # An end is a token like others: what comes after it is not used, but what else might come in its place.
            "ignore_eos": True,
            "return_token_ids": True,
            "return_tokens_as_token_ids": True,
            "add_special_tokens": False,
        }


def _id(text: str) -> int:
    if not text.startswith(_MARK):
        raise ValueError("a token without its id")
    return int(text[len(_MARK) :])
