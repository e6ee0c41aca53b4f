"""The worth of parts of other files is measured on the prompts of the product."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.benchmarks import parts

from dovetail.model.hosting import EMBEDDED

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

SHELF = "def borrow_book(reader, title):\n    return reader.card, title\n\n\nclass Shelf:\n    books = ()\n"
DESK = "from shelf import Shelf, borrow_book\n\n\ndef serve(reader, title):\n    return borrow_book(reader, title)\n"


def test_a_model_is_asked_with_parts_and_without(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each model has a row with its bits for lines with and without parts, and for plain text where there is some."""
    library = tmp_path / "library"
    library.mkdir()
    (library / "shelf.py").write_text(SHELF, encoding="utf-8")
    (library / "desk.py").write_text(DESK + 60 * "# They are open on all days but the last.\n", encoding="utf-8")

    assert parts.main(["--data", str(tmp_path), "--model", str(EMBEDDED), "--count", "1"]) == 0

    _, _, note, *_, row = capsys.readouterr().out.strip().split("\n")
    name, *numbers, shown = row.strip("| ").split(" | ")
    assert name == str(EMBEDDED)
    assert all(0.0 <= float(number) < 12.0 for number in numbers)
    assert shown in ("0%", "100%")
    assert note.startswith("1 lines that use a name of another file")


def test_plain_text_of_short_files_is_left_out() -> None:
    """A file that is no longer than a place of plain text has none."""
    assert parts.plain_cases([], seed=1) == []
