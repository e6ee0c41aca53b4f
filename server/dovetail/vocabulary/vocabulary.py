"""Token ids and the bytes that they stand for, read from a tokenizer's own description.

The description is the content of a `tokenizer.json`. Two kinds are read. A byte-level vocabulary spells bytes in
GPT-2's alphabet of printable characters. A SentencePiece vocabulary writes a blank as `▁` and a byte that no
character stands for as `<0x0A>`. SentencePiece also puts a blank before each text; that is not a property of the
tokens, and `plain_description` switches it off for encoding.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    _Spelling = Callable[[str], bytes | None]


class VocabularyError(ValueError):
    """The tokens of a tokenizer cannot be read as bytes; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The tokens of one model."""

    pieces: tuple[bytes | None, ...]
    """Token id → its bytes; None for special tokens and holes."""
    specials: Mapping[str, int]
    """Special token → id, as `<fim_prefix>` → 3."""
    ends: frozenset[int]
    """The special tokens by which the model ends a text."""


_CONTROL = re.compile(
    r"<[|｜].*[|｜]>|<(fim|file|repo|pad|mask|unused|reserved)[\w-]*>|<\[[\w▁-]+\]>|▁?<AIX-SPAN-[A-Z]+>|\[[A-Z_]{3,}\]",
    re.DOTALL,
)
"""Added tokens that steer the model although their tokenizer does not mark them as special."""

_CONTROL_PIECES = frozenset({"<s>", "</s>", "<unk>", "<pad>"})

_BYTE = re.compile(r"<0x([0-9A-Fa-f]{2})>")
_BLANK = "▁"

END_NAMES = frozenset(
    {
        "<|endoftext|>",
        "<|end_of_text|>",
        "<|endofmiddle|>",
        "<|eot_id|>",
        "<|im_end|>",
        "<|fim_pad|>",
        "<|file_separator|>",
        "<|file_sep|>",
        "<|repo_name|>",
        "<file_sep>",
        "<filename>",
        "<|im_start|>",
        "<|user|>",
        "<|observation|>",
        "<|EOT|>",
        "<｜end▁of▁sentence｜>",
        "<|end▁of▁sentence|>",
        "<[end▁of▁sentence]>",
        "</s>",
        "<eos>",
        "<EOT>",
        "▁<EOT>",
        "<end_of_turn>",
    }
)
"""The tokens with which well-known models end a text, whatever their configuration says."""


def read_vocabulary(description: Mapping[str, Any], size: int | None = None, ends: Iterable[int] = ()) -> Vocabulary:
    """Return the vocabulary of a tokenizer's description.

    `size`: the number of the model's ids, if it has more than the tokenizer (padding) or fewer.
    `ends`: the ids that end a text by the model's configuration, besides those of well-known names.
    Raises VocabularyError for a tokenizer that is neither byte-level nor SentencePiece.
    """
    spelling = _spelling(description)
    entries = dict(_entries(description["model"]))  # id → the vocabulary's own spelling
    added = {token["id"]: token for token in description.get("added_tokens") or ()}  # id → its description
    count = max((*entries, *added), default=-1) + 1 if size is None else size
    pieces: list[bytes | None] = [None] * count
    for token, text in entries.items():
        if token < count and token not in added:
            pieces[token] = spelling(text)
    specials = {}
    for token, entry in added.items():
        if token >= count:
            continue
        if is_special(entry):
            specials[entry["content"]] = token
        elif token in entries:
            pieces[token] = spelling(entries[token])  # Gemma's runs of blanks are both, spelt with marks
        else:
            pieces[token] = entry["content"].encode()
    if spelling is _sentence_piece:
        # Its control tokens may stand in the vocabulary only; in a byte-level one these spell text.
        for token, text in entries.items():
            if token < count and text in _CONTROL_PIECES:
                specials[text] = token
                pieces[token] = None
    known = frozenset(token for name, token in specials.items() if name in END_NAMES)
    given = frozenset(token for token in ends if 0 <= token < count and pieces[token] is None)
    return Vocabulary(tuple(pieces), MappingProxyType(specials), known | given)


def is_special(added_token: Mapping[str, Any]) -> bool:
    """Return whether an added token steers the model, rather than spelling text."""
    return bool(added_token.get("special")) or _CONTROL.fullmatch(added_token["content"]) is not None


def plain_description(description: Mapping[str, Any]) -> dict[str, Any]:
    """Return the description of a tokenizer that encodes the same text, and nothing but the text.

    It adds no special tokens and no blank, exchanges no character for another, and neither cuts nor pads. All tokens
    that steer the model are marked as special, so that `encode_special_tokens` turns them into text. They are not left
    out, because the library numbers added tokens by their places.
    """
    plain = dict(description)
    plain["added_tokens"] = [
        {**token, "lstrip": False, "rstrip": False, "special": is_special(token)}
        for token in description.get("added_tokens") or ()
    ]
    plain["post_processor"] = plain["truncation"] = plain["padding"] = None
    blanks = [step for step in _steps(description.get("normalizer")) if _marks_blanks(step)]
    plain["normalizer"] = {"type": "Sequence", "normalizers": blanks} if blanks else None
    plain["pre_tokenizer"] = _without_blank(description.get("pre_tokenizer"))
    return plain


def _marks_blanks(step: Mapping[str, Any]) -> bool:
    """Return whether a step of normalization writes each blank as a mark; the others change the text."""
    return (step["type"], step.get("pattern"), step.get("content")) == ("Replace", {"String": " "}, _BLANK)


def _without_blank(step: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Return a pre-tokenizer that puts nothing before a text."""
    if step is None:
        return None
    changed = dict(step)
    if step["type"] == "Sequence":
        changed["pretokenizers"] = [_without_blank(inner) for inner in step["pretokenizers"]]
    elif step["type"] == "Metaspace":
        changed["prepend_scheme"] = "never"
        changed.pop("add_prefix_space", None)
    elif step["type"] == "ByteLevel":
        changed["add_prefix_space"] = False
    return changed


def _entries(model: Mapping[str, Any]) -> Iterator[tuple[int, str]]:
    """Yield the model's ids and spellings; pair models name the id, unigram models count."""
    vocabulary = model["vocab"]
    if isinstance(vocabulary, dict):
        for text, token in vocabulary.items():
            yield token, text
    else:
        for token, (text, _) in enumerate(vocabulary):
            yield token, text


def _spelling(description: Mapping[str, Any]) -> _Spelling:
    """Return the function that reads spellings, chosen by the steps with which the tokenizer decodes and splits."""
    steps = {step["type"] for part in ("decoder", "pre_tokenizer") for step in _steps(description.get(part))}
    model = description.get("model") or {}
    if model.get("type", "BPE") == "BPE" and "ByteLevel" in steps:
        return _byte_level
    marks_blanks = any(
        step["type"] == "Metaspace" or (step["type"] == "Replace" and _BLANK in str(step.get("pattern")))
        for step in _steps(description.get("decoder"))
    )
    if model.get("type", "BPE") in ("BPE", "Unigram") and marks_blanks:
        return _sentence_piece
    raise VocabularyError(
        f"The tokenizer ({model.get('type', 'of no type')}) is neither byte-level nor SentencePiece, "
        "so its tokens cannot be read as bytes. Use a model with one of these tokenizers."
    )


def _steps(step: Mapping[str, Any] | None) -> Iterator[Mapping[str, Any]]:
    """Yield a step, or those of a sequence of steps."""
    if step is None:
        return
    yield step
    for part in ("decoders", "pretokenizers", "normalizers"):
        for inner in step.get(part, ()):
            yield from _steps(inner)


def _byte_level(text: str) -> bytes | None:
    """Return the bytes that a spelling in GPT-2's alphabet stands for, or None if it is not in it."""
    try:
        return bytes([_BYTES[character] for character in text])
    except KeyError:
        return None


def _sentence_piece(text: str) -> bytes | None:
    """Return the bytes of a SentencePiece spelling."""
    byte = _BYTE.fullmatch(text)
    if byte is not None:
        return bytes([int(byte[1], 16)])
    return text.replace(_BLANK, " ").encode()


def _alphabet() -> dict[str, int]:
    """Return GPT-2's alphabet: printable Latin-1 spells itself, the other bytes follow from U+0100 on."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(0x100) if byte not in printable]
    spelled = [chr(byte) for byte in printable] + [chr(0x100 + place) for place in range(len(others))]
    return dict(zip(spelled, printable + others, strict=True))


_BYTES = _alphabet()  # character → byte
