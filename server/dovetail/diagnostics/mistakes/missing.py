"""Missing: a sign or word without which a lexeme does not fit, and a line end at which the line should have gone on.

Each is tried: it counts only if the line of the lexeme fits with it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.flaw import MIRRORED, closer_of, find_flaw
from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import (
    content_after,
    content_at,
    content_end,
    goes_deeper,
    line_start,
    rest_of_line,
)
from dovetail.diagnostics.mistakes.lost_operator import is_comma_likely, is_in_field
from dovetail.diagnostics.mistakes.names_in_braces import is_among_names, sign_between_names
from dovetail.diagnostics.reach import fits
from dovetail.diagnostics.reported import BETWEEN, line_and_column
from dovetail.diagnostics.word_pattern import one_of
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dovetail.quotient.expectations import Expectation
    from dovetail.quotient.machine import Machine
    from dovetail.quotient.right_side import RightSide

_NEXT_LINE = re.compile(r"\s*[^\n\r]*")
_NEXT_SIGN = re.compile(r"[ \t]*(?:\r\n|\r|\n)\s*([^\w\s])")
_CONDITION_GOES_ON = re.compile(r"[^\s\n\r{}:?,][^\n\r{}:?,]*\s+:\s[^\n\r]*")
"""A line with a value, and the sign before another one behind it or on the line below."""
_QUESTION = "?"
"""The first sign of a condition such as `a ? b : c`."""
_BREAK = re.compile(r"[\n\r]")
_KEY = re.compile(r"(?:\{|,(?!\w)|(?<!\w),)\s*(?:\"[^\"\n\r]*\"|'[^'\n\r]*'|[\w.]+)[ \t]*\Z")
_BAR = "|"
"""The sign between types of which a value may have either."""
_ONLY_TYPE = "a[]"
"""The look of a type that no value has."""
_MEMBER_WITH_TYPE = re.compile(r"[:)][^;{]*\Z")
_NAMED = re.compile(r"(?:[^\W\d]\w*|[\"'])[ \t]+\Z")
_OF_NAMED_TYPE = re.compile(r"\w\{[^{}\n\r]*[\"'][ \t]+\Z")
"""A text in the braces right behind the name of a type: the value of a field, and no key."""
_VALUE = r"[\"'\d]|%s\b|[\w.]+\("
"""The beginning of a value that is no key itself, with the words that are values."""
_TYPE = r"(?:[(,]|^)[ \t]*%s[ \t]+\Z"
"""A word that stands before a name in another language."""
_SINGLE = r"[ \t]*(?:%s[ \t]+)?[\w.\[\]]+[ \t]*[-+*/%%&|^:]?=(?!=)[^,({\[]*\Z"
"""The beginning of a line that gives a value to one variable."""
_SEVERAL = re.compile(r"[ \t]*[\w.]+[ \t]*,[^=({\[]*=(?!=)")
"""The beginning of a line that gives values to several variables."""
_TARGET = re.compile(r"[^\W\d]\w*[ \t]*=(?!=)")
_CLOSERS = (")", "))")
"""Brackets that may be lost at the end of a header's condition."""
_HEADER = re.compile(r"(?<![\w.$])([^\W\d]\w*)[ \t]*\Z")
_CONDITION = "(x) x "
"""The look of a header's condition before a statement."""
_ALONE = re.compile(r"[^\W\d]\w*[ \t]*(?=[,}\r\n]|\Z)")
"""A name alone in braces."""
_ENTRY = re.compile(r"[{,]\s*[^\W\d]\w*[ \t]+\Z")
"""A name at the beginning of an entry in braces."""
_COMPARES = re.compile(r"[=!~]=|(?<![\w<=>-])[<>]=?(?![<>])")
"""A sign that compares two values."""
_NEW_NAME = "; x := 0\n"
"""A statement of a language in which a colon behind the first name of a block is that of a label."""
_OF_CALL = ("(", "[")
_CALLED = re.compile(r"[\w$)\]]\Z")
"""The end of what is called, or has an index."""
_LEXEME = re.compile(r"\w+|[^\w\s]")
_WORD = re.compile(r"\w+")


def find_sign_between_lines(right: RightSide, at: Configuration, text: str, offset: int) -> str | None:
    """Return the sign with which the next line with content fits if it stands at the line end at an offset.

    A comma, unless the next line ends what a colon begins: below `case x` in Go another value would fit, and not its
    end. Before a value and a colon it is the first sign of a condition. None if no sign fits.
    """
    line = _NEXT_LINE.match(text, offset)
    if line is None:
        return None
    if _is_first_value(right, at, text, content_after(text, offset)):
        return _QUESTION
    if fits(right, at, f":{line.group()}\n") and not fits(right, at, f",{line.group()}\n"):
        return ":"
    if are_compared(text, offset) or goes_deeper(text, offset):
        return None
    return "," if fits(right, at, f",{line.group()}") else None


def fits_after_comma(machine: Machine, right: RightSide, at: Configuration, text: str, offset: int) -> bool:
    """Return whether the lexeme at an offset would be the next of a list if a comma stood before it.

    `at`: the configuration there. A comma makes a list only inside of brackets, and not of those of a block.
    """
    _, end = right.lexer.scanners[right.lexer.modes.scanner_of[at.lexer.stack]].longest(text, offset)
    # The blank ends the lexeme: `else` is no beginning of a name.
    after = f", {text[offset : max(end, offset + 1)]} "
    if not fits(right, at, after):
        return False
    if right.lexer.modes.depths[at.lexer.stack] > 0:
        return True
    opened = find_flaw(right.lexer, text[:offset])
    bracket = text[opened.offset] if opened is not None and opened.is_open else ""
    if bracket == "{" and machine.brackets.has_blocks:
        single = re.compile(_SINGLE % one_of(machine.compiled.mistakes.declares))
        if single.match(text, line_start(text, offset), offset) and not _TARGET.match(text, offset):
            return False  # One variable gets one value.
        return fits(right, at, f"{after}{MIRRORED[bracket]}")
    return bracket in MIRRORED


def find_missing_sign(
    machine: Machine, right: RightSide, at: Configuration, wanted: Sequence[Expectation], text: str, offset: int
) -> str | None:
    """Return the sign of a list or a table that is missing before the lexeme at an offset; None for no sign.

    `at`: the configuration there. `wanted`: what may stand there; a colon that alone may is missing, too.
    """
    rest = rest_of_line(text, offset)
    if text[offset] in _OF_CALL and _CALLED.search(text, 0, offset):
        return None  # No blank stands there, so that nothing was lost.
    if [machine.compiled.literals[one.terminal] for one in wanted] == [":"] and fits(right, at, f": {rest}"):
        return ":"
    if text[offset] == "{" and not machine.compiled.mistakes.closed_by:
        # The block of a header whose condition is not closed.
        closed = next((closers for closers in _CLOSERS if fits(right, at, f"{closers} {rest}")), None)
        if closed is not None:
            return closed
    if _is_first_value(right, at, text, offset):
        return _QUESTION
    if _is_in_condition(right, text, offset):
        # No comma separates conditions.
        return ")" if not _is_closed(right, text, offset) and fits(right, at, f") {rest}") else None
    if text[offset] != "(" and _is_behind_type(right, at) and fits(right, at, f"{_BAR} {rest}"):
        return _BAR
    if fits(right, at, f", {_ONLY_TYPE}>") and fits(right, at, f", {rest}"):
        return ","  # Between arguments of a type.
    between_names = sign_between_names(right, at, text, offset)
    if between_names is not None:
        return between_names or None
    is_typed = _MEMBER_WITH_TYPE.search(text, line_start(text, offset), offset) is not None
    if is_typed and text[offset].isalpha() and fits(right, at, f"; x: {_ONLY_TYPE}; {rest}"):
        return ";"  # Between members of a type.
    types = re.compile(_TYPE % one_of(machine.compiled.mistakes.types), re.MULTILINE)
    if types.search(text, line_start(text, offset), offset):
        return None
    between = next((sign for sign in BETWEEN if fits(right, at, f"{sign} {rest}")), None)
    # Behind a value in a text, a colon begins the form in which it is shown.
    if between == ":" and (fits(right, at, _NEW_NAME) or is_in_field(right, text, offset)):
        between = None
    if between is not None and _is_after_key(right, text, offset, between):
        return between
    if not fits_after_comma(machine, right, at, text, offset):
        return None
    if between == ":" and _ENTRY.search(text, 0, offset) and _ALONE.match(text, offset):
        # Two names are two entries, or a key and its value; among names alone they are entries.
        return "," if is_among_names(right, text, offset) else None
    if between is not None and not fits(right, at, f", {rest}") and _KEY.search(text, 0, offset):
        return between  # The comma makes an element of a key.
    if are_compared(text, offset) or _is_other_likely(right, text, offset):
        return None  # What joins two conditions is as likely.
    return "," if _is_of_list(machine, right, at, text, offset) and is_comma_likely(right, text, offset) else None


def _is_other_likely(right: RightSide, text: str, offset: int) -> bool:
    """Return whether a comma before the word at an offset is no likelier than another sign, or than no word at all.

    Behind `this` a dot may be lost; behind the value of a key, a name alone is hardly the next entry.
    """
    before = _HEADER.search(text, line_start(text, offset), offset)
    compiled = right.lexer.compiled
    if before is not None and before[1] in compiled.mistakes.receivers and before[1] in compiled.literals:
        return True
    entry = re.split(r"[,{]", text[line_start(text, offset) : offset])[-1]
    return re.match(r"\s*[\w\"']+\s*:[^:]*\Z", entry) is not None and _ALONE.match(text, offset) is not None


def are_compared(text: str, offset: int) -> bool:
    """Return whether two values are compared before an offset, on its line or the one above, and behind it."""
    before = text[line_start(text, len(text[:offset].rstrip())) : offset]
    behind = re.split(r"[,;]|//|#", rest_of_line(text, content_at(text, offset)))[0]
    return _COMPARES.search(before.rpartition(",")[2]) is not None and _COMPARES.search(behind) is not None


def _is_first_value(right: RightSide, at: Configuration, text: str, offset: int) -> bool:
    """Return whether what begins at an offset, and its line, is the first of the two values of a condition."""
    values = _CONDITION_GOES_ON.match(text, offset)
    is_first = not text[line_start(text, offset) : offset].strip()
    return values is not None and is_first and fits(right, at, f" {_QUESTION} {values.group()}")


def _is_of_list(machine: Machine, right: RightSide, at: Configuration, text: str, offset: int) -> bool:
    """Return whether a comma at an offset would be one of a list, and not an operator between two values.

    Where blocks stand in braces, a list may end with a comma.
    """
    opened = find_flaw(right.lexer, text[:offset])
    bracket = text[opened.offset] if opened is not None and opened.is_open else ""
    if not machine.brackets.has_blocks or bracket not in MIRRORED or fits(right, at, f",{MIRRORED[bracket]}"):
        return True
    return _SEVERAL.match(text, line_start(text, offset), offset) is not None


def _is_behind_type(right: RightSide, at: Configuration) -> bool:
    """Return whether a type ends at a configuration, and is not one of a list of types, which commas separate."""
    return fits(right, at, f"{_BAR} {_ONLY_TYPE}") and not fits(right, at, f", {_ONLY_TYPE}")


def _is_after_key(right: RightSide, text: str, offset: int, sign: str) -> bool:
    """Return whether what stands before an offset is a key like others in its braces, which a sign follows."""
    if not _KEY.search(text, 0, offset):
        return False
    opened = find_flaw(right.lexer, text[:offset])
    if opened is None or not opened.is_open or text[opened.offset] != "{":
        return False
    line = rest_of_line(text, offset)
    value = re.compile(_VALUE % one_of(right.lexer.compiled.mistakes.values))
    is_field = _OF_NAMED_TYPE.search(text, 0, offset) is not None
    if sign == ":" and value.match(line) and _NAMED.search(text, 0, offset) and not is_field:
        return True
    return any(re.search(rf"[\w\"']\s*{sign}\s", part) for part in (text[opened.offset : offset], line))


def _is_in_condition(right: RightSide, text: str, offset: int) -> bool:
    """Return whether the innermost bracket that is open at an offset is that of a header's condition."""
    opened = find_flaw(right.lexer, text[:offset])
    if opened is None or not opened.is_open or text[opened.offset] != "(":
        return False
    word = _HEADER.search(text, 0, opened.offset)
    if word is None or word[1] not in right.lexer.compiled.literals:
        return False
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[: opened.offset])
    return at is not None and fits(right, at, _CONDITION)


def _is_closed(right: RightSide, text: str, offset: int) -> bool:
    """Return whether the innermost bracket that is open at an offset is closed behind it."""
    opened = find_flaw(right.lexer, text[:offset])
    return opened is not None and opened.is_open and closer_of(right.lexer, text, opened.offset) is not None


def find_missing_end(
    machine: Machine, right: RightSide, at: Configuration, wanted: Sequence[Expectation], text: str, offset: int
) -> str | None:
    """Return the sign or word that is missing at the line end or comment at an offset, as a header's colon; else None.

    `wanted`: what may stand there, most wanted first. None where columns have no meaning: a statement may go on there.
    """
    sign = machine.compiled.literals[wanted[0].terminal] if wanted else None
    if machine.compiled.layout is None or sign is None or sign in MIRRORED:
        return None
    if sign.isalpha() and len(wanted) > 1:
        # The second part of a condition is lost, with the word before it.
        return sign if (right.closings.closing(at) or "").startswith(wanted[0].text) else None
    if len(sign) > 1 or sign.isidentifier():
        return None
    return sign if fits(right, at, f"{sign} {rest_of_line(text, offset)}\n") else None


def find_missing_word(
    machine: Machine, right: RightSide, at: Configuration, wanted: Sequence[Expectation], text: str, offset: int
) -> str | None:
    """Return the word that has to come before the lexeme at an offset, and with which its line fits; None for no word.

    `wanted`: what may stand there, most wanted first. A word that closes a block is none: the block may be longer.
    """
    word = machine.compiled.literals[wanted[0].terminal] if wanted else None
    if word is None or not word.isalpha() or word in machine.compiled.mistakes.closed_by.values():
        return None
    if any(word == closer for _, closer in machine.brackets.closers):
        return None
    if not (right.closings.closing(at) or "").startswith(wanted[0].text):
        return None
    return word if fits(right, at, f" {word} {rest_of_line(text, offset)} ") else None


def find_displaced(right: RightSide, read: Sequence[Configuration], text: str, base: int, offset: int) -> Hint | None:
    """Return the hint for the lexeme at an offset, or on the line after it, that belongs at the end of the line before.

    `read`: the configurations before each character from `base` on. None where the line end means nothing, or where
    columns have a meaning.
    """
    if right.lexer.compiled.layout is not None:
        return None
    if text[offset : offset + 1] in ("\r", "\n"):
        found = _NEXT_SIGN.match(text, offset)
        if found is None or found[1] not in MIRRORED:
            return None
        end, offset = content_end(text, offset), found.start(1)
    else:
        end = len(text[:offset].rstrip())
    lexeme = _LEXEME.match(text, offset)
    if lexeme is None or end <= base or not _BREAK.search(text, end, offset):
        return None
    is_word = _WORD.fullmatch(lexeme.group()) is not None
    if is_word and _WORD.match(text, end - 1):
        return None  # Two words side by side would be one.
    above = read[end - base].lexer
    way = None if above.accepted < 0 else right.lexer.modes.known_transition(above.stack, above.accepted)
    if way is None or not way.is_seen(blank=True):
        return None  # In a comment anything fits.
    # The lexeme and the line end change places, so that all lines keep their numbers. The blank ends the last word:
    # `break` is no beginning of a name.
    stop = lexeme.end()
    if is_word and not rest_of_line(text, stop).strip():
        return None  # A word that has a line to itself: with it alone the line above fits too easily.
    meant = f"{lexeme.group()}{text[end:offset]}"
    if not fits(right, read[end - base], f"{meant}{rest_of_line(text, stop)} "):
        return None
    words = f"`{lexeme.group()}` belongs at the end of line {line_and_column(text, end)[0]}"
    return Hint(offset, words, Meant(end, stop, meant, is_sure=True))
