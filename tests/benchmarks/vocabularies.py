"""Vocabularies of the sizes that models have, learnt once from the sources at hand and kept outside the repository.

Texts are split before pairs are learnt as the code models of these sizes split theirs, so the tokens are of the same
kinds: words with the blank before them, runs of marks with the newline after them, runs of blanks. That of 16k is
split as the embedded model's own, which is smaller and comes as it is. What they lack is other languages: few of
their tokens end inside a character.
"""

from __future__ import annotations

import json
import sysconfig
import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers

import dovetail
from dovetail.model.tokenizer import train_tokenizer
from dovetail.vocabulary.vocabulary import Vocabulary, read_vocabulary

if TYPE_CHECKING:
    from collections.abc import Iterator

SIZES = {"16k": 16_000, "49k": 49_152, "152k": 151_936}
"""Those that have to be learnt: name → tokens."""
EMBEDDED = "embedded"
NAMES = (EMBEDDED, *SIZES)

_EMBEDDED = Path(dovetail.__file__).parent / "model" / "embedded" / "tokenizer.json"
_SOURCES = Path(sysconfig.get_path("stdlib")), Path(sysconfig.get_path("purelib"))
_LARGEST = 2_000_000  # bytes of a file; larger ones are tables
_MOST = 90_000_000  # bytes in all; what is learnt hardly changes beyond
_RARE = {"49k": 8, "152k": 3}  # a pair that is met less often makes no token

_WORDS = r"[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"


def _steps(name: str) -> list[pre_tokenizers.PreTokenizer]:
    """Return how texts are split: digits apart and GPT-2's pattern, or marks that take the newline along."""
    if name == "49k":
        return [
            pre_tokenizers.Digits(individual_digits=True),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True),
        ]
    return [
        pre_tokenizers.Split(Regex(_WORDS), "isolated"),
        pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
    ]


def _texts() -> Iterator[str]:
    """Yield the sources at hand, at most so many bytes of them; the order is fixed."""
    total = 0
    for folder in _SOURCES:
        for path in sorted(folder.rglob("*.py")):
            if folder is _SOURCES[0] and "site-packages" in path.parts:
                continue
            data = path.read_bytes()
            total += len(data)
            if total > _MOST:
                return
            if len(data) <= _LARGEST:
                yield data.decode(errors="ignore")


def _learn(name: str) -> Tokenizer:
    if name == "16k":
        return train_tokenizer(_texts(), SIZES[name])
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(_steps(name))
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=SIZES[name],
        min_frequency=_RARE[name],
        special_tokens=["<|endoftext|>", "<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>", "<|fim_pad|>"],
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    tokenizer.train_from_iterator(_texts(), trainer)
    return tokenizer


@cache
def tokenizer(name: str) -> Tokenizer:
    """Return a tokenizer by its size, learning it first (minutes) where that was not done before."""
    if name == EMBEDDED:
        return Tokenizer.from_file(str(_EMBEDDED))
    kept = platformdirs.user_cache_path("dovetail") / "benchmarks" / f"tokenizer-{name}.json"
    if not kept.exists():
        learnt = _learn(name).to_str()
        kept.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=kept.parent, suffix=".part", delete=False, encoding="utf-8") as part:
            part.write(learnt)
        Path(part.name).replace(kept)
    return Tokenizer.from_file(str(kept))


@cache
def vocabulary(name: str) -> Vocabulary:
    """Return the vocabulary of a size; ids that no token was learnt for are padding."""
    size = tokenizer(name).get_vocab_size() if name == EMBEDDED else SIZES[name]
    return read_vocabulary(json.loads(tokenizer(name).to_str()), size)
