"""A causal language model of the transformers library, as a proposer of tokens.

Weights are read from safetensors only, and no code that comes with a model is run.
"""

from __future__ import annotations

import inspect
import json
import re
from typing import TYPE_CHECKING, Any

import torch
from tokenizers import Tokenizer
from transformers import AutoModelForCausalLM, AutoTokenizer

from dovetail.model.device import choose_device, choose_dtype
from dovetail.model.error import ModelError
from dovetail.model.quiet import no_bars
from dovetail.vocabulary.vocabulary import VocabularyError, plain_description, read_vocabulary

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from transformers import PreTrainedModel

    from dovetail.vocabulary.vocabulary import Vocabulary

_WINDOW = 2048
"""What a model is given whose configuration names no longest input."""

_MOST_WINDOW = 8192
"""However much a model takes, to read more than this costs more time than it helps."""


class HostedGeneration:
    """One text that a hosted model is writing; each token is read once, its keys and values are kept."""

    def __init__(self, model: PreTrainedModel, prompt: Sequence[int], left_out: torch.Tensor) -> None:
        assert prompt, "a model cannot be asked with nothing"
        self._model = model
        self._left_out = left_out  # (vocabulary), True for ids that mean nothing
        self._tokens = list(prompt)
        self._read = 0
        """How many of the tokens the cache holds."""
        self._cache: Any = None
        self._scores: torch.Tensor | None = None
        self._options = {"logits_to_keep": 1} if _keeps_last(type(model)) else {}

    def ranked(self, count: int) -> list[tuple[int, float]]:
        """Return the `count` likeliest next tokens with their natural log-probabilities, likeliest first.

        Padding and holes of the vocabulary are left out, so there may be fewer than `count`.
        """
        if self._scores is None:
            self._scores = self._next_scores()
        values, tokens = torch.topk(self._scores, min(count, len(self._scores)))
        pairs = zip(tokens.tolist(), values.tolist(), strict=True)
        return [(token, value) for token, value in pairs if value != -torch.inf]

    def feed(self, token: int) -> None:
        """Append a token to the text; it is read when the next ranking is asked for."""
        assert 0 <= token < len(self._left_out), token
        self._tokens.append(token)
        self._scores = None

    @torch.inference_mode()
    def _next_scores(self) -> torch.Tensor:
        """Read what is new and return the log-probabilities of what comes next."""
        new = torch.tensor([self._tokens[self._read :]], device=self._model.device)  # (1, new tokens)
        answer = self._model(input_ids=new, past_key_values=self._cache, use_cache=True, **self._options)
        # A model without such a cache reads everything again.
        self._cache = getattr(answer, "past_key_values", None)
        self._read = 0 if self._cache is None else len(self._tokens)
        logits = answer.logits[0, -1, : len(self._left_out)].float().cpu()  # (vocabulary)
        # Half precision may overflow: what has no number is not proposed.
        logits[self._left_out | ~logits.isfinite()] = -torch.inf
        scores = torch.log_softmax(logits, dim=-1)  # (vocabulary)
        # Where nothing at all has a number, the sum of none is not one either.
        return scores.masked_fill(scores.isnan(), -torch.inf)


class HostedModel:
    """A language model that proposes tokens, one text at a time."""

    def __init__(
        self, name: str, model: PreTrainedModel, tokenizer: Tokenizer, vocabulary: Vocabulary
    ) -> None:
        self.name = name
        self.vocabulary = vocabulary
        longest = getattr(model.config, "max_position_embeddings", None) or _WINDOW
        self.window = min(longest, _MOST_WINDOW)
        self._model = model
        self._tokenizer = tokenizer
        meant = set(vocabulary.specials.values()) | vocabulary.ends
        self._left_out = torch.tensor(
            [piece is None and token not in meant for token, piece in enumerate(vocabulary.pieces)]
        )

    def encode(self, text: str) -> list[int]:
        """Return the tokens of a plain text; what looks like a special token stays text."""
        tokens = self._encode(text)
        if any(map(self._is_special, tokens)):
            # A SentencePiece vocabulary holds control tokens among its pieces; in two parts they are text.
            tokens = [token for part in self._parts(text) for token in self._encode(part)]
        return [token for token in tokens if not self._is_special(token)]

    def begin(self, prompt: Sequence[int]) -> HostedGeneration:
        """Read a prompt and return the text that continues it."""
        return HostedGeneration(self._model, prompt, self._left_out)

    def _encode(self, text: str) -> list[int]:
        tokens: list[int] = self._tokenizer.encode(text, add_special_tokens=False).ids
        return tokens

    def _is_special(self, token: int) -> bool:
        return token >= len(self.vocabulary.pieces) or self.vocabulary.pieces[token] is None

    def _parts(self, text: str) -> Iterator[str]:
        """Cut a text after the first character of everything that reads like a special token."""
        marks = "|".join(re.escape(name) for name in self.vocabulary.specials if len(name) > 1)
        start = 0
        for match in re.finditer(f"(?={marks})", text):
            yield text[start : match.start() + 1]
            start = match.start() + 1
        yield text[start:]


def host(source: str, name: str, *, local: bool) -> HostedModel:
    """Load what a folder or hub name holds; raises `ModelError`. `local`: never go to the network for it."""
    options: dict[str, Any] = {"local_files_only": local, "trust_remote_code": False}
    try:
        with no_bars():
            tokenizer = AutoTokenizer.from_pretrained(source, **options)
            model: Any = AutoModelForCausalLM.from_pretrained(source, use_safetensors=True, **options)
    except (OSError, ValueError, KeyError, ImportError, RuntimeError) as error:
        raise ModelError(_refusal(source, local, error)) from error
    if not hasattr(tokenizer, "backend_tokenizer"):
        raise ModelError(f"The model {source} has no tokenizer.json: choose a model that has.")
    description = json.loads(tokenizer.backend_tokenizer.to_str())
    try:
        size = model.get_output_embeddings().weight.shape[0]
        vocabulary = read_vocabulary(description, size, _ends(model, tokenizer))
    except VocabularyError as error:
        raise ModelError(f"The model {source} cannot be hosted: {error}") from error
    device = choose_device()
    if not hasattr(model, "hf_quantizer"):
        model.to(choose_dtype(device, model.num_parameters(), model.config.hidden_size))
    plain = Tokenizer.from_str(json.dumps(plain_description(description)))
    return HostedModel(name, model.to(device).eval(), plain, vocabulary)


def _refusal(source: str, local: bool, error: Exception) -> str:
    """Say in one sentence what is wrong with a model, and what to do."""
    reason = next(
        (line.strip(" .:") for line in str(error).splitlines() if line.strip()), type(error).__name__
    )
    place = f"The model in {source}" if local else f"The model {source} of the hub"
    remedy = (
        "the folder needs config.json, tokenizer.json and *.safetensors"
        if local
        else "check the name and the connection, or name a folder"
    )
    return f"{place} cannot be loaded ({reason}): {remedy}."


def _ends(model: PreTrainedModel, tokenizer: Any) -> list[int]:
    """Return the ids by which configurations say that a text ends."""
    given = [getattr(model.generation_config, "eos_token_id", None), model.config.eos_token_id]
    ends = [tokenizer.eos_token_id]
    for end in given:
        ends += end if isinstance(end, list) else [end]
    return [end for end in ends if end is not None]


def _keeps_last(kind: type[PreTrainedModel]) -> bool:
    """Return whether a model can be asked for its last logits alone, which spares a large product."""
    return "logits_to_keep" in inspect.signature(kind.forward).parameters
