"""The vocabulary of a GGUF file, read from its metadata.

llama.cpp's own keys hold the tokens as text, and say of each what it is. `tokenizer.huggingface.json` holds a whole
`tokenizer.json`; `dovetail convert` writes it, since the pattern by which a tokenizer cuts text into words has no key
of its own there.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from dovetail.vocabulary.vocabulary import VocabularyError, read_vocabulary

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dovetail.model.gguf_file import GgufFile
    from dovetail.vocabulary.vocabulary import Vocabulary

DESCRIPTION = "tokenizer.huggingface.json"
"""The key of a whole `tokenizer.json`."""

_ENDS = ("tokenizer.ggml.eos_token_id", "tokenizer.ggml.eot_token_id", "tokenizer.ggml.eom_token_id")

NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED = 1, 2, 3, 4, 5
"""The kind of a token, as `tokenizer.ggml.token_type` has it."""

_BYTE_LEVEL, _SENTENCE_PIECE = "gpt2", "llama"


def read_description(file: GgufFile) -> dict[str, Any]:
    """Return a tokenizer's description as a `tokenizer.json` has it, complete if `is_whole`.

    Raises VocabularyError for a tokenizer of another kind, or damaged metadata.
    """
    whole = file.metadata.get(DESCRIPTION)
    try:
        if whole is not None:
            description: dict[str, Any] = json.loads(whole)
            return description
        return _from_tokens(file.metadata)
    except (TypeError, ValueError, KeyError, IndexError) as error:
        if isinstance(error, VocabularyError):
            raise
        raise VocabularyError("The description of its tokenizer is damaged.") from error


def is_whole(file: GgufFile) -> bool:
    """Return whether the description has everything that encoding text needs."""
    return DESCRIPTION in file.metadata


def adds_blank(file: GgufFile) -> bool:
    """Return whether llama.cpp puts a blank before each text that it encodes."""
    metadata = file.metadata
    is_sentence_piece = metadata.get("tokenizer.ggml.model") == _SENTENCE_PIECE
    return bool(metadata.get("tokenizer.ggml.add_space_prefix", is_sentence_piece))


def vocabulary_of(file: GgufFile, description: Mapping[str, Any], size: int) -> Vocabulary:
    """Return the vocabulary of a model with `size` tokens; raises VocabularyError."""
    ends = [file.metadata[key] for key in _ENDS if isinstance(file.metadata.get(key), int)]
    return read_vocabulary(description, size, ends)


def _from_tokens(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return the description that llama.cpp's own keys give: tokens and what they are, no rules for encoding."""
    kind = metadata.get("tokenizer.ggml.model")
    if kind not in (_BYTE_LEVEL, _SENTENCE_PIECE):
        raise VocabularyError(
            f"The tokenizer ({kind or 'of no type'}) is neither byte-level nor SentencePiece, "
            "so its tokens cannot be read as bytes. Use a model with one of these tokenizers."
        )
    texts = metadata["tokenizer.ggml.tokens"]
    types = metadata.get("tokenizer.ggml.token_type") or [NORMAL] * len(texts)
    added = [
        {"id": token, "content": text, "special": types[token] != USER_DEFINED}
        for token, text in enumerate(texts)
        if types[token] in (UNKNOWN, CONTROL, USER_DEFINED)
    ]
    if kind == _BYTE_LEVEL:
        # Added tokens are written as they read, all others in the alphabet of bytes.
        spelt = {text: token for token, text in enumerate(texts) if types[token] == NORMAL}
        return {"model": {"type": "BPE", "vocab": spelt}, "decoder": {"type": "ByteLevel"}, "added_tokens": added}
    spelt = {text: token for token, text in enumerate(texts) if types[token] != UNUSED}
    return {"model": {"type": "BPE", "vocab": spelt}, "decoder": {"type": "Metaspace"}, "added_tokens": added}
