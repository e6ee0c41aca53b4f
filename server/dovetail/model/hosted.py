"""A causal language model of the transformers library, as a proposer of tokens.

Weights are read from safetensors only, and no code that comes with a model is run.
"""

from __future__ import annotations

import inspect
import json
import re
from collections import OrderedDict
from typing import TYPE_CHECKING, Any

import torch
from tokenizers import Tokenizer
from transformers import AutoModelForCausalLM, AutoTokenizer, DynamicCache

from dovetail.model.device import choose_device, choose_dtype
from dovetail.model.error import ModelError, first_line
from dovetail.model.fault import NoNumbersError, fault_of
from dovetail.model.quiet import no_bars
from dovetail.vocabulary.vocabulary import VocabularyError, plain_description, read_vocabulary

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from transformers import PreTrainedModel

    from dovetail.vocabulary.vocabulary import Vocabulary

_WINDOW = 2048
"""The window of a model whose configuration names no longest input, in tokens."""

_MOST_WINDOW = 8192
"""The largest window that is used; reading more costs more time than it helps."""

_FEW = 64
"""So much of a ranking is worked out in one go: more is seldom asked for."""

_DOCUMENTS = 4
"""Documents of which keys and values are kept; those of a long prompt may take hundreds of megabytes."""


class HostedGeneration:
    """One text that a hosted model is writing; each token is read once, its keys and values are kept."""

    def __init__(
        self,
        model: PreTrainedModel,
        prompt: Sequence[int],
        left_out: torch.Tensor,
        ends: torch.Tensor,
        before: HostedGeneration | None = None,
    ) -> None:
        """Begin behind a prompt; what `before` has read of it is taken over, and that text is over."""
        assert prompt, "a model cannot be asked with nothing"
        self._model = model
        self._left_out = left_out  # (vocabulary), True for ids that mean nothing
        self._ends = ends  # (ends), the ids that end a text
        self._tokens = list(prompt)
        self._read: list[int] = []
        """The tokens in the cache: those of the text as far as it was read, or others behind some place."""
        self._agreed = 0
        """The length of the common beginning of the two lists."""
        self._cache: Any = None
        self._rows: torch.Tensor | None = None
        """Log-probabilities after each of the tokens that were read last, shape (rows, vocabulary)."""
        self._best: tuple[list[tuple[int, float]], float] | None = None
        """The first few of the ranking and the score of an end, where the two were asked for already."""
        self._keeps_last = _keeps_last(type(model))
        if before is not None:
            self._take_over(before)

    def ranked(self, count: int) -> list[tuple[int, float]]:
        """Return the `count` likeliest next tokens with their natural log-probabilities, likeliest first.

        Padding and holes of the vocabulary are left out, so there may be fewer than `count`.
        """
        if count <= _FEW:
            return self._few()[0][:count]
        values, tokens = torch.topk(self._row(), min(count, len(self._left_out)))
        return _pairs(tokens, values)

    def nucleus(self, temperature: float, top_p: float) -> list[tuple[int, float]]:
        """Return the fewest likeliest tokens that have the probability `top_p`, with log-probabilities at it."""
        scores = torch.log_softmax(self._row() / temperature, dim=-1)  # (vocabulary)
        values, tokens = torch.sort(scores, descending=True, stable=True)
        before = values.exp().cumsum(0) - values.exp()  # (vocabulary), what the likelier ones have together
        # Beside a token that is nearly certain the sum is 1 long before all have been counted.
        kept = len(values) if top_p >= 1 else max(1, int((before < top_p).sum()))
        return _numbered(_pairs(tokens[:kept], values[:kept]))

    def scores(self, tokens: Sequence[int]) -> list[float]:
        """Return the natural log-probabilities of some next tokens; minus infinity for what means nothing."""
        if not tokens:
            return []
        places = torch.tensor(tokens, device=self._left_out.device)
        found: list[float] = self._row()[places].tolist()
        return found

    def ending(self) -> float:
        """Return the natural log-probability that the text ends here."""
        return self._few()[1]

    def feed(self, token: int) -> None:
        """Append a token to the text; it is read when the next ranking is asked for."""
        assert 0 <= token < len(self._left_out), token
        if self._agreed == len(self._tokens) < len(self._read) and self._read[self._agreed] == token:
            self._agreed += 1
        self._tokens.append(token)
        self._best = None

    def rewind(self, count: int) -> None:
        """Take back the last `count` tokens that were fed."""
        if count:
            del self._tokens[-count:]
            self._agreed = min(self._agreed, len(self._tokens))
            self._best = None

    def start(self, draft: Sequence[int] = ()) -> None:
        """Begin to read what was fed, and with it a guess of the tokens to come."""
        if not self._is_read():
            self._forward(draft)

    def _few(self) -> tuple[list[tuple[int, float]], float]:
        if self._best is None:
            row = self._row()
            values, tokens = torch.topk(row, min(_FEW, len(row)))
            end = torch.logsumexp(row[self._ends], dim=0, keepdim=True) if len(self._ends) else values[:1] - torch.inf
            # One transfer instead of three: on a device each waits for all that was asked before.
            # Numbers of tokens are exact in float32 up to 16 million.
            *numbers, ending = torch.cat([tokens.float(), values, end]).tolist()
            half = len(numbers) // 2
            pairs = zip(map(int, numbers[:half]), numbers[half:], strict=True)
            self._best = _numbered([(token, value) for token, value in pairs if value != -torch.inf]), ending
        return self._best

    def _row(self) -> torch.Tensor:
        """Return the log-probabilities of the next token, (vocabulary)."""
        if not self._is_read():
            self._forward(())
        assert self._rows is not None
        row: torch.Tensor = self._rows[len(self._tokens) - len(self._read) - 1]
        return row

    def _is_read(self) -> bool:
        """Return whether what comes next is known."""
        behind = len(self._read) - len(self._tokens)
        return self._agreed == len(self._tokens) and self._rows is not None and 0 <= behind < len(self._rows)

    def _forward(self, draft: Sequence[int]) -> None:
        """Read the tokens that are new, and a draft behind them; nothing was read if that fails."""
        try:
            self._read_on(draft)
        except BaseException:
            self._read, self._cache, self._rows, self._agreed = [], None, None, 0
            raise

    @torch.inference_mode()
    def _read_on(self, draft: Sequence[int]) -> None:
        if self._cache is not None and not _can_crop(self._cache):
            draft = ()  # to take a wrong one back would mean to read everything again
        self._forget(len(self._read) - min(self._agreed, len(self._tokens) - 1))
        new = [*self._tokens[len(self._read) :], *draft]
        options = {"logits_to_keep": 1 + len(draft)} if self._keeps_last else {}
        answer = self._model(
            input_ids=torch.tensor([new], device=self._model.device),  # (1, new tokens)
            past_key_values=_whole_cache(self._model) if self._cache is None else self._cache,
            use_cache=True,
            **options,
        )
        logits = answer.logits[0, -1 - len(draft) :, : len(self._left_out)].float()  # (rows, vocabulary)
        # Half precision may overflow: what has no number is not proposed.
        logits = logits.masked_fill(self._left_out | ~logits.isfinite(), -torch.inf)
        scores = torch.log_softmax(logits, dim=-1)  # (rows, vocabulary)
        # Where nothing at all has a number, the sum of none is not one either.
        self._rows = scores.masked_fill(scores.isnan(), -torch.inf)
        self._read += new
        self._agreed = len(self._tokens)
        # A model without such a cache reads everything again; the rows that it gave are still good.
        self._cache = getattr(answer, "past_key_values", None)

    def _forget(self, count: int) -> None:
        """Take the last `count` tokens that were read out of the cache, or all where it has no such way."""
        if self._cache is None:
            count = len(self._read)
        elif count and not _can_crop(self._cache):
            self._cache, count = None, len(self._read)
        elif count:
            self._cache.crop(-count)
        del self._read[len(self._read) - count :]
        self._agreed = min(self._agreed, len(self._read))

    def _take_over(self, before: HostedGeneration) -> None:
        """Go on with another text's cache, as far as that has read the same."""
        for token, read in zip(self._tokens, before._read, strict=False):
            if token != read:
                break
            self._agreed += 1
        self._read, self._cache = before._read, before._cache
        before._read, before._cache, before._rows, before._agreed = [], None, None, 0


class HostedModel:
    """A language model that proposes tokens, one text at a time."""

    def __init__(self, name: str, model: PreTrainedModel, tokenizer: Tokenizer, vocabulary: Vocabulary) -> None:
        self.name = name
        self.numbers = _numbers(model)
        self.vocabulary = vocabulary
        longest = getattr(model.config, "max_position_embeddings", None) or _WINDOW
        self.window = min(longest, _MOST_WINDOW)
        self._model = model
        self._tokenizer = tokenizer
        meant = set(vocabulary.specials.values()) | vocabulary.ends
        self._left_out = torch.tensor(
            [piece is None and token not in meant for token, piece in enumerate(vocabulary.pieces)],
            device=model.device,
        )
        self._ends = torch.tensor(sorted(vocabulary.ends), dtype=torch.long, device=model.device)
        self._last: OrderedDict[str, HostedGeneration] = OrderedDict()

    def encode(self, text: str) -> list[int]:
        """Return the tokens of a plain text; what looks like a special token stays text."""
        tokens = self._encode(text)
        if any(map(self._is_special, tokens)):
            # A SentencePiece vocabulary holds control tokens among its pieces; in two parts they are text.
            tokens = [token for part in self._parts(text) for token in self._encode(part)]
        return [token for token in tokens if not self._is_special(token)]

    def begin(self, prompt: Sequence[int], document: str | None = None) -> HostedGeneration:
        """Return the text that continues a prompt.

        `document`: what was read for the last prompt of the same document is taken over, as far as it is the same.
        """
        if document is None:
            return HostedGeneration(self._model, prompt, self._left_out, self._ends)
        before = self._last.pop(document, None)
        generation = HostedGeneration(self._model, prompt, self._left_out, self._ends, before)
        self._last[document] = generation
        if len(self._last) > _DOCUMENTS:
            self._last.popitem(last=False)
        return generation

    def forget(self, document: str) -> None:
        """Let go of what was read for a document."""
        self._last.pop(document, None)

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


def host(source: str, name: str, *, local: bool, device: str | None = None) -> HostedModel:
    """Load what a folder or hub name holds; raises `ModelError`, and what torch raises for want of memory.

    `local`: never go to the network for it. `device`: None for the fastest.
    """
    options: dict[str, Any] = {"local_files_only": local, "trust_remote_code": False}
    try:
        with no_bars():
            tokenizer = AutoTokenizer.from_pretrained(source, **options)
            model: Any = AutoModelForCausalLM.from_pretrained(source, use_safetensors=True, **options)
    except Exception as error:  # of files that are damaged their readers say so by exceptions of their own
        if fault_of(error) is not None:
            raise  # that is no mistake of the user's
        raise ModelError(_refusal(source, local, error)) from error
    if not hasattr(tokenizer, "backend_tokenizer"):
        raise ModelError(f"The model {source} has no tokenizer.json: choose a model that has.")
    description = json.loads(tokenizer.backend_tokenizer.to_str())
    size = model.get_output_embeddings().weight.shape[0]
    known = tokenizer.backend_tokenizer.get_vocab_size(with_added_tokens=False)
    if known > size:
        raise ModelError(
            f"The model {source} has {size:,} tokens and its tokenizer {known:,}, so they do not belong together: "
            "take both from one place."
        )
    try:
        vocabulary = read_vocabulary(description, size, _ends(model, tokenizer))
    except VocabularyError as error:
        raise ModelError(f"The model {source} cannot be hosted: {error}") from error
    place = choose_device() if device is None else torch.device(device)
    if not hasattr(model, "hf_quantizer"):
        model.to(choose_dtype(place, model.num_parameters(), model.config.hidden_size))
    plain = Tokenizer.from_str(json.dumps(plain_description(description)))
    plain.encode_special_tokens = True
    return HostedModel(name, model.to(place).eval(), plain, vocabulary)


def _refusal(source: str, local: bool, error: Exception) -> str:
    """Say in one sentence what is wrong with a model, and what to do."""
    place = f"The model in {source}" if local else f"The model {source} of the hub"
    remedy = (
        "the folder needs config.json, tokenizer.json and *.safetensors"
        if local
        else "check the name and the connection, or name a folder"
    )
    return f"{place} cannot be loaded ({first_line(error)}): {remedy}."


def _ends(model: PreTrainedModel, tokenizer: Any) -> list[int]:
    """Return the ids by which configurations say that a text ends."""
    given = [getattr(model.generation_config, "eos_token_id", None), model.config.eos_token_id]
    ends = [tokenizer.eos_token_id]
    for end in given:
        ends += end if isinstance(end, list) else [end]
    return [end for end in ends if end is not None]


def _numbers(model: PreTrainedModel) -> str:
    """Return what the numbers of a model depend on beside its weights, for people."""
    revision = getattr(model.config, "_commit_hash", None)
    made = f"{str(model.dtype).removeprefix('torch.')} on {model.device.type}, torch {torch.__version__}"
    return f"{made}, revision {revision}" if revision else made


def _keeps_last(kind: type[PreTrainedModel]) -> bool:
    """Return whether a model can be asked for its last logits alone, which spares a large product."""
    return "logits_to_keep" in inspect.signature(kind.forward).parameters


def _whole_cache(model: PreTrainedModel) -> Any:
    """Return an empty cache for a model some layers of which look back over a window only; None for all others.

    Their own cache keeps that window and no more, so that it could not forget the tokens read last: it would have to
    read everything again with every draft and every word that is typed. The mask sees to it that they look no further.
    """
    config = model.config
    kinds = set(getattr(config, "layer_types", None) or ())
    slides = getattr(config, "sliding_window", None) is not None and kinds <= {"full_attention", "sliding_attention"}
    return DynamicCache() if slides else None


def _can_crop(cache: Any) -> bool:
    """Return whether a cache can forget its last tokens."""
    if any(getattr(layer, "is_sliding", False) for layer in getattr(cache, "layers", ())):
        return False
    known = getattr(cache, "is_croppable", None)
    if known is not None:
        return bool(known() if callable(known) else known)
    return type(cache).__name__ == "DynamicCache"


def _pairs(tokens: torch.Tensor, values: torch.Tensor) -> list[tuple[int, float]]:
    """Return tokens and scores of a ranking without those that have none."""
    pairs = zip(tokens.tolist(), values.tolist(), strict=True)
    return [(token, value) for token, value in pairs if value != -torch.inf]


def _numbered(pairs: list[tuple[int, float]]) -> list[tuple[int, float]]:
    """Return the ranking; raise NoNumbersError if no score of it is a number."""
    if not pairs or pairs[0][1] != pairs[0][1]:
        raise NoNumbersError("no score of any token is a number")
    return pairs
