"""Token ids and their bytes, for every kind of tokenizer that is read."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.vocabulary.tokenizers_of_all_kinds import (
    TEXTS,
    byte_level,
    described,
    sentence_piece_blanks,
    sentence_piece_pairs,
    sentence_piece_unigram,
)
from tokenizers import Tokenizer, models

from dovetail.vocabulary.vocabulary import VocabularyError, plain_description, read_vocabulary

KINDS = {
    "byte-level": byte_level(),
    "pairs": sentence_piece_pairs(),
    "blanks": sentence_piece_blanks(),
    "unigram": sentence_piece_unigram(),
}


def plain_tokenizer(description: dict[str, Any]) -> Tokenizer:
    """Return the tokenizer that encodes nothing but text, as models are hosted with."""
    tokenizer = Tokenizer.from_str(json.dumps(plain_description(description)))
    tokenizer.encode_special_tokens = True
    return tokenizer


PLAIN = {name: plain_tokenizer(description) for name, description in KINDS.items()}
VOCABULARIES = {name: read_vocabulary(description) for name, description in KINDS.items()}

every_kind = pytest.mark.parametrize("kind", KINDS)

# SentencePiece writes a blank as this mark, so it cannot write the mark.
texts = st.text(st.characters(exclude_characters="▁", exclude_categories=["Cs"])) | st.text(
    st.sampled_from(" \n\tdefreturn()éx0☃\u0301")
)


def spelled(kind: str, text: str) -> bytes:
    pieces = [VOCABULARIES[kind].pieces[token] for token in PLAIN[kind].encode(text).ids]
    assert None not in pieces, pieces
    return b"".join(piece or b"" for piece in pieces)


@every_kind
@given(texts)
def test_pieces_spell_what_was_encoded(kind: str, text: str) -> None:
    """The pieces of an encoded text are the text, byte for byte, with nothing put before or composed."""
    assert spelled(kind, text) == text.encode()


@every_kind
@pytest.mark.parametrize("text", TEXTS)
def test_pieces_spell_programs(kind: str, text: str) -> None:
    """Programs with indentation, tabs and characters beyond ASCII are spelled by their pieces."""
    assert spelled(kind, text) == text.encode()


def test_added_tokens_keep_their_numbers() -> None:
    """Text that is a token of its own after special ones is that token, with the bytes of its name."""
    description = byte_level()
    first = 1 + max(token["id"] for token in description["added_tokens"])
    for token, name, special in ((first, "<|im_start|>", True), (first + 1, "<tool_call>", False)):
        description["added_tokens"].append({
            "id": token, "content": name, "special": special,
            "single_word": False, "lstrip": False, "rstrip": False, "normalized": False,
        })  # fmt: skip

    tokens = plain_tokenizer(description).encode("a<tool_call>b<|im_start|>", add_special_tokens=False).ids

    pieces = read_vocabulary(description).pieces
    assert first + 1 in tokens
    assert b"".join(pieces[token] or b"?" for token in tokens) == b"a<tool_call>b<|im_start|>"


def test_a_run_of_blanks_is_blanks() -> None:
    """Gemma's runs of blanks are pieces and added tokens as well; both are spelt with marks, and mean blanks."""
    tokens = PLAIN["blanks"].encode("    def", add_special_tokens=False).ids

    assert VOCABULARIES["blanks"].pieces[tokens[0]] == b"    "


def test_text_that_reads_like_a_special_token_is_text() -> None:
    """The plain tokenizer recognises no special token, however it was marked."""
    text = "x = '<fim_prefix><|endoftext|><|fim_hole|>'"
    tokens = PLAIN["byte-level"].encode(text).ids

    assert not set(tokens) & set(VOCABULARIES["byte-level"].specials.values())
    assert spelled("byte-level", text) == text.encode()


def test_special_tokens_have_ids_and_no_bytes() -> None:
    """Special tokens, and control tokens that are not marked as such, are named and spell nothing."""
    vocabulary = VOCABULARIES["byte-level"]

    assert set(vocabulary.specials) == {
        "<|endoftext|>",
        "<fim_prefix>",
        "<fim_suffix>",
        "<fim_middle>",
        "<|fim_hole|>",
    }
    assert [vocabulary.pieces[token] for token in vocabulary.specials.values()] == [None] * 5
    assert vocabulary.ends == {vocabulary.specials["<|endoftext|>"]}


def test_added_text_is_text() -> None:
    """An added token that is not special spells its content."""
    added = {token["content"]: token["id"] for token in KINDS["byte-level"]["added_tokens"]}

    assert VOCABULARIES["byte-level"].pieces[added["        "]] == b"        "


def test_sentence_piece_bytes_and_blanks() -> None:
    """A byte token is its byte, a mark is a blank, and control pieces are special without being added."""
    vocabulary = VOCABULARIES["unigram"]
    place = {text: token for token, (text, _) in enumerate(KINDS["unigram"]["model"]["vocab"])}

    assert vocabulary.pieces[place["<0x0A>"]] == b"\n"
    assert vocabulary.pieces[place["<0xE2>"]] == b"\xe2"
    assert vocabulary.pieces[place["▁def"]] == b" def"
    assert vocabulary.specials == {"<unk>": 0, "</s>": 1}
    assert vocabulary.ends == {1}


def test_padding_and_holes_have_no_bytes() -> None:
    """Ids that the model has and the tokenizer does not are None, and a model may have fewer ids."""
    description = byte_level()
    count = len(VOCABULARIES["byte-level"].pieces)
    hole = description["model"]["vocab"].pop("def", None) or description["model"]["vocab"].pop("a")

    padded = read_vocabulary(description, count + 7)

    assert padded.pieces[hole] is None
    assert padded.pieces[count:] == (None,) * 7
    assert len(read_vocabulary(description, 100).pieces) == 100


def test_ends_come_from_names_and_from_the_configuration() -> None:
    """Besides the well-known names, special ids that the configuration gives end a text; others do not."""
    description = byte_level()
    named = read_vocabulary(description).specials
    a_letter = description["model"]["vocab"]["a"]

    vocabulary = read_vocabulary(description, ends=[named["<|fim_hole|>"], a_letter, 10_000])

    assert vocabulary.ends == {named["<|endoftext|>"], named["<|fim_hole|>"]}


@pytest.mark.parametrize("model", [models.WordPiece({"[UNK]": 0}), models.BPE({"a": 0}, [])])
def test_other_tokenizers_are_refused(model: Any) -> None:
    """A tokenizer whose tokens are not bytes of the text is refused with one sentence."""
    with pytest.raises(VocabularyError, match="neither byte-level nor SentencePiece"):
        read_vocabulary(described(Tokenizer(model)))
