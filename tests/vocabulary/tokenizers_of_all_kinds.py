"""Small tokenizers of the kinds that models come with, as their descriptions."""

from __future__ import annotations

import json
from typing import Any

from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

TEXTS = (
    "def area(width, height):\n    return width * height\n",
    "for line in lines:\n        print(line, end='')\n",
    "naïve = 'Zürich ☃ 東京'\n\tif x != 0x1F: pass\n",
)

_MARK = {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}
_UNMARK = {"type": "Replace", "pattern": {"String": "▁"}, "content": " "}


def byte_level() -> dict[str, Any]:
    """Return a GPT-2 kind of tokenizer, which puts a blank before texts and composes characters."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.normalizer = normalizers.NFC()
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=300,
        special_tokens=["<|endoftext|>", "<fim_prefix>", "<fim_suffix>", "<fim_middle>"],
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    tokenizer.train_from_iterator(TEXTS, trainer)
    tokenizer.add_tokens([AddedToken("        ", normalized=False), AddedToken("<|fim_hole|>")])
    return described(tokenizer)


def sentence_piece_pairs() -> dict[str, Any]:
    """Return a Llama 2 kind of tokenizer: pairs of marked text, bytes for what it has no character for."""
    pieces = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256))]
    pieces += ["▁", "d", "e", "f", "r", "t", "u", "n", "(", ")", "é", "\n"]
    merges = [("d", "e"), ("de", "f"), ("▁", "▁"), ("▁▁", "▁▁"), ("r", "e"), ("▁", "def")]
    pieces += ["".join(merge) for merge in merges]
    tokenizer = Tokenizer(
        models.BPE(
            {piece: token for token, piece in enumerate(pieces)},
            merges,
            unk_token="<unk>",
            byte_fallback=True,
        )
    )
    tokenizer.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    tokenizer.decoder = decoders.Sequence(
        [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]
    )
    tokenizer.add_special_tokens(["<s>", "</s>", "<unk>", "▁<PRE>", "▁<SUF>", "▁<MID>"])
    return described(tokenizer)


def sentence_piece_blanks() -> dict[str, Any]:
    """Return a Gemma kind of tokenizer, whose runs of blanks are added tokens too."""
    description = sentence_piece_pairs()
    tokenizer = Tokenizer.from_str(json.dumps(description))
    tokenizer.normalizer = normalizers.Replace(" ", "▁")
    tokenizer.add_tokens([AddedToken(blanks, normalized=False) for blanks in ("▁▁", "▁▁▁▁")])
    return described(tokenizer)


def sentence_piece_unigram() -> dict[str, Any]:
    """Return a unigram tokenizer that marks blanks when it splits; its control tokens are mere pieces."""
    pieces = [("<unk>", 0.0), ("</s>", 0.0), *((f"<0x{byte:02X}>", -20.0) for byte in range(256))]
    pieces += [("▁", -2.0), ("▁def", -3.0), ("return", -3.5), ("▁return", -3.0), ("x", -4.0), ("(", -3.0)]
    tokenizer = Tokenizer(models.Unigram(pieces, unk_id=0, byte_fallback=True))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
    tokenizer.decoder = decoders.Sequence([decoders.ByteFallback(), decoders.Metaspace(prepend_scheme="always")])
    return described(tokenizer)


def described(tokenizer: Tokenizer) -> dict[str, Any]:
    """Return what the tokenizer's file would hold."""
    description: dict[str, Any] = json.loads(tokenizer.to_str())
    return description
