"""A GGUF model that llama.cpp runs, as a proposer of tokens.

Each text has a sequence of llama.cpp's memory, so that a token is read once. There are few sequences: the text that
was used longest ago gives its own up, and reads again what it had read if it is asked once more.
"""

from __future__ import annotations

import weakref
from collections import OrderedDict
from typing import TYPE_CHECKING

import numpy as np

from dovetail.model.encoding import PlainEncoder, encoder_of
from dovetail.model.error import ModelError
from dovetail.model.gguf_file import TYPES, GgufError, read_gguf
from dovetail.model.gguf_vocabulary import adds_blank, is_whole, read_description, vocabulary_of
from dovetail.model.llama_context import MOST_ROWS, LlamaContext
from dovetail.model.llama_library import LibraryMissingError, version
from dovetail.model.runtimes.llama_generation import LlamaGeneration
from dovetail.model.runtimes.llama_rows import LlamaBatch, LlamaRow
from dovetail.vocabulary.vocabulary import VocabularyError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from dovetail.decoding.formats import PromptForm
    from dovetail.model.gguf_file import GgufFile
    from dovetail.vocabulary.vocabulary import Vocabulary

_WINDOW = 2048
"""The window of a model that names no longest input, in tokens."""

_MOST_WINDOW = 8192
"""The largest window that is used; reading more costs more time than it helps."""

_DOCUMENTS = 4
"""Documents of which keys and values are kept."""

_MOST_MEMORY = 512 * 2**20
"""Bytes that the keys and values of all sequences may take, as long as there are two of them."""

_FEWEST_ROWS = 3
"""Sequences without which texts are written in turn: two texts at least, beside one of another document."""

_GUARD = b"\n"
"""Stands before a text to which llama.cpp adds a blank; its tokens are taken off, and the blank with them."""


class LlamaModel:
    """A language model that proposes tokens, one text at a time."""

    def __init__(
        self,
        name: str,
        numbers: str,
        context: LlamaContext,
        encode: Callable[[str], list[int]],
        vocabulary: Vocabulary,
        window: int,
    ) -> None:
        self.name = name
        self.numbers = numbers
        self.vocabulary = vocabulary
        self.window = window
        self.encode = PlainEncoder(encode, vocabulary)
        self.form: PromptForm | None = None
        """The form in which it is asked; None for the likeliest by its special tokens."""
        self.context = context
        self.ends = np.array(sorted(vocabulary.ends), dtype=np.intp)
        meant = set(vocabulary.specials.values()) | vocabulary.ends
        self._left_out = np.array(
            [token for token, piece in enumerate(vocabulary.pieces) if piece is None and token not in meant],
            dtype=np.intp,
        )
        self._last: OrderedDict[str, LlamaGeneration] = OrderedDict()
        self._owners: OrderedDict[int, weakref.ref[LlamaGeneration] | None]
        self._owners = OrderedDict.fromkeys(range(context.sequences))
        """Sequence → the text that it holds, the one used longest ago first."""

    def begin(self, prompt: Sequence[int], document: str | None = None) -> LlamaGeneration:
        """Return the text that continues a prompt.

        `document`: what was read for the last prompt of the same document is taken over, as far as it is the same.
        """
        if document is None:
            return LlamaGeneration(self, prompt)
        generation = LlamaGeneration(self, prompt, self._last.pop(document, None))
        self._last[document] = generation
        if len(self._last) > _DOCUMENTS:
            self._last.popitem(last=False)
        return generation

    def forget(self, document: str) -> None:
        """Let go of what was read for a document."""
        self._last.pop(document, None)

    def claim(self, generation: LlamaGeneration) -> int:
        """Return the sequence of a text; one that has none gets one that no text uses, or the one used longest ago."""
        if generation.sequence is None:
            sequence = next((place for place, owner in self._owners.items() if owner is None or owner() is None), None)
            if sequence is None:
                sequence = next(iter(self._owners))
                owner = self._owners[sequence]
                before = owner() if owner is not None else None
                assert before is not None, "a sequence without a text would have been found above"
                before.give_up()
            self.context.take_back(sequence, 0)
            generation.sequence = sequence
            self._owners[sequence] = weakref.ref(generation)
        self._owners.move_to_end(generation.sequence)
        return generation.sequence

    def hand_over(self, before: LlamaGeneration, after: LlamaGeneration) -> None:
        """Give the sequence of one text to another."""
        after.sequence = before.sequence
        if after.sequence is not None:
            self._owners[after.sequence] = weakref.ref(after)

    def begin_batch(self, prompt: Sequence[int], document: str | None = None) -> LlamaRow | None:
        """Return the first row of a batch after a prompt; None if there is no room for several texts.

        `document` means the same as for `begin`.
        """
        if self.context.sequences < _FEWEST_ROWS or not self.context.can_take_back:
            return None
        return LlamaRow(LlamaBatch(self), self.begin(prompt, document))

    def read_together(self, texts: Sequence[LlamaGeneration], drafts: Sequence[Sequence[int]]) -> None:
        """Read what is new of some texts, each with a draft after it, in one pass; nothing was read if that fails."""
        try:
            # A draft is a guess, so it gives way where there is no room for the logits of all.
            room = MOST_ROWS // len(texts) - 1
            parts = [text.part_to_read(draft[:room]) for text, draft in zip(texts, drafts, strict=True)]
            for text, part, logits in zip(texts, parts, self.context.read_parts(parts), strict=True):
                text.take_in(part, logits)
        except BaseException:
            for text in texts:
                self.release(text)
            raise

    def copy(self, text: LlamaGeneration, other: LlamaGeneration) -> None:
        """Give a new text a copy of what the sequence of another holds."""
        assert text.sequence is not None, "only what was read is copied"
        self._owners.move_to_end(text.sequence)  # so that it is not the one that is given up for the copy
        self.context.copy(text.sequence, self.claim(other))

    def let_go(self, text: LlamaGeneration) -> None:
        """Free the sequence of a text that is over, unless it is kept for its document."""
        if not any(kept is text for kept in self._last.values()):
            self.release(text)

    def release(self, generation: LlamaGeneration) -> None:
        """Forget what was read for a text."""
        if generation.sequence is not None:
            self.context.take_back(generation.sequence, 0)
            self._owners[generation.sequence] = None
        generation.give_up()

    def known(self, logits: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return logits, changed in place, without those that mean nothing and those that are no numbers."""
        logits[:, self._left_out] = -np.inf
        if not np.isfinite(logits.max(axis=-1)).all():
            logits[~np.isfinite(logits)] = -np.inf
        return logits


def host_gguf(path: Path, name: str, *, cpu: bool = False) -> LlamaModel:
    """Load the model of a GGUF file; raises `ModelError` and MemoryError. `cpu`: leave other devices alone."""
    try:
        file = read_gguf(path)
        description = read_description(file)
        window = min(int(file.of_architecture("context_length", _WINDOW)), _MOST_WINDOW)
        context = LlamaContext(path, window, _sequences(file, window), cpu=cpu)
        vocabulary = vocabulary_of(file, description, context.size)
    except GgufError as error:
        raise ModelError(f"The file {path} cannot be loaded ({error}): take another copy of the model.") from error
    except VocabularyError as error:
        raise ModelError(f"The model {path} cannot be hosted: {error}") from error
    except LibraryMissingError as error:
        raise ModelError(
            f"The model {path} needs llama.cpp, but {error}: pip install dovetail again, or choose a model in "
            "safetensors and pip install 'dovetail[torch]'."
        ) from error
    encode = encoder_of(description) if is_whole(file) else _library_encoder(context, blank=adds_blank(file))
    numbers = f"{_types(file)} on {'cpu' if context.on_cpu else 'gpu'}, {version()}"
    return LlamaModel(name, numbers, context, encode, vocabulary, window)


def _sequences(file: GgufFile, window: int) -> int:
    """Return for how many texts there is room."""
    heads = file.of_architecture("attention.head_count", 1)
    key_heads = file.of_architecture("attention.head_count_kv", heads)
    layers = int(file.of_architecture("block_count", 1))
    of_all = int(sum(key_heads)) if isinstance(key_heads, list) else int(key_heads) * layers
    most_heads = max(heads) if isinstance(heads, list) else heads
    width = int(file.of_architecture("embedding_length", 1)) // max(1, most_heads)
    of_head = sum(int(file.of_architecture(f"attention.{part}_length", width)) for part in ("key", "value"))
    taken = 2 * of_all * of_head * window  # bytes of a text
    return max(2, min(_DOCUMENTS + 1, _MOST_MEMORY // max(1, taken)))


def _types(file: GgufFile) -> str:
    """Return the name of the type that most of a file's numbers have."""
    sizes: dict[str, int] = {}
    for tensor in file.tensors.values():
        name = TYPES[tensor.type][0] if tensor.type in TYPES else f"type {tensor.type}"
        sizes[name] = sizes.get(name, 0) + (tensor.size or 0)
    return max(sizes, key=lambda name: sizes[name], default="nothing")


def _library_encoder(context: LlamaContext, *, blank: bool) -> Callable[[str], list[int]]:
    """Return llama.cpp's own encoder; `blank`: it puts one before each text, which is taken off again."""
    guard = context.tokenize(_GUARD) if blank else []

    def encode(text: str) -> list[int]:
        if not blank:
            return context.tokenize(text.encode())
        tokens = context.tokenize(_GUARD + text.encode())
        # In a vocabulary with tokens that go on after a newline the blank stays, which costs little.
        return tokens[len(guard) :] if tokens[: len(guard)] == guard else context.tokenize(text.encode())

    return encode
