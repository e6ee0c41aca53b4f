"""The left text, line by line: where checkpoints stand, what they rest on, and what an edit undoes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.recovery.lines import reader_at_start

from dovetail.quotient.omission import Omission
from dovetail.recovery.checkpoints import Checkpoints
from dovetail.recovery.line_ends import line_ends
from dovetail.recovery.placeholders import Placeholders

if TYPE_CHECKING:
    from dovetail import Language


def test_checkpoints_stand_at_line_starts(python: Language) -> None:
    """Each line that is read leaves a checkpoint; a line begins on its own only where no bracket is open."""
    left = reader_at_start(python)
    text = "x = [\n    1,\n]\ny = 2\n"
    for end in line_ends(text, 0, len(text)):
        assert left.read(text, end)

    assert [(at.offset, at.begins) for at in left.checkpoints] == [
        (0, True),
        (6, False),
        (13, False),
        (15, True),
        (21, True),
    ]


def test_a_line_that_does_not_fit_is_not_read(python: Language) -> None:
    """Without repairs, reading stops before the first line that does not fit."""
    left = reader_at_start(python)

    assert left.read("x = 1\ny = )\n", 6)
    assert not left.read("x = 1\ny = )\n", 12)
    assert left.checkpoints[-1].offset == 6


def test_a_repair_rests_on_the_line_that_made_it(python: Language) -> None:
    """The header is replaced because of its block, so an edit of the block brings the header back."""
    left = reader_at_start(python)
    text = "x = 1\ndef f(:\n    y\n"
    for end in line_ends(text, 0, len(text)):
        assert left.recover(text, end, to_cursor=False)
    repaired = left.checkpoints[-1]
    left.forget(15)

    assert repaired.left_out == (Omission(6, 14, "if _:\n"),)
    assert repaired.rests_on == len(text)
    assert left.checkpoints[-1].left_out == (Omission(6, 14),)


def test_a_reading_without_the_line_that_leaves_a_bracket_open(python: Language) -> None:
    """The first reading of a left text that fits skips nothing; the next one skips what opened the bracket."""
    checkpoints = Checkpoints(python.machine, Placeholders(python.machine))
    text = "x = f(1,\ny = "
    readings = [left.checkpoints[-1].left_out for left in checkpoints.read(text, len(text))]

    assert readings == [(), (Omission(0, 9),)]


@pytest.mark.parametrize(("text", "offset"), [("x = 1\ry", 6), ("x = 1\r\ny", 7), ("x = 1\ny", 6)])
def test_every_line_end_has_a_checkpoint(python: Language, text: str, offset: int) -> None:
    r"""A line ends with `\n`, `\r\n` or `\r`."""
    checkpoints = Checkpoints(python.machine, Placeholders(python.machine))
    left = next(checkpoints.read(text, len(text)))

    assert [at.offset for at in left.checkpoints] == [0, offset, len(text)]


def test_a_carriage_return_is_a_line_end_until_a_line_feed_follows(python: Language) -> None:
    r"""The checkpoint after a lone `\r` rests on the character after it too."""
    checkpoints = Checkpoints(python.machine, Placeholders(python.machine))
    checkpoints.read_on("x = 1\ry = 2\r", 12)
    reach = checkpoints.reach
    checkpoints.forget(6)

    assert (reach, checkpoints.reach) == (12, 0)


def test_stacks_of_texts_that_are_gone_are_dropped(python: Language, monkeypatch: pytest.MonkeyPatch) -> None:
    """A document under long edit makes its stacks anew once they hold more than its text needs."""
    monkeypatch.setattr("dovetail.recovery.checkpoints.NODES", 500)
    document = python.document("x = (" + "f(" * 100 + "\n")
    stacks = [document._checkpoints.stacks]
    for number in range(20):
        document.edit(5, 6, "fg"[number % 2])
        document.quotient(len(document.text))
        if document._checkpoints.stacks is not stacks[-1]:
            stacks.append(document._checkpoints.stacks)

    assert len(stacks) > 1
    assert document.quotient(len(document.text)).start.closing() == ")" * 101
