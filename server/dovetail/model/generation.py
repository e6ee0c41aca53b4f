"""The text that a hosted model is writing: tokens read once, their keys and values kept in a cache."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

import torch
from transformers import DynamicCache

from dovetail.model.distribution import Distribution
from dovetail.model.products import grouped_attention

if TYPE_CHECKING:
    from collections.abc import Sequence

    from transformers import PreTrainedModel


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
        """Begin after a prompt; what `before` has read of it is taken over, and that text is over."""
        assert prompt, "a model cannot be asked with nothing"
        self._model = model
        self._left_out = left_out  # (vocabulary), True for ids without a meaning
        self._ends = ends  # (ends), the ids that end a text
        self._tokens = list(prompt)
        self._read: list[int] = []
        """The tokens in the cache: those of the text as far as it was read, or others after some place."""
        self._agreed = 0
        """The length of the common beginning of the two lists."""
        self._cache: Any = None
        self._rows: torch.Tensor | None = None
        """Logits after each of the tokens that were read last, shape (rows, vocabulary or more)."""
        self._next: Distribution | None = None
        """The ranking of the next token, where it was asked for already."""
        self._keeps_last = _keeps_last(type(model))
        if before is not None:
            self._take_over(before)

    def ranked(self, count: int) -> list[tuple[int, float]]:
        """Return the `count` likeliest next tokens with their natural log-probabilities, likeliest first.

        Padding and holes of the vocabulary are left out, so there may be fewer than `count`.
        """
        return self.distribution().ranked(count)

    def nucleus(self, temperature: float, top_p: float) -> list[tuple[int, float]]:
        """Return the fewest likeliest tokens that have the probability `top_p`, with log-probabilities at it."""
        return self.distribution().nucleus(temperature, top_p)

    def scores(self, tokens: Sequence[int]) -> list[float]:
        """Return the natural log-probabilities of some next tokens; minus infinity for what means nothing."""
        return self.distribution().scores(tokens)

    def ending(self) -> float:
        """Return the natural log-probability that the text ends here."""
        return self.distribution().ending()

    def distribution(self) -> Distribution:
        """Return the distribution of the next token."""
        if self._next is None:
            if not self._is_read():
                self._forward(())
            assert self._rows is not None
            row = self._rows[len(self._tokens) - len(self._read) - 1]
            self._next = Distribution(row, self._left_out, self._ends)
        return self._next

    def feed(self, token: int) -> None:
        """Append a token to the text; it is read when the next ranking is asked for."""
        assert 0 <= token < len(self._left_out), token
        if self._agreed == len(self._tokens) < len(self._read) and self._read[self._agreed] == token:
            self._agreed += 1
        self._tokens.append(token)
        self._next = None

    def rewind(self, count: int) -> None:
        """Take back the last `count` tokens that were fed."""
        if count:
            del self._tokens[-count:]
            self._agreed = min(self._agreed, len(self._tokens))
            self._next = None

    def start(self, draft: Sequence[int] = ()) -> None:
        """Begin to read what was fed, and with it a guess of the tokens to come."""
        if not self._is_read():
            self._forward(draft)

    def read_beside(self, tokens: Sequence[int], depths: Sequence[int], mask: torch.Tensor) -> list[Distribution]:
        """Read tokens of several texts that go on from this one, and return what comes after each of them.

        `depths`: the place of each behind the end of this text, from 1. `mask`: which of the tokens that were read
        beside this text each looks at, with itself, shape (tokens, tokens so read): 0 for those, minus infinity for
        all others. All look at this text. It lasts until something is fed to this text.
        """
        assert self._agreed == len(self._tokens) <= len(self._read), "the text itself is read"
        try:
            return self._read_beside(tokens, depths, mask)
        except BaseException:
            self._lose()
            raise

    def _is_read(self) -> bool:
        """Return whether what comes next is known."""
        drafted = len(self._read) - len(self._tokens)
        return self._agreed == len(self._tokens) and self._rows is not None and 0 <= drafted < len(self._rows)

    def _forward(self, draft: Sequence[int]) -> None:
        """Read the tokens that are new, and a draft after them; nothing was read if that fails."""
        try:
            self._read_on(draft)
        except BaseException:
            self._lose()
            raise

    def _lose(self) -> None:
        """Forget everything that was read."""
        self._read, self._cache, self._rows, self._agreed = [], None, None, 0

    @torch.inference_mode()
    def _read_on(self, draft: Sequence[int]) -> None:
        if self._cache is not None and not _can_crop(self._cache):
            draft = ()  # such a cache cannot take a wrong draft back
        self._forget(len(self._read) - min(self._agreed, len(self._tokens) - 1))
        new = [*self._tokens[len(self._read) :], *draft]
        options = {"logits_to_keep": 1 + len(draft)} if self._keeps_last else {}
        answer = self._model(
            input_ids=torch.tensor([new], device=self._model.device),  # (1, new tokens)
            past_key_values=_whole_cache(self._model) if self._cache is None else self._cache,
            use_cache=True,
            **options,
        )
        self._rows = answer.logits[0, -1 - len(draft) :]
        self._read += new
        self._agreed = len(self._tokens)
        # Without a cache the model reads everything again next time; the rows of this time are valid.
        self._cache = getattr(answer, "past_key_values", None)

    @torch.inference_mode()
    def _read_beside(self, tokens: Sequence[int], depths: Sequence[int], mask: torch.Tensor) -> list[Distribution]:
        device, length = self._model.device, len(self._tokens)
        before = torch.zeros(len(tokens), length)
        with grouped_attention(self._model):
            answer = self._model(
                input_ids=torch.tensor([list(tokens)], device=device),  # (1, new tokens)
                position_ids=torch.tensor([[length - 1 + depth for depth in depths]], device=device),
                # Already in the form that the layers add to their scores: (1, 1, new tokens, all tokens)
                attention_mask=torch.cat([before, mask], dim=1).to(device, self._model.dtype)[None, None],
                past_key_values=self._cache,
                use_cache=True,
            )
        self._cache = answer.past_key_values
        # No token is -1, so no text takes over what is read here.
        self._read += [-1] * len(tokens)
        return [Distribution(row, self._left_out, self._ends) for row in answer.logits[0]]

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
