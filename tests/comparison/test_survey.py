"""Surveys that are kept: an interrupted comparison goes on, and comes to what one without interruption comes to."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dovetail.comparison.deviation import ListedDeviation
from dovetail.comparison.disagreement import Disagreement
from dovetail.comparison.survey import Block, Survey, digest, in_turn
from dovetail.grammar.errors import GrammarError

if TYPE_CHECKING:
    from pathlib import Path

AMOUNTS = {"derivation": 130, "cut": 45}
FINDING = Disagreement("text", "", "a-b", "", "accepts", "refuses", "no sum at 'a'")
KNOWN = Disagreement("text", "", "a+b", "", "accepts", "refuses", "no sum at 'a'")
LISTED = [ListedDeviation("plus", text=r"\+")]


def judge(survey: Survey, blocks: list[Block], every: int, known: int = 1000) -> None:
    """Add blocks in which texts differ, one of `every`, and one of `known` for a reason that is listed."""
    for block in blocks:
        found = [FINDING for number in block.numbers if number % every == 0]
        found += [KNOWN for number in block.numbers if number % known == known - 1]
        survey.add(block, found, Counter({True: block.amount, False: len(found)}))


def counts(survey: Survey) -> tuple[object, ...]:
    """Return all that a survey counts."""
    done = {kind: survey.judged(kind, amount) for kind, amount in AMOUNTS.items()}
    return done, +survey.verdicts, +survey.explained, survey.findings.counts, survey.findings.shortest


@given(data=st.data(), every=st.sampled_from([1, 10, 50, 1000]))
def test_a_survey_that_was_interrupted_comes_to_the_same(
    data: st.DataObject, every: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Each text counts once, in whichever order blocks were judged, and where an earlier run asked for fewer."""
    path = tmp_path_factory.mktemp("kept") / "run.json"
    whole = Survey("same", LISTED)
    judge(whole, in_turn(AMOUNTS), every, 7)
    fewer = {kind: data.draw(st.integers(1, amount)) for kind, amount in AMOUNTS.items()}
    before = Survey("same", LISTED)
    blocks = data.draw(st.permutations(in_turn(fewer)))
    judge(before, blocks[: data.draw(st.integers(0, len(blocks)))], every, 7)
    before.write(path)

    after = Survey("same", LISTED)
    after.read_on(path)
    judge(after, after.remaining(in_turn(AMOUNTS)), every, 7)

    assert counts(after) == counts(whole)
    assert after.remaining(in_turn(AMOUNTS)) == []


def test_no_text_is_kept(tmp_path: Path) -> None:
    """Blocks in which something was found are judged again, and then what a list explains by now is explained."""
    before = Survey("same")
    judge(before, in_turn(AMOUNTS), 50)
    before.write(tmp_path / "run.json")
    assert FINDING.text not in (tmp_path / "run.json").read_text("utf-8")

    after = Survey("same", [ListedDeviation("minus", text="-")])
    after.read_on(tmp_path / "run.json")
    again = after.remaining(in_turn(AMOUNTS))
    judge(after, again, 50)

    assert again == [block for block in in_turn(AMOUNTS) if any(number % 50 == 0 for number in block.numbers)]
    assert len(before.findings) == 4
    assert len(after.findings) == 0
    assert after.explained == {("minus", "derivation"): 3, ("minus", "cut"): 1}


@pytest.mark.parametrize(
    ("content", "words"),
    [("", "cannot be read"), ("[]", "cannot be read"), ('{"conditions": "same"}', "cannot be read"), (None, "another")],
)
def test_another_file_is_refused(tmp_path: Path, content: str | None, words: str) -> None:
    """Texts that were judged with another grammar do not count, and nothing is lost."""
    path = tmp_path / "run.json"
    Survey(digest(["another"])).write(path)
    if content is not None:
        path.write_text(content, encoding="utf-8")
    kept = path.read_bytes()

    with pytest.raises(GrammarError, match=words):
        Survey("same").read_on(path)
    assert path.read_bytes() == kept
