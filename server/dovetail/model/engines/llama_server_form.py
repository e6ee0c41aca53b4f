"""llama.cpp's server: OpenAI's `/v1/completions` with ids in its own way.

The server gives the likeliest tokens only. The scores of others are found by raising them: with the same large bias
on some tokens and none on the rest, the probabilities after sampling are those of these tokens alone. Beside a token
whose log-probability is known, that gives theirs.
"""

from __future__ import annotations

import math
import os
import zlib
from typing import TYPE_CHECKING, Any

from dovetail.model.engines.connection import Question
from dovetail.model.engines.form import TokenRun

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dovetail.model.engines.form import AskedText

_MOST_SCORED = 1023
"""Tokens that are raised in one question, beside the likeliest: some 100 KB of text there and back, about 20 ms."""

_BIAS = 1000.0
"""Added to the logits of what is raised; no logit of the others comes near."""


class LlamaServerForm:
    """Asks llama.cpp's server."""

    title = "llama.cpp's server"
    most_scored = _MOST_SCORED

    def __init__(self, model: str, slots: int = 1) -> None:
        """Ask for a model; the server keeps what it read in so many slots."""
        self._model = model
        self._slots = max(1, slots)

    def run(self, asked: AskedText, count: int, best: int) -> Question:
        """Return the question for a run of tokens."""
        return Question("/v1/completions", {**self._body(asked, count), "temperature": 0, "logprobs": best})

    def read_run(self, answer: Any) -> TokenRun:
        """Return the run of an answer."""
        [choice] = answer["choices"]
        places = choice["logprobs"]["content"]
        rows = tuple(tuple((entry["id"], entry["logprob"]) for entry in place["top_logprobs"]) for place in places)
        return TokenRun(tuple(place["id"] for place in places), rows, choice["text"])

    def scores(self, asked: AskedText, tokens: Sequence[int], best: tuple[int, float]) -> Question:
        """Return the question for the scores of some tokens."""
        raised = {best[0]: _BIAS, **dict.fromkeys(tokens, _BIAS)}
        body = {
            **self._body(asked, 1),
            "logit_bias": [[token, bias] for token, bias in raised.items()],
            "logprobs": len(raised),
            "post_sampling_probs": True,
            "samplers": [],
            "temperature": 1,
            "ignore_eos": False,  # an end may be the likeliest token, beside which the others are measured
        }
        return Question("/v1/completions", body)

    def read_scores(self, answer: Any, tokens: Sequence[int], best: tuple[int, float]) -> Mapping[int, float]:
        """Return the scores of an answer."""
        [choice] = answer["choices"]
        [place] = choice["logprobs"]["content"]
        shares = {entry["id"]: entry["prob"] for entry in place["top_probs"]}
        known, wanted = best[1] - math.log(shares[best[0]]), set(tokens)
        # A share too small for the server's numbers is 0.
        return {token: known + math.log(share) for token, share in shares.items() if token in wanted and share > 0}

    def _body(self, asked: AskedText, count: int) -> dict[str, Any]:
        # Always the same slot for a document: the one that holds what was read of it. Another server process of the
        # same user counts from another number, so that two windows with the same file do not meet by necessity.
        slot = zlib.crc32(f"{os.getpid()} {asked.document}".encode()) % self._slots
        return {
            "model": self._model,
            "prompt": list(asked.tokens),
            "max_tokens": count,
            "cache_prompt": True,
            "id_slot": slot,
            "ignore_eos": True,
        }
