"""Pieces of other files that belong to a place."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import numpy as np

from dovetail.model.neighbours import NEIGHBOURS, Pieces, neighbours
from dovetail.model.sources import SourceFile
from dovetail.project.reader import WORKSPACE, OpenText, ProjectReader

if TYPE_CHECKING:
    from pathlib import Path

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


def test_neighbours_import_or_share_rare_names() -> None:
    """The file that is imported comes first, then the others of the package; other packages are no neighbours."""
    nearest = neighbours(library())

    assert nearest.shape == (4, NEIGHBOURS)
    assert nearest[1][0] == 0
    assert nearest[0][0] == 1
    assert set(nearest[1].tolist()) == {0, 2, -1}
    assert set(nearest[3].tolist()) == {-1}
    assert np.array_equal(nearest, neighbours(library()))


def test_an_imported_file_is_a_neighbour_without_a_name_in_common() -> None:
    """A session searches the files that are imported, so they go before files that are more alike."""
    user = "from tool import *\n" + "".join(f"stone_{number} = {number}\n" for number in range(9))
    twin = user.replace("from tool", "from nowhere")
    documents = [
        SourceFile(f"{name}.py", "p", text, 1.0) for name, text in (("a", user), ("b", twin), ("tool", "x = 1\n"))
    ]

    assert neighbours(documents)[0].tolist()[:2] == [2, 1]


def test_parts_are_those_of_a_prompt(tmp_path: Path) -> None:
    """A sample is told what a session shows a model at the same place, in the same order."""
    documents = library()[:3]
    for document in documents:
        (tmp_path / document.name).write_text(document.text, encoding="utf-8")
    cut = DESK.index("book = ") + len("book = ")
    reader = ProjectReader()
    reader.begin([str(tmp_path)], WORKSPACE)
    reader.scan()
    uri = (tmp_path / "desk.py").as_uri()
    for name in ("garden.py", "desk.py"):  # what is open is searched, as what shares names is in training
        text = (tmp_path / name).read_text(encoding="utf-8")
        reader.update(OpenText((tmp_path / name).as_uri(), "python", text))
    around = reader.around(uri, DESK[:cut], DESK[cut:])
    assert around is not None

    pieces = Pieces(documents, neighbours(documents))
    found = [pieces.find(random.Random(seed), 1, cut, cut) for seed in range(40)]

    expected = [(file.path, file.text) for file in around.files]
    assert expected[-1][0] == "shelf.py"
    assert "def borrow_book" in expected[-1][1]
    assert found.count(expected) > 30


def test_some_parts_are_drawn_at_random() -> None:
    """A model learns to pass over parts that do not belong to the place; no part is of the file itself."""
    documents = library()
    pieces = Pieces(documents, neighbours(documents))
    cut = DESK.index("book = ") + len("book = ")
    found = [pieces.find(random.Random(seed), 1, cut, cut) for seed in range(200)]

    assert 4 < sum("def borrow_book" not in some[-1][1] for some in found if some) < 40
    assert all(path != "desk.py" for some in found for path, _ in some)
    assert all(text.count("\n") <= 10 for some in found for _, text in some)


def test_what_stands_at_the_cursor_is_no_part() -> None:
    """A window that says the same as the lines around the cut is left out."""
    body = "".join(f"value_{number} = read_value(source_{number})\n" for number in range(8))
    documents = [SourceFile("one.py", "p", body, 1.0), SourceFile("two.py", "p", body + FILLER, 1.0)]
    pieces = Pieces(documents, neighbours(documents))
    found = (pieces.find(random.Random(seed), 0, len(body), len(body)) for seed in range(40))

    assert not any(text.startswith("value_0") for some in found for _, text in some)


def test_imported_names_are_those_that_a_neighbour_defines() -> None:
    """Names that are imported from elsewhere are left out, and so are those of languages whose imports are unknown."""
    desk = DESK.replace("import borrow_book", "import borrow_book, nothing").replace("book = ", "import os\nbook = ")
    documents = [*library()[:1], SourceFile("desk.py", "library", desk, 1.0), SourceFile("a.go", "library", desk, 1.0)]
    pieces = Pieces(documents, neighbours(documents))

    assert pieces.imported(1) == ["borrow_book"]
    assert pieces.imported(2) == []
