"""The constraint as a logits processor for `model.generate(...)` of the transformers library.

    processor = QuotientLogitsProcessor(language, tokenizer, [(left, right)])
    model.generate(prompt, logits_processor=LogitsProcessorList([processor]), max_new_tokens=64)

Greedy search, sampling and beam search; batches with a different place for each prompt. One processor serves one call
of `generate`.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import torch
from transformers import LogitsProcessor

from dovetail.masking.mask import Masker, unpack
from dovetail.vocabulary.vocabulary import read_vocabulary

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from dovetail import Language, State

_Key = tuple[int, tuple[int, ...]]
"""A place of the batch, and the tokens that were generated there."""


class QuotientLogitsProcessor(LogitsProcessor):
    """Masks the scores of tokens after which the text of a row cannot become a program in its place.

    The library runs it before its warpers, so the scores are masked before they are cut to the likeliest (`top_k`,
    `top_p`): a nucleus is one of the tokens that fit. `dovetail.decoding` differs: it takes the nucleus of the model's
    own distribution and draws from the part of it that fits.

    An end is allowed exactly where the text is a program. A text that `max_new_tokens` cuts may not be one; ask
    `is_program`.

    Left out on purpose: token healing (a prompt should end where a token ends) and closing within a budget, both of
    which need more than a mask.
    """

    def __init__(
        self,
        language: Language,
        tokenizer: Any,
        contexts: Sequence[tuple[str, str]],
        *,
        ends: Iterable[int] = (),
    ) -> None:
        """Prepare for a batch of prompts, each at a place between a left and a right text.

        `tokenizer`: a fast one of the transformers library, whose `tokenizer.json` is byte-level or SentencePiece;
        raises `VocabularyError` for another. `ends`: ids that end a text besides those of the tokenizer.
        """
        self._language = language
        self._description = json.loads(tokenizer.backend_tokenizer.to_str())
        self._given_ends = [end for end in (tokenizer.eos_token_id, *ends) if end is not None]
        self._vocabulary = read_vocabulary(self._description, ends=self._given_ends)
        self._masker: Masker | None = None
        self._starts: list[State] = [language.quotient(left, right).start for left, right in contexts]
        self._prompt: int | None = None  # tokens of the padded prompts
        # (place, tokens) → the state after them, None for what does not fit; of this step's rows and the last one's.
        self._states: dict[_Key, State | None] = {}

    def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        """Return the scores, with minus infinity for tokens that do not fit.

        Shapes: `input_ids` (rows, tokens so far), `scores` (rows, vocabulary). The rows are those of the batch in
        order, each as many times as there are beams or sequences.
        """
        rows, size = scores.shape
        if self._masker is None or len(self._vocabulary.pieces) != size:
            # Logits are often padded to more than the tokenizer has.
            self._vocabulary = read_vocabulary(self._description, size, self._given_ends)
            self._masker = Masker(self._language, self._vocabulary)
        if self._prompt is None:
            self._prompt = input_ids.shape[1]
        if rows % len(self._starts):
            raise ValueError(f"{rows} rows are not a multiple of the {len(self._starts)} places that were given.")
        beams = rows // len(self._starts)
        states: dict[_Key, State | None] = {}
        allowed = torch.ones(rows, size, dtype=torch.bool)  # (rows, vocabulary)
        for row, tokens in enumerate(input_ids[:, self._prompt :].tolist()):
            if not self._vocabulary.ends.isdisjoint(tokens):
                continue  # it has ended; what pads it is the library's affair
            key = row // beams, tuple(tokens)
            state = states[key] = self._state(key)
            if state is not None:
                allowed[row] = self._fitting(self._masker, state, size)
            # A beam search fills up with beams of no likelihood at all where fewer tokens fit than it has beams.
        self._states = states
        return scores.masked_fill(~allowed.to(scores.device), -torch.inf)

    def is_program(self, place: int, tokens: Sequence[int]) -> bool:
        """Return whether generated tokens, up to the first end, make a program at a place of the batch."""
        stop = next((count for count, token in enumerate(tokens) if token in self._vocabulary.ends), len(tokens))
        state = self._state((place, tuple(tokens[:stop])))
        return state is not None and state.accepting

    def _state(self, key: _Key) -> State | None:
        """Return the state after the tokens of a row; that of the step before is mostly known."""
        place, tokens = key
        known = len(tokens)
        while known and (place, tokens[:known]) not in self._states:
            known -= 1
        state = self._states.get((place, tokens[:known])) if known else self._starts[place]
        for token in tokens[known:]:
            piece = self._vocabulary.pieces[token]
            state = state.advance(piece) if state is not None and piece is not None else None
        return state

    def _fitting(self, masker: Masker, state: State, size: int) -> torch.Tensor:
        """Return which tokens fit, (vocabulary); the ends if no token fits and the text is not a program."""
        fitting = torch.from_numpy(unpack(masker.mask(state))[:size].copy())  # (vocabulary)
        if state.accepting or not bool(fitting.any()):
            fitting[sorted(self._vocabulary.ends)] = True
        return fitting
