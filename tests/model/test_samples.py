"""Samples that the model is shown while it is trained."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from dovetail.model.dataset import encode
from dovetail.model.samples import IGNORED, Sampler, SampleRow, cut, cut_at_use
from dovetail.model.tokenizer import END, FILE, MIDDLE, PADDING, PREFIX, SPECIALS, SUFFIX

if TYPE_CHECKING:
    import pytest
    from tokenizers import Tokenizer

    from dovetail.model.sources import Corpus

LENGTH = 192


def rows(corpus: Corpus, tokenizer: Tokenizer, count: int) -> list[SampleRow]:
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


def test_cuts_at_a_use_end_with_its_line() -> None:
    """Such a middle holds one of the names and runs to the end of its line; imports are no uses."""
    text = (
        "from shop import cart, tax\nimport tax\nplain = 1\nif tax(plain):\n    total = tax(cart)  # taxes\ncarts = 2\n"
    )
    found = {cut_at_use(text, ["tax", "cart"], random.Random(seed)) for seed in range(200)}
    middles = {text[start:end] for start, end in filter(None, found)}

    assert {"tax(plain):", "if tax(plain):", "tax(cart)  # taxes", "total = tax(cart)  # taxes"} <= middles
    assert all(middle.endswith(("tax(plain):", "tax(cart)  # taxes")) for middle in middles)
    assert cut_at_use(text, [], random.Random(1)) is None
    assert cut_at_use(text, ["elsewhere"], random.Random(1)) is None


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


def test_no_middle_is_cut_off(corpus: Corpus, tokenizer: Tokenizer) -> None:
    """A row ends with a whole sample or with padding, so the middles of long samples are learnt too."""
    padding, end = tokenizer.token_to_id(PADDING), tokenizer.token_to_id(END)
    padded = 0
    for row in rows(corpus, tokenizer, 80):
        first = next((place for place, token in enumerate(row.inputs) if token == padding), None)
        if first is not None:
            padded += 1
            assert set(row.inputs[first:]) == {padding}
            assert set(row.targets[first:]) == {IGNORED}
        elif any(row.in_middle):
            last = len(row.in_middle) - 1 - row.in_middle[::-1].index(True)
            assert row.targets[last] == end or last < LENGTH - 1

    assert padded > 40


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


def split(tokens: list[int], mark: int) -> list[list[int]]:
    """Return the tokens before the first mark, and those from after each mark to the next."""
    parts: list[list[int]] = [[]]
    for token in tokens:
        if token == mark:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def test_samples_begin_with_other_files(corpus: Corpus, tokenizer: Tokenizer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pieces of other files stand before a sample, each after the mark and its path, and the own path comes last."""
    file, prefix, end = (SPECIALS.index(name) for name in (FILE, PREFIX, END))
    names = {document.name: document.text for document in corpus.training}
    # Plain text that fills its room has no end, and the next sample follows at once.
    monkeypatch.setattr("dovetail.model.samples._PLAIN_SHARE", 0.0)
    one_package = [replace(document, package="json") for document in corpus.training]
    sampler = Sampler(encode(one_package, tokenizer), tokenizer, 3, context_share=1.0)
    pieces = 0
    for step in range(60):
        row = sampler.row(step, 0, 1024)
        following = zip(row.targets, row.inputs[1:], strict=False)
        assert all(target == IGNORED for target, token in following if token == file)
        for sample in split(row.inputs, end)[:-1]:
            header = sample[: sample.index(prefix)] if prefix in sample else []
            before, *files = split(header, file)
            if not files:
                continue
            assert before == []
            assert len(header) <= 512
            *others, own = [tokenizer.decode(tokens) for tokens in files]
            assert own.endswith("\n")
            assert own[:-1] in names
            for other in others:
                name, _, text = other.partition("\n")
                assert name != own[:-1]
                assert text in names[name]
                assert text.count("\n") <= 10
                pieces += 1

    assert pieces > 20


def test_some_samples_know_their_path_alone(corpus: Corpus, tokenizer: Tokenizer) -> None:
    """The shares say how many samples know other files, or their own path; without, none has a mark."""
    dataset = encode(corpus.training, tokenizer)
    file, end = SPECIALS.index(FILE), SPECIALS.index(END)

    def marked(path_share: float = 0.0) -> float:
        sampler = Sampler(dataset, tokenizer, 3, path_share=path_share)
        samples = [part for step in range(60) for part in split(sampler.row(step, 0, 512).inputs, end)[:-1]]
        return sum(file in sample for sample in samples) / len(samples)

    assert marked() == 0
    assert 0.35 < marked(path_share=0.5) < 0.65
    assert marked(path_share=1.0) > 0.95


def test_a_tokenizer_without_a_mark_for_files_will_do(corpus: Corpus, tokenizer: Tokenizer) -> None:
    """A model that was made before the mark was goes on with samples of single files."""
    text = tokenizer.to_str().replace(FILE, "<|unused|>")
    old = type(tokenizer).from_str(text)
    dataset = encode(corpus.training, old)

    assert Sampler(dataset, old, 3, 1.0, 1.0).row(1, 1, LENGTH) == Sampler(dataset, old, 3).row(1, 1, LENGTH)
