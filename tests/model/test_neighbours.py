"""Pieces of other files that belong to a place."""

from __future__ import annotations

import random

import numpy as np

from dovetail.model.neighbours import NEIGHBOURS, Pieces, neighbours
from dovetail.model.sources import SourceFile

FILLER = "".join(f"filler_{number} = compute_{number}(filler_{number})\n" for number in range(30))
SHELF = FILLER.replace("filler", "shelf") + "def borrow_book(reader, title):\n    return reader.card, title\n"
DESK = FILLER.replace("filler", "desk") + "from shelf import borrow_book\n\nbook = \nclose_desk()\n" + FILLER
GARDEN = FILLER.replace("filler", "garden")


def library() -> list[SourceFile]:
    return [
        SourceFile("shelf.py", "library", SHELF, 1.0),
        SourceFile("desk.py", "library", DESK, 1.0),
        SourceFile("garden.py", "library", GARDEN, 1.0),
        SourceFile("garden.py", "alone", "def borrow_book(): ...\n", 1.0),
    ]


def test_neighbours_share_rare_names() -> None:
    """The file that defines what another one imports is its nearest; other packages are no neighbours."""
    nearest = neighbours(library())

    assert nearest.shape == (4, NEIGHBOURS)
    assert nearest[1][0] == 0
    assert nearest[0][0] == 1
    assert set(nearest[1].tolist()) == {0, 2, -1}
    assert set(nearest[3].tolist()) == {-1}
    assert np.array_equal(nearest, neighbours(library()))


def test_the_piece_that_defines_a_name_is_found() -> None:
    """A definition in another file is most often a piece if its name is used, and the last one."""
    documents = library()
    pieces = Pieces(documents, neighbours(documents))
    cut = DESK.index("book = ") + len("book = ")
    found = [pieces.find(random.Random(seed), 1, cut, cut, 2) for seed in range(50)]

    assert sum(bool(some) and some[-1][0] == "shelf.py" and "def borrow_book" in some[-1][1] for some in found) > 25
    assert all(len(some) <= 2 for some in found)
    assert all(name != "desk.py" for some in found for name, _ in some)
    assert all(piece.count("\n") <= 10 for some in found for _, piece in some)
    assert any(name == "garden.py" for some in found for name, _ in some)


def test_what_stands_at_the_cursor_is_no_piece() -> None:
    """A window that says the same as the lines around the cut is left out, and the middle is not looked at."""
    body = "".join(f"value_{number} = read_value(source_{number})\n" for number in range(8))
    documents = [SourceFile("one.py", "p", body, 1.0), SourceFile("two.py", "p", body + FILLER, 1.0)]
    pieces = Pieces(documents, neighbours(documents))

    def best(start: int, end: int) -> set[str]:
        found = (pieces.find(random.Random(seed), 0, start, end, 1) for seed in range(40))
        return {piece for some in found for _, piece in some}

    assert sum("read_value" in piece for piece in best(len(body), len(body))) <= 3
    assert pieces.find(random.Random(1), 0, 0, len(body), 1) in ([], pieces.find(random.Random(1), 0, 0, len(body), 1))
