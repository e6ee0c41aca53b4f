"""Fault: the first place at which a text stops being the beginning of a program.

Bisection finds it: first between the pieces in which the text is read (`reach.py`), then between the characters of one
piece.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from dovetail.automata.dfa import START
from dovetail.diagnostics.broken_lexeme import find_broken_lexeme
from dovetail.diagnostics.comments import before_comment, find_comments, without
from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.known_mistake import find_known_mistake
from dovetail.diagnostics.line_places import line_end, line_start
from dovetail.diagnostics.misfit import blanks_before, wrong_column, wrong_lexeme
from dovetail.diagnostics.mistakes.guess import (
    guess,
    guess_brackets,
    guess_header,
    surplus_comma,
    unassignable,
)
from dovetail.diagnostics.mistakes.header_above import find_header_above
from dovetail.diagnostics.mistakes.lost_assignment import lost_assignment
from dovetail.diagnostics.mistakes.lost_dot import is_dot_lost
from dovetail.diagnostics.mistakes.lost_match import find_lost_match
from dovetail.diagnostics.mistakes.lost_operator import words_of_lost_operator
from dovetail.diagnostics.mistakes.lost_switch import find_lost_switch
from dovetail.diagnostics.mistakes.lost_try import find_lost_try
from dovetail.diagnostics.mistakes.merge_conflict import find_conflict
from dovetail.diagnostics.mistakes.misplaced import find_misplaced
from dovetail.diagnostics.mistakes.missing import (
    find_displaced,
    find_missing_end,
    find_missing_sign,
    find_missing_word,
    find_sign_between_lines,
)
from dovetail.diagnostics.mistakes.open_comment import find_open_comment
from dovetail.diagnostics.reach import PIECE, first_dead, read_pieces
from dovetail.diagnostics.reported import NEVER_CLOSED, line_and_column, report, reported_at
from dovetail.parsing.configuration import Configuration
from dovetail.quotient.quoted import quoted
from dovetail.quotient.right_side import read_right

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from dovetail.diagnostics.reported import Reported
    from dovetail.lexing.lexer import LexerState
    from dovetail.quotient.expectations import Expectation
    from dovetail.quotient.machine import Machine
    from dovetail.quotient.right_side import RightSide

_HERE = " here"
_LONG = 30  # The number of characters of a lexeme that a message shows.


@dataclass(frozen=True, slots=True)
class Fault:
    """The first place at which a text cannot be a program."""

    offset: int
    """In characters, from 0."""
    line: int
    """From 1."""
    column: int
    """From 1, in characters."""
    found: str
    """The character at the fault; empty at the end of the text."""
    expected: tuple[str, ...]
    """The lexemes that may stand there, in readable form; those that begin the shortest closing come first."""
    texts: tuple[str, ...]
    """Texts that may stand there: each begins with another of these lexemes."""
    begun: str
    """The lexeme before the fault if it may go on there but not end; empty if `found` itself does not fit."""
    reported: Reported
    """The place where a person looks for the mistake, and the words."""
    meant: Meant | None = None
    """The word or sign that was meant perhaps; None without a guess."""
    is_in_wrong_column: bool = False
    """True if the line stands in a column where no line can."""
    own: Reported | None = None
    """The report of the place itself, where `reported` names a bracket above that may be open for another reason."""

    def __str__(self) -> str:
        at = self.reported
        return f"line {at.line}, column {at.column}: {at.message}"


class _Misfit(NamedTuple):
    """The place at which a text stops fitting."""

    base: int
    """The offset of a part of the text that ends behind the place."""
    read: list[Configuration]
    """The configurations before each character of that part, and after its last one."""
    within: int
    """The offset of the place in that part."""


def find_fault(machine: Machine, text: str, *, whole: bool = True) -> Fault | None:
    """Return the fault of a text, or None if it is a program.

    `whole`: no text follows, so what is open at the end is never closed.
    """
    found = find_bare_fault(machine, text, whole=whole)
    if found is None:
        return None
    fault, bare = found
    return replace(fault, reported=before_comment(fault.reported, text, bare))


def find_bare_fault(
    machine: Machine, text: str, *, whole: bool = True, horizon: int | None = None
) -> tuple[Fault, str] | None:
    """Return the fault of a text and the text that it is about: the same with blanks for the comments up to the fault.

    None if the text is a program. `whole` is as in `find_fault`. `horizon`: an offset from which on the text is taken
    for wrong by itself, so that it explains nothing; None for its end.
    """
    right = read_right(machine, machine.stacks(), "")
    place = _find_place(right, text)
    if place is None:
        return None
    offset = place.base + place.within
    comments = find_comments(machine.lexer, text, offset)
    opened = find_open_comment(right, text, comments, offset)
    if opened is not None:
        comments = [comment for comment in comments if comment.end <= opened.offset]
    bare = without(text, comments)
    if bare != text:
        # Where a comment does not fit, neither does what is behind it on its line.
        there = _find_place(right, bare)
        is_same = there is not None and offset <= there.base + there.within <= line_end(text, offset) + 1
        bare, place = (bare, there) if there is not None and is_same else (text, place)
    return _explained(machine, right, bare, place, opened, whole=whole, horizon=horizon), bare


def _find_place(right: RightSide, text: str) -> _Misfit | None:
    """Return the place at which a text stops fitting; None if it is a program."""
    pieces = read_pieces(
        right, Configuration((right.stacks.bottom,), right.lexer.start), text, range(0, len(text), PIECE)
    )
    first = first_dead(right, pieces)
    if first is None:
        if right.recognizer.accepting(pieces[-1]):
            return None
        first = max(len(pieces) - 1, 1)
    # The lexeme at the fault may begin in the piece before.
    base = max(first - 2, 0) * PIECE
    piece = text[base : first * PIECE]
    read = read_pieces(right, pieces[max(first - 2, 0)], piece, range(len(piece)))
    within = first_dead(right, read)
    return _Misfit(base, read, len(piece) if within is None else within - 1)


def _explained(
    machine: Machine,
    right: RightSide,
    text: str,
    place: _Misfit,
    opened: Hint | None,
    *,
    whole: bool,
    horizon: int | None,
) -> Fault:
    """Return the fault at a place; `whole` and `horizon` are as in `find_bare_fault`.

    `opened`: the hint for a comment that is never closed, if that is the fault.
    """
    base, read, offset = place
    expecting = right.expecting
    configuration = read[offset]
    found = text[base + offset : base + offset + 1]
    begun, beginning, blanks = "", offset, 0
    may_end = expecting.may_end(configuration)
    if not may_end or _goes_on(right, configuration.lexer, found):
        pending, beginning = _lexeme(right, [at.lexer for at in read], text[base : base + offset])
        begun = "" if may_end else pending
        blanks = blanks_before(pending, found, is_begun=begun != "")
        if begun.strip() and begun[-1].isspace():
            begun, beginning, blanks = "", offset, 0  # It goes on with other words: the word here is none of them.
    expected = expecting.on_this_line(configuration) if found.strip() else expecting.expectations(configuration)
    line, column = line_and_column(text, base + offset)
    # A person does not ask how the lexeme before a place might go on, nor how one that does not fit might.
    at = read[beginning]
    ended = at.ended_as(right.lexer, right.stacks, at.lexer.accepted)
    shown = expected if beginning == offset else expecting.on_this_line(at)
    if ended is not None and ended.lexer.line is None:
        at, shown = ended, expecting.expectations(ended) or shown
    start, stack = base + beginning + blanks, at.lexer.stack
    plain = wrong_column(right.lexer, right.stacks, configuration)
    is_in_wrong_column = plain is not None
    meant: Meant | None = None
    certain = find_conflict(right, text, base + offset) or opened or find_lost_try(right, text, base + offset)
    # The line above may have been meant as a header.
    certain = certain or (find_header_above(right, text, base + offset, 1) if plain else None)
    certain = certain or find_lost_match(right, text, base + offset) or find_lost_switch(right, text, base + offset)
    if certain is None and not plain:
        certain = find_known_mistake(machine, right, read, text, base, start, base + offset)
    if certain is not None:
        start, plain, meant = certain
    part = find_broken_lexeme(right.lexer, stack, text, start) if begun and beginning < offset and not plain else None
    if part is not None:
        start, plain = part.offset, part.message
    elif begun and not plain and beginning == offset:
        plain = f"`{begun}` does not fit here"  # Its beginning lies in another piece.
    elif not plain:
        start, plain, meant = _understood(right, read, text, base, start, base + offset, stack)
    wanted = _most_wanted_first(right, at, shown)
    missing = ""
    comment = machine.compiled.comment
    if not plain and found and (not found.strip() or (comment and text.startswith(comment, start))):
        missing = find_missing_end(machine, right, at, wanted, text, start) or ""
    elif not plain and found:
        missing = find_missing_word(machine, right, at, wanted, text, start) or ""
        if missing:
            meant = Meant(start, start, f"{missing} ")
        else:
            missing = find_missing_sign(machine, right, at, wanted, text, start) or ""
            # What follows a header, or a case, fits only once its condition is closed.
            meant = Meant(start, start, f"{missing} ") if missing not in ("", ",") else meant
        if not missing and (lost := words_of_lost_operator(right, at, text, start)):
            plain = f"{wrong_lexeme(right.lexer, stack, text, start, base + offset)}; {lost}"
    own = None
    if certain is not None:
        # Nothing else in the text explains it.
        reported = reported_at(text, start, plain or "")
    else:
        between = find_sign_between_lines(right, at, text, base + offset) if found in ("\r", "\n") else None
        report_at = partial(
            report,
            machine,
            text,
            start,
            plain or wrong_lexeme(right.lexer, stack, text, start, base + offset),
            None if plain else wanted,
            stack,
            read=bool(begun),
            missing=missing,
            horizon=horizon,
            between=between,
            meant=meant,
        )
        reported = report_at(whole=whole)
        if reported.message.endswith(NEVER_CLOSED) and reported.offset < line_start(text, start):
            # Where more of the text may follow, what is open explains nothing.
            here = report_at(whole=False)
            own = here if here.line > reported.line else None
        if between is not None and reported.message.startswith(f"expected `{between}`"):
            meant = Meant(reported.offset, reported.offset, between, is_sure=between == ":")
    fitting = _most_wanted_first(right, configuration, expected)
    return Fault(
        offset=base + offset,
        line=line,
        column=column,
        found=found,
        expected=tuple(dict.fromkeys(one.name for one in fitting)),
        texts=tuple(dict.fromkeys(one.text for one in fitting if one.text)),
        begun=begun,
        reported=reported,
        meant=meant,
        is_in_wrong_column=is_in_wrong_column,
        own=own,
    )


def _understood(
    right: RightSide, read: Sequence[Configuration], text: str, base: int, start: int, fault: int, stack: int
) -> Hint:
    """Return what is meant by the lexeme at an offset, which does not fit.

    `read`: the configurations before each character from `base` on. `fault`: the offset at which the text stops
    fitting. `stack`: the modes at `start`.
    """
    displaced = find_displaced(right, read, text, base, start)
    if displaced is not None:
        return displaced
    surplus = surplus_comma(right, read, text, base, start)
    if surplus is not None:
        return surplus
    if not text[start : start + 1].strip():
        header = guess_header(right, read, text, base, start)
        return Hint(start, None) if header is None else header
    keyword = unassignable(right, text, start)
    if keyword is not None:
        return Hint(start, keyword)
    guessed = guess(right, read, text, base, start)
    if guessed is not None and guessed.is_foreign:
        words = f"`{guessed.written}` does not fit here; {guessed}"
        return Hint(guessed.meant.start, words, guessed.meant)
    sign = None if guessed is not None else lost_assignment(right, read[start - base], text, start)
    if guessed is None and sign is None and is_dot_lost(right, read[start - base], text, start):
        sign = "."
    if sign is not None:
        words = f"{wrong_lexeme(right.lexer, stack, text, start, fault)}; perhaps a `{sign}` is missing before it"
        is_dot = sign == "."
        return Hint(start, words, Meant(start, start, sign if is_dot else f"{sign} ", is_sure=is_dot))
    perhaps = guessed or guess_brackets(right, read[start - base], text, start)
    perhaps = perhaps or find_misplaced(right, read, text, base, start)
    if perhaps is None:
        return Hint(start, None)
    misfit = wrong_lexeme(right.lexer, stack, text, start, fault)
    if guessed is None:
        return Hint(start, f"{misfit}; {perhaps}")
    place, meant = guessed.meant.start, quoted(guessed.meant.text)
    if place == start:
        if guessed.written.isalpha():
            misfit = f"{quoted(guessed.written)} does not fit here"  # Of a word that is no lexeme, all of it.
        # A part of `..` may be all that does not fit.
        told = f"perhaps it should be {meant}" if misfit.startswith(quoted(guessed.written)) else perhaps
        return Hint(start, f"{misfit}; {told}", guessed.meant)
    if place < line_start(text, start) or not misfit.endswith(_HERE):
        return Hint(start, f"{misfit}; {perhaps}", guessed.meant)
    # A person looks for the mistake at the word, not behind it.
    return Hint(place, f"{perhaps}; {misfit.removesuffix(_HERE)} behind it", guessed.meant)


def _goes_on(right: RightSide, state: LexerState, found: str) -> bool:
    """Return whether the pending lexeme goes on with a character."""
    scanner = right.lexer.scanners[right.lexer.modes.scanner_of[state.stack]]
    return state.at != START and found != "" and scanner.steps[state.at][found] >= 0


def _most_wanted_first(right: RightSide, at: Configuration, expected: Iterable[Expectation]) -> list[Expectation]:
    """Return the terminals that may come, those first that begin the shortest closing."""
    closing = right.closings.closing(at) or ""
    return sorted(expected, key=lambda one: -len(one.text) if closing.startswith(one.text) else 0)


def _lexeme(right: RightSide, states: list[LexerState], piece: str) -> tuple[str, int]:
    """Return the pending lexeme at the end of a piece and the offset where it begins.

    A long one is shortened. Of one that begins before the piece the end is returned, with the offset of its end.
    `states`: the lexer states before each character of the piece.
    """
    start = len(piece)
    while start > 0:
        start -= 1
        state = states[start]
        scanner = right.lexer.scanners[right.lexer.modes.scanner_of[state.stack]]
        if state.at == START or scanner.steps[state.at][piece[start]] < 0:
            lexeme = state.rest + piece[start:]
            return lexeme if len(lexeme) <= _LONG else f"{lexeme[:_LONG]}…", start - len(state.rest)
    return f"…{piece[-_LONG:]}", len(piece)
