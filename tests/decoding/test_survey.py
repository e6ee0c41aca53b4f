"""The long run counts what it says, and a short run of it holds what the long one shows."""

from __future__ import annotations

import pytest
from tests.decoding.survey import RUNS, Counted, Tally, cursors, summary, survey
from tests.oracles.cpython import parses

from dovetail.decoding.completion import Completion, Seconds, Stop
from dovetail.evaluation.cases import Case

NO_TIME = Seconds(0, 0, 0, 0)


def test_cursors_are_cuts_of_programs() -> None:
    """Each cursor lies in a program, both kinds of cuts come in turn, and a seed gives the same ones."""
    chosen = list(cursors(4, "1/0"))

    assert [kind for kind, _ in chosen] == ["boundary", "random span"] * 2
    assert chosen == list(cursors(4, "1/0"))
    for _, cursor in chosen:
        assert parses(cursor.text)
        assert cursor.left + cursor.removed + cursor.right == cursor.text


def test_what_does_not_parse_is_counted_and_named() -> None:
    """Results are judged in their place; what adds nothing is no failure, and what is made up is."""
    cursor = Case(0, "file.py", "x = (1)\n", 5, 6)
    tally, other = Tally(), Tally()
    tally.add(cursor, Completion("2", Stop.END, "", 1, 0, NO_TIME))
    tally.add(cursor, Completion("2)", Stop.END, "", 2, 0, NO_TIME))
    other.add(cursor, Completion(None, Stop.SHORT, "", 1, 0, NO_TIME))
    other.add(cursor, Completion(None, Stop.INVENTED, "", 4, 0, NO_TIME))

    tally += other
    free = Tally()
    free.add(cursor, Completion("2", Stop.END, "", 1, 0, NO_TIME))

    assert (tally.count, tally.shown, tally.programs, tally.tokens) == (4, 2, 2, 8)
    assert tally.broken == ["file.py:5-6: '2)' (the model ended it)"]
    page = summary({Counted("a model", keeps_line=True): tally, Counted("a model", keeps_line=False): free}, 4, 1)
    assert "| a model | 2 | 1 | 50.0 % | 100.0 % | 1 | 1 |" in page
    assert "Does not parse: file.py:5-6" in page


@pytest.mark.parametrize("name", RUNS)
def test_a_few_cursors(name: str) -> None:
    """The text that is shown at a few cursors parses, whatever the model and the budget."""
    tally = survey(name, 4, "7/0")

    assert tally.count == 4
    assert tally.broken == []


def test_without_the_rule_no_text_ends_for_the_rest_of_the_line() -> None:
    """The second column leaves out the rule and nothing else: what is shown still parses."""
    kept = survey("embedded, 8 tokens", 8, "3/0")
    free = survey("embedded, 8 tokens", 8, "3/0", keeps_line=False)

    stops = (Stop.REST_OF_LINE, Stop.WRONG_LINE)
    assert any(kept.reasons[stop] for stop in stops)
    assert not any(free.reasons[stop] + free.stops[stop] for stop in stops)
    assert free.broken == []


@pytest.mark.long
def test_more_cursors() -> None:
    """At two hundred cursors all that is shown parses; nearly always there is a program, or a rule kept it back."""
    tally = survey("embedded, 64 tokens", 200, "11/0")

    assert tally.broken == []
    kept_back = sum(tally.reasons[stop] for stop in (Stop.REST_OF_LINE, Stop.WRONG_LINE, Stop.REPETITION))
    assert tally.programs + kept_back >= 199
