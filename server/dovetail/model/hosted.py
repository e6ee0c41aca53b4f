"""A causal language model of the transformers library, as a proposer of tokens.

Weights are read from safetensors only, and no code that comes with a model is run.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import torch
from huggingface_hub import try_to_load_from_cache
from tokenizers import Tokenizer
from transformers import AutoModelForCausalLM, AutoTokenizer

from dovetail.model.batch import HostedRow, TokenTree, can_batch
from dovetail.model.device import choose_device, choose_dtype
from dovetail.model.encoding import PlainEncoder
from dovetail.model.error import ModelError, first_line
from dovetail.model.failure import failure_of
from dovetail.model.generation import HostedGeneration
from dovetail.model.hub import require_reachable
from dovetail.model.products import quicken_output
from dovetail.model.quiet import no_bars
from dovetail.vocabulary.vocabulary import VocabularyError, plain_description, read_vocabulary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from transformers import PreTrainedModel

    from dovetail.decoding.acceptance import Calibration
    from dovetail.decoding.formats import PromptForm
    from dovetail.vocabulary.vocabulary import Vocabulary

_WINDOW = 2048
"""The window of a model whose configuration names no longest input, in tokens."""

_MOST_WINDOW = 8192
"""The largest window that is used; reading more costs more time than it helps."""

_DOCUMENTS = 4
"""Documents of which keys and values are kept; those of a long prompt may take hundreds of megabytes."""


class HostedModel:
    """A language model that proposes tokens, one text at a time."""

    def __init__(self, name: str, model: PreTrainedModel, tokenizer: Tokenizer, vocabulary: Vocabulary) -> None:
        self.name = name
        self.numbers = _numbers(model)
        self.vocabulary = vocabulary
        self.calibration: Calibration | None = None
        """The calibration of its probabilities; None if that was not measured."""
        self.form: PromptForm | None = None
        """The form in which it is asked; None for the likeliest by its special tokens."""
        longest = getattr(model.config, "max_position_embeddings", None) or _WINDOW
        self.window = min(longest, _MOST_WINDOW)
        self._model = model
        self._tokenizer = tokenizer
        self.encode = PlainEncoder(lambda text: tokenizer.encode(text, add_special_tokens=False).ids, vocabulary)
        meant = set(vocabulary.specials.values()) | vocabulary.ends
        self._left_out = torch.tensor(
            [piece is None and token not in meant for token, piece in enumerate(vocabulary.pieces)],
            device=model.device,
        )
        self._ends = torch.tensor(sorted(vocabulary.ends), dtype=torch.long, device=model.device)
        self._last: OrderedDict[str, HostedGeneration] = OrderedDict()
        self._can_batch: bool | None = None
        """True if the model reads trees; None before it was tried."""

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

    def begin_batch(self, prompt: Sequence[int], document: str | None = None) -> HostedRow | None:
        """Return the first row of a batch behind a prompt; None if models of this kind read no trees (`batch.py`).

        `document` means the same as for `begin`.
        """
        if self._can_batch is None:
            self._can_batch = can_batch(self._model, self.window, self.begin)
        return HostedRow(TokenTree(self.begin(prompt, document))) if self._can_batch else None

    def forget(self, document: str) -> None:
        """Let go of what was read for a document."""
        self._last.pop(document, None)


def host(source: str, name: str, *, local: bool, device: str | None = None) -> HostedModel:
    """Load what a folder or hub name holds; raises `ModelError`, and what torch raises for want of memory.

    `local`: never go to the network for it. `device`: None for the fastest.
    """
    try:
        tokenizer, model = _load(source, local)
    except ModelError:
        raise
    except Exception as error:  # each reader of a damaged file raises an exception of its own
        if failure_of(error) is not None:
            raise  # a failure of the machine, not a mistake of the user
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
    model.to(place)
    quicken_output(model)
    plain = Tokenizer.from_str(json.dumps(plain_description(description)))
    plain.encode_special_tokens = True
    return HostedModel(name, model.eval(), plain, vocabulary)


def _load(source: str, local: bool) -> tuple[Any, Any]:
    """Load tokenizer and model; what the hub's cache holds is taken from there, without a look at the hub.

    The libraries ask the hub for one file after the other and each several times, which takes most of a minute without
    a connection. So the hub is asked once before, where it has to be; raises HubError if it does not answer.
    """

    def read(*, local: bool) -> tuple[Any, Any]:
        options: dict[str, Any] = {"local_files_only": local, "trust_remote_code": False}
        with no_bars():
            tokenizer = AutoTokenizer.from_pretrained(source, **options)
            return tokenizer, AutoModelForCausalLM.from_pretrained(source, use_safetensors=True, **options)

    if local:
        return read(local=True)
    if isinstance(try_to_load_from_cache(source, "config.json"), str):
        with suppress(OSError, ValueError):  # a download that was interrupted has left only some of the files
            return read(local=True)
    require_reachable()
    return read(local=False)


def read_tokenizer(folder: str) -> dict[str, Any]:
    """Return the description of a folder's tokenizer as transformers uses it, which may differ from the file's."""
    try:
        tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
        description: dict[str, Any] = json.loads(tokenizer.backend_tokenizer.to_str())
    except Exception as error:  # the library has no type of its own for it
        raise ModelError(_refusal(folder, True, error)) from error
    return description


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
