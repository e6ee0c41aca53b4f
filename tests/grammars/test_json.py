"""The JSON grammar, case by case, and each case against Python's own reader."""

from __future__ import annotations

import json

import pytest
from tests.grammars.cases import Case, read_cases

CASES = read_cases("json")


def refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not in RFC 8259")


def reads(text: str) -> bool:
    try:
        json.loads(text, parse_constant=refuse)
    except ValueError:
        return False
    return True


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case_is_true(case: Case) -> None:
    """A case's verdict is that of Python's reader, without its own additions NaN and Infinity."""
    assert case.valid == reads(case.text)
