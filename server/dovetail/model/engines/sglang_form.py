"""SGLang's own `/generate`: its OpenAI form spells the likeliest tokens instead of naming their ids."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dovetail.model.engines.connection import Question
from dovetail.model.engines.form import Row, TokenRun

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dovetail.model.engines.form import AskedText

_MOST_SCORED = 1024
"""Tokens of one question, which keeps it small."""


class SglangForm:
    """Asks SGLang."""

    title = "SGLang"
    most_scored = _MOST_SCORED

    def run(self, asked: AskedText, count: int, best: int) -> Question:
        """Return the question for a run of tokens."""
        return Question("/generate", {**_body(asked, count), "top_logprobs_num": best})

    def read_run(self, answer: Any) -> TokenRun:
        """Return the run of an answer."""
        told = answer["meta_info"]
        tokens = tuple(token for _, token, *_ in told["output_token_logprobs"])
        return TokenRun(tokens, tuple(map(_row, told["output_top_logprobs"])), answer["text"])

    def scores(self, asked: AskedText, tokens: Sequence[int], best: tuple[int, float]) -> Question:
        """Return the question for the scores of some tokens."""
        return Question("/generate", {**_body(asked, 1), "token_ids_logprob": list(tokens)})

    def read_scores(self, answer: Any, tokens: Sequence[int], best: tuple[int, float]) -> Mapping[int, float]:
        """Return the scores of an answer."""
        [row] = answer["meta_info"]["output_token_ids_logprobs"]
        return dict(_row(row))


def _body(asked: AskedText, count: int) -> dict[str, Any]:
    sampling = {"temperature": 0, "max_new_tokens": count, "ignore_eos": True}
    return {"input_ids": list(asked.tokens), "sampling_params": sampling, "return_logprob": True}


def _row(told: Any) -> Row:
    return tuple((token, score) for score, token, *_ in told)
