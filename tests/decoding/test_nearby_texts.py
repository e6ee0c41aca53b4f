"""The texts around a cursor: what is read, when, and how much of it is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from dovetail.decoding.nearby_texts import NearbyTexts
from dovetail.decoding.own_pieces import PIECE, pieces_after, pieces_before
from dovetail.decoding.repository import ProjectContext

if TYPE_CHECKING:
    from dovetail.decoding.nearby_texts import Levels

LINES = st.lists(st.integers(0, 900), max_size=80).map(lambda widths: "".join("x" * width + "\n" for width in widths))
FILE = "".join(f"name_{number} = {number}\n" for number in range(3000))
PROJECT = ProjectContext("a.py", "a", open_texts=("opened = 1\n" * 900,), workspace_texts=("one\n", "two\n" * 2000))


def encode(text: str) -> list[int]:
    """Return a token for each character."""
    return list(map(ord, text))


def sizes(levels: Levels | None) -> dict[str, int]:
    """Return the tokens of each level."""
    return {level: sum(map(len, indexes)) for level, indexes in (levels or {}).items()}


@given(LINES, st.text("ab", max_size=9))
def test_pieces_are_the_text(lines: str, rest: str) -> None:
    """The groups make the text up to the cursor and from it on; nothing is lost of a text that is not very long."""
    text = lines + rest
    assert "".join("".join(group) for group in pieces_before(text)) == text
    assert "".join("".join(group) for group in reversed(pieces_after(rest + lines))) == rest + lines


def test_far_pieces_are_left_out() -> None:
    """Of a very long text the part near the cursor is used."""
    text = FILE * 20
    for pieces, is_near in ((pieces_before(text), text.endswith), (pieces_after(text), text.startswith)):
        near = "".join("".join(group) for group in (pieces if is_near == text.endswith else reversed(pieces)))
        assert 16 * PIECE <= len(near) < 3 * 16 * (PIECE + 30)
        assert is_near(near)


def test_typing_changes_one_piece() -> None:
    """All groups but the last before the cursor stay while a line is typed, and all after it."""
    before, after = pieces_before(FILE), pieces_before(FILE + "x = name_")
    assert after[:-1] == before[:-1]
    assert pieces_after("\n" + FILE)[:-1] == pieces_after(")\n" + FILE)[:-1]


def test_a_patient_reading_is_complete() -> None:
    """All texts are there when it returns, with a boundary before each other file."""
    nearby = NearbyTexts(encode, patient=True)
    nearby.read("a.py", FILE, "right\n", PROJECT)
    assert sizes(nearby.around("a.py")) == {
        "left": len("".join("".join(group) for group in pieces_before(FILE))),
        "right": 6,
        "open": 1 + 11 * 900,
        "workspace": 1 + 4 + 1 + 4 * 2000,
    }


def test_an_impatient_reading_is_complete_later() -> None:
    """At once the own text is read; when the thread is done, the next reading is that of a patient one."""
    patient, nearby = NearbyTexts(encode, patient=True), NearbyTexts(encode, patient=False)
    patient.read("a.py", FILE, "right\n", PROJECT)
    nearby.read("a.py", FILE, "right\n", PROJECT)
    first = sizes(nearby.around("a.py"))
    assert first == {**sizes(patient.around("a.py")), "open": 0, "workspace": 0}
    nearby.wait()
    nearby.read("a.py", FILE, "right\n", PROJECT)
    assert sizes(nearby.around("a.py")) == sizes(patient.around("a.py"))


def test_what_was_known_is_used_until_then() -> None:
    """While a changed project is indexed, the n-grams of the one before stay."""
    nearby = NearbyTexts(encode, patient=False)
    nearby.read("a.py", "", "", PROJECT)
    nearby.wait()
    nearby.read("a.py", "", "", PROJECT)
    known = sizes(nearby.around("a.py"))["open"]
    changed = ProjectContext("a.py", "a", open_texts=("changed = 12\n" * 900,))
    nearby.read("a.py", "", "", changed)
    assert sizes(nearby.around("a.py"))["open"] == known
    nearby.wait()
    nearby.read("a.py", "", "", changed)
    assert sizes(nearby.around("a.py"))["open"] == 1 + 13 * 900


def test_tokens_are_kept() -> None:
    """A text is turned into tokens once, as long as there is room for it."""
    read: list[str] = []

    def noted(text: str) -> list[int]:
        read.append(text)
        return encode(text)

    nearby = NearbyTexts(noted, 40_000, patient=True)
    nearby.read("a.py", "", "", PROJECT)
    count = len(read)
    nearby.read("b.py", "", "", PROJECT)
    assert len(read) == count
    nearby.read("c.py", FILE, "", None)  # takes the room
    nearby.read("a.py", "", "", PROJECT)
    assert len(read) > count
