"""A GGUF model that llama.cpp runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.model.encoding import encoder_of
from dovetail.model.error import ModelError
from dovetail.model.gguf_file import TYPES, GgufError, read_gguf
from dovetail.model.gguf_vocabulary import adds_blank, is_whole, read_description, vocabulary_of
from dovetail.model.llama_context import LlamaContext
from dovetail.model.llama_library import LibraryMissingError, version
from dovetail.model.runtimes.sequence_model import DOCUMENTS, SequenceModel
from dovetail.vocabulary.vocabulary import VocabularyError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from dovetail.model.gguf_file import GgufFile

_WINDOW = 2048
"""The window of a model that names no longest input, in tokens."""

_MOST_WINDOW = 8192
"""The largest window that is used; reading more costs more time than it helps."""

_MOST_MEMORY = 512 * 2**20
"""Bytes that the keys and values of all sequences may take, as long as there are two of them."""

_GUARD = b"\n"
"""Stands before a text to which llama.cpp adds a blank; its tokens are taken off, and the blank with them."""


def host_gguf(path: Path, name: str, *, cpu: bool = False) -> SequenceModel:
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
    return SequenceModel(name, numbers, context, encode, vocabulary, window)


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
    return max(2, min(DOCUMENTS + 1, _MOST_MEMORY // max(1, taken)))


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
