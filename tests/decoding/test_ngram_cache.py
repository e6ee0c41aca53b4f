"""N-grams beside a model: the longest match, the levels, the text before the cursor, and the mixture."""

from __future__ import annotations

import itertools
import json
import math
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.decoding.scripted_proposer import BatchedScript, ScriptedProposer, at_random
from tests.decoding.test_formats import PUBLISHED, FormedProposer

from dovetail.decoding.cache_weights import COUNT, LENGTHS, LEVELS, MODEL, CacheWeights, Gate, read_weights
from dovetail.decoding.cached_proposer import CachedProposer
from dovetail.decoding.decoder import Decoder
from dovetail.decoding.formats import forms_for
from dovetail.decoding.limits import Limits
from dovetail.decoding.ngram_cache import BOUNDARY, Followers, NgramCache, left_tokens
from dovetail.decoding.prompt import Prompts
from dovetail.decoding.proposer import BatchProposer
from dovetail.decoding.repository import ProjectContext
from dovetail.decoding.request import Request
from dovetail.decoding.unchecked import UncheckedQuotient

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

TOKENS = st.lists(st.integers(0, 4), max_size=60)
HALF = CacheWeights({level: Gate([0.0] * COUNT) for level in LEVELS})
"""Every level that has a match gets half of what the nearer ones leave."""

SURE = [5.0] + [0.0] * (COUNT - 1)
PROMPT = list(b"<<total = area(width) + area(width)\nother = area(")


def matches(text: Sequence[int], context: Sequence[int]) -> dict[int, list[int]]:
    """Return for each length of a match up to 16 the tokens that followed it."""
    found: dict[int, list[int]] = {}
    for place in range(1, len(text)):
        length = 0
        while length < min(16, place, len(context)) and text[place - 1 - length] == context[-1 - length]:
            length += 1
        if length:
            found.setdefault(length, []).append(text[place])
    return found


@given(TOKENS, st.lists(st.integers(0, 5), max_size=20))
def test_the_longest_match(text: list[int], context: list[int]) -> None:
    """The tokens are those that followed the longest match, the four that did so most often, with their shares."""
    found = NgramCache(text).followers(context)
    expected = matches(text, context)
    if not expected:
        assert found is None
        return
    assert found is not None
    counts = Counter(expected[max(expected)])
    total = counts.total()
    assert (found.length, found.places) == (max(expected), total)
    assert sorted(found.shares.values(), reverse=True) == pytest.approx(
        [count / total for _, count in counts.most_common(4)]
    )
    assert all(share == counts[token] / total for token, share in found.shares.items())


@pytest.mark.parametrize("model", PUBLISHED)
def test_the_left_text_is_found(model: str) -> None:
    """In every form of every model the tokens before the cursor are found in the prompt, if its form is told apart."""
    specials = PUBLISHED[model][0]
    for form in forms_for({mark: place for place, mark in enumerate(specials)}):
        proposer = FormedProposer(specials, form)
        prompt = Prompts(proposer).build("x = 1\ndef f(", "):\n    pass\n", 16)
        found = left_tokens(prompt.tokens, proposer.vocabulary.specials)
        assert tuple(found)[-len(prompt.left_tokens) :] == prompt.left_tokens


def test_mixture() -> None:
    """Probabilities are the weighted means of both, they sum to 1, and the ranking is theirs."""
    plain = ScriptedProposer(rank=at_random(3))
    proposer = CachedProposer(plain, HALF)
    generation, alone = proposer.begin(PROMPT), plain.begin(PROMPT)
    count = len(plain.vocabulary.pieces)
    total = sum(math.exp(score) for _, score in alone.ranked(count))
    for token in b"width) ":
        scores = generation.scores(range(count))
        expected = [
            0.5 * math.exp(score) + 0.5 * (one == token) for one, score in enumerate(alone.scores(range(count)))
        ]
        assert [math.exp(score) for score in scores] == pytest.approx(expected)
        assert sum(map(math.exp, scores)) == pytest.approx(0.5 * total + 0.5)
        ranked = generation.ranked(count)
        assert [score for _, score in ranked] == sorted(scores, reverse=True)[: len(ranked)]
        assert dict(ranked) == pytest.approx(dict(zip(range(count), scores, strict=True)))
        assert [one for one, _ in generation.ranked(5)] == [one for one, _ in ranked[:5]]
        assert generation.ending() == pytest.approx(alone.ending() + math.log(0.5))
        generation.feed(token)
        alone.feed(token)


def test_without_a_match_the_model_is_alone() -> None:
    """If the last token never stood before, rankings and scores are the model's own."""
    plain = ScriptedProposer(rank=at_random(3))
    generation, alone = CachedProposer(plain, HALF).begin(list(b"abc")), plain.begin(list(b"abc"))
    assert generation.ranked(9) == alone.ranked(9)
    assert generation.scores([1, 2]) == alone.scores([1, 2])
    assert generation.ending() == alone.ending()


@given(st.lists(st.integers(97, 122), min_size=1, max_size=8), st.integers(0, 8))
def test_tokens_taken_back(fed: list[int], count: int) -> None:
    """A text from which tokens were taken back is the one without them; a fork knows nothing of what follows."""
    proposer = CachedProposer(BatchedScript(rank=at_random(3)), HALF)
    count = min(count, len(fed))
    one, other = proposer.begin_batch(PROMPT), proposer.begin(PROMPT)
    assert one is not None
    for token in fed[: len(fed) - count]:
        one.feed(token)
        other.feed(token)
    fork = one.fork()
    for token in fed[len(fed) - count :]:
        one.feed(token)
    assert fork.ranked(9) == other.ranked(9)
    one.rewind(count)
    assert one.ranked(9) == other.ranked(9)


def test_batches_are_those_of_the_model() -> None:
    """A cache has batches exactly if its model has them."""
    assert isinstance(CachedProposer(BatchedScript(), HALF), BatchProposer)
    assert CachedProposer(ScriptedProposer(), HALF).begin_batch(PROMPT) is None


def test_the_levels_are_nested() -> None:
    """The prompt's match comes first, then that of open documents, then that of other files; the model has the rest."""
    plain = ScriptedProposer(rank=at_random(3))
    proposer = CachedProposer(plain, HALF)
    project = ProjectContext("a.py", "a", open_texts=("area(height)",), workspace_texts=("area(depth)", "area(depth)"))
    proposer.read_nearby("a.py", project)
    [one, two, three] = proposer.begin(PROMPT, "a.py").scores(b"whd")
    own = [math.exp(score) for score in plain.begin(PROMPT).scores(b"whd")]
    assert math.exp(one) == pytest.approx(own[0] / 8 + 1 / 2)
    assert math.exp(two) == pytest.approx(own[1] / 8 + 1 / 4)
    assert math.exp(three) == pytest.approx(own[2] / 8 + 1 / 8)


def test_lines_that_use_the_same_names_go_before_other_files() -> None:
    """They are a level of their own, behind the prompt's; each line is one text, and ends with its line end."""
    plain = ScriptedProposer(rank=at_random(3))
    proposer = CachedProposer(plain, HALF)
    proposer.read_nearby("a.py", ProjectContext("a.py", "a", uses=("area(d", "area(d"), open_texts=("area(height)",)))
    [depth, height] = proposer.begin(PROMPT, "a.py").scores(b"dh")
    own = [math.exp(score) for score in plain.begin(PROMPT).scores(b"dh")]
    assert math.exp(depth) == pytest.approx(own[0] / 8 + 1 / 4)
    assert math.exp(height) == pytest.approx(own[1] / 8 + 1 / 8)
    [end] = proposer.begin([*PROMPT, *b"d"], "a.py").scores(b"\n")
    assert math.exp(end) == pytest.approx(1 / 4)


def test_only_what_changed_is_indexed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """While the parts around a cursor change with each key, the lines that use its names are indexed once."""
    indexed: list[int] = []
    original = NgramCache.__init__

    def note(self: NgramCache, tokens: Sequence[int]) -> None:
        indexed.append(len(tokens))
        original(self, tokens)

    monkeypatch.setattr(NgramCache, "__init__", note)
    proposer = CachedProposer(ScriptedProposer(rank=at_random(3)), HALF)
    proposer.read_nearby("a.py", ProjectContext("a.py", "a", uses=("f(1)",), workspace_texts=("one",)))
    assert indexed == [6, 0, 4]
    indexed.clear()
    proposer.read_nearby("a.py", ProjectContext("a.py", "a", uses=("f(1)",), workspace_texts=("other",)))
    assert indexed == [6]


def test_texts_around_belong_to_one_document() -> None:
    """Other documents, those that are forgotten and those without a project have the n-grams of their prompts alone."""
    proposer = CachedProposer(ScriptedProposer(rank=at_random(3)), HALF)
    alone = proposer.begin(PROMPT).ranked(9)
    project = ProjectContext("a.py", "a", workspace_texts=("area(height)",))
    proposer.read_nearby("a.py", project)
    assert proposer.begin(PROMPT, "a.py").ranked(9) != alone
    assert proposer.begin(PROMPT, "b.py").ranked(9) == alone
    proposer.forget("a.py")
    assert proposer.begin(PROMPT, "a.py").ranked(9) == alone
    proposer.read_nearby("a.py", project)
    proposer.read_nearby("a.py", None)
    assert proposer.begin(PROMPT, "a.py").ranked(9) == alone


def test_a_decoder_tells_its_model_of_the_texts_around() -> None:
    """With a project whose files go on in another way, the same request is answered in that way."""
    proposer = CachedProposer(ScriptedProposer(rank=at_random(3)), CacheWeights(dict.fromkeys(LEVELS, Gate(SURE))))

    def answer(*texts: str) -> str | None:
        project = ProjectContext("a.py", "a", workspace_texts=texts)
        left = "f("
        request = Request(left, "", lambda: UncheckedQuotient(left), Limits(5), document="a.py", project=project)
        return Decoder(proposer).candidates(request, 1)[0].text

    assert answer("f(12345)") == "12345"
    assert answer("f(67890)") == "67890"


@given(st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=8), max_size=6), st.integers(0, 3))
def test_no_match_goes_from_one_text_to_another(texts: list[list[int]], last: int) -> None:
    """A token in several texts is followed by what follows it in each of them; their boundaries are never proposed."""
    tokens = [token for text in texts for token in (BOUNDARY, *text)]
    found = NgramCache(tokens).followers([last])
    expected = Counter(after for text in texts for one, after in itertools.pairwise(text) if one == last)
    assert (found is not None) == bool(expected)
    if found is not None:
        assert dict(found.shares) == pytest.approx({token: n / expected.total() for token, n in expected.items()})


@given(
    st.integers(1, 16),
    st.integers(1, 64),
    st.floats(0.1, 1),
    st.floats(0.01, 1),
    st.booleans(),
    st.lists(st.floats(-50, 50), min_size=COUNT, max_size=COUNT),
)
def test_a_gate_is_a_logistic_function_of_the_match(
    length: int, places: int, share: float, best: float, agrees: bool, coefficients: list[float]
) -> None:
    """The weight is that of the classes of the match and of the model's sureness, and never all."""
    followers = Followers(length, {7: share}, places)
    classes = [float(sum(length >= least for least in LENGTHS) == one) for one in range(1, len(LENGTHS) + 1)]
    sureness = [float(sum(best >= least for least in MODEL) == one) for one in range(1, len(MODEL) + 1)]
    count = math.log(places)
    row = [1.0, *classes, share, count, share * count, float(places == 1), *sureness, float(agrees)]
    value = math.fsum(one * other for one, other in zip(coefficients, row, strict=True))
    expected = 1 / (1 + math.exp(-value))
    weight = Gate(coefficients).weight(followers, 7 if agrees else 8, math.log(best))
    assert weight == pytest.approx(min(expected, 0.999), rel=1e-6)
    assert 0 <= weight < 1


@pytest.mark.parametrize(
    "written",
    [
        *("{}", "[[[0.5]]]", "1", json.dumps(dict.fromkeys(LEVELS, 0.5)), json.dumps({"file": [0.0] * COUNT})),
        json.dumps(dict.fromkeys(LEVELS, [0.0] * (COUNT - 1))),
        json.dumps(dict.fromkeys(LEVELS, [99.0] * COUNT)),
        json.dumps(dict.fromkeys(LEVELS, ["0"] * COUNT)),
    ],
)
def test_other_files_are_no_weights(tmp_path: Path, written: str) -> None:
    """A file of another form is refused."""
    (tmp_path / "cache.json").write_text(written)
    with pytest.raises(ValueError, match="no weights"):
        read_weights(tmp_path / "cache.json")
