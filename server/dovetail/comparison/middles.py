"""Judgement of middles: the engine's quotient beside the real parser's verdict on the whole text."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from dovetail.comparison.disagreement import Disagreement
from dovetail.recovery.readings import leaves_brackets

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dovetail import Language, Quotient
    from dovetail.comparison.oracle_process import Judge
    from dovetail.diagnostics.fault import Fault

ACCEPTS, REFUSES, GAVE_UP = "accepts", "refuses", "gave up"
_REPORTS = "accepts, and reports a mistake"


class Cutting(NamedTuple):
    """Two texts, middles for the place between them, and the number of characters that are handed over at a time."""

    left: str
    right: str
    middles: Sequence[str]
    grain: int


def judge_middles(language: Language, judge: Judge, cutting: Cutting) -> list[Disagreement]:
    """Return where engine and parser disagree about middles, and closings that make no program.

    Also where the engine disagrees with itself: a viable state without a closing, a quotient that takes a middle of
    which the whole text is refused, a tolerant quotient of texts that fit that is not the strict one.
    """
    left, right, middles, grain = cutting
    quotient = language.quotient(left, right, tolerant=False)
    found: list[Disagreement] = []
    closings: dict[str, str | None] = {"": quotient.start.closing()} if quotient.viable else {}
    verdicts = judge.judge([left + middle + right for middle in middles])
    for middle, (accepted, message) in zip(middles, verdicts, strict=True):
        state = quotient.start if quotient.viable else None
        for at in range(0, len(middle), grain):
            if state is None:
                break
            state = state.advance(middle[at : at + grain])
            if state is not None and at == 0:
                closings[middle[:grain]] = state.closing()
        accepting = state is not None and state.accepting
        found += _compare(
            language, Disagreement("middle", left, middle, right, "", "", message, grain=grain), accepting, accepted
        )
        if language.accepts(left + middle + right) != accepting:
            words = (
                f"the quotient {word(accepting)}",
                f"the whole text is judged otherwise, the parser {word(accepted)}",
            )
            found.append(Disagreement("whole", left, middle, right, *words, message, grain=grain))
    found += _judge_closings(language, judge, left, right, closings)
    # Where a middle would have to be what closes a bracket below, recovery puts that in instead.
    if quotient.viable and not leaves_brackets(quotient):
        tolerant = language.quotient(left, right)
        for middle in ("", *middles):
            answers = [_answer(asked, middle) for asked in (quotient, tolerant)]
            if answers[0] != answers[1] or tolerant.ignored or not _closes_alike(quotient, tolerant, middle):
                words = f"strict is {answers[0]}", f"tolerant is {answers[1]}"
                found.append(Disagreement("tolerance", left, middle, right, *words, grain=grain))
    return found


def judge_text(language: Language, judge: Judge, text: str, source: str = "") -> list[Disagreement]:
    """Return a finding if engine and parser disagree about a whole text."""
    accepted, message = judge.judge([text])[0]
    finding = Disagreement("text", "", text, "", "", "", message, source)
    return _compare(language, finding, language.accepts(text), accepted)


def word(accepted: bool | None) -> str:
    """Return the word for a verdict."""
    return {True: ACCEPTS, False: REFUSES, None: GAVE_UP}[accepted]


def _compare(language: Language, finding: Disagreement, accepting: bool, accepted: bool | None) -> list[Disagreement]:
    """Return a finding, with what was answered, if engine and parser disagree about its whole text."""
    if accepted is None:
        return []
    finding = replace(finding, engine=word(accepting), parser=word(accepted))
    fault = _first_fault(language, finding.text) if accepting else None
    if accepting != accepted:
        said = finding.message or _fault(language, finding.text)
        return [replace(finding, message=said, reported=fault is not None)]
    if fault is not None:
        return [replace(finding, check="report", engine=_REPORTS, message=fault.reported.message)]
    return []


def _first_fault(language: Language, text: str) -> Fault | None:
    """Return the first mistake that is reported in a text which the grammar accepts."""
    return next(language.mistakes(text), None)


def _judge_closings(
    language: Language, judge: Judge, left: str, right: str, closings: dict[str, str | None]
) -> list[Disagreement]:
    verdicts = judge.judge([left + done + (closing or "") + right for done, closing in closings.items()])
    found = []
    for (done, closing), (accepted, message) in zip(closings.items(), verdicts, strict=True):
        if closing is None or accepted is False:
            engine = "viable, and has no closing" if closing is None else ACCEPTS
            finding = Disagreement("closing", left, done, right, engine, word(accepted), message, closing=closing or "")
            reported = closing is not None and _first_fault(language, finding.text) is not None
            found.append(replace(finding, grain=max(1, len(done)), reported=reported))
    return found


def _fault(language: Language, text: str) -> str:
    """Return the engine's objection to a text, without its place."""
    fault = language.error(text)
    return "" if fault is None else f"at {fault.begun or fault.found!r} {fault.reported.message}"


def _closes_alike(strict: Quotient, tolerant: Quotient, middle: str) -> bool:
    """Return whether the closing that the tolerant quotient finds behind a middle fits the strict one as well."""
    state = tolerant.start.advance(middle)
    closing = None if state is None else state.closing()
    return closing is None or strict.start.accepts(middle + closing)


def _answer(quotient: Quotient, middle: str) -> tuple[bool, bool, int | None]:
    """Return whether a text may begin with a middle, whether it fits as it is, and the bytes of its closing.

    Of several closings as short, what was asked before decides which one is found.
    """
    state = quotient.start.advance(middle)
    closing = state.closing() if state is not None else None
    return state is not None, state is not None and state.accepting, None if closing is None else len(closing.encode())
