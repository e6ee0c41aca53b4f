"""What the model is shown while it is trained."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from dovetail.model.dataset import encode
from dovetail.model.samples import IGNORED, Row, Sampler, cut
from dovetail.model.tokenizer import END, MIDDLE, PADDING, PREFIX, SPECIALS, SUFFIX

if TYPE_CHECKING:
    from tokenizers import Tokenizer

    from dovetail.model.sources import Corpus

LENGTH = 192


def rows(corpus: Corpus, tokenizer: Tokenizer, count: int) -> list[Row]:
    sampler = Sampler(encode(corpus.training, tokenizer), tokenizer, seed=3)
    return [sampler.row(step, index, LENGTH) for step in range(count // 4) for index in range(4)]


@given(st.text(st.sampled_from("ab \t\n"), min_size=1, max_size=60), st.integers())
def test_a_cut_is_a_part_of_the_text(text: str, seed: int) -> None:
    """Middles start and end inside the text, in this order."""
    start, end = cut(text, random.Random(seed))

    assert 0 <= start <= end <= len(text)


def test_cuts_are_those_of_an_editor() -> None:
    """Most middles stay within a line, many run to its end, and some are a few lines long."""
    text = "".join(f"    name_{line} = call({line})\n" for line in range(40))
    choice = random.Random(5)
    middles = [cut(text, choice) for _ in range(2000)]

    within = sum("\n" not in text[start:end] for start, end in middles) / 2000
    to_the_end = sum(text[end : end + 1] == "\n" for _, end in middles) / 2000

    assert 0.6 < within < 0.9
    assert 0.6 < to_the_end < 0.95
    assert any(text.count("\n", start, end) == 4 for start, end in middles)


def test_rows_have_one_length_and_targets_one_ahead(corpus: Corpus, tokenizer: Tokenizer) -> None:
    """Every row is full, and each target is the next input unless it is left out of the loss."""
    markers = {tokenizer.token_to_id(name) for name in (PREFIX, SUFFIX, MIDDLE, PADDING)}
    for row in rows(corpus, tokenizer, 40):
        assert len(row.inputs) == len(row.targets) == len(row.in_middle) == LENGTH
        assert all(
            target == (IGNORED if following in markers else following)
            for target, following in zip(row.targets, row.inputs[1:], strict=False)
        )


def test_samples_are_documents_cut_in_three(corpus: Corpus, tokenizer: Tokenizer) -> None:
    """Left, middle and right of a sample stand beside one another in a document, whichever came first."""
    prefix, suffix, middle, end = (SPECIALS.index(name) for name in (PREFIX, SUFFIX, MIDDLE, END))
    suffix_came_first = []
    for row in rows(corpus, tokenizer, 80):
        for start in [place for place, token in enumerate(row.inputs) if token == prefix]:
            if end not in row.inputs[start:]:
                continue  # its end is the last target of the row
            stop = row.inputs.index(end, start)
            to_right, to_middle = row.inputs.index(suffix, start), row.inputs.index(middle, start)
            # A flag belongs to the target, which is one ahead; the end is flagged too.
            written = 1 + row.in_middle.index(True, start)
            parts = {
                "left": row.inputs[start + 1 : to_right] or row.inputs[to_middle + 1 : written],
                "middle": row.inputs[written:stop],
                "right": row.inputs[to_right + 1 : to_middle],
            }
            text = "".join(tokenizer.decode(tokens) for tokens in parts.values())
            assert any(text in document.text for document in corpus.training), parts
            suffix_came_first.append(to_right == start + 1)

    assert len(suffix_came_first) > 60
    assert 0.3 < sum(suffix_came_first) / len(suffix_came_first) < 0.7


def test_rows_depend_on_their_number_alone(corpus: Corpus, tokenizer: Tokenizer) -> None:
    """A row made out of order, by another sampler, is the same row; others differ."""
    dataset = encode(corpus.training, tokenizer)
    one, other, third = (Sampler(dataset, tokenizer, seed) for seed in (3, 3, 4))
    one.row(0, 0, LENGTH)

    assert one.row(7, 2, LENGTH) == other.row(7, 2, LENGTH)
    assert one.row(7, 2, LENGTH) != other.row(7, 3, LENGTH)
    assert one.row(7, 2, LENGTH) != third.row(7, 2, LENGTH)


def test_nothing_but_the_text_says_where_a_middle_ends(corpus: Corpus, tokenizer: Tokenizer) -> None:
    """Samples are of all lengths, so neither their length nor a place in the row foretells the end."""
    prefix, end = tokenizer.token_to_id(PREFIX), tokenizer.token_to_id(END)
    places, lengths = [], []
    for row in rows(corpus, tokenizer, 80):
        start = None
        for place, token in enumerate(row.inputs):
            if token == prefix:
                start = place
            elif token == end and start is not None:
                places.append(place)
                lengths.append(place - start)

    assert len(places) > 40
    assert max(places.count(place) for place in places) < len(places) / 8
    assert max(lengths.count(length) for length in lengths) < len(lengths) / 8
