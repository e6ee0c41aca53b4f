"""Cases are cuts of programs as the papers describe them, the same ones for the same seed."""

from __future__ import annotations

import ast
import tokenize
from io import StringIO
from typing import TYPE_CHECKING

import pytest
from tests.fuzz.sources import LIBRARY
from tests.oracles.cpython import parses

from dovetail.evaluation.cases import Case, Cases
from dovetail.evaluation.cuts import DATA_SETS
from dovetail.evaluation.error import EvaluationError
from dovetail.evaluation.programs import LEAST, Programs

if TYPE_CHECKING:
    from pathlib import Path

COUNT = 60


@pytest.fixture(name="programs", scope="module")
def _programs() -> Programs:
    return Programs(LIBRARY / "json")


def drawn(programs: Programs, name: str, seed: int = 0) -> list[Case]:
    """Return some cases of a data set."""
    cases = Cases(programs, DATA_SETS[name], seed)
    return [cases.case(number) for number in range(COUNT)]


@pytest.mark.parametrize("name", DATA_SETS)
def test_left_removed_and_right_are_a_program(programs: Programs, name: str) -> None:
    """Every case has something that fits: what was removed."""
    for case in drawn(programs, name):
        assert parses(case.left + case.removed + case.right)
        assert case.left + case.removed + case.right == case.text


@pytest.mark.parametrize("name", DATA_SETS)
def test_a_case_depends_on_its_number_and_the_seed_alone(programs: Programs, name: str) -> None:
    """Another order, another process or another shard has the same cases; another seed has others."""
    again = Cases(Programs(programs.folder), DATA_SETS[name], 0)
    first = drawn(programs, name)

    assert [again.case(number) for number in reversed(range(COUNT))] == first[::-1]
    assert drawn(programs, name, seed=1) != first


@pytest.mark.parametrize("name", DATA_SETS)
def test_every_program_has_its_turn(programs: Programs, name: str) -> None:
    """As many cases as there are programs are of all programs that can be cut."""
    cases = Cases(programs, DATA_SETS[name], 3)
    usable = {file for file in programs.names if programs.text(file) is not None}
    rounds = [cases.case(number).file for number in range(3 * len(programs.names))]

    assert set(rounds) <= usable
    assert len(set(rounds)) >= len(usable) - (1 if name == "left-only" else 0)  # `__main__` has one small function


def test_a_boundary_cut_goes_from_within_a_symbol_to_one_of_its_block(programs: Programs) -> None:
    """The right text begins at a symbol, the left one ends within or after one, and both are of one block."""
    for case in drawn(programs, "boundary"):
        lines = case.text.split("\n")
        tokens = list(tokenize.generate_tokens(StringIO(case.text).readline))

        def offset(place: tuple[int, int], lines: list[str] = lines) -> int:
            return sum(len(line) + 1 for line in lines[: place[0] - 1]) + place[1]

        depth, depths, firsts, seconds = 0, [], [], []
        for place, token in enumerate(tokens):
            depth += {tokenize.INDENT: 1, tokenize.DEDENT: -1}.get(token.type, 0)
            depths.append(depth)
            if token.string.strip():
                if offset(token.start) <= case.begin <= offset(token.end):
                    firsts.append(place)
                if offset(token.start) == case.end:
                    seconds.append(place)
        assert any(
            depths[first] == depths[second] == min(depths[first : second + 1]) for first in firsts for second in seconds
        )


def test_a_random_span_is_a_fifth_of_the_file_or_100_characters(programs: Programs) -> None:
    """It begins in the first nine tenths, and ends with the file at the latest."""
    for case in drawn(programs, "randspan"):
        assert case.begin <= 0.9 * len(case.text)
        assert len(case.removed) == min(100, len(case.text) // 5, len(case.text) - case.begin)


def test_the_rest_of_a_line(programs: Programs) -> None:
    """A line case lacks the end of one line, with content on both sides of the cursor's line end."""
    for case in drawn(programs, "line"):
        assert case.removed.strip()
        assert "\n" not in case.removed
        assert case.right[:1] in ("\n", "")


def test_the_body_of_a_block(programs: Programs) -> None:
    """A block case lacks whole statements below a line that opens a block, the indentation being there."""
    for case in drawn(programs, "block"):
        last = case.left[case.left.rindex("\n") + 1 :]
        assert last.isspace()
        assert case.right[:1] in ("\n", "")
        ast.parse("if 1:\n" + last + case.removed)
        assert parses(case.left + case.right) is False


def test_nothing_is_to_the_right_of_a_function(programs: Programs) -> None:
    """A left-only case ends where a function does, and lacks its body up to there."""
    for case in drawn(programs, "left-only"):
        assert case.right == ""
        assert case.removed.strip()
        assert parses(case.left + "pass\n")


def test_columns_are_characters(tmp_path: Path) -> None:
    """Text outside ASCII moves no cut: `ast` counts bytes, and cases count characters."""
    line = "    é = 'ü'; return é\n"
    (tmp_path / "file.py").write_text("def f():\n" + line + "#" * LEAST + "\n", encoding="utf-8")
    programs = Programs(tmp_path)

    for name in ("block", "left-only"):
        assert Cases(programs, DATA_SETS[name], 0).case(0).removed == line.strip()


def test_what_cannot_be_used_is_passed_over(tmp_path: Path) -> None:
    """Files that are short, broken or no text give their turn to the next one."""
    (tmp_path / "short.py").write_bytes(b"x = 1\n")
    (tmp_path / "broken.py").write_bytes(b"x = (\n" * 100)
    (tmp_path / "binary.py").write_bytes(bytes(range(256)) * 2)
    (tmp_path / "good.py").write_bytes(b"value = 1\n" * 40)
    cases = Cases(Programs(tmp_path), DATA_SETS["boundary"], 0)

    assert {cases.case(number).file for number in range(8)} == {"good.py"}


@pytest.mark.parametrize("name", DATA_SETS)
def test_no_usable_file_is_one_sentence(tmp_path: Path, name: str) -> None:
    """A folder in which nothing can be cut is a mistake that names the folder."""
    (tmp_path / "empty.py").write_bytes(b"")

    with pytest.raises(EvaluationError, match=r"holds no program .*: name another folder with --data\.$") as caught:
        Cases(Programs(tmp_path), DATA_SETS[name], 0).case(0)

    assert str(tmp_path) in str(caught.value)


def test_line_ends_are_made_plain(tmp_path: Path) -> None:
    """A file of another system has the cases that it would have here."""
    text = "def f(a):\n    return a\n" * 20
    for name, data in (("one", text), ("two", text.replace("\n", "\r\n"))):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file.py").write_bytes(data.encode())

    one, two = (Cases(Programs(tmp_path / name), DATA_SETS["boundary"], 0).case(5) for name in ("one", "two"))

    assert one == two


def test_the_digest_knows_names_and_texts(tmp_path: Path) -> None:
    """Other files are other data."""
    (tmp_path / "a.py").write_bytes(b"x = 1\n")
    first = Programs(tmp_path).digest
    (tmp_path / "a.py").write_bytes(b"x = 2\n")
    second = Programs(tmp_path).digest
    (tmp_path / "a.py").rename(tmp_path / "b.py")

    assert len({first, second, Programs(tmp_path).digest}) == 3
