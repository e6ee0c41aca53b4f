"""Misplaced words: those that stand only in functions of one kind, in a function of another one.

`quotient/function_words.py` finds the functions.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from dovetail.diagnostics.fault import Fault
from dovetail.diagnostics.reported import line_and_column, reported_at
from dovetail.quotient.function_words import read_words, word_pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dovetail.grammar.mistakes import FunctionWords
    from dovetail.quotient.function_words import FunctionHead
    from dovetail.quotient.machine import Machine

_NOTHING = "(?!)"
"""A regular expression that is found nowhere."""
_SHOWN = 40
"""Characters of the head of a function that a message shows."""


class MisplacedWord(NamedTuple):
    """A word in a function of another kind."""

    begin: int
    """The offset of the function's head, or of the word outside of all functions."""
    fault: Fault


def find_misplaced_words(machine: Machine, text: str) -> Iterator[MisplacedWord]:
    """Yield the words of a program that the innermost function around them does not allow, the first of each function.

    Those outside of all functions are yielded as well where none may stand there (`FunctionWords.outside`). Words are
    let be where the parser has several readings that differ in this, and where they may be names.
    """
    # Words that the text does not hold cost nothing, and behind the last one nothing is read.
    pattern = word_pattern(machine)
    places = [] if pattern is None else [match.end() for match in pattern.finditer(text)]
    if pattern is None or not places:
        return
    behind_names = re.compile(machine.compiled.mistakes.behind_names or _NOTHING)
    read = text[: text.find("\n", max(places)) + 1 or len(text)]
    told: set[tuple[FunctionWords, FunctionHead | None]] = set()
    for word in read_words(machine, read):
        words, head = word.words, next(iter(word.heads), None)
        is_allowed = not words.outside if head is None else word.is_allowed(text)
        written = pattern.match(text, word.start)
        may_be_name = written is not None and behind_names.match(text, written.end()) is not None
        if not is_allowed and not may_be_name and (words, head) not in told:
            told.add((words, head))
            line, column = line_and_column(text, word.start)
            message = words.outside
            if head is not None:
                above, _ = line_and_column(text, head.start)
                message = _message(words, text[head.start : head.end], above if above < line else None)
            reported = reported_at(text, word.start, message)
            fault = Fault(word.start, line, column, text[word.start], (), (), "", reported)
            yield MisplacedWord(word.start if head is None else head.start, fault)


def _message(words: FunctionWords, head: str, line: int | None) -> str:
    """Return what is said of a word; `line`: that of the head of its function, if it is another one."""
    if not words.remedy or (words.never and re.search(words.never, head)):
        return words.message
    shown = " ".join(head.split())
    shown = shown if len(shown) <= _SHOWN else shown[: _SHOWN - 1] + "…"
    there = "" if line is None else f" on line {line}"
    return f"{words.message}; {words.remedy.replace('{head}', shown)}{there}"
