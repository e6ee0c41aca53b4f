"""Models are judged alike, on places that are what they are said to be."""

from __future__ import annotations

import itertools
import json
import math
import sysconfig
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.benchmarks import precision, quality
from tests.benchmarks.ngrams import NgramGeneration, Ngrams
from tests.benchmarks.quality import KINDS, Case, choose, judge, ngrams_of

from dovetail.model.hosting import EMBEDDED
from dovetail.model.recipe import PRESETS
from dovetail.model.run import prepare
from dovetail.vocabulary.vocabulary import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dovetail.model.run import Run


@pytest.fixture(name="run", scope="module")
def _run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    sources = Path(sysconfig.get_path("stdlib")) / "json"
    return prepare(tmp_path_factory.mktemp("runs") / "run", PRESETS["tiny"], [sources])


@given(st.lists(st.integers(0, 3), max_size=30), st.lists(st.integers(0, 3), max_size=12))
def test_shares_are_a_distribution(text: list[int], before: list[int]) -> None:
    """The next token's probabilities are above 0 and sum to 1, whatever was counted and whatever stands before."""
    shares = Ngrams(text or [0], 4).next(before)

    assert shares.sum() == pytest.approx(1)
    assert (shares > 0).all()


def test_counts_are_mixed_as_witten_and_bell_say() -> None:
    """A small example by hand: after `1` came `2` twice and `3` once."""
    ngrams = Ngrams([1, 2, 1, 2, 1, 3], 4)
    unigram = (np.array([0, 3, 2, 1]) + 3 / 4) / (6 + 3)
    bigram = (np.array([0, 0, 2, 1]) + 2 * unigram) / (3 + 2)

    assert ngrams.next([]) == pytest.approx(unigram)
    assert ngrams.next([1]) == pytest.approx(bigram)


@given(st.lists(st.integers(0, 2), min_size=1, max_size=40), st.lists(st.integers(0, 2), min_size=1, max_size=6))
def test_contexts_are_counted_as_by_search(text: list[int], before: list[int]) -> None:
    """An order adds what a plain search for its context finds; the prompt has nothing to copy here."""
    before = [token + 3 for token in dict.fromkeys(before)]  # no token twice
    text = [token + 3 for token in text]
    expected = np.full(6, 1 / 6)
    for length in range(min(5, len(before) + 1)):
        context = before[len(before) - length :]
        places = [place for place in range(len(text) - length) if text[place : place + length] == context]
        followers = [text[place + length] for place in places]
        if followers:
            counts = np.bincount(followers, minlength=6)
            kinds = len(set(followers))
            expected = (counts + kinds * expected) / (len(followers) + kinds)

    assert Ngrams(text, 6).next(before) == pytest.approx(expected)


def test_what_stands_in_the_prompt_is_copied() -> None:
    """A run of tokens that no training text had is proposed again after its beginning."""
    generation = NgramGeneration(Ngrams([0, 1, 2] * 5, 10), [5, 6, 7, 8, 9, 0, 5, 6])
    written = []
    for _ in range(3):
        written.append(generation.ranked(1)[0][0])
        generation.feed(written[-1])

    assert written == [7, 8, 9]


def test_cases_are_what_they_are_called(run: Run) -> None:
    """Left, middle and right are a file; a rest ends with its line, a line begins after its indentation."""
    cases = choose(run.training.documents, 20, seed=3)
    texts = {document.name: document.text for document in run.training.documents}

    assert [kind for kind, _ in itertools.groupby(case.kind for case in cases)] == list(KINDS)
    assert len({(case.kind, case.name, case.left) for case in cases}) == len(cases) == 60
    for case in cases:
        assert texts[case.name].startswith(case.left + case.middle + case.right)
        if case.kind != "plain text":
            assert case.right.startswith("\n")
            assert "\n" not in case.middle
        if case.kind == "one line":
            assert case.left.rpartition("\n")[2].strip() == ""
    assert cases == choose(run.training.documents, 20, seed=3) != choose(run.training.documents, 20, seed=4)


class Scripted:
    """A model that is sure of one text."""

    name = "scripted"
    vocabulary = Vocabulary(tuple(bytes([byte]) for byte in range(256)), {}, frozenset({0}))
    window = 4096

    def __init__(self, script: str) -> None:
        self.script = list(script.encode())

    def begin(self, prompt: Sequence[int]) -> ScriptedText:
        """Return the text."""
        return ScriptedText(self.script)


class ScriptedText:
    """A text that is written, each token of it with a probability of a half."""

    def __init__(self, script: list[int]) -> None:
        self.rest = script

    def ranked(self, count: int) -> list[tuple[int, float]]:
        """Return the next token."""
        return [(self.rest[0], math.log(0.5))]

    def scores(self, tokens: Sequence[int]) -> list[float]:
        """Return a half for the next token, and an eighth for others."""
        return [math.log(0.5 if token == self.rest[0] else 0.125) for token in tokens]

    def feed(self, token: int) -> None:
        """Go on."""
        self.rest = self.rest[1:]

    def start(self, draft: Sequence[int] = ()) -> None:
        """Do nothing."""


@pytest.mark.parametrize(
    ("script", "exact", "bits"),
    [("abc\0", True, 3), ("abc\n", True, 3), ("abc \n", False, 3), ("abcd", False, 3), ("axc\n", False, 5)],
)
def test_a_middle_is_exact_if_it_ends_too(script: str, exact: bool, bits: float) -> None:
    """Every token has to be the likeliest and an end has to follow; the bits are those of the true tokens."""
    case = Case("rest of a line", "file.py", "x", "abc", "\ny")

    assert judge(Scripted(script), lambda text: list(text.encode()), case) == pytest.approx((exact, bits))


def test_the_script_measures(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    """One table has a row for n-grams and one for each model, measured on the run's held-out files."""
    embedded = str(EMBEDDED)

    assert quality.main(["--run", str(run.folder), "--model", embedded, "--count", "4"]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("| ")]
    assert len(lines) == 4
    assert lines[2].startswith("| n-grams with copying | ")
    assert lines[3].startswith(f"| {embedded} | ")


def test_ngrams_know_their_own_text(run: Run) -> None:
    """On the text that they were learnt from n-grams need few bits, and far fewer than for a reversed one."""
    model = ngrams_of(run.training, run.folder)
    text = run.training.documents[0].text[1000:1400]
    case = Case("plain text", "seen", text[:200], text[200:], "")
    strange = Case("plain text", "unseen", text[:200], text[:199:-1], "")

    known, unknown = (judge(model, run.training.encode, one)[1] for one in (case, strange))
    assert known / 200 < 1
    assert unknown > 2 * known
    assert json.loads((run.folder / "run.json").read_text(encoding="utf-8"))["held_out"]


def test_types_of_number_are_compared(capsys: pytest.CaptureFixture[str]) -> None:
    """A row for each type says what a completion takes and what the text costs; narrow numbers cost hardly more."""
    assert precision.main(["--types", "float32", "bfloat16", "--count", "1", "--cases", "1", "--prompt", "50"]) == 0
    lines = [line.split(" | ") for line in capsys.readouterr().out.splitlines() if line.startswith("| ")][2:]

    assert [line[0] for line in lines] == ["| float32", "| bfloat16"]
    assert all(float(taken) > 0 for line in lines for taken in line[1:5])
    wide, narrow = (float(line[5].rstrip(" |")) for line in lines)
    assert narrow == pytest.approx(wide, rel=0.05)
