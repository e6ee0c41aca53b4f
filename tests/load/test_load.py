"""The load itself: every request is accounted for."""

from __future__ import annotations

import asyncio
import random

import pytest
from tests.load.editor import Editor, Outcome, drive
from tests.load.loaded_host import foreign, marked
from tests.load.summary import fairness, minutes, percentile, sentences
from tests.team.served import served

from dovetail.team.configuration import TeamConfiguration

TEXT = "import os\n\n\ndef main() -> None:\n    print(os.getcwd())\n" * 5


def test_no_request_is_lost() -> None:
    """Each request ends with an answer, a word to come again, or because its editor dropped it."""
    with served(TeamConfiguration(port=0, most_waiting=3)) as address:
        editors = [Editor(address, str(number % 2), TEXT, 200.0, random.Random(number)) for number in range(6)]
        outcomes = asyncio.run(drive(editors, 10))
        alone = [Editor(address, "1", TEXT, 200.0, random.Random(number)) for number in range(100)]
        calm = [asyncio.run(drive([editor], 1))[0].status for editor in alone]

    assert len(outcomes) == 60
    assert {outcome.status for outcome in outcomes} <= {0, 200, 429}
    assert 200 in calm, "a host that was flooded answers again"


def test_a_host_that_is_not_there_is_noticed() -> None:
    """Requests without an answer are told apart from those that were dropped."""
    with served(TeamConfiguration(port=0)) as address:
        pass
    outcomes = asyncio.run(drive([Editor(address, "", TEXT, 1000.0, random.Random(1))], 1))

    assert [outcome.status for outcome in outcomes] == [-1]


def test_names_tell_whose_file_it_is() -> None:
    """A text of another key's file is told from one's own."""
    text = "class A:\n    def f(self):\n        return self.myself\n"
    own = marked(text, "keya")

    assert own.count("self_keya") == 2
    assert not foreign(own, "keya")
    assert foreign(own, "keyb")
    assert not foreign("self_key(", "keya"), "the name was cut off"
    assert not foreign(text, "keya")


def test_minutes() -> None:
    """Each minute has the requests that ended in it, and what was noted at its end."""
    outcomes = [Outcome("a", 200, 0.1, True, 105.0), Outcome("a", 429, 0.0, False, 159.9)]
    outcomes += [Outcome("a", 200, 0.2, True, 160.0)]

    rows = minutes(outcomes, 100.0, [(40.4, 300.0, 1.25), (41.0, 301.0, 2.0)]).splitlines()

    assert rows[2:] == [
        "| 1 | 2 | 1 | 100 ms | 100 ms | 40 MB | 300 MB | 1.2 |",
        "| 2 | 1 | 1 | 200 ms | 200 ms | 41 MB | 301 MB | 2.0 |",
    ]


def test_figures() -> None:
    """The sentences count what happened; keys that get different shares are told."""
    good, late, again = (Outcome("a", 200, 0.1, True), Outcome("a", 200, 2.0, False), Outcome("b", 429, 0.0, False))
    said = "\n".join(sentences([good, late, again], 2.0, {"constraint": 0.1}))

    assert "3 requests in 2 s, 1.5 a second." in said
    assert (
        "2 answered (1 with a text), 0 dropped by their editors, 1 told to come again, 0 lost or refused otherwise."
        in said
    )
    lost = "\n".join(sentences([good, again._replace(status=503), again._replace(status=-1)], 2.0, {}))
    assert "2 lost or refused otherwise, 1 by -1, 1 by 503." in lost
    assert "p50 100 ms, p90 2000 ms, p99 2000 ms; 0.5 a second within 750 ms" in said
    assert "constraint 50." in said
    assert fairness([good, late, again]) == pytest.approx(0.5)
    assert fairness([good, again._replace(status=200)]) == pytest.approx(1.0)
    assert [percentile(list(range(1, 101)), share) for share in (0.5, 0.9, 0.99)] == [50, 90, 99]
    assert percentile([], 0.5) == 0
