"""The random judge is itself judged: right engines pass, wrong ones are found and made small."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

import pytest
from tests.fuzz.cases import Case, make_case
from tests.fuzz.judging import judge
from tests.fuzz.mutations import mutated
from tests.fuzz.shrinking import shrunk
from tests.oracles.cpython import parses
from tests.oracles.face import FiniteLanguage, FiniteQuotient, FiniteState

if TYPE_CHECKING:
    from collections.abc import Sequence

LEFT, RIGHT = "x = f(", ")\n"
MIDDLES = ["", "é", "1", "é, 1", "[é]", "[]"]
PROGRAMS = frozenset(LEFT + middle + RIGHT for middle in MIDDLES)


@dataclass(frozen=True)
class Blind(FiniteState):
    """Takes every middle that goes on for the end of one."""

    @property
    def accepting(self) -> bool:
        return True

    def advance(self, piece: str | bytes) -> FiniteState | None:
        following = super().advance(piece)
        return Blind(following.texts, following.left, following.right) if following else None


@dataclass(frozen=True)
class BlindLanguage(FiniteLanguage):
    """A finite language of such states."""

    def quotient(self, left: str, right: str, *, tolerant: bool = True) -> FiniteQuotient:
        return FiniteQuotient(Blind(self.texts, left.encode(), right.encode()))


def case(middle: str, grain: int = 1) -> Case:
    return Case("by hand", LEFT, middle, RIGHT, grain)


@pytest.mark.parametrize("middle", MIDDLES)
@pytest.mark.parametrize("grain", [1, 2, 5])
def test_right_answers_pass(middle: str, grain: int) -> None:
    """Nothing is said against an engine that is right, in pieces of any size."""
    assert judge(FiniteLanguage(PROGRAMS), case(middle, grain)) == []


def test_false_refusal_is_found() -> None:
    """A middle that parses and is refused is reported, with a text that proves it."""
    wrong = judge(FiniteLanguage(PROGRAMS), case("é, 2"))

    assert len(wrong) == 1
    assert "'é, 2' parses" in wrong[0]


def test_no_quotient_at_all_is_found() -> None:
    """An engine that finds no middle where one parses is reported."""
    wrong = judge(FiniteLanguage(frozenset(["pass\n"])), case(""))

    assert wrong == ["no middle at all is viable; but the middle '' parses"]


def test_false_acceptance_is_found() -> None:
    """Accepting a middle that does not parse is reported."""
    wrong = judge(BlindLanguage(PROGRAMS), case("["))

    assert any("accepting is True, the interpreter refuses" in line for line in wrong)


def test_closing_that_does_not_parse_is_found() -> None:
    """A closing after which the interpreter refuses the whole is reported."""
    wrong = judge(FiniteLanguage(frozenset([f"{LEFT}]{RIGHT}"])), case("]"))

    assert any("the closing ']' does not parse" in line for line in wrong)


def test_failing_case_is_made_small() -> None:
    """Text that does not belong to the failure is left out on all sides."""
    large = Case("by hand", "a = 1\nb = 2\n" * 9 + LEFT, "1, bad, 2", RIGHT + "c = 3\n" * 9, 3)

    def fails(smaller: Case) -> bool:
        return "bad" in smaller.middle and smaller.left.endswith("(")

    small = shrunk(large, fails)

    assert (small.left, small.middle, small.right) == ("(", "bad", "")


@pytest.mark.parametrize("mutate", [False, True])
def test_case_is_fixed_by_seed_and_number(mutate: bool) -> None:
    """The same seed and number give the same case, and it survives being saved."""
    cases: Sequence[Case] = [make_case(5, number, mutate=mutate, largest=400) for number in range(6)]

    assert cases == [make_case(5, number, mutate=mutate, largest=400) for number in range(6)]
    assert cases == [Case.from_json(saved.to_json()) for saved in cases]
    assert len(set(cases)) == 6
    assert mutate or all(parses(made.left + made.middle + made.right) for made in cases)


def test_pieces_make_the_middle() -> None:
    """The pieces of a case are its middle, in bytes, and none is longer than its grain."""
    whole = case("aé𝒳b", grain=3)

    assert b"".join(whole.pieces()).decode() == whole.middle
    assert {len(piece) for piece in whole.pieces()} <= {1, 2, 3}


def test_mutations_reach_both_verdicts() -> None:
    """Of the changed middles some parse and some do not."""
    random = Random(3)
    verdicts = [parses(LEFT + mutated(random, "a, [b], c=d") + RIGHT) for _ in range(60)]

    assert verdicts.count(True) > 5
    assert verdicts.count(False) > 5
