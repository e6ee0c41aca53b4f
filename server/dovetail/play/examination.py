"""The engine's knowledge of one place of a text, as plain values for the page.

Offsets are those of JavaScript: in units of UTF-16 from the beginning of the text.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from dovetail.diagnostics.expected_class import expected_classes
from dovetail.quotient.automaton_view import view_automaton
from dovetail.quotient.boundary import find_boundary
from dovetail.quotient.omission import lines_of
from dovetail.quotient.stack_view import view_stacks

if TYPE_CHECKING:
    from dovetail import Document, Language, Quotient, State
    from dovetail.diagnostics.fault import Fault

_MOST_FAULTS = 8


def examine(language: Language, document: Document, offset: int, *, everywhere: bool = False) -> dict[str, object]:
    """Return what the page shows of an offset of a document.

    `is_line_wrong` says that whatever fits has to take the rest of the cursor's line into a comment or a long string;
    there is no closing then.
    `everywhere`: draw the automaton from all its entries, not only from those that count at this place.
    """
    text = document.text
    quotient = document.quotient(offset)
    state = quotient.start
    # Nothing is left out of a text that fits. Only if some of it is not read yet does it have to be read for this.
    unread = any(part.unread for part in quotient.ignored)
    fits = language.accepts(text) if unread else state.accepting and not quotient.ignored
    # A closing that comments the rest of the line out is none that a person wants.
    kept = quotient.keeping_rest_of_line
    closing = kept.closing(text[:offset]) if kept.viable else None
    closed = None if closing is None else state.advance(closing)
    return {
        "viable": quotient.viable,
        "accepting": state.accepting,
        "fits": fits,
        "is_line_wrong": quotient.viable and not kept.viable,
        "closing": closing,
        "refusal": None if quotient.viable else _refusal(language, text, offset),
        "expected": _expected(state) if quotient.viable else [],
        "boundary": _boundary(quotient),
        "stacks": dataclasses.asdict(view_stacks(state)),
        "automaton": _automaton([state] if closed is None else [state, closed], everywhere=everywhere),
        "omissions": [_omission(text, *part) for part in quotient.ignored],
        "faults": [] if fits else [_fault(text, fault) for fault in language.errors(text, _MOST_FAULTS)],
    }


def try_text(language: Language, document: Document, offset: int, text: str) -> dict[str, object]:
    """Return what becomes of a text that is inserted at an offset of a document.

    `taken` is its longest beginning after which something still fits, `refused` the rest. `by` says which context
    refuses the next character: `left` if nothing at all could follow it, `right` if the text after the cursor could
    not; null if all of the text fits.
    """
    quotient = document.quotient(offset)
    kept = quotient.keeping_rest_of_line
    state, taken = quotient.start, 0
    if quotient.viable:
        for character in text:
            after = state.advance(character)
            if after is None:
                break
            state, taken = after, taken + 1
    by = None
    if taken < len(text):
        alone = language.quotient(document.text[:offset], "")
        by = "right" if alone.start.advance(text[: taken + 1]) is not None else "left"
    keeping = kept.start.advance(text[:taken]) if kept.viable else None
    return {
        "viable": quotient.viable,
        "taken": text[:taken],
        "refused": text[taken:],
        "by": by,
        "accepting": state.accepting,
        # A person who has begun such a comment wants it.
        "closing": quotient.closing(document.text[:offset], text[:taken], state if keeping is None else keeping),
        "expected": _expected(state) if quotient.viable else [],
    }


def _expected(state: State) -> list[dict[str, object]]:
    """Return the classes of terminals that may come next, each with texts that show it."""
    right, configuration, _ = state.parts()
    lexer_state = configuration.lexer
    settled = right.lexer.settle(lexer_state)
    stack = (lexer_state if settled is None else settled[0]).stack
    # A class has its name of all that the grammar lets come, be it shown or not.
    classes = expected_classes(right.machine, right.expecting.expectations(configuration), stack)
    shown = frozenset(state.expectations())
    members = ((each.name, [member for member in each.members if member in shown]) for each in classes)
    return [
        {"name": name, "members": [{"name": member.name, "text": member.text} for member in found]}
        for name, found in members
        if found
    ]


def _refusal(language: Language, text: str, offset: int) -> str | None:
    """Return what is wrong with the text before the cursor; None if it is the beginning of a program."""
    fault = language.error_before(text, offset)
    return None if fault is None else str(fault)


def _boundary(quotient: Quotient) -> dict[str, object]:
    boundary = find_boundary(quotient)
    right = quotient.right.text
    return {
        "pending": list(boundary.pending),
        "outcome": boundary.outcome,
        "crossing": [
            {
                "name": lexeme.name,
                "taken": right[: lexeme.characters_after_cursor],
                "in_progress": lexeme.in_progress,
                "fits": lexeme.fits,
            }
            for lexeme in boundary.crossing
        ],
    }


def _automaton(states: list[State], *, everywhere: bool) -> dict[str, object]:
    view = view_automaton(states, everywhere=everywhere)
    text = states[0].parts()[0].text  # Without what recovery leaves out, so not always that of the document.
    columns = {state.column: state for state in view.states}
    return {
        **dataclasses.asdict(view),
        "columns": [
            {"terminal": state.terminal, "text": text[state.offset : state.end]} for _, state in sorted(columns.items())
        ],
    }


def _omission(text: str, start: int, end: int, instead: str, unread: bool) -> dict[str, object]:
    first, last = lines_of(text, start, end)
    return {
        "start": _units(text, start),
        "end": _units(text, end),
        "first_line": first,
        "last_line": last,
        "instead": instead.strip(),
        "unread": unread,
    }


def _fault(text: str, fault: Fault) -> dict[str, object]:
    reported = fault.reported
    return {
        "offset": _units(text, reported.offset),
        "line": reported.line,
        "column": reported.column,
        "message": reported.message,
    }


def _units(text: str, offset: int) -> int:
    """Return an offset in characters as one in units of UTF-16.

    >>> _units("a😀b", 2)
    3
    """
    return offset + sum(character > "\uffff" for character in text[:offset])
