"""The engine's answers beside an oracle's, for every middle over an alphabet up to a length."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from tests.oracles.cuts import strings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from random import Random

    from tests.oracles.face import Language, State


class Oracle(Protocol):
    """Something that knows the shortest middles."""

    def missing(self, left: str, right: str) -> int | None:
        """Return the length of the shortest middle, None if there is none that the oracle can see."""


@dataclass(frozen=True)
class Comparison:
    """An engine, and what it is compared with."""

    language: Language
    oracle: Oracle
    accepts: Callable[[str], bool]
    """The reference reader; every closing must satisfy it."""
    alphabet: str
    """ASCII only, so that a length in characters is a length in bytes.

    A closing that uses other characters may be shorter than what the oracle sees, never longer.
    """
    bound: int | None = None
    """The oracle sees only texts up to this length; None if it sees all.

    With a bound the comparison still is exact in what it reports: a refusal is wrong where the oracle sees
    a middle, a closing is wrong where it sees a shorter one, and for what the engine calls viable it has to
    show a closing that the reference reader accepts.
    """

    def disagreements(self, left: str, right: str, depth: int) -> Iterator[str]:
        """Yield every wrong answer about middles of at most `depth` characters."""
        quotient = self.language.quotient(left, right, tolerant=False)
        expected = self.oracle.missing(left, right)
        if not quotient.viable:
            if expected is not None:
                yield _report(left, "", right, f"{expected} characters are missing", "not viable")
            return
        states: list[tuple[str, State]] = [("", quotient.start)]
        while states:
            middle, state = states.pop()
            yield from self._answers(left, middle, right, state)
            if len(middle) == depth:
                continue
            for character in self.alphabet:
                longer = middle + character
                following = state.advance(character)
                if following is not None:
                    states.append((longer, following))
                elif (expected := self.oracle.missing(left + longer, right)) is not None:
                    yield _report(left, longer, right, f"{expected} characters are missing", "refused")

    def _answers(self, left: str, middle: str, right: str, state: State) -> Iterator[str]:
        """Yield every wrong answer about one state that the engine calls viable."""
        expected = self.oracle.missing(left + middle, right)
        closing = state.closing()
        if closing is None:
            wanted = "refused" if expected is None and self.bound is None else "a closing"
            yield _report(left, middle, right, wanted, "viable, without a closing")
            return
        if not self.accepts(left + middle + closing + right):
            wanted = "refused" if expected is None and self.bound is None else "a closing that fits"
            yield _report(left, middle, right, wanted, f"closing {closing!r}, which does not fit")
        whole = len(left) + len(middle) + len(closing) + len(right)
        cost = len(closing.encode())
        seen = (self.bound is None or whole <= self.bound) and set(closing) <= set(self.alphabet)
        if (seen and cost != expected) or (expected is not None and cost > expected):
            yield _report(left, middle, right, f"{expected} characters are missing", f"closing {closing!r}")
        fits = self.accepts(left + middle + right)
        if state.accepting != fits:
            yield _report(left, middle, right, f"accepting is {fits}", f"accepting is {state.accepting}")
        if closing:
            yield from self._approach(left, middle, right, state, closing)

    def _approach(self, left: str, middle: str, right: str, state: State, closing: str) -> Iterator[str]:
        """Yield what is wrong with the state after the closing's own first character."""
        following = state.advance(closing[0])
        nearer = following.closing() if following is not None else None
        if nearer is None:
            yield _report(left, middle, right, f"closing {closing!r} can be begun", "refused")
        elif len(nearer.encode()) >= len(closing.encode()):
            yield _report(left, middle + closing[0], right, f"less than {closing!r}", f"closing {nearer!r}")


def every_cut(comparison: Comparison, length: int) -> Iterator[str]:
    """Yield the disagreements on every text up to a length, cut in every way into left, middle and right."""
    sides = list(strings(comparison.alphabet, length))
    for right in sides:
        for left in sides:
            if len(left) + len(right) <= length:
                yield from comparison.disagreements(left, right, length - len(left) - len(right))


def cuts_of(comparison: Comparison, texts: Iterable[str], depth: int, share: int = 1) -> Iterator[str]:
    """Yield the disagreements at every place of the given texts, with a hole of every size at that place.

    Of all these cuts only each `share`th is compared.
    """
    cuts = {
        (text[:low], text[high:]): None
        for text in texts
        for low in range(len(text) + 1)
        for high in range(low, len(text) + 1)
    }
    for left, right in list(cuts)[::share]:
        yield from comparison.disagreements(left, right, depth)


def some_cuts(comparison: Comparison, random: Random, length: int, count: int, depth: int) -> Iterator[str]:
    """Yield the disagreements around random texts of a length with a hole of any size at a random place."""
    for _ in range(count):
        text = "".join(random.choices(comparison.alphabet, k=length))
        low, high = sorted(random.choices(range(length + 1), k=2))
        yield from comparison.disagreements(text[:low], text[high:], depth)


def _report(left: str, middle: str, right: str, expected: str, got: str) -> str:
    return f"{left!r} + {middle!r} + {right!r}: expected: {expected}; got: {got}"
