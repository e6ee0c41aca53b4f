"""Texts by hand between the letters of a word."""

from __future__ import annotations

import pytest

from dovetail.decoding.completion import Completion, Stop
from dovetail.decoding.stopwatch import Stopwatch
from dovetail.decoding.whole_words import without_torn_words

LEFT, RIGHT = "invoice = rows\ninvoices = 1\nprint(invoice", "s)\ntotal = invoice\n"


def _completion(text: str | None) -> Completion:
    return Completion(text, Stop.END, "", 1, 0, Stopwatch(None).seconds)


@pytest.mark.parametrize(
    ("left", "right", "texts", "kept"),
    [
        (LEFT, RIGHT, [" *"], None),
        (LEFT, RIGHT, [" *", ", row"], ", row"),
        (LEFT, RIGHT, [")\nprint(invoice"], ")\nprint(invoice"),
        (LEFT, RIGHT, ["_item"], None),
        ("rows = 1\nr", "s = 2\n", ["ow"], "ow"),
        ("rows = 1\nr", "s = 2\n", ["un", "ow"], "ow"),
        ("print(", "s)\n", ["row"], "row"),
        ("print(row", ")\n", ["_item"], "_item"),
        (LEFT, RIGHT, [None], None),
    ],
)
def test_a_text_leaves_the_words_at_the_cursor_whole(
    left: str, right: str, texts: list[str | None], kept: str | None
) -> None:
    """With the letters beside it, it makes words that the document has; where one side has none, all is as it was."""
    found = list(without_torn_words(left, right, map(_completion, texts)))

    assert [completion.text for completion in found] == [kept]
    if kept is None and texts != [None]:
        assert found[0].stop is Stop.WORD
