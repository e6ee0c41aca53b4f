"""The comparison itself: silent about a right engine, loud about each kind of wrong answer."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from random import Random

import pytest
from tests.exhaustive.comparison import Comparison, cuts_of, every_cut, some_cuts
from tests.oracles.cuts import Middles
from tests.oracles.face import FiniteLanguage, FiniteQuotient, FiniteState

TEXTS = frozenset(["", "ab", "aabb", "abab", "b"])
ALPHABET = "ab"


class Unlike(FiniteState):
    """A state with one wrong answer."""

    def advance(self, piece: str | bytes) -> FiniteState | None:
        following = super().advance(piece)
        return type(self)(self.texts, following.left, following.right) if following else None


class Refusing(Unlike):
    """Refuses a middle that fits."""

    def advance(self, piece: str | bytes) -> FiniteState | None:
        return None if piece == "b" else super().advance(piece)


class Permissive(Unlike):
    """Lets everything pass."""

    def advance(self, piece: str | bytes) -> FiniteState | None:
        more = piece if isinstance(piece, bytes) else piece.encode()
        return type(self)(self.texts, self.left + more, self.right)


class Reluctant(Unlike):
    """Never accepts."""

    accepting = False


class Longwinded(Unlike):
    """Closes with the longest rest."""

    def closing(self) -> str | None:
        return self.rests()[-1].decode()


class Careless(Unlike):
    """Closes with anything."""

    def closing(self) -> str | None:
        return "a"


@dataclass(frozen=True)
class Spoiled(FiniteLanguage):
    """A finite language whose states are wrong in one way."""

    kind: type[FiniteState] = FiniteState

    def quotient(self, left: str, right: str, *, tolerant: bool = True) -> FiniteQuotient:
        start = self.kind(self.texts, left.encode(), right.encode())
        return FiniteQuotient(start)


def comparison(kind: type[FiniteState]) -> Comparison:
    language = Spoiled(TEXTS, kind)
    return Comparison(language, Middles(TEXTS), TEXTS.__contains__, ALPHABET)


@pytest.mark.parametrize("bound", [None, 4])
def test_right_engine(bound: int | None) -> None:
    """Nothing is reported about an engine that is right, whether or not the oracle is bounded."""
    right = replace(comparison(FiniteState), bound=bound)

    assert [*every_cut(right, 4), *cuts_of(right, TEXTS, 1), *some_cuts(right, Random(1), 3, 300, 1)] == []


@pytest.mark.parametrize("kind", [Refusing, Permissive, Reluctant, Longwinded, Careless])
@pytest.mark.parametrize("bound", [None, 4])
def test_wrong_engine(kind: type[FiniteState], bound: int | None) -> None:
    """Each kind of wrong answer is reported, by texts to a length and by cuts of given texts alike."""
    wrong = replace(comparison(kind), bound=bound)

    assert list(islice(every_cut(wrong, 4), 1))
    assert list(islice(cuts_of(wrong, TEXTS, 1), 1))
    assert list(islice(some_cuts(wrong, Random(1), 3, 300, 1), 1))
