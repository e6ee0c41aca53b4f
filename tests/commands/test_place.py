"""Places in files, as the command line names them."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dovetail.commands.error import CommandError
from dovetail.commands.place import read_place, split_lines

if TYPE_CHECKING:
    from pathlib import Path


def test_a_place_divides_the_text(tmp_path: Path) -> None:
    """Columns count characters, not bytes, and the text is divided there."""
    path = tmp_path / "file.py"
    path.write_bytes("first\näöü = 1\n".encode())

    place = read_place(f"{path}:2:3")

    assert (place.left, place.right) == ("first\näö", "ü = 1\n")


@pytest.mark.parametrize(
    ("data", "line", "column", "left"),
    [
        (b"", 1, 1, b""),
        (b"ab", 1, 3, b"ab"),
        (b"ab\n", 2, 1, b"ab\n"),
        (b"a\r\nb\rc\n", 2, 1, b"a\r\n"),
        (b"a\r\nb\rc\n", 1, 2, b"a"),
        (b"a\r\nb\rc\n", 3, 2, b"a\r\nb\rc"),
        (b"a\x0cb\x1c\xe2\x80\xa8c\nd", 2, 1, b"a\x0cb\x1c\xe2\x80\xa8c\n"),
    ],
)
def test_lines_end_at_line_ends_only(tmp_path: Path, data: bytes, line: int, column: int, left: bytes) -> None:
    """A line ends at LF, CR LF and CR, at no form feed or separator; the last may be empty."""
    path = tmp_path / "file.py"
    path.write_bytes(data)

    assert read_place(f"{path}:{line}:{column}").left.encode() == left


def test_a_byte_order_mark_is_no_text(tmp_path: Path) -> None:
    """A byte order mark at the start of a file is left out."""
    path = tmp_path / "file.py"
    path.write_bytes(b"\xef\xbb\xbfa")

    assert read_place(f"{path}:1:2").left == "a"


def test_a_file_name_may_hold_colons(tmp_path: Path) -> None:
    """Only the last two numbers are line and column."""
    path = tmp_path / "a:1:2.py"
    path.write_bytes(b"x")

    assert read_place(f"{path}:1:1").path == path


@pytest.mark.parametrize(
    ("where", "sentence"),
    [
        ("", "{path}: a place is written FILE:LINE:COLUMN, as in `module.py:12:5`."),
        (":3", "{path}:3: a place is written FILE:LINE:COLUMN, as in `module.py:12:5`."),
        (":1:x", "{path}:1:x: a place is written FILE:LINE:COLUMN, as in `module.py:12:5`."),
        (":0:1", "{path}: there is no line 0; the file has lines 1 to 2."),
        (":3:1", "{path}: there is no line 3; the file has lines 1 to 2."),
        (":1:0", "{path}: there is no column 0 in line 1; it has columns 1 to 3."),
        (":1:4", "{path}: there is no column 4 in line 1; it has columns 1 to 3."),
    ],
)
def test_a_place_that_is_none(tmp_path: Path, where: str, sentence: str) -> None:
    """A place that does not exist is refused with what exists."""
    path = tmp_path / "file.py"
    path.write_bytes(b"ab\n")

    with pytest.raises(CommandError) as caught:
        read_place(f"{path}{where}")

    assert str(caught.value) == sentence.format(path=path)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"a\n\xff", "the file is not UTF-8: byte 2 is 0xff; save it as UTF-8."),
    ],
)
def test_a_file_without_text(tmp_path: Path, data: bytes, sentence: str) -> None:
    """A file that holds no text is refused, and the sentence says where."""
    path = tmp_path / "file.py"
    path.write_bytes(data)

    with pytest.raises(CommandError) as caught:
        read_place(f"{path}:1:1")

    assert str(caught.value) == f"{path}: {sentence}"


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    """A file that is not there, or is a folder, is refused with the system's reason."""
    with pytest.raises(CommandError) as missing:
        read_place(f"{tmp_path}/none.py:1:1")
    with pytest.raises(CommandError) as folder:
        read_place(f"{tmp_path}:1:1")

    assert str(missing.value) == f"{tmp_path}/none.py: the file cannot be read: No such file or directory."
    assert str(folder.value) == f"{tmp_path}: the file cannot be read: Is a directory."


@given(st.text("ab\r\n\x0c\u2028"))
def test_lines_and_line_ends_are_the_text(text: str) -> None:
    """Lines follow each other with nothing but one line end between them, and hold none."""
    lines = split_lines(text)

    between = [text[end:start] for (_, end), (start, _) in pairwise(lines)]
    assert set(between) <= {"\n", "\r", "\r\n"}
    assert all(not {"\n", "\r"} & set(text[start:end]) for start, end in lines)
    assert (lines[0][0], lines[-1][1]) == (0, len(text))
