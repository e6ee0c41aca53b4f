"""The tokenizer of the embedded model: byte-level pairs, learnt from the same sources.

Pieces never cross from a word into what follows it, and a newline takes the whole indentation after it along:
a cursor that an editor has indented stands between two tokens.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

PREFIX = "<fim_prefix>"
SUFFIX = "<fim_suffix>"
MIDDLE = "<fim_middle>"
PADDING = "<fim_pad>"
END = "<|endoftext|>"
FILE = "<|file|>"
"""Begins a file, or a piece of one: its path, a newline and its text follow."""
SPECIALS = (END, PREFIX, MIDDLE, SUFFIX, PADDING, FILE)
"""The special tokens, in the order of their ids, from 0."""

_PIECES = "|".join(
    (
        r"[ _.]?\p{L}+",  # a word with the blank, underscore or dot before it
        r"\p{N}{1,3}",
        r" ?[^\s\p{L}\p{N}]+",  # a run of marks
        r"\s*\n[^\S\n]*",  # blank lines, a newline and the indentation after it
        r"[^\S\n]+(?!\S)",
        r"\s+",
    )
)
_LONGEST_PIECE = 32
"""Characters; deep indentation still fits."""


def train_tokenizer(texts: Iterable[str], vocabulary_size: int) -> Tokenizer:
    """Learn byte pairs from texts; at most `vocabulary_size` tokens, the special ones among them."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(_PIECES), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary_size,
        special_tokens=list(SPECIALS),
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        max_token_length=_LONGEST_PIECE,
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    # Training text that spells a special token is text.
    tokenizer.encode_special_tokens = True
    return tokenizer


def with_file_mark(tokenizer: Tokenizer) -> Tokenizer:
    """Return a tokenizer that has the mark of files; the pair that was learnt last makes room for it.

    The number of tokens stays, so a model of the old one may learn the mark. Raises ValueError for a tokenizer without
    pairs.
    """
    if tokenizer.token_to_id(FILE) is not None:
        return tokenizer
    described: dict[str, Any] = json.loads(tokenizer.to_str())
    pairs, vocabulary = described["model"].get("merges"), described["model"]["vocab"]
    if not pairs:
        raise ValueError("it has no pairs of which one could make room for the mark of files")
    pair = pairs.pop()
    token = "".join(pair if isinstance(pair, list) else pair.split(" "))
    number = vocabulary[FILE] = vocabulary.pop(token)
    mark = {"id": number, "content": FILE, "special": True, "normalized": False}
    described["added_tokens"].append({**mark, "single_word": False, "lstrip": False, "rstrip": False})
    changed = Tokenizer.from_str(json.dumps(described))
    changed.encode_special_tokens = True
    return changed


def load_tokenizer(path: Path) -> Tokenizer:
    """Read a saved tokenizer, to be used on plain text; raises OSError or ValueError."""
    text = path.read_text(encoding="utf-8")
    try:
        tokenizer = Tokenizer.from_str(text)
    except Exception as error:  # the library has no type of its own for it
        raise ValueError(str(error)) from error
    tokenizer.encode_special_tokens = True
    return tokenizer
