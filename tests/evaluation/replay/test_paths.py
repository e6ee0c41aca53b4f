"""Cursor paths and cases: made from the file and the seed, and from nothing else."""

from __future__ import annotations

import ast
import shutil
from typing import TYPE_CHECKING

import pytest
from tests.evaluation.replay.typing_of import paths
from tests.fuzz.sources import LIBRARY

from dovetail.evaluation.error import EvaluationError
from dovetail.evaluation.programs import Programs
from dovetail.evaluation.replay.cases import Part, ReplayCases, part_of
from dovetail.evaluation.replay.place_kinds import KINDS, kind_of_place
from dovetail.evaluation.replay.stretch import Stretch, StretchKind
from dovetail.evaluation.replay.tokens import read_tokens

if TYPE_CHECKING:
    from pathlib import Path

TEXT = (LIBRARY / "argparse.py").read_text(encoding="utf-8")


@pytest.fixture(name="programs", scope="module")
def _programs(tmp_path_factory: pytest.TempPathFactory) -> Programs:
    """Return two packages of a few programs."""
    folder = tmp_path_factory.mktemp("programs")
    for package in ("json", "concurrent", "wsgiref"):
        shutil.copytree(LIBRARY / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    return Programs(folder)


def test_the_same_seed_gives_the_same_path() -> None:
    """A path depends on file and seed; another seed gives another one."""
    assert paths(TEXT, 1) == paths(TEXT, 1)
    assert paths(TEXT, 1) != paths(TEXT, 2)


def test_a_path_survives_its_json() -> None:
    """The kept form of a stretch makes the same stretch again."""
    for stretch in paths(TEXT, 3):
        assert Stretch.from_json(stretch.to_json()) == stretch


def test_every_kind_is_there_and_short() -> None:
    """A body, appended text and edits, with about as many characters as are asked for."""
    for seed in range(20):
        path = paths(TEXT, seed, most=200)
        assert {stretch.kind for stretch in path} == set(StretchKind)
        assert 0 < sum(stretch.end - stretch.begin for stretch in path) <= 200


def test_a_body_is_all_of_a_function_after_its_documentation() -> None:
    """Without the typed text and with `pass` in its place the file still parses."""
    for seed in range(20):
        [body] = [stretch for stretch in paths(TEXT, seed) if stretch.kind is StretchKind.BODY]
        typed = TEXT[body.begin : body.end]
        assert typed.startswith("\n")
        last = typed[typed.rfind("\n") + 1 :]
        blanks = typed.lstrip("\n")[: len(typed.lstrip("\n")) - len(typed.lstrip())] or last
        ast.parse(f"{TEXT[: body.begin]}\n{blanks}pass{TEXT[body.end :]}")


def test_edits_have_text_to_their_right_and_pauses_at_once() -> None:
    """The cursor stands within a line, and what was deleted there is asked about."""
    for seed in range(20):
        for edit in [stretch for stretch in paths(TEXT, seed) if stretch.kind is StretchKind.EDIT]:
            assert "\n" not in TEXT[edit.begin : edit.end]
            assert edit.pauses[0] == 0


def test_appended_text_begins_and_ends_with_a_line() -> None:
    """From the end of a line of code to the end of another."""
    ends = read_tokens(TEXT).ends
    for seed in range(20):
        [appended] = [stretch for stretch in paths(TEXT, seed) if stretch.kind is StretchKind.APPEND]
        assert appended.begin in ends
        assert appended.end in ends


def test_a_file_without_a_short_function_has_no_path() -> None:
    """Tables and constants alone are not typed."""
    assert paths("x = 1\ny = 2\n" * 50) == ()


def test_packages_are_in_one_part_as_a_whole(programs: Programs) -> None:
    """The parts have no file in common, and no package."""
    files = {
        part: {cases.case(number).file for number in range(3)}
        for part in Part
        for cases in [ReplayCases(programs, part, 0, 200)]
    }

    packages = {part: {file.partition("/")[0] for file in found} for part, found in files.items()}
    assert packages[Part.REPORT].isdisjoint(packages[Part.TUNING])
    assert set(part_of(programs.names).values()) == set(Part)


def test_a_case_depends_on_its_number_alone(programs: Programs) -> None:
    """Cases are the same in whatever order they are asked for; the seed changes them."""
    forwards, backwards = (ReplayCases(programs, Part.REPORT, 5, 200) for _ in range(2))
    other = ReplayCases(programs, Part.REPORT, 6, 200)

    found = [forwards.case(number) for number in range(4)]

    assert [backwards.case(number) for number in reversed(range(4))] == found[::-1]
    assert [case.number for case in found] == [0, 1, 2, 3]
    assert [other.case(number) for number in range(4)] != found


def test_a_package_can_be_left_out(programs: Programs) -> None:
    """The files of the others come in the same order, with the same paths."""
    every = ReplayCases(programs, Part.REPORT, 0, 200)
    files = [every.case(number) for number in range(6)]
    [first, *others] = sorted({case.file.partition("/")[0] for case in files})
    without = ReplayCases(programs, Part.REPORT, 0, 200, [first])

    kept = [case for case in files if not case.file.startswith(f"{first}/")]

    assert others
    assert kept
    found = [without.case(number) for number in range(len(kept))]
    assert [(case.file, case.path) for case in found] == [(case.file, case.path) for case in kept]


def test_too_few_files_are_one_sentence(programs: Programs) -> None:
    """More cases than files cannot be had, because no file comes twice."""
    with pytest.raises(EvaluationError, match=r"has only \d+ usable files in this part: ask for fewer with --cases"):
        ReplayCases(programs, Part.REPORT, 0, 200).case(10_000)


def test_a_folder_without_usable_files_is_one_sentence(tmp_path: Path) -> None:
    """A file of constants is no case."""
    (tmp_path / "table.py").write_text("x = 1\n" * 100, encoding="utf-8")

    with pytest.raises(EvaluationError, match="has only 0 usable files"):
        ReplayCases(Programs(tmp_path), Part.REPORT, 0, 200).case(0)


@pytest.mark.parametrize(
    ("marked", "kind"),
    [
        ("x = 1\n|y = 2\n", "middle of a line"),
        ("if x:\n    |\n    y = 2\n", "start of a line"),
        ("x = |\ny\n", "end of a line"),
        ("x = 1|\n", "end of a finished line"),
        ("f(x|)\n", "before closers"),
        ("f(x| + 1)\n", "middle of a line"),
        ("na|me = 1\n", "inside a word"),
        ("x = 'a|b'\n", "in a string"),
        ("'''a|b'''\n", "in a long string"),
        ("x = 1  # a|b\n", "in a comment"),
    ],
)
def test_kinds_of_places(marked: str, kind: str) -> None:
    """Strings and comments come first, then what stands to the right of the cursor on its line."""
    left, right = marked.split("|")
    tokens = read_tokens(left + ("1" if "= \n" in left + right else "") + right)

    assert kind_of_place(tokens, left, right, len(left)) == kind
    assert kind in KINDS
