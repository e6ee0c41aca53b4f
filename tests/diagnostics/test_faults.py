"""Mistakes that people make: each is reported once, and nothing that only follows from one."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from dovetail import Language, load_language
from dovetail.grammar.library import narrower_reading

if TYPE_CHECKING:
    from dovetail.diagnostics.reported import Reported

MISTAKES = Path(__file__).resolve().parents[1] / "cases" / "mistakes"
CASES = sorted(MISTAKES.rglob("*.txt"))
REPORTS = "\n=== reports\n"


@cache
def _language(name: str) -> Language:
    """Return a language that is loaded once: reading its tables anew takes longer than most cases."""
    return load_language(name)


@cache
def _reported(path: Path, line_end: str) -> tuple[Reported, ...]:
    """Return the reports of a case, which several promises are about."""
    document, _ = path.read_text(encoding="utf-8").split(REPORTS)
    text = document.replace("\n", line_end)
    faults = _language(narrower_reading(path.parent.name, text)).errors(text)
    return tuple(fault.reported for fault in faults)


def reports(path: Path, line_end: str = "\n") -> tuple[list[str], list[str]]:
    """Return what is reported of a case, a line each, and what is to be reported."""
    _, wanted = path.read_text(encoding="utf-8").split(REPORTS)
    return [f"{at.line}: {at.message}" for at in _reported(path, line_end)], wanted.splitlines()


# Of the whole module, so that all tests of one case follow one another and share what is found.
@pytest.fixture(name="path", scope="module", params=CASES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def _path(request: pytest.FixtureRequest) -> Path:
    path: Path = request.param
    return path


def _check_reports(path: Path, line_end: str) -> None:
    found, wanted = reports(path, line_end)

    assert len(found) == len(wanted), found
    assert [report[: len(start)] for report, start in zip(found, wanted, strict=True)] == wanted


def test_each_mistake_is_reported_once(path: Path) -> None:
    """A case is a document and what is said of it: lines, and how each sentence begins."""
    _check_reports(path, "\n")


@pytest.mark.parametrize("case", CASES[::9], ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_mistake_is_reported_alike_where_lines_end_in_another_way(case: Path) -> None:
    """Lines may end with a carriage return and a line feed."""
    _check_reports(case, "\r\n")


@pytest.mark.long
def test_each_mistake_is_reported_alike_where_lines_end_in_another_way(path: Path) -> None:
    """The same for all cases."""
    _check_reports(path, "\r\n")


def test_reports_end_where_a_mend_leads_back_to_a_mistake() -> None:
    """A string that is never closed, below a line that is indented for no reason, is looked at once."""
    text = '    a = [[1, 2], [3, 4]]\n    b = [[5,""" 6], [7, 8]]\n    c = [[f(1), 0], [2, 3]]\n    # the end\n'

    faults = _language("python").errors(text)

    assert [fault.reported.line for fault in faults[:2]] == [1, 2]


@pytest.mark.parametrize(
    ("name", "text", "column"),
    [
        ("python", "a = 1\nb = [str(x) x in c]\n", len("b = [str(x) ") + 1),
        *((name, f"switch (x) {{\n{case}\n  f();\n}}\n", len(case) + 1)
          for name in ("javascript", "typescript")
          for case in ("  case '<'", '  case "a"', "  case 1", "  case x", "  default")),
    ],
)  # fmt: skip
def test_what_is_missing_in_a_form_is_reported_where_it_is_missing(name: str, text: str, column: int) -> None:
    """The report stands behind what is before the missing sign or word, and not where the form begins."""
    [fault] = _language(name).errors(text)

    assert (fault.reported.line, fault.reported.column) == (2, column)


@pytest.mark.parametrize("comment", ["-- a remark", "--[[ a remark ]]", "--[[ two\n lines ]]"])
def test_what_is_missing_before_a_comment_is_reported_at_the_end_of_the_code(comment: str) -> None:
    """A word behind the comment would be a part of it."""
    text = f"if x == 1 {comment}\n  f()\nend\n"

    reported = [fault.reported for fault in _language("lua").errors(text)]
    single = _language("lua").error(text)

    assert [(each.line, each.column, each.message) for each in reported] == [
        (1, 10, "expected `then` before the comment")
    ]
    assert single is not None
    assert single.reported.offset == len("if x == 1")


def test_a_fault_before_a_place_is_shown_before_it() -> None:
    """The words of the text before a place serve if those of the whole text would show what stands behind it."""
    text = "package a\n\nfunc last(n int) {\n\tfor i := len(q.ite<) n) - 1; i > 0; i-- {\n\t\tprint(i)\n\t}\n}\n"
    place = text.index(" n) ")
    before = _language("go").error_before(text, place)

    assert _language("go").errors(text)[0].reported.offset > place
    assert before is not None
    assert before.reported.offset == text.index(") n) ")


def _expected_in(message: str) -> list[str]:
    """Return the words and signs that a message expects, up to where it says the place."""
    found = re.search(
        r"(?:\A|; )expected ((?:`[^`]*`|[^`;])*?)(?=[ ,](?:at|before|after|below|here|as)\b|;|\Z)", message
    )
    if found is None:
        return []
    return re.findall(r"`[^`]*`", found[1]) or found[1].split(" or ")


def test_what_a_message_expects_stands_beside_it(path: Path) -> None:
    """Programs are told all that the words expect, and nothing where they expect nothing."""
    for at in _reported(path, "\n"):
        words = _expected_in(at.message)

        assert [word for word in words if word not in " or ".join(at.expected)] == []
        assert bool(at.expected) == bool(words), at.message
