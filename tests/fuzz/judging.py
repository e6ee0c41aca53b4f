"""The engine's answers about a case beside the interpreter's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.oracles.cpython import parses

if TYPE_CHECKING:
    from tests.fuzz.cases import Case
    from tests.oracles.face import Language, State

ENDINGS = ["", "\n", ")", ":\n", " pass\n", "\n    pass\n", "x", "'", '"']
"""Texts that may save a middle that was refused; one that does so proves the refusal wrong."""


def judge(language: Language, case: Case, closings: int = 2) -> list[str]:
    """Return what is wrong in the engine's answers; closings are checked at some places of the middle."""
    whole = case.middle.encode()
    program = parses(case.left + case.middle + case.right)
    quotient = language.quotient(case.left, case.right, tolerant=False)
    if not quotient.viable:
        return _refusal(case, "", "no middle at all is viable")
    state = quotient.start
    wrong = _closing(case, "", state, len(whole) if program else None)
    places = _places(case, closings)
    length = 0
    for piece in case.pieces():
        following = state.advance(piece)
        length += len(piece)
        if following is None:
            before = whole[: length - len(piece)]
            while length < len(whole) and 0x80 <= whole[length] < 0xC0:
                length += 1
            return wrong + _refusal(case, whole[:length].decode(), f"after {before!r}, {piece!r} is refused")
        state = following
        if length in places:
            wrong += _closing(case, whole[:length].decode(), state, len(whole) - length if program else None)
    if program is not None and state.accepting != program:
        verdict = "parses" if program else "refuses"
        wrong.append(f"accepting is {state.accepting}, the interpreter {verdict}")
    return wrong + _closing(case, case.middle, state, 0 if program else None)


def _places(case: Case, count: int) -> set[int]:
    """Return places in bytes, evenly spread, where a piece ends with a whole character."""
    ends = []
    length = 0
    whole = case.middle.encode()
    for piece in case.pieces():
        length += len(piece)
        if length < len(whole) and not 0x80 <= whole[length] < 0xC0:
            ends.append(length)
    return set(ends[:: len(ends) // count + 1]) if count else set()


def _refusal(case: Case, done: str, got: str) -> list[str]:
    """Return a report if some text shows that the refusal of `done` was wrong."""
    high = min(len(case.middle) + 1, len(done) + 4)
    rests = [case.middle[place:] for place in range(len(done), high)]
    for rest in [*rests, *ENDINGS]:
        if parses(case.left + done + rest + case.right):
            return [f"{got}; but the middle {done + rest!r} parses"]
    return []


def _closing(case: Case, done: str, state: State, enough: int | None) -> list[str]:
    """Return what is wrong with the closing of a state; a text of `enough` bytes is known to close it."""
    closing = state.closing()
    if closing is None:
        return [f"after {done!r}: viable, but there is no closing"]
    wrong = []
    cost = len(closing.encode())
    if parses(case.left + done + closing + case.right) is False:
        wrong.append(f"after {done!r}: the closing {closing!r} does not parse")
    if enough is not None and cost > enough:
        wrong.append(f"after {done!r}: the closing {closing!r} is longer than {enough} bytes")
    if (cost == 0) != state.accepting:
        wrong.append(f"after {done!r}: accepting is {state.accepting}, the closing {closing!r}")
    if closing:
        following = state.advance(closing[0])
        nearer = following.closing() if following is not None else None
        if nearer is None:
            wrong.append(f"after {done!r}: the closing {closing!r} cannot be begun")
        elif len(nearer.encode()) >= cost:
            wrong.append(f"after {done + closing[0]!r}: the closing {nearer!r} is not shorter than {closing!r}")
    return wrong
