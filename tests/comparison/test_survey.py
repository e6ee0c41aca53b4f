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


def judge(survey: Survey, blocks: list[Block]) -> None:
    """Add blocks of which every tenth text is found to differ."""
    for block in blocks:
        found = [FINDING for number in block.numbers if number % 10 == 0]
        survey.add(block, found, Counter({True: block.amount, False: len(found)}))


def counts(survey: Survey) -> tuple[object, ...]:
    """Return all that a survey counts."""
    done = {kind: survey.judged(kind, amount) for kind, amount in AMOUNTS.items()}
    return done, survey.verdicts, survey.explained, survey.findings.counts, survey.findings.shortest


@given(data=st.data())
def test_a_survey_that_was_interrupted_comes_to_the_same(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Each text counts once, in whichever order blocks were judged, and where an earlier run asked for fewer."""
    path = tmp_path_factory.mktemp("kept") / "run.json"
    whole = Survey("same")
    judge(whole, in_turn(AMOUNTS))
    fewer = {kind: data.draw(st.integers(1, amount)) for kind, amount in AMOUNTS.items()}
    before = Survey("same")
    blocks = data.draw(st.permutations(in_turn(fewer)))
    judge(before, blocks[: data.draw(st.integers(0, len(blocks)))])
    before.write(path)

    after = Survey("same")
    after.read_on(path)
    assert counts(after) == counts(before)
    judge(after, after.remaining(in_turn(AMOUNTS)))

    assert counts(after) == counts(whole)
    assert after.remaining(in_turn(AMOUNTS)) == []


def test_what_a_list_explains_by_now_is_explained(tmp_path: Path) -> None:
    """A deviation that was listed since the last run needs no other run."""
    before = Survey("same")
    judge(before, in_turn(AMOUNTS))
    before.write(tmp_path / "run.json")

    after = Survey("same", [ListedDeviation("minus", text="-")])
    after.read_on(tmp_path / "run.json")

    assert len(before.findings) == 18
    assert len(after.findings) == 0
    assert after.explained == {("minus", "derivation"): 13, ("minus", "cut"): 5}


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
