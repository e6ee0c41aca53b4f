"""Tokens that were encoded once are those that a fresh encoding gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dovetail.model.dataset import encode, load_dataset, save_dataset
from dovetail.model.sources import SourceFile

if TYPE_CHECKING:
    from pathlib import Path

    from tokenizers import Tokenizer

    from dovetail.model.sources import Corpus

TEXTS = st.text(st.one_of(st.sampled_from("ab_. \t\n\r\f()\x1c\x85\u2028é日1"), st.characters(codec="utf-8")))


def plain(tokenizer: Tokenizer, text: str) -> list[int]:
    tokens: list[int] = tokenizer.encode(text, add_special_tokens=False).ids
    return tokens


@given(TEXTS, st.integers(0), st.integers(0, 40))
def test_parts_are_encoded_as_if_alone(tokenizer: Tokenizer, text: str, place: int, most: int) -> None:
    """The tokens of either side are those of that side's text, wherever a text is cut."""
    place %= len(text) + 1
    dataset = encode([SourceFile("before", "p", "x = 1\n", 1.0), SourceFile("it", "p", text, 1.0)], tokenizer)
    left, right = plain(tokenizer, text[:place]), plain(tokenizer, text[place:])

    assert dataset.left(1, place, most) == left[max(0, len(left) - most) :]
    assert dataset.right(1, place, most) == right[:most]


def test_a_real_file_is_cut_anywhere(corpus: Corpus, tokenizer: Tokenizer) -> None:
    """In a file of the standard library too."""
    dataset = encode(corpus.training, tokenizer)
    text = dataset.documents[0].text
    for place in range(0, len(text), 97):
        assert dataset.left(0, place, 10**6) == plain(tokenizer, text[:place])
        assert dataset.right(0, place, 10**6) == plain(tokenizer, text[place:])


def test_a_data_set_is_saved_as_it_is(corpus: Corpus, tokenizer: Tokenizer, tmp_path: Path) -> None:
    """Documents and tokens come back from a folder, newlines and unusual characters included."""
    strange = SourceFile("strange", "p", "é = '日'\r\nx\r\x0c\n", 0.5)
    dataset = encode([*corpus.training, strange], tokenizer)
    save_dataset(dataset, tmp_path)
    loaded = load_dataset(tmp_path, tokenizer)

    assert loaded.documents == [*corpus.training, strange]
    for number, document in enumerate(loaded.documents):
        assert loaded.right(number, 0, 10**6) == dataset.right(number, 0, 10**6) == plain(tokenizer, document.text)


def test_no_documents_are_a_data_set_too(tokenizer: Tokenizer, tmp_path: Path) -> None:
    """An empty held-out part is saved and loaded like anything else."""
    save_dataset(encode([], tokenizer), tmp_path)

    assert not load_dataset(tmp_path, tokenizer).documents


def test_a_data_set_cut_short_is_refused(corpus: Corpus, tokenizer: Tokenizer, tmp_path: Path) -> None:
    """Files that lack their ends are not taken for the whole."""
    save_dataset(encode(corpus.training, tokenizer), tmp_path)
    tokens = tmp_path / "tokens.bin"
    tokens.write_bytes(tokens.read_bytes()[:-2])

    with pytest.raises(ValueError, match="mmap"):
        load_dataset(tmp_path, tokenizer)
